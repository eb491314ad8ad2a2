/* promotion.c - trials that were stopped at a rung and go on when the stopper wants it. */
#include "run/promotion.h"

/* ---- the paused trials ---- */

static double *point_at(const struct paused *p, size_t place)
{
    return p->points + place * p->width;
}

static void make_room(struct paused *p, uint64_t id)
{
    size_t before = p->place_capacity;
    p->trials = memory_grow(p->trials, &p->capacity, p->count + 1, sizeof *p->trials);
    p->points =
        memory_grow(p->points, &p->point_capacity, p->count + 1, p->width * sizeof *p->points);
    p->places = memory_grow(p->places, &p->place_capacity, (size_t)id + 1, sizeof *p->places);
    memset(p->places + before, 0, (p->place_capacity - before) * sizeof *p->places);
}

/* Keeps what `live` has of a trial, and its point. */
static void paused_add(struct paused *p, const struct live_trial *trial, const double *point)
{
    make_room(p, trial->id);
    p->trials[p->count] = *trial;
    memcpy(point_at(p, p->count), point, p->width * sizeof *point);
    p->places[trial->id] = (uint32_t)++p->count;
}

static size_t place_of(const struct paused *p, uint64_t id)
{
    if (id >= p->place_capacity || p->places[id] == 0)
        BUG("trial %llu is not paused", (unsigned long long)id);
    return p->places[id] - 1;
}

/* The point of a trial that is there. */
static const double *paused_point(const struct paused *p, uint64_t id)
{
    return point_at(p, place_of(p, id));
}

/* Removes a trial that is there, and returns it. The last one moves to its place. */
static struct live_trial paused_remove(struct paused *p, uint64_t id)
{
    size_t place = place_of(p, id), last = --p->count;
    struct live_trial trial = p->trials[place];
    p->places[p->trials[last].id] = (uint32_t)place + 1;
    p->places[id] = 0;
    p->trials[place] = p->trials[last];
    memmove(point_at(p, place), point_at(p, last), p->width * sizeof *p->points);
    return trial;
}

/* ---- promotion ---- */

void promotion_init(struct promotion *promotion, struct stop *stop, size_t width)
{
    promotion->stop = stop;
    promotion->paused = (struct paused){.width = width};
}

void promotion_free(struct promotion *promotion)
{
    free(promotion->paused.trials);
    free(promotion->paused.points);
    free(promotion->paused.places);
}

bool promotion_pause(struct promotion *promotion, const struct live_trial *trial,
                     const double *point)
{
    if (!promotion->stop || !stop_pause(promotion->stop, trial->id))
        return false;
    struct live_trial kept = *trial;
    kept.recorded = kept.given = false;
    kept.counted = true;
    kept.worker = 0;
    kept.stop_step = 0;
    kept.step = trial->last_step;
    kept.try++;
    paused_add(&promotion->paused, &kept, point);
    return true;
}

void promotion_replay(struct promotion *promotion, const struct journal *journal, size_t index,
                      const double *point)
{
    const struct journal_trial *trial = &journal->trials[index];
    struct live_trial kept = {.id = index + 1,
                              .try = trial->tries + 1u,
                              .failures = trial->failures,
                              .origin = trial->origin,
                              .step = journal_progress(journal, index)->paused_at,
                              .counted = true};
    paused_add(&promotion->paused, &kept, point);
}

uint64_t promotion_due(const struct promotion *promotion)
{
    return promotion->stop ? stop_due(promotion->stop) : 0;
}

const double *promotion_point(const struct promotion *promotion, uint64_t id)
{
    return paused_point(&promotion->paused, id);
}

struct live_trial *promotion_promote(struct promotion *promotion, uint64_t id, struct live *live)
{
    stop_promote(promotion->stop);
    struct live_trial *trial = live_add(live, id, 1, paused_point(&promotion->paused, id));
    *trial = paused_remove(&promotion->paused, id);
    return trial;
}
