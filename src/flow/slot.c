/* slot.c - what a slot holds; making what is used before it is set. */
#include "flow/task.h"
#include "flow/worker.h"

bool slot_is_set(const struct leaf_value *slot)
{
    return (int)slot->kind != SLOT_UNSET;
}

/* The fields of a file have texts as keys, those of other structs have numbers. */
bool slot_is_file(const struct leaf_value *value)
{
    return value->kind == LEAF_STRUCT && value->members->count == FILE_FIELDS &&
           value->members->items[0].key.kind == LEAF_STRING;
}

const struct leaf_value *slot_field(const struct leaf_value *value, size_t index)
{
    return &value->members->items[index].value;
}

/* ---- making ---- */

uint32_t slot_label(const struct task *t, const struct frame *frame, uint32_t slot)
{
    return t->worker->labels[frame->function] + slot + 1;
}

static struct leaf_value new_datum(struct task *t, enum balance_kind kind, uint32_t label)
{
    uint64_t id = balance_data_new(t->client, kind, label);
    task_own(t, id, 1, kind == BALANCE_CELL ? 0 : 1);
    return datum_reference(id, kind);
}

struct leaf_value slot_new_cell(struct task *t, uint32_t label)
{
    return new_datum(t, BALANCE_CELL, label);
}

static struct leaf_members *new_members(struct task *t, size_t count)
{
    struct leaf_members *members =
        arena_new(&t->arena, 1, sizeof *members + count * sizeof *members->items);
    members->count = count;
    return members;
}

struct leaf_value slot_new_file(struct task *t, bool mapped, struct leaf_value path,
                                struct leaf_value ready)
{
    static const char *const names[FILE_FIELDS] = {"mapped", "path", "ready"};
    struct leaf_members *members = new_members(t, FILE_FIELDS);
    for (size_t i = 0; i < FILE_FIELDS; i++)
        members->items[i].key = leaf_text(slice_of(names[i]));
    members->items[FILE_MAPPED].value = leaf_truth(mapped);
    members->items[FILE_PATH].value = path;
    members->items[FILE_READY].value = ready;
    return (struct leaf_value){.kind = LEAF_STRUCT, .members = members};
}

static struct leaf_value make(struct task *t, uint32_t shape, uint32_t label);

static struct leaf_value make_struct(struct task *t, const struct code_shape *shape, uint32_t label)
{
    struct leaf_members *members = new_members(t, shape->count);
    for (uint32_t i = 0; i < shape->count; i++) {
        members->items[i].key = leaf_whole(i);
        members->items[i].value = make(t, t->code->fields[shape->first + i], label);
    }
    return (struct leaf_value){.kind = LEAF_STRUCT, .members = members};
}

static struct leaf_value make(struct task *t, uint32_t number, uint32_t label)
{
    const struct code_shape *shape = &t->code->shapes[number];
    switch (shape->kind) {
    case CODE_ARRAY: return new_datum(t, BALANCE_ARRAY, label);
    case CODE_BAG: return new_datum(t, BALANCE_BAG, label);
    case CODE_UPDATEABLE: return new_datum(t, BALANCE_UPDATEABLE, label);
    case CODE_STRUCT: return make_struct(t, shape, label);
    case CODE_FILE:
        return slot_new_file(t, false, slot_new_cell(t, label), slot_new_cell(t, label));
    default: return slot_new_cell(t, label);
    }
}

struct leaf_value *slot_make(struct task *t, struct frame *frame, uint32_t slot)
{
    struct leaf_value *value = &frame->slots[slot];
    if (!slot_is_set(value))
        *value = make(t, t->code->functions[frame->function].slots[slot].shape,
                      slot_label(t, frame, slot));
    return value;
}

struct leaf_value *slot_make_cell(struct task *t, struct frame *frame, uint32_t slot)
{
    struct leaf_value *value = &frame->slots[slot];
    if (!slot_is_set(value))
        *value = slot_new_cell(t, slot_label(t, frame, slot));
    return value;
}

void slot_each_container(const struct leaf_value *value,
                         void (*visit)(struct task *t, const struct leaf_value *reference),
                         struct task *t)
{
    if (value->kind == LEAF_REFERENCE && datum_kind(value) != BALANCE_CELL)
        visit(t, value);
    for (size_t i = 0; value->kind == LEAF_STRUCT && i < value->members->count; i++)
        slot_each_container(slot_field(value, i), visit, t);
}
