/* parse_statement.c - statements. */
#include "syntax/parse_private.h"

enum { LOOP_VARIABLE_LIMIT = 100 }; /* of one `for` */

static struct statement *create(struct parser *p, enum statement_kind kind)
{
    struct statement *s = arena_new(p->arena, 1, sizeof *s);
    s->kind = kind;
    s->at = parse_here(p);
    return s;
}

static bool add_value(struct parser *p, struct statement *s, struct expression *value)
{
    if (!value)
        return false;
    s->values = parse_grow(p, s->values, s->value_count, sizeof(struct expression *));
    s->values[s->value_count++] = value;
    return true;
}

/* ---- blocks ---- */

/* Enters the block at the current brace. */
static struct block *enter_block(struct parser *p)
{
    struct block *block = arena_new(p->arena, 1, sizeof *block);
    if (!parse_enter(p))
        return NULL;
    if (!parse_descend(p)) {
        p->nesting--;
        return NULL;
    }
    p->blocks++;
    block->at = parse_here(p);
    p->at++;
    return block;
}

/* Leaves it at its closing brace, or at the end of the text. */
static void leave_block(struct parser *p, struct block *block)
{
    p->blocks--;
    p->depth--;
    p->nesting--;
    block->end = parse_here(p);
    if (parse_take(p, TOKEN_CLOSE_BRACE))
        return;
    parse_unbalanced(p, block->at, "this '{' is never closed");
    p->lost = false;
}

static void add_statement(struct parser *p, struct block *block, struct statement *s)
{
    block->statements = parse_grow(p, block->statements, block->count, sizeof(struct statement *));
    block->statements[block->count++] = s;
}

static bool ends_block(enum token_kind kind, bool in_case)
{
    return kind == TOKEN_END || kind == TOKEN_CLOSE_BRACE ||
           (in_case && (kind == TOKEN_CASE || kind == TOKEN_DEFAULT));
}

static void read_statements(struct parser *p, struct block *block, bool in_case)
{
    while (!ends_block(parse_kind(p, p->at), in_case)) {
        size_t start = p->at;
        struct statement *s = NULL;
        if (!parse_take(p, TOKEN_SEMICOLON) && !parse_misplaced(p))
            s = parse_statement(p);
        if (p->lost)
            parse_recover(p, start);
        if (s)
            add_statement(p, block, s);
    }
}

struct block *parse_block(struct parser *p)
{
    struct block *block = enter_block(p);
    if (!block)
        return NULL;
    read_statements(p, block, false);
    leave_block(p, block);
    return block;
}

/* Reads a body that should have braces, for its own mistakes. */
static struct block *read_bare_body(struct parser *p)
{
    struct block *block = arena_new(p->arena, 1, sizeof *block);
    block->at = block->end = parse_here(p);
    if (parse_take(p, TOKEN_SEMICOLON))
        return block;
    if (!parse_enter(p))
        return NULL;
    bool deep = !parse_descend(p);
    struct statement *s = deep ? NULL : parse_statement(p);
    p->depth -= !deep;
    p->nesting--;
    if (s)
        add_statement(p, block, s);
    return s ? block : NULL;
}

/* Reports what stands where a body should start, and reads the body all the same. */
static struct block *read_wrong_body(struct parser *p, const char *what, bool report)
{
    enum token_kind kind = parse_kind(p, p->at);
    size_t at = p->at, body;
    p->lost = true;
    if (!parse_starts_statement(kind) && parse_find_body(p, at)) {
        body = p->at;
        p->at = at;
        parse_unexpected(p, "'{'");
        p->at = body;
        p->lost = false;
        p->unbalanced = true;
        return parse_block(p);
    }
    if (report) {
        parse_mistake(p, parse_here(p), "the body of '%s' needs braces: { ... }", what);
        p->unbalanced = true; /* the opening one may be missing */
    }
    p->lost = ends_block(kind, true) || !(parse_may_start(kind) || kind == TOKEN_SEMICOLON);
    return p->lost ? NULL : read_bare_body(p);
}

