/* parse.c - the items of a text, and what the readers of all parts share. */
#include "syntax/parse_private.h"

/* ---- tokens ---- */

uint32_t parse_behind(const struct parser *p)
{
    if (p->at == 0)
        return parse_here(p);
    const struct token *previous = &p->tokens[p->at - 1];
    return previous->at + previous->length;
}

bool parse_starts_line(const struct parser *p)
{
    uint32_t from = parse_behind(p), to = parse_here(p);
    struct slice gap = source_slice(p->sources, from, to - from);
    return p->at == 0 || memchr(gap.text, '\n', gap.length);
}

bool parse_starts_statement(enum token_kind kind)
{
    switch (kind) {
    case TOKEN_APP:
    case TOKEN_IF:
    case TOKEN_SWITCH:
    case TOKEN_CASE:
    case TOKEN_DEFAULT:
    case TOKEN_FOREACH:
    case TOKEN_FOR:
    case TOKEN_ITERATE:
    case TOKEN_WAIT:
    case TOKEN_GLOBAL:
    case TOKEN_TYPE:
    case TOKEN_TYPEDEF:
    case TOKEN_IMPORT:
    case TOKEN_PRAGMA: return true;
    default: return false;
    }
}

bool parse_may_start(enum token_kind kind)
{
    return kind == TOKEN_NAME || kind == TOKEN_AT || kind == TOKEN_OPEN ||
           kind == TOKEN_OPEN_BRACE || parse_starts_statement(kind);
}

/* Numbers of opening brackets that are not closed yet. */
struct open_brackets {
    uint32_t *items;
    size_t count, braces;
};

static bool closes(enum token_kind open, enum token_kind close)
{
    return (open == TOKEN_OPEN && close == TOKEN_CLOSE) ||
           (open == TOKEN_OPEN_BRACKET && close == TOKEN_CLOSE_BRACKET) ||
           (open == TOKEN_OPEN_BRACE && close == TOKEN_CLOSE_BRACE);
}

/*
 * Closes a bracket. A brace is stronger than other brackets: those inside of it that are still open
 * have no partner. Another bracket leaves out at most one, so that this takes no time to speak of.
 */
static void close_bracket(struct parser *p, struct open_brackets *open, uint32_t number)
{
    enum token_kind close = p->tokens[number].kind;
    size_t limit = close == TOKEN_CLOSE_BRACE ? SIZE_MAX : 1, at = open->count;
    if (close == TOKEN_CLOSE_BRACE && open->braces == 0)
        return;
    for (size_t left = 0; at > 0 && left <= limit; at--, left++) {
        enum token_kind kind = p->tokens[open->items[at - 1]].kind;
        if (closes(kind, close)) {
            p->partners[open->items[at - 1]] = number;
            open->count = at - 1;
            open->braces -= kind == TOKEN_OPEN_BRACE;
            return;
        }
        if (kind == TOKEN_OPEN_BRACE)
            return;
    }
}

static void find_partners(struct parser *p)
{
    struct open_brackets open = {.items = memory_new(p->count, sizeof *open.items)};
    for (uint32_t i = 0; i < p->count; i++) {
        switch (p->tokens[i].kind) {
        case TOKEN_OPEN:
        case TOKEN_OPEN_BRACKET:
        case TOKEN_OPEN_BRACE:
            open.items[open.count++] = i;
            open.braces += p->tokens[i].kind == TOKEN_OPEN_BRACE;
            break;
        case TOKEN_CLOSE:
        case TOKEN_CLOSE_BRACKET:
        case TOKEN_CLOSE_BRACE: close_bracket(p, &open, i); break;
        default: break;
        }
    }
    free(open.items);
}

/* ---- mistakes ---- */

static void report(struct parser *p, uint32_t at, const char *format, va_list arguments)
{
    struct err_list *mistakes = &p->report->mistakes;
    struct source_place place = {.file = ""};
    if (mistakes->count < ERR_LIST_LIMIT) /* to find it takes time */
        place = source_place(p->sources, at);
    source_mistake_at(mistakes, &place, format, arguments);
}

void parse_mistake(struct parser *p, uint32_t at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(p, at, format, arguments);
    va_end(arguments);
    p->lost = true;
}

