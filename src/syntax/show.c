/* show.c - a tree as text, for tests: what was parsed, with every operator in brackets. */
#include "syntax/parse.h"

struct shower {
    struct str *out;
    int indent; /* in steps of two spaces */
};

static void show_expression(struct str *out, const struct expression *e);
static void show_statement(struct shower *s, const struct statement *statement);

static void add(struct str *out, struct slice text)
{
    str_add_bytes(out, text.text, text.length);
}

/* ---- types ---- */

static void show_type(struct str *out, const struct tree_type *type);

static void show_dimensions(struct str *out, const struct tree_dimension *dimensions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        str_add_char(out, '[');
        if (dimensions[i].key)
            show_type(out, dimensions[i].key);
        str_add_char(out, ']');
    }
}

static void show_type(struct str *out, const struct tree_type *type)
{
    add(out, type->name);
    if (type->parameter) {
        str_add_char(out, '<');
        show_type(out, type->parameter);
        str_add_char(out, '>');
    }
    show_dimensions(out, type->dimensions, type->dimension_count);
}

/* ---- expressions ---- */

static const char *const signs[] = {
    [OPERATION_NEGATE] = "-",         [OPERATION_NOT] = "!",       [OPERATION_POWER] = "**",
    [OPERATION_TIMES] = "*",          [OPERATION_DIVIDE] = "/",    [OPERATION_INT_DIVIDE] = "%/",
    [OPERATION_INT_REMAINDER] = "%%", [OPERATION_FORMAT] = "%",    [OPERATION_PLUS] = "+",
    [OPERATION_MINUS] = "-",          [OPERATION_LESS] = "<",      [OPERATION_AT_MOST] = "<=",
    [OPERATION_MORE] = ">",           [OPERATION_AT_LEAST] = ">=", [OPERATION_EQUAL] = "==",
    [OPERATION_UNEQUAL] = "!=",       [OPERATION_AND] = "&&",      [OPERATION_OR] = "||",
};

const char *operation_sign(enum operation operation)
{
    return signs[operation];
}

static void show_string(struct str *out, struct slice text)
{
    str_add_char(out, '"');
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.text[i];
        if (c < ' ' || c == '"' || c == '\\')
            str_printf(out, "\\x%02x", c);
        else
            str_add_char(out, (char)c);
    }
    str_add_char(out, '"');
}

/* The items of an expression, with these separators in turn between them. */
static void show_items(struct str *out, const struct expression *e, const char *first,
                       const char *second)
{
    for (size_t i = 0; i < e->count; i++) {
        if (i > 0)
            str_add(out, i % 2 ? first : second);
        show_expression(out, e->items[i]);
    }
}

static void show_annotations(struct str *out, const struct annotations *annotations)
{
    for (size_t i = 0; i < annotations->count; i++) {
        const struct annotation *annotation = &annotations->items[i];
        str_add_char(out, '@');
        add(out, annotation->name);
        if (annotation->value) {
            str_add_char(out, '=');
            show_expression(out, annotation->value);
        }
        str_add_char(out, ' ');
    }
}

static void show_call(struct str *out, const struct expression *e)
{
    const struct call *call = e->call;
    show_annotations(out, &call->annotations);
    if (call->old)
        str_add_char(out, '@');
    add(out, e->text);
    str_add_char(out, '(');
    show_items(out, e, ", ", ", ");
    for (size_t i = 0; i < call->keyword_count; i++) {
        str_add(out, e->count + i > 0 ? ", " : "");
        add(out, call->keywords[i].name);
        str_add_char(out, '=');
        show_expression(out, call->keywords[i].value);
    }
    str_add_char(out, ')');
}

/* Items between brackets. */
static void show_list(struct str *out, const struct expression *e, const char *brackets,
                      const char *first)
{
    str_add_char(out, brackets[0]);
    show_items(out, e, first, e->kind == EXPRESSION_RANGE ? first : ", ");
    str_add_char(out, brackets[1]);
}

static void show_operation(struct str *out, const struct expression *e)
{
    str_add_char(out, '(');
    if (e->kind == EXPRESSION_BINARY) {
        show_expression(out, e->items[0]);
        str_add_char(out, ' ');
    }
    str_add(out, signs[e->operation]);
    if (e->kind == EXPRESSION_BINARY)
        str_add_char(out, ' ');
    show_expression(out, e->items[e->count - 1]);
    str_add_char(out, ')');
}

