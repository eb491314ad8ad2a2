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

static void reserve(struct front *front, size_t count)
{
    front->items = memory_grow(front->items, &front->capacity, count, sizeof *front->items);
    front->points = memory_grow(front->points, &front->point_capacity, count * front->width,
                                sizeof *front->points);
}

/* True when the first score of a is better than that of b. */
static bool comes_first(const struct front *front, const double *a, const double *b)
{
    return front->maximize[0] ? a[0] > b[0] : a[0] < b[0];
}

bool front_add(struct front *front, uint64_t id, const double *scores, const double *point)
{
    size_t kept = 0;
    if (is_refused(front, scores))
        return false;
    for (size_t i = 0; i < front->count; i++)
        if (!covers(front, scores, front->items[i].scores))
            copy_item(front, kept++, i);
    reserve(front, kept + 1);
    front->count = kept + 1;
    size_t at = kept;
    for (; at > 0 && comes_first(front, scores, front->items[at - 1].scores); at--)
        copy_item(front, at, at - 1);
    front->items[at].id = id;
    memcpy(front->items[at].scores, scores, front->objectives * sizeof *scores);
    memcpy(front->points + at * front->width, point, front->width * sizeof *point);
    return true;
}
