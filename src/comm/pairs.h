/*
 * pairs.h - what a simulated world knows about a sending and a receiving rank (private to this
 * room).
 *
 * Only pairs with a message on its way, or of which one has given the other up, are kept: a table
 * of all would have ten billion entries for a hundred thousand ranks.
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
 * A pair, valid until the next call; a new one has time -INFINITY. Pairs whose time is before `now`
 * may be forgotten.
 */
struct pair *pairs_get(struct pairs *pairs, int from, int to, double now);

/* The same, but NULL if nothing is known. */
const struct pair *pairs_find(const struct pairs *pairs, int from, int to);

/* Frees all pairs. */
void pairs_free(struct pairs *pairs);

#endif
