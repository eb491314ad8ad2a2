/*
 * lower_loop.c - for and iterate become functions that call themselves.
 *
 *   for (T v = first; condition; v = next) { body }
 *
 * is a call of loop(first), where
 *
 *   loop(v) { if (condition) { body; loop(next) } else { what v is outside = v } }
 *
 * So each iteration has variables of its own, and starts when the condition of the one before is
 * known. What the loop uses of its surroundings becomes outputs (what it may set) and inputs.
 */
#include "swift/lower.h"

/* A loop that is being made. */
struct loop {
    const struct statement *statement;
    uint32_t function;                   /* in code->functions */
    struct variable_set outputs, inputs; /* variables of the surroundings */
    struct open_function open;
};

static void find_surroundings(struct lowering *l, struct loop *loop)
{
    struct uses uses = {.lowering = l};
    for (size_t i = 0; i < loop->statement->loop_variable_count; i++)
        if (loop->statement->loop_variables[i].outer)
            lower_slot(l, loop->statement->loop_variables[i].outer);
    uses_of_statement(&uses, loop->statement);
    for (size_t i = 0; i < uses.written.count; i++)
        if (l->function->slots[uses.written.items[i]->index] != CODE_NONE)
            variable_set_add(&loop->outputs, uses.written.items[i]);
    for (size_t i = 0; i < uses.read.count; i++)
        if (l->function->slots[uses.read.items[i]->index] != CODE_NONE &&
            !variable_set_has(&loop->outputs, uses.read.items[i]))
            variable_set_add(&loop->inputs, uses.read.items[i]);
    uses_free(&uses);
}

/* Adds a call of the loop; `first` are the slots of its own variables. */
static void call_loop(struct lowering *l, const struct loop *loop, const uint32_t *first,
                      size_t count)
{
    struct code_instruction *in = lower_add(l, CODE_CALL, loop->function);
    for (size_t i = 0; i < loop->outputs.count; i++)
        lower_operand(l, in, lower_slot(l, loop->outputs.items[i]), CODE_FILL);
    for (size_t i = 0; i < count; i++)
        lower_operand(l, in, first[i], CODE_REFER);
    for (size_t i = 0; i < loop->inputs.count; i++)
        lower_operand(l, in, lower_slot(l, loop->inputs.items[i]), CODE_REFER);
}

static void loop_start(struct lowering *l, struct loop *loop, const struct statement *s)
{
    *loop = (struct loop){.statement = s};
    find_surroundings(l, loop);
    struct slice name = {s->kind == STATEMENT_FOR ? "for" : "iterate",
                         s->kind == STATEMENT_FOR ? strlen("for") : strlen("iterate")};
    loop->function = (uint32_t)l->code->function_count;
    code_function_add(l->code, name, l->place);
    lower_open(l, &loop->open, loop->function);
    for (size_t i = 0; i < loop->outputs.count; i++)
        lower_slot(l, loop->outputs.items[i]);
}

/* After the loop's own variables have their slots. */
static void loop_inputs(struct lowering *l, const struct loop *loop, size_t own)
{
    for (size_t i = 0; i < loop->inputs.count; i++)
        lower_slot(l, loop->inputs.items[i]);
    lower_function(l)->output_count = (uint32_t)loop->outputs.count;
    lower_function(l)->input_count = (uint32_t)(own + loop->inputs.count);
}

static void loop_end(struct loop *loop)
{
    free(loop->outputs.items);
    free(loop->inputs.items);
}

static void add_if(struct lowering *l, uint32_t condition, uint32_t yes, uint32_t no)
{
    struct code_instruction *in = lower_add(l, CODE_IF, 0);
    lower_operand(l, in, condition, CODE_KNOWN);
    in->blocks[0] = yes;
    in->blocks[1] = no;
}

/* ---- for ---- */

static uint32_t next_iteration(struct lowering *l, const struct loop *loop)
{
    const struct statement *s = loop->statement;
    struct open_block open;
    uint32_t *next = memory_new(s->loop_variable_count + 1, sizeof *next);
    lower_block_open(l, &open);
    lower_statements(l, s->blocks[0]);
    for (size_t i = 0; i < s->loop_variable_count; i++)
        next[i] = lower_expression(l, s->loop_variables[i].update, CODE_NONE);
    call_loop(l, loop, next, s->loop_variable_count);
    free(next);
    return lower_block_close(l);
}

static uint32_t last_iteration(struct lowering *l, const struct loop *loop)
{
    const struct statement *s = loop->statement;
    struct open_block open;
    lower_block_open(l, &open);
    for (size_t i = 0; i < s->loop_variable_count; i++)
        if (s->loop_variables[i].outer)
            lower_copy(l, lower_slot(l, s->loop_variables[i].outer),
                       lower_slot(l, s->loop_variables[i].variable));
    return lower_block_close(l);
}

void lower_for(struct lowering *l, const struct statement *s)
{
    struct loop loop;
    size_t count = s->loop_variable_count;
    uint32_t place = l->place, *first = memory_new(count + 1, sizeof *first);
    for (size_t i = 0; i < count; i++)
        first[i] = lower_expression(l, s->loop_variables[i].initial, CODE_NONE);
    loop_start(l, &loop, s);
    for (size_t i = 0; i < count; i++)
        lower_slot(l, s->loop_variables[i].variable);
    loop_inputs(l, &loop, count);
    uint32_t condition = lower_expression(l, s->condition, CODE_NONE),
             yes = next_iteration(l, &loop), no = last_iteration(l, &loop);
    add_if(l, condition, yes, no);
    lower_close(l);
    l->place = place;
    call_loop(l, &loop, first, count);
    loop_end(&loop);
    free(first);
}

/* ---- iterate ---- */

/* The number of the next iteration. */
static uint32_t count_on(struct lowering *l, uint32_t counter)
{
    struct code_constant one = {.kind = CODE_INT, .whole = 1};
    uint32_t step = lower_temporary(l), next = lower_temporary(l);
    lower_operand(l, lower_add(l, CODE_CONSTANT, code_constant_add(l->code, one)), step, CODE_SET);
    struct code_instruction *in =
        lower_add(l, CODE_LEAF, code_leaf_add(l->code, "int_plus", false));
    lower_operand(l, in, next, CODE_SET);
    lower_operand(l, in, counter, CODE_KNOWN);
    lower_operand(l, in, step, CODE_KNOWN);
    return next;
}

void lower_iterate(struct lowering *l, const struct statement *s)
{
    struct loop loop;
    struct open_block open;
    struct code_constant zero = {.kind = CODE_INT};
    uint32_t place = l->place, first = lower_temporary(l);
    lower_operand(l, lower_add(l, CODE_CONSTANT, code_constant_add(l->code, zero)), first,
                  CODE_SET);
    loop_start(l, &loop, s);
    uint32_t counter = lower_slot(l, s->variable);
    loop_inputs(l, &loop, 1);
    lower_statements(l, s->blocks[0]);
    uint32_t condition = lower_expression(l, s->condition, CODE_NONE);
    lower_block_open(l, &open);
    uint32_t next = count_on(l, counter);
    call_loop(l, &loop, &next, 1);
    add_if(l, condition, CODE_NONE, lower_block_close(l));
    lower_close(l);
    l->place = place;
    call_loop(l, &loop, &first, 1);
    loop_end(&loop);
}
