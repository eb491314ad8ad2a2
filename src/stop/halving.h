/*
 * halving.h - successive halving without waiting (private to this room): asha and hyperband.
 *
 * A ladder has rungs at the steps first, first * reduction, first * reduction^2, ... below `last`.
 * A trial that reaches a rung goes on when it is among the best 1/reduction of all that have
 * reached it so far, itself included; the best so far always does, and so does who is as good as
 * the last that goes on.
 *
 * Who is stopped at a rung may be paused there: when more have reached the rung it may be among the
 * best after all, and is promoted. Those on the highest rung come first, and there the best.
 */
#ifndef STOP_HALVING_H
#define STOP_HALVING_H

#include "stop/stopper.h"

struct rung;

struct ladder {
    double first, reduction, last; /* last: INFINITY when there is none */
    struct rung *rungs;
    size_t count, capacity;
};

/* What a ladder keeps of a trial. */
struct climber {
    struct stop_trial trial;
    uint32_t rung; /* the next one, from 0 */
    double value;  /* at the rung before it */
};

/* The options that asha and hyperband have in common, the first of their tables. */
enum { HALVING_REDUCTION, HALVING_FROM, HALVING_TO };
int halving_check(const double *options, struct err *e);

/* Start with first, reduction and last set, and the rest 0. */
void ladder_free(struct ladder *ladder);
/*
 * True when the trial is to stop. One that reports rarely may pass several rungs at once: the
 * highest of them counts.
 */
bool ladder_report(struct ladder *ladder, struct climber *climber, double value);
/* A trial that was stopped is paused. */
void ladder_pause(struct ladder *ladder, const struct climber *climber);
/* The paused trial that is to go on next; 0: none. `trials` are those of the stopper. */
uint64_t ladder_next(struct ladder *ladder, const struct table *trials);

#endif
