/*
 * notice.c - the machine is taken away: when, and who is told before.
 *
 *   the run ── trials that fit are begun ──┬───────────────────┬── END_SECONDS ─▶ the end
 *                                          │                   │    and grace
 *                     trials that would not end in time:   SIGTERM to what runs
 *                     those that ask are told to leave
 *
 * A trial that leaves has written its checkpoint; it is interrupted, and goes on in the next run.
 * Trials that never ask go on until the end, and so do those that will be done before.
 */
#include "run/driver.h"

#include <math.h>

static const double END_SECONDS = 2; /* that the end of a run needs: the last results go to disk */
static const double INTERVAL = 1;    /* seconds between two looks at who will not end in time */

/* What runs is ended, and goes on after a resume. */
static void machine_is_gone(void *self)
{
    driver_stop(self, END_DEADLINE, true);
}

/* One that has run longer than was thought may take any time. */
static bool ends_late(struct driver *d, const struct live_trial *trial)
{
    double now = comm_now(d->comm);
    double end = trial->since + forecast_seconds(d->forecast, live_point(&d->live, trial));
    return end <= now || end >= d->deadline;
}

static void tell_to_leave(struct driver *d, struct live_trial *trial)
{
    struct worker_stop order = {trial->id, trial->try};
    int rank = balance_worker_rank(&d->rules, comm_size(d->comm), (int)trial->worker);
    trial->leaving = true;
    comm_send(d->comm, rank, WORKER_LEAVE, &order, sizeof order);
}

static void look(void *self)
{
    struct driver *d = self;
    for (size_t i = 0; i < d->live.capacity; i++) {
        struct live_trial *trial = &d->live.slots[i];
        if (trial->id && trial->given && trial->worker && !trial->leaving && ends_late(d, trial))
            tell_to_leave(d, trial);
    }
    d->looker = comm_after(d->comm, INTERVAL, look, d);
}

/* Sets both times anew, for a machine that is ours for so many seconds from now on. */
static void set_end(struct driver *d, double seconds)
{
    double now = comm_now(d->comm);
    double left = fmax(0, seconds - END_SECONDS - d->study->model.grace);
    double early = fmin(left, fmax(0, seconds - d->options->notice));
    if (d->deadline > 0) {
        comm_cancel(d->comm, d->ender);
        comm_cancel(d->comm, d->looker);
    }
    d->deadline = now + left;
    d->noticed = now + early;
    d->ender = comm_after(d->comm, left, machine_is_gone, d);
    d->looker = comm_after(d->comm, early, look, d);
}

void notice_begin(struct driver *d)
{
    if (d->options->deadline > 0)
        set_end(d, d->options->deadline);
}

/*
 * The end that was known before may be nearer. One that is a little further away is the same end:
 * Slurm tells of it up to a minute before it should.
 */
void notice_given(struct driver *d)
{
    static const double EARLY = 60;
    double now = comm_now(d->comm), at_end = END_SECONDS + d->study->model.grace;
    if (d->options->notice <= 0)
        return;
    if (d->deadline == 0 || d->deadline + at_end > now + d->options->notice + EARLY)
        set_end(d, d->options->notice);
    if (d->observer->noticed)
        d->observer->noticed(d->observer->self, d->deadline + at_end - now);
}

/* Where checkpoints are kept, a trial that is cut off loses little: it is begun all the same. */
bool driver_fits(struct driver *d, const double *point)
{
    double now = comm_now(d->comm);
    if (d->deadline == 0 || (d->keeps_checkpoints && now < d->noticed))
        return true;
    return now + forecast_seconds(d->forecast, point) < d->deadline;
}
