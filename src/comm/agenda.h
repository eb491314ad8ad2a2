/*
 * agenda.h - what will happen in a simulated world, and in which order (private to this room).
 *
 * By time; at the same time by chance; with the same chance as it was added. The order does not
 * depend on how the agenda is kept, so a history does not either.
 *
 * An entry names what will happen by a number of the caller's. The keys lie apart from it and close
 * together: a hundred thousand ranks have some hundred thousand entries, and most of the time goes
 * to reading them.
 */
#ifndef COMM_AGENDA_H
#define COMM_AGENDA_H

#include "base/base.h"

struct agenda_entry {
    double time;
    uint64_t turn; /* how many were added before it */
    uint32_t chance;
    uint32_t item;
};

/* Start with {0}. */
struct agenda {
    struct agenda_entry *entries; /* a heap, each with four children; the next one first */
    size_t count, capacity;
    uint64_t turns;
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
