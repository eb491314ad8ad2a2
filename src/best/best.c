/* best.c - the best results so far. */
#include "best/best.h"

#include "num/num.h"

#include <math.h>

void best_init(struct best *best, size_t objectives, const bool *maximize, size_t width,
               bool forgets)
{
    *best = (struct best){
        .width = width, .objectives = objectives, .maximize = maximize, .forgets = forgets};
}

void best_free(struct best *best)
{
    free(best->items);
    free(best->points);
    free(best->scores);
}

uint64_t best_id(const struct best *best)
{
    return best->count > 0 ? best->items[0].id : 0;
}

double best_score(const struct best *best)
{
    return best->count > 0 ? best->items[0].scores[0] : NAN;
}

bool best_has(const struct best *best, uint64_t id)
{
    for (size_t i = 0; i < best->count; i++)
        if (best->items[i].id == id)
            return true;
    return false;
}

const double *best_point(const struct best *best, size_t index)
{
    return best->points + index * best->width;
}

/* Of equal results the first stays. */
static bool is_refused(const struct best *best, const double *scores)
{
    for (size_t i = 0; i < best->count; i++)
        if (num_covers(best->items[i].scores, scores, best->objectives, best->maximize))
            return true;
    return false;
}

static void copy_item(struct best *best, size_t to, size_t from)
{
    size_t width = best->width;
    best->items[to] = best->items[from];
    if (width > 0)
        memmove(best->points + to * width, best->points + from * width, width * sizeof(double));
}

static void reserve(struct best *best, size_t count)
{
    best->items = memory_grow(best->items, &best->capacity, count, sizeof *best->items);
    if (best->width > 0)
        best->points = memory_grow(best->points, &best->point_capacity, count * best->width,
                                   sizeof *best->points);
}

/* True when the first score of a is better than that of b. */
static bool comes_first(const struct best *best, const double *a, const double *b)
{
    return best->maximize[0] ? a[0] > b[0] : a[0] < b[0];
}

bool best_add(struct best *best, uint64_t id, const double *scores, const double *point)
{
    size_t kept = 0;
    if (best->forgets)
        best_remember(best, id, scores[0]);
    if (best->objectives == 1 && best->count > 0 &&
        !comes_first(best, scores, best->items[0].scores))
        return false; /* as is_refused() would say, for nearly every result of a study */
    if (is_refused(best, scores))
        return false;
    for (size_t i = 0; i < best->count; i++)
        if (!num_covers(scores, best->items[i].scores, best->objectives, best->maximize))
            copy_item(best, kept++, i);
    reserve(best, kept + 1);
    best->count = kept + 1;
    size_t at = kept;
    for (; at > 0 && comes_first(best, scores, best->items[at - 1].scores); at--)
        copy_item(best, at, at - 1);
    best->items[at].id = id;
    memcpy(best->items[at].scores, scores, best->objectives * sizeof *scores);
    if (best->width > 0 && point)
        memcpy(best->points + at * best->width, point, best->width * sizeof *point);
    return true;
}

/* ---- results that are withdrawn ---- */

void best_remember(struct best *best, uint64_t id, double score)
{
    if (!best->forgets)
        return;
    size_t before = best->score_capacity;
    best->scores =
        memory_grow(best->scores, &best->score_capacity, (size_t)id + 1, sizeof *best->scores);
    for (size_t i = before; i < best->score_capacity; i++)
        best->scores[i] = NAN;
    best->scores[id] = score;
}

void best_forget(struct best *best, uint64_t id)
{
    best_remember(best, id, NAN);
    if (best_id(best) != id)
        return;
    best->count = 0;
    for (uint64_t other = 1; other < best->score_capacity; other++)
        if (!isnan(best->scores[other]))
            best_add(best, other, &best->scores[other], NULL);
}
