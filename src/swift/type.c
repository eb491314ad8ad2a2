/* type.c - the types, and what is assignable to what. */
#include "swift/type.h"

struct types {
    struct arena *arena;
    const struct type *simple[TYPE_KINDS];
    /* Every type that is made of others, in a hash table with open addressing, half full at most.
     */
    const struct type **slots;
    size_t count, capacity;
};

/* ---- making types ---- */

static const char *const simple_names[TYPE_KINDS] = {
    [TYPE_INT] = "int",         [TYPE_FLOAT] = "float", [TYPE_STRING] = "string",
    [TYPE_BOOLEAN] = "boolean", [TYPE_VOID] = "void",   [TYPE_BLOB] = "blob",
    [TYPE_FILE] = "file",       [TYPE_URL] = "url",     [TYPE_UPDATEABLE] = "updateable_float",
    [TYPE_NUMBER] = "int",      [TYPE_EMPTY] = "",      [TYPE_WRONG] = "?",
};

struct types *types_create(struct arena *arena)
{
    struct types *types = arena_new(arena, 1, sizeof *types);
    types->arena = arena;
    for (int kind = 0; kind < TYPE_KINDS; kind++) {
        if (!simple_names[kind])
            continue;
        struct type *type = arena_new(arena, 1, sizeof *type);
        *type = (struct type){.kind = (enum type_kind)kind,
                              .name = slice_of(simple_names[kind]),
                              .open = kind == TYPE_NUMBER || kind == TYPE_EMPTY ||
                                      kind == TYPE_UPDATEABLE};
        types->simple[kind] = type;
    }
    return types;
}

const struct type *type_simple(const struct types *types, enum type_kind kind)
{
    if (!types->simple[kind])
        BUG("type %d is not a simple one", (int)kind);
    return types->simple[kind];
}

static size_t hash_pointer(size_t hash, const void *pointer)
{
    hash = (hash ^ ((uintptr_t)pointer >> 4)) * 1099511628211u;
    return hash ^ (hash >> 29);
}

static size_t hash_type(const struct type *type)
{
    size_t hash = hash_pointer((size_t)type->kind + 1, type->key);
    hash = hash_pointer(hash, type->member);
    for (size_t i = 0; i < type->count; i++)
        hash = hash_pointer(hash, type->types[i]);
    return hash;
}

static bool same_parts(const struct type *a, const struct type *b)
{
    return a->kind == b->kind && a->key == b->key && a->member == b->member &&
           a->count == b->count &&
           (a->count == 0 || memcmp(a->types, b->types, a->count * sizeof *a->types) == 0);
}

static const struct type **slot_of(const struct types *types, const struct type *type)
{
    size_t at = hash_type(type) & (types->capacity - 1);
    while (types->slots[at] && !same_parts(types->slots[at], type))
        at = (at + 1) & (types->capacity - 1);
    return &types->slots[at];
}

static void grow(struct types *types)
{
    struct types old = *types;
    types->capacity = old.capacity ? old.capacity * 2 : 64;
    types->slots = arena_new(types->arena, types->capacity, sizeof *types->slots);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i])
            *slot_of(types, old.slots[i]) = old.slots[i];
}

/* The one type with these parts; `wanted` and its list belong to the caller. */
static const struct type *intern(struct types *types, const struct type *wanted)
{
    if (2 * (types->count + 1) > types->capacity)
        grow(types);
    const struct type **slot = slot_of(types, wanted), *known = *slot;
    if (known)
        return known;
    struct type *type = arena_new(types->arena, 1, sizeof *type);
    const struct type **list = arena_new(types->arena, wanted->count, sizeof *list);
    *type = *wanted;
    type->open = (wanted->key && wanted->key->open) || (wanted->member && wanted->member->open);
    type->depth = wanted->member ? wanted->member->depth + 1 : 0;
    for (size_t i = 0; i < wanted->count; i++) {
        list[i] = wanted->types[i];
        type->open |= list[i]->open;
    }
    type->types = list;
    types->count++;
    return *slot = type;
}

const struct type *type_array(struct types *types, const struct type *key,
                              const struct type *member)
{
    return intern(types, &(struct type){.kind = TYPE_ARRAY, .key = key, .member = member});
}

const struct type *type_bag(struct types *types, const struct type *member)
{
    return intern(types, &(struct type){.kind = TYPE_BAG, .member = member});
}

const struct type *type_tuple(struct types *types, const struct type *const *members, size_t count)
{
    return intern(types, &(struct type){.kind = TYPE_TUPLE, .types = members, .count = count});
}

const struct type *type_union(struct types *types, const struct type *const *members, size_t count)
{
    return intern(types, &(struct type){.kind = TYPE_UNION, .types = members, .count = count});
}

struct type *type_struct(struct types *types, struct slice name, uint32_t at)
{
    struct type *type = arena_new(types->arena, 1, sizeof *type);
    *type = (struct type){.kind = TYPE_STRUCT, .name = name, .at = at};
    return type;
}

struct type *type_subtype(struct types *types, struct slice name, const struct type *base,
                          uint32_t at)
{
    struct type *type = arena_new(types->arena, 1, sizeof *type);
    *type = (struct type){
        .kind = TYPE_SUBTYPE, .name = name, .base = base, .at = at, .depth = base->depth + 1};
    return type;
}

