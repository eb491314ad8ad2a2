/* resume.c - bring a driver to where the journal of an earlier run ends. */
#include "run/driver.h"

#include "replay/replay.h"

static void note_duration(struct driver *d, const struct journal_trial *trial, const double *point)
{
    double took = trial->ended - trial->started;
    if (trial->state == OUTCOME_DONE)
        driver_note_duration(d, point, took);
    else if (trial->state == OUTCOME_INTERRUPTED)
        driver_note_duration(d, point, CUT_OFF * took);
}

static void replay_trial(void *self, size_t index, const double *point, bool again)
{
    struct driver *d = self;
    const struct journal *journal = d->options->journal;
    const struct journal_trial *trial = &journal->trials[index];
    note_duration(d, trial, point);
    if (!again && trial->paused)
        promote_replay(d, journal, index, point);
    if (!again)
        return;
    struct live_trial *live = live_add(&d->live, index + 1, trial->tries + 1u, point);
    live->failures = outcome_state_ended(trial->state) ? 0 : trial->failures;
    live->origin = trial->origin;
    live->step = journal_progress(journal, index)->paused_at;
    driver_again(d, index + 1);
}

static void replay_end(void *self, size_t index)
{
    struct driver *d = self;
    enum outcome_state state = d->options->journal->trials[index].state;
    d->progress.ended++;
    d->progress.failed += outcome_state_failed(state);
    d->progress.stopped += state == OUTCOME_STOPPED;
}

int driver_replay(struct driver *d, const struct journal *journal, struct err *e)
{
    struct replay replay = {.journal = journal,
                            .search = d->search,
                            .stop = d->stop,
                            .best = &d->best,
                            .retry_failed = d->options->retry_failed,
                            .self = d,
                            .trial = replay_trial,
                            .ended = replay_end};
    inbox_queue_skip(&d->queue, journal->queued);
    if (replay_journal(&replay, e))
        return e->code;
    d->progress.before = d->progress.ended;
    d->progress.best = best_id(&d->best);
    d->progress.best_score = best_score(&d->best);
    d->progress.front = journal->front_count;
    return 0;
}
