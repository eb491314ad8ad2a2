/*
 * fronts.h - private to this room: results of several objectives, sorted by who dominates whom.
 *
 * A result dominates another if it is nowhere worse and somewhere better; scores are minimised and
 * finite. The first front holds the results that no other dominates, the next one those that only
 * the first front dominates, and so on.
 */
#ifndef SEARCH_FRONTS_H
#define SEARCH_FRONTS_H

#include "base/base.h"

/*
 * Fills in the number of each result's front, from 0; a result has `objectives` scores. Returns how
 * many fronts there are. O(n log n) with one or two objectives.
 */
size_t fronts_rank(const double *scores, size_t objectives, size_t count, uint32_t *ranks);

/*
 * How lonely each of these results is among them: the sum over the objectives of the gap between
 * its neighbours, as a fraction of the range; INFINITY at the ends. `members` are indexes of
 * results.
 */
void fronts_crowding(const double *scores, size_t objectives, const uint32_t *members, size_t count,
                     double *distances);

#endif
