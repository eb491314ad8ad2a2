/* lower_statement.c - statements become instructions and blocks. */
#include "swift/lower.h"

/* The slots that a statement sets, for what is chained to it. */
struct slot_list {
    uint32_t *items;
    size_t count, capacity;
};

static void lower_one(struct lowering *l, const struct statement *s, struct slot_list *outputs);

static void slot_list_add(struct slot_list *list, uint32_t slot)
{
    if (!list)
        return;
    list->items = memory_grow(list->items, &list->capacity, list->count + 1, sizeof slot);
    list->items[list->count++] = slot;
}

/* ---- targets ---- */

/* The slot of what a target names, to be filled: a variable or a field of one. */
static uint32_t slot_to_fill(struct lowering *l, const struct expression *target)
{
    if (target->kind == EXPRESSION_NAME)
        return lower_slot(l, target->variable);
    uint32_t whole = slot_to_fill(l, target->items[0]), number = 0;
    const struct type *type = type_base(target->items[0]->type);
    while (!slice_equal(type->fields[number].name, target->text))
        number++;
    uint32_t part = lower_shaped(l, type->fields[number].type);
    struct code_instruction *in = lower_add(l, CODE_PART, number);
    lower_operand(l, in, part, CODE_SET);
    lower_operand(l, in, whole, CODE_FILL);
    return part;
}

static size_t count_keys(const struct expression **target)
{
    size_t count = 0;
    for (; (*target)->kind == EXPRESSION_INDEX; *target = (*target)->items[0])
        count++;
    return count;
}

/* Adds an instruction that puts a value into an array: the array, the value, the keys. */
static void lower_insert(struct lowering *l, enum code_operation operation,
                         const struct expression *target, uint32_t value, enum code_mode mode)
{
    const struct expression *root = target, *at = target;
    size_t count = count_keys(&root);
    uint32_t *keys = memory_new(count + 1, sizeof *keys), array = slot_to_fill(l, root);
    for (size_t i = count; i > 0; i--, at = at->items[0])
        keys[i - 1] = lower_expression(l, at->items[1], CODE_NONE);
    struct code_instruction *in = lower_add(l, operation, 0);
    lower_operand(l, in, array, CODE_FILL);
    lower_operand(l, in, value, mode);
    for (size_t i = 0; i < count; i++)
        lower_operand(l, in, keys[i], CODE_KNOWN);
    free(keys);
}

/* ---- assignments ---- */

static void assign(struct lowering *l, const struct expression *target,
                   const struct expression *value, struct slot_list *outputs)
{
    uint32_t slot;
    if (target->kind == EXPRESSION_INDEX) {
        slot = lower_expression(l, value, CODE_NONE);
        lower_insert(l, CODE_INSERT, target, slot, lower_member_mode(target->type));
    } else {
        slot = slot_to_fill(l, target);
        lower_expression(l, value, slot);
    }
    slot_list_add(outputs, slot);
}

/* targets = f(...) with several outputs */
static void assign_call(struct lowering *l, const struct statement *s, struct slot_list *outputs)
{
    uint32_t *slots = memory_new(s->target_count + 1, sizeof *slots);
    for (size_t i = 0; i < s->target_count; i++)
        slots[i] = s->targets[i]->kind == EXPRESSION_INDEX ? lower_shaped(l, s->targets[i]->type)
                                                           : slot_to_fill(l, s->targets[i]);
    lower_call(l, s->values[0], slots);
    for (size_t i = 0; i < s->target_count; i++) {
        const struct expression *target = s->targets[i];
        if (target->kind == EXPRESSION_INDEX)
            lower_insert(l, CODE_INSERT, target, slots[i], lower_member_mode(target->type));
        slot_list_add(outputs, slots[i]);
    }
    free(slots);
}

