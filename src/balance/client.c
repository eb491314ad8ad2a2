/*
 * client.c - a worker's side: tasks in, results out.
 *
 * The tasks of a batch run one after another. Results are held back while tasks end at once (as
 * functions may), and sent as soon as a task keeps running or none is left. While tasks wait, a
 * timer watches the running one: if it takes longer than PATIENCE, the rest of the batch goes back
 * to the server.
 */
#include "balance/balance.h"
#include "balance/data.h"
#include "balance/messages.h"
#include "balance/roles.h"
#include "balance/store.h"

static const double PATIENCE = 0.02; /* seconds that tasks may wait behind another */
enum { SIGNS = 4 };                  /* number of signs of life within rules.lost_after */

struct balance_client {
    struct comm *comm;
    struct balance_rules rules;
    struct balance_worker worker;
    struct roles roles;
    int home; /* rank of its server */
    struct balance_store *store;
    struct data_client *data; /* NULL until the first operation on data */

    struct str tasks; /* tasks not yet started: heads with their bytes, from `head` on */
    size_t head;
    struct str results; /* struct results_head, then answers */
    struct results_head pending;
    bool running, starting;
    bool interrupted;         /* the running task was told to end */
    bool ready;               /* the worker wants a task */
    struct task_head current; /* the running task */
    int32_t *ranks;           /* ranks of the workers that run it together */
    double started;           /* when it started */
    double since;             /* when results were last sent or tasks last came */
    uint64_t watcher;         /* timer of watch_running(); 0: none */

    uint64_t sign;   /* timer of the next sign of life; 0: none */
    double sign_due; /* when that sign is due */
    double heard;    /* when the server was last heard from */
    bool orphaned;
};

/* ---- signs of life ---- */

static void give_up(struct balance_client *c)
{
    if (c->orphaned)
        return;
    c->orphaned = true;
    if (c->worker.orphaned)
        c->worker.orphaned(c->worker.self);
}

/* Without a server there is no job: waits for nobody, not even rank 0, which announces the end. */
static void give_up_silent(struct balance_client *c)
{
    comm_forget(c->comm, c->home);
    comm_forget(c->comm, 0);
    give_up(c);
}

/* A worker that was itself stopped for a while has heard from nobody: it waits one more period. */
static void give_sign(void *self)
{
    struct balance_client *c = self;
    double now = comm_now(c->comm), period = c->rules.lost_after / SIGNS;
    bool late = now > c->sign_due + period;
    c->sign = 0;
    if (late)
        c->heard = now;
    if (now - c->heard > c->rules.lost_after) {
        give_up_silent(c);
        return;
    }
    comm_send(c->comm, c->home, MESSAGE_PING, NULL, 0);
    c->sign_due = now + period;
    c->sign = comm_after(c->comm, period, give_sign, c);
}

/* ---- joining and leaving ---- */

struct balance_client *balance_join(struct comm *comm, const struct balance_rules *rules,
                                    const struct balance_worker *worker)
{
    struct balance_client *c = memory_new(1, sizeof *c);
    c->comm = comm;
    c->rules = *rules;
    c->worker = *worker;
    c->roles = roles_of(comm_size(comm), rules->servers);
    c->home = roles_home(&c->roles, comm_rank(comm));
    c->store = store_client_create(comm, &c->roles);
    c->heard = c->sign_due = comm_now(comm);
    comm_send(comm, c->home, MESSAGE_JOIN, &worker->types, sizeof worker->types);
    if (!worker->waits)
        balance_ready(c);
    if (rules->lost_after > 0)
        give_sign(c);
    return c;
}

void balance_leave(struct balance_client *c)
{
    if (c->watcher)
        comm_cancel(c->comm, c->watcher);
    if (c->sign)
        comm_cancel(c->comm, c->sign);
    if (!c->orphaned)
        comm_send(c->comm, c->home, MESSAGE_BYE, NULL, 0);
}

void balance_client_free(struct balance_client *c)
{
    store_client_free(c->store);
    data_client_free(c->data);
    str_free(&c->tasks);
    str_free(&c->results);
    free(c->ranks);
    free(c);
}

/* ---- results ---- */

static void add_result(struct balance_client *c, const struct task_head *task, const void *bytes,
                       size_t length)
{
    struct answer_head answer = {.id = task->id,
                                 .name = {task->origin, task->turn},
                                 .rank = comm_rank(c->comm),
                                 .length = (uint32_t)length,
                                 .outcome = BALANCE_DONE};
    if (c->results.length == 0) /* room for the head, which is filled in at the end */
        str_add_bytes(&c->results, &c->pending, sizeof c->pending);
    str_add_bytes(&c->results, &answer, sizeof answer);
    str_add_bytes(&c->results, bytes, length);
    c->pending.count++;
}

