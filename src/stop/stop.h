/*
 * stop - which trials are not worth their next step.
 *
 * A trial that learns in steps (epochs, rounds) reports a value at each. A stopper compares it with
 * what other trials had reached by then and decides whether the trial goes on. It knows nothing of
 * the search: every stopper works with every algorithm.
 *
 * Each step of a trial counts once, even if the trial runs again after its worker was lost. A
 * stopper's answer depends only on the reports and ends before it, in their order; so after a
 * resume the driver replays those of the journal. A report takes constant time, or the logarithm of
 * the number of trials. Memory is kept for trials that are under way or paused, and a few bytes for
 * each that has ended.
 *
 *              stop_report(): STOP_NOW      stop_pause()
 *   under way ─────────────────────────▶ · ──────────────▶ paused
 *       ▲                                │ stop_ended()      │
 *       │                                ▼                   │
 *       │                              ended                 │
 *       └──────────── stop_promote(), stop_continue() ───────┘
 *
 * A stopper is one file with a const table at its end, and one name in stopper.h.
 */
#ifndef STOP_STOP_H
#define STOP_STOP_H

#include "base/base.h"

enum { STOP_OPTIONS = 8 }; /* most options of a stopper */

struct stop_settings {
    const char *name;             /* of stop_names(); NULL: nothing is stopped */
    double options[STOP_OPTIONS]; /* in the order of stop_options(); NaN: not given */
};

enum stop_answer { STOP_GO_ON, STOP_NOW };

struct stop;

/* Names of all stoppers, ended by NULL. */
const char *const *stop_names(void);
/* One line for the user about the stopper of that name. */
const char *stop_about(const char *name);
/* The options of the stopper of that name, which are all numbers, ended by one without a name. */
const struct option *stop_options(const char *name);

/* Checks that the options fit each other: ERR_USER and a message for the user if not. */
int stop_check(const struct stop_settings *settings, struct err *e);

/*
 * Creates a stopper; stop_free() it. The settings need not outlive the call. `maximize`: larger
 * values are better.
 */
struct stop *stop_create(const struct stop_settings *settings, bool maximize);
/* Frees the stopper; NULL is fine. */
void stop_free(struct stop *stop);
/* The name of the stopper, one of stop_names(). */
const char *stop_name(const struct stop *stop);

/*
 * A trial (numbered from 1) has reached a step (from 1; steps may be skipped) with this value; NaN
 * counts as the worst. Once the answer is STOP_NOW it stays so for this step and all later ones,
 * and what the trial still reports does not count: a trial that runs again is stopped where it was
 * stopped before.
 */
enum stop_answer stop_report(struct stop *stop, uint64_t trial, uint64_t step, double value);

/*
 * A trial that was told to stop has ended and could go on from there. True if the stopper may want
 * that: the trial is paused. False: nothing has changed, and stop_ended() must follow.
 */
bool stop_pause(struct stop *stop, uint64_t trial);
/* The paused trial that should go on now; 0: none. It stays paused. */
uint64_t stop_due(struct stop *stop);
/* The same, but the trial is under way again: what it reports beyond its last step counts. */
uint64_t stop_promote(struct stop *stop);
/* Puts a paused trial under way again, as an earlier run did; any other trial stays as it is. */
void stop_continue(struct stop *stop, uint64_t trial);

/* A trial has ended for good. `good`: it was done or stopped, so its reports stand. */
void stop_ended(struct stop *stop, uint64_t trial, bool good);

#endif
