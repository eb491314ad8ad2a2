/*
 * server.c - the queue of tasks and the workers that wait for them.
 *
 * A worker is away (not yet ready, or gone), idle, or busy. Invariant, whenever no handler runs:
 * either no worker is idle, or the queue is empty and the owner had nothing more to give.
 */
#include "balance/balance.h"
#include "balance/messages.h"

#include <math.h>

static const double BATCH_SECONDS = 0.01;
enum { BATCH_LIMIT = 512 };

enum worker_state { WORKER_AWAY, WORKER_IDLE, WORKER_BUSY };

struct balance_server {
    struct comm *comm;
    struct balance_owner owner;
    struct str queue; /* items, from `head` on */
    size_t head, queued;
    enum worker_state *workers; /* by rank */
    int *idle;                  /* ranks that are idle; who waits longest is first */
    size_t idle_count;
    size_t running;
    int present;    /* workers that are ready and not gone */
    double seconds; /* that a task takes: a moving mean; 0: not known */
    bool finishing, feeding;
};

struct balance_server *balance_create(struct comm *comm, const struct balance_owner *owner)
{
    struct balance_server *s = memory_new(1, sizeof *s);
    s->comm = comm;
    s->owner = *owner;
    s->present = comm_size(comm) - 1;
    s->workers = memory_new((size_t)comm_size(comm), sizeof *s->workers);
    s->idle = memory_new((size_t)comm_size(comm), sizeof *s->idle);
    return s;
}

void balance_free(struct balance_server *s)
{
    str_free(&s->queue);
    free(s->workers);
    free(s->idle);
    free(s);
}

size_t balance_running(const struct balance_server *s)
{
    return s->running;
}

void balance_put(struct balance_server *s, uint64_t id, const void *bytes, size_t length)
{
    item_add(&s->queue, id, bytes, length);
    s->queued++;
}

/* How many tasks a worker is given at once. */
static size_t batch(const struct balance_server *s)
{
    if (s->seconds <= 0)
        return 1;
    return (size_t)fmax(1, fmin(BATCH_LIMIT, BATCH_SECONDS / s->seconds));
}

/* Gives the first idle worker its share of the queue. */
static void give(struct balance_server *s)
{
    size_t share = (s->queued + s->idle_count - 1) / s->idle_count;
    size_t most = batch(s);
    int rank = s->idle[0];
    s->idle_count--;
    memmove(s->idle, s->idle + 1, s->idle_count * sizeof *s->idle);
    s->workers[rank] = WORKER_BUSY;
    size_t from = s->head;
    for (size_t count = share < most ? share : most; count > 0; count--) {
        struct balance_item item;
        const unsigned char *bytes;
        if (!item_next((unsigned char *)s->queue.text, s->queue.length, &s->head, &item, &bytes))
            BUG("the queue has fewer tasks than it counts");
        s->queued--;
        s->running++;
        s->owner.given(s->owner.self, item.id, rank);
    }
    comm_send(s->comm, rank, BALANCE_TASKS, s->queue.text + from, s->head - from);
    if (s->queued == 0) {
        str_clear(&s->queue);
        s->head = 0;
    }
}

static void send_home(struct balance_server *s)
{
    for (size_t i = 0; i < s->idle_count; i++)
        comm_send(s->comm, s->idle[i], BALANCE_FINISH, NULL, 0);
    s->idle_count = 0;
}

/* Makes the invariant hold. */
static void feed(struct balance_server *s)
{
    if (s->feeding) /* the owner put a task while it was asked: the loop below sees it */
        return;
    s->feeding = true;
    for (;;) {
        size_t wanted = s->idle_count * batch(s);
        if (s->queued < wanted && !s->finishing)
            s->owner.wanted(s->owner.self, wanted - s->queued);
        if (s->queued == 0 || s->idle_count == 0)
            break;
        while (s->queued > 0 && s->idle_count > 0)
            give(s);
    }
    s->feeding = false;
    if (s->finishing)
        send_home(s);
}

static void take_results(struct balance_server *s, const struct comm_message *message)
{
    struct balance_results head;
    struct balance_item item;
    const unsigned char *bytes;
    memcpy(&head, message->bytes, sizeof head);
    size_t at = sizeof head;
    s->running -= head.count;
    if (head.count > 0) {
        double mean = head.seconds / (double)head.count;
        s->seconds = s->seconds <= 0 ? mean : 0.8 * s->seconds + 0.2 * mean;
        s->seconds = fmax(s->seconds, 1e-9); /* 0 would say: not known */
    }
    while (item_next(message->bytes, message->length, &at, &item, &bytes))
        s->owner.result(s->owner.self, item.id, message->from, bytes, item.length);
    if (head.idle) {
        s->workers[message->from] = WORKER_IDLE;
        s->idle[s->idle_count++] = message->from;
    }
}

/*
 * Takes back what a worker did not start: to the front of the queue, since it was to run by now.
 * The guess of how long a task takes was wrong, and is corrected.
 */
static void take_back(struct balance_server *s, const struct comm_message *message)
{
    struct balance_results head;
    struct balance_item item;
    const unsigned char *bytes;
    struct str queue = {0};
    memcpy(&head, message->bytes, sizeof head);
    size_t at = sizeof head;
    s->seconds = fmax(s->seconds, head.seconds);
    s->running -= head.count;
    while (item_next(message->bytes, message->length, &at, &item, &bytes)) {
        if (s->owner.returned(s->owner.self, item.id, message->from)) {
            item_add(&queue, item.id, bytes, item.length);
            s->queued++;
        }
    }
    str_add_bytes(&queue, s->queue.text + s->head, s->queue.length - s->head);
    str_free(&s->queue);
    s->queue = queue;
    s->head = 0;
}

void balance_message(struct balance_server *s, const struct comm_message *message)
{
    switch (message->type) {
    case BALANCE_READY:
        s->workers[message->from] = WORKER_IDLE;
        s->idle[s->idle_count++] = message->from;
        break;
    case BALANCE_RESULTS: take_results(s, message); break;
    case BALANCE_RETURNED: take_back(s, message); break;
    case BALANCE_BYE:
        s->workers[message->from] = WORKER_AWAY;
        if (--s->present == 0)
            s->owner.finished(s->owner.self);
        return;
    default: BUG("the server got a message of type %d", message->type);
    }
    feed(s);
}

void balance_withdraw(struct balance_server *s)
{
    struct balance_item item;
    const unsigned char *bytes;
    while (item_next((unsigned char *)s->queue.text, s->queue.length, &s->head, &item, &bytes))
        (void)s->owner.returned(s->owner.self, item.id, 0);
    str_clear(&s->queue);
    s->head = s->queued = 0;
}

void balance_interrupt(struct balance_server *s)
{
    for (int rank = 1; rank < comm_size(s->comm); rank++)
        if (s->workers[rank] == WORKER_BUSY)
            comm_send(s->comm, rank, BALANCE_INTERRUPT, NULL, 0);
}

void balance_finish(struct balance_server *s)
{
    s->finishing = true;
    feed(s);
}
