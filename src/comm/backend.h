/*
 * backend.h - what a back end of comm is (private to this room).
 *
 * A back end embeds struct comm as the first member of its own rank and fills in the table.
 */
#ifndef COMM_BACKEND_H
#define COMM_BACKEND_H

#include "comm/comm.h"

/* What a descriptor is watched for. */
enum comm_readiness { COMM_READABLE, COMM_WRITABLE };

struct comm_backend {
    double (*now)(const struct comm *comm);
    void (*send)(struct comm *comm, int to, int type, const void *bytes, size_t length);
    uint64_t (*after)(struct comm *comm, double seconds, comm_handler *handler, void *argument);
    void (*cancel)(struct comm *comm, uint64_t timer);
    /* NULL, like the next: there are no descriptors. */
    void (*watch)(struct comm *comm, int fd, enum comm_readiness readiness, comm_handler *handler,
                  void *argument);
    void (*unwatch)(struct comm *comm, int fd);
    void (*forget)(struct comm *comm, int rank);
};

/* Where the ranks run; one for all ranks of a process. */
struct comm_places {
    int count;            /* number of nodes */
    int *node;            /* by rank */
    char (*names)[64];    /* by node */
    uint64_t *processors; /* by rank: a fingerprint of the node and the processors */
    uint32_t (*addresses)[COMM_ADDRESSES]; /* by node, ended by 0; NULL: not known */
};

struct comm_plugin;

struct comm {
    const struct comm_backend *backend;
    const struct comm_places *places;
    int rank, size;
    bool stopped;
    const struct comm_plugin *plugin; /* in an MPI job; otherwise NULL */
};

/* comm.c: all ranks on one node; places_free() it. */
void places_one(struct comm_places *places, int size);
/* Nodes n1, n2, ... with so many ranks each; places_free() it. */
void places_simulated(struct comm_places *places, int size, int ranks_per_node);
/* Frees the arrays. */
void places_free(struct comm_places *places);

#endif
