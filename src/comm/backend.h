/*
 * backend.h - what a back end of comm is (private to this room).
 *
 * A back end embeds struct comm as the first member of its own rank, and fills the table.
 */
#ifndef COMM_BACKEND_H
#define COMM_BACKEND_H

#include "comm/comm.h"

struct comm_backend {
    double (*now)(const struct comm *comm);
    void (*send)(struct comm *comm, int to, int type, const void *bytes, size_t length);
    uint64_t (*after)(struct comm *comm, double seconds, comm_handler *handler, void *argument);
    void (*cancel)(struct comm *comm, uint64_t timer);
    void (*watch)(struct comm *comm, int fd, comm_handler *handler, void *argument);
    void (*unwatch)(struct comm *comm, int fd);
};

struct comm {
    const struct comm_backend *backend;
    int rank, size;
    bool stopped;
};

#endif
