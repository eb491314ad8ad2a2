/* workload.c - which workers are busy, and how much they have worked. */
#include "run/workload.h"

void workload_init(struct workload *workload, unsigned workers)
{
    *workload = (struct workload){.workers = workers};
    workload->occupations = memory_new(workers + 1, sizeof *workload->occupations);
}

void workload_free(struct workload *workload)
{
    free(workload->occupations);
}

void workload_move(struct workload *workload, struct live_trial *trial, unsigned worker, double now)
{
    struct occupation *occupations = workload->occupations;
    if (trial->worker) {
        occupations[trial->worker].tasks--;
        occupations[trial->worker].since = now;
    }
    if (worker && occupations[worker].tasks++ == 0)
        occupations[worker].since = now;
    if (worker)
        occupations[worker].ranks = trial->ranks;
    trial->worker = worker;
}

size_t workload_idle(const struct workload *workload)
{
    size_t idle = 0;
    for (unsigned worker = 1; worker <= workload->workers; worker++)
        idle += workload->occupations[worker].tasks == 0;
    return idle;
}

double workload_seconds(const struct workload *workload, double now)
{
    double seconds = workload->busy;
    for (unsigned worker = 1; worker <= workload->workers; worker++) {
        const struct occupation *occupation = &workload->occupations[worker];
        if (occupation->tasks > 0)
            seconds += (now - occupation->since) * occupation->ranks;
    }
    return seconds;
}
