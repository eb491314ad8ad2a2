/* worker.c - the actor that runs trials. */
#include "worker/worker.h"
#include "worker/questions.h"
#include "worker/team.h"

#include <math.h>

struct worker {
    struct worker_setup setup;
    struct comm *comm;
    struct balance_client *client;
    struct trial_runner *runner;
    struct team *team; /* of a trial of several ranks */
    double *point;
    struct str packed;
    bool orphaned;

    uint64_t id; /* of the trial that runs; 0: none does */
    unsigned try;
    bool stopping;      /* the driver wants it stopped */
    bool leaving;       /* the machine is taken away: it is told to leave when it asks */
    uint64_t asked;     /* its highest question answered with no */
    uint64_t stop_from; /* its first question answered with yes; 0: not decided */
    struct questions questions;
    struct str steps; /* not sent yet */
    double sent;      /* when steps were sent last */
    uint64_t sender;  /* timer that sends them; 0: none */
};

/*
 * The least number of seconds between two notes of one worker: a step must reach the stopper within
 * 10 ms. And the most notes per second that the driver gets from all workers together.
 */
static const double STEP_INTERVAL = 0.005, NOTE_RATE = 50000;

struct trial_head {
    uint32_t try;
    uint32_t count; /* doubles that follow */
    uint64_t origin, step;
};

void worker_put_task(struct str *bytes, const struct trial_task *task, size_t count)
{
    struct trial_head head = {task->try, (uint32_t)count, task->origin, task->step};
    str_add_bytes(bytes, &head, sizeof head);
    str_add_bytes(bytes, task->point, count * sizeof *task->point);
}

/* ---- steps ---- */

/* Followed by the metrics. */
struct step_head {
    uint64_t id, step;
    uint32_t try, metric_count;
    double time, value;
    uint64_t unscored;
};

void worker_put_step(struct str *bytes, const struct worker_step *step)
{
    struct step_head head = {.id = step->id,
                             .step = step->step.step,
                             .try = step->try,
                             .metric_count = (uint32_t)step->step.metric_count,
                             .time = step->time,
                             .value = step->step.value,
                             .unscored = step->step.unscored};
    str_add_bytes(bytes, &head, sizeof head);
    str_add_bytes(bytes, step->step.metrics, head.metric_count * sizeof *step->step.metrics);
}

bool worker_next_step(const unsigned char *bytes, size_t length, size_t *at,
                      struct worker_step *step, struct outcome_metric *metrics)
{
    struct step_head head;
    if (*at == length)
        return false;
    if (length - *at < sizeof head)
        BUG("a note of steps that is cut off");
    memcpy(&head, bytes + *at, sizeof head);
    *at += sizeof head;
    size_t size = head.metric_count * sizeof *metrics;
    if (head.metric_count > OUTCOME_METRICS || size > length - *at)
        BUG("a step with %u metrics", (unsigned)head.metric_count);
    memcpy(metrics, bytes + *at, size);
    *at += size;
    *step = (struct worker_step){.id = head.id,
                                 .try = head.try,
                                 .time = head.time,
                                 .step = {.step = head.step,
                                          .value = head.value,
                                          .metrics = metrics,
                                          .metric_count = head.metric_count,
                                          .unscored = head.unscored != 0}};
    return true;
}

static void send_steps(void *self)
{
    struct worker *w = self;
    if (w->sender)
        comm_cancel(w->comm, w->sender);
    w->sender = 0;
    if (w->steps.length == 0)
        return;
    w->sent = comm_now(w->comm);
    balance_note(w->client, w->steps.text, w->steps.length);
    str_clear(&w->steps);
}

static void trial_stepped(void *self, const struct outcome_step *step)
{
    struct worker *w = self;
    double now = comm_now(w->comm);
    if (!team_speaks(w->team))
        return;
    struct worker_step report = {w->id, w->try, now, *step};
    worker_put_step(&w->steps, &report);
    if (w->sender)
        return;
    double due = w->sent + fmax(STEP_INTERVAL, comm_size(w->comm) / NOTE_RATE);
    if (now >= due)
        send_steps(w);
    else
        w->sender = comm_after(w->comm, due - now, send_steps, w);
}

static bool is_meant(const struct worker *w, const struct comm_message *message)
{
    struct worker_order order;
    memcpy(&order, message->bytes, sizeof order);
    return w->id == order.id && w->try == order.try;
}

static void stop_trial(struct worker *w)
{
    w->stopping = true;
    if (team_runs(w->team))
        team_stop(w->team);
    else
        trial_stop(w->runner);
}

static void leave(struct worker *w)
{
    w->leaving = true;
    if (team_runs(w->team))
        team_leave(w->team);
}

/*
 * Processes of a trial that work together must get the same answer to their n-th question, and one
 * of them may be ahead: so the answer is yes from the first question that nobody has asked yet.
 * Questions that are not counted get what is known now.
 */
static void trial_asked(void *self, uint64_t call)
{
    struct worker *w = self;
    if (team_runs(w->team)) {
        team_asked(w->team, call);
        return;
    }
    bool ends = w->stopping || w->leaving;
    if (ends && w->stop_from == 0)
        w->stop_from = w->asked + 1;
    ends = ends && (call == 0 || call >= w->stop_from);
    if (!ends && call > w->asked)
        w->asked = call;
    trial_answer(w->runner, call, !ends ? TRIAL_GO_ON : w->stopping ? TRIAL_ENOUGH : TRIAL_LEAVE);
}

