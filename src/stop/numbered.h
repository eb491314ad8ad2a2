/*
 * numbered.h - items that are found by their number (private to this room).
 *
 * An open hash table of items of one size, each of which starts with its key, a uint64_t other than
 * 0. Pointers to items are good until the next item is added or removed.
 */
#ifndef STOP_NUMBERED_H
#define STOP_NUMBERED_H

#include "base/base.h"

struct numbered {
    unsigned char *items;
    size_t size;            /* bytes of an item */
    size_t count, capacity; /* capacity is 0 or a power of two */
};

/* Frees the items; the table is empty and may be used again. Start with .size set, the rest 0. */
void numbered_free(struct numbered *table);
/* The item of a key, or NULL. */
void *numbered_find(const struct numbered *table, uint64_t key);
/* The item of a key; one of zeros is added when there is none. */
void *numbered_get(struct numbered *table, uint64_t key);
/* Removes the item of a key, if there is one. */
void numbered_remove(struct numbered *table, uint64_t key);
/* The items one by one, in no order: start with *at = 0; NULL at the end. */
void *numbered_next(const struct numbered *table, size_t *at);

#endif
