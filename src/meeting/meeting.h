/*
 * meeting - where the ranks of a trial meet: an address, a port, and a store for Horovod.
 *
 * The worker of rank 0 opens a meeting and keeps it while the ranks run; its place goes to all of
 * them. Their programs connect to each other there, by torch.distributed, MPI or gloo.
 */
#ifndef MEETING_MEETING_H
#define MEETING_MEETING_H

#include "base/base.h"
#include "comm/comm.h"

#include <net/if.h>

enum { MEETING_ADDRESS = 64 };

/* Where the ranks of a trial meet; it goes to all of them as bytes. */
struct meeting_place {
    char address[MEETING_ADDRESS]; /* of the node of rank 0 */
    unsigned port;                 /* that is free there */
    unsigned store;                /* another one, of the key-value store for Horovod; 0: none */
};

/* What the worker of rank 0 keeps while they run: the ports, and the store. */
struct meeting;

/*
 * Opens a meeting of ranks that run on these nodes of comm, the first of which is this one, and
 * fills in its place.
 */
struct meeting *meeting_open(struct comm *comm, const int *nodes, unsigned ranks, bool with_store,
                             struct meeting_place *place);
/* Closes it and frees the ports; NULL is fine. */
void meeting_close(struct meeting *meeting);
/* The same, when comm may be gone. */
void meeting_drop(struct meeting *meeting);

/* A network interface of this node. */
struct meeting_interface {
    char name[IF_NAMESIZE];
    char address[MEETING_ADDRESS];
};

/* The only interface of this node beside loopback; false when there are none or several. */
bool meeting_only_interface(struct meeting_interface *interface);

#endif
