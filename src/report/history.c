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
    /* Of several ranks: the list of the workers, as it stands in the journal, and when. */
    struct slice members;
    double gathered;
};

struct reader {
    const struct journal *journal;
    struct history *history;
    struct begun *begun;   /* one a trial; `time` and `worker` where it has several tries */
    struct slice previous; /* the line before */
};

/* The fields of a line that matter here. */
struct line {
    double subject, time, took, worker, workers;
    enum trial_state state;
    struct slice members;
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
        } else if (slice_is(key, "members")) {
            line.members = json_raw(&j);
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

/* The trial that a line speaks of, or -1. */
static int64_t subject_of(const struct reader *r, struct slice text, const char *head)
{
    if (!starts_with(text, head))
        return -1;
    uint64_t id = 0;
    for (size_t i = strlen(head); i < text.length && text.text[i] >= '0' && text.text[i] <= '9';
         i++)
        if (id < UINT32_MAX)
            id = id * 10 + (uint64_t)(text.text[i] - '0');
    return id >= 1 && id <= r->journal->count ? (int64_t)id - 1 : -1;
}

/* The same, when it had more than one try. */
static int64_t retried(const struct reader *r, struct slice text, const char *head)
{
    int64_t index = subject_of(r, text, head);
    return index >= 0 && r->journal->trials[index].tries > 1 ? index : -1;
}

static void add_try(struct reader *r, struct history_try try)
{
    struct history *h = r->history;
    h->tries = memory_grow(h->tries, &h->try_capacity, h->try_count + 1, sizeof *h->tries);
    h->tries[h->try_count++] = try;
}

static uint32_t worker_of(const struct line *line)
{
    return (uint32_t)fmin(fmax(line->worker, 0), UINT32_MAX);
}

/* The workers that run a try together. */
static void read_group(struct reader *r, size_t index, struct slice text)
{
    struct line line = read_line(text);
    r->begun[index].members = line.members;
    r->begun[index].gathered = line.time;
}

/* Of a try that has ended now: the time of its other workers. */
static void add_parts(struct reader *r, size_t index, enum trial_state state, double ended)
{
    struct begun *begun = &r->begun[index];
    struct json j;
    if (begun->members.length == 0)
        return;
    json_open(&j, begun->members.text, begun->members.length);
    json_enter(&j, '[');
    for (bool first = true; json_item(&j); first = false) {
        double worker = json_number(&j);
        if (!first && worker >= 1 && worker <= UINT32_MAX)
            add_try(r, (struct history_try){.index = (uint32_t)index,
                                            .worker = (uint32_t)worker,
                                            .state = (uint8_t)state,
                                            .part = true,
                                            .started = begun->gathered,
                                            .ended = fmax(begun->gathered, ended)});
    }
    begun->members = (struct slice){0};
}

/* The parts end as the whole does. */
static void end_parts(struct reader *r, size_t index, struct slice text)
{
    if (r->begun[index].members.length == 0)
        return;
    struct line line = read_line(text);
    add_parts(r, index, line.state, line.time);
}

/* A second start without an end between: the first try died with its run. */
static void read_start(struct reader *r, size_t index, struct slice text)
{
    struct line line = read_line(text);
    struct begun *begun = &r->begun[index];
    size_t runs = r->history->run_count;
    double died = runs > 1 ? r->history->runs[runs - 2].to : line.time;
    if (!isnan(begun->time))
        add_try(r, (struct history_try){.index = (uint32_t)index,
                                        .worker = begun->worker,
                                        .state = TRIAL_INTERRUPTED,
                                        .started = begun->time,
                                        .ended = fmax(begun->time, died)});
    add_parts(r, index, TRIAL_INTERRUPTED, died);
    *begun = (struct begun){.time = line.time, .worker = worker_of(&line)};
}

/* The try had not begun, and goes to another worker. */
static void read_move(struct reader *r, size_t index, struct slice text)
{
    struct line line = read_line(text);
    r->begun[index] = (struct begun){.time = line.time, .worker = worker_of(&line)};
}

static void read_end(struct reader *r, size_t index, uint64_t offset, struct slice text)
{
    const struct journal_trial *trial = &r->journal->trials[index];
    struct line line = read_line(text);
    struct begun *begun = &r->begun[index];
    bool is_last = offset == trial->end && trial->state != TRIAL_RUNNING;
    if (!is_last)
        add_try(r, (struct history_try){.index = (uint32_t)index,
                                        .worker = begun->worker,
                                        .state = (uint8_t)line.state,
                                        .started = line.time - line.took,
                                        .ended = line.time});
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
        int64_t grouped = subject_of(r, line, "{\"group\":"),
                over = subject_of(r, line, "{\"end\":");
        if (grouped >= 0)
            read_group(r, (size_t)grouped, line);
        else if (over >= 0)
            end_parts(r, (size_t)over, line);
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
    for (size_t i = 0; i < journal->count; i++) /* that still run, or died with the last run */
        add_parts(&reader, i, journal->trials[i].state, journal->last_time);
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