void parse_unbalanced(struct parser *p, uint32_t at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!p->unbalanced)
        report(p, at, format, arguments);
    va_end(arguments);
    p->lost = p->unbalanced = true;
}

void parse_unexpected(struct parser *p, const char *expected)
{
    struct str found = {0};
    token_describe(&found, p->sources, parse_token(p, p->at));
    parse_mistake(p, parse_here(p), "%s is expected here, not %s", expected, str_text(&found));
    str_free(&found);
}

/* Reports an operator that other languages have, behind an expression. */
static bool foreign_operator(struct parser *p)
{
    static const struct {
        enum token_kind kind;
        const char *name, *meant;
    } operators[] = {
        {TOKEN_ASSIGN, NULL, "this assigns: write '==' to compare"},
        {TOKEN_BAR, NULL, "write '||' for a logical or"},
        {TOKEN_NAME, "or", "write '||' instead of 'or'"},
        {TOKEN_NAME, "and", "write '&&' instead of 'and'"},
    };
    const struct token *token = parse_token(p, p->at);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (token->kind == operators[i].kind &&
            (!operators[i].name || slice_is(token->text, operators[i].name))) {
            parse_mistake(p, token->at, "%s", operators[i].meant);
            return true;
        }
    return false;
}

bool parse_expect(struct parser *p, enum token_kind kind, const char *where)
{
    if (parse_take(p, kind))
        return true;
    if (kind != TOKEN_CLOSE || !foreign_operator(p))
        parse_mistake(p, parse_behind(p), "%s is missing %s", token_kind_name(kind), where);
    return false;
}

bool parse_expect_close(struct parser *p, enum token_kind kind, const char *what)
{
    if (parse_take(p, kind))
        return true;
    if (!foreign_operator(p))
        parse_mistake(p, parse_behind(p), "',' or %s is missing after this %s",
                      token_kind_name(kind), what);
    return false;
}

bool parse_comma(struct parser *p, enum token_kind close)
{
    uint32_t at = parse_here(p);
    if (!parse_take(p, TOKEN_COMMA))
        return false;
    if (!parse_is(p, close))
        return true;
    parse_mistake(p, at, "remove this comma: nothing comes between it and %s",
                  token_kind_name(close));
    p->lost = false;
    return false;
}

void parse_end(struct parser *p, const char *what)
{
    enum token_kind kind = parse_kind(p, p->at);
    if (parse_take(p, TOKEN_SEMICOLON))
        return;
    bool next = kind == TOKEN_END || kind == TOKEN_CLOSE_BRACE || parse_starts_statement(kind) ||
                (parse_may_start(kind) && parse_starts_line(p));
    if (next || kind == TOKEN_AT || kind == TOKEN_OPEN_BRACE) {
        parse_mistake(p, parse_behind(p), "';' is missing after this %s", what);
        p->lost = !next;
    } else if (kind == TOKEN_CLOSE || kind == TOKEN_CLOSE_BRACKET) {
        parse_mistake(p, parse_here(p), "this %s closes nothing", token_kind_name(kind));
    } else if (kind == TOKEN_ASSIGN || !foreign_operator(p)) {
        parse_unexpected(p, "';'");
    }
}

bool parse_name(struct parser *p, const char *expected, struct slice *name, uint32_t *at)
{
    const struct token *token = parse_token(p, p->at);
    if (token->kind != TOKEN_NAME) {
        parse_unexpected(p, expected);
        return false;
    }
    *name = token->text;
    *at = token->at;
    p->at++;
    return true;
}

bool parse_enter(struct parser *p)
{
    if (p->nesting < NESTING_LIMIT) {
        p->nesting++;
        return true;
    }
    if (!p->deep)
        parse_mistake(p, parse_here(p), "this is nested too deeply: at most %d levels are allowed",
                      NESTING_LIMIT);
    p->lost = p->deep = true;
    return false;
}

bool parse_descend(struct parser *p)
{
    if (p->depth >= DEPTH_LIMIT) {
        parse_mistake(p, parse_here(p),
                      "this is too long: more than %d statements hang on each other", DEPTH_LIMIT);
        return false;
    }
    p->depth++;
    return true;
}