static void show_part(struct str *out, const struct expression *e)
{
    show_expression(out, e->items[0]);
    if (e->kind == EXPRESSION_FIELD) {
        str_add_char(out, '.');
        add(out, e->text);
        return;
    }
    str_add_char(out, '[');
    show_expression(out, e->items[1]);
    str_add_char(out, ']');
}

static void show_expression(struct str *out, const struct expression *e)
{
    switch (e->kind) {
    case EXPRESSION_INT: str_printf(out, "%lld", (long long)e->whole); break;
    case EXPRESSION_FLOAT: str_printf(out, "%#g", e->number); break;
    case EXPRESSION_STRING: show_string(out, e->text); break;
    case EXPRESSION_BOOLEAN: str_add(out, e->whole ? "true" : "false"); break;
    case EXPRESSION_NAME: add(out, e->text); break;
    case EXPRESSION_CALL: show_call(out, e); break;
    case EXPRESSION_UNARY:
    case EXPRESSION_BINARY: show_operation(out, e); break;
    case EXPRESSION_INDEX:
    case EXPRESSION_FIELD: show_part(out, e); break;
    case EXPRESSION_TUPLE: show_list(out, e, "()", ", "); break;
    case EXPRESSION_ARRAY: show_list(out, e, "[]", ", "); break;
    case EXPRESSION_RANGE: show_list(out, e, "[]", " : "); break;
    case EXPRESSION_DICT: show_list(out, e, "{}", ": "); break;
    }
}

static void show_expressions(struct str *out, struct expression *const *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        str_add(out, i > 0 ? ", " : "");
        show_expression(out, items[i]);
    }
}

/* ---- lines ---- */

static void start_line(struct shower *s, const char *what)
{
    for (int i = 0; i < s->indent; i++)
        str_add(s->out, "  ");
    str_add(s->out, what);
}

static void end_line(struct shower *s)
{
    str_add_char(s->out, '\n');
}

static void show_block(struct shower *s, const struct block *block)
{
    s->indent++;
    for (size_t i = 0; i < block->count; i++)
        show_statement(s, block->statements[i]);
    s->indent--;
}

/* ---- simple statements ---- */

static void show_declarator(struct str *out, const struct declarator *declarator)
{
    add(out, declarator->name);
    show_dimensions(out, declarator->dimensions, declarator->dimension_count);
    if (declarator->mapping) {
        str_add(out, " <");
        show_expression(out, declarator->mapping);
        str_add_char(out, '>');
    }
    if (declarator->value) {
        str_add(out, " = ");
        show_expression(out, declarator->value);
    }
}

static void show_declaration(struct shower *s, const struct statement *statement)
{
    start_line(s, "declare ");
    show_type(s->out, statement->type);
    for (size_t i = 0; i < statement->declarator_count; i++) {
        str_add(s->out, i > 0 ? ", " : " ");
        show_declarator(s->out, &statement->declarators[i]);
    }
    end_line(s);
}

static void show_assignment(struct shower *s, const struct statement *statement)
{
    bool append = statement->kind == STATEMENT_APPEND;
    start_line(s, append ? "append " : "assign ");
    show_expressions(s->out, statement->targets, statement->target_count);
    str_add(s->out, append ? " += " : " = ");
    show_expressions(s->out, statement->values, statement->value_count);
    end_line(s);
}

static void show_update(struct shower *s, const struct statement *statement)
{
    start_line(s, "update ");
    show_expressions(s->out, statement->targets, statement->target_count);
    str_add(s->out, " <");
    add(s->out, statement->text);
    str_add(s->out, "> := ");
    show_expressions(s->out, statement->values, statement->value_count);
    end_line(s);
}

static void show_chain(struct shower *s, const struct statement *statement)
{
    start_line(s, "chain\n");
    s->indent++;
    for (; statement->kind == STATEMENT_CHAIN; statement = statement->right)
        show_statement(s, statement->left);
    show_statement(s, statement);
    s->indent--;
}

/* ---- statements with blocks ---- */

