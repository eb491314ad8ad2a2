/*
 * steps.c - the steps that trials report: into the journal, to the stopper, and its answer back.
 *
 * A worker's steps come in notes, on the way of its results and before them, so that no step of a
 * trial comes after its end. The stopper's answer goes straight to the worker. When the trial ends
 * by itself before it arrives, or its worker is lost, nothing is wrong: when it has a score it is
 * done, in all other cases (also when it crashes) it is stopped with its last value, and does not
 * run again: whoever would run it again would be told to stop at the same step. Unless it is
 * paused: see promote.c.
 */
#include "run/driver.h"

/* Only the first time: the next answers are the same, and its worker knows. */
static void tell_to_stop(struct driver *d, struct live_trial *trial, int worker, uint64_t step)
{
    if (trial->stop_step)
        return;
    struct worker_stop order = {trial->id, trial->try};
    int rank = balance_worker_rank(&d->rules, comm_size(d->comm), worker);
    trial->stop_step = step;
    comm_send(d->comm, rank, WORKER_STOP, &order, sizeof order);
}

static void take_step(struct driver *d, int worker, const struct worker_step *report)
{
    struct live_trial *trial = live_look(&d->live, report->id);
    if (!trial || trial->try != report->try || !trial->begun)
        return; /* its worker was given up and is heard late: it runs elsewhere */
    const struct outcome_step *step = &report->step;
    journal_step(d->journal, trial->id, report->time + d->offset, trial->try, step);
    if (step->unscored)
        return;
    trial->last_value = step->value;
    trial->last_step = step->step;
    if (d->stop && stop_report(d->stop, trial->id, step->step, step->value) == STOP_NOW)
        tell_to_stop(d, trial, worker, step->step);
}

void driver_noted(void *self, int worker, const unsigned char *bytes, size_t length)
{
    struct worker_step report;
    struct outcome_metric metrics[OUTCOME_METRICS];
    for (size_t at = 0; worker_next_step(bytes, length, &at, &report, metrics);)
        take_step(self, worker, &report);
}

void driver_mark_stopped(const struct driver *d, const struct live_trial *trial,
                         struct outcome *result)
{
    if (!trial->stop_step || result->state == OUTCOME_DONE)
        return;
    result->state = OUTCOME_STOPPED;
    result->score = trial->last_value;
    snprintf(result->reason, sizeof result->reason, "stopped by %s at step %llu",
             stop_name(d->stop), (unsigned long long)trial->stop_step);
}