static void lower_assign(struct lowering *l, const struct statement *s, struct slot_list *outputs)
{
    struct expression *const *values = s->values;
    size_t count = s->value_count;
    if (count == 1 && values[0]->kind == EXPRESSION_TUPLE) {
        count = values[0]->count;
        values = values[0]->items;
    }
    if (count == 1 && s->target_count > 1) {
        assign_call(l, s, outputs);
        return;
    }
    for (size_t i = 0; i < count; i++)
        assign(l, s->targets[i], values[i], outputs);
}

static void lower_declarator(struct lowering *l, const struct declarator *d,
                             struct slot_list *outputs)
{
    uint32_t slot = lower_slot(l, d->variable);
    if (d->mapping) {
        uint32_t path = lower_expression(l, d->mapping, CODE_NONE);
        struct code_instruction *in = lower_add(l, CODE_MAP, 0);
        lower_operand(l, in, slot, CODE_SET);
        lower_operand(l, in, path, CODE_REFER);
    }
    if (!d->value)
        return;
    slot_list_add(outputs, slot);
    if (!type_is(d->variable->type, TYPE_UPDATEABLE)) {
        lower_expression(l, d->value, slot);
        return;
    }
    uint32_t value = lower_expression(l, d->value, CODE_NONE);
    struct code_instruction *in = lower_add(l, CODE_UPDATE, CODE_START);
    lower_operand(l, in, slot, CODE_FILL);
    lower_operand(l, in, value, CODE_KNOWN);
}

static void lower_append(struct lowering *l, const struct statement *s, struct slot_list *outputs)
{
    uint32_t value = lower_expression(l, s->values[0], CODE_NONE);
    lower_insert(l, CODE_APPEND, s->targets[0], value, lower_member_mode(s->values[0]->type));
    slot_list_add(outputs, value);
}

static void lower_call_statement(struct lowering *l, const struct statement *s,
                                 struct slot_list *outputs)
{
    const struct expression *e = s->values[0];
    if (!e->call->function) {
        slot_list_add(outputs, lower_expression(l, e, CODE_NONE));
        return;
    }
    size_t count = lower_output_count(e);
    uint32_t *slots = memory_new(count + 1, sizeof *slots);
    for (size_t i = 0; i < count; i++)
        slots[i] = CODE_NONE;
    lower_call(l, e, slots);
    for (size_t i = 0; i < count; i++)
        slot_list_add(outputs, slots[i]);
    free(slots);
}

static void lower_update(struct lowering *l, const struct statement *s)
{
    static const char *const words[] = {
        [CODE_INCREMENT] = "incr", [CODE_MINIMUM] = "min", [CODE_SCALE] = "scale"};
    uint32_t operation = 0, value = lower_expression(l, s->values[0], CODE_NONE),
             slot = slot_to_fill(l, s->targets[0]);
    while (operation < CODE_SCALE && !slice_is(s->text, words[operation]))
        operation++;
    struct code_instruction *in = lower_add(l, CODE_UPDATE, operation);
    lower_operand(l, in, slot, CODE_FILL);
    lower_operand(l, in, value, CODE_KNOWN);
}

/* ---- blocks ---- */

uint32_t lower_block(struct lowering *l, const struct block *block)
{
    struct open_block open;
    if (!block)
        return CODE_NONE;
    lower_block_open(l, &open);
    lower_statements(l, block);
    return lower_block_close(l);
}

static void lower_if(struct lowering *l, const struct statement *s)
{
    uint32_t place = l->place, condition = lower_expression(l, s->values[0], CODE_NONE),
             yes = lower_block(l, s->blocks[0]), no = lower_block(l, s->blocks[1]);
    l->place = place;
    struct code_instruction *in = lower_add(l, CODE_IF, 0);
    lower_operand(l, in, condition, CODE_KNOWN);
    in->blocks[0] = yes;
    in->blocks[1] = no;
}

static void add_case(struct lowering *l, struct code_case one)
{
    struct code_function *f = lower_function(l);
    f->cases = memory_grow(f->cases, &f->case_capacity, f->case_count + 1, sizeof *f->cases);
    f->cases[f->case_count++] = one;
}

