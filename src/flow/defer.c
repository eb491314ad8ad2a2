/*
 * defer.c - an instruction, or a part of a loop, becomes a task.
 *
 * Its bytes: the kind of closure, then of an instruction the function, the instruction and its
 * slots; of a part of a loop also the iterations; of an assignment the target and the source.
 */
#include "flow/task.h"
#include "flow/worker.h"

/* What a closure does with a slot. */
enum { UNUSED, USES, SETS, FILLS };

/*
 * Tasks that run something come before those that only make more tasks, and small parts of loops
 * before large ones: so a loop is run depth first, and few of its parts exist at a time.
 */
enum { CLASS_LOOP, CLASS_CONTROL = CLASS_LOOP + 16, CLASS_RUN, CLASSES };

struct closure {
    struct str bytes;
    struct id_list ids;
    int priority, class;
    uint32_t label;
};

static void add_writer(struct task *t, const struct leaf_value *reference)
{
    balance_data_count(t->client, datum_id(reference), 0, 1);
}

/* ---- which slots an instruction uses ---- */

static void mark(unsigned char *marks, const struct code_operand *operand, bool block)
{
    unsigned char use = USES;
    if (operand->mode == CODE_FILL || operand->mode == CODE_PATH)
        use = FILLS;
    else if (operand->mode == CODE_SET)
        use = block ? FILLS : SETS;
    if (use > marks[operand->slot])
        marks[operand->slot] = use;
}

static void mark_block(unsigned char *marks, const struct code_function *f, uint32_t number)
{
    if (number == CODE_NONE)
        return;
    const struct code_block *block = &f->blocks[number];
    for (uint32_t i = 0; i < block->uses_count; i++)
        mark(marks, &f->operands[block->uses_first + i], true);
}

/* The value and key of a loop belong to its iterations: the task does not take them along. */
static uint32_t outer_operands(const struct code_instruction *in)
{
    bool loop = in->operation == CODE_FOREACH || in->operation == CODE_RANGE;
    return loop ? in->count - 2 : in->count;
}

static void mark_all(unsigned char *marks, const struct code_function *f,
                     const struct code_instruction *in)
{
    for (uint32_t i = 0; i < outer_operands(in); i++)
        mark(marks, &f->operands[in->first + i], false);
    mark_block(marks, f, in->blocks[0]);
    mark_block(marks, f, in->blocks[1]);
    if (in->operation != CODE_SWITCH)
        return;
    uint32_t one = in->index;
    do
        mark_block(marks, f, f->cases[one].block);
    while (!f->cases[one++].otherwise);
}

/* ---- its bytes ---- */

static void add_slot(struct task *t, struct frame *frame, struct closure *c, uint32_t slot,
                     unsigned char use)
{
    const struct leaf_value *value =
        use == SETS ? slot_make_cell(t, frame, slot) : slot_make(t, frame, slot);
    pack_number(&c->bytes, slot);
    pack_number(&c->bytes, use != USES);
    pack_value(&c->bytes, value, &c->ids);
    if (use != USES)
        slot_each_container(value, add_writer, t);
}

static void add_slots(struct task *t, struct frame *frame, struct closure *c,
                      const struct code_instruction *in)
{
    const struct code_function *f = &t->code->functions[frame->function];
    unsigned char *marks = memory_new(f->slot_count + 1, 1);
    uint64_t count = 0;
    mark_all(marks, f, in);
    for (uint32_t i = 0; i < f->slot_count; i++)
        count += marks[i] != UNUSED;
    pack_number(&c->bytes, count);
    for (uint32_t i = 0; i < f->slot_count; i++)
        if (marks[i] != UNUSED)
            add_slot(t, frame, c, i, marks[i]);
    free(marks);
}

static void add_head(struct task *t, struct frame *frame, struct closure *c, enum closure_kind kind,
                     const struct code_instruction *in)
{
    const struct code_function *f = &t->code->functions[frame->function];
    str_add_char(&c->bytes, (char)kind);
    pack_number(&c->bytes, frame->function);
    pack_number(&c->bytes, (uint64_t)(in - f->instructions));
    pack_number(&c->bytes, (uint64_t)(int64_t)frame->priority);
    c->priority = frame->priority;
    c->label = in->place + 1;
}

/*
 * In front of a closure stand its waits, so that the answers can be told apart; the data that it
 * refers to, which the task will own; and what is known of cells that refer to others.
 */
