/*
 * promote.c - trials that were stopped at a rung go on when the stopper wants it.
 *
 * The end of such a trial stands in the journal as that of any stopped one, marked "paused", and
 * the search knows its score. When it is promoted the result is taken back, and it runs as its next
 * try, from its checkpoint: before new trials, and also when the budget has none left. There are
 * finitely many rungs, so that comes to an end.
 */
#include "run/driver.h"

void promote_init(struct driver *d)
{
    paused_init(&d->paused, d->study->space.count);
}

void promote_free(struct driver *d)
{
    paused_free(&d->paused);
}

/* A program that steers the search is told of a trial once: its trials are stopped for good. */
bool promote_pause(struct driver *d, const struct live_trial *trial, const struct outcome *result)
{
    if (!d->stop || d->steer || !trial->stop_step || result->state != OUTCOME_STOPPED ||
        !result->can_go_on || !stop_pause(d->stop, trial->id))
        return false;
    struct live_trial kept = *trial;
    kept.begun = kept.given = false;
    kept.counted = true;
    kept.worker = 0;
    kept.stop_step = 0;
    kept.step = trial->last_step;
    kept.try++;
    paused_add(&d->paused, &kept, live_point(&d->live, trial));
    return true;
}

void promote_replay(struct driver *d, const struct journal *journal, size_t index,
                    const double *point)
{
    const struct journal_trial *trial = &journal->trials[index];
    struct live_trial kept = {.id = index + 1,
                              .try = trial->tries + 1u,
                              .failures = trial->failures,
                              .origin = trial->origin,
                              .step = journal_progress(journal, index)->paused_at,
                              .counted = true};
    paused_add(&d->paused, &kept, point);
}

/* What begins when the time is used up had begun before: a paused trial does not. */
static uint64_t due(struct driver *d)
{
    return d->stop && !d->no_new && d->progress.phase == RUN_GOING ? stop_due(d->stop) : 0;
}

bool promote_waits(struct driver *d)
{
    return due(d) != 0;
}

struct live_trial *promote_next(struct driver *d)
{
    uint64_t id = due(d);
    if (!driver_fits(d, paused_point(&d->paused, id))) { /* it waits for a resume */
        driver_stop(d, END_DEADLINE, false);
        return NULL;
    }
    stop_promote(d->stop);
    struct live_trial kept = paused_take(&d->paused, id, d->point);
    search_retract(d->search, id - 1);
    d->progress.choice = search_choice(d->search);
    struct live_trial *trial = live_add(&d->live, id, kept.try, d->point);
    *trial = kept;
    return trial;
}

/* A worker that has nothing hears of new trials only; it is not asked again for others. */
void promote_idle(struct driver *d)
{
    if (d->finishing || !promote_waits(d))
        return;
    size_t idle = 0;
    for (unsigned worker = 1; worker <= d->progress.workers; worker++)
        idle += d->occupations[worker].tasks == 0;
    while (idle > d->ahead.waiting && promote_waits(d) && driver_put_next(d))
        d->ahead.shortage -= d->ahead.shortage > 0; /* who gets it need not get another one */
}