/* The cases of one switch follow each other, and the last of them is for all other values. */
static void lower_switch(struct lowering *l, const struct statement *s)
{
    static const struct block nothing = {0};
    uint32_t place = l->place, value = lower_expression(l, s->values[0], CODE_NONE);
    struct code_case *cases = memory_new(s->case_count + 1, sizeof *cases);
    size_t count = 0, last = s->case_count;
    for (size_t i = 0; i < s->case_count; i++) {
        const struct switch_case *one = &s->cases[i];
        if (one->otherwise)
            last = i;
        else
            cases[count++] = (struct code_case){one->label, false, lower_block(l, one->block)};
    }
    cases[count++] = (struct code_case){
        0, true, lower_block(l, last < s->case_count ? s->cases[last].block : &nothing)};
    l->place = place;
    uint32_t first = (uint32_t)lower_function(l)->case_count;
    for (size_t i = 0; i < count; i++)
        add_case(l, cases[i]);
    lower_operand(l, lower_add(l, CODE_SWITCH, first), value, CODE_KNOWN);
    free(cases);
}

/* The body of a foreach, whose own variables are slots of the block. */
static uint32_t lower_body(struct lowering *l, const struct statement *s, uint32_t *value,
                           uint32_t *key)
{
    struct open_block open;
    lower_block_open(l, &open);
    *value = lower_slot(l, s->variable);
    *key = s->index_variable ? lower_slot(l, s->index_variable) : lower_temporary(l);
    lower_statements(l, s->blocks[0]);
    return lower_block_close(l);
}

static void lower_foreach(struct lowering *l, const struct statement *s)
{
    const struct expression *over = s->values[0];
    bool range = over->kind == EXPRESSION_RANGE;
    uint32_t place = l->place, inputs[3], value, key;
    size_t count = range ? 3 : 1;
    if (range) {
        bool floats = type_is(type_base(over->type)->member, TYPE_FLOAT);
        struct code_constant one = {floats ? CODE_FLOAT : CODE_INT, floats ? 0 : 1,
                                    floats ? 1.0 : 0, 0};
        inputs[0] = lower_expression(l, over->items[0], CODE_NONE);
        inputs[1] = lower_expression(l, over->items[1], CODE_NONE);
        if (over->count > 2) {
            inputs[2] = lower_expression(l, over->items[2], CODE_NONE);
        } else {
            inputs[2] = lower_temporary(l);
            lower_operand(l, lower_add(l, CODE_CONSTANT, code_constant_add(l->code, one)),
                          inputs[2], CODE_SET);
        }
    } else {
        inputs[0] = lower_expression(l, over, CODE_NONE);
    }
    uint32_t body = lower_body(l, s, &value, &key);
    l->place = place;
    struct code_instruction *in = lower_add(l, range ? CODE_RANGE : CODE_FOREACH, 0);
    for (size_t i = 0; i < count; i++)
        lower_operand(l, in, inputs[i], range ? CODE_KNOWN : CODE_CLOSED);
    lower_operand(l, in, value, CODE_SET);
    lower_operand(l, in, key, CODE_SET);
    in->blocks[0] = body;
    if (range && type_is(type_base(over->type)->member, TYPE_FLOAT))
        in->flags |= CODE_IN_FLOATS;
}

/* ---- waiting ---- */

static enum code_mode mode_of_wait(const struct type *type, bool deep)
{
    switch (type_base(type)->kind) {
    case TYPE_ARRAY:
    case TYPE_BAG: return deep ? CODE_DEEP : CODE_CLOSED;
    case TYPE_UPDATEABLE: return CODE_CLOSED;
    default: return CODE_DEEP;
    }
}

