/* submit.c - submit a job, ask for its state, cancel it: by the programs of its scheduler. */
#include "launch/schedulers.h"

#include <ctype.h>

static const double SUBMIT_SECONDS = 120, CANCEL_SECONDS = 60, ASK_SECONDS = 5;

enum { WORDS = 16 };

/* The name may be of a record that another version of Wick, or nobody knows who, has written. */
static const struct scheduler *need(const char *name, struct err *e)
{
    const struct scheduler *row = scheduler_find(name);
    if (!row)
        err_set(e, ERR_USER, "there is no scheduler '%.100s'", name);
    return row;
}

static bool is_local(const char *scheduler)
{
    return strcmp(scheduler, "local") == 0;
}

/* A number of a job is a word for a program: never an option, and nothing that needs quotes. */
static bool is_id(const char *id)
{
    if (!isalnum((unsigned char)id[0]) || strlen(id) >= LAUNCH_ID)
        return false;
    for (const char *c = id; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-[]@", *c))
            return false;
    return true;
}

/* ---- the words of a program ---- */

static const char *with_id(const char *word, const char *id, struct arena *arena)
{
    const char *place = strstr(word, "{id}");
    if (!place || !id)
        return word;
    return arena_printf(arena, "%.*s%s%s", (int)(place - word), word, id, place + strlen("{id}"));
}

static void fill_words(const struct scheduler *row, const char *const *template, const char *id,
                       const char **words, struct arena *arena)
{
    const char *here = launch_here().scheduler;
    bool inside = row->inside && here && strcmp(here, row->name) == 0;
    size_t count = 0;
    for (; *template; template ++) {
        if (strcmp(*template, "{after}") == 0)
            for (size_t i = 0; id && row->after[i]; i++)
                words[count++] = with_id(row->after[i], id, arena);
        else if (strcmp(*template, "{inside}") != 0)
            words[count++] = with_id(*template, id, arena);
        else if (inside)
            words[count++] = row->inside;
    }
    words[count] = NULL;
}

/* ---- submitting ---- */

/* What a program had to say: its first line that is not blank. */
static void first_line(const struct program_answer *answer, char *text, size_t size)
{
    const char *said = str_text(&answer->errors);
    if (said[strspn(said, " \t\r\n")] == 0)
        said = str_text(&answer->out);
    said += strspn(said, " \t\r\n");
    snprintf(text, size, "%.*s", (int)strcspn(said, "\r\n"), said);
}

/* Why a program failed, in its own words; its name comes before them where they do not begin so. */
static int failed(const struct program_call *call, const struct program_answer *answer,
                  struct err *e)
{
    char line[512];
    const char *name = call->words[0];
    first_line(answer, line, sizeof line);
    if (!line[0])
        return err_set(e, ERR_SYSTEM, "%s ended with code %d and said nothing", name,
                       answer->status);
    if (strncmp(line, name, strlen(name)) == 0)
        return err_set(e, ERR_USER, "%s", line);
    return err_set(e, ERR_USER, "%s: %s", name, line);
}

/* The number in the answer: after a text that is known, or the last line. */
static bool find_id(const struct scheduler *row, const struct str *out, char id[LAUNCH_ID])
{
    struct slice line = slice_last_line((struct slice){str_text(out), out->length});
    const char *at = line.text, *end = line.text + line.length;
    if (row->id_before) {
        at = strstr(str_text(out), row->id_before);
        if (!at)
            return false;
        at += strlen(row->id_before);
    }
    while (at < end && isspace((unsigned char)*at))
        at++;
    size_t length = 0;
    while (at + length < end && !isspace((unsigned char)at[length]) &&
           !(row->id_end && strchr(row->id_end, at[length])))
        length++;
    if (length >= LAUNCH_ID)
        return false;
    snprintf(id, LAUNCH_ID, "%.*s", (int)length, at);
    return is_id(id);
}

int launch_submit(const char *scheduler, const char *dir, const char *after, char id[LAUNCH_ID],
                  struct err *e)
{
    const struct scheduler *row = need(scheduler, e);
    if (!row)
        return e->code;
    if (after && !is_id(after))
        return err_set(e, ERR_USER, "'%.100s' is not the number of a job", after);
    if (is_local(scheduler))
        return local_submit(dir, after, id, e);
    const char *words[WORDS];
    struct arena arena = {0};
    struct program_answer answer;
    fill_words(row, row->submit, after, words, &arena);
    struct program_call call = {
        .scheduler = row, .words = words, .folder = dir, .seconds = SUBMIT_SECONDS};
    if (program_run(&call, &answer, e) == 0) {
        if (answer.status != 0)
            failed(&call, &answer, e);
        else if (!find_id(row, &answer.out, id))
            err_set(e, ERR_SYSTEM, "%s gave no number of a job; it said: %.300s", words[0],
                    str_text(&answer.out));
    }
    program_answer_free(&answer);
    arena_free(&arena);
    return e->code;
}

/* ---- asking, and cancelling ---- */

/* True when the program says that there is no such job, or no longer. */
static bool is_unknown(const struct scheduler *row, const struct program_answer *answer)
{
    for (size_t i = 0; row->unknown[i]; i++)
        if (strstr(str_text(&answer->errors), row->unknown[i]) ||
            strstr(str_text(&answer->out), row->unknown[i]))
            return true;
    return false;
}

int launch_cancel(const char *scheduler, const char *id, struct err *e)
{
    const struct scheduler *row = need(scheduler, e);
    if (!row)
        return e->code;
    if (!is_id(id))
        return err_set(e, ERR_USER, "'%.100s' is not the number of a job", id);
    if (is_local(scheduler))
        return local_cancel(id, e);
    const char *words[WORDS];
    struct arena arena = {0};
    struct program_answer answer;
    fill_words(row, row->cancel, id, words, &arena);
    struct program_call call = {.scheduler = row, .words = words, .seconds = CANCEL_SECONDS};
    if (program_run(&call, &answer, e) == 0 && answer.status != 0 && !is_unknown(row, &answer))
        failed(&call, &answer, e);
    program_answer_free(&answer);
    arena_free(&arena);
    return e->code;
}

static void set_word(struct launch_report *report, struct slice word, struct slice detail)
{
    while (word.length > 0 && isspace((unsigned char)*word.text)) {
        word.text++;
        word.length--;
    }
    while (word.length > 0 && isspace((unsigned char)word.text[word.length - 1]))
        word.length--;
    snprintf(report->word, sizeof report->word, "%.*s", (int)word.length, word.text);
    if (detail.length > 0 && strcspn(detail.text, "-") < detail.length && detail.length == 1)
        detail.length = 0; /* nothing, as LSF writes it */
    snprintf(report->detail, sizeof report->detail, "%.*s", (int)detail.length, detail.text);
}

static void read_fields(const char *text, struct launch_report *report)
{
    text += strspn(text, " \t\r\n");
    struct slice word = {text, strcspn(text, "|\n")}, detail = {"", 0};
    if (text[word.length] == '|')
        detail = (struct slice){text + word.length + 1, strcspn(text + word.length + 1, "|\n")};
    set_word(report, word, detail);
}

/* The value of "name = value", up to the end of its line. */
static struct slice attribute(const char *text, const char *name)
{
    struct str key = {0};
    struct slice value = {"", 0};
    str_printf(&key, " %s = ", name);
    const char *at = strstr(text, key.text);
    if (at) {
        at += key.length;
        value = (struct slice){at, strcspn(at, "\r\n")};
    }
    str_free(&key);
    return value;
}

static void read_attributes(const char *text, struct launch_report *report)
{
    struct slice detail = attribute(text, "exec_host");
    if (detail.length == 0)
        detail = attribute(text, "comment");
    set_word(report, attribute(text, "job_state"), detail);
}

static struct slice next_word(const char **at)
{
    *at += strspn(*at, " \t");
    struct slice word = {*at, strcspn(*at, " \t\r\n")};
    *at += word.length;
    return word;
}

static void read_columns(const char *text, const char *id, unsigned column,
                         struct launch_report *report)
{
    for (const char *line = text; *line;) {
        const char *at = line;
        if (slice_is(next_word(&at), id)) {
            struct slice word = {"", 0};
            for (unsigned i = 0; i < column; i++)
                word = next_word(&at);
            set_word(report, word, (struct slice){"", 0});
            return;
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

static enum launch_state state_of(const struct scheduler *row, const char *word)
{
    for (const struct scheduler_word *state = row->states; state->word; state++)
        if (strncmp(word, state->word, strlen(state->word)) == 0)
            return state->state;
    return LAUNCH_ENDED;
}

static void read_answer(const struct scheduler *row, const char *id, const char *text,
                        struct launch_report *report)
{
    if (row->how == ANSWER_FIELDS)
        read_fields(text, report);
    else if (row->how == ANSWER_ATTRIBUTES)
        read_attributes(text, report);
    else
        read_columns(text, id, row->column, report);
    report->state = state_of(row, report->word);
}

void launch_ask(const char *scheduler, const char *id, struct launch_report *report)
{
    const struct scheduler *row = scheduler_find(scheduler);
    const char *words[WORDS];
    struct err e = {0};
    struct arena arena = {0};
    struct program_answer answer;
    *report = (struct launch_report){.state = LAUNCH_UNKNOWN};
    if (!row || !is_id(id))
        return;
    if (is_local(scheduler)) {
        local_ask(id, report);
        return;
    }
    fill_words(row, row->list, id, words, &arena);
    struct program_call call = {.scheduler = row, .words = words, .seconds = ASK_SECONDS};
    if (program_run(&call, &answer, &e) == 0) {
        if (answer.status == 0)
            read_answer(row, id, str_text(&answer.out), report);
        else if (is_unknown(row, &answer))
            report->state = LAUNCH_ENDED;
        else
            first_line(&answer, report->detail, sizeof report->detail);
    }
    program_answer_free(&answer);
    arena_free(&arena);
}
