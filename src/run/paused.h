/*
 * paused.h - trials that were stopped at a rung and may go on (private to this room).
 *
 * What the driver needs to run them again lies here by their id; their steps are the stopper's. A
 * trial may wait for as long as the study runs, so it is not kept in `live`, whose ids must be
 * close together.
 */
#ifndef RUN_PAUSED_H
#define RUN_PAUSED_H

#include "run/live.h"

struct paused {
    struct live_trial *trials;
    double *points; /* `width` numbers per trial */
    size_t count, capacity, point_capacity;
    size_t width;
    uint32_t *places; /* by id: where it is in `trials`, counted from 1; 0: it is not */
    size_t place_capacity;
};

/* Starts empty; `width` numbers are a point. */
void paused_init(struct paused *paused, size_t width);
/* Frees what it holds. */
void paused_free(struct paused *paused);
/* Keeps what `live` has of a trial, and its point. */
void paused_add(struct paused *paused, const struct live_trial *trial, const double *point);
/* The point of a trial that is there. */
const double *paused_point(const struct paused *paused, uint64_t id);
/* Removes a trial that is there, and returns it. */
struct live_trial paused_remove(struct paused *paused, uint64_t id);

#endif
