/* steered.c - the driver as a steering program sees it. */
#include "run/driver.h"

static struct steer_state state(void *self)
{
    const struct driver *d = self;
    bool going = d->progress.phase == RUN_GOING;
    uint64_t left = standing_trials_left(d->options->trials, search_asked(d->search));
    return (struct steer_state){.going = going,
                                .failed = d->failure.code != 0,
                                .busy = balance_open(d->server) > 0 ||
                                        retry_first(&d->supply.retry) > 0,
                                .left = d->supply.time_used ? 0 : left,
                                .end = going ? "done" : journal_end_name(d->progress.end)};
}

static unsigned put(void *self)
{
    return driver_put_next(self);
}

static void changed(void *self)
{
    driver_finish_if_over(self);
}

static bool runs(void *self, uint64_t id)
{
    struct driver *d = self;
    return live_look(&d->live, id) != NULL;
}

static void adopt(void *self, uint64_t id, uint64_t suggestion)
{
    struct driver *d = self;
    live_find(&d->live, id)->suggestion = suggestion;
}

static void failed(void *self, const char *name, const char *what, const char *output)
{
    struct driver *d = self;
    err_set(&d->failure, ERR_SYSTEM,
            "the algorithm %s %s\nFix it, then continue with `wick resume %s`", name, what,
            d->options->dir);
    if (d->observer->algorithm_failed)
        d->observer->algorithm_failed(d->observer->self, name, output, balance_open(d->server));
    driver_stop(d, END_BROKEN, false);
}

struct steer_owner driver_steer_owner(struct driver *d)
{
    return (struct steer_owner){d, state, put, changed, runs, adopt, failed};
}
