/* values.c - making and searching arrays and structs. */
#include "leaf/modules.h"

#include <math.h>

struct leaf_value leaf_whole(int64_t whole)
{
    return (struct leaf_value){.kind = LEAF_INT, .whole = whole};
}

struct leaf_value leaf_number(double number)
{
    return (struct leaf_value){.kind = LEAF_FLOAT, .number = number};
}

struct leaf_value leaf_truth(bool truth)
{
    return (struct leaf_value){.kind = LEAF_BOOLEAN, .whole = truth};
}

struct leaf_value leaf_text(struct slice text)
{
    return (struct leaf_value){.kind = LEAF_STRING, .text = text};
}

struct leaf_value leaf_take(struct str *s, struct arena *arena)
{
    struct slice text = {arena_copy(arena, str_text(s), s->length), s->length};
    str_free(s);
    return leaf_text(text);
}

int leaf_give(const struct leaf_call *call, struct leaf_value value)
{
    call->outputs[0] = value;
    return 0;
}

/* ---- keys ---- */

static bool is_text(enum leaf_kind kind)
{
    return kind == LEAF_STRING || kind == LEAF_BLOB || kind == LEAF_FILE || kind == LEAF_URL;
}

/* NaN equals itself and comes last, so that it can be a key. */
static int compare_numbers(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a > b) - (a < b);
}

static int compare_texts(struct slice a, struct slice b)
{
    size_t common = a.length < b.length ? a.length : b.length;
    int order = common > 0 ? memcmp(a.text, b.text, common) : 0;
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

int leaf_compare(const struct leaf_value *a, const struct leaf_value *b)
{
    if (is_text(a->kind))
        return compare_texts(a->text, b->text);
    if (a->kind == LEAF_FLOAT)
        return compare_numbers(a->number, b->number);
    return (a->whole > b->whole) - (a->whole < b->whole);
}

/* ---- arrays ---- */

const struct leaf_value *leaf_member(const struct leaf_value *array, const struct leaf_value *key)
{
    const struct leaf_member *items = array->members->items;
    size_t low = 0, high = array->members->count;
    if (high > 0 && key->kind == LEAF_INT) {
        /* Without gaps between the keys, the place is the distance to the first one. */
        uint64_t place = (uint64_t)key->whole - (uint64_t)items[0].key.whole;
        if (place < high && items[place].key.whole == key->whole)
            return &items[place].value;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = leaf_compare(&items[middle].key, key);
        if (order == 0)
            return &items[middle].value;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* The members of an array that is being made: until it is done, they may change. */
static struct leaf_members *members_of(struct leaf_value *array)
{
    return (struct leaf_members *)array->members;
}

struct leaf_member *leaf_array_start(struct leaf_value *array, size_t count, struct arena *arena)
{
    size_t size = sizeof(struct leaf_member), most = SIZE_MAX / size - 1;
    struct leaf_members *members =
        arena_new(arena, 1, sizeof *members + (count < most ? count : most) * size);
    members->count = count;
    *array = (struct leaf_value){.kind = LEAF_ARRAY, .members = members};
    return members->items;
}

static int compare_members(const void *a, const void *b)
{
    return leaf_compare(&((const struct leaf_member *)a)->key,
                        &((const struct leaf_member *)b)->key);
}

void leaf_sort(struct leaf_member *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (leaf_compare(&items[i - 1].key, &items[i].key) > 0) {
            qsort(items, count, sizeof *items, compare_members);
            return;
        }
}

int leaf_array_end(struct leaf_value *array, struct err *e)
{
    struct leaf_members *members = members_of(array);
    leaf_sort(members->items, members->count);
    for (size_t i = 1; i < members->count; i++) {
        const struct leaf_value *key = &members->items[i].key;
        if (leaf_compare(&members->items[i - 1].key, key) != 0)
            continue;
        struct str text = {0};
        leaf_show(&text, key);
        err_set(e, ERR_USER, "two members have the key %s", str_text(&text));
        str_free(&text);
        return ERR_USER;
    }
    return 0;
}

void leaf_array_cut(struct leaf_value *array, size_t count)
{
    members_of(array)->count = count;
}

struct leaf_member *leaf_list_start(struct leaf_value *list, enum leaf_kind kind, size_t count,
                                    struct arena *arena)
{
    struct leaf_member *items = leaf_array_start(list, count, arena);
    list->kind = kind;
    for (size_t i = 0; i < count; i++)
        items[i].key = leaf_whole((int64_t)i);
    return items;
}

struct leaf_value leaf_copy(const struct leaf_value *value, struct arena *arena)
{
    struct leaf_value copy = *value;
    if (is_text(value->kind)) {
        copy.text.text = arena_copy(arena, value->text.text, value->text.length);
    } else if (value->kind == LEAF_ARRAY || value->kind == LEAF_BAG || value->kind == LEAF_STRUCT) {
        const struct leaf_members *from = value->members;
        struct leaf_member *items = leaf_array_start(&copy, from->count, arena);
        copy.kind = value->kind;
        for (size_t i = 0; i < from->count; i++) {
            items[i].key = leaf_copy(&from->items[i].key, arena);
            items[i].value = leaf_copy(&from->items[i].value, arena);
        }
    }
    return copy;
}
