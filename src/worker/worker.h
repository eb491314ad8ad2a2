/*
 * worker - get a task, run its trial, report the result, in a loop.
 *
 * The actor of every rank that does not serve. The driver and the workers agree here on what a task
 * is: which try of which trial, and its point. A result is a packed struct trial_result.
 */
#ifndef WORKER_WORKER_H
#define WORKER_WORKER_H

#include "balance/balance.h"
#include "base/base.h"
#include "comm/comm.h"
#include "study/study.h"
#include "trial/trial.h"

/* What a worker needs; all of it must outlive the worker. */
struct worker_setup {
    const struct study *study;
    const char *dir; /* the study's folder, absolute */
    const struct trial_slot *slot;
    struct spawner *spawner; /* NULL when the model is a function */
    struct balance_rules rules;
};

struct worker;

struct worker *worker_create(const struct worker_setup *setup);
void worker_free(struct worker *worker);
struct comm_actor worker_actor(struct worker *worker);
/* True when its server was lost, or gave it up: its trial was ended, and nobody was told. */
bool worker_orphaned(const struct worker *worker);

/* Appends the task of a trial's try. */
void worker_put_task(struct str *task, unsigned try, const double *point, size_t count);

#endif
