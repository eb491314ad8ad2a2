/* output.c - read what a program prints, keep a bounded part, and find the score in it. */
#include "trial/output.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

enum { DRAIN_LIMIT = 4 << 20 }; /* bytes that are read of a pipe after the end */

void output_begin(struct output *o, const struct study_model *model)
{
    o->model = model;
    outcome_log_clear(&o->log);
    o->line_length = o->metric_count = 0;
    o->number = 0;
    o->has_score = false;
    o->score = NAN;
    o->other[0] = 0;
}

/*
 * A number at the start of a text (nan and inf too), and nothing behind it: 0.5x is a word, and 1,5
 * or 1,234.5 would silently be 1.
 */
static bool number_at(const char *text, double *number)
{
    char *end;
    if (isspace((unsigned char)*text))
        return false;
    *number = strtod(text, &end);
    bool comma = *end == ',' && isdigit((unsigned char)end[1]);
    return end != text && !isalnum((unsigned char)*end) && *end != '_' && !comma;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Finds the last `name: number` (or =, or the name in quotes) in a line. */
static bool find_named(const char *line, const char *name, double *number)
{
    size_t length = strlen(name);
    bool found = false;
    for (const char *at = line; (at = strstr(at, name)); at++) {
        const char *p = at + length;
        if (at > line && (in_word(at[-1]) || at[-1] == '-' || at[-1] == '.'))
            continue;
        if (*p == '"' || *p == '\'')
            p++;
        p += strspn(p, " \t");
        if (*p != ':' && *p != '=')
            continue;
        p++;
        p += strspn(p, " \t");
        double value;
        if (number_at(p, &value)) {
            *number = value;
            found = true;
        }
    }
    return found;
}

/* CANDLE's models say `IMPROVE_RESULT [label] number`: the number is the line's last word. */
static bool find_improve(const char *line, double *number)
{
    const char *at = strstr(line, "IMPROVE_RESULT");
    if (!at)
        return false;
    const char *end = at + strlen(at);
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    const char *word = end;
    while (word > at && !strchr(" \t:=", word[-1]))
        word--;
    return number_at(word, number);
}

static bool find_pattern(const char *line, const regex_t *regex, double *number)
{
    regmatch_t match[2];
    bool found = false;
    int flags = 0;
    while (regexec(regex, line, 2, match, flags) == 0 && match[0].rm_eo > 0) {
        double value;
        if (match[1].rm_so >= 0 && number_at(line + match[1].rm_so, &value)) {
            *number = value;
            found = true;
        }
        line += match[0].rm_eo;
        flags = REG_NOTBOL;
    }
    return found;
}

/*
 * Remembers the name of a `name: number`, as a hint for a user who has not named the score, or not
 * rightly: the last one, unless an earlier one contains the name of the score.
 */
static void find_other(struct output *o)
{
    for (const char *at = o->line; (at = strpbrk(at, ":=")); at++) {
        const char *end = at;
        double ignored;
        while (end > o->line && (end[-1] == ' ' || end[-1] == '"' || end[-1] == '\''))
            end--;
        const char *begin = end;
        while (begin > o->line && in_word(begin[-1]))
            begin--;
        size_t length = (size_t)(end - begin);
        const char *number = at + 1 + strspn(at + 1, " \t");
        if (length == 0 || length >= sizeof o->other || isdigit((unsigned char)*begin) ||
            !number_at(number, &ignored))
            continue;
        char name[sizeof o->other] = "";
        memcpy(name, begin, length);
        const char *score = study_score_name(o->model);
        if (!strstr(o->other, score) || strstr(name, score)) /* val_loss rather than val_acc */
            memcpy(o->other, name, sizeof name);
    }
}

/* Colours are ESC [ ... letter, and a zero byte would hide what follows. */
void output_clean(char *line, size_t *length)
{
    size_t kept = 0;
    for (size_t i = 0; i < *length; i++) {
        if (line[i] == '\033' && i + 1 < *length && line[i + 1] == '[') {
            i += 2;
            while (i < *length && !isalpha((unsigned char)line[i]))
                i++;
        } else {
            line[kept++] = line[i] ? line[i] : '?';
        }
    }
    line[kept] = 0;
    *length = kept;
}

bool output_find_score(const struct study_model *model, const char *line, double *score)
{
    if (model->regex)
        return find_pattern(line, model->regex, score);
    return find_named(line, study_score_name(model), score) || find_improve(line, score);
}

static void look_for_metric(struct output *o, const char *name)
{
    double value;
    if (find_named(o->line, name, &value))
        outcome_set_metric(o->metrics, &o->metric_count, name, strlen(name), value);
}

static void look_at_line(struct output *o)
{
    const struct study_model *model = o->model;
    output_clean(o->line, &o->line_length);
    o->has_score |= output_find_score(model, o->line, &o->score);
    if (!o->has_score)
        find_other(o);
    for (size_t i = 1; i < SEARCH_OBJECTIVES && model->scores[i]; i++)
        look_for_metric(o, model->scores[i]);
    for (const char *const *metric = model->metrics; metric && *metric; metric++)
        look_for_metric(o, *metric);
    o->line_length = 0;
}

static void search(struct output *o, const char *bytes, size_t length)
{
    while (length > 0) {
        /* A progress bar ends its lines with a carriage return. */
        const char *end = memchr(bytes, '\n', length);
        size_t line = end ? (size_t)(end - bytes) : length;
        const char *back = memchr(bytes, '\r', line);
        if (back) {
            end = back;
            line = (size_t)(back - bytes);
        }
        size_t room = OUTPUT_LINE - o->line_length;
        size_t taken = line < room ? line : room;
        memcpy(o->line + o->line_length, bytes, taken);
        o->line_length += taken;
        if (end) {
            look_at_line(o);
            line++;
        }
        bytes += line;
        length -= line;
    }
}

void output_add(struct output *o, const char *bytes, size_t length, bool is_stdout)
{
    outcome_log_add(&o->log, bytes, length);
    if (is_stdout)
        search(o, bytes, length);
}

void output_end(struct output *o, struct outcome *outcome)
{
    if (o->line_length > 0)
        look_at_line(o);
    if (o->has_score)
        outcome->score = o->score;
    memcpy(outcome->metrics, o->metrics, o->metric_count * sizeof *o->metrics);
    outcome->metric_count = o->metric_count;
    outcome->log_dropped = outcome_log_copy(&o->log, &outcome->log);
}

/* ---- the pipes ---- */

/* Reads what a pipe has; closes it at its end. */
static void read_pipe(struct output *o, int *fd, size_t limit)
{
    char bytes[65536];
    while (*fd >= 0 && limit > 0) {
        ssize_t got = read(*fd, bytes, sizeof bytes);
        if (got > 0) {
            output_add(o, bytes, (size_t)got, fd == &o->out);
            limit -= (size_t)got < limit ? (size_t)got : limit;
            continue;
        }
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return;
        if (got < 0)
            o->number = errno;
        comm_unwatch(o->comm, *fd);
        close(*fd);
        *fd = -1;
    }
}

/* One read per event: a program that floods us must not keep the worker from its timers. */
static void read_out(void *argument)
{
    struct output *o = argument;
    read_pipe(o, &o->out, 1);
}

static void read_err(void *argument)
{
    struct output *o = argument;
    read_pipe(o, &o->err, 1);
}

/* After the end: reads what is left in a pipe, which somebody may still hold open. */
static void drain(struct output *o, int *fd)
{
    read_pipe(o, fd, DRAIN_LIMIT);
    if (*fd >= 0) {
        comm_unwatch(o->comm, *fd);
        close(*fd);
        *fd = -1;
    }
}

void output_watch(struct output *o, struct comm *comm, int out, int err)
{
    o->comm = comm;
    o->out = out;
    o->err = err;
    fcntl(out, F_SETFL, O_NONBLOCK);
    fcntl(err, F_SETFL, O_NONBLOCK);
    comm_watch(comm, out, read_out, o);
    comm_watch(comm, err, read_err, o);
}

void output_close(struct output *o)
{
    drain(o, &o->out);
    drain(o, &o->err);
}
