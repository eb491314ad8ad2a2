/* show.c - the intermediate form as text, for people. */
#include "code/code.h"

static const char *const operations[CODE_OPERATIONS] = {
    [CODE_CONSTANT] = "constant", [CODE_LEAF] = "leaf",      [CODE_CALL] = "call",
    [CODE_COPY] = "copy",         [CODE_BUILD] = "build",    [CODE_FIELD] = "field",
    [CODE_PART] = "part",         [CODE_MAP] = "map",        [CODE_PATHNAME] = "pathname",
    [CODE_LOOKUP] = "lookup",     [CODE_ARRAY_OF] = "array", [CODE_INSERT] = "insert",
    [CODE_APPEND] = "append",     [CODE_EXISTS] = "exists",  [CODE_SNAPSHOT] = "snapshot",
    [CODE_UPDATE] = "update",     [CODE_IF] = "if",          [CODE_SWITCH] = "switch",
    [CODE_FOREACH] = "foreach",   [CODE_RANGE] = "range",    [CODE_WAIT] = "wait",
    [CODE_PROGRAM] = "program",
};

/* How much of an input must be known, or what becomes of an output. */
static const char *const modes[CODE_MODES] = {
    [CODE_REFER] = "~", [CODE_KNOWN] = "", [CODE_CLOSED] = "[]", [CODE_DEEP] = "*",
    [CODE_PATH] = "@",  [CODE_SET] = "=",  [CODE_FILL] = "+",
};

static const char *const shapes[CODE_SHAPE_KINDS] = {
    [CODE_CELL] = "cell",     [CODE_ARRAY] = "array",
    [CODE_BAG] = "bag",       [CODE_UPDATEABLE] = "updateable",
    [CODE_STRUCT] = "struct", [CODE_FILE] = "file",
};

static void add_text(struct str *out, const struct code *code, uint32_t text)
{
    str_add_bytes(out, code->texts[text].text, code->texts[text].length);
}

static void add_quoted(struct str *out, struct slice text)
{
    str_add_char(out, '"');
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.text[i];
        if (byte == '"' || byte == '\\')
            str_printf(out, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7f)
            str_printf(out, "\\x%02x", byte);
        else
            str_add_char(out, (char)byte);
    }
    str_add_char(out, '"');
}

/* x.3 is a variable, .4 a value without a name; the number is that of the slot. */
static void add_slot(struct str *out, const struct code *code, const struct code_function *f,
                     uint32_t slot)
{
    if (f->slots[slot].name != CODE_NONE)
        add_text(out, code, f->slots[slot].name);
    str_printf(out, ".%u", slot);
}

static void add_operands(struct str *out, const struct code *code, const struct code_function *f,
                         uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        str_printf(out, " %s", modes[f->operands[i].mode]);
        add_slot(out, code, f, f->operands[i].slot);
    }
}

static void add_constant(struct str *out, const struct code *code,
                         const struct code_constant *constant)
{
    switch (constant->kind) {
    case CODE_INT: str_printf(out, " %lld", (long long)constant->whole); break;
    case CODE_FLOAT: str_printf(out, " %.17g", constant->number); break;
    case CODE_BOOLEAN: str_add(out, constant->whole ? " true" : " false"); break;
    case CODE_STRING:
        str_add_char(out, ' ');
        add_quoted(out, code->texts[constant->text]);
        break;
    }
}

static void add_index(struct str *out, const struct code *code, const struct code_instruction *in)
{
    static const char *const updates[] = {"incr", "min", "scale", "start"};
    switch (in->operation) {
    case CODE_CONSTANT: add_constant(out, code, &code->constants[in->index]); break;
    case CODE_LEAF:
        str_add_char(out, ' ');
        add_text(out, code, code->leaves[in->index].name);
        break;
    case CODE_CALL:
        str_add_char(out, ' ');
        add_text(out, code, code->functions[in->index].name);
        str_printf(out, "#%u", in->index);
        break;
    case CODE_FIELD:
    case CODE_PART: str_printf(out, " %u", in->index); break;
    case CODE_UPDATE: str_printf(out, " %s", updates[in->index]); break;
    default: break;
    }
}

static void show_instruction(struct str *out, const struct code *code,
                             const struct code_function *f, const struct code_instruction *in)
{
    str_printf(out, "    %s", operations[in->operation]);
    add_index(out, code, in);
    add_operands(out, code, f, in->first, in->count);
    for (size_t i = 0; i < 2; i++)
        if (in->blocks[i] != CODE_NONE)
            str_printf(out, " {%u}", in->blocks[i]);
    for (uint32_t i = in->index; in->operation == CODE_SWITCH; i++) {
        if (f->cases[i].otherwise) {
            str_printf(out, " else {%u}", f->cases[i].block);
            break;
        }
        str_printf(out, " %lld {%u}", (long long)f->cases[i].label, f->cases[i].block);
    }
    const struct code_place *place = &code->places[in->place];
    str_add(out, "    // ");
    add_text(out, code, place->file);
    str_printf(out, ":%u\n", place->line);
}

static void show_function(struct str *out, const struct code *code, size_t number)
{
    const struct code_function *f = &code->functions[number];
    add_text(out, code, f->name);
    str_printf(out, "#%zu: %u outputs, %u inputs;", number, f->output_count, f->input_count);
    for (uint32_t i = 0; i < f->slot_count; i++) {
        enum code_shape_kind shape = code->shapes[f->slots[i].shape].kind;
        if (shape == CODE_CELL && f->slots[i].name == CODE_NONE)
            continue;
        str_add_char(out, ' ');
        add_slot(out, code, f, i);
        str_printf(out, ":%s", shapes[shape]);
    }
    str_add_char(out, '\n');
    for (size_t b = 0; b < f->block_count; b++) {
        const struct code_block *block = &f->blocks[b];
        str_printf(out, "  {%zu}", b);
        add_operands(out, code, f, block->uses_first, block->uses_count);
        str_add_char(out, '\n');
        for (uint32_t i = block->first; i < block->first + block->count; i++)
            show_instruction(out, code, f, &f->instructions[i]);
    }
}

void code_show(struct str *out, const struct code *code)
{
    for (size_t i = 0; i < code->function_count; i++)
        show_function(out, code, i);
}
