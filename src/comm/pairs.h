/*
 * pairs.h - what a simulated world knows of a rank that sends and a rank that receives (private to
 * this room).
 *
 * Only of pairs for which something is on its way, or that have given each other up: a table of
 * all would have ten thousand million places for a hundred thousand ranks.
 */
#ifndef COMM_PAIRS_H
#define COMM_PAIRS_H

#include "base/base.h"

struct pair {
    uint64_t key;    /* the table's own */
    double time;     /* when the last message arrives; INFINITY: `from` has given `to` up */
    uint32_t chance; /* of that message */
};

/* Start with {0}. */
struct pairs {
    struct pair *places;
    size_t count, capacity; /* capacity is 0 or a power of two */
};

/*
 * A pair, to read and write until the next call; a new one has time -INFINITY. Pairs whose time is
 * before `now` may be forgotten.
 */
struct pair *pairs_get(struct pairs *pairs, int from, int to, double now);

/* The same, but NULL when nothing is known. */
const struct pair *pairs_find(const struct pairs *pairs, int from, int to);

void pairs_free(struct pairs *pairs);

#endif
