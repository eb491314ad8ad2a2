/*
 * stop - which trials are not worth their next step.
 *
 * A trial that learns by steps (epochs, rounds) reports the value of each. A stopper compares it
 * with what others had reached by then and says whether it goes on. It knows nothing of the search:
 * every stopper works with every algorithm.
 *
 * Each step of a trial counts once, also when the trial runs again after its worker was lost. What
 * a stopper answers depends on the reports and ends before, in their order, and on nothing else: so
 * after a resume the driver replays the journal's. A report takes constant time, or the logarithm
 * of the number of trials; memory is kept for trials under way or paused, and a few bytes for each
 * that ended.
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

enum { STOP_OPTIONS = 8 }; /* the most that a stopper has */

struct stop_settings {
    const char *name;             /* of stop_names(); NULL: nothing is stopped */
    double options[STOP_OPTIONS]; /* in the order of stop_options(); what is not given is NaN */
};

enum stop_answer { STOP_GO_ON, STOP_NOW };

struct stop;

/* Names of all stoppers, ended by NULL. */
const char *const *stop_names(void);
/* One line for the user about the stopper of that name. */
const char *stop_about(const char *name);
/* The options of the stopper of that name, which are all numbers, ended by one without a name. */
const struct option *stop_options(const char *name);

/* Options that do not fit each other: ERR_USER and a message for the user. */
int stop_check(const struct stop_settings *settings, struct err *e);

/* The settings may be gone afterwards. maximize: larger values are better. */
struct stop *stop_create(const struct stop_settings *settings, bool maximize);
void stop_free(struct stop *stop);
const char *stop_name(const struct stop *stop);

/*
 * A trial (numbered from 1) has reached a step (from 1, they need not follow each other) with this
 * value; NaN counts as the worst. Once the answer was STOP_NOW it stays so for this step and all
 * later ones, and what the trial still reports does not count: one that runs again is stopped where
 * it was before.
 */
enum stop_answer stop_report(struct stop *stop, uint64_t trial, uint64_t step, double value);

/*
 * A trial that was told to stop has ended, and could go on from where it was. True when the stopper
 * may want that: it is paused. False: nothing was done, stop_ended() is to follow.
 */
bool stop_pause(struct stop *stop, uint64_t trial);
/* The paused trial that should go on now, 0: none. It stays paused. */
uint64_t stop_due(struct stop *stop);
/* The same; it is under way again, and what it reports beyond its last step counts. */
uint64_t stop_promote(struct stop *stop);
/* A paused trial is under way again, because an earlier run said so; another one stays as it is. */
void stop_continue(struct stop *stop, uint64_t trial);

/* A trial has ended for good; `good`: it was done or stopped, and its reports stand. */
void stop_ended(struct stop *stop, uint64_t trial, bool good);

#endif
