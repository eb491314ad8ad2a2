/* memory.c - the only place where the program ends when it is out of memory. */
#include "base/base.h"

#include <stdint.h>

_Noreturn void memory_out(void)
{
    fputs("wick: out of memory\n", stderr);
    exit(1);
}

static size_t product(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        memory_out();
    return bytes;
}

void *memory_new(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        memory_out();
    return memory;
}

void *memory_grow(void *items, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return items;
    size_t larger = *capacity ? *capacity : 8;
    while (larger < need)
        larger = product(larger, 2);
    items = realloc(items, product(larger, size));
    if (!items)
        memory_out();
    *capacity = larger;
    return items;
}

char *memory_copy(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(memory_new(size, 1), text, size);
}

struct arena_block {
    struct arena_block *next;
    size_t size;
    max_align_t bytes[];
};

enum { ARENA_BLOCK = 16384 };

void *arena_new(struct arena *arena, size_t count, size_t size)
{
    size_t align = _Alignof(max_align_t);
    size_t bytes = product(count, size);
    if (bytes > SIZE_MAX - 2 * ARENA_BLOCK)
        memory_out();
    bytes += bytes == 0; /* even empty arrays have different addresses, and none is NULL */
    bytes = (bytes + align - 1) / align * align;
    if (bytes > arena->left) {
        size_t room = bytes > ARENA_BLOCK ? bytes : ARENA_BLOCK;
        struct arena_block *block = memory_new(1, sizeof *block + room);
        *block = (struct arena_block){.next = arena->blocks, .size = room};
        arena->blocks = block;
        arena->left = room;
    }
    char *at = (char *)arena->blocks->bytes + (arena->blocks->size - arena->left);
    arena->left -= bytes;
    return at;
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_new(arena, length + 1, 1);
    if (length > 0)
        memcpy(copy, text, length);
    return copy;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = arena_new(arena, (size_t)length + 1, 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void arena_free(struct arena *arena)
{
    while (arena->blocks) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    arena->left = 0;
}