/* ---- recovery ---- */

/* The number of the token behind this one, or behind what it opens. */
static size_t behind(const struct parser *p, size_t number)
{
    return p->partners[number] ? p->partners[number] + 1 : number + 1;
}

/* True at a brace that closes a block; one before a comma or ) is what is left of a dictionary. */
static bool closes_block(const struct parser *p, size_t number)
{
    enum token_kind next = parse_kind(p, number + 1);
    return parse_kind(p, number) == TOKEN_CLOSE_BRACE && next != TOKEN_COMMA &&
           next != TOKEN_CLOSE && next != TOKEN_CLOSE_BRACKET;
}

void parse_recover(struct parser *p, size_t start)
{
    size_t failed = p->at, at = start;
    p->lost = false;
    for (;;) {
        enum token_kind kind = parse_kind(p, at);
        if (kind == TOKEN_END)
            break;
        bool is_new = at >= failed && at > start && p->tokens[at - 1].kind != TOKEN_ELSE;
        if (is_new && (parse_starts_statement(kind) || (closes_block(p, at) && p->blocks > 0)))
            break;
        bool ends = kind == TOKEN_SEMICOLON || closes_block(p, at);
        bool block = kind == TOKEN_OPEN_BRACE && p->partners[at];
        at = behind(p, at);
        kind = parse_kind(p, at);
        if (at > failed &&
            (ends || (block && (parse_may_start(kind) || kind == TOKEN_CLOSE_BRACE))))
            break;
    }
    p->at = at;
}

bool parse_skip(struct parser *p, size_t open)
{
    if (p->lost && p->partners[open] >= p->at) {
        p->at = p->partners[open] + 1;
        p->lost = false;
    }
    return false;
}

/* True if the header of a body cannot go on with this token. */
static bool ends_header(const struct parser *p, size_t number, bool is_for)
{
    enum token_kind kind = parse_kind(p, number);
    bool assigns = kind == TOKEN_ASSIGN && number > p->at; /* in the next statement */
    return kind == TOKEN_END || kind == TOKEN_CLOSE_BRACE || parse_starts_statement(kind) ||
           (assigns && !is_for);
}

bool parse_find_body(struct parser *p, size_t start)
{
    bool is_for = start > 0 && p->tokens[start - 1].kind == TOKEN_FOR;
    int semicolons = is_for ? 2 : 0;
    if (!p->lost)
        return true;
    bool in_header = parse_kind(p, start) == TOKEN_OPEN && p->partners[start] >= p->at;
    size_t at = in_header ? p->partners[start] : p->at;
    for (; parse_kind(p, at) != TOKEN_OPEN_BRACE; at = behind(p, at))
        if (ends_header(p, at, is_for) ||
            (parse_kind(p, at) == TOKEN_SEMICOLON && --semicolons < 0))
            return false;
    bool dict = parse_kind(p, behind(p, at)) == TOKEN_OPEN_BRACE;
    p->at = dict ? behind(p, at) : at;
    p->lost = false;
    return true;
}

void *parse_grow(struct parser *p, void *items, size_t count, size_t size)
{
    /* The room is 4 items or a larger power of two, so the count tells whether it is full. */
    if (count > 0 && (count < 4 || (count & (count - 1)) != 0))
        return items;
    void *larger = arena_new(p->arena, count > 0 ? 2 * count : 4, size);
    if (count > 0)
        memcpy(larger, items, count * size);
    return larger;
}

/* ---- items ---- */

/* import pkg.sub.name; import "name"; */
static bool read_import(struct parser *p, struct item *item)
{
    const struct token *first = parse_token(p, ++p->at);
    item->kind = ITEM_IMPORT;
    item->at = first->at;
    if (parse_take(p, TOKEN_STRING)) {
        item->name = first->text;
        item->quoted = true;
    } else {
        struct str name = {0};
        struct slice part;
        uint32_t at;
        bool good;
        while ((good = parse_name(p, "the name of a module", &part, &at))) {
            str_add_bytes(&name, part.text, part.length);
            if (!parse_take(p, TOKEN_POINT))
                break;
            str_add_char(&name, '.');
        }
        item->name =
            (struct slice){arena_copy(p->arena, str_text(&name), name.length), name.length};
        str_free(&name);
        if (!good)
            return false;
    }
    parse_end(p, "import");
    return true;
}

