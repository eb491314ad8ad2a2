/*
 * steps.c - the steps of trials, read from the journal on demand.
 *
 * If trials report steps, most records are steps, so only their number per trial is kept in memory.
 * Records are distinguished by their first key, and only those that matter are parsed.
 */
#include "journal/journal.h"

#include <math.h>

enum journal_place journal_curve_add(struct journal_curve *curve, unsigned try, uint64_t step)
{
    bool is_new = try != curve->try;
    if (is_new && (curve->try == 0 || step <= curve->first)) {
        *curve = (struct journal_curve){.try = try, .voided = try, .first = step, .last = step};
        return JOURNAL_ANEW;
    }
    if (is_new && step <= curve->last)
        return JOURNAL_REPEATED;
    curve->try = try;
    curve->last = step;
    return JOURNAL_NEXT;
}

struct journal_walk journal_walk(const struct journal *journal, int64_t index)
{
    struct journal_walk walk = {.journal = journal, .index = index};
    if (index != JOURNAL_ALL) {
        walk.at = journal->trials[index].params;
        walk.left = journal->trials[index].steps;
    }
    return walk;
}

/* The number after the head of a record, {"step": or {"end":; 0 if the head is another one. */
static uint64_t id_behind(struct slice line, const char *head)
{
    size_t length = strlen(head);
    if (line.length <= length || memcmp(line.text, head, length) != 0)
        return 0;
    uint64_t id = 0;
    for (size_t i = length; i < line.length && line.text[i] >= '0' && line.text[i] <= '9'; i++)
        id = id < UINT32_MAX ? id * 10 + (uint64_t)(line.text[i] - '0') : id;
    return id;
}

/* Reads the fields after the id; sets *again for an end. */
static void read_fields(struct slice line, struct journal_step *step, bool *again)
{
    struct json j;
    struct slice key;
    double number;
    json_open(&j, line.text, line.length);
    json_enter(&j, '{');
    while (json_key(&j, &key)) {
        if (slice_is(key, "time")) {
            step->time = json_number(&j);
        } else if (slice_is(key, "n")) {
            number = json_number(&j);
            step->step = number >= 0 && number < 1e15 ? (uint64_t)number : 0;
        } else if (slice_is(key, "try")) {
            number = json_number(&j);
            step->try = number >= 1 && number < 1e9 ? (unsigned)number : 1;
        } else if (slice_is(key, "value")) {
            step->unscored = false;
            if (json_peek(&j) == JSON_NUMBER)
                step->value = json_number(&j);
            else
                json_skip(&j);
        } else if (slice_is(key, "metrics")) {
            step->metrics = json_raw(&j);
        } else if (slice_is(key, "again")) {
            *again = json_bool(&j);
        } else if (slice_is(key, "paused")) {
            step->paused = json_bool(&j);
        } else {
            json_skip(&j);
        }
    }
}

/* True for a record from before its trial was lost: it starts again, with other parameters. */
static bool is_before(const struct journal_walk *walk, uint64_t id, struct slice line)
{
    const struct journal *journal = walk->journal;
    const struct journal_trial *trial = &journal->trials[id - 1];
    return journal_is_lost(trial) || (uint64_t)(line.text - journal->text) < trial->params;
}

/* Fills the step from a record of any trial; false if the record is not one. */
static bool take_any(const struct journal_walk *walk, struct slice line, struct journal_step *step)
{
    bool again = false, stepped = true;
    uint64_t id = id_behind(line, "{\"step\":"), ended = 0;
    if (id == 0) {
        stepped = false;
        ended = id_behind(line, "{\"end\":");
        id = ended ? ended : id_behind(line, "{\"start\":");
    }
    if (id == 0 || id > walk->journal->count || is_before(walk, id, line))
        return false;
    *step = (struct journal_step){
        .index = (size_t)id - 1, .try = 1, .value = NAN, .unscored = true, .ended = ended};
    read_fields(line, step, &again);
    step->started = !stepped && !ended && step->try > 1;
    return stepped || step->started || (ended && !again);
}

/* The same for one trial, if the step counts. Tries are counted up to 255. */
static bool take_own(struct journal_walk *walk, struct slice line, struct journal_step *step)
{
    bool again;
    uint64_t id = id_behind(line, "{\"step\":");
    if (id == 0 || (int64_t)id - 1 != walk->index)
        return false;
    *step =
        (struct journal_step){.index = (size_t)id - 1, .try = 1, .value = NAN, .unscored = true};
    read_fields(line, step, &again);
    unsigned number = step->try;
    if (number > UINT8_MAX)
        number = UINT8_MAX;
    if (number < journal_progress(walk->journal, (size_t)walk->index)->curve.voided ||
        journal_curve_add(&walk->curve, number, step->step) == JOURNAL_REPEATED)
        return false;
    walk->left--;
    return true;
}

bool journal_next_step(struct journal_walk *walk, struct journal_step *step)
{
    const struct journal *journal = walk->journal;
    while (walk->at < journal->size && (walk->index == JOURNAL_ALL || walk->left > 0)) {
        const char *at = journal->text + walk->at;
        const char *newline = memchr(at, '\n', journal->size - walk->at);
        struct slice line = {at, newline ? (size_t)(newline - at) : journal->size - walk->at};
        walk->at += line.length + 1;
        if (walk->index == JOURNAL_ALL ? take_any(walk, line, step) : take_own(walk, line, step))
            return true;
    }
    return false;
}

bool journal_last_step(const struct journal *journal, size_t index, struct journal_step *step)
{
    struct journal_walk walk = {
        .journal = journal, .index = JOURNAL_ALL, .at = journal_progress(journal, index)->step};
    return walk.at > 0 && journal_next_step(&walk, step);
}
