/*
 * Any bytes as the text of a script: checking neither crashes nor hangs, every mistake has a place
 * and a message, and in a script without mistakes everything has a type and a meaning.
 */
#include "swift/check.h"
#include "syntax/module.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_list(const struct err_list *list)
{
    for (size_t i = 0; i < list->count && i < ERR_LIST_LIMIT; i++) {
        const struct err *e = &list->items[i];
        if (e->code != ERR_USER || !e->message[0] || !e->file[0] || e->line < 1 || e->column < 1)
            BUG("a mistake without its place or its message");
    }
}

/* ---- a tree that was checked ---- */

static void walk_block(const struct block *block);

static void walk_type(const struct type *type, bool updateable)
{
    if (!type || type->kind == TYPE_WRONG)
        BUG("something has no type");
    if (type->open && !(updateable && type->kind == TYPE_UPDATEABLE))
        BUG("a type is not settled");
}

static void walk_expression(const struct expression *e);

static void walk_many(struct expression *const *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        walk_expression(items[i]);
}

static void walk_call(const struct expression *e)
{
    const struct call *call = e->call;
    if (!call->function == !call->constructs)
        BUG("a call has no meaning, or two");
    walk_many(call->arguments, call->argument_count);
    for (size_t i = 0; i < call->annotations.count; i++)
        walk_expression(call->annotations.items[i].value);
}

static void walk_expression(const struct expression *e)
{
    walk_type(e->type, true);
    if (e->kind == EXPRESSION_NAME && !e->variable)
        BUG("a name has no meaning");
    if (e->kind == EXPRESSION_CALL)
        walk_call(e);
    walk_many(e->items, e->count);
}

static void walk_variable(const struct variable *variable)
{
    if (!variable)
        BUG("a variable is missing");
    walk_type(variable->type, true);
}

static void walk_declarators(const struct statement *s)
{
    for (size_t i = 0; i < s->declarator_count; i++) {
        walk_variable(s->declarators[i].variable);
        if (s->declarators[i].value)
            walk_expression(s->declarators[i].value);
        if (s->declarators[i].mapping)
            walk_expression(s->declarators[i].mapping);
    }
}

static void walk_loop(const struct statement *s)
{
    for (size_t i = 0; i < s->loop_variable_count; i++) {
        walk_variable(s->loop_variables[i].variable);
        walk_expression(s->loop_variables[i].initial);
        walk_expression(s->loop_variables[i].update);
    }
    if (s->condition)
        walk_expression(s->condition);
    if (s->kind == STATEMENT_FOREACH || s->kind == STATEMENT_ITERATE)
        walk_variable(s->variable);
    if (s->index.length > 0)
        walk_variable(s->index_variable);
}

static void walk_statement(const struct statement *s)
{
    for (; s->kind == STATEMENT_CHAIN; s = s->right)
        walk_statement(s->left);
    walk_many(s->targets, s->target_count);
    walk_many(s->values, s->value_count);
    walk_declarators(s);
    walk_loop(s);
    for (size_t i = 0; i < 2; i++)
        if (s->blocks[i])
            walk_block(s->blocks[i]);
    for (size_t i = 0; i < s->case_count; i++)
        walk_block(s->cases[i].block);
}

static void walk_block(const struct block *block)
{
    for (size_t i = 0; i < block->count; i++)
        walk_statement(block->statements[i]);
}

static void walk_function(const struct script_function *function)
{
    for (size_t i = 0; i < function->input_count; i++)
        walk_type(function->inputs[i].checked, true);
    for (size_t i = 0; i < function->output_count; i++)
        walk_type(function->outputs[i].checked, true);
    if (function->body)
        walk_block(function->body);
    walk_many(function->words, function->word_count);
}

static void walk(const struct checked *checked)
{
    for (size_t i = 0; i < checked->function_count; i++)
        walk_function(checked->functions[i]);
    for (size_t i = 0; i < checked->variable_count; i++) {
        walk_variable(checked->variables[i]);
        if (checked->variables[i]->index != i)
            BUG("a variable is not at its index");
    }
    const struct script *script = checked->script;
    for (size_t m = 0; m < script->module_count; m++)
        for (size_t i = 0; i < script->modules[m]->item_count; i++)
            if (script->modules[m]->items[i].kind == ITEM_STATEMENT)
                walk_statement(script->modules[m]->items[i].statement);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct script script = {0};
    struct sources sources = {0};
    struct arena arena = {0};
    struct syntax_report report = {0};
    struct checked checked = {0};
    struct syntax_options options = {.raw = true};
    struct slice text = {(const char *)data, size};
    if (module_load(&script, &sources, "a.swift", text, &options, &arena, &report) == 0) {
        check(&checked, &script, &sources, &options, &arena, &report);
        if (report.mistakes.count == 0)
            walk(&checked);
    }
    check_list(&report.mistakes);
    check_list(&report.warnings);
    free(script.modules);
    free(checked.functions);
    free(checked.variables);
    arena_free(&arena);
    source_free(&sources);
    err_list_free(&report.mistakes);
    err_list_free(&report.warnings);
    return 0;
}
