/*
 * write.c - the intermediate form as bytes: a mark, then each table behind its length. Numbers take
 * as few bytes as they need (LEB128).
 */
#include "code/bytes.h"

static void put(struct str *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        str_add_char(out, (char)(number | 0x80));
    str_add_char(out, (char)number);
}

/* CODE_NONE is 0, so that it takes one byte. */
static void put_index(struct str *out, uint32_t index)
{
    put(out, index == CODE_NONE ? 0 : (uint64_t)index + 1);
}

static void put_signed(struct str *out, int64_t number)
{
    put(out, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
}

static void put_slice(struct str *out, struct slice text)
{
    put(out, text.length);
    str_add_bytes(out, text.text, text.length);
}

static void write_constants(struct str *out, const struct code *code)
{
    put(out, code->constant_count);
    for (size_t i = 0; i < code->constant_count; i++) {
        const struct code_constant *c = &code->constants[i];
        uint64_t bits;
        memcpy(&bits, &c->number, sizeof bits);
        put(out, c->kind);
        if (c->kind == CODE_FLOAT)
            put(out, bits);
        else if (c->kind == CODE_STRING)
            put(out, c->text);
        else
            put_signed(out, c->whole);
    }
}

static void write_tables(struct str *out, const struct code *code)
{
    put(out, code->text_count);
    for (size_t i = 0; i < code->text_count; i++)
        put_slice(out, code->texts[i]);
    write_constants(out, code);
    put(out, code->leaf_count);
    for (size_t i = 0; i < code->leaf_count; i++) {
        put(out, code->leaves[i].name);
        put(out, code->leaves[i].worker);
    }
    put(out, code->program_count);
    for (size_t i = 0; i < code->program_count; i++) {
        const struct code_program *p = &code->programs[i];
        put(out, p->outputs);
        put(out, p->words);
        put(out,
            (unsigned)p->has_stdin | (unsigned)p->has_stdout << 1 | (unsigned)p->has_stderr << 2);
    }
    put(out, code->field_count);
    for (size_t i = 0; i < code->field_count; i++)
        put(out, code->fields[i]);
    put(out, code->shape_count);
    for (size_t i = 0; i < code->shape_count; i++) {
        put(out, code->shapes[i].kind);
        put(out, code->shapes[i].first);
        put(out, code->shapes[i].count);
    }
    put(out, code->place_count);
    for (size_t i = 0; i < code->place_count; i++) {
        put(out, code->places[i].file);
        put(out, code->places[i].line);
    }
}

static void write_instructions(struct str *out, const struct code_function *f)
{
    put(out, f->instruction_count);
    for (size_t i = 0; i < f->instruction_count; i++) {
        const struct code_instruction *in = &f->instructions[i];
        put(out, in->operation);
        put(out, in->flags);
        put(out, in->place);
        put(out, in->index);
        put(out, in->first);
        put(out, in->count);
        put_index(out, in->blocks[0]);
        put_index(out, in->blocks[1]);
    }
}

static void write_blocks(struct str *out, const struct code_function *f)
{
    put(out, f->block_count);
    for (size_t i = 0; i < f->block_count; i++) {
        put(out, f->blocks[i].first);
        put(out, f->blocks[i].count);
        put(out, f->blocks[i].uses_first);
        put(out, f->blocks[i].uses_count);
    }
    put(out, f->case_count);
    for (size_t i = 0; i < f->case_count; i++) {
        put_signed(out, f->cases[i].label);
        put(out, f->cases[i].otherwise);
        put(out, f->cases[i].block);
    }
}

static void write_function(struct str *out, const struct code_function *f)
{
    put(out, f->name);
    put(out, f->place);
    put(out, f->output_count);
    put(out, f->input_count);
    put(out, f->slot_count);
    for (size_t i = 0; i < f->slot_count; i++) {
        put_index(out, f->slots[i].name);
        put(out, f->slots[i].place);
        put(out, f->slots[i].shape);
    }
    put(out, f->operand_count);
    for (size_t i = 0; i < f->operand_count; i++) {
        put(out, f->operands[i].slot);
        put(out, f->operands[i].mode);
    }
    write_instructions(out, f);
    write_blocks(out, f);
}

void code_write(struct str *out, const struct code *code)
{
    str_add_bytes(out, code_mark, CODE_MARK_LENGTH);
    write_tables(out, code);
    put(out, code->function_count);
    for (size_t i = 0; i < code->function_count; i++)
        write_function(out, &code->functions[i]);
}