/* Sends operations on data. They come before what the worker says next. */
static void send_data(struct balance_client *c)
{
    if (c->data)
        data_client_flush(c->data);
}

static void send_results(struct balance_client *c)
{
    if (c->pending.count == 0)
        return;
    send_data(c);
    double now = comm_now(c->comm);
    c->pending.seconds = now - c->since;
    c->since = now;
    c->pending.idle = !c->running && c->ready;
    memcpy(c->results.text, &c->pending, sizeof c->pending);
    comm_send(c->comm, c->home, MESSAGE_RESULTS, c->results.text, c->results.length);
    str_clear(&c->results);
    c->pending = (struct results_head){0};
}

static bool has_waiting(const struct balance_client *c)
{
    return c->head < c->tasks.length;
}

/* Reads the next waiting task; false if there is none. Its ranks and bytes follow its head. */
static bool next_task(struct balance_client *c, struct task_head *task, const unsigned char **ranks,
                      const unsigned char **bytes)
{
    const unsigned char *text = (const unsigned char *)c->tasks.text;
    if (!head_next(text, c->tasks.length, &c->head, task, sizeof *task))
        return false;
    *ranks = bytes_next(text, c->tasks.length, &c->head, task_ranks(task));
    *bytes = bytes_next(text, c->tasks.length, &c->head, task->length);
    return true;
}

/* Gives back the tasks that wait behind a long one. */
static void watch_running(void *self)
{
    struct balance_client *c = self;
    c->watcher = 0;
    if (!c->running || !has_waiting(c))
        return;
    double taken = comm_now(c->comm) - c->started;
    if (taken < PATIENCE / 2) { /* it started a moment ago */
        c->watcher = comm_after(c->comm, PATIENCE, watch_running, c);
        return;
    }
    struct str message = {0};
    struct results_head head = {.seconds = taken};
    str_add_bytes(&message, &head, sizeof head);
    str_add_bytes(&message, c->tasks.text + c->head, c->tasks.length - c->head);
    c->head = c->tasks.length;
    comm_send(c->comm, c->home, MESSAGE_RETURNED, message.text, message.length);
    str_free(&message);
}

/* ---- tasks ---- */

static void start_task(struct balance_client *c, const unsigned char *ranks,
                       const unsigned char *bytes)
{
    const struct task_head *task = &c->current;
    struct balance_assignment assignment = {task->id,      task->type, bytes, task->length,
                                            task->workers, 0,          NULL};
    if (task->workers > 1) {
        free(c->ranks);
        c->ranks = memory_new(task->workers, sizeof *c->ranks);
        memcpy(c->ranks, ranks, task_ranks(task));
        assignment.ranks = c->ranks;
        while (c->ranks[assignment.index] != comm_rank(c->comm))
            assignment.index++;
    }
    c->running = true;
    c->interrupted = false;
    c->ready = !c->worker.waits;
    c->worker.task(c->worker.self, &assignment);
}

/* Starts tasks until one keeps running or none is left. */
static void start_tasks(struct balance_client *c)
{
    const unsigned char *ranks, *bytes;
    if (c->starting) /* a task ended at once, inside the loop below */
        return;
    c->starting = true;
    bool began = false;
    while (!c->running && c->ready && next_task(c, &c->current, &ranks, &bytes)) {
        start_task(c, ranks, bytes);
        began = true;
    }
    c->starting = false;
    if (began && c->running) { /* the start of a task that ends at once does not matter */
        c->started = comm_now(c->comm);
        send_data(c);
    }
    if (c->running && has_waiting(c) && !c->watcher)
        c->watcher = comm_after(c->comm, PATIENCE, watch_running, c);
    if (!c->running && !has_waiting(c)) {
        str_clear(&c->tasks);
        c->head = 0;
    }
    if (!c->worker.waits || c->ready)
        send_results(c);
}

void balance_ready(struct balance_client *c)
{
    bool said = c->pending.count > 0; /* the results will say that it is ready */
    c->ready = true;
    start_tasks(c);
    if (!said && !c->running && c->ready) {
        send_data(c);
        comm_send(c->comm, c->home, MESSAGE_READY, NULL, 0);
    }
}

