/* enqueue.c - wick enqueue: queue points for a study. */
#include "cli/cli.h"
#include "cli/jobs.h"
#include "inbox/inbox.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

enum { POINTS = 1000000, INPUT = 256 << 20 };

/* The points that were read. */
struct points {
    const struct space *space;
    double *values;
    size_t count, capacity;
};

static double *new_point(struct points *points)
{
    size_t width = points->space->count;
    points->values = memory_grow(points->values, &points->capacity, (points->count + 1) * width,
                                 sizeof *points->values);
    double *point = points->values + points->count++ * width;
    for (size_t i = 0; i < width; i++)
        point[i] = NAN;
    return point;
}

/* ---- name=value ---- */

static int unknown_parameter(const struct space *space, const char *name, struct err *e)
{
    const char **names = memory_new(space->count + 1, sizeof *names);
    for (size_t i = 0; i < space->count; i++)
        names[i] = space->parameters[i].name;
    const char *nearest = str_nearest(name, names);
    if (nearest)
        err_set(e, ERR_USER, "unknown parameter '%s': did you mean '%s'?", name, nearest);
    else
        err_set(e, ERR_USER, "unknown parameter '%s': the study does not have it", name);
    free(names);
    return e->code;
}

static int wrong_value(const struct parameter *parameter, const char *text, struct err *e)
{
    struct str range = {0};
    const char *nearest = NULL;
    const char **texts = memory_new(parameter->value_count + 1, sizeof *texts);
    for (size_t i = 0; i < parameter->value_count; i++)
        texts[i] = parameter->values[i].text;
    if (parameter->value_count > 0)
        nearest = str_nearest(text, texts);
    space_put_range(parameter, &range);
    if (nearest)
        err_set(e, ERR_USER, "'%s' cannot be '%.100s': did you mean '%s'?", parameter->name, text,
                nearest);
    else
        err_set(e, ERR_USER, "'%s' cannot be '%.100s': it is %s", parameter->name, text,
                range.text);
    free(texts);
    str_free(&range);
    return e->code;
}

static int read_word(const struct space *space, const char *word, double *point, struct err *e)
{
    size_t length = strcspn(word, "=");
    char name[256];
    if (!word[length] || length == 0 || length >= sizeof name)
        return err_set(e, ERR_USER, "'%.100s' is not name=value", word);
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const struct parameter *parameter = space_find(space, name);
    if (!parameter)
        return unknown_parameter(space, name, e);
    double *value = &point[parameter - space->parameters];
    if (!isnan(*value))
        return err_set(e, ERR_USER, "'%s' was given twice", name);
    if (!space_read_text(parameter, word + length + 1, value))
        return wrong_value(parameter, word + length + 1, e);
    return 0;
}

/* ---- JSON ---- */

static int read_json(struct points *points, struct slice text, struct err *e)
{
    struct json j;
    double *point = new_point(points);
    json_open(&j, text.text, text.length);
    if (json_peek(&j) != JSON_OBJECT)
        return err_set(e, ERR_USER, "a point is a JSON object of parameters, as in {\"lr\": 0.01}");
    if (space_read_json(points->space, &j, point, e))
        return e->code;
    const char *wrong = json_close(&j);
    if (wrong)
        return err_set(e, ERR_USER, "not valid JSON: %s", wrong);
    return inbox_complete(points->space, point, e);
}

/* One point per line; blank lines are ignored. */
static int read_input(struct points *points, struct err *e)
{
    struct str text = {0};
    size_t number = 0;
    if (str_read_file(&text, "/dev/stdin", INPUT, e)) {
        str_free(&text);
        return e->code;
    }
    for (const char *at = str_text(&text); *at && !e->code;) {
        size_t length = strcspn(at, "\n");
        number++;
        if (strspn(at, " \t\r") < length && points->count < POINTS &&
            read_json(points, (struct slice){at, length}, e))
            err_wrap(e, "line %zu of the input", number);
        at += length + (at[length] == '\n');
    }
    str_free(&text);
    return e->code;
}

/* ---- the command ---- */

static bool is_word(const char *operand)
{
    return strchr(operand, '=') != NULL;
}

static bool is_folder(const char *operand)
{
    return !is_word(operand) && strcmp(operand, "-") != 0;
}

/* The words name=value make up one point. */
static int read_words(const char *const *operand, struct points *points, struct err *e)
{
    double *point = NULL;
    for (; *operand && !e->code; operand++) {
        if (strcmp(*operand, "-") == 0)
            continue;
        if (!is_word(*operand))
            return err_set(e, ERR_USER, "'%s' is not name=value", *operand);
        if (!point)
            point = new_point(points);
        read_word(points->space, *operand, point, e);
    }
    return point && !e->code ? inbox_complete(points->space, point, e) : e->code;
}