/* Reads the body of a statement; with `report`, one that has no braces is reported. */
static struct block *read_body(struct parser *p, const char *what, bool report)
{
    return parse_is(p, TOKEN_OPEN_BRACE) ? parse_block(p) : read_wrong_body(p, what, report);
}

/* ---- simple statements: those that may stand before => ---- */

/*
 * True at type [key] name, where the brackets are at the wrong place. The line must be the same: in
 * a[i] and b in the next line, something else is missing.
 */
static bool has_brackets_first(const struct parser *p)
{
    size_t at = p->at + 1;
    enum token_kind inside = parse_kind(p, at + 1);
    if (inside != TOKEN_CLOSE_BRACKET && inside != TOKEN_NAME)
        return false;
    while (parse_kind(p, at) == TOKEN_OPEN_BRACKET && p->partners[at])
        at = p->partners[at] + 1;
    const struct token *name = parse_token(p, at), *last = parse_token(p, at - 1);
    enum token_kind next = parse_kind(p, at + 1);
    if (name->kind != TOKEN_NAME || (next != TOKEN_SEMICOLON && next != TOKEN_ASSIGN &&
                                     next != TOKEN_COMMA && next != TOKEN_LESS))
        return false;
    uint32_t end = last->at + last->length;
    struct slice gap = source_slice(p->sources, end, name->at - end);
    return !memchr(gap.text, '\n', gap.length);
}

/* True at a name that is the type of a declaration. */
static bool starts_declaration(const struct parser *p)
{
    switch (parse_kind(p, p->at + 1)) {
    case TOKEN_NAME: return true;
    case TOKEN_OPEN_BRACKET: return has_brackets_first(p);
    case TOKEN_LESS:
        return slice_is(parse_token(p, p->at)->text, "bag") ||
               (parse_kind(p, p->at + 2) == TOKEN_NAME && parse_kind(p, p->at + 3) == TOKEN_MORE &&
                parse_kind(p, p->at + 4) == TOKEN_NAME);
    default: return false;
    }
}

static struct statement *read_declaration(struct parser *p)
{
    struct statement *s = create(p, STATEMENT_DECLARE);
    s->type = parse_type_of_name(p);
    if (!s->type)
        return NULL;
    do {
        struct declarator declarator = {0};
        if (!parse_declarator(p, &declarator))
            return NULL;
        s->declarators = parse_grow(p, s->declarators, s->declarator_count, sizeof declarator);
        s->declarators[s->declarator_count++] = declarator;
    } while (parse_comma(p, TOKEN_SEMICOLON));
    return s;
}

static struct statement *read_call(struct parser *p)
{
    struct statement *s = create(p, STATEMENT_CALL);
    return add_value(p, s, parse_call(p)) ? s : NULL;
}

/* Reports what follows targets instead of an assignment. */
static void not_assigned(struct parser *p)
{
    enum token_kind kind = parse_kind(p, p->at), next = parse_kind(p, p->at + 1);
    uint32_t at = parse_here(p);
    bool is_operator = kind >= TOKEN_ELLIPSIS && kind <= TOKEN_LESS;
    if (kind >= TOKEN_APP && kind <= TOKEN_STDERR)
        parse_unexpected(p, "a name");
    else if (parse_is_arrow(p))
        parse_mistake(p, at,
                      "'=>' can only follow a variable, a call, a declaration or an assignment");
    else if (kind == TOKEN_EQUAL)
        parse_mistake(p, at, "'==' compares: write '=' to assign");
    else if (kind == TOKEN_UPDATE)
        parse_mistake(p, at, "write '=' to assign, or name the update, as in x <incr> := 1");
    else if (is_operator && (next == kind || next == TOKEN_ASSIGN))
        parse_mistake(p, at, "a variable never changes: assign the result to a new one");
    else if (is_operator)
        parse_mistake(p, at,
                      "an expression is not a statement: assign it, or pass it to a function");
    else if (kind == TOKEN_BAR)
        parse_mistake(p, at, "a variable has one type");
    else if (kind == TOKEN_STRING)
        parse_mistake(p, at, "'(' is missing before the arguments of a call");
    else
        parse_mistake(p, parse_behind(p), "'=' is missing: a value must be assigned");
}

