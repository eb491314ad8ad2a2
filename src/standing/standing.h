/*
 * standing - how a study stands: whether it runs, why its last run ended, how much of its budget is
 * left, and whether anything remains to be done.
 *
 * Each of these questions is answered here and nowhere else, for the driver of a run as well as for
 * the commands that look at a study from outside. The room computes from what it is given; it reads
 * no clock and no file.
 */
#ifndef STANDING_STANDING_H
#define STANDING_STANDING_H

#include "base/base.h"
#include "journal/journal.h"
#include "search/search.h"

/* ---- the state of a study, in a word ---- */

enum standing_state {
    STANDING_RUNNING,
    STANDING_DONE,
    STANDING_INTERRUPTED, /* by a signal, or by the end of its job */
    STANDING_CRASHED,     /* its process is gone, and did not close the journal */
    STANDING_PREPARED,    /* it has not started yet */
    STANDING_STOPPED,     /* by `wick stop` */
    STANDING_WAITING, /* a job will start it, or go on with it: only who asks schedulers knows */
};

/* The name that users see: "running", "done", ... */
const char *standing_state_name(enum standing_state state);

/* The state of a study that does not run, by the end of its last run. */
enum standing_state standing_after(enum journal_end end);

/* True when the next job of a chain goes on after such an end without being asked to. */
bool standing_continues(enum journal_end end);

/* True for the ends that a user or a signal asked for. */
bool standing_was_asked(enum journal_end end);

/* ---- what is left ---- */

/* What a study may use over all of its runs. 0: no limit. */
struct standing_budget {
    uint64_t trials;
    double time; /* seconds at work */
};

/* The budget of the last run, or of the study where none has started. */
struct standing_budget standing_budget(const struct journal *journal);

/* How many trials may still be started where `started` were; UINT64_MAX: no limit. */
uint64_t standing_trials_left(uint64_t budget, uint64_t started);

/* The trials that there will be: the budget, or fewer when the search has no more. 0: not known. */
uint64_t standing_total(uint64_t budget, const struct search *search);

/* The same for a study from its journal. */
uint64_t standing_journal_total(const struct journal *journal);

/* How fast a study gets on, and how far it is. */
struct standing_pace {
    uint64_t total, ended; /* trials; total is 0 where it is not known */
    double rate;           /* trials per second, 0: not known */
    double limit, spent;   /* seconds at work; limit is 0 where there is none */
};

/* Seconds until the budget is used up; NaN when nothing is known about it. */
double standing_time_left(const struct standing_pace *pace);

/* ---- whether there is anything left to do ---- */

/* True when a score is as good as the target of the study; false where it has none. */
bool standing_reaches_target(const struct study *study, double score);

/*
 * END_NONE when the study has something left to do within this budget; otherwise why it has not:
 * END_TARGET, END_EXHAUSTED, END_TIME or END_DONE. `queued` points of the user's own wait to be
 * tried; retry: failed trials are to run again.
 */
enum journal_end standing_complete(const struct journal *journal,
                                   const struct standing_budget *budget, size_t queued, bool retry);

#endif
