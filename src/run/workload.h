/* workload.h - which workers are busy, and how much they have worked (private to this room). */
#ifndef RUN_WORKLOAD_H
#define RUN_WORKLOAD_H

#include "run/live.h"

/* What a worker is doing. */
struct occupation {
    unsigned tasks; /* that it has */
    unsigned ranks; /* workers that run the last of them together; it is the first of the team */
    double since;   /* comm_now() since when it has worked on one of them */
};

struct workload {
    struct occupation *occupations; /* by worker, from 1 */
    unsigned workers;
    double busy; /* seconds of workers, in trials that ended in this run */
};

/* Starts with idle workers. */
void workload_init(struct workload *workload, unsigned workers);
/* Frees what it holds. */
void workload_free(struct workload *workload);
/* Gives a trial to a worker; 0: to none, or to one of another server, not known yet. */
void workload_move(struct workload *workload, struct live_trial *trial, unsigned worker,
                   double now);
/* How many workers have nothing to do. */
size_t workload_idle(const struct workload *workload);
/* Seconds of workers so far, with those of trials that run. */
double workload_seconds(const struct workload *workload, double now);

#endif
