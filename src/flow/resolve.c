/* resolve.c - is an input known? If not, what is it that must be waited for? */
#include "flow/task.h"

void wait_add(struct wait_list *waits, struct balance_wait wait)
{
    for (size_t i = 0; i < waits->count; i++) /* two inputs may need the same */
        if (waits->items[i].id == wait.id && waits->items[i].want == wait.want &&
            slice_equal(waits->items[i].key, wait.key))
            return;
    waits->items = memory_grow(waits->items, &waits->capacity, waits->count + 1, sizeof wait);
    waits->items[waits->count++] = wait;
}

struct slice resolve_key(struct task *t, const struct leaf_value *key)
{
    struct str bytes = {0};
    struct id_list none = {0};
    pack_value(&bytes, key, &none);
    struct slice copy = {arena_copy(&t->arena, bytes.text, bytes.length), bytes.length};
    str_free(&bytes);
    return copy;
}

/*
 * Variables that are copies of each other in a circle are never assigned. So what needs one of them
 * waits for a cell that nothing sets, and is reported when all else is done.
 */
static void wait_for_ever(struct task *t, struct wait_list *waits)
{
    struct leaf_value never = slot_new_cell(t, t->label);
    wait_add(waits, (struct balance_wait){.id = (uint64_t)never.whole, .want = BALANCE_WANT_VALUE});
}

/* Follows references as far as the task knows them. */
static bool follow(struct task *t, struct leaf_value *value, enum code_mode mode,
                   struct wait_list *waits)
{
    size_t links = 0;
    while (value->kind == LEAF_REFERENCE) {
        enum balance_kind kind = datum_kind(value);
        if (kind != BALANCE_CELL && mode != CODE_CLOSED && mode != CODE_DEEP)
            return true; /* a container may stay open */
        const struct leaf_value *known = task_known(t, datum_id(value));
        if (!known) {
            bool members = kind == BALANCE_ARRAY || kind == BALANCE_BAG;
            wait_add(waits, (struct balance_wait){.id = (uint64_t)value->whole,
                                                  .want = members ? BALANCE_WANT_MEMBERS
                                                                  : BALANCE_WANT_VALUE});
            return false;
        }
        *value = *known;
        if (++links > t->known_count) {
            wait_for_ever(t, waits);
            return false;
        }
    }
    return true;
}

/* A file is known when it is there. */
static bool resolve_file(struct task *t, struct leaf_value *value, struct wait_list *waits)
{
    struct leaf_value path = *slot_field(value, FILE_PATH), ready = *slot_field(value, FILE_READY);
    bool known = resolve(t, &ready, CODE_KNOWN, waits);
    known &= resolve(t, &path, CODE_KNOWN, waits);
    if (known)
        *value = (struct leaf_value){.kind = LEAF_FILE, .text = path.text};
    return known;
}

/* Copies the members only if one of them was not known by itself. */
static bool resolve_members(struct task *t, struct leaf_value *value, struct wait_list *waits)
{
    const struct leaf_members *members = value->members;
    struct leaf_members *copy = NULL;
    bool known = true;
    for (size_t i = 0; i < members->count; i++) {
        struct leaf_value member = members->items[i].value;
        enum leaf_kind before = member.kind;
        known &= resolve(t, &member, CODE_DEEP, waits);
        bool changed = member.kind != before || before == LEAF_STRUCT || before == LEAF_ARRAY ||
                       before == LEAF_BAG;
        if (!copy && changed) {
            size_t size = sizeof *copy + members->count * sizeof *copy->items;
            copy = arena_new(&t->arena, 1, size);
            memcpy(copy, members, size);
        }
        if (copy)
            copy->items[i].value = member;
    }
    if (copy)
        value->members = copy;
    return known;
}

bool resolve(struct task *t, struct leaf_value *value, enum code_mode mode, struct wait_list *waits)
{
    if (mode == CODE_REFER || mode == CODE_SET || mode == CODE_FILL)
        return true;
    if (!follow(t, value, mode, waits))
        return false;
    if (slot_is_file(value)) {
        if (mode == CODE_DEEP || mode == CODE_CLOSED)
            return resolve_file(t, value, waits);
        struct leaf_value path = *slot_field(value, FILE_PATH);
        bool wanted = mode == CODE_PATH && slot_field(value, FILE_MAPPED)->whole;
        return !wanted || resolve(t, &path, CODE_KNOWN, waits);
    }
    bool whole = value->kind == LEAF_ARRAY || value->kind == LEAF_BAG || value->kind == LEAF_STRUCT;
    return mode != CODE_DEEP || !whole || resolve_members(t, value, waits);
}

/* Resolves the slot of an operand, which is made if need be. */
static bool resolve_operand(struct task *t, struct frame *frame, const struct code_operand *operand,
                            struct wait_list *waits)
{
    enum code_mode mode = (enum code_mode)operand->mode;
    if (mode == CODE_SET)
        return true;
    t->label = slot_label(t, frame, operand->slot);
    return resolve(t, slot_make(t, frame, operand->slot), mode, waits);
}

bool resolve_inputs(struct task *t, struct frame *frame, const struct code_instruction *in,
                    struct wait_list *waits)
{
    const struct code_operand *operands = operands_of(t, frame, in);
    bool known = true;
    for (uint32_t i = 0; i < in->count; i++)
        known &= resolve_operand(t, frame, &operands[i], waits);
    return known;
}
