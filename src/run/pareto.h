/*
 * pareto.h - the Pareto front of the results so far (private to this room).
 *
 * The same front as that of a loaded journal, kept up to date by one result at a time.
 */
#ifndef RUN_PARETO_H
#define RUN_PARETO_H

#include "base/base.h"

struct pareto {
    size_t objectives;
    const bool *maximize;
    double *scores; /* `objectives` a member */
    size_t count, capacity;
};

void pareto_init(struct pareto *front, size_t objectives, const bool *maximize);
void pareto_free(struct pareto *front);
/* Takes a result in; false when another one is as good in all scores. */
bool pareto_add(struct pareto *front, const double *scores);

#endif
