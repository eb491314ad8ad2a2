/* numbered.c - items found by their number: linear probing, without marks for removed items. */
#include "stop/numbered.h"

static void *item(const struct numbered *table, size_t at)
{
    return table->items + at * table->size;
}

static uint64_t key_at(const struct numbered *table, size_t at)
{
    uint64_t key;
    memcpy(&key, item(table, at), sizeof key);
    return key;
}

/*
 * Where the search for a key starts. Keys are often consecutive: without hashing, they would form
 * one long run.
 */
static size_t home_of(const struct numbered *table, uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (table->capacity - 1);
}

/* The place of a key, or the free place where it belongs. */
static size_t place_of(const struct numbered *table, uint64_t key)
{
    size_t at = home_of(table, key);
    for (uint64_t found; (found = key_at(table, at)) != 0 && found != key;)
        at = (at + 1) & (table->capacity - 1);
    return at;
}

void numbered_free(struct numbered *table)
{
    free(table->items);
    *table = (struct numbered){.size = table->size};
}

void *numbered_find(const struct numbered *table, uint64_t key)
{
    if (table->capacity == 0)
        return NULL;
    size_t at = place_of(table, key);
    return key_at(table, at) ? item(table, at) : NULL;
}

static void widen(struct numbered *table)
{
    enum { LEAST = 16 };
    struct numbered old = *table;
    table->capacity = old.capacity ? 2 * old.capacity : LEAST;
    table->items = memory_new(table->capacity, table->size);
    for (size_t i = 0; i < old.capacity; i++) {
        uint64_t key = key_at(&old, i);
        if (key)
            memcpy(item(table, place_of(table, key)), item(&old, i), table->size);
    }
    free(old.items);
}

void *numbered_get(struct numbered *table, uint64_t key)
{
    if (2 * (table->count + 1) > table->capacity)
        widen(table);
    void *found = item(table, place_of(table, key));
    uint64_t there;
    memcpy(&there, found, sizeof there);
    if (!there) {
        memcpy(found, &key, sizeof key);
        table->count++;
    }
    return found;
}

/* Items behind the hole move into it if it lies between their home and their place. */
void numbered_remove(struct numbered *table, uint64_t key)
{
    if (!numbered_find(table, key))
        return;
    size_t mask = table->capacity - 1, hole = place_of(table, key);
    for (size_t at = (hole + 1) & mask; key_at(table, at); at = (at + 1) & mask) {
        size_t home = home_of(table, key_at(table, at));
        if (((at - home) & mask) < ((at - hole) & mask))
            continue;
        memcpy(item(table, hole), item(table, at), table->size);
        hole = at;
    }
    memset(item(table, hole), 0, table->size);
    table->count--;
}

void *numbered_next(const struct numbered *table, size_t *at)
{
    while (*at < table->capacity && !key_at(table, *at))
        ++*at;
    return *at < table->capacity ? item(table, (*at)++) : NULL;
}
