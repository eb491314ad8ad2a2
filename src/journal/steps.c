/*
 * steps.c - the steps of trials, read from the journal's lines when somebody asks.
 *
 * They are most of the lines where there are any, so nothing of them is kept in memory but how many
 * a trial has. Lines are told apart by their first key, and only those that matter are read.
 */
#include "journal/journal.h"

#include <math.h>

struct journal_walk journal_walk(const struct journal *journal, int64_t index)
{
    struct journal_walk walk = {.journal = journal, .index = index};
    if (index != JOURNAL_ALL) {
        walk.at = journal->trials[index].params;
        walk.left = journal->trials[index].steps;
    }
    return walk;
}

/* Takes a line's head, {"step": or {"end":, and the number behind it; 0 when it has another. */
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

/* Reads the fields behind the id; *again is that of an end. */
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
        } else {
            json_skip(&j);
        }
    }
}

/* Fills the step of a line; false when the walk is not for it. */
static bool take_line(struct journal_walk *walk, struct slice line, struct journal_step *step)
{
    uint64_t stepped = id_behind(line, "{\"step\":");
    uint64_t ended = stepped == 0 ? id_behind(line, "{\"end\":") : 0, id = stepped + ended;
    bool again = false, is_all = walk->index == JOURNAL_ALL;
    if (id == 0 || id > walk->journal->count)
        return false;
    if (!is_all && (ended || (int64_t)id - 1 != walk->index))
        return false;
    *step = (struct journal_step){
        .index = (size_t)id - 1, .try = 1, .value = NAN, .unscored = true, .ended = ended};
    read_fields(line, step, &again);
    if (is_all)
        return !again;
    unsigned tries = walk->journal->trials[walk->index].tries;
    if (step->try < tries) /* of an earlier one; the count of tries ends at 255 */
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
        struct slice line = {at, (size_t)(newline - at)};
        walk->at += line.length + 1;
        if (take_line(walk, line, step))
            return true;
    }
    return false;
}