/* Turns a statement that is just its target into the name of a variable. */
static struct statement *read_name(struct parser *p, struct statement *s)
{
    enum token_kind kind = parse_kind(p, p->at);
    bool ends = kind == TOKEN_SEMICOLON || parse_is_arrow(p) || ends_block(kind, true) ||
                parse_starts_statement(kind) || parse_starts_line(p);
    if (!ends || s->target_count != 1 || s->targets[0]->kind != EXPRESSION_NAME) {
        not_assigned(p);
        return NULL;
    }
    s->kind = STATEMENT_NAME;
    s->values = s->targets;
    s->value_count = 1;
    s->targets = NULL;
    s->target_count = 0;
    return s;
}

static bool read_targets(struct parser *p, struct statement *s, enum token_kind close)
{
    do {
        struct expression *target = parse_target(p);
        if (!target)
            return false;
        s->targets = parse_grow(p, s->targets, s->target_count, sizeof(struct expression *));
        s->targets[s->target_count++] = target;
    } while (parse_comma(p, close));
    if (close != TOKEN_CLOSE || parse_take(p, TOKEN_CLOSE))
        return true;
    if (parse_is(p, TOKEN_NAME))
        parse_mistake(p, parse_here(p),
                      "',' is missing before this name (a type cannot stand here)");
    else
        parse_mistake(p, parse_behind(p), "')' is missing after this variable");
    return false;
}

static struct statement *read_assignment(struct parser *p)
{
    struct statement *s = create(p, STATEMENT_ASSIGN);
    bool bracket = parse_take(p, TOKEN_OPEN);
    if (!read_targets(p, s, bracket ? TOKEN_CLOSE : TOKEN_ASSIGN))
        return NULL;
    if (parse_is(p, TOKEN_APPEND) && s->target_count > 1) {
        parse_mistake(p, parse_here(p), "'+=' appends to one bag");
        return NULL;
    }
    if (parse_take(p, TOKEN_APPEND)) {
        s->kind = STATEMENT_APPEND;
        return add_value(p, s, parse_expression(p)) ? s : NULL;
    }
    if (parse_is_arrow(p) || !parse_take(p, TOKEN_ASSIGN))
        return read_name(p, s);
    do {
        if (!add_value(p, s, parse_expression(p)))
            return NULL;
    } while (parse_comma(p, TOKEN_SEMICOLON));
    return s;
}

static struct statement *read_simple(struct parser *p)
{
    if (parse_is(p, TOKEN_AT))
        return read_call(p);
    if (parse_is(p, TOKEN_OPEN))
        return read_assignment(p);
    if (starts_declaration(p))
        return read_declaration(p);
    return parse_kind(p, p->at + 1) == TOKEN_OPEN ? read_call(p) : read_assignment(p);
}

/* ---- branches ---- */

/* Reads (condition) behind a word. */
static bool read_condition(struct parser *p, struct expression **condition)
{
    if (!parse_expect(p, TOKEN_OPEN, "before the condition"))
        return false;
    *condition = parse_expression(p);
    return *condition && parse_expect(p, TOKEN_CLOSE, "after the condition");
}

/* Reads `if`, its condition and its body. */
static bool read_branch(struct parser *p, struct statement *s)
{
    struct expression *condition;
    size_t open = ++p->at;
    bool good = read_condition(p, &condition) && add_value(p, s, condition);
    if (!parse_find_body(p, open))
        return false;
    s->blocks[0] = read_body(p, "if", true);
    return good && s->blocks[0];
}

/* Makes the block of `else if`, which has only that statement. */
static struct block *chain_branch(struct parser *p, struct statement *next)
{
    struct block *block = arena_new(p->arena, 1, sizeof *block);
    block->at = block->end = next->at;
    add_statement(p, block, next);
    return block;
}

