/* issue.c - one instruction. */
#include "flow/task.h"

const struct code_operand *operands_of(const struct task *t, const struct frame *frame,
                                       const struct code_instruction *in)
{
    const struct code_function *f = &t->code->functions[frame->function];
    return in->count > 0 ? &f->operands[in->first] : NULL;
}

/* The operand, made if need be. */
static struct leaf_value *value_of(struct task *t, struct frame *frame,
                                   const struct code_instruction *in, uint32_t index)
{
    return slot_make(t, frame, operands_of(t, frame, in)[index].slot);
}

static uint32_t slot_of(struct task *t, struct frame *frame, const struct code_instruction *in,
                        uint32_t index)
{
    return operands_of(t, frame, in)[index].slot;
}

/* ---- values ---- */

static void issue_constant(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    const struct code_constant *constant = &t->code->constants[in->index];
    struct leaf_value value;
    switch (constant->kind) {
    case CODE_INT: value = leaf_whole(constant->whole); break;
    case CODE_FLOAT: value = leaf_number(constant->number); break;
    case CODE_BOOLEAN: value = leaf_truth(constant->whole != 0); break;
    default: value = leaf_text(t->code->texts[constant->text]); break;
    }
    assign(t, frame, slot_of(t, frame, in, 0), value);
}

static void issue_copy(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    struct leaf_value value = *value_of(t, frame, in, 1);
    assign(t, frame, slot_of(t, frame, in, 0), value);
}

static void issue_build(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    struct leaf_members *members =
        arena_new(&t->arena, 1, sizeof *members + in->count * sizeof *members->items);
    members->count = in->count - 1;
    for (uint32_t i = 1; i < in->count; i++) {
        members->items[i - 1].key = leaf_whole(i - 1);
        members->items[i - 1].value = *value_of(t, frame, in, i);
    }
    assign(t, frame, slot_of(t, frame, in, 0),
           (struct leaf_value){.kind = LEAF_STRUCT, .members = members});
}

static void issue_field(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    struct leaf_value field = *slot_field(value_of(t, frame, in, 1), in->index);
    if (in->operation == CODE_PART)
        frame->slots[slot_of(t, frame, in, 0)] = field;
    else
        assign(t, frame, slot_of(t, frame, in, 0), field);
}

/* ---- files ---- */

/* A file that was used before it was mapped keeps what others know of it. */
static void issue_map(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    uint32_t slot = slot_of(t, frame, in, 0);
    struct leaf_value path = *value_of(t, frame, in, 1), *file = &frame->slots[slot];
    if (slot_is_set(file)) {
        assign_value(t, slot_field(file, FILE_PATH), path);
        *file = slot_new_file(t, true, path, *slot_field(file, FILE_READY));
    } else {
        *file = slot_new_file(t, true, path, slot_new_cell(t, slot_label(t, frame, slot)));
    }
}

static void issue_pathname(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    const struct leaf_value *file = value_of(t, frame, in, 1);
    struct leaf_value path =
        slot_is_file(file) ? *slot_field(file, FILE_PATH) : leaf_text(file->text);
    assign(t, frame, slot_of(t, frame, in, 0), path);
}

/* ---- updateables ---- */

static void issue_snapshot(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    struct wait_list waits = {0};
    struct leaf_value value = *value_of(t, frame, in, 1);
    const struct leaf_value *answer = value.kind == LEAF_REFERENCE
                                          ? task_element(t, datum_id(&value), (struct slice){0})
                                          : &value;
    if (answer) {
        assign(t, frame, slot_of(t, frame, in, 0), *answer);
        return;
    }
    wait_add(&waits,
             (struct balance_wait){.id = (uint64_t)value.whole, .want = BALANCE_WANT_SNAPSHOT});
    defer(t, frame, in, &waits);
}

static void issue_update(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    static const enum balance_update updates[] = {[CODE_INCREMENT] = BALANCE_UPDATE_ADD,
                                                  [CODE_MINIMUM] = BALANCE_UPDATE_MIN,
                                                  [CODE_SCALE] = BALANCE_UPDATE_SCALE,
                                                  [CODE_START] = BALANCE_UPDATE_SET};
    const struct leaf_value *target = value_of(t, frame, in, 0), *by = value_of(t, frame, in, 1);
    if (target->kind != LEAF_REFERENCE)
        task_fail(t, "an updateable is changed after it was closed");
    else
        balance_data_update(t->client, datum_id(target), updates[in->index],
                            by->kind == LEAF_INT ? (double)by->whole : by->number);
}

/* ---- calls and branches ---- */

/* Calls made for a long time are left to others: this is how control spreads over the ranks. */
static void issue_call(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    const struct code_function *f = &t->code->functions[in->index];
    if (t->budget == 0 && !task_is_own(t, in)) {
        defer(t, frame, in, NULL);
        return;
    }
    t->budget -= t->budget > 0;
    uint32_t count = f->output_count + f->input_count;
    int priority = frame->priority;
    if (in->flags & CODE_HAS_PRIORITY)
        priority = (int)value_of(t, frame, in, in->count - 1)->whole;
    struct frame *inner = task_frame(t, in->index, priority);
    for (uint32_t i = 0; i < count; i++)
        inner->slots[i] = *value_of(t, frame, in, i);
    task_push(t, inner, 0, true);
}

static void issue_if(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    uint32_t block = in->blocks[value_of(t, frame, in, 0)->whole ? 0 : 1];
    if (block != CODE_NONE)
        task_push(t, frame, block, false);
}

static void issue_switch(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    const struct code_case *one = &t->code->functions[frame->function].cases[in->index];
    int64_t value = value_of(t, frame, in, 0)->whole;
    while (!one->otherwise && one->label != value)
        one++;
    task_push(t, frame, one->block, false);
}

/* ---- all of them ---- */

/* An instruction whose inputs are known. */
static void issue_known(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    switch ((enum code_operation)in->operation) {
    case CODE_CONSTANT: issue_constant(t, frame, in); break;
    case CODE_LEAF: issue_leaf(t, frame, in); break;
    case CODE_CALL: issue_call(t, frame, in); break;
    case CODE_COPY: issue_copy(t, frame, in); break;
    case CODE_BUILD: issue_build(t, frame, in); break;
    case CODE_FIELD:
    case CODE_PART: issue_field(t, frame, in); break;
    case CODE_MAP: issue_map(t, frame, in); break;
    case CODE_PATHNAME: issue_pathname(t, frame, in); break;
    case CODE_LOOKUP:
    case CODE_ARRAY_OF:
    case CODE_INSERT:
    case CODE_APPEND:
    case CODE_EXISTS: issue_array(t, frame, in); break;
    case CODE_SNAPSHOT: issue_snapshot(t, frame, in); break;
    case CODE_UPDATE: issue_update(t, frame, in); break;
    case CODE_IF: issue_if(t, frame, in); break;
    case CODE_SWITCH: issue_switch(t, frame, in); break;
    case CODE_FOREACH:
    case CODE_RANGE: issue_loop(t, frame, in); break;
    case CODE_WAIT: task_push(t, frame, in->blocks[0], false); break;
    case CODE_PROGRAM: issue_program(t, frame, in); break;
    case CODE_OPERATIONS: BUG("an instruction without a meaning");
    }
}

void issue(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    struct wait_list waits = {0};
    t->current = in;
    if (resolve_inputs(t, frame, in, &waits))
        issue_known(t, frame, in);
    else
        defer(t, frame, in, &waits);
}
