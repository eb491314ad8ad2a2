/*
 * agenda.h - what will happen in a simulated world, and in which order (private to this room).
 *
 * Ordered by time; at the same time by chance; with the same chance in the order of adding. The
 * order does not depend on how the agenda is stored, so neither does a history.
 *
 * An item is a number of the caller's and is on the agenda at most once at a time. A hundred
 * thousand ranks have some hundred thousand entries, and most of the simulator's time goes into
 * reading them: so they are small, and everything that does not decide the order is elsewhere.
 */
#ifndef COMM_AGENDA_H
#define COMM_AGENDA_H

#include "base/base.h"

struct agenda_entry {
    double time;
    uint32_t chance, item;
};

/* Start with {0}. */
struct agenda {
    struct agenda_entry *entries; /* a heap, each with four children; the next one first */
    size_t count, capacity;
    uint64_t *turns; /* by item: how many had been added before it */
    size_t turn_capacity;
    uint64_t added;
};

/* Adds an item. */
void agenda_add(struct agenda *agenda, double time, uint32_t chance, uint32_t item);

/* The time of the next entry; INFINITY: there is none. */
double agenda_next_time(const struct agenda *agenda);

/* Removes and returns the next entry; there must be one. */
struct agenda_entry agenda_take(struct agenda *agenda);

/* Removes all items for which `keep` is false, in one pass. */
void agenda_sift(struct agenda *agenda, bool (*keep)(void *argument, uint32_t item),
                 void *argument);

/* Frees the entries. */
void agenda_free(struct agenda *agenda);

#endif
