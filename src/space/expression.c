/*
 * expression.c - a constraint that the user wrote becomes a program.
 *
 *   truth      = both { "or" both }
 *   both       = one { "and" one }
 *   one        = "not" one | sum [ comparison sum ]
 *   sum        = product { ("+" | "-") product }
 *   product    = signed { ("*" | "/") signed }
 *   signed     = "-" signed | primary [ "^" signed ]
 *   primary    = number | name | 'text' | function "(" sum { "," sum } ")" | "(" truth ")"
 *
 * A bracket may contain a number or a truth; its kind is known once it is read, and each operator
 * checks the kinds of its operands. Reading ends at the first mistake.
 */
#include "space/expression.h"

#include <math.h>
#include <stdarg.h>

enum kind {
    KIND_WRONG,  /* a mistake was reported */
    KIND_NUMBER, /* on the stack */
    KIND_TRUTH,  /* its violation is on the stack */
    KIND_CHOICE, /* a parameter that is not a number; nothing is on the stack */
    KIND_TEXT,   /* in quotes; nothing is on the stack */
};

/* What was read. A choice and a text are not on the stack. */
struct operand {
    enum kind kind;
    size_t at;         /* where it starts */
    size_t parameter;  /* the parameter of a choice or of a number; SIZE_MAX: none */
    struct slice text; /* text of KIND_TEXT */
};

struct compiler {
    const struct space *space;
    const char *const *metrics; /* names of metrics, ended by NULL; or NULL */
    const char *text;           /* the whole text */
    const char *at;             /* the rest of the text */
    struct arena *arena;
    struct expression *out;
    size_t capacity; /* capacity of out->code */
    size_t depth;    /* current depth of brackets and signs */
    size_t stack;    /* numbers on the stack */
    bool has_name;   /* it names a parameter or a metric */
    struct err *e;
    size_t *offset; /* where to put the offset of the mistake */
};

/* ---- mistakes ---- */

