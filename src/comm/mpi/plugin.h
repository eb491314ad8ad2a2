/*
 * plugin.h - what a plug-in for one MPI offers to the program that loads it (private to this room).
 *
 * One program cannot use different MPIs: their headers and libraries differ. So Wick is built
 * without MPI, and the code in this folder is built once for each MPI, as wick-openmpi.so and so
 * on. A plug-in exports one symbol, the table below, and has its own hidden copy of base.
 */
#ifndef COMM_MPI_PLUGIN_H
#define COMM_MPI_PLUGIN_H

#include "comm/backend.h"

/* To be changed with anything that both sides must know: this table, backend.h, struct err. */
enum { COMM_PLUGIN_VERSION = 4 };

#define COMM_PLUGIN_SYMBOL "wick_comm_plugin"

/* The functions are those of comm.h, section "MPI". */
struct comm_plugin {
    int version; /* always the first member */
    int (*open)(struct comm **comm, struct err *e);
    const char *(*describe)(const struct comm *comm);
    void (*begin)(struct comm *comm, const struct comm_actor *actor);
    void (*run)(struct comm *comm, const struct comm_actor *actor);
    void (*wait)(struct comm *comm, const bool *done);
    int (*group)(struct comm *comm, const int *ranks, int count, int tag, void *communicator,
                 struct err *e);
    void (*ungroup)(struct comm *comm, void *communicator);
    void (*end)(struct comm *comm);
    void (*close)(struct comm *comm);
};

#endif
