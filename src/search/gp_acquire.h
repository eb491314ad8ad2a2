/* gp_acquire.h - private to this room: the point that a Gaussian process finds most promising. */
#ifndef SEARCH_GP_ACQUIRE_H
#define SEARCH_GP_ACQUIRE_H

#include "search/gp_model.h"

/* A box of places in [0, 1] around a point: numbers stay in it, categories mostly as they are. */
struct gp_region {
    const double *centre; /* NULL: there is no box */
    double *low, *high;   /* one per parameter */
};

/*
 * Finds the allowed point that promises most and is not in the past. Starts from random points and
 * points near the best results and improves the best of them: numbers along the slope, the rest by
 * trying neighbours. A small space is searched completely. SEARCH_END if nothing is left.
 */
enum search_answer gp_acquire(struct search *search, const struct gp_model *model,
                              const struct gp_region *region, struct random *random, double *point);

#endif
