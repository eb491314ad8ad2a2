/*
 * history.c - the runs of a study and the tries before the last one, read from the journal.
 *
 * struct journal has only the last try of each trial, which is all that a search needs. Records of
 * other tries are rare, so this looks at the first key of every record and parses few of them.
 */
#include "report/history.h"

#include <math.h>

/* The current try of a trial with several tries or several ranks. */
struct begun {
    uint32_t index; /* index of the trial */
    bool retried;   /* it has several tries */
    uint32_t worker;
    double time; /* NaN: none */
    /* With several ranks: the workers as written in the journal, and the time. */
    struct slice members;
    double gathered;
};

struct reader {
    const struct journal *journal;
    struct history *history;
    struct begun *begun; /* in the order of the trials; most trials have none */
    size_t begun_count;
    struct slice previous; /* the record before */
};

/* The fields of a record that matter here. */
struct line {
    double subject, time, took, worker, workers;
    enum outcome_state state;
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
                line.state = outcome_state_find((struct slice){state.text + 1, state.length - 2});
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

static int compare_index(const void *key, const void *item)
{
    uint32_t index = *(const uint32_t *)key, other = ((const struct begun *)item)->index;
    return (index > other) - (index < other);
}

/*
 * The entry of the trial of this record; NULL if the record is of another kind or the trial has no
 * entry.
 */
static struct begun *begun_of(const struct reader *r, struct slice text, const char *head)
{
    if (r->begun_count == 0 || !starts_with(text, head))
        return NULL;
    uint64_t id = 0;
    for (size_t i = strlen(head); i < text.length && text.text[i] >= '0' && text.text[i] <= '9';
         i++)
        if (id < UINT32_MAX)
            id = id * 10 + (uint64_t)(text.text[i] - '0');
    if (id < 1 || id > r->journal->count)
        return NULL;
    uint32_t index = (uint32_t)(id - 1);
    return bsearch(&index, r->begun, r->begun_count, sizeof *r->begun, compare_index);
}

static void add_try(struct reader *r, struct history_try try)
{
    struct history *h = r->history;
    h->tries = memory_grow(h->tries, &h->try_capacity, h->try_count + 1, sizeof *h->tries);
    h->tries[h->try_count++] = try;
}

/* The workers that run a try together. */
static void read_group(struct begun *begun, struct slice text)
{
    struct line line = read_line(text);
    begun->members = line.members;
    begun->gathered = line.time;
}

/* Adds the time of the other workers of a try that has ended. */
static void add_parts(struct reader *r, struct begun *begun, enum outcome_state state, double ended)
{
    struct json j;
    if (begun->members.length == 0)
        return;
    json_open(&j, begun->members.text, begun->members.length);
    json_enter(&j, '[');
    for (bool first = true; json_item(&j); first = false) {
        double worker = json_number(&j);
        if (!first && worker >= 1 && worker <= UINT32_MAX)
            add_try(r, (struct history_try){.index = begun->index,
                                            .worker = (uint32_t)worker,
                                            .state = (uint8_t)state,
                                            .part = true,
                                            .started = begun->gathered,
                                            .ended = fmax(begun->gathered, ended)});
    }
    begun->members = (struct slice){0};
}

static void begin_try(struct begun *begun, const struct line *line)
{
    begun->time = line->time;
    begun->worker = (uint32_t)fmin(fmax(line->worker, 0), UINT32_MAX);
    begun->members = (struct slice){0};
}

/* A second start without an end in between: the first try died with its run. */
static void read_start(struct reader *r, struct begun *begun, struct slice text)
{
    struct line line = read_line(text);
    size_t runs = r->history->run_count;
    double died = runs > 1 ? r->history->runs[runs - 2].to : line.time;
    if (!isnan(begun->time))
        add_try(r, (struct history_try){.index = begun->index,
                                        .worker = begun->worker,
                                        .state = OUTCOME_INTERRUPTED,
                                        .started = begun->time,
                                        .ended = fmax(begun->time, died)});
    add_parts(r, begun, OUTCOME_INTERRUPTED, died);
    begin_try(begun, &line);
}

/* The try had not started, and goes to another worker. */
static void read_move(struct begun *begun, struct slice text)
{
    struct line line = read_line(text);
    begin_try(begun, &line);
}

/* The parts end as the whole try does. */
static void read_end(struct reader *r, struct begun *begun, uint64_t offset, struct slice text)
{
    const struct journal_trial *trial = &r->journal->trials[begun->index];
    struct line line = read_line(text);
    bool is_last = offset == trial->end && trial->state != OUTCOME_RUNNING;
    add_parts(r, begun, line.state, line.time);
    if (begun->retried && !is_last)
        add_try(r, (struct history_try){.index = begun->index,
                                        .worker = begun->worker,
                                        .state = (uint8_t)line.state,
                                        .started = line.time - line.took,
                                        .ended = line.time});
    begun->time = NAN;
}

/* A run ends with the last record before the next one starts. */
static void read_open(struct reader *r, struct slice text)
{
    struct history *h = r->history;
    struct line line = read_line(text), before = read_line(r->previous);
    bool of_run = starts_with(r->previous, "{\"open\":") || starts_with(r->previous, "{\"close\":");
    if (h->run_count > 0)
        h->runs[h->run_count - 1].to = of_run ? before.subject : before.time;
    h->runs = memory_grow(h->runs, &h->run_capacity, h->run_count + 1, sizeof *h->runs);
    uint64_t workers = line.workers > 0 ? (uint64_t)line.workers : 0;
    uint64_t last = h->run_count < r->journal->run_count ? r->journal->runs[h->run_count].last : 0;
    h->runs[h->run_count++] = (struct history_run){line.subject, line.subject, workers, last};
}

static void read_text(struct reader *r, struct slice line)
{
    uint64_t offset = (uint64_t)(line.text - r->journal->text);
    struct begun *begun;
    if ((begun = begun_of(r, line, "{\"start\":")) && begun->retried)
        read_start(r, begun, line);
    else if ((begun = begun_of(r, line, "{\"end\":")))
        read_end(r, begun, offset, line);
    else if ((begun = begun_of(r, line, "{\"move\":")) && begun->retried)
        read_move(begun, line);
    else if ((begun = begun_of(r, line, "{\"group\":")))
        read_group(begun, line);
    else if (starts_with(line, "{\"open\":"))
        read_open(r, line);
    r->previous = line;
}

static void read_lines(struct reader *r)
{
    const char *text = r->journal->text, *end = text + r->journal->size, *stop;
    for (const char *at = text; at < end; at = stop + 1) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        stop = newline ? newline : end;
        if (stop > at) /* damaged lines are empty */
            read_text(r, (struct slice){at, (size_t)(stop - at)});
    }
}

/* Collects the trials with several tries or several ranks. */
static void find_begun(struct reader *r)
{
    const struct journal *journal = r->journal;
    size_t capacity = 0;
    for (size_t i = 0; i < journal->count; i++) {
        bool retried = journal->trials[i].tries > 1;
        if (!retried && journal_progress(journal, i)->team == 0)
            continue;
        r->begun = memory_grow(r->begun, &capacity, r->begun_count + 1, sizeof *r->begun);
        r->begun[r->begun_count++] =
            (struct begun){.index = (uint32_t)i, .retried = retried, .time = NAN};
    }
}

void history_read(struct history *history, const struct journal *journal)
{
    *history = (struct history){0};
    struct reader reader = {.journal = journal, .history = history};
    find_begun(&reader);
    read_lines(&reader);
    /* Add the tries that are still running, or died with the last run. */
    for (size_t i = 0; i < reader.begun_count; i++) {
        struct begun *begun = &reader.begun[i];
        add_parts(&reader, begun, journal->trials[begun->index].state, journal->last_time);
    }
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
