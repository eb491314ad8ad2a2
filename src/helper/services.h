/*
 * services.h - programs that the helper starts beside the trials, and that serve a worker over a
 * socket of their own (private to this room). Each ends when its socket is closed.
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
 * Starts the program: descriptors[0] is its socket, as its standard input, [1] is for what it
 * prints. When that fails the socket has an answer that says so.
 */
void services_start(struct services *services, const struct helper_request *request, char *strings,
                    const int *descriptors);
bool services_know(const struct services *services, pid_t pid);
/* A process has ended, which may have been one of these. */
void services_ended(struct services *services, pid_t pid);
/* The one with this id is not needed any more; it has a second to end itself. */
void services_end(struct services *services, uint64_t id);
/* Kills those whose time is over; true when there are others that are to end. */
bool services_sweep(const struct services *services);
void services_kill(const struct services *services);

#endif
