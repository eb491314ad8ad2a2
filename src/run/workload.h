/* workload.h - which workers are busy, and how much they have worked (private to this room). */
#ifndef RUN_WORKLOAD_H
#define RUN_WORKLOAD_H

#include "run/live.h"
#include "standing/standing.h"

/* What a worker is doing. */
struct occupation {
    unsigned tasks; /* that it has */
    unsigned ranks; /* workers that run the last of them together; it is the first of the team */
    double since;   /* comm_now() since when it has worked on one of them */
    double ended;   /* comm_now() when its last trial ended, or the run started */
};

struct workload {
    struct occupation *occupations; /* by worker, from 1 */
    bool *rests;                    /* by rank, in an MPI job: see role_resting() */
    unsigned workers;               /* the largest number of one */
    unsigned resting;               /* so many of them have no part in the study */
    double busy;                    /* seconds of workers, in trials that ended in this run */
    struct standing_times times;    /* of the trials that ended in this run */
    double ranks;                   /* of all these together */
    double *ages;                   /* scratch, one per worker */
};

/*
 * Starts with idle workers, and some that rest: they never get a trial. Takes over `rests`, or
 * NULL.
 */
void workload_init(struct workload *workload, unsigned workers, bool *rests, unsigned resting);
/* Frees what it holds. */
void workload_free(struct workload *workload);
/* Gives a trial to a worker; 0: to none, or to one of another server, not known yet. */
void workload_move(struct workload *workload, struct live_trial *trial, unsigned worker,
                   double now);
/* The run starts: from now on workers may be waited for. */
void workload_begin(struct workload *workload, double now);
/* A trial of so many ranks has ended for good at `time`. */
void workload_ended(struct workload *workload, unsigned worker, unsigned ranks, double time);
/* Fills what standing_time_left() needs to know of the active workers; `lost` of them are gone. */
void workload_pace(struct workload *workload, double now, unsigned lost,
                   struct standing_pace *pace);
/* How many active workers have nothing to do. */
size_t workload_idle(const struct workload *workload);
/* Seconds of workers so far, with those of trials that run. */
double workload_seconds(const struct workload *workload, double now);

#endif