/* Next to a complete point, name=value looks like a part of it, but would be another point. */
static int check_ways(struct cli_arguments *arguments, struct err *e)
{
    bool words = false, lines = cli_values(arguments, "json")[0] != NULL;
    for (const char *const *operand = arguments->operands; *operand; operand++) {
        words = words || is_word(*operand);
        lines = lines || strcmp(*operand, "-") == 0;
    }
    if (words && lines)
        return err_set(e, ERR_USER, "give a point as name=value or as JSON (--json, -), not both");
    return 0;
}

static int read_points(struct cli_arguments *arguments, struct points *points, struct err *e)
{
    const char *const *operand = arguments->operands;
    if (check_ways(arguments, e) ||
        read_words(operand + (*operand && is_folder(*operand)), points, e))
        return e->code;
    for (const char *const *json = cli_values(arguments, "json"); *json && !e->code; json++)
        read_json(points, slice_of(*json), e);
    for (operand = arguments->operands; *operand && !e->code; operand++)
        if (strcmp(*operand, "-") == 0)
            read_input(points, e);
    if (!e->code && points->count == 0)
        err_set(e, ERR_USER,
                "no point to queue: give name=value, --json, or - to read lines of JSON "
                "from standard input");
    return e->code;
}

/* Prints the points as they will be tried, and when. */
static void print_points(const struct journal *journal, const struct points *points)
{
    struct str text = {0};
    struct cli_job job = {0};
    struct cli_status status;
    const char *them = points->count == 1 ? "it" : "them";
    cli_job_look(&job, journal->dir);
    cli_status(journal, &job, &status);
    for (size_t i = 0; i < points->count; i++) {
        str_clear(&text);
        space_put_json(points->space, points->values + i * points->space->count, &text);
        puts(text.text);
    }
    fflush(stdout);
    str_clear(&text);
    cli_add_count(&text, points->count, "point");
    if (status.state == STANDING_RUNNING)
        fprintf(stderr, "wick: %s queued; the running study will try %s next\n", text.text, them);
    else if (status.state == STANDING_WAITING)
        fprintf(stderr, "wick: %s queued; the study's next job will try %s first\n", text.text,
                them);
    else
        fprintf(stderr, "wick: %s queued; `wick %s %s` will try %s first\n", text.text,
                cli_resume_command(journal, status.job != NULL), journal->dir, them);
    str_free(&text);
}

/* Whoever queues points for a study that does not exist yet should learn how to do that. */
static int load(const char *folder, struct journal *journal, struct err *e)
{
    if (folder && access(folder, F_OK) != 0 && errno == ENOENT)
        return err_set(e, ERR_USER,
                       "there is no folder '%s': start the study first, with `wick run` or `wick "
                       "asktell`; to give a new study its first points, use 'default' and 'start' "
                       "in its file",
                       folder);
    return cli_load_journal(folder, journal, e);
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal = {0};
    const char *first = arguments->operands[0];
    if (load(first && is_folder(first) ? first : NULL, &journal, &e))
        return cli_fail(&e);
    struct points points = {.space = &journal.study.space};
    if (journal.study.upf_ids) /* its trials are identified by their lines */
        err_set(&e, ERR_USER, "%s tries only the lines of its parameter file", journal.dir);
    if (!e.code && !read_points(arguments, &points, &e) &&
        !inbox_queue_append(journal.dir, points.space, points.values, points.count, &e))
        print_points(&journal, &points);
    free(points.values);
    journal_free(&journal);
    return e.code ? cli_fail(&e) : 0;
}

static const struct cli_option options[] = {
    {.name = "json",
     .many = true,
     .value = "POINT",
     .help = "a point as a JSON object; may be repeated"},
    {0},
};

const struct cli_command cli_command_enqueue = {
    .name = "enqueue",
    .summary = "queue points of your own, even while the study runs",
    .example = "wick enqueue study.wick lr=0.01 layers=3\n"
               "wick enqueue study.wick --json '{\"lr\": 0.01, \"optimizer\": \"adam\"}'\n"
               "wick enqueue study.wick - <points.jsonl",
    .synopsis = "[DIR] NAME=VALUE ... | [--json POINT ...] [-]",
    .details =
        "The points become the next trials, even beyond the budget of the study. If the study\n"
        "does not run, they are tried when it is resumed. A parameter that is not given gets its\n"
        "default, or else the middle of its range or its first value.",
    .options = {options},
    .most = 2000,
    .run = run,
};
