/* gp_acquire.h - inside the room: the point that a Gaussian process holds for most promising. */
#ifndef SEARCH_GP_ACQUIRE_H
#define SEARCH_GP_ACQUIRE_H

#include "search/gp_model.h"

/* A box of places in [0, 1] around a point: numbers stay in it, categories mostly as they are. */
struct gp_region {
    const double *centre; /* NULL: there is no box */
    double *low, *high;   /* one a parameter */
};

/*
 * Finds the allowed point that is not in the past and promises most: random points and points near
 * the best results, then the best of them are improved, numbers along the slope and the rest by
 * trying neighbours. A small space is looked at as a whole. SEARCH_END when nothing is left.
 */
enum search_answer gp_acquire(struct search *search, const struct gp_model *model,
                              const struct gp_region *region, struct random *random, double *point);

#endif
