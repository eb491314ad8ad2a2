/*
 * condition.c - the expressions of #if, as in C: 64-bit integers, signed or unsigned.
 *
 * Operands that && || and ?: do not need are parsed but not evaluated, so that
 * #if N != 0 && 10 / N > 2 is fine.
 */
#include "syntax/preprocess_private.h"

enum { DEPTH_LIMIT = 200 };

struct number {
    uint64_t bits;
    bool is_unsigned;
};

struct evaluation {
    struct preprocessor *p;
    const struct piece *items;
    size_t count, at;
    int depth;
    int unneeded; /* how many operands around this one are not needed */
    bool failed;
};

static struct number number(int64_t value)
{
    return (struct number){.bits = (uint64_t)value};
}

static struct number fail(struct evaluation *e, const char *format, ...) ERR_FORMAT(2, 3);

/* Reports the first mistake, at the piece that is read. */
static struct number fail(struct evaluation *e, const char *format, ...)
{
    char message[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!e->failed)
        preprocess_mistake(e->p, e->at < e->count ? piece_place(&e->items[e->at]) : NULL, "%s",
                           message);
    e->failed = true;
    e->at = e->count;
    return number(0);
}

/* How many bytes of a text a message shows. */
static int shown(struct slice text)
{
    return text.length < 40 ? (int)text.length : 40;
}

static bool take(struct evaluation *e, const char *sign)
{
    bool is_next = e->at < e->count && piece_is(&e->items[e->at], sign);
    e->at += is_next;
    return is_next;
}

/* ---- operands ---- */

/* Reads u, l and ll in any order and case. */
static bool read_suffix(struct slice suffix, bool *is_unsigned)
{
    size_t u = 0, l = 0;
    for (size_t i = 0; i < suffix.length; i++) {
        char c = (char)(suffix.text[i] | 0x20);
        u += c == 'u';
        l += c == 'l';
    }
    *is_unsigned = u == 1;
    return u + l == suffix.length && u <= 1 && l <= 2;
}

