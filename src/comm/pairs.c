/* pairs.c - a hash table with linear probing; past pairs are dropped when the table is full. */
#include "comm/pairs.h"

#include <math.h>

enum { SMALLEST = 64 };

/* Never 0, which marks an empty place. */
static uint64_t key_of(int from, int to)
{
    return (uint64_t)(from + 1) << 32 | (uint32_t)to;
}

/* The place of a key, or the empty place where it belongs. */
static struct pair *place_of(const struct pairs *pairs, uint64_t key)
{
    size_t mask = pairs->capacity - 1;
    size_t at = ((key ^ key >> 29) * 0x9e3779b97f4a7c15u) >> 32 & mask;
    while (pairs->places[at].key != 0 && pairs->places[at].key != key)
        at = (at + 1) & mask;
    return &pairs->places[at];
}

/* Keeps the pairs that have not passed, in a table at most a quarter full: the next time is far. */
static void renew(struct pairs *pairs, double now)
{
    struct pairs old = *pairs;
    pairs->count = 0;
    for (size_t i = 0; i < old.capacity; i++)
        pairs->count += old.places[i].key != 0 && old.places[i].time >= now;
    pairs->capacity = SMALLEST;
    while (pairs->capacity < 4 * pairs->count)
        pairs->capacity *= 2;
    pairs->places = memory_new(pairs->capacity, sizeof *pairs->places);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.places[i].key != 0 && old.places[i].time >= now)
            *place_of(pairs, old.places[i].key) = old.places[i];
    free(old.places);
}

struct pair *pairs_get(struct pairs *pairs, int from, int to, double now)
{
    if (4 * pairs->count >= 3 * pairs->capacity)
        renew(pairs, now);
    uint64_t key = key_of(from, to);
    struct pair *pair = place_of(pairs, key);
    if (pair->key == 0) {
        *pair = (struct pair){.key = key, .time = -INFINITY};
        pairs->count++;
    }
    return pair;
}

const struct pair *pairs_find(const struct pairs *pairs, int from, int to)
{
    if (pairs->capacity == 0)
        return NULL;
    const struct pair *pair = place_of(pairs, key_of(from, to));
    return pair->key == 0 ? NULL : pair;
}

void pairs_free(struct pairs *pairs)
{
    free(pairs->places);
}
