/*
 * promotion.h - trials that were stopped at a rung and go on when the stopper wants it (private to
 * this room).
 *
 * The end of such a trial stands in the journal as that of any stopped one, marked "paused", and
 * the search knows its score. When it is promoted the result is withdrawn, and it runs as its next
 * try, from its checkpoint: before new trials, and also when the budget has none left. There are
 * finitely many rungs, so that comes to an end.
 */
#ifndef RUN_PROMOTION_H
#define RUN_PROMOTION_H

#include "journal/journal.h"
#include "run/live.h"
#include "stop/stop.h"

/*
 * The paused trials. What the driver needs to run them again lies here by their id; their steps are
 * the stopper's. A trial may wait for as long as the study runs, so it is not kept in `live`, whose
 * ids must be close together.
 */
struct paused {
    struct live_trial *trials;
    double *points; /* `width` numbers per trial */
    size_t count, capacity, point_capacity;
    size_t width;
    uint32_t *places; /* by id: where it is in `trials`, counted from 1; 0: it is not */
    size_t place_capacity;
};

struct promotion {
    struct stop *stop; /* NULL: nothing is stopped early, and so nothing is paused */
    struct paused paused;
};

/* `width` numbers are a point. The stopper stays the caller's. */
void promotion_init(struct promotion *promotion, struct stop *stop, size_t width);
/* Frees what it holds. */
void promotion_free(struct promotion *promotion);
/* A trial that was told to stop has ended, and could go on: true when the stopper pauses it. */
bool promotion_pause(struct promotion *promotion, const struct live_trial *trial,
                     const double *point);
/* Adds a trial that was paused in an earlier run. */
void promotion_replay(struct promotion *promotion, const struct journal *journal, size_t index,
                      const double *point);
/* The trial that should go on now; 0: none. */
uint64_t promotion_due(const struct promotion *promotion);
/* The point of that trial. */
const double *promotion_point(const struct promotion *promotion, uint64_t id);
/* Promotes that trial: it is under way again, in `live`. */
struct live_trial *promotion_promote(struct promotion *promotion, uint64_t id, struct live *live);

#endif
