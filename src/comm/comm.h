/*
 * comm - messages between ranks, timers and file descriptors: the only source of events.
 *
 * A rank is an actor: handlers that are called one at a time with an event (a message, a timer, a
 * descriptor that became ready), send messages, and return. Handlers never block, and take the time
 * from comm_now(). So the same actors run on every back end:
 *
 *   threads  ranks are threads of this process; a rank without events sleeps in the kernel
 *   sim      one thread and virtual time; a seed decides how long each message is on its way, so
 *            every race can be met, and met again
 *
 * Messages from one rank to another arrive in the order in which they were sent; between different
 * pairs there is no order. A rank may send to itself. Messages are copied, and sending never waits.
 */
#ifndef COMM_COMM_H
#define COMM_COMM_H

#include "base/base.h"

struct comm; /* one rank's end of the line; used by this rank's handlers alone */

struct comm_message {
    int from;
    int type; /* means something to the sender and the receiver only */
    const unsigned char *bytes;
    size_t length;
};

/* What a rank does. `self` is passed to each handler. */
struct comm_actor {
    void *self;
    void (*start)(void *self, struct comm *comm); /* once, before any other event */
    void (*message)(void *self, const struct comm_message *message);
};

int comm_rank(const struct comm *comm);
int comm_size(const struct comm *comm);

/* Seconds since some moment before the start; never goes back. */
double comm_now(const struct comm *comm);

void comm_send(struct comm *comm, int to, int type, const void *bytes, size_t length);

/* Ends this rank's loop when the handler returns. Messages that still arrive are dropped. */
void comm_stop(struct comm *comm);

typedef void comm_handler(void *argument);

/*
 * Calls the handler once, `seconds` from now; returns the timer's name, never 0. A timer that fired
 * or was cancelled is forgotten, and cancelling it again does nothing.
 */
uint64_t comm_after(struct comm *comm, double seconds, comm_handler *handler, void *argument);
void comm_cancel(struct comm *comm, uint64_t timer);

/*
 * Calls the handler whenever fd can be read (or its other end is closed), until comm_unwatch(). The
 * simulator has no descriptors, and never calls it.
 */
void comm_watch(struct comm *comm, int fd, comm_handler *handler, void *argument);
void comm_unwatch(struct comm *comm, int fd);

/*
 * Runs `size` ranks as threads of this process, rank 0 on the calling thread, until every rank has
 * stopped.
 */
int comm_threads(int size, const struct comm_actor *actors, struct err *e);

/* A world to simulate. */
struct comm_world {
    uint64_t seed;
    double latency; /* mean seconds that a message is on its way, exponentially distributed */
    double limit;   /* virtual seconds after which it is given up; 0: never */
};

/*
 * Runs `size` ranks in virtual time until every rank has stopped; *seconds is how long that took.
 * ERR_SYSTEM when ranks wait and nothing can happen any more (a deadlock), or at the limit; the
 * message names the seed, with which it happens again.
 */
int comm_simulate(int size, const struct comm_actor *actors, const struct comm_world *world,
                  double *seconds, struct err *e);

#endif