/* pragma NAME expression ...; */
static bool read_pragma(struct parser *p, struct item *item)
{
    p->at++;
    item->kind = ITEM_PRAGMA;
    if (!parse_name(p, "the name of a pragma", &item->name, &item->at))
        return false;
    while (!parse_is(p, TOKEN_SEMICOLON) && !parse_is(p, TOKEN_END)) {
        struct expression *argument = parse_expression(p);
        if (!argument)
            return false;
        item->arguments =
            parse_grow(p, item->arguments, item->argument_count, sizeof *item->arguments);
        item->arguments[item->argument_count++] = argument;
    }
    parse_end(p, "pragma");
    return true;
}

static bool read_function(struct parser *p, struct item *item)
{
    item->kind = ITEM_FUNCTION;
    item->function = parse_function(p);
    if (item->function)
        item->at = item->function->at;
    return item->function;
}

static bool read_statement(struct parser *p, struct item *item)
{
    item->kind = ITEM_STATEMENT;
    item->statement = parse_statement(p);
    if (item->statement)
        item->at = item->statement->at;
    return item->statement;
}

static bool read_item(struct parser *p, struct item *item)
{
    switch (parse_kind(p, p->at)) {
    case TOKEN_IMPORT: return read_import(p, item);
    case TOKEN_PRAGMA: return read_pragma(p, item);
    case TOKEN_TYPE:
    case TOKEN_TYPEDEF: return parse_type_definition(p, item);
    case TOKEN_GLOBAL: return parse_constant(p, item);
    default: return parse_starts_function(p) ? read_function(p, item) : read_statement(p, item);
    }
}

/* The items that only the top level has; NULL: a statement starts here. */
static const char *top_level_items(const struct parser *p)
{
    switch (parse_kind(p, p->at)) {
    case TOKEN_IMPORT: return "imports";
    case TOKEN_PRAGMA: return "pragmas";
    case TOKEN_TYPE:
    case TOKEN_TYPEDEF: return "type definitions";
    case TOKEN_GLOBAL: return "global constants";
    default: return parse_starts_function(p) ? "functions" : NULL;
    }
}

bool parse_misplaced(struct parser *p)
{
    const char *items = top_level_items(p);
    struct item item = {0};
    if (!items)
        return false;
    bool function = strcmp(items, "functions") == 0;
    if (!function || !parse_misspelt(p)) /* else that is reported */
        parse_unbalanced(p, parse_here(p), "%s are only allowed at the top level of the program%s",
                         items, function ? ": is a '}' missing before this one?" : "");
    p->lost = false;
    read_item(p, &item);
    return true;
}

static void read_items(struct parser *p, struct module *module)
{
    while (!parse_is(p, TOKEN_END)) {
        size_t start = p->at;
        struct item item = {0};
        if (parse_take(p, TOKEN_SEMICOLON))
            continue;
        if (parse_take(p, TOKEN_CLOSE_BRACE)) {
            if (p->report->mistakes.count == p->before) /* else it may come from one of these */
                parse_unbalanced(p, p->tokens[start].at, "this '}' closes nothing");
            p->lost = false;
            continue;
        }
        bool good = read_item(p, &item);
        if (p->lost)
            parse_recover(p, start);
        if (!good)
            continue;
        module->items = parse_grow(p, module->items, module->item_count, sizeof item);
        module->items[module->item_count++] = item;
    }
}

struct module *parse(const struct sources *sources, const struct tokens *tokens,
                     struct arena *arena, struct syntax_report *report)
{
    struct parser p = {.sources = sources,
                       .tokens = tokens->items,
                       .count = tokens->count,
                       .arena = arena,
                       .report = report,
                       .before = report->mistakes.count};
    p.partners = memory_new(p.count, sizeof *p.partners);
    find_partners(&p);
    struct module *module = arena_new(arena, 1, sizeof *module);
    read_items(&p, module);
    free(p.partners);
    return module;
}
