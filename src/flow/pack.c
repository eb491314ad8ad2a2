/* pack.c - values as bytes: a byte for the kind, then what the kind needs. */
#include "flow/pack.h"
#include "flow/datum.h"

void id_list_add(struct id_list *list, uint64_t id)
{
    list->items = memory_grow(list->items, &list->capacity, list->count + 1, sizeof id);
    list->items[list->count++] = id;
}

void pack_number(struct str *out, uint64_t number)
{
    str_add_bytes(out, &number, sizeof number);
}

uint64_t unpack_number(struct slice bytes, size_t *at)
{
    uint64_t number;
    if (bytes.length - *at < sizeof number)
        BUG("a packed number is cut off");
    memcpy(&number, bytes.text + *at, sizeof number);
    *at += sizeof number;
    return number;
}

static void pack_members(struct str *out, const struct leaf_members *members, struct id_list *ids)
{
    pack_number(out, members->count);
    for (size_t i = 0; i < members->count; i++) {
        pack_value(out, &members->items[i].key, ids);
        pack_value(out, &members->items[i].value, ids);
    }
}

void pack_value(struct str *out, const struct leaf_value *value, struct id_list *ids)
{
    str_add_char(out, (char)value->kind);
    switch (value->kind) {
    case LEAF_VOID: break;
    case LEAF_INT: pack_number(out, (uint64_t)value->whole); break;
    case LEAF_BOOLEAN: str_add_char(out, value->whole != 0); break;
    case LEAF_FLOAT: str_add_bytes(out, &value->number, sizeof value->number); break;
    case LEAF_STRING:
    case LEAF_BLOB:
    case LEAF_FILE:
    case LEAF_URL:
        pack_number(out, value->text.length);
        str_add_bytes(out, value->text.text, value->text.length);
        break;
    case LEAF_ARRAY:
    case LEAF_BAG:
    case LEAF_STRUCT: pack_members(out, value->members, ids); break;
    case LEAF_REFERENCE:
        pack_number(out, (uint64_t)value->whole);
        id_list_add(ids, datum_id(value));
        break;
    default: BUG("a slot that is not set is packed");
    }
}

static struct slice unpack_bytes(struct slice bytes, size_t *at)
{
    uint64_t length = unpack_number(bytes, at);
    if (length > bytes.length - *at)
        BUG("a packed text is cut off");
    struct slice text = {bytes.text + *at, (size_t)length};
    *at += (size_t)length;
    return text;
}

static const struct leaf_members *unpack_members(struct slice bytes, size_t *at,
                                                 struct arena *arena)
{
    uint64_t count = unpack_number(bytes, at);
    if (count > bytes.length - *at)
        BUG("a packed array is cut off");
    struct leaf_members *members =
        arena_new(arena, 1, sizeof *members + (size_t)count * sizeof *members->items);
    members->count = (size_t)count;
    for (size_t i = 0; i < members->count; i++) {
        members->items[i].key = unpack_value(bytes, at, arena);
        members->items[i].value = unpack_value(bytes, at, arena);
    }
    return members;
}

struct leaf_value unpack_value(struct slice bytes, size_t *at, struct arena *arena)
{
    if (*at >= bytes.length)
        BUG("a packed value is cut off");
    struct leaf_value value = {.kind = (enum leaf_kind)(unsigned char)bytes.text[(*at)++]};
    uint64_t bits;
    switch (value.kind) {
    case LEAF_VOID: break;
    case LEAF_INT:
    case LEAF_REFERENCE: value.whole = (int64_t)unpack_number(bytes, at); break;
    case LEAF_BOOLEAN: value.whole = bytes.text[(*at)++] != 0; break;
    case LEAF_FLOAT:
        bits = unpack_number(bytes, at);
        memcpy(&value.number, &bits, sizeof bits);
        break;
    case LEAF_STRING:
    case LEAF_BLOB:
    case LEAF_FILE:
    case LEAF_URL: value.text = unpack_bytes(bytes, at); break;
    case LEAF_ARRAY:
    case LEAF_BAG:
    case LEAF_STRUCT: value.members = unpack_members(bytes, at, arena); break;
    default: BUG("a packed value has kind %d", value.kind);
    }
    return value;
}
