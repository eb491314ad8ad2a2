/* query.c - queries on a loaded journal. */
#include "journal/journal.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

/* Opens the record at an offset. */
static void open_record(const struct journal *journal, uint64_t offset, struct json *j)
{
    const char *at = journal->text + offset;
    const char *newline = memchr(at, '\n', journal->size - offset);
    size_t length = newline ? (size_t)(newline - at) : journal->size - offset;
    json_open(j, at, length);
    json_enter(j, '{');
}

int journal_point(const struct journal *journal, size_t index, double *point, struct err *e)
{
    struct json j;
    struct slice key;
    if (journal_is_lost(&journal->trials[index])) {
        for (size_t i = 0; i < journal->study.space.count; i++)
            point[i] = NAN;
        return 0;
    }
    open_record(journal, journal->trials[index].params, &j);
    while (json_key(&j, &key)) {
        if (slice_is(key, "params"))
            return space_read_json(&journal->study.space, &j, point, e)
                       ? err_wrap(e, "trial %zu in %s/journal", index + 1, journal->dir)
                       : 0;
        json_skip(&j);
    }
    return err_set(e, ERR_USER, "trial %zu in %s/journal has no parameters", index + 1,
                   journal->dir);
}

static int compare_lines(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

uint64_t *journal_queue_lines(const struct journal *journal, size_t *count)
{
    uint64_t *lines = memory_new(journal->count + 1, sizeof *lines);
    *count = 0;
    for (size_t i = 0; i < journal->count; i++) {
        struct json j;
        struct slice key;
        if (!journal->trials[i].queued)
            continue;
        open_record(journal, journal->trials[i].params, &j);
        while (json_key(&j, &key) && !slice_is(key, "queued"))
            json_skip(&j);
        lines[(*count)++] = (uint64_t)fmin(fmax(json_number(&j), 0), 1e15);
    }
    qsort(lines, *count, sizeof *lines, compare_lines);
    return lines;
}

static void read_scores(struct json *j, double *scores, size_t count)
{
    size_t read = 0;
    json_enter(j, '[');
    for (; json_item(j); read++) {
        double score = json_number(j);
        if (read < count)
            scores[read] = score;
    }
}

int journal_earlier(const struct journal *journal, size_t index, double *point, double *scores,
                    size_t objectives, struct err *e)
{
    struct json j;
    struct slice key;
    for (size_t i = 0; i < objectives; i++)
        scores[i] = NAN;
    open_record(journal, journal->earlier[index], &j);
    while (json_key(&j, &key) && !e->code) {
        if (slice_is(key, "params"))
            (void)!space_read_json(&journal->study.space, &j, point, e);
        else if (slice_is(key, "scores"))
            read_scores(&j, scores, objectives);
        else
            json_skip(&j);
    }
    for (size_t i = 0; i < objectives && !e->code; i++)
        if (!isfinite(scores[i]))
            err_set(e, ERR_USER, "it has no score");
    return e->code ? err_wrap(e, "earlier result %zu in %s/journal", index + 1, journal->dir) : 0;
}

static void read_metrics(struct json *j, struct outcome *result)
{
    struct str name = {0};
    struct slice key;
    json_enter(j, '{');
    while (json_key(j, &key)) {
        bool null = json_peek(j) == JSON_NULL;
        double value = null ? (json_skip(j), NAN) : json_number(j);
        if (result->metric_count < OUTCOME_METRICS) {
            struct outcome_metric *metric = &result->metrics[result->metric_count++];
            json_unescape(key, &name);
            snprintf(metric->name, sizeof metric->name, "%s", name.text);
            metric->value = value;
        }
    }
    str_free(&name);
}

/* Reads a whole number; a number outside 0 to `most` is moved into this range. */
static uint64_t read_whole(struct json *j, double most)
{
    return (uint64_t)fmin(fmax(json_number(j), 0), most);
}

static void read_end(struct json *j, struct slice key, struct outcome *result)
{
    struct str text = {0};
    if (slice_is(key, "memory")) {
        result->peak_memory = read_whole(j, 1e15);
    } else if (slice_is(key, "read")) {
        result->read = read_whole(j, 1e18);
    } else if (slice_is(key, "written")) {
        result->written = read_whole(j, 1e18);
    } else if (slice_is(key, "energy")) {
        result->energy = json_number(j);
    } else if (slice_is(key, "cpu")) {
        result->processor = json_number(j);
    } else if (slice_is(key, "exit")) {
        result->exit_code = (int)read_whole(j, 255);
    } else if (slice_is(key, "signal")) {
        result->signal = (int)read_whole(j, 255);
    } else if (slice_is(key, "dropped")) {
        result->log_dropped = read_whole(j, 1e15);
    } else if (slice_is(key, "state")) {
        json_string(j, &text);
        result->state = outcome_state_find((struct slice){str_text(&text), text.length});
    } else if (slice_is(key, "reason")) {
        json_string(j, &text);
        snprintf(result->reason, sizeof result->reason, "%s", str_text(&text));
    } else if (slice_is(key, "log")) {
        json_string(j, &result->log);
    } else if (slice_is(key, "violation")) {
        result->violation = json_number(j);
    } else if (slice_is(key, "metrics")) {
        read_metrics(j, result);
    } else {
        json_skip(j);
    }
    str_free(&text);
}

int journal_result(const struct journal *journal, size_t index, struct outcome *result,
                   struct err *e)
{
    const struct journal_trial *trial = &journal->trials[index];
    outcome_free(result);
    *result = (struct outcome){.state = OUTCOME_RUNNING,
                               .score = trial->score,
                               .started = trial->started,
                               .ended = trial->ended,
                               .exit_code = -1};
    if (journal_is_lost(trial))
        result->state = OUTCOME_INTERRUPTED;
    if (trial->end == 0)
        return 0;
    if (journal->scores) {
        result->score_count = study_objectives(&journal->study);
        memcpy(result->scores, journal_scores(journal, index),
               result->score_count * sizeof *result->scores);
    }
    struct json j;
    struct slice key;
    open_record(journal, trial->end, &j);
    while (json_key(&j, &key))
        read_end(&j, key, result);
    if (j.error)
        return err_set(e, ERR_USER, "cannot parse the end of trial %zu in %s/journal", index + 1,
                       journal->dir);
    if (trial->state == OUTCOME_RUNNING)
        result->state = OUTCOME_RUNNING;
    else if (result->state == OUTCOME_DONE && result->exit_code < 0)
        result->exit_code = 0;
    return 0;
}

int journal_log(const struct journal *journal, size_t index, struct outcome *result, struct err *e)
{
    struct str path = {0}, log = {0};
    if (journal->trials[index].state == OUTCOME_RUNNING) {
        study_trial_path(&path, journal->dir, STUDY_TMP, index + 1);
        str_add(&path, "log");
    } else {
        study_trial_path(&path, journal->dir, STUDY_LOGS, index + 1);
    }
    int failed = 0;
    if (access(path.text, F_OK) == 0) {
        failed = str_read_regular(&log, path.text, 1 << 20, e);
        struct str before = result->log;
        result->log = failed ? before : log;
        str_free(failed ? &log : &before);
    } else if (errno != ENOENT && errno != ENOTDIR) { /* else it is not kept */
        failed = err_system(e, "cannot read %s", path.text);
    }
    str_free(&path);
    return failed;
}

bool journal_is_begun(const struct journal *journal)
{
    return journal->run_count > 0 || journal->count > 0;
}

void journal_count(const struct journal *journal, struct journal_counts *counts)
{
    *counts = (struct journal_counts){0};
    for (size_t i = 0; i < journal->count; i++)
        counts->states[journal->trials[i].state]++;
    counts->ended = journal->completion_count;
    counts->failed = counts->ended - counts->states[OUTCOME_DONE] - counts->states[OUTCOME_STOPPED];
}

const struct journal_placement *journal_last_placement(const struct journal *journal)
{
    size_t count = journal->run_count;
    return journal->placements + (count > 0 ? journal->runs[count - 1].placements : 0);
}

bool journal_knows_run(const struct journal *journal)
{
    return journal->run_count > 0 && journal->end == END_NONE;
}

double journal_node_hours(const struct journal *journal)
{
    double hours = 0;
    for (size_t i = 0; i < journal->run_count; i++)
        hours += journal->runs[i].nodes * journal->runs[i].seconds / 3600;
    return hours;
}

/* The run in which a trial was last started; NULL: unknown. */
static const struct journal_run *run_of(const struct journal *journal, size_t index)
{
    size_t low = 0, high = journal->run_count; /* the last that had started before is below high */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (journal->runs[middle].since <= journal->trials[index].started)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &journal->runs[low - 1] : NULL;
}

const char *journal_job(const struct journal *journal, size_t index)
{
    const struct journal_run *run = run_of(journal, index);
    return run ? run->job : "";
}

const char *journal_node(const struct journal *journal, size_t index)
{
    const struct journal_trial *trial = &journal->trials[index];
    const struct journal_run *run = run_of(journal, index);
    if (!run || trial->worker == 0)
        return "";
    bool last = run == &journal->runs[journal->run_count - 1];
    size_t end = last ? journal->placement_count : run[1].placements;
    for (size_t i = run->placements; i < end; i++) {
        const struct journal_placement *placement = &journal->placements[i];
        if (trial->worker >= placement->first && trial->worker <= placement->last &&
            (trial->worker - placement->first) % placement->step == 0)
            return placement->node;
    }
    return "";
}

size_t journal_workers(const struct journal *journal, size_t index, uint32_t *workers, size_t most)
{
    uint32_t worker = journal->trials[index].worker;
    uint64_t team = journal_progress(journal, index)->team;
    size_t count = 0;
    struct json j;
    struct slice key;
    if (team == 0) {
        if (worker > 0 && most > 0)
            workers[count++] = worker;
        return count;
    }
    open_record(journal, team, &j);
    while (json_key(&j, &key)) {
        if (!slice_is(key, "members")) {
            json_skip(&j);
            continue;
        }
        for (json_enter(&j, '['); json_item(&j);) {
            worker = (uint32_t)read_whole(&j, UINT32_MAX);
            if (count < most)
                workers[count++] = worker;
        }
    }
    return count;
}

const struct journal_progress *journal_progress(const struct journal *journal, size_t index)
{
    static const struct journal_progress none;
    return index < journal->progress_count ? &journal->progress[index] : &none;
}

bool journal_scored(const struct journal_trial *trial)
{
    return (trial->state == OUTCOME_DONE || trial->state == OUTCOME_STOPPED) &&
           !isnan(trial->score);
}

/* True if trial a is better than trial b. */
static bool better(const struct journal *journal, uint32_t a, uint32_t b)
{
    double x = journal->trials[a].score, y = journal->trials[b].score;
    if (x == y)
        return journal->trials[a].ended < journal->trials[b].ended ||
               (journal->trials[a].ended == journal->trials[b].ended && a < b);
    return journal->study.model.maximize ? x > y : x < y;
}

/* Restores the heap, whose first item is the worst of the best. */
static void sink(const struct journal *journal, uint32_t *heap, size_t count, size_t at)
{
    for (;;) {
        size_t worst = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
            if (better(journal, heap[worst], heap[child]))
                worst = child;
        if (worst == at)
            return;
        uint32_t swap = heap[at];
        heap[at] = heap[worst];
        heap[worst] = swap;
        at = worst;
    }
}

size_t journal_top(const struct journal *journal, size_t count, uint32_t *indexes)
{
    size_t kept = 0;
    if (journal->scores) {
        kept = count < journal->front_count ? count : journal->front_count;
        memcpy(indexes, journal->front, kept * sizeof *indexes);
        return kept;
    }
    for (uint32_t i = 0; i < journal->count && count > 0; i++) {
        if (!journal_is_valid(&journal->trials[i]))
            continue;
        if (kept < count) {
            indexes[kept++] = i;
            if (kept == count)
                for (size_t at = kept; at-- > 0;)
                    sink(journal, indexes, kept, at);
        } else if (better(journal, i, indexes[0])) {
            indexes[0] = i;
            sink(journal, indexes, kept, 0);
        }
    }
    if (kept < count)
        for (size_t at = kept; at-- > 0;)
            sink(journal, indexes, kept, at);
    for (size_t left = kept; left > 1; left--) { /* the worst goes to the end */
        uint32_t worst = indexes[0];
        indexes[0] = indexes[left - 1];
        indexes[left - 1] = worst;
        sink(journal, indexes, left - 1, 0);
    }
    return kept;
}

int64_t journal_best(const struct journal *journal)
{
    uint32_t best;
    return journal_top(journal, 1, &best) == 1 ? (int64_t)best : -1;
}
