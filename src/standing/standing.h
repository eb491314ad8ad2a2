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
    STANDING_HALTED,      /* its trials failed alike */
    STANDING_BROKEN,      /* it stopped in order because of an error, such as a full disk */
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

/*
 * How long the trials of a worker took, from the end of one to the end of the next, so that waiting
 * counts as well. Start with {0}.
 */
struct standing_times {
    uint64_t count;
    double mean;    /* seconds; later ones count more, since trials change as the search goes on */
    double longest; /* seconds */
    double log_mean, log_square; /* means of their logarithms, and of the squares of these */
    uint64_t fitted;             /* number of those that these means are of */
};

/* Adds the next one. */
void standing_times_add(struct standing_times *times, double seconds);

/* How fast a study gets on, and how far it is. */
struct standing_pace {
    uint64_t total, ended; /* trials; total is 0 where it is not known */
    double rate;           /* trials per second, where the times are not known; 0: nor is this */
    const struct standing_times *times; /* of trials that have ended; NULL: not known */
    const double *ages;  /* one per worker that has a trial: seconds since its last one ended */
    size_t running;      /* number of these */
    double workers;      /* how many trials can run at a time */
    double limit, spent; /* seconds at work; limit is 0 where there is none */
};

/* Seconds until the budget is used up; NaN when nothing is known about it. */
double standing_time_left(const struct standing_pace *pace);

/* The same for a study that runs, `now` seconds after it was created; `spent` of them at work. */
double standing_journal_left(const struct journal *journal, uint64_t total, double now,
                             double spent);

/* Node-hours of a study: hours at work, each times the number of nodes. */
struct standing_cost {
    double used; /* by all runs */
    double left; /* until the budget is used up, on the nodes of the last run; NaN: not known */
};

/*
 * What a study has cost, and about what it will. For one that runs, `since` is the number of
 * seconds since its last record; for others it is 0.
 */
struct standing_cost standing_cost(const struct journal *journal, bool running, double since);

/* ---- whether it is stuck ---- */

enum { STANDING_DURATIONS = 1000 }; /* the latest durations, whose median is used */

/* How long trials took that are done: others may have ended early. Start with {0}. */
struct standing_durations {
    double recent[STANDING_DURATIONS]; /* seconds; a ring */
    uint64_t count;                    /* how many there were in all */
    double longest;
};

/* Nothing has ended for much longer than trials take. */
struct standing_silence {
    bool stuck;     /* otherwise the rest is 0 */
    double seconds; /* since the last end */
    double median;  /* of the latest durations */
};

/* Adds the duration of a trial that is done. */
void standing_add_duration(struct standing_durations *durations, double seconds);
/* Adds those of all trials of a journal. */
void standing_add_durations(struct standing_durations *durations, const struct journal *journal);

/*
 * Whether a study is stuck in which trials run and none has ended for so many seconds: more than a
 * minute, five times the median and twice the longest duration, so that trials of very different
 * lengths raise no alarm. Never before five trials are done.
 */
struct standing_silence standing_judge_silence(const struct standing_durations *durations,
                                               double seconds);

/* The same for a study that runs, from its journal; `now` in seconds since it was created. */
struct standing_silence standing_silence(const struct journal *journal, double now);

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
