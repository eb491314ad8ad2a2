/*
 * front.h - the Pareto front of the results so far (private to this room).
 *
 * The same front as journal_front(), kept up to date by one result at a time. With one objective it
 * is the best trial.
 */
#ifndef RUN_FRONT_H
#define RUN_FRONT_H

#include "base/base.h"

struct front {
    size_t objectives;
    const bool *maximize;
    double *scores; /* `objectives` a member */
    size_t count, capacity;
};

void front_init(struct front *front, size_t objectives, const bool *maximize);
void front_free(struct front *front);
/* Takes a result in; false when another one is as good in all scores. */
bool front_add(struct front *front, const double *scores);

#endif
