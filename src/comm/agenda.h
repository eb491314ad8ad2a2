/*
 * agenda.h - what will happen in a simulated world, and in which order (private to this room).
 *
 * By time; at the same time by chance; with the same chance as it was added. The order does not
 * depend on how the agenda is kept, so a history does not either.
 *
 * An item is a number of the caller's, on the agenda at most once at a time. A hundred thousand
 * ranks have some hundred thousand entries, and most of the simulator's time goes to reading them:
 * so they are small, and all that does not decide the order is elsewhere.
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
    uint64_t *turns; /* by item: how many were added before it */
    size_t turn_capacity;
    uint64_t added;
};

void agenda_add(struct agenda *agenda, double time, uint32_t chance, uint32_t item);

/* When something happens next; INFINITY: never. */
double agenda_next_time(const struct agenda *agenda);

/* Takes out the next entry; there must be one. */
struct agenda_entry agenda_take(struct agenda *agenda);

/* Drops what `keep` says no to, in one walk through all. */
void agenda_sift(struct agenda *agenda, bool (*keep)(void *argument, uint32_t item),
                 void *argument);

void agenda_free(struct agenda *agenda);

#endif
