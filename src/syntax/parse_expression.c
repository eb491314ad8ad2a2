/* parse_expression.c - expressions and calls. */
#include "syntax/parse_private.h"

static struct expression *read_binary(struct parser *p, int least);

/* ---- nodes ---- */

struct expression *parse_leaf(struct parser *p, enum expression_kind kind, size_t token)
{
    const struct token *from = parse_token(p, token);
    struct expression *e = arena_new(p->arena, 1, sizeof *e);
    *e = (struct expression){.kind = kind,
                             .at = from->at,
                             .whole = kind == EXPRESSION_BOOLEAN ? from->kind == TOKEN_TRUE
                                                                 : from->whole,
                             .number = from->number,
                             .text = from->text,
                             .depth = 1};
    return e;
}

/* Makes `part` a part of an expression. */
static bool hold(struct parser *p, struct expression *e, const struct expression *part)
{
    if (part->depth >= DEPTH_LIMIT) {
        parse_mistake(p, e->at,
                      "this expression is too long: more than %d parts hang on each other",
                      DEPTH_LIMIT);
        return false;
    }
    if (part->depth >= e->depth)
        e->depth = part->depth + 1;
    return true;
}

static bool add_item(struct parser *p, struct expression *e, struct expression *item)
{
    if (!item || !hold(p, e, item))
        return false;
    e->items = parse_grow(p, e->items, e->count, sizeof(struct expression *));
    e->items[e->count++] = item;
    return true;
}

/* ---- calls ---- */

static bool read_keyword(struct parser *p, struct expression *e)
{
    struct call *call = e->call;
    const struct token *name = parse_token(p, p->at);
    p->at += 2;
    struct expression *value = parse_expression(p);
    if (!value || !hold(p, e, value))
        return false;
    call->keywords = parse_grow(p, call->keywords, call->keyword_count, sizeof *call->keywords);
    call->keywords[call->keyword_count++] =
        (struct keyword){.at = name->at, .name = name->text, .value = value};
    return true;
}

static bool read_argument(struct parser *p, struct expression *e)
{
    if (parse_is(p, TOKEN_NAME) && parse_kind(p, p->at + 1) == TOKEN_ASSIGN)
        return read_keyword(p, e);
    if (e->call->keyword_count > 0) {
        parse_mistake(p, parse_here(p),
                      "an argument without a name cannot follow one that has a name");
        return false;
    }
    return add_item(p, e, parse_expression(p));
}

/* Reads the arguments of a call and the bracket that closes them. */
static bool read_arguments(struct parser *p, struct expression *e)
{
    if (parse_take(p, TOKEN_CLOSE))
        return true;
    do {
        if (!read_argument(p, e))
            return false;
    } while (parse_comma(p, TOKEN_CLOSE));
    return parse_expect_close(p, TOKEN_CLOSE, "argument");
}

/* Reads a call from its name on. */
static struct expression *read_call(struct parser *p, struct annotations annotations, bool old)
{
    struct expression *e = parse_leaf(p, EXPRESSION_CALL, p->at);
    e->call = arena_new(p->arena, 1, sizeof *e->call);
    e->call->annotations = annotations;
    e->call->old = old;
    for (size_t i = 0; i < annotations.count; i++)
        if (annotations.items[i].value && !hold(p, e, annotations.items[i].value))
            return NULL;
    p->at += 2;
    return read_arguments(p, e) ? e : NULL;
}

static bool at_call(const struct parser *p)
{
    return parse_is(p, TOKEN_NAME) && parse_kind(p, p->at + 1) == TOKEN_OPEN;
}

/* Reads name=expression or just a name. */
static bool read_annotation(struct parser *p, struct annotations *annotations)
{
    struct annotation annotation = {0};
    if (!parse_name(p, "the name of an annotation", &annotation.name, &annotation.at))
        return false;
    if (parse_take(p, TOKEN_ASSIGN)) {
        annotation.value = parse_expression(p);
        if (!annotation.value)
            return false;
    } else if (!parse_is(p, TOKEN_AT) && !at_call(p)) {
        parse_mistake(p, annotation.at,
                      "'@%.*s' is not an expression: write filename(%.*s) for the path of a file",
                      (int)annotation.name.length, annotation.name.text,
                      (int)annotation.name.length, annotation.name.text);
        return false;
    }
    annotations->items = parse_grow(p, annotations->items, annotations->count, sizeof annotation);
    annotations->items[annotations->count++] = annotation;
    return true;
}

