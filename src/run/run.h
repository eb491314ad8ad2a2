/*
 * run - the driver: ties search, workers and journal together.
 *
 * run_study() is the flow of a study in one function. The driver is the actor of rank 0 and the
 * only writer of the journal; it asks the search for a point when a worker is idle, writes down
 * every start and every end, and tells the search. What the observer is shown is on disk.
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
    const char *dir;                /* the study's folder */
    const struct journal *journal;  /* a study to go on with; NULL: a new one */
    const struct earlier *earlier;  /* of a new study; NULL: nothing */
    unsigned workers;               /* 0: by the study, else by the machine */
    uint64_t trials;                /* budget, 0: no limit */
    double time;                    /* seconds at work, over all runs; 0: no limit */
    double deadline;                /* seconds from now that the machine is ours; 0: no end */
    double notice;                  /* seconds before that at which trials are told to leave that
                                       would not end in time, and what RUN_ASKED_NOTICE means */
    bool retry_failed;              /* of a resumed study: failed trials run again */
    const struct comm_world *world; /* simulate a study of a function; NULL: run it */
    struct comm *mpi;               /* on the ranks of an MPI job, of which this is 0; NULL: here */
    struct helper *helper;          /* with mpi: of this rank, with one line */
    struct balance_rules rules;     /* servers, and when a silent worker is given up */
    int requests; /* descriptor that is readable when the user wants to stop; -1 */
};

/* How far a run is. All counts are over the whole study, and of what is on disk. */
struct run_progress {
    uint64_t ended, failed, running;
    uint64_t stopped;       /* of `ended`: before their last step */
    uint64_t before;        /* of `ended`: in earlier runs */
    uint64_t budget;        /* trials in all, 0: not limited or not known */
    unsigned workers, lost; /* lost: of the workers, in this run */
    unsigned servers, nodes;
    const char *choice;  /* see search_choice(); good until the run ends */
    const char *mpi;     /* the MPI that it runs on; "": the workers are threads here */
    const char *runtime; /* of the container that trials run in; NULL: none */
    double elapsed;      /* seconds of this run */
    double rate;         /* trials a second in this run */
    double busy;         /* share of the workers' time in which a trial ran */
    double left;         /* seconds, NaN: not known */
    uint64_t best;       /* id of the best trial, 0: none yet */
    double best_score;
    uint64_t front; /* of several objectives: trials on the Pareto front */
    enum { RUN_GOING, RUN_DRAINING, RUN_STOPPING, RUN_FINISHING } phase;
    enum journal_end end; /* when it is over */
};

/* What whoever started the run wants of it. */
enum run_request {
    RUN_ASKED_NOTHING,
    RUN_ASKED_SOFTLY, /* to stop when what runs has ended; asked again: at once */
    RUN_ASKED_NOW,    /* to stop at once */
    RUN_ASKED_NOTICE, /* the machine is ours for options.notice seconds more */
};

enum { RUN_LAST_LINE = 200 }; /* bytes of a last line that are kept */

/* A trial that has ended for good, or will be tried again. Pointers are good during the call. */
struct run_trial {
    uint64_t id;
    unsigned worker, try;
    enum outcome_state state;
    double score, took;
    uint64_t last_step; /* of those that it told with a score; 0: none */
    bool again;
    bool is_best;          /* so far, of several objectives by the first score */
    uint64_t front;        /* of several objectives: trials on the front, with this one */
    const double *scores;  /* of several objectives, where it is done; else NULL */
    double violation;      /* by how much it breaks measured constraints */
    const double *point;   /* of a new best, or one that is new on the front; else NULL */
    const char *reason;    /* "" when done */
    const char *last_line; /* that it wrote, where it failed; else "" */
    const struct outcome_metric *metrics;
    size_t metric_count;
};

/* What the caller wants to see. Handlers may be NULL, run on the calling thread, must not block. */
struct run_observer {
    void *self;
    double interval; /* seconds between calls of progress() */
    void (*begun)(void *self, const struct run_progress *progress);
    void (*ended)(void *self, const struct run_trial *trial);
    /*
     * The program that steers the search failed; its last lines, and how many trials still run.
     * No more are begun, and run_study() returns what is wrong when these have ended.
     */
    void (*algorithm_failed)(void *self, const char *name, const char *output, size_t running);
    /* A worker was given up for dead; its trials run elsewhere. */
    void (*lost)(void *self, unsigned worker, const char *node);
    void (*progress)(void *self, const struct run_progress *progress);
    /* The machine is taken away in so many seconds: only trials that end before are begun. */
    void (*noticed)(void *self, double seconds);
    enum run_request (*asked)(void *self); /* requests became readable */
};

/*
 * Runs a study to its end and fills *progress with how it went. Starts a process and threads, so
 * the caller must have none, and must have blocked the signals that `requests` reports. On an error
 * all results so far are in the journal.
 */
int run_study(const struct study *study, const struct run_options *options,
              const struct run_observer *observer, struct run_progress *progress, struct err *e);

/*
 * Makes the folder and the journal of a new study that nobody runs yet: what goes on with it begins
 * with the first trial, as run_study() would have. Budgets as in struct run_options.
 */
int run_prepare(const struct study *study, const char *dir, uint64_t trials, double time,
                const struct earlier *earlier, struct err *e);

/* ---- the other ranks of an MPI job ---- */

/*
 * Works or serves in the study that rank 0 runs, until it ends. The helper has one line, and was
 * started before MPI. False when rank 0 or this rank's server was lost, or gave this rank up.
 */
bool run_rank(struct comm *comm, struct helper *helper);

/* On rank 0, at the end, whatever came of it: the other ranks have nothing more to do. */
void run_dismiss(struct comm *comm);

#endif
