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
 */
#ifndef MEETING_RENDEZVOUS_H
#define MEETING_RENDEZVOUS_H

#include "base/base.h"
#include "comm/comm.h"

struct rendezvous;

/* Listens on the port, on loopback only or on all interfaces; NULL when that fails. */
struct rendezvous *rendezvous_open(struct comm *comm, unsigned port, bool loopback);
/* Closes it and all connections. */
void rendezvous_close(struct rendezvous *rendezvous);
/* The same, when comm may be gone. */
void rendezvous_drop(struct rendezvous *rendezvous);

#endif