static struct operand wrong(struct compiler *c, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static struct operand wrong(struct compiler *c, size_t at, const char *format, ...)
{
    if (c->e->code == 0) {
        va_list arguments;
        va_start(arguments, format);
        c->e->code = ERR_USER;
        vsnprintf(c->e->message, sizeof c->e->message, format, arguments);
        va_end(arguments);
        *c->offset = at;
    }
    return (struct operand){.kind = KIND_WRONG, .at = at};
}

/* ---- signs and words ---- */

static size_t place(struct compiler *c)
{
    c->at += strspn(c->at, " \t\r\n");
    return (size_t)(c->at - c->text);
}

static bool in_word(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           (byte >= '0' && byte <= '9');
}

static bool begins_word(char byte)
{
    return in_word(byte) && !(byte >= '0' && byte <= '9');
}

/* Takes a sign if it comes next. */
static bool take(struct compiler *c, const char *sign)
{
    size_t length = strlen(sign);
    place(c);
    if (strncmp(c->at, sign, length) != 0)
        return false;
    c->at += length;
    return true;
}

static bool take_word(struct compiler *c, const char *word)
{
    size_t length = strlen(word);
    place(c);
    if (strncmp(c->at, word, length) != 0 || in_word(c->at[length]))
        return false;
    c->at += length;
    return true;
}

/* ---- emitting instructions ---- */

static void emit(struct compiler *c, enum operation operation, size_t index, double number)
{
    struct expression *out = c->out;
    if (out->count == c->capacity)
        BUG("an expression has more instructions than bytes");
    out->code[out->count++] = (struct instruction){operation, (uint32_t)index, number};
    bool pushes = operation <= PUSH_METRIC || operation == IS || operation == IS_NOT;
    c->stack += pushes;
    c->stack -= operation >= ADD && !pushes;
    if (c->stack == EXPRESSION_STACK)
        wrong(c, place(c), "this is too complex: split it into two constraints");
}

static struct operand operand(enum kind kind, size_t at)
{
    return (struct operand){.kind = kind, .at = at, .parameter = SIZE_MAX};
}

/* ---- names ---- */

static size_t find_metric(const struct compiler *c, struct slice name)
{
    for (size_t i = 0; c->metrics && c->metrics[i]; i++)
        if (slice_is(name, c->metrics[i]))
            return i;
    return SIZE_MAX;
}

static size_t find_parameter(const struct compiler *c, struct slice name)
{
    for (size_t i = 0; i < c->space->count; i++)
        if (slice_is(name, c->space->parameters[i].name))
            return i;
    return SIZE_MAX;
}

/*
 * The next name. Names of parameters may have . and - in them, names of metrics nearly anything:
 * the longest known name counts, else letters, digits and _.
 */
static struct slice next_name(const struct compiler *c)
{
    size_t plain = 0, longest;
    while (in_word(c->at[plain]))
        plain++;
    longest = strcspn(c->at, " \t\r\n()<>=!'\"");
    for (; longest > plain; longest--) {
        struct slice name = {c->at, longest};
        if (find_parameter(c, name) != SIZE_MAX || find_metric(c, name) != SIZE_MAX)
            return name;
    }
    return (struct slice){c->at, plain};
}

/* The choice that has this value: a value without quotes is the most frequent mistake. */
static const struct parameter *owner_of(const struct compiler *c, const char *word)
{
    double ignored;
    for (size_t i = 0; i < c->space->count; i++)
        if (c->space->parameters[i].value_count > 0 &&
            space_read_text(&c->space->parameters[i], word, &ignored))
            return &c->space->parameters[i];
    return NULL;
}

static struct operand unknown_name(struct compiler *c, size_t at, struct slice name)
{
    char word[65];
    snprintf(word, sizeof word, "%.*s", (int)(name.length < 64 ? name.length : 64), name.text);
    const struct parameter *owner = owner_of(c, word);
    if (owner)
        return wrong(c, at, "'%s' is a value of '%s': put it in quotes, as in %s == '%s'", word,
                     owner->name, owner->name, word);
    size_t count = 0, metrics = 0;
    while (c->metrics && c->metrics[metrics])
        metrics++;
    const char **names = memory_new(c->space->count + metrics + 1, sizeof *names);
    for (size_t i = 0; i < c->space->count; i++)
        names[count++] = c->space->parameters[i].name;
    for (size_t i = 0; i < metrics; i++)
        names[count++] = c->metrics[i];
    const char *nearest = str_nearest(word, names);
    free(names);
    if (nearest)
        return wrong(c, at, "unknown name '%s': did you mean '%s'?", word, nearest);
    return wrong(
        c, at,
        "unknown name '%s': it is neither a parameter nor a metric of 'model', as in metrics: [%s]",
        word, word);
}

static bool is_number(const struct parameter *parameter)
{
    for (size_t i = 0; i < parameter->value_count; i++)
        if (parameter->values[i].kind != VALUE_NUMBER)
            return false;
    return true;
}

static struct operand read_name(struct compiler *c)
{
    size_t at = place(c);
    struct slice name = next_name(c);
    size_t parameter = find_parameter(c, name), metric = find_metric(c, name);
    if (parameter == SIZE_MAX && metric == SIZE_MAX)
        return unknown_name(c, at, name);
    c->at += name.length;
    c->has_name = true;
    struct operand out = operand(KIND_NUMBER, at);
    out.parameter = parameter;
    if (parameter == SIZE_MAX) {
        c->out->measured = true;
        emit(c, PUSH_METRIC, metric, 0);
    } else if (!is_number(&c->space->parameters[parameter])) {
        out.kind = KIND_CHOICE;
    } else {
        bool coded = c->space->parameters[parameter].value_count > 0;
        emit(c, coded ? PUSH_VALUE : PUSH_PARAMETER, parameter, 0);
    }
    return out;
}

/* ---- numbers ---- */

static struct operand read_truth(struct compiler *c, bool negated);
static struct operand read_sum(struct compiler *c, bool negated);

/* False, and a mistake, if the operand of an operator is not a number. */
static bool need_number(struct compiler *c, const struct operand *it, const char *operation)
{
    if (it->kind == KIND_TRUTH)
        wrong(c, it->at, "this is true or false, but '%s' needs a number", operation);
    else if (it->kind == KIND_TEXT)
        wrong(c, it->at, "this is text, but '%s' needs a number", operation);
    else if (it->kind == KIND_CHOICE)
        wrong(c, it->at, "'%s' has values that are not numbers, but '%s' needs a number",
              c->space->parameters[it->parameter].name, operation);
    return it->kind == KIND_NUMBER;
}

/* Takes a decimal number without a sign, and nothing else that strtod() accepts, such as 0x10. */
static struct operand read_number(struct compiler *c)
{
    size_t at = place(c), length = strspn(c->at, "0123456789.");
    if (c->at[length] == 'e' || c->at[length] == 'E') {
        size_t sign = c->at[length + 1] == '-' || c->at[length + 1] == '+';
        size_t digits = strspn(c->at + length + 1 + sign, "0123456789");
        length += digits > 0 ? 1 + sign + digits : 0;
    }
    char text[64];
    double number;
    if (length < sizeof text) {
        memcpy(text, c->at, length);
        text[length] = 0;
    }
    if (length >= sizeof text || !str_number(text, &number) || !isfinite(number))
        return wrong(c, at, "this is not a number");
    c->at += length;
    if (in_word(*c->at))
        return wrong(c, at, "the number ends before '%c': an operator such as * is missing",
                     *c->at);
    emit(c, PUSH_NUMBER, 0, number);
    return operand(KIND_NUMBER, at);
}

static const struct call {
    const char *name;
    enum operation operation;
    bool many; /* takes two or more numbers, else one */
} calls[] = {
    {"log", LOG, false},   {"log2", LOG2, false}, {"log10", LOG10, false}, {"exp", EXP, false},
    {"sqrt", SQRT, false}, {"abs", ABS, false},   {"floor", FLOOR, false}, {"ceil", CEIL, false},
    {"min", MIN, true},    {"max", MAX, true},
};
enum { CALLS = sizeof calls / sizeof *calls };

/* The next word if it is a function, with its bracket; else NULL. */
static const struct call *take_call(struct compiler *c)
{
    for (size_t i = 0; i < CALLS; i++) {
        const char *before = c->at;
        if (take_word(c, calls[i].name) && take(c, "("))
            return &calls[i];
        c->at = before;
    }
    return NULL;
}

static struct operand read_call(struct compiler *c, const struct call *call, size_t at)
{
    size_t count = 0;
    do {
        struct operand argument = read_sum(c, false);
        if (!need_number(c, &argument, call->name))
            return operand(KIND_WRONG, at);
        if (count++ > 0 && call->many)
            emit(c, call->operation, 0, 0);
    } while (take(c, ","));
    if (!call->many)
        emit(c, call->operation, 0, 0);
    if (!take(c, ")"))
        return wrong(c, place(c), "')' is missing after the numbers of '%s'", call->name);
    if (call->many ? count < 2 : count != 1)
        return wrong(c, at, "'%s' takes %s", call->name,
                     call->many ? "two numbers or more" : "one number");
    return operand(KIND_NUMBER, at);
}

static struct operand read_text(struct compiler *c)
{
    struct operand out = operand(KIND_TEXT, place(c));
    char quote = *c->at++;
    const char *end = strchr(c->at, quote);
    if (!end)
        return wrong(c, out.at, "this quote %c is never closed", quote);
    out.text = (struct slice){c->at, (size_t)(end - c->at)};
    c->at = end + 1;
    return out;
}

static struct operand read_bracket(struct compiler *c, bool negated)
{
    size_t at = place(c) - 1;
    struct operand inside = read_truth(c, negated);
    if (inside.kind != KIND_WRONG && !take(c, ")"))
        return wrong(c, at, "this bracket is never closed");
    inside.at = at;
    return inside;
}

static struct operand unexpected(struct compiler *c)
{
    size_t at = place(c);
    if (!*c->at)
        return wrong(c, at, "a number or a name is missing at the end");
    if (*c->at < ' ' || *c->at > '~')
        return wrong(c, at, "a number or a name is expected here");
    return wrong(c, at, "a number or a name is expected here, not '%c'", *c->at);
}

static struct operand read_primary(struct compiler *c, bool negated)
{
    size_t at = place(c);
    if (take(c, "("))
        return read_bracket(c, negated);
    if (*c->at == '\'' || *c->at == '"')
        return read_text(c);
    if ((*c->at >= '0' && *c->at <= '9') || *c->at == '.')
        return read_number(c);
    if (!begins_word(*c->at))
        return unexpected(c);
    const struct call *call = take_call(c);
    return call ? read_call(c, call, at) : read_name(c);
}

static struct operand read_power(struct compiler *c, struct operand base);

/* -a^2 is -(a^2), and 2^-1 is a half. */
static struct operand read_signed(struct compiler *c, bool negated)
{
    size_t at = place(c);
    if (++c->depth > EXPRESSION_DEPTH)
        return wrong(c, at, "this is nested too deeply: split it into two constraints");
    struct operand out;
    if (take(c, "-")) {
        out = read_signed(c, false);
        if (!need_number(c, &out, "-"))
            return operand(KIND_WRONG, at);
        emit(c, NEGATE, 0, 0);
        out = operand(KIND_NUMBER, at);
    } else {
        out = read_power(c, read_primary(c, negated));
    }
    c->depth--;
    return out;
}

static struct operand read_power(struct compiler *c, struct operand base)
{
    if (base.kind == KIND_WRONG || !(take(c, "^") || take(c, "**")))
        return base;
    struct operand exponent = read_signed(c, false);
    if (!need_number(c, &base, "^") || !need_number(c, &exponent, "^"))
        return operand(KIND_WRONG, base.at);
    emit(c, POWER, 0, 0);
    return operand(KIND_NUMBER, base.at);
}

/* A sequence of operators of the same precedence, evaluated from left to right. */
struct rank {
    struct operand (*read)(struct compiler *c, bool negated);
    struct {
        const char *sign;
        enum operation operation;
    } signs[2];
};

static struct operand read_chain(struct compiler *c, bool negated, const struct rank *rank)
{
    struct operand left = rank->read(c, negated);
    while (left.kind != KIND_WRONG) {
        bool first = take(c, rank->signs[0].sign);
        if (!first && !take(c, rank->signs[1].sign))
            break;
        const char *sign = rank->signs[!first].sign;
        struct operand right = rank->read(c, false);
        if (!need_number(c, &left, sign) || !need_number(c, &right, sign))
            return operand(KIND_WRONG, left.at);
        emit(c, rank->signs[!first].operation, 0, 0);
        left = operand(KIND_NUMBER, left.at);
    }
    return left;
}

static struct operand read_product(struct compiler *c, bool negated)
{
    static const struct rank rank = {read_signed, {{"*", MULTIPLY}, {"/", DIVIDE}}};
    return read_chain(c, negated, &rank);
}

static struct operand read_sum(struct compiler *c, bool negated)
{
    static const struct rank rank = {read_product, {{"+", ADD}, {"-", SUBTRACT}}};
    return read_chain(c, negated, &rank);
}

/* ---- truths ---- */

static const struct comparison {
    const char *sign;
    enum operation operation, opposite;
} comparisons[] = {
    /* the longer ones first */
    {"<=", LESS_OR_EQUAL, GREATER}, {">=", GREATER_OR_EQUAL, LESS}, {"==", EQUAL, NOT_EQUAL},
    {"!=", NOT_EQUAL, EQUAL},       {"<", LESS, GREATER_OR_EQUAL},  {">", GREATER, LESS_OR_EQUAL},
};
enum { COMPARISONS = sizeof comparisons / sizeof *comparisons };

static const struct comparison *take_comparison(struct compiler *c)
{
    for (size_t i = 0; i < COMPARISONS; i++)
        if (take(c, comparisons[i].sign))
            return &comparisons[i];
    return NULL;
}

/* Reports text that is not a value of a choice, with the closest value. */
static struct operand no_value(struct compiler *c, size_t at, const struct parameter *parameter,
                               const char *word)
{
    enum { FEW = 1000 };
    const char *values[FEW + 1];
    size_t count = parameter->value_count < FEW ? parameter->value_count : FEW;
    for (size_t i = 0; i < count; i++)
        values[i] = parameter->values[i].text;
    values[count] = NULL;
    const char *nearest = str_nearest(word, values);
    return wrong(c, at, "'%.64s' is not a value of '%s': %s '%.64s'%s", word, parameter->name,
                 nearest ? "did you mean" : "it has values such as",
                 nearest     ? nearest
                 : count > 0 ? values[0]
                             : "",
                 nearest ? "?" : "");
}

/* Compares a choice with text, in either order: optimizer == 'sgd'. */
static struct operand compare_text(struct compiler *c, const struct operand *choice,
                                   const struct operand *text, enum operation operation)
{
    const struct parameter *parameter = &c->space->parameters[choice->parameter];
    char *word = arena_copy(c->arena, text->text.text, text->text.length);
    double code;
    if (operation != EQUAL && operation != NOT_EQUAL)
        return wrong(c, text->at, "text can only be compared with == or !=");
    if (!space_read_text(parameter, word, &code))
        return no_value(c, text->at, parameter, word);
    if (choice->kind == KIND_NUMBER) { /* its number is not needed */
        c->out->count--;
        c->stack--;
    }
    emit(c, operation == EQUAL ? IS : IS_NOT, choice->parameter, code);
    return operand(KIND_TRUTH, choice->at);
}

static bool is_choice(const struct compiler *c, const struct operand *it)
{
    return it->kind == KIND_CHOICE || (it->kind == KIND_NUMBER && it->parameter != SIZE_MAX &&
                                       c->space->parameters[it->parameter].value_count > 0);
}

static struct operand compare(struct compiler *c, struct operand left, struct operand right,
                              const struct comparison *comparison, bool negated)
{
    enum operation operation = negated ? comparison->opposite : comparison->operation;
    if (left.kind == KIND_WRONG || right.kind == KIND_WRONG)
        return operand(KIND_WRONG, left.at);
    if (right.kind == KIND_TEXT && is_choice(c, &left))
        return compare_text(c, &left, &right, operation);
    if (left.kind == KIND_TEXT && is_choice(c, &right))
        return compare_text(c, &right, &left, operation);
    if (left.kind == KIND_CHOICE && right.kind == KIND_CHOICE)
        return wrong(c, left.at,
                     "parameters whose values are not numbers cannot be compared with each other: "
                     "compare each with a value in quotes");
    if (!need_number(c, &left, comparison->sign) || !need_number(c, &right, comparison->sign))
        return operand(KIND_WRONG, left.at);
    emit(c, operation, 0, 0);
    return operand(KIND_TRUTH, left.at);
}

static struct operand read_one(struct compiler *c, bool negated)
{
    size_t at = place(c);
    if (take_word(c, "not")) {
        if (++c->depth > EXPRESSION_DEPTH)
            return wrong(c, at, "this is nested too deeply: split it into two constraints");
        struct operand out = read_one(c, !negated);
        c->depth--;
        if (out.kind == KIND_NUMBER || out.kind == KIND_CHOICE || out.kind == KIND_TEXT)
            return wrong(c, out.at, "'not' needs a comparison, as in not (a < b)");
        return out;
    }
    struct operand left = read_sum(c, negated);
    if (left.kind == KIND_WRONG)
        return left;
    const struct comparison *comparison = take_comparison(c);
    if (!comparison)
        return left;
    struct operand out = compare(c, left, read_sum(c, false), comparison, negated);
    size_t next = place(c);
    if (out.kind != KIND_WRONG && take_comparison(c))
        return wrong(c, next, "a comparison has two sides: write a < b and b < c for a < b < c");
    return out;
}

/* Joins conditions by a word. A `not` before them turns `and` into `or`, and vice versa. */
static struct operand join(struct compiler *c, bool negated, const char *word,
                           enum operation operation,
                           struct operand (*read)(struct compiler *c, bool negated))
{
    struct operand left = read(c, negated);
    while (left.kind != KIND_WRONG && take_word(c, word)) {
        struct operand right = read(c, negated);
        const struct operand *odd = left.kind != KIND_TRUTH ? &left : &right;
        if (right.kind == KIND_WRONG)
            return right;
        if (odd->kind != KIND_TRUTH)
            return wrong(c, odd->at, "'%s' needs a comparison on both sides, as in a < b %s c > 0",
                         word, word);
        emit(c, operation, 0, 0);
    }
    return left;
}

static struct operand read_both(struct compiler *c, bool negated)
{
    return join(c, negated, "and", negated ? EITHER : BOTH, read_one);
}

static struct operand read_truth(struct compiler *c, bool negated)
{
    return join(c, negated, "or", negated ? BOTH : EITHER, read_both);
}

/* ---- the whole expression ---- */

/* Reports what follows a complete expression. */
static void check_rest(struct compiler *c)
{
    static const struct {
        const char *sign, *instead;
    } known[] = {{"&&", "and"}, {"||", "or"}, {"!", "not"}, {"=", "=="},
                 {"≤", "<="},   {"≥", ">="},  {"≠", "!="},  {"×", "*"}};
    size_t at = place(c);
    if (!*c->at)
        return;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(c->at, known[i].sign, strlen(known[i].sign)) == 0) {
            wrong(c, at, "'%s' is written %s here", known[i].sign, known[i].instead);
            return;
        }
    if (*c->at == ')')
        wrong(c, at, "this bracket was never opened");
    else
        wrong(c, at, "an operator is expected here, such as + * <= and");
}

