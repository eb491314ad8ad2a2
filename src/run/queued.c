/* queued.c - points that the user has queued become trials. */
#include "run/driver.h"

static const double INTERVAL = 1; /* seconds between looks at the folder */

/* Hands points to workers that are idle; the others get theirs when they want a trial. */
static void put_all(struct driver *d)
{
    size_t idle = 0;
    for (unsigned worker = 1; worker <= d->progress.workers; worker++)
        idle += d->occupations[worker].tasks == 0;
    while (idle > 0 && wishes_waiting(&d->wishes) > 0 && driver_put_next(d))
        idle--;
}

static void look(void *self)
{
    struct driver *d = self;
    halt_look(d);
    wishes_look(&d->wishes);
    put_all(d);
    comm_after(d->comm, INTERVAL, look, d);
}

void queued_begin(struct driver *d)
{
    wishes_look(&d->wishes);
    if (!d->options->world) /* nobody else is there in a simulation */
        comm_after(d->comm, INTERVAL, look, d);
}

bool queued_more(struct driver *d)
{
    if (d->no_new)
        return false;
    wishes_look(&d->wishes);
    put_all(d);
    return balance_open(d->server) > 0;
}

struct live_trial *queued_next(struct driver *d)
{
    if (!driver_fits(d, wishes_next(&d->wishes))) { /* it waits for a resume */
        driver_stop(d, RUN_DEADLINE, false);
        return NULL;
    }
    uint64_t line = wishes_take(&d->wishes, d->point);
    search_add(d->search, d->point);
    struct live_trial *trial = live_add(&d->live, search_asked(d->search), 1, d->point);
    trial->queued = line;
    return trial;
}
