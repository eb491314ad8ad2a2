/*
 * climb.h - private to this room: the point of the space where a function is smallest.
 *
 * For acquisition functions, which are cheap and have many local minima over numbers and
 * categories. It draws random points, then searches locally from the best of them and from points
 * known to be good: it changes a parameter or two at a time, floats and ints by a normal step that
 * shrinks, categories to any other value.
 */
#ifndef SEARCH_CLIMB_H
#define SEARCH_CLIMB_H

#include "search/algorithm.h"

struct climb {
    void *self;
    /* Fills the values of `count` points; smaller is better. It must be a pure function. */
    void (*values)(void *self, const double *points, size_t count, double *values);
    const uint32_t *starts; /* entries of the past from which climbs start as well */
    size_t start_count;
    const double *points; /* more starts, one after another, which need not be in the past */
    size_t point_count;
    size_t draws;  /* number of random points */
    size_t climbs; /* how many of the best random points are improved */
    size_t rounds; /* rounds of each climb */
    size_t crowd;  /* neighbours per round */
};

/* A reasonable effort: about 1000 evaluations. */
extern const struct climb climb_default;

/*
 * Finds an allowed point that is not in the past; SEARCH_END if there is none. *value, unless NULL,
 * becomes its value; NaN if the point was drawn because nothing better was found.
 */
enum search_answer climb_down(struct search *search, const struct climb *climb,
                              struct random *random, double *point, double *value);

/*
 * Fills `points` with the best `count` points that were seen, best first, including those of the
 * past, and returns how many there are. The result depends only on the climb, its starts and
 * `random`, whatever else is in the past.
 */
size_t climb_best(struct search *search, const struct climb *climb, struct random *random,
                  double *points, size_t count);

/* A neighbour of a point: one or a few parameters change, numbers by about `step` on 0..1. */
void climb_neighbour(const struct space *space, struct random *random, double step,
                     const double *point, double *neighbour);

#endif