/* A line of a word and expressions, and a block if there is one. */
static void show_with_block(struct shower *s, const char *word, const struct statement *statement)
{
    start_line(s, word);
    str_add(s->out, statement->value_count > 0 ? " " : "");
    show_expressions(s->out, statement->values, statement->value_count);
    end_line(s);
    if (statement->blocks[0])
        show_block(s, statement->blocks[0]);
    if (!statement->blocks[1])
        return;
    start_line(s, "else\n");
    show_block(s, statement->blocks[1]);
}

static void show_switch(struct shower *s, const struct statement *statement)
{
    show_with_block(s, "switch", statement);
    for (size_t i = 0; i < statement->case_count; i++) {
        const struct switch_case *one = &statement->cases[i];
        start_line(s, one->otherwise ? "default" : "case ");
        if (!one->otherwise)
            str_printf(s->out, "%lld", (long long)one->label);
        end_line(s);
        show_block(s, one->block);
    }
}

static void show_foreach(struct shower *s, const struct statement *statement)
{
    start_line(s, "");
    show_annotations(s->out, &statement->annotations);
    str_add(s->out, "foreach ");
    add(s->out, statement->name);
    if (statement->index.length > 0) {
        str_add(s->out, ", ");
        add(s->out, statement->index);
    }
    str_add(s->out, " in ");
    show_expression(s->out, statement->values[0]);
    end_line(s);
    show_block(s, statement->blocks[0]);
}

static void show_loop_variable(struct str *out, const struct loop_variable *variable)
{
    if (variable->type) {
        show_type(out, variable->type);
        str_add_char(out, ' ');
    }
    add(out, variable->name);
    show_dimensions(out, variable->dimensions, variable->dimension_count);
    str_add(out, " = ");
    show_expression(out, variable->initial);
    if (variable->update) {
        str_add(out, " then ");
        show_expression(out, variable->update);
    }
}

static void show_for(struct shower *s, const struct statement *statement)
{
    start_line(s, "");
    show_annotations(s->out, &statement->annotations);
    str_add(s->out, "for ");
    for (size_t i = 0; i < statement->loop_variable_count; i++) {
        show_loop_variable(s->out, &statement->loop_variables[i]);
        str_add(s->out, ", ");
    }
    for (size_t i = 0; i < statement->stray_update_count; i++) {
        str_add(s->out, "stray ");
        add(s->out, statement->stray_updates[i].name);
        str_add(s->out, ", ");
    }
    str_add(s->out, "while ");
    show_expression(s->out, statement->condition);
    end_line(s);
    show_block(s, statement->blocks[0]);
}

static void show_iterate(struct shower *s, const struct statement *statement)
{
    start_line(s, "iterate ");
    add(s->out, statement->name);
    str_add(s->out, " until ");
    show_expression(s->out, statement->condition);
    end_line(s);
    show_block(s, statement->blocks[0]);
}

static void show_statement(struct shower *s, const struct statement *statement)
{
    switch (statement->kind) {
    case STATEMENT_DECLARE: show_declaration(s, statement); break;
    case STATEMENT_ASSIGN:
    case STATEMENT_APPEND: show_assignment(s, statement); break;
    case STATEMENT_CALL: show_with_block(s, "call", statement); break;
    case STATEMENT_NAME: show_with_block(s, "name", statement); break;
    case STATEMENT_BLOCK: show_with_block(s, "block", statement); break;
    case STATEMENT_IF: show_with_block(s, "if", statement); break;
    case STATEMENT_WAIT:
        show_with_block(s, statement->deep ? "wait deep" : "wait", statement);
        break;
    case STATEMENT_SWITCH: show_switch(s, statement); break;
    case STATEMENT_FOREACH: show_foreach(s, statement); break;
    case STATEMENT_FOR: show_for(s, statement); break;
    case STATEMENT_ITERATE: show_iterate(s, statement); break;
    case STATEMENT_UPDATE: show_update(s, statement); break;
    case STATEMENT_CHAIN: show_chain(s, statement); break;
    }
}

/* ---- items ---- */

