/*
 * driver.h - the actor of rank 0, which runs a study (private to this room).
 *
 *   driver.c   the loop: the life of a trial, from a suggestion to what is learned from its result
 *   phases.c   the run around it: its start, why and how it ends, progress
 *   setup.c    making a driver, and bringing it to where an earlier run ended
 *   ahead.c    when a search that learns is asked, and how long it may think
 *   steered.c  what a steering program may ask of the driver
 */
#ifndef RUN_DRIVER_H
#define RUN_DRIVER_H

#include "balance/balance.h"
#include "best/best.h"
#include "comm/comm.h"
#include "failures/failures.h"
#include "inbox/inbox.h"
#include "run/live.h"
#include "run/news.h"
#include "run/notice.h"
#include "run/promotion.h"
#include "run/retention.h"
#include "run/retry.h"
#include "run/run.h"
#include "run/workload.h"
#include "search/search.h"
#include "standing/standing.h"
#include "steer/steer.h"
#include "stop/stop.h"
#include "worker/worker.h"

/* Whether the trials of this run fail alike: see look_at_failures() in driver.c. */
struct suspicion {
    struct failures failures; /* of this run */
    bool cleared;             /* a trial has succeeded */
    bool holds;               /* nothing is started until more is known */
    uint64_t timer;           /* when to look again, 0: none is set */
};

/* Whether there is room for another trial on this machine: see waits_for_room() in driver.c. */
struct scarcity {
    unsigned pauses; /* since a trial has ended that had found room */
    bool holds;      /* nothing is started before the timer, or the end of a trial */
    uint64_t timer;
};

/* How much of the time may go into suggestions: see ahead.c. Seconds are those of this run. */
struct thinking {
    bool limited;     /* the search can make quick suggestions, and may */
    bool quick;       /* the last suggestion was quick */
    bool recorded;    /* what the journal says about that */
    bool has_model;   /* a suggestion took as long as one with a model does */
    uint64_t trials;  /* the budget; 0: no limit */
    uint64_t results; /* that came in in this run */
    double spent;     /* seconds that suggestions took */
    double cost;      /* seconds that the last thorough suggestion took */
    uint64_t known;   /* results that the search knew then */
};

/* Where the next trial comes from: see next_trial() in driver.c. */
struct supply {
    struct retry retry;         /* trials to run again; they are in `live` */
    struct inbox_queue queue;   /* points that the user wants tried first */
    bool queue_troubled;        /* the user was told that it cannot be read */
    struct promotion promotion; /* paused trials, which may go on */
    struct search_settings
        settings;               /* those of the study, for the budget and workers of this run */
    struct thinking thinking;   /* how long it may think */
    uint64_t started;           /* the last trial that the journal knows; it has all before */
    bool learns;                /* results make a difference to what the search suggests */
    bool exhausted;             /* the search has nothing left */
    bool waits;                 /* the search wants a result before it suggests more */
    bool refused;               /* suggestions that take too long are left to be tried */
    bool time_used;             /* the budget of time is: only what had started before runs */
    struct suspicion suspicion; /* that all trials fail alike */
    struct scarcity scarcity;   /* of processes, descriptors and the like */
    double *point;              /* scratch */
    struct str task;            /* scratch */
};

/* Suggestions that are made before a worker asks for them: see ahead.c. */
struct ahead {
    size_t waiting;     /* trials that wait for a worker */
    size_t given;       /* trials that got one since suggestions were made last */
    size_t shortage;    /* idle workers for which there was no trial */
    double burst;       /* workers that became idle at once lately */
    double ask_seconds; /* what a suggestion cost lately */
    uint64_t timer;     /* when suggestions are made next, 0: none is set */
};

/* Times are comm_now(), but for the study's time: seconds since it was created. */
struct driver_clock {
    double began;  /* when this run started */
    double offset; /* the study's time is comm_now() + offset */
    double ended;  /* the study's time when the last worker left */
};

