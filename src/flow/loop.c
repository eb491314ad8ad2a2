/*
 * loop.c - foreach, over arrays, bags and ranges.
 *
 * Many iterations are split into parts, which are tasks, and so on, so that they spread over the
 * ranks. Such tasks come after all others: the work that iterations make is done before more
 * iterations start, and a loop of a million needs no more memory than one of a thousand.
 */
#include "flow/task.h"

#include <math.h>

enum { ITERATIONS = 64, PARTS = 16 }; /* iterations that one task runs; parts that a loop becomes */

static uint32_t slot_of(const struct task *t, const struct frame *frame,
                        const struct code_instruction *in, uint32_t index)
{
    return operands_of(t, frame, in)[index].slot;
}

static const struct leaf_value *input(const struct task *t, const struct frame *frame,
                                      const struct code_instruction *in, uint32_t index)
{
    return &frame->slots[slot_of(t, frame, in, index)];
}

/* ---- how many, and which ---- */

static uint64_t count_whole(int64_t first, int64_t last, int64_t step)
{
    if (step <= 0 || first > last)
        return 0;
    return ((uint64_t)last - (uint64_t)first) / (uint64_t)step + 1;
}

/* The last one is at most `last` as it is computed: first + k * step. */
static uint64_t count_floats(double first, double last, double step)
{
    static const double most = 9e15; /* beyond this, whole numbers are no longer exact */
    if (!(step > 0) || !(first <= last) || !isfinite(first) || !isfinite(last))
        return 0;
    double steps = floor((last - first) / step);
    if (steps > most)
        steps = most;
    while (first + (steps + 1) * step <= last && steps < most)
        steps++;
    while (steps > 0 && first + steps * step > last)
        steps--;
    return (uint64_t)steps + 1;
}

static uint64_t iterations(const struct task *t, const struct frame *frame,
                           const struct code_instruction *in)
{
    const struct leaf_value *first = input(t, frame, in, 0);
    if (in->operation == CODE_FOREACH)
        return first->members->count;
    const struct leaf_value *last = input(t, frame, in, 1), *step = input(t, frame, in, 2);
    if (in->flags & CODE_IN_FLOATS)
        return count_floats(first->number, last->number, step->number);
    return count_whole(first->whole, last->whole, step->whole);
}

/* Sets the value and the key of an iteration. */
static void set_iteration(const struct task *t, const struct frame *frame,
                          const struct code_instruction *in, uint64_t k, struct frame *iteration)
{
    struct leaf_value *value = &iteration->slots[slot_of(t, frame, in, in->count - 2)],
                      *key = &iteration->slots[slot_of(t, frame, in, in->count - 1)];
    const struct leaf_value *first = input(t, frame, in, 0);
    if (in->operation == CODE_FOREACH) {
        *value = first->members->items[k].value;
        *key = first->members->items[k].key;
        return;
    }
    const struct leaf_value *step = input(t, frame, in, 2);
    *key = leaf_whole((int64_t)k);
    if (in->flags & CODE_IN_FLOATS)
        *value = leaf_number(first->number + (double)k * step->number);
    else
        *value = leaf_whole((int64_t)((uint64_t)first->whole + k * (uint64_t)step->whole));
}

/* ---- running ---- */

bool loop_next(struct task *t)
{
    struct issuing *loop = &t->stack[t->depth - 1];
    if (loop->at == loop->last)
        return false;
    const struct code_function *f = &t->code->functions[loop->frame->function];
    memcpy(loop->iteration->slots, loop->frame->slots, f->slot_count * sizeof(struct leaf_value));
    set_iteration(t, loop->frame, loop->loop, loop->at++, loop->iteration);
    t->budget -= t->budget > 0;
    task_push(t, loop->iteration, loop->loop->blocks[0], false);
    return true;
}

/* Slots that the body uses are made once, for all iterations. */
static void make_uses(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    const struct code_function *f = &t->code->functions[frame->function];
    const struct code_block *block = &f->blocks[in->blocks[0]];
    for (uint32_t i = 0; i < block->uses_count; i++)
        slot_make(t, frame, f->operands[block->uses_first + i].slot);
}

/* A part of a loop over an array takes along only its own members. */
static void split(struct task *t, struct frame *frame, const struct code_instruction *in,
                  uint64_t from, uint64_t last)
{
    struct leaf_value *over = &frame->slots[slot_of(t, frame, in, 0)], all = *over;
    uint64_t size = (last - from + PARTS - 1) / PARTS;
    for (uint64_t at = from; at < last; at += size) {
        uint64_t count = last - at < size ? last - at : size;
        if (in->operation == CODE_RANGE) {
            defer_part(t, frame, in, at, at + count);
            continue;
        }
        struct leaf_members *part =
            arena_new(&t->arena, 1, sizeof *part + count * sizeof *part->items);
        part->count = count;
        memcpy(part->items, all.members->items + at, count * sizeof *part->items);
        over->members = part;
        defer_part(t, frame, in, 0, count);
    }
    *over = all;
}

void loop_start(struct task *t, struct frame *frame, const struct code_instruction *in,
                uint64_t from, uint64_t last)
{
    make_uses(t, frame, in);
    if (last - from > ITERATIONS) {
        split(t, frame, in, from, last);
        return;
    }
    if (t->budget == 0) {
        defer_part(t, frame, in, from, last);
        return;
    }
    struct frame *iteration = task_frame(t, frame->function, frame->priority);
    *task_stack_add(t) = (struct issuing){
        .frame = frame, .loop = in, .iteration = iteration, .at = from, .last = last};
}

void issue_loop(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    uint64_t count = iterations(t, frame, in);
    if (count > 0)
        loop_start(t, frame, in, 0, count);
}
