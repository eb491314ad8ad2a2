/*
 * memory.h - allocation that does not fail, and arenas for what lives and dies together.
 *
 * Every allocation of Wick goes through here. If the machine is out of memory, the program says so
 * and ends, so no caller has an untested path for that.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* Says that memory ran out and ends the program; also for libraries that allocate themselves. */
_Noreturn void memory_out(void);

/* Zeroed memory for count items of size bytes; free() it. */
void *memory_new(size_t count, size_t size);

/*
 * Makes room for `need` items: returns items itself or a larger copy and updates *capacity.
 * Doubles, so that appending one by one is cheap. New room is not zeroed.
 */
void *memory_grow(void *items, size_t *capacity, size_t need, size_t size);

/* A copy of a string; free() it. */
char *memory_copy(const char *text);

/* Memory that is freed all at once. Start with {0}. */
struct arena {
    struct arena_block *blocks;
    size_t left;
};

/* Zeroed memory, aligned for any type; lives until arena_free(). */
void *arena_new(struct arena *arena, size_t count, size_t size);
/* A copy of these bytes, ended by a zero byte. */
char *arena_copy(struct arena *arena, const char *text, size_t length);
/* What printf() would print, as a string. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Frees everything and resets the arena to {0}. */
void arena_free(struct arena *arena);

#endif
