/*
 * lower.c - functions, and the script itself as function 0.
 *
 * Slots of a function: its outputs, its inputs, the variables of the top level that it uses, and
 * then its own.
 */
#include "swift/lower.h"

/* ---- app functions: a body of one instruction ---- */

static void lower_words(struct lowering *l, const struct script_function *f,
                        struct code_program *program, uint32_t location)
{
    uint32_t *words = memory_new(f->word_count + REDIRECTIONS + 1, sizeof *words), count = 0;
    for (size_t i = 0; i < f->word_count; i++)
        words[count++] = lower_expression(l, f->words[i], CODE_NONE);
    program->words = count;
    for (size_t i = 0; i < REDIRECTIONS; i++)
        if (f->redirections[i])
            words[count++] = lower_expression(l, f->redirections[i], CODE_NONE);
    l->code->programs = memory_grow(l->code->programs, &l->code->program_capacity,
                                    l->code->program_count + 1, sizeof *program);
    l->code->programs[l->code->program_count] = *program;
    struct code_instruction *in = lower_add(l, CODE_PROGRAM, (uint32_t)l->code->program_count++);
    for (uint32_t i = 0; i < f->output_count; i++) {
        bool file =
            type_is(f->outputs[i].checked, TYPE_FILE) || type_is(f->outputs[i].checked, TYPE_URL);
        lower_operand(l, in, i, file ? CODE_PATH : CODE_SET);
    }
    for (uint32_t i = 0; i < count; i++) /* the name of an output is known before its contents */
        lower_operand(l, in, words[i], words[i] < f->output_count ? CODE_PATH : CODE_DEEP);
    if (location != CODE_NONE) {
        in->flags |= CODE_HAS_PLACE;
        lower_operand(l, in, location, CODE_DEEP);
    }
    free(words);
}

static void lower_program(struct lowering *l, const struct script_function *f, uint32_t location)
{
    struct code_program program = {.outputs = (uint32_t)f->output_count,
                                   .has_stdin = f->redirections[REDIRECT_STDIN],
                                   .has_stdout = f->redirections[REDIRECT_STDOUT],
                                   .has_stderr = f->redirections[REDIRECT_STDERR]};
    lower_words(l, f, &program, location);
}

/* ---- functions ---- */

static void lower_parameters(struct lowering *l, struct tree_parameter *parameters, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lower_slot(l, parameters[i].variable);
}

/* `placed`: the last input is the location at which its program runs. */
static void lower_definition(struct lowering *l, size_t number, uint32_t index, bool placed)
{
    const struct script_function *f = l->checked->functions[number];
    struct open_function open;
    lower_place(l, f->at);
    lower_open(l, &open, index);
    lower_parameters(l, f->outputs, f->output_count);
    lower_parameters(l, f->inputs, f->input_count);
    const struct variable_set *globals = &l->globals[number];
    for (size_t i = 0; i < globals->count; i++)
        lower_slot(l, globals->items[i]);
    lower_function(l)->output_count = (uint32_t)f->output_count;
    lower_function(l)->input_count = (uint32_t)(f->input_count + globals->count + placed);
    uint32_t location = placed ? lower_temporary(l) : CODE_NONE;
    if (f->kind == FUNCTION_APP)
        lower_program(l, f, location);
    else
        lower_statements(l, f->body);
    lower_close(l);
}

uint32_t lower_placed(struct lowering *l, size_t number)
{
    uint32_t place = l->place;
    if (l->placed[number] == 0) {
        l->placed[number] = (uint32_t)l->code->function_count;
        lower_place(l, l->checked->functions[number]->at);
        code_function_add(l->code, l->checked->functions[number]->name, l->place);
        lower_definition(l, number, l->placed[number], true);
        l->place = place;
    }
    return l->placed[number];
}

static void lower_main(struct lowering *l)
{
    size_t number = lower_number(l, l->checked->main);
    const struct variable_set *globals = &l->globals[number];
    struct code_instruction *in = lower_add(l, CODE_CALL, l->indexes[number]);
    for (size_t i = 0; i < globals->count; i++)
        lower_operand(l, in, lower_slot(l, globals->items[i]), CODE_REFER);
}

/* The statements of all modules, then main. */
static void lower_top_level(struct lowering *l)
{
    struct open_function open;
    lower_open(l, &open, 0);
    for (size_t m = 0; m < l->checked->script->module_count; m++) {
        const struct module *module = l->checked->script->modules[m];
        for (size_t i = 0; i < module->item_count; i++) {
            struct statement *statement = module->items[i].statement;
            struct block block = {.statements = &statement, .count = 1};
            if (module->items[i].kind == ITEM_STATEMENT)
                lower_statements(l, &block);
        }
    }
    if (l->checked->main)
        lower_main(l);
    lower_close(l);
}

static void number_functions(struct lowering *l)
{
    for (size_t i = 0; i < l->checked->function_count; i++) {
        struct script_function *f = l->checked->functions[i];
        map_add(&l->numbers, (struct slice){(const char *)&f->at, sizeof f->at}, (uint32_t)i);
    }
    for (size_t i = 0; i < l->checked->variable_count; i++)
        l->checked->variables[i]->index = i;
}

void lower(struct code *code, const struct checked *checked, const struct sources *sources)
{
    size_t count = checked->function_count;
    struct lowering l = {.code = code,
                         .checked = checked,
                         .sources = sources,
                         .globals = memory_new(count + 1, sizeof *l.globals),
                         .indexes = memory_new(count + 1, sizeof *l.indexes),
                         .placed = memory_new(count + 1, sizeof *l.placed)};
    l.shape_cell = code_shape_add(code, CODE_CELL, NULL, 0);
    number_functions(&l);
    lower_globals(&l);
    code_function_add(code, slice_of("script"), code_place_of(code, slice_of(""), 0));
    for (size_t i = 0; i < count; i++) {
        const struct script_function *f = checked->functions[i];
        if (f->kind == FUNCTION_LEAF)
            continue;
        lower_place(&l, f->at);
        l.indexes[i] = (uint32_t)code->function_count;
        code_function_add(code, f->name, l.place);
    }
    lower_top_level(&l);
    for (size_t i = 0; i < count; i++)
        if (checked->functions[i]->kind != FUNCTION_LEAF)
            lower_definition(&l, i, l.indexes[i], false);
    for (size_t i = 0; i < count; i++)
        free(l.globals[i].items);
    free(l.globals);
    free(l.indexes);
    free(l.placed);
    map_free(&l.numbers);
    arena_free(&l.arena);
}
