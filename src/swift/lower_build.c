/* lower_build.c - instructions, blocks and slots of the function that is being made. */
#include "swift/lower.h"

struct code_function *lower_function(struct lowering *l)
{
    return &l->code->functions[l->function->index];
}

void lower_place(struct lowering *l, uint32_t at)
{
    struct source_place place = source_place(l->sources, at);
    l->place = code_place_of(l->code, slice_of(place.file), place.line);
}

/* ---- slots ---- */

static uint32_t shape_of_struct(struct lowering *l, const struct type *type)
{
    uint32_t *fields = memory_new(type->field_count + 1, sizeof *fields);
    for (size_t i = 0; i < type->field_count; i++)
        fields[i] = lower_shape(l, type->fields[i].type);
    uint32_t shape = code_shape_add(l->code, CODE_STRUCT, fields, type->field_count);
    free(fields);
    return shape;
}

uint32_t lower_shape(struct lowering *l, const struct type *type)
{
    type = type_base(type);
    switch (type->kind) {
    case TYPE_ARRAY: return code_shape_add(l->code, CODE_ARRAY, NULL, 0);
    case TYPE_BAG: return code_shape_add(l->code, CODE_BAG, NULL, 0);
    case TYPE_UPDATEABLE: return code_shape_add(l->code, CODE_UPDATEABLE, NULL, 0);
    case TYPE_FILE:
    case TYPE_URL: return code_shape_add(l->code, CODE_FILE, NULL, 0);
    case TYPE_STRUCT: return shape_of_struct(l, type);
    default: return l->shape_cell;
    }
}

uint32_t lower_temporary(struct lowering *l)
{
    return code_slot_add(lower_function(l), CODE_NONE, l->place, l->shape_cell);
}

uint32_t lower_shaped(struct lowering *l, const struct type *type)
{
    uint32_t shape = lower_shape(l, type);
    return code_slot_add(lower_function(l), CODE_NONE, l->place, shape);
}

uint32_t lower_slot(struct lowering *l, const struct variable *variable)
{
    uint32_t *slot = &l->function->slots[variable->index];
    if (*slot == CODE_NONE) {
        uint32_t name = code_text(l->code, variable->name);
        uint32_t shape = lower_shape(l, variable->type);
        *slot = code_slot_add(lower_function(l), name, l->place, shape);
    }
    return *slot;
}

/* ---- instructions ---- */

struct code_instruction *lower_add(struct lowering *l, enum code_operation operation,
                                   uint32_t index)
{
    struct open_block *block = l->function->block;
    block->instructions = memory_grow(block->instructions, &block->capacity, block->count + 1,
                                      sizeof *block->instructions);
    struct code_instruction *instruction = &block->instructions[block->count++];
    *instruction = (struct code_instruction){.operation = (uint8_t)operation,
                                             .place = l->place,
                                             .index = index,
                                             .first = (uint32_t)lower_function(l)->operand_count,
                                             .blocks = {CODE_NONE, CODE_NONE}};
    return instruction;
}

static void add_operand(struct lowering *l, uint32_t slot, enum code_mode mode)
{
    struct code_function *f = lower_function(l);
    f->operands =
        memory_grow(f->operands, &f->operand_capacity, f->operand_count + 1, sizeof *f->operands);
    f->operands[f->operand_count++] = (struct code_operand){slot, (uint8_t)mode};
}

void lower_operand(struct lowering *l, struct code_instruction *instruction, uint32_t slot,
                   enum code_mode mode)
{
    add_operand(l, slot, mode);
    instruction->count++;
}

/* ---- blocks ---- */

void lower_block_open(struct lowering *l, struct open_block *block)
{
    *block = (struct open_block){.first_slot = (uint32_t)lower_function(l)->slot_count,
                                 .outer = l->function->block};
    l->function->block = block;
}

