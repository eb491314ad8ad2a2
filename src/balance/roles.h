/*
 * roles.h - which ranks serve and which work (private to this room).
 *
 * The ranks are cut into as many blocks as there are servers; the first rank of a block is the
 * server of the others. Ranks that lie together are usually on the same node, so a worker's server
 * is near. Rank 0 is always a server, the first.
 */
#ifndef BALANCE_ROLES_H
#define BALANCE_ROLES_H

#include "base/base.h"

struct roles {
    int size, servers; /* ranks, and servers among them; each server has a worker */
};

/* With servers 0, one for each BLOCK workers. Never more than can have a worker each. */
struct roles roles_of(int size, int servers);

/* The rank of server `index`, from 0. */
int roles_server(const struct roles *roles, int index);
/* The index of the server that is or serves this rank. */
int roles_index(const struct roles *roles, int rank);
/* The rank of the server that serves this rank, or the rank itself. */
int roles_home(const struct roles *roles, int rank);
bool roles_is_server(const struct roles *roles, int rank);

/* Workers are numbered from 1 in the order of their ranks. */
int roles_workers(const struct roles *roles);
int roles_worker(const struct roles *roles, int rank);
int roles_rank(const struct roles *roles, int worker);

#endif