struct expression *expression_compile(const struct space *space, const char *const *metrics,
                                      const char *text, struct arena *arena, size_t *offset,
                                      struct err *e)
{
    size_t length = strlen(text);
    struct compiler c = {.space = space,
                         .metrics = metrics,
                         .text = text,
                         .at = text,
                         .arena = arena,
                         .capacity = length + 1,
                         .e = e,
                         .offset = offset};
    *offset = 0;
    if (length > EXPRESSION_BYTES) {
        err_set(e, ERR_USER, "this has more than %d bytes: split it into two constraints",
                EXPRESSION_BYTES);
        return NULL;
    }
    c.out = arena_new(arena, 1, sizeof *c.out);
    *c.out = (struct expression){.text = arena_copy(arena, text, length),
                                 .parameters = space->parameters};
    c.out->code = arena_new(arena, c.capacity, sizeof *c.out->code);
    struct operand all = read_truth(&c, false);
    if (all.kind != KIND_WRONG)
        check_rest(&c);
    if (!e->code && all.kind != KIND_TRUTH)
        wrong(&c, place(&c), "a comparison is missing, as in layers * width <= 4096");
    if (!e->code && !c.has_name)
        wrong(&c, 0, "this names no parameter or metric, so it is always the same");
    return e->code ? NULL : c.out;
}