static int digit_value(char c)
{
    char lower = (char)(c | 0x20);
    return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

static struct number read_number(struct evaluation *e, struct slice text)
{
    struct number out = {0};
    size_t at = 0;
    int base = 10;
    bool overflow = false;
    if (text.length > 1 && text.text[0] == '0') {
        char letter = (char)(text.text[1] | 0x20);
        base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
        at = letter == 'x' || letter == 'b' || letter == 'o' ? 2 : 1;
    }
    size_t start = base == 8 && at == 1 ? 0 : at; /* the 0 of 017 is a digit */
    for (; at < text.length && digit_value(text.text[at]) < base; at++)
        overflow =
            overflow || __builtin_mul_overflow(out.bits, (uint64_t)base, &out.bits) ||
            __builtin_add_overflow(out.bits, (uint64_t)digit_value(text.text[at]), &out.bits);
    struct slice suffix = {text.text + at, text.length - at};
    if (at == start || !read_suffix(suffix, &out.is_unsigned))
        return fail(e, "malformed number %.*s: #if takes whole numbers only", shown(text),
                    text.text);
    if (overflow)
        return fail(e, "this number does not fit in 64 bits");
    out.is_unsigned = out.is_unsigned || out.bits > INT64_MAX;
    e->at++;
    return out;
}

/* Reads a character or an escape, and moves *at past it. */
static int read_character(const char **at, const char *end)
{
    static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    char c = *(*at)++;
    if (c != '\\' || *at >= end)
        return (signed char)c;
    int code = 0, digits = 0;
    const char *name;
    if (**at == 'x') {
        for ((*at)++; *at < end && digit_value(**at) < 16; (*at)++)
            code = (code * 16 + digit_value(**at)) & 0xff;
        return (signed char)code;
    }
    for (; *at < end && digits < 3 && digit_value(**at) < 8; digits++)
        code = code * 8 + digit_value(*(*at)++);
    if (digits > 0)
        return (signed char)code;
    c = *(*at)++;
    name = c ? strchr(names, c) : NULL;
    return name ? values[name - names] : (signed char)c;
}

/* 'a'; several characters are the bytes of one number, as compilers have it. */
static struct number read_characters(struct evaluation *e, struct slice text)
{
    const char *at = text.text + 1, *end = text.text + text.length - 1;
    if (at == end)
        return fail(e, "this character constant is empty");
    int64_t value = read_character(&at, end);
    while (at < end)
        value = (int32_t)((uint32_t)value << 8 | (uint32_t)(read_character(&at, end) & 0xff));
    e->at++;
    return number(value);
}

/* What follows `defined`. */
static struct number read_defined(struct evaluation *e)
{
    e->at++;
    bool has_parenthesis = take(e, "(");
    if (e->at >= e->count || e->items[e->at].kind != PIECE_NAME)
        return fail(e, "'defined' must be followed by a macro name");
    bool is_defined = macro_find(e->p, e->items[e->at++].text) != NULL;
    if (has_parenthesis && !take(e, ")"))
        return fail(e, ") is missing after the name");
    return number(is_defined);
}

/* A name that is not a macro is 0; true is 1, as in C23. */
static struct number read_name(struct evaluation *e)
{
    struct slice name = e->items[e->at].text;
    bool is_call = e->at + 1 < e->count && piece_is(&e->items[e->at + 1], "(");
    if (slice_is(name, "defined"))
        return read_defined(e);
    if (is_call)
        return fail(e, "'%.*s' is not defined as a macro with parameters", shown(name), name.text);
    e->at++;
    return number(slice_is(name, "true"));
}

static struct number read_choice(struct evaluation *e);

static struct number read_primary(struct evaluation *e)
{
    if (e->at >= e->count)
        return fail(e, "a number or name is missing at the end");
    const struct piece *piece = &e->items[e->at];
    if (take(e, "(")) {
        struct number out = read_choice(e);
        if (!e->failed && !take(e, ")"))
            return fail(e, ") is missing");
        return out;
    }
    if (piece->kind == PIECE_NUMBER)
        return read_number(e, piece->text);
    if (piece->kind == PIECE_CHARACTER)
        return read_characters(e, piece->text);
    if (piece->kind == PIECE_NAME)
        return read_name(e);
    if (piece->kind == PIECE_STRING)
        return fail(e, "strings are not allowed in #if");
    return fail(e, "a number or name is missing before '%.*s'", shown(piece->text),
                piece->text.text);
}

static void overflows(struct evaluation *e, bool does, bool is_unsigned)
{
    if (does && !is_unsigned && e->unneeded == 0 && !e->failed)
        preprocess_warning(e->p, piece_place(&e->items[e->at - 1]),
                           "this result does not fit in 64 bits: it wraps around");
}

static struct number read_unary(struct evaluation *e)
{
    if (++e->depth > DEPTH_LIMIT)
        return fail(e, "this condition is nested more than %d deep", DEPTH_LIMIT);
    struct number out;
    if (take(e, "!")) {
        out = number(read_unary(e).bits == 0);
    } else if (take(e, "-")) {
        out = read_unary(e);
        overflows(e, out.bits == (uint64_t)INT64_MIN, out.is_unsigned);
        out.bits = -out.bits;
    } else if (take(e, "~")) {
        out = read_unary(e);
        out.bits = ~out.bits;
    } else if (take(e, "+")) {
        out = read_unary(e);
    } else {
        out = read_primary(e);
    }
    e->depth--;
    return out;
}

/* ---- operators ---- */

enum operator{
    OR,
    AND,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    EQUAL,
    UNEQUAL,
    LESS,
    MORE,
    AT_MOST,
    AT_LEAST,
    LEFT,
    RIGHT,
    PLUS,
    MINUS,
    TIMES,
    DIVIDE,
    REMAINDER,
};

static const struct {
    const char *sign;
    int level; /* a higher one binds closer */
} operators[] = {
    [OR] = {"||", 1},     [AND] = {"&&", 2},       [BIT_OR] = {"|", 3},    [BIT_XOR] = {"^", 4},
    [BIT_AND] = {"&", 5}, [EQUAL] = {"==", 6},     [UNEQUAL] = {"!=", 6},  [LESS] = {"<", 7},
    [MORE] = {">", 7},    [AT_MOST] = {"<=", 7},   [AT_LEAST] = {">=", 7}, [LEFT] = {"<<", 8},
    [RIGHT] = {">>", 8},  [PLUS] = {"+", 9},       [MINUS] = {"-", 9},     [TIMES] = {"*", 10},
    [DIVIDE] = {"/", 10}, [REMAINDER] = {"%", 10},
};

/* A negative number of bits shifts the other way, as GNU's preprocessor does. */
static struct number shift(struct number left, struct number right, bool to_left)
{
    bool is_negative = !right.is_unsigned && (int64_t)right.bits < 0;
    uint64_t by = is_negative ? -right.bits : right.bits;
    bool fills_with_ones = !left.is_unsigned && (int64_t)left.bits < 0;
    if (to_left != is_negative) {
        left.bits = by < 64 ? left.bits << by : 0;
    } else {
        uint64_t ones = fills_with_ones ? UINT64_MAX : 0;
        left.bits = by == 0 ? left.bits : by < 64 ? left.bits >> by | ones << (64 - by) : ones;
    }
    return left;
}

static struct number divide(struct evaluation *e, struct number left, struct number right,
                            bool wants_rest)
{
    struct number out = {.is_unsigned = left.is_unsigned};
    if (right.bits == 0) {
        if (e->unneeded == 0) {
            e->at--; /* so that the message points at the divisor */
            return fail(e, "division by zero");
        }
    } else if (out.is_unsigned) {
        out.bits = wants_rest ? left.bits % right.bits : left.bits / right.bits;
    } else if (right.bits == UINT64_MAX) { /* by -1, which may overflow */
        overflows(e, !wants_rest && left.bits == (uint64_t)INT64_MIN, false);
        out.bits = wants_rest ? 0 : -left.bits;
    } else {
        int64_t a = (int64_t)left.bits, b = (int64_t)right.bits;
        out.bits = (uint64_t)(wants_rest ? a % b : a / b);
    }
    return out;
}

static bool is_less(struct number a, struct number b)
{
    return a.is_unsigned ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;
}

/* Sums and products wrap around. */
static struct number compute(struct evaluation *e, enum operator operator, struct number left,
                             struct number right)
{
    int64_t a = (int64_t)left.bits, b = (int64_t)right.bits, wrapped;
    bool overflow = operator== PLUS  ? __builtin_add_overflow(a, b, &wrapped) :
                    operator== MINUS ? __builtin_sub_overflow(a, b, &wrapped)
                                     : __builtin_mul_overflow(a, b, &wrapped);
    overflows(e, overflow, left.is_unsigned);
    left.bits = (uint64_t)wrapped;
    return left;
}

static struct number apply(struct evaluation *e, enum operator operator, struct number left,
                           struct number right)
{
    if (operator!= LEFT && operator!= RIGHT && operator!= AND && operator!= OR)
        left.is_unsigned = right.is_unsigned = left.is_unsigned || right.is_unsigned;
    switch (operator) {
    case OR: return number(left.bits || right.bits);
    case AND: return number(left.bits && right.bits);
    case BIT_OR: left.bits |= right.bits; return left;
    case BIT_XOR: left.bits ^= right.bits; return left;
    case BIT_AND: left.bits &= right.bits; return left;
    case EQUAL: return number(left.bits == right.bits);
    case UNEQUAL: return number(left.bits != right.bits);
    case LESS: return number(is_less(left, right));
    case MORE: return number(is_less(right, left));
    case AT_MOST: return number(!is_less(right, left));
    case AT_LEAST: return number(!is_less(left, right));
    case LEFT:
    case RIGHT: return shift(left, right, operator== LEFT);
    case DIVIDE:
    case REMAINDER: return divide(e, left, right, operator== REMAINDER);
    case PLUS:
    case MINUS:
    case TIMES: break;
    }
    return compute(e, operator, left, right);
}

/* The operator that comes next; -1 if none does. */
static int next_operator(const struct evaluation *e)
{
    for (size_t i = 0; e->at < e->count && i < sizeof operators / sizeof *operators; i++)
        if (piece_is(&e->items[e->at], operators[i].sign))
            return (int)i;
    return -1;
}

/* Operands joined by operators of this level and higher ones. */
static struct number read_operation(struct evaluation *e, int level)
{
    struct number left = read_unary(e);
    for (int next; (next = next_operator(e)) >= 0 && operators[next].level >= level;) {
        bool decided = next == AND ? left.bits == 0 : next == OR && left.bits != 0;
        e->at++;
        e->unneeded += decided;
        struct number right = read_operation(e, operators[next].level + 1);
        e->unneeded -= decided;
        if (!e->failed)
            left = apply(e, (enum operator)next, left, right);
    }
    return left;
}

/* Reads an operand of ?: that may not be needed. */
static struct number read_branch(struct evaluation *e, bool is_needed)
{
    e->unneeded += !is_needed;
    struct number out = read_choice(e);
    e->unneeded -= !is_needed;
    return out;
}

static struct number read_choice(struct evaluation *e)
{
    if (++e->depth > DEPTH_LIMIT)
        return fail(e, "this condition is nested more than %d deep", DEPTH_LIMIT);
    struct number out = read_operation(e, 0);
    if (take(e, "?")) {
        bool holds = out.bits != 0;
        struct number yes = read_branch(e, holds);
        if (!e->failed && !take(e, ":"))
            return fail(e, "':' is missing, as in a ? b : c");
        struct number no = read_branch(e, !holds);
        out = holds ? yes : no;
        out.is_unsigned = yes.is_unsigned || no.is_unsigned;
    }
    e->depth--;
    return out;
}

/* ---- the whole ---- */

bool condition_holds(struct preprocessor *p, struct reader *reader, const char *at)
{
    struct pieces line = {0};
    struct number value = {0};
    macro_expand_line(p, reader, true, &line);
    struct evaluation e = {.p = p, .items = line.items, .count = line.count};
    if (line.count == 0)
        preprocess_mistake(p, at, "a condition is missing, as in #if LIMIT > 3");
    else
        value = read_choice(&e);
    if (e.at < e.count)
        fail(&e,
             "an operator is missing before '%.*s', such as && or ==", shown(e.items[e.at].text),
             e.items[e.at].text.text);
    free(line.items);
    return !e.failed && value.bits != 0;
}
