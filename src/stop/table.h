/*
 * table.h - items by a number (private to this room).
 *
 * An open hash table of items of one size, each of which begins with its key, a uint64_t that is
 * not 0. Pointers to items are good until the next item is taken or dropped.
 */
#ifndef STOP_TABLE_H
#define STOP_TABLE_H

#include "base/base.h"

struct table {
    unsigned char *items;
    size_t size;            /* of an item */
    size_t count, capacity; /* capacity is 0 or a power of two */
};

/* Start with .size set and the rest 0. */
void table_free(struct table *table);
/* The item of a key, or NULL. */
void *table_find(const struct table *table, uint64_t key);
/* The same; makes one of zeros when there is none. */
void *table_take(struct table *table, uint64_t key);
void table_drop(struct table *table, uint64_t key);
/* The items one by one: start with *at = 0; NULL at the end. */
void *table_next(const struct table *table, size_t *at);

#endif
