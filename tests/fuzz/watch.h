/*
 * watch.h - comm for a fuzzer: descriptors are watched, and their handlers called from here.
 *
 * The functions replace those of src/comm, whose back ends are threads; so the fuzzed code runs
 * alone, and the same bytes always do the same.
 */
#ifndef FUZZ_WATCH_H
#define FUZZ_WATCH_H

#include "comm/comm.h"

#include <poll.h>

enum { WATCHES = 64 };

static struct watch {
    comm_handler *handler;
    void *argument;
    int fd;
    short events;
} watches[WATCHES];
static size_t watch_count;

static void add_watch(int fd, short events, comm_handler *handler, void *argument)
{
    if (watch_count == WATCHES)
        abort();
    watches[watch_count++] = (struct watch){handler, argument, fd, events};
}

void comm_watch(struct comm *comm, int fd, comm_handler *handler, void *argument)
{
    (void)comm;
    add_watch(fd, POLLIN, handler, argument);
}

void comm_watch_writable(struct comm *comm, int fd, comm_handler *handler, void *argument)
{
    (void)comm;
    add_watch(fd, POLLOUT, handler, argument);
}

void comm_unwatch(struct comm *comm, int fd)
{
    size_t at = 0;
    (void)comm;
    while (at < watch_count && watches[at].fd != fd)
        at++;
    if (at == watch_count)
        abort(); /* it was not watched */
    watches[at] = watches[--watch_count];
}

/* No timer is ever due. */
uint64_t comm_after(struct comm *comm, double seconds, comm_handler *handler, void *argument)
{
    (void)comm, (void)seconds, (void)handler, (void)argument;
    return 1;
}

void comm_cancel(struct comm *comm, uint64_t timer)
{
    (void)comm, (void)timer;
}

/* Time stands still. */
double comm_now(const struct comm *comm)
{
    (void)comm;
    return 0;
}

/* Calls a handler that has something to do; false if there is none. */
static bool serve_one(void)
{
    for (size_t i = 0; i < watch_count; i++) {
        struct pollfd poller = {watches[i].fd, watches[i].events, 0};
        if (poll(&poller, 1, 0) == 1) {
            watches[i].handler(watches[i].argument);
            return true;
        }
    }
    return false;
}

static void serve_all(void)
{
    while (serve_one())
        ;
}

#endif
