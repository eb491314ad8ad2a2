/* worker.c - the actor that runs trials. */
#include "worker/worker.h"

struct worker {
    struct worker_setup setup;
    struct comm *comm;
    struct balance_client *client;
    struct trial_runner *runner;
    double *point;
    struct str packed;
    bool orphaned;
};

struct trial_head {
    uint32_t try;
    uint32_t count; /* of the doubles that follow */
};

void worker_put_task(struct str *task, unsigned try, const double *point, size_t count)
{
    struct trial_head head = {try, (uint32_t)count};
    str_add_bytes(task, &head, sizeof head);
    str_add_bytes(task, point, count * sizeof *point);
}

static void run_task(void *self, const struct balance_assignment *task)
{
    struct worker *w = self;
    struct trial_head head;
    size_t count = w->setup.study->space.count;
    if (task->length != sizeof head + count * sizeof *w->point)
        BUG("a task of %zu bytes", task->length);
    memcpy(&head, task->bytes, sizeof head);
    memcpy(w->point, task->bytes + sizeof head, count * sizeof *w->point);
    trial_run(w->runner, task->id, head.try, w->point);
}

static void trial_ended(void *self, const struct trial_result *result)
{
    struct worker *w = self;
    str_clear(&w->packed);
    trial_result_pack(result, &w->packed);
    balance_done(w->client, w->packed.text, w->packed.length);
}

static void interrupt(void *self)
{
    struct worker *w = self;
    trial_interrupt(w->runner);
}

static void dropped(void *self, uint64_t id, struct str *result)
{
    struct worker *w = self;
    (void)id;
    struct trial_result interrupted = trial_not_begun(comm_now(w->comm));
    trial_result_pack(&interrupted, result);
}

static void finish(void *self)
{
    struct worker *w = self;
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
    w->comm = comm;
    w->runner = trial_runner_create(comm, setup->study, setup->dir, setup->slot, setup->spawner,
                                    trial_ended, w);
    w->client = balance_join(comm, &setup->rules, &handlers);
}

static void message(void *self, const struct comm_message *m)
{
    struct worker *w = self;
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
    if (w->client)
        balance_client_free(w->client);
    str_free(&w->packed);
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
