/*
 * check.c - whether instructions mean something: each has the operands that its operation needs,
 * in modes that it understands, and what it names exists.
 */
#include "code/check.h"

enum names {
    NAMES_NOTHING,
    NAMES_CONSTANT,
    NAMES_LEAF,
    NAMES_FUNCTION,
    NAMES_PROGRAM,
    NAMES_CASES
};

/* What an operation needs: operands, of which the first `sets` are outputs; blocks. */
static const struct operation {
    unsigned least, most, sets, blocks;
    enum names names;
} operations[CODE_OPERATIONS] = {
    [CODE_CONSTANT] = {1, 1, 1, 0, NAMES_CONSTANT},
    [CODE_LEAF] = {0, UINT32_MAX, 0, 0, NAMES_LEAF},
    [CODE_CALL] = {0, UINT32_MAX, 0, 0, NAMES_FUNCTION},
    [CODE_COPY] = {2, 2, 1, 0, NAMES_NOTHING},
    [CODE_BUILD] = {1, UINT32_MAX, 1, 0, NAMES_NOTHING},
    [CODE_FIELD] = {2, 2, 1, 0, NAMES_NOTHING},
    [CODE_PART] = {2, 2, 1, 0, NAMES_NOTHING},
    [CODE_MAP] = {2, 2, 1, 0, NAMES_NOTHING},
    [CODE_PATHNAME] = {2, 2, 1, 0, NAMES_NOTHING},
    [CODE_LOOKUP] = {3, 3, 1, 0, NAMES_NOTHING},
    [CODE_ARRAY_OF] = {1, UINT32_MAX, 1, 0, NAMES_NOTHING},
    [CODE_INSERT] = {3, UINT32_MAX, 1, 0, NAMES_NOTHING},
    [CODE_APPEND] = {2, UINT32_MAX, 1, 0, NAMES_NOTHING},
    [CODE_EXISTS] = {3, 3, 1, 0, NAMES_NOTHING},
    [CODE_SNAPSHOT] = {2, 2, 1, 0, NAMES_NOTHING},
    [CODE_UPDATE] = {2, 2, 1, 0, NAMES_NOTHING},
    [CODE_IF] = {1, 1, 0, 0, NAMES_NOTHING},
    [CODE_SWITCH] = {1, 1, 0, 0, NAMES_CASES},
    [CODE_FOREACH] = {3, 3, 0, 1, NAMES_NOTHING},
    [CODE_RANGE] = {5, 5, 0, 1, NAMES_NOTHING},
    [CODE_WAIT] = {0, UINT32_MAX, 0, 1, NAMES_NOTHING},
    [CODE_PROGRAM] = {1, UINT32_MAX, 0, 0, NAMES_PROGRAM},
};

static bool is_output(const struct code_operand *operand)
{
    return operand->mode == CODE_SET || operand->mode == CODE_FILL || operand->mode == CODE_PATH;
}

/* Blocks were numbered from the inside to the outside, and the body is 0: there is no circle. */
static bool is_inner_block(const struct code_function *f, uint32_t block, size_t outer)
{
    return block > 0 && block < f->block_count && (outer == 0 || block < outer);
}

/* All cases of a switch stand together, up to the one for all other values. */
static bool has_cases(const struct code_function *f, uint32_t first, size_t outer)
{
    for (size_t i = first; i < f->case_count && is_inner_block(f, f->cases[i].block, outer); i++)
        if (f->cases[i].otherwise)
            return true;
    return false;
}

/* A call gives each output and each input of the function a slot. */
static bool is_call(const struct code *code, const struct code_function *f,
                    const struct code_instruction *in)
{
    const struct code_function *called = &code->functions[in->index];
    uint64_t count = (uint64_t)called->output_count + called->input_count +
                     (in->flags & CODE_HAS_PRIORITY ? 1 : 0);
    for (uint32_t i = 0; i < in->count && i < called->output_count; i++)
        if (f->operands[in->first + i].mode != CODE_FILL)
            return false;
    return in->count == count;
}

static bool is_program(const struct code *code, const struct code_instruction *in)
{
    const struct code_program *p = &code->programs[in->index];
    uint64_t count = (uint64_t)p->outputs + p->words + p->has_stdin + p->has_stdout +
                     p->has_stderr + (in->flags & CODE_HAS_PLACE ? 1 : 0);
    return in->count == count && p->words > 0;
}

static bool names_something(const struct code *code, const struct code_function *f,
                            const struct code_instruction *in, size_t block)
{
    switch (operations[in->operation].names) {
    case NAMES_CONSTANT: return in->index < code->constant_count;
    case NAMES_LEAF: return in->index < code->leaf_count;
    case NAMES_FUNCTION: return in->index < code->function_count && is_call(code, f, in);
    case NAMES_PROGRAM: return in->index < code->program_count && is_program(code, in);
    case NAMES_CASES: return has_cases(f, in->index, block);
    default: return in->operation != CODE_UPDATE || in->index <= CODE_START;
    }
}

static bool has_blocks(const struct code_function *f, const struct code_instruction *in,
                       size_t outer)
{
    for (size_t i = 0; i < 2; i++) {
        uint32_t block = in->blocks[i];
        bool wanted = i < operations[in->operation].blocks;
        if (block == CODE_NONE ? wanted : !is_inner_block(f, block, outer))
            return false;
    }
    return true;
}

static bool is_instruction(const struct code *code, const struct code_function *f,
                           const struct code_instruction *in, size_t block)
{
    const struct operation *operation = &operations[in->operation];
    unsigned annotations =
        (in->flags & CODE_HAS_PLACE ? 1 : 0) + (in->flags & CODE_HAS_PRIORITY ? 1 : 0);
    if (in->count < operation->least || in->count > operation->most || in->count < annotations)
        return false;
    for (uint32_t i = 0; i < operation->sets; i++)
        if (!is_output(&f->operands[in->first + i]))
            return false;
    return names_something(code, f, in, block) && has_blocks(f, in, block);
}

static bool is_function(const struct code *code, const struct code_function *f)
{
    if (f->block_count == 0 || (uint64_t)f->output_count + f->input_count > f->slot_count)
        return false;
    for (size_t b = 0; b < f->block_count; b++)
        for (uint32_t i = 0; i < f->blocks[b].count; i++)
            if (!is_instruction(code, f, &f->instructions[f->blocks[b].first + i], b))
                return false;
    return true;
}

/* The fields of a struct are shapes that were made before it. */
static bool has_shapes(const struct code *code)
{
    for (size_t i = 0; i < code->shape_count; i++)
        for (uint32_t k = 0; k < code->shapes[i].count; k++)
            if (code->fields[code->shapes[i].first + k] >= i)
                return false;
    return code->shape_count > 0;
}

bool code_check(const struct code *code)
{
    for (size_t i = 0; i < code->function_count; i++)
        if (!is_function(code, &code->functions[i]))
            return false;
    return code->function_count > 0 && has_shapes(code);
}
