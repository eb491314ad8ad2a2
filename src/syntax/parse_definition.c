/* parse_definition.c - types, declared names and functions. */
#include "syntax/parse_private.h"

/* ---- types ---- */

static bool read_type(struct parser *p, struct tree_type *type, bool brackets)
{
    if (!parse_name(p, "a type", &type->name, &type->at))
        return false;
    if (parse_take(p, TOKEN_LESS)) {
        type->parameter = parse_type(p, true);
        if (!type->parameter || !parse_expect(p, TOKEN_MORE, "after the type of the members"))
            return false;
    }
    return !brackets || parse_dimensions(p, &type->dimensions, &type->dimension_count);
}

const struct tree_type *parse_type(struct parser *p, bool brackets)
{
    struct tree_type *type = arena_new(p->arena, 1, sizeof *type);
    if (!parse_enter(p))
        return NULL;
    bool good = read_type(p, type, brackets);
    p->nesting--;
    return good ? type : NULL;
}

/* Reads one pair of brackets. */
static bool read_dimension(struct parser *p, struct tree_dimension *dimension)
{
    dimension->at = parse_here(p);
    p->at++;
    if (parse_is(p, TOKEN_INT)) {
        parse_mistake(p, parse_here(p), "an array has no size: write []");
        return false;
    }
    if (!parse_is(p, TOKEN_CLOSE_BRACKET)) {
        dimension->key = parse_type(p, true);
        if (!dimension->key)
            return false;
    }
    return parse_expect(p, TOKEN_CLOSE_BRACKET, "after the type of the keys");
}

bool parse_dimensions(struct parser *p, struct tree_dimension **dimensions, size_t *count)
{
    while (parse_is(p, TOKEN_OPEN_BRACKET)) {
        struct tree_dimension dimension = {0};
        if (*count >= NESTING_LIMIT) {
            parse_mistake(p, parse_here(p), "an array has at most %d dimensions", NESTING_LIMIT);
            return false;
        }
        if (!read_dimension(p, &dimension))
            return false;
        *dimensions = parse_grow(p, *dimensions, *count, sizeof dimension);
        (*dimensions)[(*count)++] = dimension;
    }
    return true;
}

/* The type with the brackets that follow. */
static const struct tree_type *parse_brackets(struct parser *p, const struct tree_type *type)
{
    struct tree_type *array = arena_new(p->arena, 1, sizeof *array);
    *array = *type;
    return parse_dimensions(p, &array->dimensions, &array->dimension_count) ? array : NULL;
}

const struct tree_type *parse_type_of_name(struct parser *p)
{
    const struct tree_type *type = parse_type(p, false);
    if (!type || !parse_is(p, TOKEN_OPEN_BRACKET))
        return type;
    if (type->parameter) /* bag<int>[] b is seen in slides; the checker warns */
        return parse_brackets(p, type);
    uint32_t end = parse_behind(p), open = parse_here(p);
    size_t start = p->at;
    while (parse_is(p, TOKEN_OPEN_BRACKET) && p->partners[p->at])
        p->at = p->partners[p->at] + 1;
    const struct token *name = parse_token(p, p->at);
    if (name->kind != TOKEN_NAME || p->at == start) {
        parse_unexpected(p, "a name");
        return NULL;
    }
    struct slice words = source_slice(p->sources, type->at, end - type->at);
    struct slice brackets = source_slice(p->sources, open, parse_behind(p) - open);
    parse_mistake(p, open, "brackets follow the name: write %.*s %.*s%.*s", (int)words.length,
                  words.text, (int)name->text.length, name->text.text, (int)brackets.length,
                  brackets.text);
    p->lost = false;
    return type;
}

/* ---- declared names ---- */

/* Reads <path> behind the name of a file, from the path on. */
static bool read_mapping(struct parser *p, struct declarator *declarator)
{
    declarator->mapping = parse_mapping(p);
    if (!declarator->mapping)
        return false;
    if (!parse_is(p, TOKEN_AT_LEAST))
        return parse_expect(p, TOKEN_MORE, "after the path of this file");
    parse_mistake(p, parse_here(p), "write '> =' with a blank: '>=' is one sign");
    p->lost = false;
    return true;
}

