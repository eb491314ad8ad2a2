/* live.c - the trials that are under way. */
#include "run/live.h"

void live_init(struct live *live, size_t width)
{
    *live = (struct live){.capacity = 64, .width = width};
    live->slots = memory_new(live->capacity, sizeof *live->slots);
    live->points = memory_new(live->capacity * width, sizeof *live->points);
}

void live_free(struct live *live)
{
    free(live->slots);
    free(live->points);
}

static size_t slot_of(const struct live *live, uint64_t id)
{
    return (size_t)id & (live->capacity - 1);
}

double *live_point(struct live *live, const struct live_trial *trial)
{
    return live->points + (size_t)(trial - live->slots) * live->width;
}

static void place(struct live *live, const struct live_trial *trial, const double *point)
{
    size_t slot = slot_of(live, trial->id);
    live->slots[slot] = *trial;
    memcpy(live->points + slot * live->width, point, live->width * sizeof *point);
}

/* Ids that differ modulo the old capacity differ modulo twice as much: all find a place. */
static void widen(struct live *live)
{
    struct live old = *live;
    live->capacity *= 2;
    live->slots = memory_new(live->capacity, sizeof *live->slots);
    live->points = memory_new(live->capacity * live->width, sizeof *live->points);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].id)
            place(live, &old.slots[i], old.points + i * live->width);
    live_free(&old);
}

struct live_trial *live_add(struct live *live, uint64_t id, unsigned try, const double *point)
{
    while (live->slots[slot_of(live, id)].id)
        widen(live);
    struct live_trial trial = {.id = id, .try = try};
    place(live, &trial, point);
    return &live->slots[slot_of(live, id)];
}

struct live_trial *live_look(struct live *live, uint64_t id)
{
    struct live_trial *trial = &live->slots[slot_of(live, id)];
    return trial->id == id ? trial : NULL;
}

struct live_trial *live_find(struct live *live, uint64_t id)
{
    struct live_trial *trial = live_look(live, id);
    if (!trial)
        BUG("trial %llu is not under way", (unsigned long long)id);
    return trial;
}

void live_remove(struct live *live, uint64_t id)
{
    live_find(live, id)->id = 0;
}