const struct type *type_variable(struct types *types, struct slice name, size_t index)
{
    struct type *type = arena_new(types->arena, 1, sizeof *type);
    *type = (struct type){.kind = TYPE_VARIABLE, .name = name, .count = index};
    return type;
}

/* ---- what fits what ---- */

const struct type *type_base(const struct type *type)
{
    while (type->kind == TYPE_SUBTYPE)
        type = type->base;
    return type;
}

bool type_is(const struct type *type, enum type_kind kind)
{
    return type_base(type)->kind == kind;
}

const struct type *type_value(const struct types *types, const struct type *type)
{
    type = type_base(type);
    return type->kind == TYPE_UPDATEABLE ? types->simple[TYPE_FLOAT] : type;
}

/* Within arrays and bags types must be the same, except for what a literal leaves open. */
static bool fits_inside(const struct type *from, const struct type *to)
{
    if (from == to || from->kind == TYPE_EMPTY || from->kind == TYPE_WRONG ||
        to->kind == TYPE_WRONG)
        return true;
    if (from->kind == TYPE_NUMBER)
        return to->kind == TYPE_INT || to->kind == TYPE_FLOAT;
    if (from->kind != to->kind)
        return false;
    if (from->kind == TYPE_BAG)
        return fits_inside(from->member, to->member);
    return from->kind == TYPE_ARRAY && fits_inside(from->key, to->key) &&
           fits_inside(from->member, to->member);
}

static bool fits_union(const struct type *from, const struct type *to)
{
    for (size_t i = 0; i < to->count; i++)
        if (type_fits(from, to->types[i]))
            return true;
    return false;
}

bool type_fits(const struct type *from, const struct type *to)
{
    if (to->kind == TYPE_UNION)
        return from == to || fits_union(from, to);
    for (; from->kind == TYPE_SUBTYPE; from = from->base)
        if (from == to)
            return true;
    return fits_inside(from, to) || (from->kind == TYPE_UPDATEABLE && to->kind == TYPE_FLOAT);
}

/* As type_join(), where subtypes do not count; NULL: none. */
static const struct type *join_inside(struct types *types, const struct type *a,
                                      const struct type *b)
{
    if (fits_inside(a, b))
        return b;
    if (fits_inside(b, a))
        return a;
    if (a->kind != b->kind || (a->kind != TYPE_ARRAY && a->kind != TYPE_BAG))
        return NULL;
    const struct type *key = a->key ? join_inside(types, a->key, b->key) : NULL;
    const struct type *member = join_inside(types, a->member, b->member);
    if (!member || (a->key && !key))
        return NULL;
    return key ? type_array(types, key, member) : type_bag(types, member);
}

const struct type *type_join(struct types *types, const struct type *a, const struct type *b)
{
    for (const struct type *common = a;; common = common->base) {
        if (type_fits(b, common))
            return common;
        if (common->kind != TYPE_SUBTYPE)
            break;
    }
    return type_fits(a, b) ? b : join_inside(types, type_value(types, a), type_value(types, b));
}

const struct type *type_settle(struct types *types, const struct type *type)
{
    if (!type->open)
        return type;
    switch (type->kind) {
    case TYPE_NUMBER:
    case TYPE_EMPTY: return types->simple[TYPE_INT];
    case TYPE_UPDATEABLE: return types->simple[TYPE_FLOAT];
    case TYPE_ARRAY:
        return type_array(types, type_settle(types, type->key), type_settle(types, type->member));
    case TYPE_BAG: return type_bag(types, type_settle(types, type->member));
    default: return type;
    }
}

/* ---- names ---- */

static void add_list(struct str *s, const struct type *type, const char *between)
{
    for (size_t i = 0; i < type->count; i++) {
        if (i > 0)
            str_add(s, between);
        type_name(s, type->types[i]);
    }
}

static void add_array(struct str *s, const struct type *type)
{
    const struct type *member = type;
    while (member->kind == TYPE_ARRAY)
        member = member->member;
    type_name(s, member);
    for (; type->kind == TYPE_ARRAY; type = type->member) {
        str_add_char(s, '[');
        if (type->key->kind != TYPE_INT && type->key->kind != TYPE_NUMBER)
            type_name(s, type->key);
        str_add_char(s, ']');
    }
}

void type_name(struct str *s, const struct type *type)
{
    switch (type->kind) {
    case TYPE_ARRAY: add_array(s, type); break;
    case TYPE_BAG:
        str_add(s, "bag<");
        type_name(s, type->member);
        str_add_char(s, '>');
        break;
    case TYPE_TUPLE:
        str_add_char(s, '(');
        add_list(s, type, ", ");
        str_add_char(s, ')');
        break;
    case TYPE_UNION: add_list(s, type, "|"); break;
    default: str_add_bytes(s, type->name.text, type->name.length);
    }
}

const char *type_text(const struct types *types, const struct type *type)
{
    struct str s = {0};
    type_name(&s, type);
    const char *text = arena_copy(types->arena, str_text(&s), s.length);
    str_free(&s);
    return text;
}
