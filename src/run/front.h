/*
 * front.h - the best results so far (private to this room).
 *
 * With several objectives these are the ones that no other dominates: none is as good in all of
 * them and better in one. With one objective it is the best. Of equal ones the first counts.
 * The best first score comes first.
 */
#ifndef RUN_FRONT_H
#define RUN_FRONT_H

#include "search/search.h"

struct front_item {
    uint64_t id;
    double scores[SEARCH_OBJECTIVES];
};

struct front {
    size_t width, objectives;
    const bool *maximize;
    struct front_item *items;
    double *points; /* `width` numbers an item */
    size_t count, capacity, point_capacity;
};

void front_init(struct front *front, size_t width, size_t objectives, const bool *maximize);
void front_free(struct front *front);
/*
 * Takes a result in if it belongs there, and drops those that it dominates; false when another one
 * is as good in all scores.
 */
bool front_add(struct front *front, uint64_t id, const double *scores, const double *point);
const double *front_point(const struct front *front, size_t index);

#endif
