/*
 * fronts.h - inside the room: results of several objectives, sorted by who dominates whom.
 *
 * A result dominates another when it is nowhere worse and somewhere better; scores are minimised
 * and finite. The first front are the results that none dominates, the next those that only the
 * first dominates, and so on.
 */
#ifndef SEARCH_FRONTS_H
#define SEARCH_FRONTS_H

#include "base/base.h"

/*
 * Fills the number of each result's front, from 0; `objectives` numbers a result. Returns how many
 * fronts there are. O(n log n) with one or two objectives.
 */
size_t fronts_rank(const double *scores, size_t objectives, size_t count, uint32_t *ranks);

/*
 * How lonely each of these results is among them: the sum over the objectives of the gap between
 * its neighbours, as a part of the range; INFINITY at the ends. `members` are indexes of results.
 */
void fronts_crowding(const double *scores, size_t objectives, const uint32_t *members, size_t count,
                     double *distances);

#endif
