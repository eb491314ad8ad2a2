/*
 * loop.h - timers and descriptors of one rank, for the back ends that run in real time (private to
 * this room). The back end brings the messages and decides how to sleep.
 */
#ifndef COMM_LOOP_H
#define COMM_LOOP_H

#include "comm/backend.h"

struct loop {
    const bool *stopped;       /* no handler is called once this is true */
    const bool *done;          /* nor once this is true; NULL: nothing else ends it */
    int epoll;                 /* readable when a watched descriptor is ready */
    struct loop_timer *timers; /* a heap, the next one first */
    size_t timer_count, timer_capacity;
    uint64_t timer_names;
    struct loop_watch *watches; /* by descriptor */
    size_t watch_capacity;
    size_t polled; /* descriptors that the kernel has no room to watch now */
    bool polls;    /* a timer is set for them */
};

/* Creates a loop; loop_destroy() it. *stopped must live as long. */
int loop_create(struct loop *loop, const bool *stopped, struct err *e);
/* Frees timers and watches; the descriptors stay open. */
void loop_destroy(struct loop *loop);

/* True when no further handler may be called. */
bool loop_ended(const struct loop *loop);

/* As comm_after(). */
uint64_t loop_after(struct loop *loop, double seconds, comm_handler *handler, void *argument);
/* As comm_cancel(). */
void loop_cancel(struct loop *loop, uint64_t timer);
/* As comm_watch() and comm_watch_writable(). */
void loop_watch(struct loop *loop, int fd, enum comm_readiness readiness, comm_handler *handler,
                void *argument);
/* As comm_unwatch(). */
void loop_unwatch(struct loop *loop, int fd);

/* Seconds until the next timer is due, at least 0; INFINITY: there is none. */
double loop_until_timer(const struct loop *loop);

/* Fires the timers that are due at `now`, by clock_now(); false if none was. */
bool loop_fire(struct loop *loop, double now);

/*
 * Waits at most `milliseconds` (-1: for ever) for descriptors and calls the handlers of those that
 * are ready; false when none was.
 */
bool loop_poll(struct loop *loop, int milliseconds);

#endif
