/*
 * services.h - programs that serve a worker, over a socket of their own, for longer than a trial
 * (private to this room). Each ends when its socket is closed.
 */
#ifndef HELPER_SERVICES_H
#define HELPER_SERVICES_H

#include "helper/start.h"

struct services {
    struct service {
        uint64_t id;
        pid_t pid;
        double due; /* when to kill it; 0: it is needed */
    } * all;
    size_t count, capacity;
};

/*
 * Starts a program: descriptors[0] is its socket, as its standard input, and [1] is for what it
 * prints. When that fails, the socket gets an answer that says so.
 */
void services_start(struct services *services, const struct helper_request *request, char *strings,
                    const int *descriptors);
/* True when the process is a service. */
bool services_know(const struct services *services, pid_t pid);
/* A process has ended, which may have been one of these. */
void services_ended(struct services *services, pid_t pid);
/* The service with this id is no longer needed; it has a second to end itself. */
void services_end(struct services *services, uint64_t id);
/* Kills those whose second is over; true when others still have theirs. */
bool services_sweep(const struct services *services);
/* Kills all. */
void services_kill(const struct services *services);

#endif