bool parse_declarator(struct parser *p, struct declarator *declarator)
{
    if (!parse_name(p, "a name", &declarator->name, &declarator->at) ||
        !parse_dimensions(p, &declarator->dimensions, &declarator->dimension_count))
        return false;
    if (parse_take(p, TOKEN_LESS) && !read_mapping(p, declarator))
        return false;
    bool assigned = (parse_is(p, TOKEN_ASSIGN) && !parse_is_arrow(p)) ||
                    (declarator->mapping && parse_is(p, TOKEN_AT_LEAST));
    if (!assigned)
        return true;
    p->at++;
    declarator->value = parse_expression(p);
    return declarator->value;
}

bool parse_constant(struct parser *p, struct item *item)
{
    p->at++;
    item->kind = ITEM_CONSTANT;
    item->declarator = arena_new(p->arena, 1, sizeof *item->declarator);
    if (!parse_expect(p, TOKEN_CONST, "after 'global'"))
        return false;
    item->type = parse_type_of_name(p);
    if (!item->type || !parse_declarator(p, item->declarator))
        return false;
    item->at = item->declarator->at;
    item->name = item->declarator->name;
    if (!item->declarator->value) {
        parse_mistake(p, parse_behind(p), "a constant needs a value: '=' is missing");
        return false;
    }
    parse_end(p, "constant");
    return true;
}

/* ---- definitions of types ---- */

static bool read_field(struct parser *p, struct item *item)
{
    struct tree_field field = {.type = parse_type_of_name(p)};
    if (!field.type || !parse_name(p, "the name of a field", &field.name, &field.at) ||
        !parse_dimensions(p, &field.dimensions, &field.dimension_count))
        return false;
    parse_end(p, "field");
    item->fields = parse_grow(p, item->fields, item->field_count, sizeof field);
    item->fields[item->field_count++] = field;
    return !p->lost;
}

static bool read_struct(struct parser *p, struct item *item)
{
    size_t open = p->at++;
    bool good = true;
    item->kind = ITEM_STRUCT;
    while (good && !parse_is(p, TOKEN_CLOSE_BRACE) && !parse_is(p, TOKEN_END))
        good = read_field(p, item);
    if (good && !parse_take(p, TOKEN_CLOSE_BRACE))
        parse_mistake(p, p->tokens[open].at, "this '{' is never closed");
    return !p->lost || parse_skip(p, open);
}

bool parse_type_definition(struct parser *p, struct item *item)
{
    bool alias = parse_is(p, TOKEN_TYPEDEF);
    p->at++;
    if (!parse_name(p, "the name of a type", &item->name, &item->at))
        return false;
    if (!alias && parse_is(p, TOKEN_OPEN_BRACE))
        return read_struct(p, item);
    item->kind = alias ? ITEM_ALIAS : ITEM_SUBTYPE;
    if (alias || !parse_is(p, TOKEN_SEMICOLON)) {
        item->type = parse_type(p, true);
        if (!item->type)
            return false;
    }
    parse_end(p, "type");
    return true;
}

/* ---- annotations of definitions and loops ---- */

static bool is_annotation_value(enum token_kind kind)
{
    return kind == TOKEN_NAME || kind == TOKEN_INT;
}

size_t parse_behind_annotations(const struct parser *p, size_t number)
{
    while (parse_kind(p, number) == TOKEN_AT && parse_kind(p, number + 1) == TOKEN_NAME) {
        number += 2;
        if (parse_kind(p, number) == TOKEN_ASSIGN && is_annotation_value(parse_kind(p, number + 1)))
            number += 2;
    }
    return number;
}

bool parse_annotations(struct parser *p, struct annotations *annotations)
{
    while (parse_take(p, TOKEN_AT)) {
        struct annotation annotation = {0};
        if (!parse_name(p, "the name of an annotation", &annotation.name, &annotation.at))
            return false;
        if (parse_take(p, TOKEN_ASSIGN)) {
            enum token_kind kind = parse_kind(p, p->at);
            if (!is_annotation_value(kind)) {
                parse_unexpected(p, "a name or a whole number");
                return false;
            }
            annotation.value =
                parse_leaf(p, kind == TOKEN_INT ? EXPRESSION_INT : EXPRESSION_NAME, p->at++);
        }
        annotations->items =
            parse_grow(p, annotations->items, annotations->count, sizeof annotation);
        annotations->items[annotations->count++] = annotation;
    }
    return true;
}