static void show_parameters(struct str *out, const struct tree_parameter *parameters, size_t count)
{
    str_add_char(out, '(');
    for (size_t i = 0; i < count; i++) {
        const struct tree_parameter *parameter = &parameters[i];
        str_add(out, i > 0 ? ", " : "");
        for (size_t k = 0; k < parameter->type.count; k++) {
            str_add(out, k > 0 ? "|" : "");
            show_type(out, parameter->type.types[k]);
        }
        str_add(out, parameter->many ? "... " : " ");
        add(out, parameter->name);
        show_dimensions(out, parameter->dimensions, parameter->dimension_count);
        if (parameter->initial) {
            str_add_char(out, '=');
            show_expression(out, parameter->initial);
        }
    }
    str_add_char(out, ')');
}

static void show_leaf(struct str *out, const struct script_function *f)
{
    const struct slice texts[] = {f->package, f->version, f->procedure};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        str_add_char(out, ' ');
        show_string(out, texts[i]);
    }
    if (f->template) {
        str_add(out, " [");
        show_expression(out, f->template);
        str_add_char(out, ']');
    }
}

static void show_command(struct shower *s, const struct script_function *f)
{
    static const char *const names[REDIRECTIONS] = {"stdin ", "stdout ", "stderr "};
    s->indent++;
    for (size_t i = 0; i < f->word_count; i++) {
        start_line(s, "word ");
        show_expression(s->out, f->words[i]);
        end_line(s);
    }
    for (size_t i = 0; i < REDIRECTIONS; i++)
        if (f->redirections[i]) {
            start_line(s, names[i]);
            show_expression(s->out, f->redirections[i]);
            end_line(s);
        }
    s->indent--;
}

static void show_function(struct shower *s, const struct script_function *f)
{
    static const char *const kinds[] = {"function ", "app ", "leaf "};
    show_annotations(s->out, &f->annotations);
    str_add(s->out, kinds[f->kind]);
    for (size_t i = 0; i < f->type_variable_count; i++) {
        str_add_char(s->out, '<');
        add(s->out, f->type_variables[i]);
        str_add(s->out, "> ");
    }
    show_parameters(s->out, f->outputs, f->output_count);
    str_add_char(s->out, ' ');
    add(s->out, f->name);
    show_parameters(s->out, f->inputs, f->input_count);
    if (f->kind == FUNCTION_LEAF)
        show_leaf(s->out, f);
    end_line(s);
    if (f->kind == FUNCTION_APP)
        show_command(s, f);
    if (f->kind == FUNCTION_COMPOSITE)
        show_block(s, f->body);
}

static void show_struct(struct str *out, const struct item *item)
{
    str_add(out, "struct ");
    add(out, item->name);
    for (size_t i = 0; i < item->field_count; i++) {
        const struct tree_field *field = &item->fields[i];
        str_add(out, i > 0 ? ", " : " ");
        show_type(out, field->type);
        str_add_char(out, ' ');
        add(out, field->name);
        show_dimensions(out, field->dimensions, field->dimension_count);
    }
    str_add_char(out, '\n');
}

/* An item that is a word and a name, and possibly a type. */
static void show_named(struct str *out, const char *word, const struct item *item)
{
    str_add(out, word);
    add(out, item->name);
    if (item->type) {
        str_add_char(out, ' ');
        show_type(out, item->type);
    }
}

static void show_item(struct shower *s, const struct item *item)
{
    switch (item->kind) {
    case ITEM_FUNCTION: show_function(s, item->function); return;
    case ITEM_STATEMENT: show_statement(s, item->statement); return;
    case ITEM_STRUCT: show_struct(s->out, item); return;
    case ITEM_SUBTYPE: show_named(s->out, "subtype ", item); break;
    case ITEM_ALIAS: show_named(s->out, "alias ", item); break;
    case ITEM_IMPORT: show_named(s->out, item->quoted ? "import file " : "import ", item); break;
    case ITEM_CONSTANT:
        str_add(s->out, "constant ");
        show_type(s->out, item->type);
        str_add_char(s->out, ' ');
        show_declarator(s->out, item->declarator);
        break;
    case ITEM_PRAGMA:
        show_named(s->out, "pragma ", item);
        str_add(s->out, item->argument_count > 0 ? " " : "");
        show_expressions(s->out, item->arguments, item->argument_count);
        break;
    }
    end_line(s);
}

void tree_show(struct str *out, const struct module *module)
{
    struct shower s = {.out = out};
    for (size_t i = 0; i < module->item_count; i++)
        show_item(&s, &module->items[i]);
}
