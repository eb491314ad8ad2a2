/*
 * runner.c - one trial at a time on one worker.
 *
 *                     trial_run()
 *                         │
 *              ┌──────────┴──────────┐
 *          a program             a function
 *              │                     │
 *   checkpoint of its origin         │
 *   copied, if it has one            │
 *              │                     │
 *          HELPER_START sent          evaluated at once, or
 *              │               step by step on a timer
 *       ┌──────┴──────┐              │
 *    running     cannot start        │
 *       │             │              │
 *       ├─ time limit, interrupt, stop: SIGTERM ─ grace ─ SIGKILL
 *       ├─ stop, of one that asks for it: told when it asks ─ grace ─ SIGTERM ...
 *       ├─ the machine is taken away: told when it asks, and has until it is interrupted
 *       │             │              │
 *     ended ──────────┴──────────────┘
 *       │  state: how Wick ended it, else memory, signal, exit code, score
 *     done()
 */
#include "trial/runner.h"

#include <math.h>

struct trial_runner *trial_runner_create(struct comm *comm, const struct study *study,
                                         const char *dir, const struct machine_slot *slot,
                                         struct helper *helper,
                                         const struct trial_observer *observer)
{
    struct trial_runner *r = memory_new(1, sizeof *r);
    r->comm = comm;
    r->study = study;
    r->dir = dir;
    r->slot = slot;
    r->observer = *observer;
    r->channel = r->out = r->err = -1;
    r->point = memory_new(study->space.count, sizeof *r->point);
    if (study->model.function)
        builtin_prepare(r);
    else
        process_prepare(r, helper);
    return r;
}

void trial_runner_free(struct trial_runner *r)
{
    checkpoint_forget(r);
    if (!r->study->model.function)
        process_forget(r);
    outcome_free(&r->result);
    free(r->point);
    free(r->inputs);
    free(r->values);
    free(r);
}

void trial_run(struct trial_runner *r, const struct trial_task *task)
{
    r->id = task->id;
    r->try = task->try;
    r->origin = task->origin;
    r->step_before = task->step;
    r->group = task->group;
    memcpy(r->point, task->point, r->study->space.count * sizeof *r->point);
    r->ending = ENDING_NOT;
    r->last_value = NAN;
    r->result.metric_count = 0;
    r->result.state = OUTCOME_RUNNING;
    r->result.score = NAN;
    r->result.exit_code = -1;
    r->result.signal = 0;
    r->result.processor = r->result.energy = 0;
    r->result.peak_memory = r->result.log_dropped = 0;
    r->result.read = r->result.written = 0;
    r->result.reason[0] = 0;
    str_clear(&r->result.log);
    r->result.started = comm_now(r->comm);
    if (r->study->model.function)
        builtin_run(r);
    else if (!checkpoint_begin(r))
        process_run(r);
}

void trial_answer(struct trial_runner *r, uint64_t call, enum trial_word word)
{
    if (r->talk)
        process_answer(r, call, word);
}

void trial_reply(struct trial_runner *r, uint64_t number, const struct trial_reply *reply)
{
    if (r->talk)
        line_reply(r->talk, number, reply);
}

void trial_interrupt(struct trial_runner *r)
{
    if (r->study->model.function)
        builtin_end(r, ENDING_INTERRUPT);
    else if (r->copy)
        checkpoint_cancel(r, ENDING_INTERRUPT);
    else
        process_end(r, ENDING_INTERRUPT);
}

void trial_stop(struct trial_runner *r)
{
    if (r->study->model.function)
        builtin_end(r, ENDING_STOP);
    else if (r->copy)
        checkpoint_cancel(r, ENDING_STOP);
    else
        process_end(r, ENDING_STOP);
}

void runner_step(struct trial_runner *r, const struct outcome_step *step)
{
    if (!step->unscored)
        r->last_value = step->value;
    r->observer.step(r->observer.self, step);
}

/* A function needs no checkpoint: it can begin at any step. */
static bool can_go_on(const struct trial_runner *r)
{
    return r->result.state == OUTCOME_STOPPED &&
           (r->study->model.function || checkpoint_exists(r, r->id));
}

void runner_finish(struct trial_runner *r)
{
    r->result.can_go_on = can_go_on(r);
    if (r->timer)
        comm_cancel(r->comm, r->timer);
    r->timer = 0;
    r->result.ended = comm_now(r->comm);
    r->observer.done(r->observer.self, &r->result);
}