/* ---- where a function starts ---- */

/* True at the bracket of a list of parameters, as its first tokens show. */
static bool opens_parameters(const struct parser *p, size_t number)
{
    if (parse_kind(p, number) != TOKEN_OPEN || parse_kind(p, number + 1) != TOKEN_NAME)
        return false;
    enum token_kind kind = parse_kind(p, number + 2);
    return kind == TOKEN_NAME || kind == TOKEN_BAR || kind == TOKEN_ELLIPSIS ||
           (kind == TOKEN_LESS && slice_is(parse_token(p, number + 1)->text, "bag"));
}

/* The number of the token behind a list in brackets, if there is one. */
static size_t behind_list(const struct parser *p, size_t number)
{
    bool list = parse_kind(p, number) == TOKEN_OPEN && p->partners[number];
    return list ? p->partners[number] + 1 : number;
}

/* True if the token behind the header of a function has this number. */
static bool starts_body(const struct parser *p, size_t number)
{
    enum token_kind kind = parse_kind(p, number);
    return kind == TOKEN_OPEN_BRACE || kind == TOKEN_STRING;
}

/* True if the first token in this bracket may be one of a parameter. */
static bool may_be_parameters(const struct parser *p, size_t number)
{
    enum token_kind first = parse_kind(p, number + 1);
    return first == TOKEN_CLOSE || first == TOKEN_NAME;
}

/* True at <A, or <A> and the output list or name of a function. */
static bool starts_type_variables(const struct parser *p, size_t number)
{
    enum token_kind second = parse_kind(p, number + 2), third = parse_kind(p, number + 3);
    return parse_kind(p, number + 1) == TOKEN_NAME &&
           (second == TOKEN_COMMA ||
            (second == TOKEN_MORE && (third == TOKEN_OPEN || third == TOKEN_NAME)));
}

bool parse_starts_function(const struct parser *p)
{
    size_t at = parse_behind_annotations(p, p->at), after = behind_list(p, at);
    switch (parse_kind(p, at)) {
    case TOKEN_APP: return true;
    case TOKEN_LESS: return starts_type_variables(p, at);
    case TOKEN_OPEN:
        if (after == at) /* it is not closed */
            return opens_parameters(p, at);
        return parse_kind(p, after) == TOKEN_NAME &&
               (opens_parameters(p, at) || starts_body(p, behind_list(p, after + 1)));
    case TOKEN_NAME:
        if (parse_kind(p, at + 1) == TOKEN_STRING) /* not f "x"; where the brackets are missing */
            return parse_kind(p, at + 2) == TOKEN_STRING;
        after = behind_list(p, at + 1);
        if (after == at + 1) /* no list, or it is not closed */
            return starts_body(p, after) || opens_parameters(p, after);
        return starts_body(p, after) && (may_be_parameters(p, at + 1) || parse_misspelt(p));
    default: return false;
    }
}

/* ---- parameters ---- */

static bool read_parameter(struct parser *p, struct tree_parameter *parameter)
{
    struct parameter_type *type = &parameter->type;
    const struct token *first = parse_token(p, p->at);
    do {
        const struct tree_type *one = parse_type_of_name(p);
        if (!one)
            return false;
        type->types = parse_grow(p, type->types, type->count, sizeof(struct tree_type *));
        type->types[type->count++] = one;
    } while (parse_take(p, TOKEN_BAR));
    parameter->many = parse_take(p, TOKEN_ELLIPSIS);
    if (!parse_is(p, TOKEN_NAME) && &p->tokens[p->at - 1] == first) {
        parse_mistake(p, first->at, "parameter %.*s has no type: write it before the name",
                      (int)first->text.length, first->text.text);
        return false;
    }
    if (!parse_name(p, "the name of a parameter", &parameter->name, &parameter->at) ||
        !parse_dimensions(p, &parameter->dimensions, &parameter->dimension_count))
        return false;
    if (!parse_take(p, TOKEN_ASSIGN))
        return true;
    parameter->initial = parse_expression(p);
    return parameter->initial;
}

