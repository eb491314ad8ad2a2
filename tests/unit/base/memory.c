/* memory - growing arrays and arenas; out of memory ends the program. */
#include "base/base.h"
#include "tap.h"

#include <sys/wait.h>
#include <unistd.h>

static bool all_zero(const void *memory, size_t size)
{
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

static void arrays_grow(void)
{
    int *items = NULL;
    size_t capacity = 0, moves = 0;
    for (int i = 0; i < 100000; i++) {
        size_t before = capacity;
        items = memory_grow(items, &capacity, (size_t)i + 1, sizeof *items);
        moves += capacity != before;
        items[i] = i;
    }
    bool good = true;
    for (int i = 0; i < 100000; i++)
        good = good && items[i] == i;
    ok(good, "items stay what they were");
    ok(moves < 20, "the array is copied seldom");
    ok(memory_grow(items, &capacity, 5, sizeof *items) == items, "it never shrinks");
    free(items);
}

static void memory_is_zeroed(void)
{
    void *memory = memory_new(1000, 8);
    ok(all_zero(memory, 8000), "new memory is zeroed");
    free(memory);
    memory = memory_new(0, 8);
    ok(memory != NULL, "no items are memory, too");
    free(memory);
    char *copy = memory_copy("text");
    is_text(copy, "text", "a copy of a text");
    free(copy);
}

static void an_arena_gives_what_is_asked(void)
{
    struct arena arena = {0};
    ok(arena_new(&arena, 0, 8) != NULL, "no items of an empty arena are memory");
    struct {
        unsigned char *at;
        size_t size;
    } parts[500];
    struct random r;
    random_seed(&r, 5, 0);
    bool aligned = true, zeroed = true, kept = true;
    for (size_t i = 0; i < 500; i++) {
        parts[i].size = random_below(&r, i % 50 == 0 ? 100000 : 300);
        parts[i].at = arena_new(&arena, parts[i].size, 1);
        aligned = aligned && (uintptr_t)parts[i].at % _Alignof(max_align_t) == 0;
        zeroed = zeroed && all_zero(parts[i].at, parts[i].size);
        memset(parts[i].at, (int)i, parts[i].size);
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t k = 0; k < parts[i].size; k++)
            kept = kept && parts[i].at[k] == (unsigned char)i;
    ok(aligned, "all parts are aligned");
    ok(zeroed, "all parts are zeroed");
    ok(kept, "no part overlaps another");
    is_text(arena_copy(&arena, "abcdef", 3), "abc", "a copy of some bytes");
    is_text(arena_copy(&arena, NULL, 0), "", "a copy of nothing");
    is_text(arena_printf(&arena, "%s=%d", "a", 5), "a=5", "printed text");
    ok(strlen(arena_printf(&arena, "%50000d", 1)) == 50000, "text larger than a block");
    arena_free(&arena);
    ok(!arena.blocks && arena.left == 0, "all of it is given back");
    is_text(arena_printf(&arena, "again"), "again", "and it may be used again");
    arena_free(&arena);
}

static void ask_array(void)
{
    size_t capacity = 0;
    free(memory_grow(NULL, &capacity, SIZE_MAX / 4, 8));
}

static void ask_arena(void)
{
    struct arena arena = {0};
    arena_new(&arena, SIZE_MAX / 2, 3);
}

/* Runs in a child; returns its exit code and what it wrote to stderr. */
static void check_end(void (*ask)(void), const char *name)
{
    int ends[2];
    if (!ok(pipe(ends) == 0, "a pipe"))
        return;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        ask();
        _exit(0);
    }
    close(ends[1]);
    char text[200] = "";
    ssize_t got = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 1, "%s ends the program with code 1", name);
    is_text(got > 0 ? text : "", "wick: out of memory\n", "and says so");
}

int main(void)
{
    arrays_grow();
    memory_is_zeroed();
    an_arena_gives_what_is_asked();
    check_end(ask_array, "an array that cannot be");
    check_end(ask_arena, "an arena that cannot be");
    return tap_end();
}