/* Reads `if` with all of its branches, in a loop: they may be many. */
static struct statement *read_if(struct parser *p)
{
    struct statement *first = create(p, STATEMENT_IF), *s = first;
    int depth = p->depth;
    bool good = read_branch(p, s);
    while (!p->lost && parse_take(p, TOKEN_ELSE)) {
        if (!parse_is(p, TOKEN_IF)) {
            bool braces = p->tokens[p->at - 2].kind == TOKEN_CLOSE_BRACE;
            s->blocks[1] = read_body(p, "else", braces); /* without, that has been reported */
            good = s->blocks[1] && good;
            break;
        }
        if (!parse_descend(p)) {
            good = false;
            break;
        }
        struct statement *next = create(p, STATEMENT_IF);
        s->blocks[1] = chain_branch(p, next);
        s = next;
        good = read_branch(p, s) && good;
    }
    p->depth = depth;
    return good ? first : NULL;
}

/* Reads the label of a case and its colon. */
static bool read_label(struct parser *p, struct switch_case *one)
{
    const struct token *token = parse_token(p, p->at);
    const char *text = source_slice(p->sources, token->at, token->length).text;
    bool decimal =
        token->kind == TOKEN_INT && (token->length < 2 || (text[1] >= '0' && text[1] <= '9'));
    one->label = token->whole;
    if (!decimal) {
        parse_mistake(p, token->at, "the label of a case is a decimal number without a sign");
        while (!parse_is(p, TOKEN_COLON) && !parse_is(p, TOKEN_END) && !parse_starts_line(p))
            p->at++;
        p->lost = !parse_is(p, TOKEN_COLON);
    } else {
        p->at++;
    }
    return !p->lost && parse_expect(p, TOKEN_COLON, "after this label") && decimal;
}

static bool read_case(struct parser *p, struct statement *s)
{
    struct switch_case one = {.at = parse_here(p)};
    bool good = true;
    if (s->case_count > 0 && s->cases[s->case_count - 1].otherwise) {
        parse_mistake(p, one.at, "'default' must be the last of the cases");
        p->lost = good = false;
    }
    if (parse_take(p, TOKEN_CASE)) {
        good = read_label(p, &one) && good;
    } else if (parse_take(p, TOKEN_DEFAULT)) {
        one.otherwise = true;
        good = parse_expect(p, TOKEN_COLON, "after 'default'") && good;
    } else {
        parse_unexpected(p, "'case' or 'default'");
        p->unbalanced = true;
    }
    if (p->lost)
        return false;
    one.block = arena_new(p->arena, 1, sizeof *one.block);
    one.block->at = p->tokens[p->at - 1].at;
    read_statements(p, one.block, true);
    one.block->end = parse_here(p);
    s->cases = parse_grow(p, s->cases, s->case_count, sizeof one);
    s->cases[s->case_count++] = one;
    return good;
}

static struct statement *read_switch(struct parser *p)
{
    struct statement *s = create(p, STATEMENT_SWITCH);
    struct expression *value;
    size_t open = ++p->at;
    bool good = read_condition(p, &value) && add_value(p, s, value);
    if (!parse_find_body(p, open))
        return NULL;
    if (!parse_is(p, TOKEN_OPEN_BRACE)) {
        parse_unbalanced(p, parse_behind(p), "'{' is missing before the cases");
        return NULL;
    }
    open = p->at;
    struct block *block = enter_block(p);
    if (!block)
        return NULL;
    while (!p->lost && !ends_block(parse_kind(p, p->at), false))
        good = read_case(p, s) && good;
    if (p->lost && p->partners[open]) {
        p->at = p->partners[open];
        p->lost = false;
    }
    leave_block(p, block);
    return good ? s : NULL;
}

/* ---- loops ---- */

/* Accepts a range without brackets, with a warning. */
static struct expression *read_bare_range(struct parser *p, struct expression *start, uint32_t at)
{
    struct expression *range = parse_bare_range(p, start);
    struct slice text = source_slice(p->sources, at, parse_behind(p) - at);
    if (range)
        source_mistake(p->sources, &p->report->warnings, at,
                       "a range stands in brackets: write [%.*s]", (int)text.length, text.text);
    return range;
}

