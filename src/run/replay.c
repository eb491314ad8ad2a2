/* replay.c - bring a driver to where the journal of an earlier run ends. */
#include "earlier/earlier.h"
#include "run/driver.h"

/*
 * A trial runs again when it had not ended, or failed and the user wants such trials again. It
 * keeps its id and its parameters, so the search sees nothing of it.
 */
static bool unfinished(const struct journal_trial *trial, bool retry_failed)
{
    return !trial_state_ended(trial->state) || (retry_failed && trial_state_failed(trial->state));
}

static void tell(struct driver *d, const struct journal *journal, uint32_t index)
{
    const struct journal_trial *trial = &journal->trials[index];
    struct search_result result = {.good = journal_scored(trial),
                                   .stopped = trial->state == TRIAL_STOPPED,
                                   .violation = trial->violation};
    memcpy(result.scores, journal_scores(journal, index),
           study_objectives(&journal->study) * sizeof *result.scores);
    search_tell(d->search, index, &result);
}

static int replay_front(struct driver *d, const struct journal *journal, struct err *e)
{
    for (size_t i = 0; i < journal->front_count; i++) {
        uint32_t index = journal->front[i];
        if (journal_point(journal, index, d->point, e))
            return e->code;
        front_add(&d->front, index + 1, journal_scores(journal, index), d->point);
    }
    d->progress.front = journal->front_count;
    return 0;
}

int driver_replay(struct driver *d, const struct journal *journal, struct err *e)
{
    bool retry = d->options->retry_failed;
    if (earlier_replay(journal, d->search, e))
        return e->code;
    for (size_t i = 0; i < journal->count; i++) {
        const struct journal_trial *trial = &journal->trials[i];
        if (journal_point(journal, i, d->point, e))
            return e->code;
        if (trial->queued)
            search_add(d->search, d->point);
        else
            search_replay(d->search, d->point);
        if (trial->state == TRIAL_DONE)
            driver_note_duration(d, d->point, trial->ended - trial->started);
        else if (trial->state == TRIAL_INTERRUPTED)
            driver_note_duration(d, d->point, CUT_OFF * (trial->ended - trial->started));
        if (unfinished(trial, retry)) {
            struct live_trial *live = live_add(&d->live, i + 1, trial->tries + 1u, d->point);
            live->failures = trial_state_ended(trial->state) ? 0 : trial->failures;
            live->origin = trial->origin;
            live->step = journal_progress(journal, i)->paused_at;
            driver_again(d, i + 1);
        } else if (trial->paused) {
            promote_replay(d, journal, i, d->point);
        }
        if (journal_is_valid(trial))
            promote_note_score(d, i + 1, trial->score);
    }
    for (size_t k = 0; k < journal->completion_count; k++) {
        uint32_t i = journal->completions[k];
        const struct journal_trial *trial = &journal->trials[i];
        if (unfinished(trial, retry))
            continue;
        tell(d, journal, i);
        d->progress.ended++;
        d->progress.failed += trial_state_failed(trial->state);
        d->progress.stopped += trial->state == TRIAL_STOPPED;
    }
    inbox_queue_skip(&d->queue, journal->queued);
    driver_replay_steps(d, journal);
    d->progress.before = d->progress.ended;
    int64_t best = journal_best(journal);
    if (best >= 0) {
        d->best = d->progress.best = (uint64_t)best + 1;
        d->best_score = d->progress.best_score = journal->trials[best].score;
    }
    return replay_front(d, journal, e);
}
