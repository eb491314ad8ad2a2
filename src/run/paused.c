/* paused.c - trials that were stopped at a rung and may go on. */
#include "run/paused.h"

void paused_init(struct paused *p, size_t width)
{
    *p = (struct paused){.width = width};
}

void paused_free(struct paused *p)
{
    free(p->trials);
    free(p->points);
    free(p->places);
}

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

void paused_add(struct paused *p, const struct live_trial *trial, const double *point)
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

const double *paused_point(const struct paused *p, uint64_t id)
{
    return point_at(p, place_of(p, id));
}

/* The last one moves to its place. */
struct live_trial paused_remove(struct paused *p, uint64_t id)
{
    size_t place = place_of(p, id), last = --p->count;
    struct live_trial trial = p->trials[place];
    p->places[p->trials[last].id] = (uint32_t)place + 1;
    p->places[id] = 0;
    p->trials[place] = p->trials[last];
    memmove(point_at(p, place), point_at(p, last), p->width * sizeof *p->points);
    return trial;
}