/* ---- the key-value space ---- */

static void trial_question(void *self, uint64_t number, const struct trial_question *question)
{
    struct worker *w = self;
    questions_ask(&w->questions, balance_store(w->client), w->runner, number, question);
}

static void trial_forgets(void *self, uint64_t number)
{
    struct worker *w = self;
    questions_forget(&w->questions, number);
}

/* ---- tasks ---- */

static void run_task(void *self, const struct balance_assignment *task)
{
    struct worker *w = self;
    struct trial_head head;
    size_t count = w->setup.study->space.count;
    if (task->length != sizeof head + count * sizeof *w->point)
        BUG("a task of %zu bytes", task->length);
    memcpy(&head, task->bytes, sizeof head);
    memcpy(w->point, task->bytes + sizeof head, count * sizeof *w->point);
    w->id = task->id;
    w->try = head.try;
    w->stopping = w->leaving = false;
    w->asked = w->stop_from = 0;
    w->sent = -INFINITY; /* the first step of a trial does not wait */
    struct trial_task try = {.id = task->id,
                             .try = head.try,
                             .point = w->point,
                             .origin = head.origin,
                             .step = head.step};
    if (team_wanted(w->team, task))
        team_begin(w->team, task, &try);
    else
        trial_run(w->runner, &try);
}

/* The worker's part is over; the outcome is NULL where another worker speaks for the trial. */
static void task_ended(void *self, const struct outcome *outcome)
{
    struct worker *w = self;
    send_steps(w);
    w->id = 0;
    str_clear(&w->packed);
    if (outcome)
        outcome_pack(outcome, &w->packed);
    balance_done(w->client, w->packed.text, w->packed.length);
}

static void trial_ended(void *self, const struct outcome *outcome)
{
    struct worker *w = self;
    if (team_runs(w->team))
        team_rank_ended(w->team, outcome);
    else
        task_ended(w, outcome);
}

/* A program that does not die of the signal may still ask. */
static void interrupt(void *self)
{
    struct worker *w = self;
    w->leaving = true;
    if (team_runs(w->team))
        team_interrupt(w->team);
    else
        trial_interrupt(w->runner);
}

static void dropped(void *self, uint64_t id, struct str *bytes)
{
    struct worker *w = self;
    (void)id;
    struct outcome interrupted = outcome_not_started(comm_now(w->comm));
    outcome_pack(&interrupted, bytes);
}

static void finish(void *self)
{
    struct worker *w = self;
    if (w->sender)
        comm_cancel(w->comm, w->sender);
    w->id = 0;
    trial_runner_free(w->runner);
    w->runner = NULL;
    balance_leave(w->client);
    comm_stop(w->comm);
}

/* Freeing the runner ends the trial that runs, if one does. */
static void orphaned(void *self)
{
    struct worker *w = self;
    w->orphaned = true;
    finish(w);
}

static void start(void *self, struct comm *comm)
{
    struct worker *w = self;
    const struct worker_setup *setup = &w->setup;
    struct balance_worker handlers = {.self = w,
                                      .types = 1,
                                      .task = run_task,
                                      .interrupt = interrupt,
                                      .dropped = dropped,
                                      .finish = finish,
                                      .orphaned = orphaned};
    struct trial_observer observer = {.self = w,
                                      .step = trial_stepped,
                                      .asked = trial_asked,
                                      .question = trial_question,
                                      .forget = trial_forgets,
                                      .done = trial_ended};
    w->comm = comm;
    w->runner =
        trial_runner_create(comm, setup->study, setup->dir, setup->slot, setup->helper, &observer);
    struct team_setup team = {comm, setup->study, w->runner, w, task_ended};
    w->team = team_create(&team);
    w->client = balance_join(comm, &setup->rules, &handlers);
}

static void message(void *self, const struct comm_message *m)
{
    struct worker *w = self;
    bool is_order = m->type == WORKER_STOP || m->type == WORKER_LEAVE || m->type == WORKER_SHOW;
    if (is_order && !is_meant(w, m))
        return; /* the trial has ended meanwhile */
    if (m->type == WORKER_STOP)
        stop_trial(w);
    else if (m->type == WORKER_LEAVE)
        leave(w);
    else if (m->type == WORKER_SHOW)
        trial_show(w->runner);
    else if (!team_message(w->team, m))
        balance_client_message(w->client, m);
}

struct worker *worker_create(const struct worker_setup *setup)
{
    struct worker *w = memory_new(1, sizeof *w);
    w->setup = *setup;
    w->point = memory_new(setup->study->space.count, sizeof *w->point);
    return w;
}

void worker_free(struct worker *w)
{
    if (w->runner) /* it was cut short */
        trial_runner_free(w->runner);
    if (w->team)
        team_free(w->team);
    if (w->client)
        balance_client_free(w->client);
    questions_free(&w->questions);
    str_free(&w->packed);
    str_free(&w->steps);
    free(w->point);
    free(w);
}

struct comm_actor worker_actor(struct worker *w)
{
    return (struct comm_actor){w, start, message};
}

bool worker_orphaned(const struct worker *w)
{
    return w->orphaned;
}
