/* assign.c - a slot is set to a value. */
#include "flow/files.h"
#include "flow/task.h"

/* A value for the store, whose references are counted. */
struct stored {
    struct str bytes;
    struct id_list ids;
    struct balance_value value;
};

static void store_value(struct task *t, struct stored *stored, const struct leaf_value *value)
{
    *stored = (struct stored){0};
    pack_value(&stored->bytes, value, &stored->ids);
    for (size_t i = 0; i < stored->ids.count; i++)
        balance_data_count(t->client, stored->ids.items[i], 1, 0);
    stored->value = (struct balance_value){stored->bytes.text, stored->bytes.length,
                                           stored->ids.items, stored->ids.count};
}

static void stored_free(struct stored *stored)
{
    str_free(&stored->bytes);
    free(stored->ids.items);
}

/* A task that sets a cell twice knows where; otherwise the store finds out (driver.c). */
static void set_cell(struct task *t, const struct leaf_value *cell, const struct leaf_value *value)
{
    struct stored stored;
    if (task_known(t, datum_id(cell))) {
        task_fail(t, "this assigns a value for the second time");
        return;
    }
    store_value(t, &stored, value);
    balance_data_set(t->client, datum_id(cell), &stored.value);
    stored_free(&stored);
    task_know(t, datum_id(cell), value, false);
}

void assign_member(struct task *t, const struct leaf_value *container, const struct slice *keys,
                   size_t key_count, const struct leaf_value *value, bool append)
{
    struct stored stored;
    store_value(t, &stored, value);
    if (append)
        balance_data_append(t->client, datum_id(container), keys, key_count, &stored.value);
    else
        balance_data_insert(t->client, datum_id(container), keys, key_count, &stored.value);
    stored_free(&stored);
}

/* ---- arrays and bags ---- */

static void fill(struct task *t, const struct leaf_value *target, struct leaf_value value)
{
    struct wait_list waits = {0};
    if (!resolve(t, &value, CODE_CLOSED, &waits)) {
        defer_assign(t, target, &value, &waits);
        return;
    }
    for (size_t i = 0; i < value.members->count; i++) {
        const struct leaf_member *member = &value.members->items[i];
        bool append = value.kind == LEAF_BAG;
        struct slice key = {0};
        if (!append)
            key = resolve_key(t, &member->key);
        assign_member(t, target, &key, append ? 0 : 1, &member->value, append);
    }
}

/* ---- files and structs ---- */

/* The contents go to where the target is mapped. */
static void copy_file(struct task *t, const struct leaf_value *target, struct leaf_value value)
{
    struct wait_list waits = {0};
    struct leaf_value path = *slot_field(target, FILE_PATH), nothing = {.kind = LEAF_VOID};
    struct err e = {0};
    bool known = resolve(t, &value, CODE_DEEP, &waits);
    known &= resolve(t, &path, CODE_KNOWN, &waits);
    if (!known)
        defer_assign(t, target, &value, &waits);
    else if (files_copy(value.text, path.text, &e))
        task_fail(t, "%s", e.message);
    else
        assign_value(t, slot_field(target, FILE_READY), nothing);
}

static void assign_file(struct task *t, const struct leaf_value *target, struct leaf_value value)
{
    struct leaf_value nothing = {.kind = LEAF_VOID};
    if (slot_field(target, FILE_MAPPED)->whole) {
        copy_file(t, target, value);
        return;
    }
    bool made = slot_is_file(&value);
    struct leaf_value path = {.kind = LEAF_STRING};
    if (!made)
        path.text = value.text;
    assign_value(t, slot_field(target, FILE_PATH), made ? *slot_field(&value, FILE_PATH) : path);
    assign_value(t, slot_field(target, FILE_READY),
                 made ? *slot_field(&value, FILE_READY) : nothing);
}

static void assign_fields(struct task *t, const struct leaf_value *target, struct leaf_value value)
{
    struct wait_list waits = {0};
    if (!resolve(t, &value, CODE_KNOWN, &waits)) {
        defer_assign(t, target, &value, &waits);
        return;
    }
    if (slot_is_file(target)) {
        assign_file(t, target, value);
        return;
    }
    for (size_t i = 0; i < target->members->count; i++)
        assign_value(t, slot_field(target, i), *slot_field(&value, i));
}

void assign_value(struct task *t, const struct leaf_value *target, struct leaf_value value)
{
    if (target->kind == LEAF_STRUCT)
        assign_fields(t, target, value);
    else if (target->kind != LEAF_REFERENCE)
        task_fail(t, "a value is assigned twice");
    else if (datum_kind(target) == BALANCE_CELL)
        set_cell(t, target, &value);
    else
        fill(t, target, value);
}

void assign(struct task *t, struct frame *frame, uint32_t slot, struct leaf_value value)
{
    struct leaf_value *target = &frame->slots[slot];
    uint32_t name = t->code->functions[frame->function].slots[slot].name;
    if (!slot_is_set(target))
        *target = value;
    else if (target->kind == LEAF_REFERENCE || target->kind == LEAF_STRUCT || name == CODE_NONE)
        assign_value(t, target, value);
    else
        task_fail(t, "%s is assigned twice", t->code->texts[name].text);
}
