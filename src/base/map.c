/* map.c - open addressing with linear probing; at most half full. */
#include "base/base.h"

struct map_entry {
    struct slice text; /* text.text is NULL in a free entry */
    uint32_t number;
};

/* FNV-1a, then a final mix, since only low bits choose the entry. */
static uint64_t hash(struct slice text)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < text.length; i++)
        h = (h ^ (unsigned char)text.text[i]) * 1099511628211u;
    return h ^ (h >> 29);
}

static bool same(struct slice a, struct slice b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.text, b.text, a.length) == 0);
}

static struct map_entry *find(const struct map *map, struct slice text)
{
    size_t mask = map->capacity - 1;
    for (size_t at = hash(text) & mask;; at = (at + 1) & mask) {
        struct map_entry *entry = &map->entries[at];
        if (!entry->text.text || same(entry->text, text))
            return entry;
    }
}

static void grow(struct map *map)
{
    struct map old = *map;
    map->capacity = old.capacity ? old.capacity * 2 : 16;
    map->entries = memory_new(map->capacity, sizeof *map->entries);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.entries[i].text.text)
            *find(map, old.entries[i].text) = old.entries[i];
    free(old.entries);
}

void map_add(struct map *map, struct slice text, uint32_t number)
{
    if (2 * (map->count + 1) > map->capacity)
        grow(map);
    if (!text.text)
        text.text = ""; /* NULL marks a free entry, but an empty str has no text */
    *find(map, text) = (struct map_entry){text, number};
    map->count++;
}

int64_t map_find(const struct map *map, struct slice text)
{
    if (map->count == 0)
        return MAP_NONE;
    const struct map_entry *entry = find(map, text);
    return entry->text.text ? (int64_t)entry->number : MAP_NONE;
}

void map_free(struct map *map)
{
    free(map->entries);
    *map = (struct map){0};
}
