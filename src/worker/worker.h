/*
 * worker - get a task, run its trial, report the result, in a loop.
 *
 * The actor of every rank that does not serve. The driver and the workers agree here on what a task
 * is: which try of which trial, and its point. A result is a packed struct outcome.
 *
 *   worker                               driver
 *     ── a note: steps of its trial ─────▶   into the journal, to the stopper
 *     ◀──────────────── WORKER_STOP ──────   not worth its next step
 *     ◀─────────────── WORKER_LEAVE ──────   it would not end before the machine is taken away
 *     ── the result, "stopped" ──────────▶
 *
 * Steps go out at once, or, where they come fast, together a few times a second; those that wait go
 * before the result. So the driver has all steps of a trial before its end.
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
    const struct machine_slot *slot;
    struct helper *helper; /* NULL when the model is a function */
    struct balance_rules rules;
};

struct worker;

struct worker *worker_create(const struct worker_setup *setup);
void worker_free(struct worker *worker);
struct comm_actor worker_actor(struct worker *worker);
/* True when its server was lost, or gave it up: its trial was ended, and nobody was told. */
bool worker_orphaned(const struct worker *worker);

/* Appends the task of a trial's try; the trial's id is that of the task. */
void worker_put_task(struct str *bytes, const struct trial_task *task, size_t count);

/* A step that a trial has made. */
struct worker_step {
    uint64_t id;
    unsigned try;
    double time; /* comm_now() */
    struct outcome_step step;
};

/*
 * The next step in the bytes of a worker's note, from *at on; false at the end. Its metrics are
 * copied to `metrics`, which has room for OUTCOME_METRICS.
 */
bool worker_next_step(const unsigned char *bytes, size_t length, size_t *at,
                      struct worker_step *step, struct outcome_metric *metrics);
/* Appends a step to such bytes. */
void worker_put_step(struct str *bytes, const struct worker_step *step);

/*
 * What the driver tells a worker, by a struct worker_stop: the trial is not worth its next step; or
 * the machine is taken away soon, and a program that asks whether to stop leaves when it hears so.
 * The numbers lie between those of balance and those of run. A trial that has ended meanwhile is
 * done.
 */
enum { WORKER_LEAVE = 109, WORKER_STOP = 110 };

struct worker_stop {
    uint64_t id;
    uint64_t try;
};

#endif
