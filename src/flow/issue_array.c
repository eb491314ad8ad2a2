/* issue_array.c - instructions about members of arrays and bags. */
#include "flow/task.h"

static struct leaf_value *operand(struct task *t, struct frame *frame,
                                  const struct code_instruction *in, uint32_t index)
{
    return slot_make(t, frame, operands_of(t, frame, in)[index].slot);
}

static void set(struct task *t, struct frame *frame, const struct code_instruction *in,
                struct leaf_value value)
{
    assign(t, frame, operands_of(t, frame, in)[0].slot, value);
}

/* ---- reading ---- */

static void fail_absent(struct task *t, const struct frame *frame,
                        const struct code_instruction *in, const struct leaf_value *key)
{
    const struct code_slot *slot =
        &t->code->functions[frame->function].slots[operands_of(t, frame, in)[1].slot];
    struct str text = {0};
    bool quoted = key->kind == LEAF_STRING;
    str_add(&text, quoted ? "\"" : "");
    leaf_show(&text, key);
    str_add(&text, quoted ? "\"" : "");
    if (slot->name == CODE_NONE)
        task_fail(t, "the array has no member [%s]", str_text(&text));
    else
        task_fail(t, "%s[%s] does not exist: nothing was assigned to it",
                  t->code->texts[slot->name].text, str_text(&text));
    str_free(&text);
}

/*
 * An array that is a cell's value, or a closed one that the task waited for. What is known of it
 * replaces the slot, so that a question about a member is not followed by one about the cell.
 */
static bool known_array(struct task *t, struct leaf_value *array)
{
    for (size_t links = 0; array->kind == LEAF_REFERENCE; links++) {
        const struct leaf_value *known = task_known(t, datum_id(array));
        if (!known || links > t->known_count)
            return false;
        *array = *known;
    }
    return true;
}

/* A question about a member: its answer, or NULL after the instruction was put off. */
static const struct leaf_value *ask(struct task *t, struct frame *frame,
                                    const struct code_instruction *in,
                                    const struct leaf_value *array, enum balance_want want)
{
    struct wait_list waits = {0};
    struct slice key = resolve_key(t, operand(t, frame, in, 2));
    if (datum_kind(array) == BALANCE_CELL) {
        wait_add(&waits,
                 (struct balance_wait){.id = (uint64_t)array->whole, .want = BALANCE_WANT_VALUE});
    } else {
        const struct leaf_value *answer = task_element(t, datum_id(array), key);
        if (answer)
            return answer;
        wait_add(&waits,
                 (struct balance_wait){.id = (uint64_t)array->whole, .want = want, .key = key});
    }
    defer(t, frame, in, &waits);
    return NULL;
}

static void issue_lookup(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    struct leaf_value *array = operand(t, frame, in, 1), *key = operand(t, frame, in, 2);
    const struct leaf_value *member;
    if (known_array(t, array)) {
        member = leaf_member(array, key);
    } else {
        member = ask(t, frame, in, array, BALANCE_WANT_MEMBER);
        if (!member)
            return;
        member = slot_is_set(member) ? member : NULL;
    }
    if (member)
        set(t, frame, in, *member);
    else
        fail_absent(t, frame, in, key);
}

static void issue_exists(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    struct leaf_value *array = operand(t, frame, in, 1);
    if (known_array(t, array)) {
        set(t, frame, in, leaf_truth(leaf_member(array, operand(t, frame, in, 2)) != NULL));
        return;
    }
    const struct leaf_value *answer = ask(t, frame, in, array, BALANCE_WANT_EXISTS);
    if (answer)
        set(t, frame, in, leaf_truth(slot_is_set(answer)));
}

/* ---- making and filling ---- */

static void issue_array_of(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    struct leaf_value array;
    struct err e = {0};
    size_t count = (in->count - 1) / 2;
    struct leaf_member *members = leaf_array_start(&array, count, &t->arena);
    for (uint32_t i = 0; i < count; i++) {
        members[i].key = *operand(t, frame, in, 2 * i + 1);
        members[i].value = *operand(t, frame, in, 2 * i + 2);
    }
    if (leaf_array_end(&array, &e))
        task_fail(t, "%s", e.message);
    else
        set(t, frame, in, array);
}

static void issue_insert(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    struct leaf_value array = *operand(t, frame, in, 0), value = *operand(t, frame, in, 1);
    size_t count = in->count - 2;
    struct slice *keys = arena_new(&t->arena, count + 1, sizeof *keys);
    for (uint32_t i = 0; i < count; i++)
        keys[i] = resolve_key(t, operand(t, frame, in, i + 2));
    if (array.kind != LEAF_REFERENCE || datum_kind(&array) == BALANCE_CELL)
        task_fail(t, "a member is assigned to an array that is complete");
    else
        assign_member(t, &array, keys, count, &value, in->operation == CODE_APPEND);
}

void issue_array(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    switch ((enum code_operation)in->operation) {
    case CODE_LOOKUP: issue_lookup(t, frame, in); break;
    case CODE_EXISTS: issue_exists(t, frame, in); break;
    case CODE_ARRAY_OF: issue_array_of(t, frame, in); break;
    default: issue_insert(t, frame, in); break;
    }
}
