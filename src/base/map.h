/*
 * map.h - a hash table from text to a number, usually the text's place in an array.
 *
 * The table keeps pointers to the texts: they must live as long as it does. Start with {0}.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/str.h"

#include <stdint.h>

struct map {
    struct map_entry *entries;
    size_t count, capacity; /* capacity is 0 or a power of two */
};

enum { MAP_NONE = -1 };

/* Adds a text that is not yet there. */
void map_add(struct map *map, struct slice text, uint32_t number);
/* The number of a text, or MAP_NONE. */
int64_t map_find(const struct map *map, struct slice text);
/* Frees what it holds. */
void map_free(struct map *map);

#endif
