/*
 * read.c - bytes become the intermediate form. Every count and index is checked here, and check.c
 * sees to what instructions mean, so the runtime can trust all of it.
 */
#include "code/bytes.h"
#include "code/check.h"

struct reader {
    const unsigned char *bytes;
    size_t length, at;
    bool bad;
    struct code *code;
};

static uint64_t get(struct reader *r)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && r->at < r->length; shift += 7) {
        unsigned char byte = r->bytes[r->at++];
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    r->bad = true;
    return 0;
}

static int64_t get_signed(struct reader *r)
{
    uint64_t number = get(r);
    return (int64_t)(number >> 1 ^ -(number & 1));
}

/* A number below a limit; 0 and a bad reader otherwise. */
static uint32_t get_below(struct reader *r, uint64_t limit)
{
    uint64_t number = get(r);
    if (number < limit && number < UINT32_MAX)
        return (uint32_t)number;
    r->bad = true;
    return 0;
}

static uint32_t get_number(struct reader *r)
{
    return get_below(r, UINT32_MAX);
}

static uint32_t get_index(struct reader *r, uint64_t limit)
{
    uint64_t number = get_below(r, limit + 1);
    return number == 0 ? CODE_NONE : (uint32_t)number - 1;
}

/* How many items follow, of at least so many bytes each: a lie must not cost memory. */
static size_t get_count(struct reader *r, size_t bytes)
{
    uint64_t count = get(r);
    if (count <= (r->length - r->at) / bytes)
        return (size_t)count;
    r->bad = true;
    return 0;
}

static bool get_flag(struct reader *r)
{
    return get_below(r, 2);
}

/* A table with room for what follows. */
#define TABLE(r, items, count, bytes)                                                              \
    ((count) = get_count(r, bytes), (items) = memory_new((count) + 1, sizeof *(items)))

/* ---- tables ---- */

static void read_texts(struct reader *r)
{
    size_t count = get_count(r, 1);
    for (size_t i = 0; i < count && !r->bad; i++) {
        size_t length = get_count(r, 1);
        code_text(r->code, (struct slice){(const char *)r->bytes + r->at, length});
        r->at += length;
    }
    r->bad |= r->code->text_count != count; /* each text stands once */
}

static void read_constants(struct reader *r)
{
    struct code *code = r->code;
    TABLE(r, code->constants, code->constant_count, 2);
    for (size_t i = 0; i < code->constant_count && !r->bad; i++) {
        struct code_constant *c = &code->constants[i];
        c->kind = (enum code_constant_kind)get_below(r, CODE_BOOLEAN + 1);
        if (c->kind == CODE_FLOAT) {
            uint64_t bits = get(r);
            memcpy(&c->number, &bits, sizeof bits);
        } else if (c->kind == CODE_STRING) {
            c->text = get_below(r, code->text_count);
        } else {
            c->whole = get_signed(r);
        }
    }
}

static void read_programs(struct reader *r)
{
    struct code *code = r->code;
    TABLE(r, code->programs, code->program_count, 3);
    for (size_t i = 0; i < code->program_count && !r->bad; i++) {
        uint32_t outputs = get_number(r), words = get_number(r), streams = get_below(r, 8);
        code->programs[i] =
            (struct code_program){outputs, words, streams & 1, streams & 2, streams & 4};
    }
}

static void read_shapes(struct reader *r)
{
    struct code *code = r->code;
    TABLE(r, code->fields, code->field_count, 1);
    for (size_t i = 0; i < code->field_count && !r->bad; i++)
        code->fields[i] = get_number(r);
    TABLE(r, code->shapes, code->shape_count, 3);
    for (size_t i = 0; i < code->shape_count && !r->bad; i++) {
        struct code_shape *shape = &code->shapes[i];
        shape->kind = (enum code_shape_kind)get_below(r, CODE_SHAPE_KINDS);
        shape->first = get_below(r, code->field_count + 1);
        shape->count = get_below(r, code->field_count - shape->first + 1);
    }
}

