/*
 * notice.h - the deadline of a run, and the notice before it (private to this room).
 *
 *   the run ── trials that fit are started ──┬───────────────────┬── END_SECONDS ─▶ the end
 *                                            │                   │   and grace
 *                       trials that would not end in time:   SIGTERM to what runs
 *                       those that ask are told to leave
 *
 * A trial that leaves has written its checkpoint; it is interrupted, and goes on in the next run.
 * Trials that never ask go on until the end, and so do those that will be done before.
 */
#ifndef RUN_NOTICE_H
#define RUN_NOTICE_H

#include "comm/comm.h"
#include "run/forecast.h"
#include "run/live.h"

/* What has to be done about it. */
struct notice_owner {
    void *self;
    /* A trial that will not end in time is to leave. */
    void (*leave)(void *self, struct live_trial *trial);
    /* What still runs has to end now. */
    void (*end)(void *self);
};

struct notice {
    struct comm *comm;
    struct live *live;
    struct notice_owner owner;
    double grace;              /* seconds that a trial has after SIGTERM */
    double warning;            /* seconds before the end at which trials are told to leave */
    double deadline;           /* comm_now() when what runs is ended; 0: no end is known */
    double start;              /* comm_now() from when on trials are told to leave */
    uint64_t ender, looker;    /* timers of these */
    bool resumes;              /* trials that are cut off go on from their checkpoints */
    struct forecast *forecast; /* of durations; NULL where no deadline can come */
};

/*
 * Starts to look after the end of the machine: `seconds` from now, 0: it is not known. grace,
 * warning and forecast are set already.
 */
void notice_begin(struct notice *notice, struct comm *comm, struct live *live, double seconds,
                  struct notice_owner owner);
/* The machine will be taken away soon; returns in how many seconds, 0: no notice is expected. */
double notice_given(struct notice *notice);
/* True when a trial at the point is likely to end before the machine is taken away. */
bool notice_fits(struct notice *notice, const double *point);
/* A trial took this long; was_cut: it was cut off, and would have taken longer. */
void notice_learn(struct notice *notice, const double *point, double seconds, bool was_cut);

#endif