/* Reads value, key in array. */
static bool read_foreach_header(struct parser *p, struct statement *s)
{
    uint32_t at;
    if (!parse_name(p, "a loop variable", &s->name, &s->name_at))
        return false;
    if (parse_is(p, TOKEN_NAME) && parse_kind(p, p->at + 1) != TOKEN_NAME) {
        parse_mistake(p, s->name_at, "a variable of 'foreach' has no type: remove it");
        return false;
    }
    if (parse_take(p, TOKEN_COMMA) &&
        !parse_name(p, "the variable for the key", &s->index, &s->index_at))
        return false;
    if (!parse_expect(p, TOKEN_IN, "after the loop variable"))
        return false;
    at = parse_here(p);
    struct expression *array = parse_expression(p);
    if (array && parse_is(p, TOKEN_COLON))
        array = read_bare_range(p, array, at);
    return add_value(p, s, array);
}

static struct statement *read_foreach(struct parser *p, struct annotations annotations)
{
    struct statement *s = create(p, STATEMENT_FOREACH);
    s->annotations = annotations;
    size_t start = ++p->at;
    bool good = read_foreach_header(p, s);
    if (!parse_find_body(p, start))
        return NULL;
    s->blocks[0] = read_body(p, "foreach", true);
    return good && s->blocks[0] ? s : NULL;
}

static bool read_loop_variable(struct parser *p, struct statement *s)
{
    struct loop_variable variable = {0};
    enum token_kind next = parse_kind(p, p->at + 1);
    if (s->loop_variable_count >= LOOP_VARIABLE_LIMIT) {
        parse_mistake(p, parse_here(p), "a loop has at most %d variables", LOOP_VARIABLE_LIMIT);
        return false;
    }
    if (next == TOKEN_NAME || next == TOKEN_LESS || next == TOKEN_OPEN_BRACKET) {
        variable.type = parse_type_of_name(p);
        if (!variable.type)
            return false;
    }
    if (!parse_name(p, "a loop variable", &variable.name, &variable.at) ||
        !parse_dimensions(p, &variable.dimensions, &variable.dimension_count) ||
        !parse_expect(p, TOKEN_ASSIGN, "after this loop variable: it needs a start value"))
        return false;
    variable.initial = parse_expression(p);
    if (!variable.initial)
        return false;
    s->loop_variables = parse_grow(p, s->loop_variables, s->loop_variable_count, sizeof variable);
    s->loop_variables[s->loop_variable_count++] = variable;
    return true;
}

/* The loop variable of this name; NULL if there is none. */
static struct loop_variable *find_loop_variable(const struct statement *s, struct slice name)
{
    for (size_t i = 0; i < s->loop_variable_count; i++)
        if (slice_equal(s->loop_variables[i].name, name))
            return &s->loop_variables[i];
    return NULL;
}

/* Puts an update where it belongs. */
static bool add_update(struct parser *p, struct statement *s, struct loop_update update,
                       struct expression *value)
{
    struct loop_variable *variable = find_loop_variable(s, update.name);
    if (!variable) {
        s->stray_updates = parse_grow(p, s->stray_updates, s->stray_update_count, sizeof update);
        s->stray_updates[s->stray_update_count++] = update;
        return true;
    }
    if (variable->update) {
        parse_mistake(p, update.at, "loop variable %.*s is updated twice", (int)update.name.length,
                      update.name.text);
        return false;
    }
    variable->update_at = update.at;
    variable->update = value;
    return true;
}

static bool read_loop_update(struct parser *p, struct statement *s)
{
    struct loop_update update;
    if (!parse_name(p, "a loop variable", &update.name, &update.at))
        return false;
    if (!parse_is(p, TOKEN_ASSIGN)) {
        parse_mistake(p, parse_here(p), "an update is an assignment, as in %.*s = %.*s + 1",
                      (int)update.name.length, update.name.text, (int)update.name.length,
                      update.name.text);
        return false;
    }
    p->at++;
    struct expression *value = parse_expression(p);
    return value && add_update(p, s, update, value);
}

