/* driver.h - the actor of rank 0 (private to this room). */
#ifndef RUN_DRIVER_H
#define RUN_DRIVER_H

#include "balance/balance.h"
#include "best/best.h"
#include "comm/comm.h"
#include "inbox/inbox.h"
#include "run/forecast.h"
#include "run/keeper.h"
#include "run/live.h"
#include "run/paused.h"
#include "run/run.h"
#include "search/search.h"
#include "steer/steer.h"
#include "stop/stop.h"
#include "worker/worker.h"

/* A result that is in the journal's queue and not yet known to be on disk. */
struct announcement {
    uint64_t line; /* of the journal, counted as journal_appended() does */
    struct run_trial trial;
    struct arena arena; /* what `trial` points to */
    bool counted;       /* the trial was counted as stopped before */
    uint64_t best;      /* with this result, and those before */
    double best_score;
};

/* What a worker is doing, for the busy share. */
struct occupation {
    unsigned tasks; /* that it has */
    unsigned ranks; /* workers that run the last of them together; it is the first */
    double since;   /* it works on one of them since then */
};

/* Suggestions that are made before a worker asks for them: see ahead.c. */
struct ahead {
    size_t waiting;     /* trials in the queue */
    size_t given;       /* that left it since it was filled last */
    size_t shortage;    /* idle workers for which there was none */
    double burst;       /* workers that became idle at once lately */
    double ask_seconds; /* what a suggestion cost lately */
    uint64_t timer;     /* of the next filling, 0: none */
};

struct driver {
    const struct study *study;
    struct search_settings settings; /* of the study, for the budget and the workers of this run */
    const struct run_options *options;
    struct balance_rules rules;
    const char *dir; /* the study's folder, absolute */
    const struct run_observer *observer;
    struct search *search;
    struct steer *steer; /* NULL: the search suggests by itself */
    struct stop *stop;   /* the early stopper; NULL: none */
    struct journal_writer *journal;

    struct comm *comm;
    struct balance_server *server;
    double offset;   /* the study's time is comm_now() + offset */
    double ended;    /* the study's time when the last worker left */
    double began;    /* comm_now() */
    double deadline; /* comm_now() when what runs is ended, since the machine is taken away; 0: it
                        is not known */
    double noticed;  /* when trials are told before that do not end in time */
    uint64_t ender, looker;    /* timers of these */
    bool keeps_checkpoints;    /* trials that were cut off go on from where they were */
    struct forecast *forecast; /* of durations; NULL where no deadline can come */
    struct live live;
    struct ahead ahead;
    uint64_t started; /* the last trial that the journal knows: it has them in their order */
    struct inbox_queue queue; /* points of the user's own */
    uint64_t *again;          /* trials to run before new ones; they are in `live` */
    size_t again_count, again_capacity, again_next;
    struct paused paused;  /* trials that may go on */
    struct keeper *keeper; /* of checkpoints; NULL: the trials have none */
    uint64_t *ended_ids;   /* trials that ended, whose checkpoints are there */
    size_t ended_count, ended_capacity;
    struct str task;
    double *point;
    struct outcome result;

    bool learns;                    /* results make a difference to what the search suggests */
    bool exhausted;                 /* the search has nothing left */
    bool no_new;                    /* the time is used up: only what had begun before runs */
    bool waits;                     /* the search wants a result before it suggests more */
    bool refused;                   /* suggestions that take too long: they are left to try */
    bool finishing;                 /* workers are being sent home */
    double busy;                    /* seconds of workers, of ended trials in this run */
    struct occupation *occupations; /* by worker */
    struct best best;     /* as far as results have come in; progress has what is on disk */
    uint64_t failed_logs; /* kept as files in this run */

    struct announcement *news; /* a queue from `news_next` on */
    size_t news_count, news_capacity, news_next;
    struct run_progress progress;
    struct err failure;
};

/* Makes a driver for a new study, or replays options->journal into it. */
int driver_create(struct driver *driver, const struct study *study,
                  const struct run_options *options, const struct run_observer *observer,
                  struct journal_writer *journal, const char *dir, unsigned workers, struct err *e);