/* Reads a call with annotations, or in the old spelling: @prio=1 f(x), @f(x). */
static struct expression *read_annotated(struct parser *p)
{
    struct annotations annotations = {0};
    while (parse_take(p, TOKEN_AT)) {
        if (at_call(p))
            return read_call(p, annotations, true);
        if (!read_annotation(p, &annotations))
            return NULL;
    }
    if (at_call(p))
        return read_call(p, annotations, false);
    parse_mistake(p, parse_here(p),
                  "annotations stand directly before a call, as in x = @prio=1 f();");
    return NULL;
}

struct expression *parse_call(struct parser *p)
{
    if (!parse_enter(p))
        return NULL;
    struct expression *e =
        parse_is(p, TOKEN_AT) ? read_annotated(p) : read_call(p, (struct annotations){0}, false);
    p->nesting--;
    return e;
}

/* ---- what stands in brackets ---- */

/* Reads (a) or (a, b). */
static struct expression *read_tuple(struct parser *p)
{
    struct expression *e = parse_leaf(p, EXPRESSION_TUPLE, p->at++);
    do {
        if (!add_item(p, e, parse_expression(p)))
            return NULL;
    } while (parse_comma(p, TOKEN_CLOSE));
    if (!parse_expect(p, TOKEN_CLOSE, "after this expression"))
        return NULL;
    return e->count == 1 ? e->items[0] : e;
}

/* Reads what follows the start of a range, which is the only item of `e`. */
static bool read_range(struct parser *p, struct expression *e)
{
    e->kind = EXPRESSION_RANGE;
    while (e->count < 3 && parse_take(p, TOKEN_COLON))
        if (!add_item(p, e, parse_expression(p)))
            return false;
    return true;
}

struct expression *parse_bare_range(struct parser *p, struct expression *start)
{
    struct expression *e = parse_leaf(p, EXPRESSION_RANGE, p->at);
    return add_item(p, e, start) && read_range(p, e) ? e : NULL;
}

/* Reads [a, b] or [a:b:c]. */
static struct expression *read_array(struct parser *p)
{
    struct expression *e = parse_leaf(p, EXPRESSION_ARRAY, p->at++);
    if (parse_take(p, TOKEN_CLOSE_BRACKET))
        return e;
    do {
        if (!add_item(p, e, parse_expression(p)))
            return NULL;
        if (e->count == 1 && parse_is(p, TOKEN_COLON)) {
            bool good =
                read_range(p, e) && parse_expect(p, TOKEN_CLOSE_BRACKET, "after this range");
            return good ? e : NULL;
        }
    } while (parse_comma(p, TOKEN_CLOSE_BRACKET));
    return parse_expect_close(p, TOKEN_CLOSE_BRACKET, "member") ? e : NULL;
}

static bool read_pairs(struct parser *p, struct expression *e)
{
    do {
        if (!add_item(p, e, parse_expression(p)) ||
            !parse_expect(p, TOKEN_COLON, "after this key") || !add_item(p, e, parse_expression(p)))
            return false;
    } while (parse_comma(p, TOKEN_CLOSE_BRACE));
    return parse_expect_close(p, TOKEN_CLOSE_BRACE, "member");
}

/* Reads {a: b, c: d}. */
static struct expression *read_dict(struct parser *p)
{
    struct expression *e = parse_leaf(p, EXPRESSION_DICT, p->at++);
    if (parse_take(p, TOKEN_CLOSE_BRACE) || read_pairs(p, e))
        return e;
    p->unbalanced = true; /* one of its braces may be what is wrong */
    return NULL;
}

/* ---- from the tightest to the loosest ---- */

struct expression *parse_word(struct parser *p)
{
    struct expression *e = NULL;
    if (!parse_enter(p))
        return NULL;
    switch (parse_kind(p, p->at)) {
    case TOKEN_INT: e = parse_leaf(p, EXPRESSION_INT, p->at++); break;
    case TOKEN_FLOAT: e = parse_leaf(p, EXPRESSION_FLOAT, p->at++); break;
    case TOKEN_STRING: e = parse_leaf(p, EXPRESSION_STRING, p->at++); break;
    case TOKEN_TRUE:
    case TOKEN_FALSE: e = parse_leaf(p, EXPRESSION_BOOLEAN, p->at++); break;
    case TOKEN_NAME: e = parse_leaf(p, EXPRESSION_NAME, p->at++); break;
    case TOKEN_OPEN: e = read_tuple(p); break;
    case TOKEN_OPEN_BRACKET: e = read_array(p); break;
    case TOKEN_OPEN_BRACE: e = read_dict(p); break;
    default: parse_unexpected(p, "an expression"); break;
    }
    p->nesting--;
    return e;
}