struct driver {
    const struct study *study;
    const struct run_options *options;
    const struct run_observer *observer;
    const char *dir; /* the study folder, absolute */
    struct balance_rules rules;
    struct journal_writer *journal;
    struct search *search;
    struct steer *steer; /* NULL: the search suggests by itself */
    struct stop *stop;   /* the early stopper; NULL: none */
    struct comm *comm;
    struct balance_server *server;
    struct driver_clock clock;
    struct live live; /* trials that are under way */
    struct supply supply;
    struct ahead ahead;
    struct workload workload;
    struct notice notice;
    struct retention retention;
    struct best best; /* as far as results have come in; progress has what is on disk */
    struct news news;
    struct outcome outcome; /* scratch */
    uint64_t failed_logs;   /* kept as files in this run */
    struct run_progress progress;
    bool hurried;       /* trials were told to end */
    struct err failure; /* why the run cannot go on; code 0: it can */
};

/* ---- setup.c ---- */

/* Makes a driver for a new study, or brings it to where options->journal ends. */
int driver_create(struct driver *driver, const struct study *study,
                  const struct run_options *options, const struct run_observer *observer,
                  struct journal_writer *journal, const char *dir, unsigned workers, struct err *e);
/* Frees what it holds. */
void driver_free(struct driver *driver);
/* The rules of the options, as they hold for where the study runs. */
struct balance_rules driver_rules(const struct study *study, const struct run_options *options,
                                  unsigned workers);

/* ---- phases.c ---- */

/* The actor of rank 0. */
struct comm_actor driver_actor(struct driver *driver);
/* Seconds since the study was created. */
double driver_time(const struct driver *driver);
/*
 * Starts nothing more; `hard`: ends what runs as well. The first reason to end stays, unless a
 * later one leaves trials interrupted that would have ended, or the user wants the study to stay
 * ended.
 */
void driver_stop(struct driver *driver, enum journal_end end, bool hard);
/* Sends the workers home once nothing runs and nothing more will be started. */
void driver_finish_if_over(struct driver *driver);
/* After the last event, when everything is on disk: tells the observer the rest. */
void driver_end(struct driver *driver);

/* ---- driver.c: the handlers of a trial's life, and what others need of them ---- */

/* Handler of balance: `count` workers are idle. `self` is the driver, here and below. */
void driver_wanted(void *self, size_t count);
/* Handler of balance: a worker has a trial. */
void driver_given(void *self, uint64_t id, int worker);
/* Handler of balance: a worker reports steps of its trial. */
void driver_noted(void *self, int worker, const unsigned char *bytes, size_t length);
/* Handler of balance: what came of a trial. */
void driver_ended(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length);
/* Handler of comm: more records are on disk, or writing failed. */
void driver_journal_moved(void *self);
/* Has the next trial run; returns how many workers it takes, 0 when there is none now. */
unsigned driver_put_next(struct driver *driver);
/* Has paused trials that are due run on idle workers, which will not ask again. */
void driver_serve_idle(struct driver *driver);
/* True when a trial waits that is neither under way nor to be suggested. */
bool driver_has_waiting(const struct driver *driver);
/* Sends a worker an order about its trial: WORKER_STOP, WORKER_LEAVE or WORKER_SHOW. */
void driver_order(struct driver *driver, const struct live_trial *trial, int worker, int order);
/* Shows the observer all results up to a record of the journal. */
void driver_publish(struct driver *driver, uint64_t record);

/* ---- ahead.c ---- */

/* Workers of a search that learns are idle. */
void ahead_wanted(struct driver *driver, size_t count);
/* A worker got a trial that waited, whatever the search is. */
void ahead_given(struct driver *driver);
/* True when one more thorough suggestion is affordable, `elapsed` seconds after the start. */
bool thinking_affords(const struct thinking *thinking, double elapsed, uint64_t known);
/* Before a suggestion: decides whether it is to be quick. Returns comm_now(). */
double thinking_begin(struct driver *driver);
/* After a suggestion: notes how long it took. */
void thinking_end(struct driver *driver, double began);

/* ---- steered.c ---- */

/* What a steering program may ask of the driver. */
struct steer_owner driver_steer_owner(struct driver *driver);

#endif