void balance_done(struct balance_client *c, const void *bytes, size_t length)
{
    add_result(c, &c->current, bytes, length);
    c->running = false;
    start_tasks(c);
}

void balance_flush(struct balance_client *c)
{
    send_data(c);
    send_results(c);
}

void balance_data_flush(struct balance_client *c)
{
    send_data(c);
}

void balance_note(struct balance_client *c, const void *bytes, size_t length)
{
    comm_send(c->comm, c->home, MESSAGE_NOTE, bytes, length);
}

void balance_client_put(struct balance_client *c, const struct balance_task *task, bool answer)
{
    if (c->ready && !c->running)
        BUG("a worker puts a task while it says that it is idle");
    send_data(c);
    struct task_head head = task_head_of(task, &c->roles);
    struct str message = {0};
    head.origin = answer ? c->home : -1;
    str_add_bytes(&message, &head, sizeof head);
    str_add_bytes(&message, task->bytes, task->length);
    comm_send(c->comm, c->home, MESSAGE_PUT, message.text, message.length);
    str_free(&message);
}

struct balance_store *balance_store(struct balance_client *c)
{
    return c->store;
}

struct data_client *data_client_of(struct balance_client *c)
{
    if (c->ready && !c->running)
        BUG("a worker changes data while it says that it is idle");
    if (!c->data)
        c->data = data_client_create(c->comm, &c->roles);
    return c->data;
}

/* ---- messages ---- */

static bool is_meant(const struct task_head *task, struct task_name name)
{
    return name.origin < 0 || (task->origin == name.origin && task->turn == name.turn);
}

/* Drops the waiting tasks that `name` means and answers for them; the others keep their order. */
static void drop_waiting(struct balance_client *c, struct task_name name)
{
    struct str kept = {0}, result = {0};
    struct task_head task;
    const unsigned char *ranks, *bytes;
    for (size_t from = c->head; next_task(c, &task, &ranks, &bytes); from = c->head) {
        if (!is_meant(&task, name)) {
            str_add_bytes(&kept, c->tasks.text + from, c->head - from);
            continue;
        }
        str_clear(&result);
        c->worker.dropped(c->worker.self, task.id, &result);
        add_result(c, &task, result.text, result.length);
    }
    str_free(&result);
    str_free(&c->tasks);
    c->tasks = kept;
    c->head = 0;
}

static void interrupt(struct balance_client *c, const struct comm_message *message)
{
    struct task_name name;
    memcpy(&name, message->bytes, sizeof name);
    if (has_waiting(c))
        drop_waiting(c, name);
    bool running = c->running && is_meant(&c->current, name);
    if (running && !c->interrupted) {
        c->interrupted = true; /* it may take a while to end, and be told again */
        c->worker.interrupt(c->worker.self);
    } else if (!running && !c->worker.waits) {
        send_results(c);
    }
}

static void give_up_broken(struct balance_client *c, const struct comm_message *message)
{
    int32_t dead;
    memcpy(&dead, message->bytes, sizeof dead);
    comm_forget(c->comm, dead);
    give_up(c);
}

static void tell_outcome(struct balance_client *c, const struct comm_message *message)
{
    struct answer_head answer;
    size_t at = 0;
    if (!head_next(message->bytes, message->length, &at, &answer, sizeof answer))
        BUG("an outcome without a head");
    const unsigned char *bytes = bytes_next(message->bytes, message->length, &at, answer.length);
    if (c->worker.ended)
        c->worker.ended(c->worker.self, answer.id, (enum balance_outcome)answer.outcome, bytes,
                        answer.length);
}

void balance_client_message(struct balance_client *c, const struct comm_message *message)
{
    double now = comm_now(c->comm);
    if (message->from == c->home)
        c->heard = now;
    if (message->type >= MESSAGE_END) {
        store_client_message(c->store, message);
        return;
    }
    switch (message->type) {
    case MESSAGE_TASKS:
        str_add_bytes(&c->tasks, message->bytes, message->length);
        c->since = now;
        start_tasks(c);
        break;
    case MESSAGE_INTERRUPT: interrupt(c, message); break;
    case MESSAGE_OUTCOME: tell_outcome(c, message); break;
    case MESSAGE_PONG: break; /* it shows that the server is alive, no more */
    case MESSAGE_EXILE: give_up(c); break;
    case MESSAGE_BROKEN: give_up_broken(c, message); break;
    case MESSAGE_FINISH: c->worker.finish(c->worker.self); break;
    default: BUG("a worker got a message of type %d", message->type);
    }
}
