/*
 * balance - hand tasks to workers, and bring the results back.
 *
 * A task is an id and bytes that balance does not look into; so is a result. Work is pulled: a
 * worker that has nothing to do asks, and the server asks its owner for more tasks only then, so
 * that a search decides as late as it can and with all results that are there.
 *
 * Short tasks travel in batches, so that a message is not longer on its way than its tasks take:
 * the server measures how long tasks take and gives each worker about BATCH_SECONDS of work. What a
 * task takes is a guess, so no task waits behind a long one: a worker whose task goes on for longer
 * gives the rest of its batch back, and others get it.
 *
 * Server and client are event handlers: they act on a message and return.
 */
#ifndef BALANCE_BALANCE_H
#define BALANCE_BALANCE_H

#include "base/base.h"
#include "comm/comm.h"

/* ---- the server: on rank 0, beside the driver ---- */

struct balance_server;

/* What the server tells its owner. The handlers may call balance_put() and balance_finish(). */
struct balance_owner {
    void *self;
    /* Workers are idle: put up to `count` tasks now, if there are any. */
    void (*wanted)(void *self, size_t count);
    /* A task goes to a worker. */
    void (*given)(void *self, uint64_t id, int worker);
    /*
     * A task comes back from a worker that did not start it; worker 0: from the queue, after
     * balance_withdraw(). True: it is to be given again, which a withdrawn one is not.
     */
    bool (*returned)(void *self, uint64_t id, int worker);
    /* A task's result came back; the bytes are valid during the call. */
    void (*result)(void *self, uint64_t id, int worker, const unsigned char *bytes, size_t length);
    /* All workers have left after balance_finish(). */
    void (*finished)(void *self);
};

/* Serves ranks 1 .. size-1 of comm. */
struct balance_server *balance_create(struct comm *comm, const struct balance_owner *owner);
void balance_free(struct balance_server *server);

/* Takes a message for this rank. */
void balance_message(struct balance_server *server, const struct comm_message *message);

/* Queues a task; the bytes are copied. */
void balance_put(struct balance_server *server, uint64_t id, const void *bytes, size_t length);

/* Tasks that are with workers now. */
size_t balance_running(const struct balance_server *server);

/* Gives all tasks that no worker has back to the owner. */
void balance_withdraw(struct balance_server *server);

/* Tells workers to end what they run at once; the results come as usual. */
void balance_interrupt(struct balance_server *server);

/* No more tasks will come: idle workers are sent home, busy ones after their results. */
void balance_finish(struct balance_server *server);

/* ---- the client: on each worker ---- */

struct balance_client;

/* What the client tells the worker. */
struct balance_worker {
    void *self;
    /* Run this task; call balance_done() now or later. Tasks come one at a time. */
    void (*task)(void *self, uint64_t id, const unsigned char *bytes, size_t length);
    /* End the running task at once. */
    void (*interrupt)(void *self);
    /* A task that was given but not started, and was interrupted: append its result. */
    void (*dropped)(void *self, uint64_t id, const unsigned char *bytes, size_t length,
                    struct str *result);
    /* There is no more work. */
    void (*finish)(void *self);
};

struct balance_client *balance_join(struct comm *comm, const struct balance_worker *worker);
void balance_leave(struct balance_client *client);
void balance_client_message(struct balance_client *client, const struct comm_message *message);

/* The result of the task that runs; the next one starts before this returns, if there is one. */
void balance_done(struct balance_client *client, const void *bytes, size_t length);

#endif
