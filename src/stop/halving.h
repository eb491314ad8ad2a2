/*
 * halving.h - successive halving without waiting (private to this room): asha and hyperband.
 *
 * Trials are dealt to brackets in fixed shares. Each bracket has its own ladder; asha has one
 * bracket.
 *
 * A ladder has rungs at the steps first, first * reduction, first * reduction^2, ... below `last`.
 * A trial that reaches a rung goes on if it is among the best 1/reduction of all that have reached
 * it so far, itself included. The best so far always goes on, and so does a trial that is as good
 * as the last one that goes on.
 *
 * A trial that is stopped at a rung may be paused there: when more trials have reached the rung, it
 * may be among the best after all, and is promoted. The highest rung comes first, and on it the
 * best.
 */
#ifndef STOP_HALVING_H
#define STOP_HALVING_H

#include "stop/stopper.h"

struct rung;

struct ladder {
    double first, reduction, last; /* last: INFINITY if there is none */
    struct rung *rungs;
    size_t count, capacity;
};

/* What a ladder keeps about a trial. */
struct climber {
    struct stop_trial trial;
    uint32_t rung; /* the next one, from 0 */
    double value;  /* at the rung before it */
};

/* The state of a stopper that halves. */
struct halving {
    struct ladder *brackets; /* the first judges earliest */
    double *shares;          /* of the trials, cumulative: the last is 1 */
    size_t count;
};

/* The options that asha and hyperband have in common, the first of their tables. */
enum { HALVING_REDUCTION, HALVING_FROM, HALVING_TO };
#define HALVING_REDUCTION_OPTION                                                                   \
    OPTION_NUMBER("reduction", 1.5, 1000, 3,                                                       \
                  "one in this many trials goes on to the next rung, which has this many times "   \
                  "the steps")

/* The functions of such a stopper, all but `create`: see struct stopper. */
int halving_check(const double *options, struct err *e); /* `from` is below `to` */
void halving_free(struct stop *stop);                    /* frees the state */
bool halving_report(struct stop *stop, struct stop_trial *trial, double value); /* at a rung? */
void halving_pause(struct stop *stop, struct stop_trial *trial); /* it waits at its rung */
uint64_t halving_next(struct stop *stop);                        /* the first ladder that has one */
#define HALVING_FUNCTIONS                                                                          \
    .trial_size = sizeof(struct climber), .check = halving_check, .free = halving_free,            \
    .report = halving_report, .pause = halving_pause, .next = halving_next
/* For `create`: makes the state with so many brackets; the caller fills in ladders and shares. */
struct halving *halving_create(struct stop *stop, size_t brackets);

#endif
