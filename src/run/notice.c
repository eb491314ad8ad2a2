/* notice.c - the deadline of a run, and the notice before it. */
#include "run/notice.h"

#include <math.h>

static const double END_SECONDS =
    2; /* that the end of a run needs to get the last results to disk */
static const double INTERVAL =
    1; /* seconds between two looks at which trials will not end in time */

/* A trial that has run longer than forecast may take any time. */
static bool ends_late(struct notice *n, const struct live_trial *trial)
{
    double now = comm_now(n->comm);
    double end = trial->since + forecast_seconds(n->forecast, live_point(n->live, trial));
    return end <= now || end >= n->deadline;
}

static void look(void *self)
{
    struct notice *n = self;
    for (size_t i = 0; i < n->live->capacity; i++) {
        struct live_trial *trial = &n->live->slots[i];
        if (trial->id && trial->given && trial->worker && !trial->leaving && ends_late(n, trial)) {
            trial->leaving = true;
            n->owner.leave(n->owner.self, trial);
        }
    }
    n->looker = comm_after(n->comm, INTERVAL, look, n);
}

static void end(void *self)
{
    struct notice *n = self;
    n->owner.end(n->owner.self);
}

/* Sets both times, for a machine that is taken away in this many seconds. */
static void set_end(struct notice *n, double seconds)
{
    double now = comm_now(n->comm);
    double left = fmax(0, seconds - END_SECONDS - n->grace);
    double early = fmin(left, fmax(0, seconds - n->warning));
    if (n->deadline > 0) {
        comm_cancel(n->comm, n->ender);
        comm_cancel(n->comm, n->looker);
    }
    n->deadline = now + left;
    n->start = now + early;
    n->ender = comm_after(n->comm, left, end, n);
    n->looker = comm_after(n->comm, early, look, n);
}

void notice_begin(struct notice *n, struct comm *comm, struct live *live, double seconds,
                  struct notice_owner owner)
{
    n->comm = comm;
    n->live = live;
    n->owner = owner;
    if (seconds > 0)
        set_end(n, seconds);
}

/*
 * The end that was known before may be nearer. One that is a little later is the same end: Slurm
 * sends its warning up to a minute early.
 */
double notice_given(struct notice *n)
{
    static const double EARLY = 60;
    double now = comm_now(n->comm), at_end = END_SECONDS + n->grace;
    if (n->warning <= 0)
        return 0;
    if (n->deadline == 0 || n->deadline + at_end > now + n->warning + EARLY)
        set_end(n, n->warning);
    return n->deadline + at_end - now;
}

/* Where checkpoints are kept, a trial that is cut off loses little: it is started all the same. */
bool notice_fits(struct notice *n, const double *point)
{
    if (n->deadline == 0)
        return true;
    double now = comm_now(n->comm);
    if (n->resumes && now < n->start)
        return true;
    return now + forecast_seconds(n->forecast, point) < n->deadline;
}

void notice_learn(struct notice *n, const double *point, double seconds, bool was_cut)
{
    if (n->forecast)
        forecast_note(n->forecast, point, was_cut ? FORECAST_CUT_OFF * seconds : seconds);
}
