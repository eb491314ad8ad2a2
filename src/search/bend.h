/*
 * bend.h - inside the room: targets on a scale where a model sees what matters.
 *
 * What matters are the differences among the best, so a target becomes the logarithm of its
 * distance to the best, in units of that of the middle; what is five times as far as the middle is
 * as bad as anything beyond, so that one huge value does not make all others look the same. But the
 * best may have been lucky, and then the logarithm would blow up the noise: so it is softened by as
 * much as results of neighbours differ. Where trials repeat well and the search closes in,
 * neighbours become alike and the scale sharper; where they are noisy it stays soft.
 */
#ifndef SEARCH_BEND_H
#define SEARCH_BEND_H

#include "base/base.h"

/* Rows of a model, one a target: numbers in 0..1, or categories; NaN: missing. */
struct bend_rows {
    const double *values;
    size_t columns;
    const size_t *categories; /* of each column; 0: it is a number */
};

/*
 * Bends the targets, which are finite, as they come with the rows. Returns how soft the scale is:
 * what differs by less than this share of the distance from the best to the middle may be noise.
 */
double bend_targets(double *targets, size_t count, const struct bend_rows *rows);
/*
 * By how much targets of the better half differ, halved, because trials do not repeat: by how much
 * those of the nearest neighbours do, if that is not much less than any two of them. 0: not at all.
 */
double bend_noise(const double *targets, size_t count, const struct bend_rows *rows);

#endif
