/* pack.h - values as bytes: in tasks, and in the store (private to this room). */
#ifndef FLOW_PACK_H
#define FLOW_PACK_H

#include "base/base.h"
#include "leaf/leaf.h"

/* Data that some bytes refer to, each as often as it stands there. Free items. */
struct id_list {
    uint64_t *items;
    size_t count, capacity;
};

/* Adds an id. */
void id_list_add(struct id_list *list, uint64_t id);

/* Appends a value; the ids in it are added to the list. */
void pack_value(struct str *out, const struct leaf_value *value, struct id_list *ids);
/*
 * Reads a value from *at on. Its texts point into the bytes, its members live in the arena. BUG()
 * if it is cut off: bytes come from another rank of this program.
 */
struct leaf_value unpack_value(struct slice bytes, size_t *at, struct arena *arena);

/* Appends a number of 8 bytes, and reads one. */
void pack_number(struct str *out, uint64_t number);
/* Reads it. */
uint64_t unpack_number(struct slice bytes, size_t *at);

#endif
