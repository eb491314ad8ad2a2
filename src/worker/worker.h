/*
 * worker - get a task, run its trial, report its outcome, in a loop.
 *
 * The actor of every rank that is neither the driver nor a server. The driver and the workers agree
 * here on what a task is: which try of which trial, and its point. A result is a packed struct
 * outcome.
 *
 *   worker                               driver
 *     ── a note: steps of its trial ─────▶   into the journal, to the stopper
 *     ◀──────────────── WORKER_STOP ──────   the trial is not worth its next step
 *     ◀─────────────── WORKER_LEAVE ──────   it would not end before the machine is taken away
 *     ◀──────────────── WORKER_SHOW ──────   somebody wants to see its output so far
 *     ── the outcome, "stopped" ─────────▶
 *
 * The first step of a trial is sent at once, later ones together in notes at least 5 ms apart.
 * Those that still wait at the end go before the outcome, so the driver has all steps of a trial
 * before its end.
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

/* The setup is copied. The worker joins the balancer when its actor starts. */
struct worker *worker_create(const struct worker_setup *setup);
/* Frees it in any state; a trial that still runs is ended. */
void worker_free(struct worker *worker);
/* The actor that comm runs; it refers to the worker. */
struct comm_actor worker_actor(struct worker *worker);
/* True when its server was lost or gave up on it: its trial was ended, and nobody was told. */
bool worker_orphaned(const struct worker *worker);

/* Appends the task of one try of a trial, with `count` values; the task's id is the trial's. */
void worker_put_task(struct str *bytes, const struct trial_task *task, size_t count);

/* A step that a trial has reported. */
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
 * What the driver tells a worker, with a struct worker_order: the trial is not worth its next step;
 * the machine will be taken away soon, and a program that asks whether to stop is told to leave; or
 * a copy of what the program has printed so far is wanted in DIR/tmp. The numbers lie between those
 * of balance and those of run. A message for a trial that has ended meanwhile is ignored.
 */
enum { WORKER_SHOW = 108, WORKER_LEAVE = 109, WORKER_STOP = 110 };

/* Which try of which trial is meant. */
struct worker_order {
    uint64_t id;
    uint64_t try;
};

#endif