void driver_free(struct driver *driver);
/* The rules of the options, as they hold for where the study runs. */
struct balance_rules driver_rules(const struct study *study, const struct run_options *options,
                                  unsigned workers);
struct comm_actor driver_actor(struct driver *driver);

/* After the last event: everything is on disk now; tells the observer the rest. */
void driver_end(struct driver *driver);

/* Seconds since the study was created. */
double driver_time(const struct driver *driver);
/* Starts nothing more; `hard`: ends what runs as well. */
void driver_stop(struct driver *driver, enum journal_end end, bool hard);
/* Sends the workers home once nothing runs and nothing more will be started. */
void driver_finish_if_over(struct driver *driver);
/* Who has a trial; 0: nobody, or a worker of another server, whose name comes later. */
void driver_occupy(struct driver *driver, struct live_trial *trial, unsigned worker);

/* Queues the next trial and returns how many workers it takes; 0 when there is none now. */
unsigned driver_put_next(struct driver *driver);

/* ahead.c: workers of a search that learns are idle; a trial of any search left the queue. */
void ahead_wanted(struct driver *driver, size_t count);
void ahead_given(struct driver *driver);

/*
 * notice.c: from now on, looks after the end of the machine, if it is known; somebody says that it
 * is near.
 */
void notice_begin(struct driver *driver);
void notice_given(struct driver *driver);
/* True when a trial at the point is likely to end before the machine is no longer ours. */
bool driver_fits(struct driver *driver, const double *point);

/* queued.c: looks at the queue and for a request to stop from now on. */
void queued_begin(struct driver *driver);
/* The next trial that the user has queued, in `live`; NULL when there is none that fits. */
struct live_trial *queued_next(struct driver *driver);
/* The last look before the end: true when there is more to do. */
bool queued_more(struct driver *driver);

/* results.c: the outcome of a trial's try; a handler of balance. */
void driver_ended(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length);
/* More of the journal is on disk, or writing failed; a handler of comm. */
void driver_journal_moved(void *self);
/* Tells the observer of all results up to a line of the journal. */
void driver_publish(struct driver *driver, uint64_t line);

/* steps.c: a worker's note, the steps of its trial; a handler of balance. */
void driver_noted(void *self, int worker, const unsigned char *bytes, size_t length);
/* Says so in the result of a trial that was told to stop, however it ended. */
void driver_mark_stopped(const struct driver *driver, const struct live_trial *trial,
                         struct outcome *result);

/* promote.c: trials that are stopped at a rung and go on later. */
void promote_init(struct driver *driver);
void promote_free(struct driver *driver);
/* True when a trial that has ended is paused: it may go on. */
bool promote_pause(struct driver *driver, const struct live_trial *trial,
                   const struct outcome *result);
/* The same for one that the journal has. */
void promote_replay(struct driver *driver, const struct journal *journal, size_t index,
                    const double *point);
/* True when a trial should go on now; it is in `live` then, or it does not fit any more: NULL. */
bool promote_waits(struct driver *driver);
struct live_trial *promote_next(struct driver *driver);
/* Has trials go on for which there are idle workers. */
void promote_idle(struct driver *driver);

/* checkpoints.c: removes what is not needed, from now on. */
int checkpoints_begin(struct driver *driver, struct err *e);
/* A trial is done or stopped for good. */
void checkpoints_ended(struct driver *driver, uint64_t id);
/* All that has ended is on disk: removes what is not needed any more. */
void checkpoints_settle(struct driver *driver);
void checkpoints_end(struct driver *driver);

/* resume.c: fills a new driver with what the journal says. */
int driver_replay(struct driver *driver, const struct journal *journal, struct err *e);

/* True when a is a better score than b, of several objectives a better first one. */
bool driver_better(const struct driver *driver, double a, double b);

/* A trial ended after so long: that says something about others. */
void driver_note_duration(struct driver *driver, const double *point, double seconds);

/* What a steering program may ask of the driver. */
struct steer_owner driver_steer_owner(struct driver *driver);

/* Has a trial that is in `live` run before any new one. */
void driver_again(struct driver *driver, uint64_t id);

#endif
