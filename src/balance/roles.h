/*
 * roles.h - which ranks are servers and which are workers (private to this room).
 *
 * The ranks are divided into as many blocks as there are servers; the first rank of a block serves
 * the others. Neighbouring ranks are usually on the same node, so a worker's server is near. Rank 0
 * is always a server, the first one.
 */
#ifndef BALANCE_ROLES_H
#define BALANCE_ROLES_H

#include "base/base.h"

struct roles {
    int size, servers; /* number of ranks, and of servers among them; each server has a worker */
};

/* `servers` 0: one for every BLOCK ranks. Never more than can have a worker each. */
struct roles roles_of(int size, int servers);

/* The rank of server `index`, from 0. */
int roles_server(const struct roles *roles, int index);
/* The index of the server that serves this rank, or is this rank. */
int roles_index(const struct roles *roles, int rank);
/* The rank of the server that serves this rank; a server's own rank. */
int roles_home(const struct roles *roles, int rank);
/* True when this rank is a server. */
bool roles_is_server(const struct roles *roles, int rank);

/* How many workers there are. */
int roles_workers(const struct roles *roles);
/* The number of a worker, from 1 in the order of their ranks. */
int roles_worker(const struct roles *roles, int rank);
/* The rank of a worker by its number. */
int roles_rank(const struct roles *roles, int worker);

#endif
