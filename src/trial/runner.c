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
 *      HELPER_START sent       evaluated at once, or
 *              │               step by step on a timer
 *       ┌──────┴──────┐              │
 *    running     cannot start        │
 *       │             │              │
 *       ├─ time limit, interrupt, stop: SIGTERM ─ grace ─ SIGKILL
 *       ├─ stop, if it asks whether to: told when it asks ─ grace ─ SIGTERM ...
 *       ├─ the machine is taken away: told when it asks, later interrupted
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
    r->channel = r->output.out = r->output.err = -1;
    r->point = memory_new(study->space.count, sizeof *r->point);
    r->model = model_kind(&study->model);
    r->kind = r->model->starts_programs ? &process_kind : &builtin_kind;
    r->kind->prepare(r, helper);
    return r;
}

void trial_runner_free(struct trial_runner *r)
{
    checkpoint_forget(r);
    r->kind->forget(r);
    outcome_free(&r->outcome);
    free(r->point);
    free(r);
}

void trial_run(struct trial_runner *r, const struct trial_task *task)
{
    r->id = task->id;
    r->try = task->try;
    r->origin = task->origin;
    r->step_before = task->step;
    r->team = task->team;
    memcpy(r->point, task->point, r->study->space.count * sizeof *r->point);
    r->ending = ENDING_NOT;
    r->last_value = NAN;
    r->outcome.metric_count = 0;
    r->outcome.state = OUTCOME_RUNNING;
    r->outcome.score = NAN;
    r->outcome.exit_code = -1;
    r->outcome.signal = 0;
    r->outcome.processor = r->outcome.energy = 0;
    r->outcome.peak_memory = r->outcome.log_dropped = 0;
    r->outcome.read = r->outcome.written = 0;
    r->outcome.reason[0] = 0;
    r->outcome.no_room = false;
    str_clear(&r->outcome.log);
    r->outcome.started = comm_now(r->comm);
    r->kind->run(r);
}

void trial_answer(struct trial_runner *r, uint64_t call, enum trial_word word)
{
    if (r->socket)
        process_answer(r, call, word);
}

void trial_reply(struct trial_runner *r, uint64_t number, const struct trial_reply *reply)
{
    if (r->socket)
        socket_reply(r->socket, number, reply);
}

void trial_interrupt(struct trial_runner *r)
{
    r->kind->end(r, ENDING_INTERRUPT);
}

void trial_stop(struct trial_runner *r)
{
    r->kind->end(r, ENDING_STOP);
}

void trial_show(struct trial_runner *r)
{
    if (r->running)
        files_show_output(r);
}

void runner_step(struct trial_runner *r, const struct outcome_step *step)
{
    if (!step->unscored)
        r->last_value = step->value;
    r->observer.step(r->observer.self, step);
}

static bool can_go_on(const struct trial_runner *r)
{
    return r->outcome.state == OUTCOME_STOPPED &&
           (r->kind->needs_no_checkpoint || checkpoint_exists(r, r->id));
}

void runner_finish(struct trial_runner *r)
{
    r->outcome.can_go_on = can_go_on(r);
    if (r->timer)
        comm_cancel(r->comm, r->timer);
    r->timer = 0;
    r->outcome.ended = comm_now(r->comm);
    r->observer.done(r->observer.self, &r->outcome);
}
