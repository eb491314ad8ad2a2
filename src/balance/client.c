/*
 * client.c - a worker's side: tasks in, results out.
 *
 * The tasks of a batch run one after another. Results are held back while the next task ends at
 * once (a function), and sent as soon as one keeps running or none is left. While a batch waits, a
 * timer watches the running task: when that takes longer than PATIENCE, the rest goes back.
 */
#include "balance/balance.h"
#include "balance/messages.h"

static const double PATIENCE = 0.02; /* seconds that tasks wait behind another */

struct balance_client {
    struct comm *comm;
    struct balance_worker worker;
    struct str tasks; /* items, from `head` on: not started */
    size_t head;
    struct str results; /* struct balance_results, then items */
    struct balance_results pending;
    bool running, starting;
    uint64_t id;      /* of the running task */
    double started;   /* when it began */
    double since;     /* the last results were sent, or tasks came */
    uint64_t watcher; /* timer; 0: none */
};

struct balance_client *balance_join(struct comm *comm, const struct balance_worker *worker)
{
    struct balance_client *c = memory_new(1, sizeof *c);
    c->comm = comm;
    c->worker = *worker;
    comm_send(comm, 0, BALANCE_READY, NULL, 0);
    return c;
}

void balance_leave(struct balance_client *c)
{
    if (c->watcher)
        comm_cancel(c->comm, c->watcher);
    comm_send(c->comm, 0, BALANCE_BYE, NULL, 0);
    str_free(&c->tasks);
    str_free(&c->results);
    free(c);
}

static void add_result(struct balance_client *c, uint64_t id, const void *bytes, size_t length)
{
    if (c->results.length == 0) /* room for the head, which is known at the end */
        str_add_bytes(&c->results, &c->pending, sizeof c->pending);
    item_add(&c->results, id, bytes, length);
    c->pending.count++;
}

static void send_results(struct balance_client *c)
{
    if (c->pending.count == 0)
        return;
    double now = comm_now(c->comm);
    c->pending.seconds = now - c->since;
    c->since = now;
    c->pending.idle = !c->running;
    memcpy(c->results.text, &c->pending, sizeof c->pending);
    comm_send(c->comm, 0, BALANCE_RESULTS, c->results.text, c->results.length);
    str_clear(&c->results);
    c->pending = (struct balance_results){0};
}

static bool has_waiting(const struct balance_client *c)
{
    return c->head < c->tasks.length;
}

/* Gives back what waits behind a task that takes long. */
static void watch_running(void *self)
{
    struct balance_client *c = self;
    c->watcher = 0;
    if (!c->running || !has_waiting(c))
        return;
    double taken = comm_now(c->comm) - c->started;
    if (taken < PATIENCE / 2) { /* it began a moment ago */
        c->watcher = comm_after(c->comm, PATIENCE, watch_running, c);
        return;
    }
    struct str message = {0};
    struct balance_results head = {.seconds = taken};
    struct balance_item item;
    const unsigned char *bytes;
    str_add_bytes(&message, &head, sizeof head);
    str_add_bytes(&message, c->tasks.text + c->head, c->tasks.length - c->head);
    while (item_next((unsigned char *)c->tasks.text, c->tasks.length, &c->head, &item, &bytes))
        head.count++;
    memcpy(message.text, &head, sizeof head);
    comm_send(c->comm, 0, BALANCE_RETURNED, message.text, message.length);
    str_free(&message);
}

/* Starts tasks until one keeps running or none is left. */
static void start_tasks(struct balance_client *c)
{
    struct balance_item item;
    const unsigned char *bytes;
    if (c->starting) /* a task ended at once, inside the loop below */
        return;
    c->starting = true;
    while (!c->running &&
           item_next((unsigned char *)c->tasks.text, c->tasks.length, &c->head, &item, &bytes)) {
        c->running = true;
        c->id = item.id;
        c->started = comm_now(c->comm);
        c->worker.task(c->worker.self, item.id, bytes, item.length);
    }
    c->starting = false;
    if (c->running && has_waiting(c) && !c->watcher)
        c->watcher = comm_after(c->comm, PATIENCE, watch_running, c);
    if (!c->running) {
        str_clear(&c->tasks);
        c->head = 0;
    }
    send_results(c);
}

void balance_done(struct balance_client *c, const void *bytes, size_t length)
{
    add_result(c, c->id, bytes, length);
    c->running = false;
    start_tasks(c);
}

/* Gives back what was not started, then ends what runs. */
static void interrupt(struct balance_client *c)
{
    struct balance_item item;
    const unsigned char *bytes;
    struct str result = {0};
    while (item_next((unsigned char *)c->tasks.text, c->tasks.length, &c->head, &item, &bytes)) {
        str_clear(&result);
        c->worker.dropped(c->worker.self, item.id, bytes, item.length, &result);
        add_result(c, item.id, result.text, result.length);
    }
    str_free(&result);
    if (c->running)
        c->worker.interrupt(c->worker.self);
    send_results(c);
}

void balance_client_message(struct balance_client *c, const struct comm_message *message)
{
    switch (message->type) {
    case BALANCE_TASKS:
        str_add_bytes(&c->tasks, message->bytes, message->length);
        c->since = comm_now(c->comm);
        start_tasks(c);
        break;
    case BALANCE_INTERRUPT: interrupt(c); break;
    case BALANCE_FINISH: c->worker.finish(c->worker.self); break;
    default: BUG("a worker got a message of type %d", message->type);
    }
}
