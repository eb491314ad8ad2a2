/* worlds.h - studies in simulated worlds, and whether all steps of their trials are there. */
#ifndef TESTS_RUN_WORLDS_H
#define TESTS_RUN_WORLDS_H

#include "run/run.h"

#include <math.h>

/* Runs a study in this folder; options->journal: goes on with one. */
static int simulate_in(const char *dir, const struct study *study, struct run_options options,
                       struct comm_world *world, struct run_progress *progress, struct err *e)
{
    struct run_observer observer = {.interval = 1};
    options.dir = dir;
    options.world = world;
    options.requests = -1;
    world->limit = 1e5;
    *e = (struct err){0};
    int code = run_study(study, &options, &observer, progress, e);
    if (code)
        printf("# seed %llu: %s\n", (unsigned long long)world->seed, e->message);
    return code;
}

/*
 * The steps of a trial are 1, 2, ... to its end, each of them once, and its score is the last
 * value; one that is done has made `epochs`.
 */
static inline bool is_whole(const struct journal *journal, size_t index, uint64_t epochs)
{
    const struct journal_trial *trial = &journal->trials[index];
    struct journal_walk walk = journal_walk(journal, (int64_t)index);
    struct journal_step step;
    uint64_t next = 1;
    double last = NAN;
    for (; journal_next_step(&walk, &step); next++, last = step.value)
        if (step.step != next || step.index != index || step.ended)
            return false;
    bool as_told = next - 1 == trial->steps && last == trial->score;
    if (trial->state == OUTCOME_DONE)
        return as_told && trial->steps == epochs;
    return as_told && trial->state == OUTCOME_STOPPED && trial->steps >= 1;
}

#endif
