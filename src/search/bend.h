/*
 * bend.h - private to this room: targets on a scale where a model sees what matters.
 *
 * What matters is the differences among the best. So a target becomes the logarithm of its distance
 * to the best, in units of the median's distance; beyond five times that distance all count the
 * same, so that one huge value does not make all others look alike. But the best may have been
 * lucky, and then the logarithm would magnify the noise: so it is softened by as much as the
 * results of neighbours differ. If trials are repeatable and the search closes in, neighbours
 * become alike and the scale sharper; if they are noisy, it stays soft.
 */
#ifndef SEARCH_BEND_H
#define SEARCH_BEND_H

#include "base/base.h"

/* Rows of a model, one per target: numbers in 0..1, or categories; NaN: missing. */
struct bend_rows {
    const double *values;
    size_t columns;
    const size_t *categories; /* number of categories of each column; 0: it is a number */
};

/*
 * Bends the targets of the rows, all of which are finite. Returns how soft the scale is:
 * differences below this share of the distance from the best to the median may be noise.
 */
double bend_targets(double *targets, size_t count, const struct bend_rows *rows);
/*
 * The noise: half of how much the targets of nearest neighbours in the better half differ, unless
 * any two of them differ much more than that. 0: there is none.
 */
double bend_noise(const double *targets, size_t count, const struct bend_rows *rows);

#endif
