/* retry.h - trials to run again, before any new one (private to this room). */
#ifndef RUN_RETRY_H
#define RUN_RETRY_H

#include "base/base.h"

/* Ids in the order in which they came, from `next` on. Start with {0}. */
struct retry {
    uint64_t *ids;
    size_t next, count, capacity;
};

/* Adds a trial at the end. */
void retry_add(struct retry *retry, uint64_t id);
/* The trial that comes next, and stays; 0: none waits. */
uint64_t retry_first(const struct retry *retry);
/* Removes that one. */
void retry_drop(struct retry *retry);
/* Frees what it holds. */
void retry_free(struct retry *retry);

#endif