static void add_waits(struct str *bytes, struct wait_list *waits)
{
    pack_number(bytes, waits->count);
    for (size_t i = 0; i < waits->count; i++) {
        struct balance_wait *wait = &waits->items[i];
        struct leaf_value reference = {.kind = LEAF_REFERENCE, .whole = (int64_t)wait->id};
        pack_number(bytes, wait->id);
        pack_number(bytes, wait->want);
        pack_number(bytes, wait->key.length);
        str_add_bytes(bytes, wait->key.text, wait->key.length);
        wait->id = datum_id(&reference);
    }
}

static void add_ids(struct task *t, struct str *bytes, const struct id_list *ids)
{
    pack_number(bytes, ids->count);
    for (size_t i = 0; i < ids->count; i++) {
        pack_number(bytes, ids->items[i]);
        balance_data_count(t->client, ids->items[i], 1, 0);
    }
}

/*
 * A cell whose value is a reference to another one was waited for in vain: the other one must be
 * waited for. The next task must know of it, or it would wait for the first one again, for ever.
 */
static void add_links(struct task *t, struct closure *c, struct str *links)
{
    uint64_t count = 0;
    struct str items = {0};
    for (size_t i = 0; i < t->known_capacity; i++) {
        const struct known *known = &t->known[i];
        if (known->id == 0 || !known->is_answer || known->value.kind != LEAF_REFERENCE)
            continue;
        pack_number(&items, known->id);
        pack_value(&items, &known->value, &c->ids);
        count++;
    }
    pack_number(links, count);
    str_add_bytes(links, items.text, items.length);
    str_free(&items);
}

static void put(struct task *t, struct closure *c, struct wait_list *waits,
                const struct destination *destination)
{
    struct wait_list none = {0};
    struct str bytes = {0}, links = {0};
    waits = waits ? waits : &none;
    add_waits(&bytes, waits);
    add_links(t, c, &links);
    add_ids(t, &bytes, &c->ids);
    str_add_bytes(&bytes, links.text, links.length);
    str_free(&links);
    str_add_bytes(&bytes, c->bytes.text, c->bytes.length);
    struct balance_task task = {.id = worker_next_id(t->worker),
                                .bytes = bytes.text,
                                .length = bytes.length,
                                .priority = c->priority * CLASSES + c->class,
                                .label = c->label};
    if (destination && destination->bound) {
        task.where = destination->whole_node ? BALANCE_NODE : BALANCE_WORKER;
        task.prefer = destination->soft;
        task.target = worker_target(t->worker, destination);
    }
    balance_data_put(t->client, &task, waits->items, waits->count, c->ids.items, c->ids.count);
    worker_flush_some(t->worker);
    str_free(&bytes);
    str_free(&c->bytes);
    free(c->ids.items);
    free(waits->items);
}

static void defer_instruction(struct task *t, struct frame *frame,
                              const struct code_instruction *in, enum closure_kind kind,
                              struct wait_list *waits, const struct destination *destination)
{
    struct closure c = {.class = CLASS_CONTROL};
    if (in->operation == CODE_LEAF || in->operation == CODE_PROGRAM)
        c.class = CLASS_RUN;
    add_head(t, frame, &c, kind, in);
    add_slots(t, frame, &c, in);
    put(t, &c, waits, destination);
}

void defer(struct task *t, struct frame *frame, const struct code_instruction *in,
           struct wait_list *waits)
{
    defer_instruction(t, frame, in, CLOSURE_INSTRUCTION, waits, NULL);
}

void defer_placed(struct task *t, struct frame *frame, const struct code_instruction *in,
                  const struct destination *destination)
{
    defer_instruction(t, frame, in, CLOSURE_PLACED, NULL, destination);
}

static int class_of_part(uint64_t iterations)
{
    int class = CLASS_CONTROL - 1;
    for (; iterations >= 16 && class > CLASS_LOOP; iterations /= 16)
        class --;
    return class;
}

void defer_part(struct task *t, struct frame *frame, const struct code_instruction *in,
                uint64_t from, uint64_t last)
{
    struct closure c = {.class = class_of_part(last - from)};
    add_head(t, frame, &c, CLOSURE_PART, in);
    pack_number(&c.bytes, from);
    pack_number(&c.bytes, last);
    add_slots(t, frame, &c, in);
    put(t, &c, NULL, NULL);
}

void defer_assign(struct task *t, const struct leaf_value *target, const struct leaf_value *source,
                  struct wait_list *waits)
{
    struct closure c = {.class = CLASS_CONTROL, .label = t->current->place + 1};
    str_add_char(&c.bytes, (char)CLOSURE_ASSIGN);
    pack_value(&c.bytes, target, &c.ids);
    pack_value(&c.bytes, source, &c.ids);
    slot_each_container(target, add_writer, t);
    put(t, &c, waits, NULL);
}