/* Reads (start values; condition; updates). */
static bool read_for_header(struct parser *p, struct statement *s)
{
    if (!parse_expect(p, TOKEN_OPEN, "after 'for'"))
        return false;
    if (!parse_is(p, TOKEN_SEMICOLON))
        do {
            if (!read_loop_variable(p, s))
                return false;
        } while (parse_comma(p, TOKEN_SEMICOLON));
    if (!parse_expect(p, TOKEN_SEMICOLON, "after the start values"))
        return false;
    if (parse_is(p, TOKEN_SEMICOLON)) {
        parse_mistake(p, parse_here(p),
                      "the condition is missing: write true for a loop without end");
        return false;
    }
    s->condition = parse_expression(p);
    if (!s->condition || !parse_expect(p, TOKEN_SEMICOLON, "after the condition"))
        return false;
    if (!parse_is(p, TOKEN_CLOSE))
        do {
            if (!read_loop_update(p, s))
                return false;
        } while (parse_comma(p, TOKEN_CLOSE));
    return parse_expect(p, TOKEN_CLOSE, "after the updates");
}

static struct statement *read_for(struct parser *p, struct annotations annotations)
{
    struct statement *s = create(p, STATEMENT_FOR);
    s->annotations = annotations;
    size_t open = ++p->at;
    bool good = read_for_header(p, s);
    if (!parse_find_body(p, open))
        return NULL;
    s->blocks[0] = read_body(p, "for", true);
    return good && s->blocks[0] ? s : NULL;
}

static struct statement *read_iterate(struct parser *p)
{
    struct statement *s = create(p, STATEMENT_ITERATE);
    size_t start = ++p->at;
    bool good = parse_name(p, "a loop variable", &s->name, &s->name_at);
    if (!parse_find_body(p, start))
        return NULL;
    s->blocks[0] = read_body(p, "iterate", true);
    if (!s->blocks[0])
        return NULL;
    if (!parse_take(p, TOKEN_UNTIL)) {
        parse_unbalanced(p, parse_behind(p), "'until' is missing after the body of 'iterate'");
        p->lost = good = false;
        if (!parse_is(p, TOKEN_OPEN))
            return NULL;
    }
    return read_condition(p, &s->condition) && good ? s : NULL;
}

/* ---- other statements ---- */

static bool read_wait_header(struct parser *p, struct statement *s)
{
    if (!parse_expect(p, TOKEN_OPEN, s->deep ? "after 'wait deep'" : "after 'wait'"))
        return false;
    do {
        if (!add_value(p, s, parse_expression(p)))
            return false;
    } while (parse_comma(p, TOKEN_CLOSE));
    return parse_expect_close(p, TOKEN_CLOSE, "expression");
}

static struct statement *read_wait(struct parser *p)
{
    struct statement *s = create(p, STATEMENT_WAIT);
    p->at++;
    s->deep = parse_take(p, TOKEN_DEEP);
    size_t open = p->at;
    bool good = read_wait_header(p, s);
    if (!parse_find_body(p, open))
        return NULL;
    s->blocks[0] = read_body(p, "wait", true);
    return good && s->blocks[0] ? s : NULL;
}

/* True at x <word> := */
static bool is_update(const struct parser *p)
{
    enum token_kind sign = parse_kind(p, p->at + 4);
    return parse_kind(p, p->at + 1) == TOKEN_LESS && parse_kind(p, p->at + 2) == TOKEN_NAME &&
           parse_kind(p, p->at + 3) == TOKEN_MORE && (sign == TOKEN_UPDATE || sign == TOKEN_ASSIGN);
}

