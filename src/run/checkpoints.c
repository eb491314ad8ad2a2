/*
 * checkpoints.c - which checkpoints are needed.
 *
 * A trial that runs or waits needs its own, and that of its origin. One that is paused may go on,
 * one that failed may be tried again by `wick resume --retry-failed`, and the search may have
 * others go on from one that has ended. Of all the rest the study says what is kept: the best, all
 * or none.
 *
 * What ended is looked at when all that the driver knows is on disk: else a crash could bring a
 * trial back as the best whose checkpoint is gone.
 */
#include "run/driver.h"

static bool is_origin(struct driver *d, uint64_t id)
{
    for (size_t i = 0; i < d->live.capacity; i++)
        if (d->live.slots[i].id && d->live.slots[i].origin == id)
            return true;
    return false;
}

/* Of a trial that has ended and is not paused. */
static bool is_needed(struct driver *d, uint64_t id)
{
    if (d->study->checkpoints == CHECKPOINTS_ALL)
        return true;
    return (d->study->checkpoints == CHECKPOINTS_BEST && best_has(&d->best, id)) ||
           live_look(&d->live, id) || search_needs(d->search, id - 1) || is_origin(d, id);
}

/* Of what an earlier run left. */
static bool was_needed(void *self, uint64_t id)
{
    struct driver *d = self;
    const struct journal *journal = d->options->journal;
    if (id > journal->count)
        return false;
    const struct journal_trial *trial = &journal->trials[id - 1];
    d->keeps_checkpoints |= !outcome_state_ended(trial->state);
    if (trial->paused || outcome_state_failed(trial->state) || is_needed(d, id)) {
        if (trial->state == OUTCOME_DONE || (trial->state == OUTCOME_STOPPED && !trial->paused))
            checkpoints_ended(d, id); /* it may be needed no longer, one day */
        return true;
    }
    return false;
}

int checkpoints_begin(struct driver *d, struct err *e)
{
    if (d->study->model.function || d->study->model.asktell)
        return 0; /* functions have none */
    return keeper_start(&d->keeper, d->dir, !d->options->journal, was_needed, d, e);
}

void checkpoints_ended(struct driver *d, uint64_t id)
{
    d->ended_ids =
        memory_grow(d->ended_ids, &d->ended_capacity, d->ended_count + 1, sizeof *d->ended_ids);
    d->ended_ids[d->ended_count++] = id;
}

void checkpoints_settle(struct driver *d)
{
    size_t kept = 0;
    if (!d->keeper || d->study->checkpoints == CHECKPOINTS_ALL)
        return;
    for (size_t i = 0; i < d->ended_count; i++) {
        uint64_t id = d->ended_ids[i];
        if (is_needed(d, id))
            d->ended_ids[kept++] = id;
        else
            keeper_remove(d->keeper, id);
    }
    d->ended_count = kept;
}

void checkpoints_end(struct driver *d)
{
    keeper_stop(d->keeper, d->progress.phase != RUN_STOPPING);
    free(d->ended_ids);
}
