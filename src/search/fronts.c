/*
 * fronts.c - non-dominated sorting and crowding.
 *
 * Sorting: X. Zhang et al., "An Efficient Approach to Nondominated Sorting for Evolutionary
 * Multiobjective Optimization", 2015 (ENS). Results are taken in lexicographic order, so that none
 * is dominated by a later one, and each goes to the first front in which no result dominates it. A
 * result dominated by one front is dominated by all fronts before it, so bisection finds its front.
 *
 * Crowding: K. Deb et al., "A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II", 2002.
 */
#include "search/fronts.h"

#include "num/num.h"

#include <math.h>

enum { NONE = UINT32_MAX };

struct item {
    const double *scores;
    size_t objectives;
    uint32_t index;
};

static int compare_lexicographic(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    for (size_t i = 0; i < a->objectives; i++)
        if (a->scores[i] != b->scores[i])
            return a->scores[i] < b->scores[i] ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/* The fronts so far: the last item of each front, and for each item the one before it. */
struct chain {
    const struct item *items;
    uint32_t *last, *before;
    size_t count;
};

/*
 * True when an item of the front dominates this one. With two objectives, the last item of a front
 * has the front's smallest second score: if that item does not dominate, none does.
 */
static bool is_dominated(const struct chain *fronts, size_t front, const struct item *item)
{
    uint32_t at = fronts->last[front];
    while (at != NONE) {
        if (num_dominates(fronts->items[at].scores, item->scores, item->objectives))
            return true;
        at = item->objectives <= 2 ? NONE : fronts->before[at];
    }
    return false;
}

static size_t find_front(const struct chain *fronts, const struct item *item)
{
    size_t low = 0, high = fronts->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_dominated(fronts, middle, item))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t fronts_rank(const double *scores, size_t objectives, size_t count, uint32_t *ranks)
{
    struct item *items = memory_new(count, sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = (struct item){scores + i * objectives, objectives, (uint32_t)i};
    qsort(items, count, sizeof *items, compare_lexicographic);
    struct chain fronts = {
        .items = items,
        .last = memory_new(count, sizeof *fronts.last),
        .before = memory_new(count, sizeof *fronts.before),
    };
    for (size_t i = 0; i < count; i++) {
        size_t front = find_front(&fronts, &items[i]);
        bool is_new = front == fronts.count;
        fronts.before[i] = is_new ? NONE : fronts.last[front];
        fronts.last[front] = (uint32_t)i;
        fronts.count += is_new;
        ranks[items[i].index] = (uint32_t)front;
    }
    free(items);
    free(fronts.last);
    free(fronts.before);
    return fronts.count;
}

/* A member of a front, to be sorted by one score; `index` is its place among the members. */
struct place {
    double score;
    uint32_t index;
};

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->score != b->score)
        return a->score < b->score ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static void add_gaps(const struct place *places, size_t count, double *distances)
{
    /* Half of the span, since the whole may overflow. */
    double span = places[count - 1].score / 2 - places[0].score / 2;
    distances[places[0].index] = distances[places[count - 1].index] = INFINITY;
    for (size_t i = 1; i + 1 < count && span > 0; i++)
        distances[places[i].index] += (places[i + 1].score / 2 - places[i - 1].score / 2) / span;
}

void fronts_crowding(const double *scores, size_t objectives, const uint32_t *members, size_t count,
                     double *distances)
{
    if (count == 0)
        return;
    struct place *places = memory_new(count, sizeof *places);
    for (size_t i = 0; i < count; i++)
        distances[i] = 0;
    for (size_t k = 0; k < objectives; k++) {
        for (size_t i = 0; i < count; i++)
            places[i] = (struct place){scores[members[i] * objectives + k], (uint32_t)i};
        qsort(places, count, sizeof *places, compare_places);
        add_gaps(places, count, distances);
    }
    free(places);
}
