/* The intermediate form as bytes: what comes back is the same, and what is damaged is refused. */
#include "code/code.h"

#include "tap.h"

/* A function that adds two constants, in a block that an `if` may run. */
static void make(struct code *code)
{
    uint32_t cell = code_shape_add(code, CODE_CELL, NULL, 0), fields[] = {cell, cell};
    uint32_t place = code_place_of(code, slice_of("a.swift"), 3);
    code_shape_add(code, CODE_STRUCT, fields, 2);
    struct code_constant one = {.kind = CODE_INT, .whole = -1},
                         half = {.kind = CODE_FLOAT, .number = 0.5},
                         text = {.kind = CODE_STRING, .text = code_text(code, slice_of("x\n"))};
    struct code_function *f = code_function_add(code, slice_of("script"), place);
    for (unsigned i = 0; i < 3; i++)
        code_slot_add(f, i == 0 ? code_text(code, slice_of("x")) : CODE_NONE, place, cell);
    f->operands = memory_new(5, sizeof *f->operands);
    f->operand_count = 5;
    for (uint32_t i = 0; i < 3; i++)
        f->operands[i] = (struct code_operand){i, CODE_SET};
    f->operands[3] = (struct code_operand){1, CODE_KNOWN};
    f->operands[4] = (struct code_operand){2, CODE_FILL};
    f->instructions = memory_new(4, sizeof *f->instructions);
    f->instruction_count = 4;
    uint32_t constants[] = {code_constant_add(code, one), code_constant_add(code, half),
                            code_constant_add(code, text)};
    for (uint32_t i = 0; i < 3; i++)
        f->instructions[i] = (struct code_instruction){.operation = CODE_CONSTANT,
                                                       .place = place,
                                                       .index = constants[i],
                                                       .first = i,
                                                       .count = 1,
                                                       .blocks = {CODE_NONE, CODE_NONE}};
    f->instructions[3] = (struct code_instruction){
        .operation = CODE_IF, .place = place, .first = 3, .count = 1, .blocks = {1, CODE_NONE}};
    f->blocks = memory_new(2, sizeof *f->blocks);
    f->block_count = 2;
    f->blocks[0] = (struct code_block){.first = 0, .count = 2};
    f->blocks[1] = (struct code_block){.first = 2, .count = 1, .uses_first = 4, .uses_count = 1};
}

static void test_same(const struct code *code, const struct str *bytes)
{
    struct code copy = {0};
    struct str again = {0}, shown = {0}, expected = {0};
    struct err e = {0};
    ok(code_read(&copy, bytes->text, bytes->length, &e) == 0, "its own bytes can be read");
    code_write(&again, &copy);
    ok(again.length == bytes->length && memcmp(again.text, bytes->text, again.length) == 0,
       "and written again as the same bytes");
    code_show(&expected, code);
    code_show(&shown, &copy);
    is_text(str_text(&shown), str_text(&expected), "and look the same");
    str_free(&again);
    str_free(&shown);
    str_free(&expected);
    code_free(&copy);
}

/* Each damage is refused, or gives another program that is as sound. */
static void test_damage(const struct str *bytes)
{
    size_t refused = 0, tried = 0;
    for (size_t i = 0; i < bytes->length; i++)
        for (int bit = 0; bit < 8; bit++, tried++) {
            struct code code = {0};
            struct str damaged = {0}, shown = {0};
            struct err e = {0};
            str_add_bytes(&damaged, bytes->text, bytes->length);
            damaged.text[i] = (char)(damaged.text[i] ^ 1 << bit);
            if (code_read(&code, damaged.text, damaged.length, &e))
                refused++;
            else
                code_show(&shown, &code);
            str_free(&damaged);
            str_free(&shown);
            code_free(&code);
        }
    ok(refused > tried / 2, "of %zu damages, %zu are refused", tried, refused);
}

static void test_cut(const struct str *bytes)
{
    size_t accepted = 0;
    for (size_t length = 0; length < bytes->length; length++) {
        struct code code = {0};
        struct err e = {0};
        accepted += code_read(&code, bytes->text, length, &e) == 0;
        code_free(&code);
    }
    ok(accepted == 0, "bytes that were cut off are refused");
}

int main(void)
{
    struct code code = {0};
    struct str bytes = {0};
    make(&code);
    code_write(&bytes, &code);
    test_same(&code, &bytes);
    test_damage(&bytes);
    test_cut(&bytes);
    str_free(&bytes);
    code_free(&code);
    return tap_end();
}
