/* promises.c - the answers that this client waits for. */
#include "library/handle.h"

enum { COMPACT_ABOVE = 1024 }; /* number of told promises from which on places are freed */

static struct promise *place_of(const struct promises *p, uint64_t number)
{
    uint64_t index = number - p->gone - 1; /* out of range for 0 and for numbers that are gone */
    return index < p->count ? &p->items[index] : NULL;
}

uint64_t promises_add(struct promises *p)
{
    p->items = memory_grow(p->items, &p->capacity, p->count + 1, sizeof *p->items);
    p->items[p->count++] = (struct promise){.state = PROMISE_OPEN};
    p->open++;
    return p->gone + p->count;
}

struct promise *promises_find(const struct promises *p, uint64_t number)
{
    struct promise *promise = place_of(p, number);
    return promise && promise->state != PROMISE_TOLD ? promise : NULL;
}

void promises_keep(struct promises *p, uint64_t number, enum wick_outcome outcome,
                   const void *bytes, size_t length)
{
    struct promise *promise = promises_find(p, number);
    if (!promise || promise->state != PROMISE_OPEN)
        BUG("an answer that nobody waits for");
    *promise = (struct promise){PROMISE_KEPT, outcome, memory_new(length, 1), length};
    if (length > 0)
        memcpy(promise->bytes, bytes, length);
    if (p->arrived_first > p->arrived_count) {
        memmove(p->arrived, p->arrived + p->arrived_first, p->arrived_count * sizeof *p->arrived);
        p->arrived_first = 0;
    }
    size_t end = p->arrived_first + p->arrived_count++;
    p->arrived = memory_grow(p->arrived, &p->arrived_capacity, end + 1, sizeof *p->arrived);
    p->arrived[end] = number;
    p->open--;
}

uint64_t promises_oldest(struct promises *p)
{
    while (p->arrived_count > 0) {
        uint64_t number = p->arrived[p->arrived_first];
        if (promises_find(p, number))
            return number;
        p->arrived_first = --p->arrived_count > 0 ? p->arrived_first + 1 : 0;
    }
    return 0;
}

uint64_t promises_open(const struct promises *p)
{
    for (size_t i = p->told_first; p->open > 0 && i < p->count; i++)
        if (p->items[i].state == PROMISE_OPEN)
            return p->gone + i + 1;
    return 0;
}

/* Drops told promises from the front once there are many: usually the oldest are told first. */
static void compact(struct promises *p)
{
    while (p->told_first < p->count && p->items[p->told_first].state == PROMISE_TOLD)
        p->told_first++;
    if (p->told_first < COMPACT_ABOVE || 2 * p->told_first < p->count)
        return;
    p->count -= p->told_first;
    p->gone += p->told_first;
    memmove(p->items, p->items + p->told_first, p->count * sizeof *p->items);
    p->told_first = 0;
}

struct promise promises_take(struct promises *p, uint64_t number)
{
    struct promise *promise = promises_find(p, number), taken = *promise;
    p->open -= taken.state == PROMISE_OPEN;
    *promise = (struct promise){.state = PROMISE_TOLD};
    compact(p);
    return taken;
}

void promises_free(struct promises *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->items[i].bytes);
    free(p->items);
    free(p->arrived);
    *p = (struct promises){0};
}
