/*
 * climb.h - inside the room: the point of the space where a function is smallest.
 *
 * For acquisition functions: cheap, with many hollows, on numbers and categories at once. Random
 * points, then local search from the best of them and from points that are known to be good: a
 * parameter or two are changed at a time, floats and ints by a normal step that shrinks, categories
 * to any other value.
 */
#ifndef SEARCH_CLIMB_H
#define SEARCH_CLIMB_H

#include "search/algorithm.h"

struct climb {
    void *self;
    /* Fills the values of `count` points; smaller is better. It must be a pure function. */
    void (*values)(void *self, const double *points, size_t count, double *values);
    const uint32_t *starts; /* entries of the past where a climb begins as well */
    size_t start_count;
    const double *points; /* more of these, one after another; they need not be in the past */
    size_t point_count;
    size_t draws;  /* random points */
    size_t climbs; /* how many of the best random points are improved */
    size_t rounds; /* of each climb */
    size_t crowd;  /* neighbours a round */
};

/* A reasonable effort: about 1000 evaluations. */
extern const struct climb climb_default;

/*
 * Finds an allowed point that is not in the past. SEARCH_END when there is none. *value, where it
 * is not NULL, becomes its value, NaN when it was drawn because nothing better was found.
 */
enum search_answer climb_down(struct search *search, const struct climb *climb,
                              struct random *random, double *point, double *value);

/*
 * Fills `points` with the best `count` points that are met, best first, those of the past among
 * them, and returns how many there are. It is a function of the climb, its starts and `random`
 * alone, whatever else is in the past.
 */
size_t climb_best(struct search *search, const struct climb *climb, struct random *random,
                  double *points, size_t count);

/* A neighbour of a point: one parameter or a few are changed; `step` is that of numbers, in 0..1.
 */
void climb_neighbour(const struct space *space, struct random *random, double step,
                     const double *point, double *neighbour);

#endif
