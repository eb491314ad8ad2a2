/* replay.c - bring a fresh search to where a journal ends. */
#include "replay/replay.h"

#include "earlier/earlier.h"
#include "inbox/inbox.h"

/* Such a trial keeps its id and its point, so the search sees nothing of it. */
static bool runs_again(const struct replay *r, size_t index)
{
    enum outcome_state state = r->journal->trials[index].state;
    return !outcome_state_ended(state) || (r->retry_failed && outcome_state_failed(state));
}

/* Points of DIR/queue whose trials are lost, in the order of their lines. */
struct skipped {
    uint64_t *lines;
    double *points;
    size_t count, next;
};

/* There are no more of them than lost trials. */
static void find_skipped(const struct replay *r, struct skipped *skipped)
{
    const struct journal *journal = r->journal;
    const struct space *space = &journal->study.space;
    size_t lost = 0, used_count;
    for (size_t i = 0; i < journal->count; i++)
        lost += journal_is_lost(&journal->trials[i]);
    if (lost == 0 || journal->queued == 0)
        return;
    uint64_t *used = journal_queue_lines(journal, &used_count);
    skipped->lines = memory_new(lost, sizeof *skipped->lines);
    skipped->points = memory_new(lost * space->count + 1, sizeof *skipped->points);
    skipped->count = inbox_queue_skipped(journal->dir, space, used, used_count, skipped->lines,
                                         skipped->points, lost);
    free(used);
}

/*
 * A lost trial gets a point of the queue that no trial has: it may have been its own, and would
 * never be tried otherwise. Returns its line; 0: there is none.
 */
static uint64_t take_skipped(const struct replay *r, struct skipped *skipped, double *point)
{
    size_t width = r->journal->study.space.count;
    if (skipped->next == skipped->count)
        return 0;
    memcpy(point, skipped->points + skipped->next * width, width * sizeof *point);
    search_add(r->search, point);
    return skipped->lines[skipped->next++];
}

static int replay_suggestions(const struct replay *r, double *point, struct err *e)
{
    struct skipped skipped = {0};
    find_skipped(r, &skipped);
    for (size_t i = 0; i < r->journal->count; i++) {
        const struct journal_trial *trial = &r->journal->trials[i];
        bool again = runs_again(r, i);
        uint64_t line = 0;
        if (journal_point(r->journal, i, point, e))
            break;
        if (journal_is_lost(trial))
            line = take_skipped(r, &skipped, point);
        if (journal_is_lost(trial))
            again = line > 0 || search_replace(r->search, point);
        else if (trial->queued)
            search_add(r->search, point);
        else
            search_replay(r->search, point);
        r->trial(r->self, i, point, line, again);
    }
    free(skipped.lines);
    free(skipped.points);
    return e->code;
}

static void tell_search(const struct replay *r, size_t index)
{
    const struct journal_trial *trial = &r->journal->trials[index];
    struct search_result result = {.good = journal_scored(trial),
                                   .stopped = trial->state == OUTCOME_STOPPED,
                                   .violation = trial->violation};
    memcpy(result.scores, journal_scores(r->journal, index),
           study_objectives(&r->journal->study) * sizeof *result.scores);
    search_tell(r->search, index, &result);
}

static void replay_results(const struct replay *r)
{
    for (size_t k = 0; k < r->journal->completion_count; k++) {
        size_t index = r->journal->completions[k];
        if (runs_again(r, index))
            continue;
        tell_search(r, index);
        if (r->ended)
            r->ended(r->self, index);
    }
}

/*
 * The rule may be another one than that of the time: it learns from all steps, but a trial that was
 * stopped then stays stopped, and one that the new rule would not have paused has ended for it.
 */
static void replay_stop(const struct replay *r, const struct journal_step *step)
{
    uint64_t id = step->index + 1;
    bool is_paused = step->paused && stop_pause(r->stop, id);
    if (!is_paused)
        stop_ended(r->stop, id, step->paused || journal_scored(&r->journal->trials[step->index]));
}

static void replay_steps(const struct replay *r)
{
    struct journal_walk walk = journal_walk(r->journal, JOURNAL_ALL);
    struct journal_step step;
    while (journal_next_step(&walk, &step)) {
        uint64_t id = step.index + 1;
        if (step.started)
            stop_continue(r->stop, id);
        else if (step.ended)
            replay_stop(r, &step);
        else if (!step.unscored)
            stop_report(r->stop, id, step.step, step.value);
    }
}

static int add_best(const struct replay *r, size_t index, double *point, struct err *e)
{
    if (journal_point(r->journal, index, point, e))
        return e->code;
    best_add(r->best, index + 1, journal_scores(r->journal, index), point);
    return 0;
}

static int replay_best(const struct replay *r, double *point, struct err *e)
{
    const struct journal *journal = r->journal;
    int64_t best = journal_best(journal);
    if (best < 0)
        return 0;
    for (size_t i = 0; i < journal->count; i++)
        if (journal_is_valid(&journal->trials[i]))
            best_remember(r->best, i + 1, journal->trials[i].score);
    if (study_objectives(&journal->study) == 1)
        return add_best(r, (size_t)best, point, e);
    for (size_t i = 0; i < journal->front_count; i++)
        if (add_best(r, journal->front[i], point, e))
            return e->code;
    return 0;
}

int replay_journal(const struct replay *r, struct err *e)
{
    double *point = memory_new(r->journal->study.space.count, sizeof *point);
    int failed = earlier_replay(r->journal, r->search, e);
    if (!failed)
        failed = replay_suggestions(r, point, e);
    search_hurry(r->search, r->journal->quick);
    if (!failed)
        replay_results(r);
    if (!failed && r->stop)
        replay_steps(r);
    if (!failed)
        failed = replay_best(r, point, e);
    free(point);
    return failed;
}
