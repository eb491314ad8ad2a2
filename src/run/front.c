/* front.c - the best results so far. */
#include "run/front.h"

void front_init(struct front *front, size_t width, size_t objectives, const bool *maximize)
{
    *front = (struct front){.width = width, .objectives = objectives, .maximize = maximize};
}

void front_free(struct front *front)
{
    free(front->items);
    free(front->points);
}

const double *front_point(const struct front *front, size_t index)
{
    return front->points + index * front->width;
}

/* True when a is nowhere worse than b. */
static bool covers(const struct front *front, const double *a, const double *b)
{
    for (size_t i = 0; i < front->objectives; i++)
        if (front->maximize[i] ? a[i] < b[i] : a[i] > b[i])
            return false;
    return true;
}

/* Of equal results the first stays. */
static bool is_refused(const struct front *front, const double *scores)
{
    for (size_t i = 0; i < front->count; i++)
        if (covers(front, front->items[i].scores, scores))
            return true;
    return false;
}

static void copy_item(struct front *front, size_t to, size_t from)
{
    size_t width = front->width;
    front->items[to] = front->items[from];
    memmove(front->points + to * width, front->points + from * width, width * sizeof(double));
}

void front_add(struct front *front, uint64_t id, const double *scores, const double *point)
{
    size_t kept = 0;
    if (is_refused(front, scores))
        return;
    for (size_t i = 0; i < front->count; i++)
        if (!covers(front, scores, front->items[i].scores))
            copy_item(front, kept++, i);
    front->items = memory_grow(front->items, &front->capacity, kept + 1, sizeof *front->items);
    front->points = memory_grow(front->points, &front->point_capacity, (kept + 1) * front->width,
                                sizeof *front->points);
    front->items[kept].id = id;
    memcpy(front->items[kept].scores, scores, front->objectives * sizeof *scores);
    memcpy(front->points + kept * front->width, point, front->width * sizeof *point);
    front->count = kept + 1;
}
