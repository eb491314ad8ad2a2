/* code.c - building the intermediate form, and freeing it. */
#include "code/code.h"

static void free_function(struct code_function *function)
{
    free(function->slots);
    free(function->instructions);
    free(function->operands);
    free(function->blocks);
    free(function->cases);
}

void code_free(struct code *code)
{
    for (size_t i = 0; i < code->function_count; i++)
        free_function(&code->functions[i]);
    free(code->functions);
    free(code->texts);
    free(code->constants);
    free(code->leaves);
    free(code->programs);
    free(code->shapes);
    free(code->fields);
    free(code->places);
    map_free(&code->text_map);
    arena_free(&code->arena);
    *code = (struct code){0};
}

uint32_t code_text(struct code *code, struct slice text)
{
    int64_t known = map_find(&code->text_map, text);
    if (known != MAP_NONE)
        return (uint32_t)known;
    uint32_t number = (uint32_t)code->text_count;
    code->texts =
        memory_grow(code->texts, &code->text_capacity, code->text_count + 1, sizeof *code->texts);
    struct slice copy = {arena_copy(&code->arena, text.text, text.length), text.length};
    code->texts[code->text_count++] = copy;
    map_add(&code->text_map, copy, number);
    return number;
}

uint32_t code_place_of(struct code *code, struct slice file, int line)
{
    struct code_place place = {code_text(code, file), (uint32_t)line};
    size_t count = code->place_count;
    if (count > 0 && code->places[count - 1].file == place.file &&
        code->places[count - 1].line == place.line)
        return (uint32_t)(count - 1);
    code->places = memory_grow(code->places, &code->place_capacity, count + 1, sizeof place);
    code->places[count] = place;
    code->place_count++;
    return (uint32_t)count;
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Numbers are the same if their bits are: 0.0 and -0.0 differ. */
static bool is_same(const struct code_constant *a, const struct code_constant *b)
{
    return a->kind == b->kind && a->whole == b->whole && a->text == b->text &&
           bits_of(a->number) == bits_of(b->number);
}

uint32_t code_constant_add(struct code *code, struct code_constant constant)
{
    enum { LOOK_BACK = 64 }; /* scripts repeat what they used a moment ago */
    size_t count = code->constant_count;
    for (size_t i = count; i > 0 && i + LOOK_BACK > count; i--)
        if (is_same(&code->constants[i - 1], &constant))
            return (uint32_t)(i - 1);
    code->constants =
        memory_grow(code->constants, &code->constant_capacity, count + 1, sizeof constant);
    code->constants[count] = constant;
    code->constant_count++;
    return (uint32_t)count;
}

uint32_t code_leaf_add(struct code *code, const char *name, bool worker)
{
    uint32_t text = code_text(code, slice_of(name));
    for (size_t i = 0; i < code->leaf_count; i++)
        if (code->leaves[i].name == text && code->leaves[i].worker == worker)
            return (uint32_t)i;
    code->leaves =
        memory_grow(code->leaves, &code->leaf_capacity, code->leaf_count + 1, sizeof *code->leaves);
    code->leaves[code->leaf_count] = (struct code_leaf){text, worker};
    return (uint32_t)code->leaf_count++;
}

uint32_t code_shape_add(struct code *code, enum code_shape_kind kind, const uint32_t *fields,
                        size_t count)
{
    if (kind != CODE_STRUCT)
        for (size_t i = 0; i < code->shape_count; i++)
            if (code->shapes[i].kind == kind)
                return (uint32_t)i;
    struct code_shape shape = {kind, (uint32_t)code->field_count, (uint32_t)count};
    code->fields = memory_grow(code->fields, &code->field_capacity, code->field_count + count + 1,
                               sizeof *code->fields);
    if (count > 0)
        memcpy(code->fields + code->field_count, fields, count * sizeof *fields);
    code->field_count += count;
    code->shapes = memory_grow(code->shapes, &code->shape_capacity, code->shape_count + 1,
                               sizeof *code->shapes);
    code->shapes[code->shape_count] = shape;
    return (uint32_t)code->shape_count++;
}

struct code_function *code_function_add(struct code *code, struct slice name, uint32_t place)
{
    code->functions = memory_grow(code->functions, &code->function_capacity,
                                  code->function_count + 1, sizeof *code->functions);
    struct code_function *function = &code->functions[code->function_count++];
    *function = (struct code_function){.name = code_text(code, name), .place = place};
    return function;
}

uint32_t code_slot_add(struct code_function *function, uint32_t name, uint32_t place,
                       uint32_t shape)
{
    function->slots = memory_grow(function->slots, &function->slot_capacity,
                                  function->slot_count + 1, sizeof *function->slots);
    function->slots[function->slot_count] = (struct code_slot){name, place, shape};
    return (uint32_t)function->slot_count++;
}
