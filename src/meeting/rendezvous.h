/*
 * rendezvous.h - the key-value store through which the ranks of Horovod's gloo controller find each
 * other (private to this room).
 *
 * Where horovodrun is the launcher, it serves this store; here the first worker of a trial does:
 *
 *   PUT    /SCOPE/KEY   with a body: the value
 *   GET    /SCOPE/KEY   200 and the value, or 404
 *   DELETE /SCOPE/RANK  this rank has found the others
 *
 * A deleted value stays until all ranks that put one have said so, since another may not have read
 * it yet; then the scope is emptied and can be used again. Each request has its own connection.
 *
 * Horovod has no password for its store. So who may call depends on where a call comes from: on
 * this node, from programs of the same user; from elsewhere, from the trial's other nodes. All
 * others are hung up on before anything is read. Those who may call are bounded in number, bytes
 * and time: they can spoil the store of their own trial, and nothing else. When all places are
 * taken, a new caller replaces the oldest that has not sent a complete request.
 */
#ifndef MEETING_RENDEZVOUS_H
#define MEETING_RENDEZVOUS_H

#include "base/base.h"
#include "comm/comm.h"

struct rendezvous;

struct rendezvous_setup {
    struct comm *comm;
    unsigned port;
    uint32_t address; /* where it listens, in network byte order; INADDR_ANY: everywhere */
    double seconds;   /* after which a call is ended, whatever it waits for */
    unsigned ranks;
    const int *nodes; /* of comm, by rank */
};

/* Starts to listen; NULL when that fails. The setup is copied, but not the nodes. */
struct rendezvous *rendezvous_open(const struct rendezvous_setup *setup);
/* Closes it and all connections. */
void rendezvous_close(struct rendezvous *rendezvous);
/* The same, when comm may be gone. */
void rendezvous_drop(struct rendezvous *rendezvous);

#endif
