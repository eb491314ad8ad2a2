/*
 * datum.h - data of the store, as the values of this room name them (private to this room).
 *
 * A reference is the id of a datum together with its kind, which the store does not tell. A row of
 * an array is a reference to an array, even if it is a bag.
 */
#ifndef FLOW_DATUM_H
#define FLOW_DATUM_H

#include "balance/balance.h"
#include "leaf/leaf.h"

enum { DATUM_KIND_SHIFT = 62 }; /* ids are smaller: their upper bits are the rank that made them */

/* A reference to a datum, as a value. */
static inline struct leaf_value datum_reference(uint64_t id, enum balance_kind kind)
{
    uint64_t reference = id | (uint64_t)kind << DATUM_KIND_SHIFT;
    return (struct leaf_value){.kind = LEAF_REFERENCE, .whole = (int64_t)reference};
}

/* Its id. */
static inline uint64_t datum_id(const struct leaf_value *reference)
{
    return (uint64_t)reference->whole & (((uint64_t)1 << DATUM_KIND_SHIFT) - 1);
}

/* Its kind. */
static inline enum balance_kind datum_kind(const struct leaf_value *reference)
{
    return (enum balance_kind)((uint64_t)reference->whole >> DATUM_KIND_SHIFT);
}

#endif
