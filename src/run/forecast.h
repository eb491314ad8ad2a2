/*
 * forecast.h - how long a trial will take, learned from those that ended (private to this room).
 *
 * A forest on the logarithm of the durations. It is asked where the run has a deadline: a trial
 * that would be cut off is better not started.
 */
#ifndef RUN_FORECAST_H
#define RUN_FORECAST_H

#include "space/space.h"

struct forecast;

enum { FORECAST_CUT_OFF = 2 }; /* a trial that was cut off counts as this many times as long */

/* Starts without any duration. */
struct forecast *forecast_create(const struct space *space, uint64_t seed);
/* NULL is allowed. */
void forecast_free(struct forecast *forecast);
/* A trial at the point took this long. */
void forecast_note(struct forecast *forecast, const double *point, double seconds);
/*
 * Seconds that a trial is not likely to exceed: the mean plus a standard deviation. While few
 * trials have ended it is the longest so far; 0 when none has.
 */
double forecast_seconds(struct forecast *forecast, const double *point);

#endif
