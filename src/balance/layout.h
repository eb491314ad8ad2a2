/*
 * layout.h - which ranks serve and which work (private to this room).
 *
 * The ranks are cut into as many blocks as there are servers; the first rank of a block is the
 * server of the others. Ranks that lie together are usually on the same node, so a worker's server
 * is near. Rank 0 is always a server, the first.
 */
#ifndef BALANCE_LAYOUT_H
#define BALANCE_LAYOUT_H

#include "base/base.h"

struct layout {
    int size, servers; /* ranks, and servers among them; each server has a worker */
};

/* With servers 0, one for each LAYOUT_BLOCK workers. Never more than can have a worker each. */
struct layout layout_of(int size, int servers);

/* The rank of server `index`, from 0. */
int layout_server(const struct layout *layout, int index);
/* The index of the server that is or serves this rank. */
int layout_index(const struct layout *layout, int rank);
/* The rank of the server that serves this rank, or the rank itself. */
int layout_home(const struct layout *layout, int rank);
bool layout_is_server(const struct layout *layout, int rank);

/* Workers are numbered from 1 in the order of their ranks. */
int layout_workers(const struct layout *layout);
int layout_worker(const struct layout *layout, int rank);
int layout_rank(const struct layout *layout, int worker);

#endif
