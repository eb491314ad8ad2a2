/* queued.c - points that the user has queued become trials. */
#include "run/driver.h"

static const double INTERVAL = 1; /* seconds between looks at the folder */

/* Hands points to workers that are idle; the others get theirs when they want a trial. */
static void put_all(struct driver *d)
{
    size_t idle = 0;
    for (unsigned worker = 1; worker <= d->progress.workers; worker++)
        idle += d->occupations[worker].tasks == 0;
    while (idle > 0 && inbox_queue_waiting(&d->queue) > 0 && driver_put_next(d))
        idle--;
}

/* Obeys a request to stop that lies in the study's folder. */
static void look_for_stop(struct driver *d)
{
    bool now;
    if (!d->finishing && inbox_stop_take(d->dir, &now))
        driver_stop(d, END_STOPPED, now);
}

static void look(void *self)
{
    struct driver *d = self;
    look_for_stop(d);
    inbox_queue_look(&d->queue);
    put_all(d);
    comm_after(d->comm, INTERVAL, look, d);
}

void queued_begin(struct driver *d)
{
    inbox_queue_look(&d->queue);
    if (!d->options->world) /* nobody else is there in a simulation */
        comm_after(d->comm, INTERVAL, look, d);
}

bool queued_more(struct driver *d)
{
    if (d->no_new)
        return false;
    inbox_queue_look(&d->queue);
    put_all(d);
    return balance_open(d->server) > 0;
}

struct live_trial *queued_next(struct driver *d)
{
    if (!driver_fits(d, inbox_queue_next(&d->queue))) { /* it waits for a resume */
        driver_stop(d, END_DEADLINE, false);
        return NULL;
    }
    uint64_t line = inbox_queue_take(&d->queue, d->point);
    search_add(d->search, d->point);
    struct live_trial *trial = live_add(&d->live, search_asked(d->search), 1, d->point);
    trial->queued = line;
    return trial;
}