static struct expression *read_index(struct parser *p, struct expression *array)
{
    struct expression *e = parse_leaf(p, EXPRESSION_INDEX, p->at++);
    if (!add_item(p, e, array) || !parse_enter(p))
        return NULL;
    bool good = add_item(p, e, parse_expression(p)) &&
                parse_expect(p, TOKEN_CLOSE_BRACKET, "after this index");
    p->nesting--;
    return good ? e : NULL;
}

static struct expression *read_field(struct parser *p, struct expression *whole)
{
    struct expression *e = parse_leaf(p, EXPRESSION_FIELD, ++p->at);
    bool good = parse_name(p, "the name of a field", &e->text, &e->at) && add_item(p, e, whole);
    return good ? e : NULL;
}

/* Reads the elements and fields that are taken from an expression. */
static struct expression *read_parts(struct parser *p, struct expression *e)
{
    while (e && (parse_is(p, TOKEN_OPEN_BRACKET) || parse_is(p, TOKEN_POINT)))
        e = parse_is(p, TOKEN_POINT) ? read_field(p, e) : read_index(p, e);
    return e;
}

struct expression *parse_target(struct parser *p)
{
    if (parse_is(p, TOKEN_NAME))
        return read_parts(p, parse_leaf(p, EXPRESSION_NAME, p->at++));
    parse_unexpected(p, "a variable");
    return NULL;
}

static struct expression *read_unary(struct parser *p)
{
    enum token_kind kind = parse_kind(p, p->at);
    if (kind != TOKEN_MINUS && kind != TOKEN_NOT) {
        bool call = kind == TOKEN_AT || at_call(p);
        return read_parts(p, call ? parse_call(p) : parse_word(p));
    }
    struct expression *e = parse_leaf(p, EXPRESSION_UNARY, p->at++);
    e->operation = kind == TOKEN_MINUS ? OPERATION_NEGATE : OPERATION_NOT;
    if (!parse_enter(p))
        return NULL;
    bool good = add_item(p, e, read_unary(p));
    p->nesting--;
    return good ? e : NULL;
}

/* Operators between two operands; those with a higher rank bind tighter. */
static const struct {
    int rank; /* 0: this is not one */
    enum operation operation;
} binaries[] = {
    [TOKEN_OR] = {1, OPERATION_OR},
    [TOKEN_AND] = {2, OPERATION_AND},
    [TOKEN_EQUAL] = {3, OPERATION_EQUAL},
    [TOKEN_UNEQUAL] = {3, OPERATION_UNEQUAL},
    [TOKEN_LESS] = {4, OPERATION_LESS},
    [TOKEN_AT_MOST] = {4, OPERATION_AT_MOST},
    [TOKEN_MORE] = {4, OPERATION_MORE},
    [TOKEN_AT_LEAST] = {4, OPERATION_AT_LEAST},
    [TOKEN_PLUS] = {5, OPERATION_PLUS},
    [TOKEN_MINUS] = {5, OPERATION_MINUS},
    [TOKEN_TIMES] = {6, OPERATION_TIMES},
    [TOKEN_DIVIDE] = {6, OPERATION_DIVIDE},
    [TOKEN_INT_DIVIDE] = {6, OPERATION_INT_DIVIDE},
    [TOKEN_INT_REMAINDER] = {6, OPERATION_INT_REMAINDER},
    [TOKEN_PERCENT] = {6, OPERATION_FORMAT},
    [TOKEN_POWER] = {7, OPERATION_POWER},
    [TOKEN_BAR] = {0, 0}, /* the last kind of token */
};
enum { RANK_LOWEST = 1, RANK_SUM = 5 };

/* Reads operands and operators of at least this rank; equal ones group from the left. */
static struct expression *read_binary(struct parser *p, int least)
{
    struct expression *left = read_unary(p);
    for (int rank; left && (rank = binaries[parse_kind(p, p->at)].rank) >= least;) {
        struct expression *e = parse_leaf(p, EXPRESSION_BINARY, p->at);
        e->operation = binaries[parse_kind(p, p->at)].operation;
        p->at++;
        bool good = add_item(p, e, left) && add_item(p, e, read_binary(p, rank + 1));
        left = good ? e : NULL;
    }
    return left;
}

struct expression *parse_mapping(struct parser *p)
{
    return read_binary(p, RANK_SUM);
}

struct expression *parse_expression(struct parser *p)
{
    return read_binary(p, RANK_LOWEST);
}
