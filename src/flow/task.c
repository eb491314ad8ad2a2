/* task.c - opening a task, running it, ending it. */
#include "flow/task.h"
#include "flow/worker.h"

enum { CALLS = 200 }; /* calls that a task runs itself before it leaves them to others */

/* ---- what it owns and knows ---- */

void task_own(struct task *t, uint64_t id, int references, int writers)
{
    t->owned = memory_grow(t->owned, &t->owned_capacity, t->owned_count + 1, sizeof *t->owned);
    t->owned[t->owned_count++] = (struct owned){id, references, writers};
}

static uint64_t mix(uint64_t id)
{
    id ^= id >> 32;
    return id * 0x9e3779b97f4a7c15u >> 20;
}

static struct known *find_known(const struct task *t, uint64_t id)
{
    size_t at = mix(id) & (t->known_capacity - 1);
    while (t->known[at].id != 0 && t->known[at].id != id)
        at = (at + 1) & (t->known_capacity - 1);
    return &t->known[at];
}

static void grow_known(struct task *t)
{
    struct known *old = t->known;
    size_t capacity = t->known_capacity;
    t->known_capacity = capacity ? 2 * capacity : 16;
    t->known = memory_new(t->known_capacity, sizeof *t->known);
    for (size_t i = 0; i < capacity; i++)
        if (old[i].id != 0)
            *find_known(t, old[i].id) = old[i];
    free(old);
}

void task_know(struct task *t, uint64_t id, const struct leaf_value *value, bool is_answer)
{
    if (2 * (t->known_count + 1) > t->known_capacity)
        grow_known(t);
    struct known *known = find_known(t, id);
    if (known->id == id)
        return; /* set twice: the store reports it */
    *known = (struct known){id, *value, is_answer};
    t->known_count++;
}

const struct leaf_value *task_known(const struct task *t, uint64_t id)
{
    if (t->known_count == 0)
        return NULL;
    const struct known *known = find_known(t, id);
    return known->id == id ? &known->value : NULL;
}

const struct leaf_value *task_element(const struct task *t, uint64_t id, struct slice key)
{
    for (size_t i = 0; i < t->element_count; i++)
        if (t->elements[i].id == id && slice_equal(t->elements[i].key, key))
            return &t->elements[i].value;
    return NULL;
}

bool task_is_own(struct task *t, const struct code_instruction *in)
{
    bool own = t->own == in;
    if (own)
        t->own = NULL;
    return own;
}

/* ---- frames and the stack ---- */

struct frame *task_frame(struct task *t, uint32_t function, int priority)
{
    size_t count = t->code->functions[function].slot_count;
    struct frame *frame = memory_new(1, sizeof *frame + count * sizeof *frame->slots);
    frame->function = function;
    frame->priority = priority;
    for (size_t i = 0; i < count; i++)
        frame->slots[i].kind = (enum leaf_kind)SLOT_UNSET;
    return frame;
}

struct issuing *task_stack_add(struct task *t)
{
    t->stack = memory_grow(t->stack, &t->capacity, t->depth + 1, sizeof *t->stack);
    return &t->stack[t->depth++];
}

void task_push(struct task *t, struct frame *frame, uint32_t block, bool owns_frame)
{
    const struct code_block *b = &t->code->functions[frame->function].blocks[block];
    *task_stack_add(t) = (struct issuing){
        .frame = frame, .owns_frame = owns_frame, .next = b->first, .end = b->first + b->count};
}

static void pop(struct task *t)
{
    struct issuing *top = &t->stack[--t->depth];
    free(top->iteration);
    if (top->owns_frame)
        free(top->frame);
}

static void run_stack(struct task *t)
{
    while (t->depth > 0 && !t->failed && !t->outside) {
        struct issuing *top = &t->stack[t->depth - 1];
        if (top->loop) {
            if (!loop_next(t))
                pop(t);
        } else if (top->next == top->end) {
            pop(t);
        } else {
            const struct code_function *f = &t->code->functions[top->frame->function];
            issue(t, top->frame, &f->instructions[top->next++]);
        }
    }
}

/* ---- opening ---- */

static void own_reference(struct task *t, const struct leaf_value *reference)
{
    task_own(t, datum_id(reference), 0, 1);
}

static struct leaf_value open_value(struct task *t, struct slice bytes, size_t *at)
{
    return unpack_value(bytes, at, &t->arena);
}

/* Which slots of a closure it may fill: those for which a writer was counted, see defer.c. */
static void open_slots(struct task *t, struct frame *frame, struct slice bytes, size_t *at)
{
    for (uint64_t count = unpack_number(bytes, at); count > 0; count--) {
        uint64_t slot = unpack_number(bytes, at), fills = unpack_number(bytes, at);
        frame->slots[slot] = open_value(t, bytes, at);
        if (fills)
            slot_each_container(&frame->slots[slot], own_reference, t);
    }
}

static void open_assign(struct task *t, struct slice bytes, size_t *at)
{
    struct leaf_value target = open_value(t, bytes, at), source = open_value(t, bytes, at);
    static const struct code_instruction nowhere = {0};
    t->current = &nowhere;
    slot_each_container(&target, own_reference, t);
    assign_value(t, &target, source);
}

static void open_instruction(struct task *t, enum closure_kind kind, struct slice bytes, size_t *at)
{
    uint32_t function = (uint32_t)unpack_number(bytes, at);
    const struct code_instruction *in =
        &t->code->functions[function].instructions[unpack_number(bytes, at)];
    int priority = (int)(int64_t)unpack_number(bytes, at);
    uint64_t from = 0, last = 0;
    if (kind == CLOSURE_PART) {
        from = unpack_number(bytes, at);
        last = unpack_number(bytes, at);
    }
    struct frame *frame = task_frame(t, function, priority);
    open_slots(t, frame, bytes, at);
    *task_stack_add(t) = (struct issuing){.frame = frame, .owns_frame = true};
    t->own = t->current = in;
    t->placed = kind == CLOSURE_PLACED;
    if (kind == CLOSURE_PART)
        loop_start(t, frame, in, from, last);
    else
        issue(t, frame, in);
}

void task_run(struct task *t, struct slice bytes)
{
    size_t at = 1;
    enum closure_kind kind = (enum closure_kind)bytes.text[0];
    t->budget = CALLS;
    if (kind == CLOSURE_ASSIGN)
        open_assign(t, bytes, &at);
    else
        open_instruction(t, kind, bytes, &at);
    run_stack(t);
}

void task_run_script(struct task *t)
{
    t->budget = CALLS;
    task_push(t, task_frame(t, 0, 0), 0, true);
    run_stack(t);
}

void task_continue(struct task *t)
{
    t->outside = false;
    run_stack(t);
}

/* ---- the end ---- */

void task_end(struct task *t)
{
    while (t->depth > 0)
        pop(t);
    for (size_t i = 0; i < t->owned_count; i++)
        balance_data_count(t->client, t->owned[i].id, -t->owned[i].references,
                           -t->owned[i].writers);
    free(t->stack);
    free(t->owned);
    free(t->known);
    free(t->elements);
    arena_free(&t->arena);
}
