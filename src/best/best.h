/*
 * best - the best results so far.
 *
 * With one objective there is one best trial. With several objectives the best are the Pareto
 * front: the trials that no other trial dominates, by being as good in all scores and better in
 * one. The one with the best first score comes first and stands for all where one is wanted. Of
 * equal results the first counts. Only valid results belong here: finite scores, no violated
 * constraint.
 */
#ifndef BEST_BEST_H
#define BEST_BEST_H

#include "base/base.h"
#include "search/search.h"

struct best_item {
    uint64_t id;
    double scores[SEARCH_OBJECTIVES];
};

struct best {
    size_t objectives;
    const bool *maximize; /* by objective */
    struct best_item *items;
    size_t count, capacity;
    size_t width;   /* numbers of a point; 0: points are not kept */
    double *points; /* by item */
    size_t point_capacity;
    bool forgets;   /* results may be withdrawn, which needs all of them */
    double *scores; /* where it forgets: by id, NaN: none */
    size_t score_capacity;
};

/*
 * Starts with no results. `maximize` must outlive it. width: how many numbers of a point are kept
 * with each of the best; 0: none. forgets: best_forget() will be used; for one objective only.
 */
void best_init(struct best *best, size_t objectives, const bool *maximize, size_t width,
               bool forgets);
/* Frees what it holds. */
void best_free(struct best *best);
/*
 * Adds a result if it is one of the best, and drops those that it dominates; returns whether it is
 * one of the best now. `point` is copied, and not used where no points are kept.
 */
bool best_add(struct best *best, uint64_t id, const double *scores, const double *point);
/* Remembers the score of a trial in case better ones are forgotten later. */
void best_remember(struct best *best, uint64_t id, double score);
/* Withdraws the result of a trial, which runs on: if it was the best, the next best takes over. */
void best_forget(struct best *best, uint64_t id);
/* The best trial, of several the one with the best first score; 0: none yet. */
uint64_t best_id(const struct best *best);
/* Its score, or its first one; NaN: there is none yet. */
double best_score(const struct best *best);
/* True when the trial is one of the best. */
bool best_has(const struct best *best, uint64_t id);
/* The point of one of the best, where points are kept. */
const double *best_point(const struct best *best, size_t index);

#endif
