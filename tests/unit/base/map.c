/* map - texts to numbers. */
#include "base/base.h"
#include "tap.h"

enum { KEYS = 50000 };

static void an_empty_map_has_nothing(void)
{
    struct map map = {0};
    ok(map_find(&map, slice_of("a")) == MAP_NONE, "an empty map has no text");
    map_free(&map);
    ok(map.count == 0 && !map.entries, "and is freed");
}

/* Keys like those of trials: they differ in a few letters only. */
static void thousands_of_texts_are_found(void)
{
    struct arena arena = {0};
    struct map map = {0};
    for (uint32_t i = 0; i < KEYS; i++)
        map_add(&map, slice_of(arena_printf(&arena, "trial-%06u", i)), i);
    ok(map.count == KEYS, "%d texts are there", KEYS);
    ok((map.capacity & (map.capacity - 1)) == 0 && map.capacity >= 2 * map.count,
       "at most half of the table is used");
    long wrong = 0, ghosts = 0;
    for (uint32_t i = 0; i < KEYS; i++) {
        char text[32];
        snprintf(text, sizeof text, "trial-%06u", i);
        wrong += map_find(&map, slice_of(text)) != (int64_t)i;
        snprintf(text, sizeof text, "trial_%06u", i);
        ghosts += map_find(&map, slice_of(text)) != MAP_NONE;
    }
    ok(wrong == 0, "each text has its number");
    ok(ghosts == 0, "texts that were not added are not there");
    map_free(&map);
    arena_free(&arena);
}

static void texts_are_bytes(void)
{
    struct map map = {0};
    map_add(&map, (struct slice){"a\0b", 3}, 1);
    map_add(&map, (struct slice){"a\0c", 3}, 2);
    map_add(&map, (struct slice){"a", 1}, 3);
    map_add(&map, (struct slice){NULL, 0}, 4);
    map_add(&map, slice_of("\xff"), UINT32_MAX);
    ok(map_find(&map, (struct slice){"a\0b", 3}) == 1, "a zero byte is a byte");
    ok(map_find(&map, (struct slice){"a\0c", 3}) == 2, "and what follows it counts");
    ok(map_find(&map, slice_of("a")) == 3, "a begin is another text");
    ok(map_find(&map, slice_of("")) == 4 && map_find(&map, (struct slice){NULL, 0}) == 4,
       "the empty text is a text");
    ok(map_find(&map, slice_of("\xff")) == (int64_t)UINT32_MAX, "the largest number is not NONE");
    map_free(&map);
}

int main(void)
{
    an_empty_map_has_nothing();
    thousands_of_texts_are_found();
    texts_are_bytes();
    return tap_end();
}