/* Reads the parameters behind the opening bracket, and the bracket that closes them. */
static bool read_parameters(struct parser *p, struct tree_parameter **parameters, size_t *count)
{
    if (parse_take(p, TOKEN_CLOSE))
        return true;
    do {
        struct tree_parameter parameter = {0};
        if (!read_parameter(p, &parameter))
            return false;
        *parameters = parse_grow(p, *parameters, *count, sizeof parameter);
        (*parameters)[(*count)++] = parameter;
    } while (parse_comma(p, TOKEN_CLOSE));
    return parse_expect_close(p, TOKEN_CLOSE, "parameter");
}

/* Reads a list of parameters, if there is one; goes on behind it even after a mistake in it. */
static bool read_list(struct parser *p, struct tree_parameter **parameters, size_t *count)
{
    size_t open = p->at;
    if (!parse_take(p, TOKEN_OPEN))
        return true;
    return read_parameters(p, parameters, count) || parse_skip(p, open);
}

/* Reads <A, B> before the outputs. */
static bool read_type_variables(struct parser *p, struct script_function *f)
{
    if (!parse_take(p, TOKEN_LESS))
        return true;
    do {
        struct slice name;
        uint32_t at;
        if (!parse_name(p, "the name of a type", &name, &at))
            return false;
        f->type_variables = parse_grow(p, f->type_variables, f->type_variable_count, sizeof name);
        f->type_variables[f->type_variable_count++] = name;
    } while (parse_comma(p, TOKEN_MORE));
    return parse_expect(p, TOKEN_MORE, "after the names of types");
}

/* ---- bodies ---- */

/* Reads @stdout=file. */
static bool read_redirection(struct parser *p, struct script_function *f)
{
    size_t which = (size_t)(parse_kind(p, p->at + 1) - TOKEN_STDIN) + REDIRECT_STDIN;
    uint32_t at = parse_here(p);
    p->at += 2;
    if (!parse_expect(p, TOKEN_ASSIGN, "after what is redirected"))
        return false;
    struct expression *file = parse_expression(p);
    if (file && f->redirections[which])
        parse_mistake(p, at, "this is redirected twice");
    f->redirections[which] = file;
    return !p->lost;
}

static bool at_redirection(const struct parser *p)
{
    enum token_kind kind = parse_kind(p, p->at + 1);
    return parse_is(p, TOKEN_AT) &&
           (kind == TOKEN_STDIN || kind == TOKEN_STDOUT || kind == TOKEN_STDERR);
}

static bool read_word(struct parser *p, struct script_function *f)
{
    if (parse_is(p, TOKEN_MINUS)) {
        parse_mistake(p, parse_here(p),
                      "an option stands in quotes, a negative number in brackets");
        return false;
    }
    if (parse_take(p, TOKEN_AT) && !parse_is(p, TOKEN_NAME)) {
        parse_unexpected(p, "the name of a file");
        return false;
    }
    struct expression *word = parse_word(p);
    if (!word)
        return false;
    f->words = parse_grow(p, f->words, f->word_count, sizeof(struct expression *));
    f->words[f->word_count++] = word;
    return true;
}

/* Reads the command of an app function and the brace that closes it. */
static bool read_command(struct parser *p, struct script_function *f)
{
    if (parse_is(p, TOKEN_CLOSE_BRACE)) {
        parse_mistake(p, parse_here(p),
                      "an app function needs a command: a program and its arguments");
        return false;
    }
    while (!parse_is(p, TOKEN_CLOSE_BRACE) && !parse_is(p, TOKEN_SEMICOLON) && !at_redirection(p))
        if (!read_word(p, f))
            return false;
    while (at_redirection(p))
        if (!read_redirection(p, f))
            return false;
    parse_take(p, TOKEN_SEMICOLON);
    return parse_expect(p, TOKEN_CLOSE_BRACE, "after this command");
}

static bool read_app(struct parser *p, struct script_function *f)
{
    size_t open = p->at;
    f->kind = FUNCTION_APP;
    if (!parse_expect(p, TOKEN_OPEN_BRACE, "before the command of this app function"))
        return false;
    return read_command(p, f) || parse_skip(p, open);
}

