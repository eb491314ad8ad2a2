/*
 * run - the driver, which ties search, workers and journal together.
 *
 * run_study() is the frame of a study, and driver.c its loop. The driver is the actor of rank 0 and
 * the only writer of the journal: it asks the search for a point when a worker is idle, records
 * every start and every end, and tells the search. What the observer is shown is on disk. Like all
 * actors it never blocks, and time comes from comm_now().
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "balance/balance.h"
#include "base/base.h"
#include "comm/comm.h"
#include "earlier/earlier.h"
#include "journal/journal.h"
#include "standing/standing.h"
#include "study/study.h"

struct run_options {
    const char *dir;                     /* the study folder */
    const struct journal *journal;       /* a study to resume; NULL: a new one */
    const struct study_changes *changes; /* of the resumed study, which already has them: to be
                                            recorded; NULL: none */
    size_t change_count;
    const struct earlier *earlier;  /* what a new study learns from; NULL: nothing */
    unsigned workers;               /* 0: as the study says, or the machine has room for */
    uint64_t trials;                /* budget, 0: no limit */
    double time;                    /* seconds at work, over all runs; 0: no limit */
    double deadline;                /* seconds until the machine is taken away; 0: never */
    double notice;                  /* seconds before that at which trials that would not end in
                                       time are told to leave; and how far away the deadline is
                                       when RUN_ASKED_NOTICE comes */
    bool retry_failed;              /* failed trials of the resumed study run again */
    const struct comm_world *world; /* simulate a study of a function in it; NULL: run it */
    struct comm *mpi;           /* run on the ranks of an MPI job, of which this is 0; or NULL */
    struct helper *helper;      /* with mpi: that of this rank, with one channel */
    unsigned per_node;          /* with mpi: most workers of a node, others rest; 0: no limit */
    struct balance_rules rules; /* servers, and when Wick gives up on a silent worker */
    /* Simulated: seconds that a thorough suggestion takes with so many results; NULL: none. */
    double (*thinks)(uint64_t known);
    int requests; /* descriptor that is readable when the user asks for something; -1: none */
};

/* The diagram at the head of phases.c shows how they follow. */
enum run_phase { RUN_GOING, RUN_DRAINING, RUN_STOPPING, RUN_FINISHING };

/* How far a run is. Counts are of trials, over the whole study, as far as they are on disk. */
struct run_progress {
    uint64_t ended, failed, running;
    uint64_t stopped; /* of those that ended: before their last step */
    uint64_t before,
        quick;       /* of those that ended: in earlier runs; suggested quickly in this one */
    uint64_t budget; /* trials in all, 0: not limited or not known */
    unsigned workers, lost; /* without those that rest; lost: died in this run */
    unsigned servers, nodes;
    const char *choice;  /* see search_choice(); valid until the run ends */
    const char *mpi;     /* the MPI that it runs on; "": workers are threads of this process */
    const char *runtime; /* the container runtime that trials run in; NULL: none */
    double elapsed;      /* seconds since this run started */
    double rate;         /* trials per second in this run */
    double busy;         /* share of the workers' time that went into trials */
    double left;         /* seconds until a budget is used up, NaN: not known */
    uint64_t best;       /* id of the best trial, 0: none yet */
    double best_score;
    uint64_t front;         /* with several objectives: trials on the Pareto front */
    uint64_t suspects;      /* failed alike, so that no trial is started now; 0: trials are */
    uint64_t alike;         /* of END_HALTED: trials that failed alike in this run */
    uint64_t alike_example; /* and the id of one of them */
    enum run_phase phase;
    enum journal_end end; /* why it ended, when it has */
};

/* What the user asks of a run. */
enum run_request {
    RUN_ASKED_NOTHING,
    RUN_ASKED_SOFTLY, /* stop once the trials that run have ended; asked again: now */
    RUN_ASKED_NOW,    /* stop now */
    RUN_ASKED_NOTICE, /* the machine is taken away in options.notice seconds */
};

enum { RUN_LAST_LINE = 200 }; /* bytes of a last line of output that are kept */

/* A try that has ended, for good or to run again. Pointers are valid during the call. */
struct run_trial {
    uint64_t id;
    unsigned worker, try;
    enum outcome_state state;
    double score, took;
    uint64_t last_step; /* the last step that it reported with a score; 0: none */
    bool again;
    bool is_best;          /* so far; with several objectives by the first score */
    bool is_new;           /* it is the best, or new on the front */
    uint64_t front;        /* with several objectives: trials on the front, with this one */
    const double *scores;  /* with several objectives, when it is done; otherwise NULL */
    double violation;      /* by how much it violates measured constraints */
    const double *point;   /* NULL unless it is new, or the observer wants all points */
    const char *reason;    /* "" when done */
    const char *last_line; /* of its output, when it failed; otherwise "" */
    const struct outcome_metric *metrics;
    size_t metric_count;
};

/* What the caller wants to see. Handlers run on the calling thread and must not block; or NULL. */
struct run_observer {
    void *self;
    double interval; /* seconds between calls of progress() */
    bool all_points; /* ended() gets the point of every trial, which takes some memory */
    /* The run has started; the workers do. */
    void (*started)(void *self, const struct run_progress *progress);
    /* A try has ended, and its record is on disk. */
    void (*ended)(void *self, const struct run_trial *trial);
    /*
     * The steering program failed; the last lines of its output, and how many trials still run. No
     * more are started, and run_study() returns what is wrong when these have ended.
     */
    void (*algorithm_failed)(void *self, const char *name, const char *output, size_t running);
    /* Wick gave up on a worker; its trials run elsewhere. */
    void (*lost)(void *self, unsigned worker, const char *node);
    /* No points come from DIR/queue, for this reason. Called once. */
    void (*queue_troubled)(void *self, const char *trouble);
    /* Every `interval` seconds, and once at the end. */
    void (*progress)(void *self, const struct run_progress *progress);
    /* The machine is taken away in this many seconds: only trials that end before are started. */
    void (*noticed)(void *self, double seconds);
    /* options.requests became readable: what does the user want? */
    enum run_request (*asked)(void *self);
};

/*
 * Runs a study to its end and fills *progress with how it went. Starts a process and threads, so
 * the caller must have none, and must have blocked the signals that `requests` reports. On an error
 * all results so far are in the journal.
 */
int run_study(const struct study *study, const struct run_options *options,
              const struct run_observer *observer, struct run_progress *progress, struct err *e);

/*
 * Makes the folder and the journal of a new study that nobody runs yet: resuming it starts with the
 * first trial, as run_study() would have. Budgets as in struct run_options.
 */
int run_prepare(const struct study *study, const char *dir, uint64_t trials, double time,
                const struct earlier *earlier, struct err *e);

/* Records changes of a study that nobody runs now, and that already has them in memory. */
int run_change(const struct journal *journal, const struct study_changes *changes, size_t count,
               struct err *e);

/* ---- the other ranks of an MPI job ---- */

/*
 * Works or serves in the study that rank 0 runs, until it ends. The helper has one channel, and was
 * started before MPI. False when rank 0 or this rank's server was lost, or gave up on this rank.
 */
bool run_rank(struct comm *comm, struct helper *helper);

/* On rank 0, at the end, whatever happened: tells the other ranks to end. */
void run_dismiss(struct comm *comm);

#endif
