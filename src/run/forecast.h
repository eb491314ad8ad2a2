/*
 * forecast.h - how long a trial will take, learnt from those that ended (private to this room).
 *
 * A forest on the logarithm of the durations. It is asked where the machine is ours for a limited
 * time only: a trial that would be cut off at the end is better not begun.
 */
#ifndef RUN_FORECAST_H
#define RUN_FORECAST_H

#include "space/space.h"

struct forecast;

struct forecast *forecast_create(const struct space *space, uint64_t seed);
void forecast_free(struct forecast *forecast);
enum {
    CUT_OFF = 2
}; /* times as long as it ran, counts a trial that was cut off: longer, at least */

/* A trial at the point took so long. */
void forecast_note(struct forecast *forecast, const double *point, double seconds);
/*
 * Seconds that a trial will hardly exceed: the mean and a standard deviation on top. Of the first
 * few trials it is the longest so far; 0 when none has ended.
 */
double forecast_seconds(struct forecast *forecast, const double *point);

#endif