/* Reads "package" "version" "procedure" [ "template" ]; or just "procedure"; */
static bool read_leaf(struct parser *p, struct script_function *f)
{
    struct slice texts[3] = {{0}};
    size_t count = 0;
    f->kind = FUNCTION_LEAF;
    for (; count < 3 && parse_is(p, TOKEN_STRING); count++)
        texts[count] = parse_token(p, p->at++)->text;
    if (parse_take(p, TOKEN_OPEN_BRACKET)) {
        if (!parse_is(p, TOKEN_STRING)) {
            parse_unexpected(p, "a template in quotes");
            return false;
        }
        f->template = parse_leaf(p, EXPRESSION_STRING, p->at++);
        if (!parse_expect(p, TOKEN_CLOSE_BRACKET, "after this template"))
            return false;
    }
    bool alone = count == 1 && !f->template;
    f->package = alone ? texts[1] : texts[0];
    f->version = texts[1];
    f->procedure = alone ? texts[0] : texts[2];
    parse_end(p, "function");
    if (!p->lost && count == 1 && f->template)
        parse_mistake(p, f->at, "the version of the package of function %.*s is missing",
                      (int)f->name.length, f->name.text);
    else if (!p->lost && f->procedure.length == 0 && !f->template)
        parse_mistake(p, f->at, "function %.*s has neither a procedure nor a template",
                      (int)f->name.length, f->name.text);
    else
        return true;
    p->lost = false;
    return false;
}

static bool read_body(struct parser *p, struct script_function *f, bool app)
{
    if (app)
        return read_app(p, f);
    if (parse_is(p, TOKEN_STRING))
        return read_leaf(p, f);
    if (parse_is(p, TOKEN_OPEN_BRACE)) {
        f->body = parse_block(p);
        return f->body;
    }
    parse_unbalanced(p, parse_behind(p),
                     "the body of function %.*s is missing: { ... } or \"package\"",
                     (int)f->name.length, f->name.text);
    return false;
}

/* ---- functions ---- */

/* True at a name and a brace behind the brace of a block, in the same line. */
static bool follows_block(const struct parser *p)
{
    return p->at > 0 && p->tokens[p->at - 1].kind == TOKEN_CLOSE_BRACE && !parse_starts_line(p) &&
           parse_is(p, TOKEN_NAME) && parse_kind(p, p->at + 1) == TOKEN_OPEN_BRACE;
}

/* True at a name and what may be a condition, but not a list of parameters. */
static bool has_condition(const struct parser *p)
{
    size_t open = p->at + 1;
    return parse_is(p, TOKEN_NAME) && parse_kind(p, open) == TOKEN_OPEN &&
           parse_kind(p, open + 1) != TOKEN_CLOSE && !opens_parameters(p, open) &&
           parse_kind(p, behind_list(p, open)) != TOKEN_STRING;
}

const char *parse_misspelt(const struct parser *p)
{
    static const char *const statements[] = {"if",      "switch", "foreach", "for",
                                             "iterate", "wait",   NULL};
    static const char *const after_block[] = {"else", NULL};
    static const struct {
        const char *word, *meant;
    } foreign[] = {
        {"while", "for"}, {"elif", "else if"}, {"elsif", "else if"}, {"elseif", "else if"}};
    bool block = follows_block(p);
    if (!block && !has_condition(p))
        return NULL;
    struct slice word = parse_token(p, p->at)->text;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (slice_is(word, foreign[i].word))
            return foreign[i].meant;
    const char *copy = arena_copy(p->arena, word.text, word.length);
    return str_nearest(copy, block ? after_block : statements);
}

static bool read_header(struct parser *p, struct script_function *f, bool app)
{
    bool good = read_type_variables(p, f) && read_list(p, &f->outputs, &f->output_count);
    const char *meant = good && !app ? parse_misspelt(p) : NULL;
    if (p->lost || !parse_name(p, "the name of a function", &f->name, &f->at))
        return false;
    if (meant) {
        parse_mistake(p, f->at, "there is no statement '%.*s': did you mean '%s'?%s",
                      (int)f->name.length, f->name.text, meant,
                      parse_is(p, TOKEN_OPEN) ? " (parameters of functions need types)" : "");
        return false;
    }
    return read_list(p, &f->inputs, &f->input_count) && good;
}

struct script_function *parse_function(struct parser *p)
{
    struct script_function *f = arena_new(p->arena, 1, sizeof *f);
    if (!parse_annotations(p, &f->annotations))
        return NULL;
    bool app = parse_take(p, TOKEN_APP);
    bool good = read_header(p, f, app);
    return parse_find_body(p, p->at) && read_body(p, f, app) && good ? f : NULL;
}
