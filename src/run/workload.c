/* workload.c - which workers are busy, and how much they have worked. */
#include "run/workload.h"

#include <math.h>

void workload_init(struct workload *workload, unsigned workers, bool *rests, unsigned resting)
{
    *workload = (struct workload){.workers = workers, .rests = rests, .resting = resting};
    workload->occupations = memory_new(workers + 1, sizeof *workload->occupations);
    workload->ages = memory_new(workers + 1, sizeof *workload->ages);
}

void workload_free(struct workload *workload)
{
    free(workload->occupations);
    free(workload->rests);
    free(workload->ages);
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

void workload_begin(struct workload *workload, double now)
{
    for (unsigned worker = 0; worker <= workload->workers; worker++)
        workload->occupations[worker].ended = now;
}

void workload_ended(struct workload *workload, unsigned worker, unsigned ranks, double time)
{
    struct occupation *occupation = &workload->occupations[worker];
    standing_times_add(&workload->times, fmax(time - occupation->ended, 0));
    occupation->ended = time;
    workload->ranks += ranks;
}

void workload_pace(struct workload *workload, double now, unsigned lost, struct standing_pace *pace)
{
    double ranks = workload->times.count > 0 ? workload->ranks / (double)workload->times.count : 1;
    pace->times = &workload->times;
    pace->workers = fmax((workload->workers - workload->resting - lost) / ranks, 1);
    pace->ages = workload->ages;
    for (unsigned worker = 1; worker <= workload->workers; worker++) {
        const struct occupation *occupation = &workload->occupations[worker];
        if (occupation->tasks > 0)
            workload->ages[pace->running++] = fmax(now - occupation->ended, 0);
    }
}

size_t workload_idle(const struct workload *workload)
{
    size_t idle = 0;
    for (unsigned worker = 1; worker <= workload->workers; worker++)
        idle += workload->occupations[worker].tasks == 0;
    return idle - workload->resting; /* which have no tasks */
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