/* Adds a slot of the surroundings to the uses of a block; one that is filled stays so. */
static void add_use(struct lowering *l, uint32_t start, uint32_t slot, enum code_mode mode)
{
    struct code_function *f = lower_function(l);
    bool fills = mode == CODE_SET || mode == CODE_FILL || mode == CODE_PATH;
    enum code_mode use = fills ? CODE_FILL : CODE_REFER;
    for (size_t i = start; i < f->operand_count; i++) {
        if (f->operands[i].slot != slot)
            continue;
        if (fills)
            f->operands[i].mode = CODE_FILL;
        return;
    }
    add_operand(l, slot, use);
}

static void add_uses_of(struct lowering *l, uint32_t start, uint32_t first_slot, uint32_t first,
                        uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        struct code_operand operand = lower_function(l)->operands[i];
        if (operand.slot < first_slot)
            add_use(l, start, operand.slot, (enum code_mode)operand.mode);
    }
}

/* The slots of the surroundings that the instructions of a block use. */
static void add_uses(struct lowering *l, const struct open_block *open, struct code_block *block)
{
    block->uses_first = (uint32_t)lower_function(l)->operand_count;
    for (size_t i = 0; i < open->count; i++) {
        const struct code_instruction *in = &open->instructions[i];
        add_uses_of(l, block->uses_first, open->first_slot, in->first, in->count);
        for (size_t b = 0; b < 2; b++) {
            if (in->blocks[b] == CODE_NONE)
                continue;
            struct code_block inner = lower_function(l)->blocks[in->blocks[b]];
            add_uses_of(l, block->uses_first, open->first_slot, inner.uses_first, inner.uses_count);
        }
        if (in->operation != CODE_SWITCH)
            continue;
        for (size_t c = in->index; c < lower_function(l)->case_count; c++) {
            struct code_case one = lower_function(l)->cases[c];
            struct code_block inner = lower_function(l)->blocks[one.block];
            add_uses_of(l, block->uses_first, open->first_slot, inner.uses_first, inner.uses_count);
            if (one.otherwise)
                break;
        }
    }
    block->uses_count = (uint32_t)lower_function(l)->operand_count - block->uses_first;
}

static void store_block(struct lowering *l, const struct open_block *open, uint32_t number)
{
    struct code_block block = {.count = (uint32_t)open->count};
    add_uses(l, open, &block);
    struct code_function *f = lower_function(l);
    block.first = (uint32_t)f->instruction_count;
    f->instructions = memory_grow(f->instructions, &f->instruction_capacity,
                                  f->instruction_count + open->count + 1, sizeof *f->instructions);
    if (open->count > 0)
        memcpy(f->instructions + f->instruction_count, open->instructions,
               open->count * sizeof *open->instructions);
    f->instruction_count += open->count;
    f->blocks[number] = block;
    free(open->instructions);
}

static uint32_t reserve_block(struct lowering *l)
{
    struct code_function *f = lower_function(l);
    f->blocks = memory_grow(f->blocks, &f->block_capacity, f->block_count + 1, sizeof *f->blocks);
    f->blocks[f->block_count] = (struct code_block){0};
    return (uint32_t)f->block_count++;
}

uint32_t lower_block_close(struct lowering *l)
{
    struct open_block *open = l->function->block;
    uint32_t number = reserve_block(l);
    store_block(l, open, number);
    l->function->block = open->outer;
    return number;
}

/* ---- functions ---- */

void lower_open(struct lowering *l, struct open_function *function, uint32_t index)
{
    size_t count = l->checked->variable_count;
    *function = (struct open_function){.index = index,
                                       .slots = memory_new(count + 1, sizeof *function->slots),
                                       .outer = l->function};
    for (size_t i = 0; i < count; i++)
        function->slots[i] = CODE_NONE;
    l->function = function;
    reserve_block(l); /* block 0 */
    struct open_block *block = arena_new(&l->arena, 1, sizeof *block);
    lower_block_open(l, block);
}

void lower_close(struct lowering *l)
{
    struct open_function *function = l->function;
    function->block->first_slot = 0; /* all slots are the function's own */
    store_block(l, function->block, 0);
    free(function->slots);
    l->function = function->outer;
}
