/* scope.c - names, and what they mean where. */
#include "swift/scope.h"

/* A name and its meaning here. */
struct named {
    struct slice name;
    uint32_t hash;
    struct meaning meaning;
};

/* The names of a scope are a hash table with open addressing, at most three quarters full. */
struct scope {
    struct arena *arena;
    struct scope *parent;
    struct named **slots;
    size_t count, capacity; /* capacity is 0 or a power of two */
};

/* FNV-1a, then a final mix, since only low bits choose the slot. */
static uint32_t hash_name(struct slice name)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < name.length; i++)
        hash = (hash ^ (unsigned char)name.text[i]) * 16777619u;
    return hash ^ (hash >> 15);
}

struct scope *scope_create(struct arena *arena, struct scope *parent)
{
    struct scope *scope = arena_new(arena, 1, sizeof *scope);
    *scope = (struct scope){.arena = arena, .parent = parent};
    return scope;
}

struct scope *scope_parent(const struct scope *scope)
{
    return scope->parent;
}

/* The slot of a name, which is NULL if the name is unknown here; the table has a capacity. */
static struct named **slot_of(const struct scope *scope, struct slice name, uint32_t hash)
{
    size_t at = hash & (scope->capacity - 1);
    for (;; at = (at + 1) & (scope->capacity - 1)) {
        struct named *named = scope->slots[at];
        if (!named || (named->hash == hash && slice_equal(named->name, name)))
            return &scope->slots[at];
    }
}

static struct meaning find_here(const struct scope *scope, struct slice name, uint32_t hash)
{
    if (scope->count == 0)
        return (struct meaning){.kind = MEANING_NONE};
    struct named *named = *slot_of(scope, name, hash);
    return named ? named->meaning : (struct meaning){.kind = MEANING_NONE};
}

struct meaning scope_find_here(const struct scope *scope, struct slice name)
{
    return find_here(scope, name, hash_name(name));
}

struct meaning scope_find(const struct scope *scope, struct slice name)
{
    uint32_t hash = hash_name(name);
    struct meaning meaning = {.kind = MEANING_NONE};
    for (; scope && meaning.kind == MEANING_NONE; scope = scope->parent)
        meaning = find_here(scope, name, hash);
    return meaning;
}

static void grow(struct scope *scope)
{
    struct scope old = *scope;
    scope->capacity = old.capacity ? old.capacity * 2 : 4;
    scope->slots = arena_new(scope->arena, scope->capacity, sizeof(struct named *));
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i])
            *slot_of(scope, old.slots[i]->name, old.slots[i]->hash) = old.slots[i];
}

void scope_add(struct scope *scope, struct slice name, struct meaning meaning)
{
    uint32_t hash = hash_name(name);
    if (4 * (scope->count + 1) > 3 * scope->capacity)
        grow(scope);
    struct named **slot = slot_of(scope, name, hash);
    if (!*slot) {
        *slot = arena_new(scope->arena, 1, sizeof **slot);
        scope->count++;
    }
    **slot = (struct named){name, hash, meaning};
}

/* ---- did you mean ---- */

enum { NEAREST_LENGTH = 40 }; /* longer names are not compared */

/* Puts the names of a kind into a list that has room for them; returns how many it has then. */
static size_t add_names(const struct scope *scope, enum meaning_kind kind, const char **names,
                        size_t count)
{
    for (size_t i = 0; i < scope->capacity; i++) {
        const struct named *named = scope->slots[i];
        if (named && named->meaning.kind == kind && named->name.length <= NEAREST_LENGTH)
            names[count++] = arena_copy(scope->arena, named->name.text, named->name.length);
    }
    return count;
}

const char *scope_nearest(const struct scope *scope, struct slice name, enum meaning_kind kind)
{
    size_t count = 0;
    if (name.length > NEAREST_LENGTH)
        return NULL;
    const char *word = arena_copy(scope->arena, name.text, name.length);
    for (const struct scope *s = scope; s; s = s->parent)
        count += s->count;
    const char **names = memory_new(count + 1, sizeof *names);
    count = 0;
    for (const struct scope *s = scope; s; s = s->parent)
        count = add_names(s, kind, names, count);
    const char *nearest = str_nearest(word, names);
    free(names);
    return nearest;
}
