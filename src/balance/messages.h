/*
 * messages.h - what server and client say to each other (private to this room).
 *
 *   client                          server
 *     ── BALANCE_READY ──────────────▶        I am here, and idle
 *     ◀────────────── BALANCE_TASKS ──        items: run these, in this order
 *     ── BALANCE_RESULTS ────────────▶        seconds, then items; `idle` when all are done
 *     ── BALANCE_RETURNED ───────────▶        the same: one takes long, give these to others
 *     ◀────────── BALANCE_INTERRUPT ──        end what you run, drop what you have
 *     ◀───────────── BALANCE_FINISH ──        no more work
 *     ── BALANCE_BYE ────────────────▶        I am gone
 *
 * An item is a struct balance_item followed by its bytes.
 */
#ifndef BALANCE_MESSAGES_H
#define BALANCE_MESSAGES_H

#include "base/base.h"

enum {
    BALANCE_READY = 1,
    BALANCE_TASKS,
    BALANCE_RESULTS,
    BALANCE_RETURNED,
    BALANCE_INTERRUPT,
    BALANCE_FINISH,
    BALANCE_BYE,
};

struct balance_item {
    uint64_t id;
    uint64_t length;
};

struct balance_results {
    double seconds; /* that these tasks took; returned: that the running one has taken so far */
    uint64_t count;
    uint64_t idle; /* 1: the worker has nothing left */
};

static inline void item_add(struct str *s, uint64_t id, const void *bytes, size_t length)
{
    struct balance_item item = {id, length};
    str_add_bytes(s, &item, sizeof item);
    str_add_bytes(s, bytes, length);
}

/* Takes the next item of a text from *at on; false at its end. */
static inline bool item_next(const unsigned char *text, size_t size, size_t *at,
                             struct balance_item *item, const unsigned char **bytes)
{
    if (size - *at < sizeof *item)
        return false;
    memcpy(item, text + *at, sizeof *item);
    *bytes = text + *at + sizeof *item;
    if (item->length > size - *at - sizeof *item)
        BUG("an item is longer than its message");
    *at += sizeof *item + item->length;
    return true;
}

#endif
