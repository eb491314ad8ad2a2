/*
 * ahead.c - suggestions of a search that learns, made so that no worker waits for them.
 *
 * Workers that become idle are not served one by one: asking after each result would fit the model
 * again for each of them. The driver lets a moment pass, in which more results may come in, and
 * then asks for all idle workers at once, which costs little more than for one.
 *
 * Where asking still takes more than a hundredth of a trial's time, suggestions are made ahead, as
 * many as workers became idle at once lately, and wait in the queue of balance. They are made with
 * fewer results, so this is not done without need: a search that thinks for seconds about trials of
 * hours is asked with all that is known.
 *
 * Where trials are so fast that thinking would take a large share of the time, most suggestions are
 * quick (see search_hurry()), and travel like those of a search that does not learn. Each thorough
 * one waits until enough time has passed to pay for it. Nothing of this applies before the first
 * result, since nobody knows then how long trials take, or to a study so small that thinking takes
 * little in all.
 */
#include "run/driver.h"

#include <math.h>

static const double MOMENT = 0.0003; /* seconds in which results are gathered */
static const double SHARE = 0.01;    /* share of a trial's time that may go into asking */
static const double FADING = 0.9;    /* share of what is remembered that remains each time */
static const double THINKING = 0.08; /* share of the time that suggestions may take */
static const double FREE = 0.001;    /* seconds of thinking that need not be paid for */
static const double LITTLE = 2;      /* seconds of thinking in a whole study that nobody minds */
static const double LEAST = 0.0003;  /* seconds that a model takes at least */
static const double FIRST = 0.01;    /* seconds to have ready for the first model of a run */

/* The mean time of a trial in this run; infinite before one has ended. */
static double trial_seconds(const struct driver *d)
{
    uint64_t ended = d->progress.ended - d->progress.before;
    return ended > 0 ? d->workload.busy / (double)ended : INFINITY;
}

/* How many suggestions should wait in the queue. */
static size_t depth(const struct driver *d)
{
    const struct ahead *ahead = &d->ahead;
    bool pays = ahead->ask_seconds * ahead->burst > SHARE * trial_seconds(d);
    return pays ? (size_t)ceil(ahead->burst) : 0;
}

/*
 * Puts trials for the idle workers, or otherwise one ahead, and measures what one costs. Only one
 * is put ahead, so that a worker that becomes idle meanwhile does not wait long.
 */
static void put_some(struct driver *d, size_t idle)
{
    struct ahead *ahead = &d->ahead;
    double began = comm_now(d->comm);
    size_t put = 0, most = idle > 0 ? idle : ahead->waiting < depth(d);
    for (size_t served = 0, ranks; served < most && (ranks = driver_put_next(d)) > 0;
         served += ranks)
        put++;
    if (put > 0) {
        double mean = (comm_now(d->comm) - began) / (double)put;
        ahead->ask_seconds = fmax(mean, FADING * ahead->ask_seconds);
    }
}

static void fill_soon(struct driver *d);

static void fill(void *self)
{
    struct driver *d = self;
    struct ahead *ahead = &d->ahead;
    size_t idle = ahead->shortage;
    ahead->timer = 0;
    ahead->burst = fmax((double)(ahead->given + idle), FADING * ahead->burst);
    size_t before = search_asked(d->search);
    put_some(d, idle);
    ahead->shortage = ahead->given = 0; /* whoever got something now was idle before */
    if (search_asked(d->search) > before && ahead->waiting < depth(d))
        fill_soon(d);
    driver_finish_if_over(d);
}

static void fill_soon(struct driver *d)
{
    if (!d->ahead.timer)
        d->ahead.timer = comm_after(d->comm, MOMENT, fill, d);
}

void ahead_wanted(struct driver *d, size_t count)
{
    d->ahead.shortage = count;
    fill_soon(d);
}

void ahead_given(struct driver *d)
{
    d->ahead.waiting--;
    d->ahead.given++;
    if (d->supply.learns && !d->supply.thinking.quick && d->progress.phase == RUN_GOING)
        fill_soon(d);
}

/* ---- how long it may think ---- */

/* Models cost at least in proportion to the results: there may be many more than the last time. */
bool thinking_affords(const struct thinking *thinking, double elapsed, uint64_t known)
{
    double growth = thinking->known > 0 ? (double)known / (double)thinking->known : 1;
    double cost = fmax(thinking->cost * fmax(growth, 1), LEAST);
    if (thinking->trials > 0 && cost * (double)thinking->trials <= LITTLE)
        return true;
    if (!thinking->has_model) /* the first suggestions of a search need none, and cost nothing */
        cost = FIRST;
    return thinking->spent + cost <= THINKING * elapsed + FREE;
}

double thinking_begin(struct driver *d)
{
    struct thinking *thinking = &d->supply.thinking;
    if (!thinking->limited)
        return 0;
    double now = comm_now(d->comm);
    bool waits = thinking->results == 0 && !thinking->recorded;
    double elapsed = now - d->clock.began;
    bool quick = !waits && !thinking_affords(thinking, elapsed, search_known(d->search));
    if (quick != thinking->quick) {
        search_hurry(d->search, quick);
        balance_limit_batch(d->server, quick ? d->options->rules.batch : d->rules.batch);
    }
    thinking->quick = quick;
    d->progress.quick += quick;
    return now;
}

void thinking_end(struct driver *d, double began)
{
    struct thinking *thinking = &d->supply.thinking;
    if (!thinking->limited)
        return;
    uint64_t known = search_known(d->search);
    double seconds = comm_now(d->comm) - began;
    if (d->options->thinks && !thinking->quick)
        seconds = d->options->thinks(known);
    thinking->spent += seconds;
    if (!thinking->quick) {
        thinking->cost = seconds;
        thinking->known = known;
        thinking->has_model |= seconds >= LEAST;
    }
}