static struct statement *read_update(struct parser *p)
{
    static const char *const updates[] = {"incr", "min", "scale", NULL};
    struct statement *s = create(p, STATEMENT_UPDATE);
    s->targets = parse_grow(p, NULL, 0, sizeof(struct expression *));
    s->targets[s->target_count++] = parse_leaf(p, EXPRESSION_NAME, p->at);
    const struct token *word = parse_token(p, p->at + 2);
    s->text = word->text;
    p->at += 4;
    if (!slice_is(s->text, "incr") && !slice_is(s->text, "min") && !slice_is(s->text, "scale")) {
        const char *name = arena_copy(p->arena, s->text.text, s->text.length);
        const char *nearest = str_nearest(name, updates);
        parse_mistake(p, word->at, "unknown update '%s': %s%s%s", name,
                      nearest ? "did you mean '" : "there are incr, min and scale",
                      nearest ? nearest : "", nearest ? "'?" : "");
        return NULL;
    }
    if (!parse_expect(p, TOKEN_UPDATE, "before the value of an update") ||
        !add_value(p, s, parse_expression(p)))
        return NULL;
    parse_end(p, "statement");
    return s;
}

/* ---- all statements ---- */

static struct statement *read_loop(struct parser *p)
{
    struct annotations annotations = {0};
    if (!parse_annotations(p, &annotations))
        return NULL;
    return parse_is(p, TOKEN_FOR) ? read_for(p, annotations) : read_foreach(p, annotations);
}

static struct statement *read_block(struct parser *p)
{
    struct statement *s = create(p, STATEMENT_BLOCK);
    s->blocks[0] = parse_block(p);
    return s->blocks[0] ? s : NULL;
}

/* Reads a statement that can only be the last of a chain. */
static struct statement *read_last(struct parser *p)
{
    uint32_t at = parse_here(p);
    switch (parse_kind(p, p->at)) {
    case TOKEN_OPEN_BRACE: return read_block(p);
    case TOKEN_IF: return read_if(p);
    case TOKEN_SWITCH: return read_switch(p);
    case TOKEN_FOR:
    case TOKEN_FOREACH:
    case TOKEN_AT: return read_loop(p);
    case TOKEN_ITERATE: return read_iterate(p);
    case TOKEN_WAIT: return read_wait(p);
    case TOKEN_NAME: return read_update(p);
    case TOKEN_ELSE: parse_unbalanced(p, at, "this 'else' belongs to no 'if'"); break;
    case TOKEN_UNTIL: parse_unbalanced(p, at, "this 'until' belongs to no 'iterate'"); break;
    case TOKEN_CASE:
    case TOKEN_DEFAULT: parse_unbalanced(p, at, "there is no 'switch' around this case"); break;
    default: parse_unexpected(p, "a statement"); break;
    }
    return NULL;
}

static bool starts_simple(const struct parser *p)
{
    enum token_kind kind = parse_kind(p, p->at), next;
    if (kind == TOKEN_AT) {
        next = parse_kind(p, parse_behind_annotations(p, p->at));
        return next != TOKEN_FOR && next != TOKEN_FOREACH;
    }
    return kind == TOKEN_OPEN || (kind == TOKEN_NAME && !is_update(p));
}

/* Reads the links of a chain from the first => on, in a loop: they may be many. */
static struct statement *read_chain(struct parser *p, struct statement *left)
{
    struct statement *first = NULL, **end = &first;
    bool simple = true;
    for (; left && simple && parse_is_arrow(p); left = simple ? read_simple(p) : read_last(p)) {
        struct statement *chain = create(p, STATEMENT_CHAIN);
        chain->left = left;
        *end = chain;
        end = &chain->right;
        p->at += 2;
        if (!parse_descend(p))
            return NULL;
        simple = starts_simple(p);
    }
    *end = left;
    if (left && simple)
        parse_end(p, "statement");
    return left ? first : NULL;
}

struct statement *parse_statement(struct parser *p)
{
    int depth = p->depth;
    struct statement *s = starts_simple(p) ? read_chain(p, read_simple(p)) : read_last(p);
    p->depth = depth;
    if (!p->lost && parse_is_arrow(p))
        parse_mistake(p, parse_here(p),
                      "'=>' can only follow a variable, a call, a declaration or an assignment");
    return s;
}