static void read_tables(struct reader *r)
{
    struct code *code = r->code;
    read_texts(r);
    read_constants(r);
    TABLE(r, code->leaves, code->leaf_count, 2);
    for (size_t i = 0; i < code->leaf_count && !r->bad; i++) {
        uint32_t name = get_below(r, code->text_count);
        code->leaves[i] = (struct code_leaf){name, get_flag(r)};
    }
    read_programs(r);
    read_shapes(r);
    TABLE(r, code->places, code->place_count, 2);
    for (size_t i = 0; i < code->place_count && !r->bad; i++) {
        uint32_t file = get_below(r, code->text_count);
        code->places[i] = (struct code_place){file, get_number(r)};
    }
}

/* ---- functions ---- */

static void read_slots(struct reader *r, struct code_function *f)
{
    const struct code *code = r->code;
    TABLE(r, f->slots, f->slot_count, 3);
    for (size_t i = 0; i < f->slot_count && !r->bad; i++) {
        uint32_t name = get_index(r, code->text_count), place = get_below(r, code->place_count);
        f->slots[i] = (struct code_slot){name, place, get_below(r, code->shape_count)};
    }
    TABLE(r, f->operands, f->operand_count, 2);
    for (size_t i = 0; i < f->operand_count && !r->bad; i++) {
        uint32_t slot = get_below(r, f->slot_count);
        f->operands[i] = (struct code_operand){slot, (uint8_t)get_below(r, CODE_MODES)};
    }
}

static void read_instructions(struct reader *r, struct code_function *f)
{
    TABLE(r, f->instructions, f->instruction_count, 8);
    for (size_t i = 0; i < f->instruction_count && !r->bad; i++) {
        struct code_instruction *in = &f->instructions[i];
        in->operation = (uint8_t)get_below(r, CODE_OPERATIONS);
        in->flags = (uint8_t)get_below(r, 256);
        in->place = get_below(r, r->code->place_count);
        in->index = get_number(r);
        in->first = get_below(r, f->operand_count + 1);
        in->count = get_below(r, f->operand_count - in->first + 1);
        in->blocks[0] = get_index(r, UINT32_MAX - 2);
        in->blocks[1] = get_index(r, UINT32_MAX - 2);
    }
}

static void read_blocks(struct reader *r, struct code_function *f)
{
    TABLE(r, f->blocks, f->block_count, 4);
    for (size_t i = 0; i < f->block_count && !r->bad; i++) {
        struct code_block *block = &f->blocks[i];
        block->first = get_below(r, f->instruction_count + 1);
        block->count = get_below(r, f->instruction_count - block->first + 1);
        block->uses_first = get_below(r, f->operand_count + 1);
        block->uses_count = get_below(r, f->operand_count - block->uses_first + 1);
    }
    TABLE(r, f->cases, f->case_count, 3);
    for (size_t i = 0; i < f->case_count && !r->bad; i++) {
        int64_t label = get_signed(r);
        bool otherwise = get_flag(r);
        f->cases[i] = (struct code_case){label, otherwise, get_below(r, f->block_count)};
    }
}

static void read_function(struct reader *r, struct code_function *f)
{
    f->name = get_below(r, r->code->text_count);
    f->place = get_below(r, r->code->place_count);
    f->output_count = get_number(r);
    f->input_count = get_number(r);
    read_slots(r, f);
    read_instructions(r, f);
    read_blocks(r, f);
}

int code_read(struct code *code, const void *bytes, size_t length, struct err *e)
{
    struct reader r = {.bytes = bytes, .length = length, .code = code};
    if (length < CODE_MARK_LENGTH || memcmp(bytes, code_mark, CODE_MARK_LENGTH) != 0)
        return err_set(e, ERR_SYSTEM, "this is not a compiled script of this version of Wick");
    r.at = CODE_MARK_LENGTH;
    read_tables(&r);
    TABLE(&r, code->functions, code->function_count, 10);
    for (size_t i = 0; i < code->function_count && !r.bad; i++)
        read_function(&r, &code->functions[i]);
    if (r.bad || r.at != length || !code_check(code))
        return err_set(e, ERR_SYSTEM, "the compiled script is damaged");
    return 0;
}
