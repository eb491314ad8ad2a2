/* Scopes: what a name means in them, and the nearest name to one that is unknown. */
#include "swift/scope.h"

#include "tap.h"

enum { MANY = 1000 };

static struct arena arena;

static struct meaning meaning_at(enum meaning_kind kind, uint32_t at)
{
    return (struct meaning){.kind = kind, .at = at};
}

static void inner_scopes_hide_outer_ones(void)
{
    struct scope *outer = scope_create(&arena, NULL), *inner = scope_create(&arena, outer);
    scope_add(outer, slice_of("x"), meaning_at(MEANING_VARIABLE, 1));
    scope_add(outer, slice_of("f"), meaning_at(MEANING_FUNCTION, 2));
    scope_add(inner, slice_of("x"), meaning_at(MEANING_VARIABLE, 3));
    ok(scope_find(inner, slice_of("x")).at == 3, "the nearest meaning counts");
    ok(scope_find(outer, slice_of("x")).at == 1, "the outer one stays");
    ok(scope_find(inner, slice_of("f")).at == 2, "names of scopes around are known");
    ok(scope_find_here(inner, slice_of("f")).kind == MEANING_NONE, "but they are not here");
    ok(scope_find(inner, slice_of("y")).kind == MEANING_NONE, "an unknown name");
    scope_add(inner, slice_of("x"), meaning_at(MEANING_TYPE, 4));
    ok(scope_find(inner, slice_of("x")).kind == MEANING_TYPE, "a meaning can be replaced");
    ok(scope_parent(inner) == outer && !scope_parent(outer), "scopes know what is around them");
}

static void many_names(void)
{
    struct scope *scope = scope_create(&arena, NULL);
    char *names[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        names[i] = arena_printf(&arena, "name%u", i);
        scope_add(scope, slice_of(names[i]), meaning_at(MEANING_VARIABLE, i + 1));
    }
    bool all = true;
    for (uint32_t i = 0; i < MANY; i++)
        all &= scope_find(scope, slice_of(names[i])).at == i + 1;
    ok(all, "a thousand names");
}

static void nearest_names(void)
{
    struct scope *outer = scope_create(&arena, NULL), *inner = scope_create(&arena, outer);
    scope_add(outer, slice_of("strlen"), meaning_at(MEANING_FUNCTION, 1));
    scope_add(inner, slice_of("string_length"), meaning_at(MEANING_VARIABLE, 2));
    const char *nearest = scope_nearest(inner, slice_of("srtlen"), MEANING_FUNCTION);
    ok(nearest && strcmp(nearest, "strlen") == 0, "a name of a scope around");
    ok(!scope_nearest(inner, slice_of("srtlen"), MEANING_TYPE), "of the wanted kind only");
    ok(!scope_nearest(inner, slice_of("qqqqqq"), MEANING_FUNCTION), "none is near");
    char *endless = arena_new(&arena, 10000, 1);
    memset(endless, 'a', 9999);
    scope_add(inner, slice_of(endless), meaning_at(MEANING_VARIABLE, 3));
    ok(!scope_nearest(inner, slice_of(endless), MEANING_VARIABLE),
       "endless names are not compared");
}

int main(void)
{
    inner_scopes_hide_outer_ones();
    many_names();
    nearest_names();
    arena_free(&arena);
    return tap_end();
}
