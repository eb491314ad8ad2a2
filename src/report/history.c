/*
 * history.c - the runs of a study and the tries before the last one, read from the journal's lines.
 *
 * struct journal has the last try of each trial only, which is all that a search needs. The lines
 * of the other tries are rare, so this looks at the first key of every line and reads few of them.
 */
#include "report/history.h"

#include <math.h>

/* A try that has begun: of trials that were tried more than once. */
struct begun {
    double time; /* NaN: none */
    uint32_t worker;
};

struct reader {
    const struct journal *journal;
    struct history *history;
    struct begun *begun;   /* one a trial */
    struct slice previous; /* the line before */
};

/* The fields of a line that matter here. */
struct line {
    double subject, time, took, worker, workers;
    enum trial_state state;
};

static struct line read_line(struct slice text)
{
    struct line line = {0};
    struct json j;
    struct slice key, state;
    json_open(&j, text.text, text.length);
    json_enter(&j, '{');
    if (json_key(&j, &key))
        line.subject = json_number(&j);
    while (json_key(&j, &key)) {
        if (slice_is(key, "time")) {
            line.time = json_number(&j);
        } else if (slice_is(key, "took")) {
            line.took = json_number(&j);
        } else if (slice_is(key, "worker")) {
            line.worker = json_number(&j);
        } else if (slice_is(key, "workers")) {
            line.workers = json_number(&j);
        } else if (slice_is(key, "state")) {
            state = json_raw(&j);
            if (state.length > 2)
                line.state = trial_state_find((struct slice){state.text + 1, state.length - 2});
        } else {
            json_skip(&j);
        }
    }
    return line;
}

static bool starts_with(struct slice text, const char *head)
{
    size_t length = strlen(head);
    return text.length > length && memcmp(text.text, head, length) == 0;
}

/* The trial that a line speaks of, when it had more than one try; else -1. */
static int64_t retried(const struct reader *r, struct slice text, const char *head)
{
    if (!starts_with(text, head))
        return -1;
    uint64_t id = 0;
    for (size_t i = strlen(head); i < text.length && text.text[i] >= '0' && text.text[i] <= '9';
         i++)
        if (id < UINT32_MAX)
            id = id * 10 + (uint64_t)(text.text[i] - '0');
    bool known = id >= 1 && id <= r->journal->count;
    return known && r->journal->trials[id - 1].tries > 1 ? (int64_t)id - 1 : -1;
}

static void add_try(struct reader *r, struct history_try try)
{
    struct history *h = r->history;
    h->tries = memory_grow(h->tries, &h->try_capacity, h->try_count + 1, sizeof *h->tries);
    h->tries[h->try_count++] = try;
}

/* A second start without an end between: the first try died with its run. */
static void read_start(struct reader *r, size_t index, struct slice text)
{
    struct line line = read_line(text);
    struct begun *begun = &r->begun[index];
    size_t runs = r->history->run_count;
    double died = runs > 1 ? r->history->runs[runs - 2].to : line.time;
    if (!isnan(begun->time))
        add_try(r, (struct history_try){(uint32_t)index, begun->worker, TRIAL_INTERRUPTED,
                                        begun->time, fmax(begun->time, died)});
    *begun = (struct begun){line.time, (uint32_t)fmin(fmax(line.worker, 0), UINT32_MAX)};
}

/* The try had not begun, and goes to another worker. */
static void read_move(struct reader *r, size_t index, struct slice text)
{
    struct line line = read_line(text);
    r->begun[index] = (struct begun){line.time, (uint32_t)fmin(fmax(line.worker, 0), UINT32_MAX)};
}

static void read_end(struct reader *r, size_t index, uint64_t offset, struct slice text)
{
    const struct journal_trial *trial = &r->journal->trials[index];
    struct line line = read_line(text);
    struct begun *begun = &r->begun[index];
    bool is_last = offset == trial->end && trial->state != TRIAL_RUNNING;
    if (!is_last)
        add_try(r, (struct history_try){(uint32_t)index, begun->worker, (uint8_t)line.state,
                                        line.time - line.took, line.time});
    begun->time = NAN;
}

/* A run ends with the last line before the next one begins. */
static void read_open(struct reader *r, struct slice text)
{
    struct history *h = r->history;
    struct line line = read_line(text), before = read_line(r->previous);
    bool of_run = starts_with(r->previous, "{\"open\":") || starts_with(r->previous, "{\"close\":");
    if (h->run_count > 0)
        h->runs[h->run_count - 1].to = of_run ? before.subject : before.time;
    h->runs = memory_grow(h->runs, &h->run_capacity, h->run_count + 1, sizeof *h->runs);
    h->runs[h->run_count++] = (struct history_run){line.subject, line.subject,
                                                   line.workers > 0 ? (uint64_t)line.workers : 0};
}

static void read_lines(struct reader *r)
{
    const char *text = r->journal->text, *end = text + r->journal->size, *newline;
    for (const char *at = text; at < end; at = newline + 1) {
        newline = memchr(at, '\n', (size_t)(end - at));
        struct slice line = {at, (size_t)(newline - at)};
        int64_t started = retried(r, line, "{\"start\":"), ended = retried(r, line, "{\"end\":");
        int64_t moved = retried(r, line, "{\"move\":");
        if (started >= 0)
            read_start(r, (size_t)started, line);
        else if (moved >= 0)
            read_move(r, (size_t)moved, line);
        else if (ended >= 0)
            read_end(r, (size_t)ended, (uint64_t)(at - text), line);
        else if (starts_with(line, "{\"open\":"))
            read_open(r, line);
        r->previous = line;
    }
}

void history_read(struct history *history, const struct journal *journal)
{
    *history = (struct history){0};
    struct reader reader = {.journal = journal, .history = history};
    reader.begun = memory_new(journal->count, sizeof *reader.begun);
    for (size_t i = 0; i < journal->count; i++)
        reader.begun[i].time = NAN;
    read_lines(&reader);
    if (history->run_count > 0)
        history->runs[history->run_count - 1].to = journal->last_time;
    free(reader.begun);
}

void history_free(struct history *history)
{
    free(history->runs);
    free(history->tries);
    *history = (struct history){0};
}