static void lower_wait(struct lowering *l, const struct statement *s)
{
    uint32_t place = l->place, *inputs = memory_new(s->value_count + 1, sizeof *inputs);
    for (size_t i = 0; i < s->value_count; i++) {
        const struct expression *e = s->values[i];
        inputs[i] = e->kind == EXPRESSION_NAME && e->variable->kind != VARIABLE_CONSTANT
                        ? lower_slot(l, e->variable)
                        : lower_expression(l, e, CODE_NONE);
    }
    uint32_t block = lower_block(l, s->blocks[0]);
    l->place = place;
    struct code_instruction *in = lower_add(l, CODE_WAIT, 0);
    for (size_t i = 0; i < s->value_count; i++) {
        const struct expression *e = s->values[i];
        const struct type *type = e->kind == EXPRESSION_NAME ? e->variable->type : e->type;
        lower_operand(l, in, inputs[i], mode_of_wait(type, s->deep));
    }
    in->blocks[0] = block;
    free(inputs);
}

/* Variables that the right side of a chain declares are known in the block around the chain. */
static void declare_ahead(struct lowering *l, const struct statement *s)
{
    for (; s; s = s->kind == STATEMENT_CHAIN ? s->right : NULL) {
        const struct statement *here = s->kind == STATEMENT_CHAIN ? s->left : s;
        for (size_t i = 0; i < here->declarator_count; i++)
            lower_slot(l, here->declarators[i].variable);
        for (size_t i = 0; here->kind == STATEMENT_ASSIGN && i < here->target_count; i++) {
            const struct expression *root = here->targets[i];
            while (root->kind != EXPRESSION_NAME)
                root = root->items[0];
            lower_slot(l, root->variable);
        }
    }
}

static void lower_chain(struct lowering *l, const struct statement *s)
{
    struct slot_list outputs = {0};
    struct open_block open;
    uint32_t place = l->place;
    lower_one(l, s->left, &outputs);
    declare_ahead(l, s->right);
    lower_block_open(l, &open);
    lower_one(l, s->right, NULL);
    uint32_t block = lower_block_close(l);
    l->place = place;
    struct code_instruction *in = lower_add(l, CODE_WAIT, 0);
    for (size_t i = 0; i < outputs.count; i++) {
        uint32_t shape = lower_function(l)->slots[outputs.items[i]].shape;
        enum code_shape_kind kind = l->code->shapes[shape].kind;
        bool container = kind == CODE_ARRAY || kind == CODE_BAG || kind == CODE_UPDATEABLE;
        lower_operand(l, in, outputs.items[i], container ? CODE_CLOSED : CODE_DEEP);
    }
    in->blocks[0] = block;
    free(outputs.items);
}

static void lower_one(struct lowering *l, const struct statement *s, struct slot_list *outputs)
{
    lower_place(l, s->at);
    switch (s->kind) {
    case STATEMENT_DECLARE:
        for (size_t i = 0; i < s->declarator_count; i++)
            lower_declarator(l, &s->declarators[i], outputs);
        break;
    case STATEMENT_ASSIGN: lower_assign(l, s, outputs); break;
    case STATEMENT_APPEND: lower_append(l, s, outputs); break;
    case STATEMENT_CALL: lower_call_statement(l, s, outputs); break;
    case STATEMENT_NAME: slot_list_add(outputs, lower_slot(l, s->values[0]->variable)); break;
    case STATEMENT_BLOCK: lower_statements(l, s->blocks[0]); break;
    case STATEMENT_IF: lower_if(l, s); break;
    case STATEMENT_SWITCH: lower_switch(l, s); break;
    case STATEMENT_FOREACH: lower_foreach(l, s); break;
    case STATEMENT_FOR: lower_for(l, s); break;
    case STATEMENT_ITERATE: lower_iterate(l, s); break;
    case STATEMENT_WAIT: lower_wait(l, s); break;
    case STATEMENT_UPDATE: lower_update(l, s); break;
    case STATEMENT_CHAIN: lower_chain(l, s); break;
    }
}

void lower_statements(struct lowering *l, const struct block *block)
{
    for (size_t i = 0; i < block->count; i++)
        lower_one(l, block->statements[i], NULL);
}
