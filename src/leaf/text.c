/* text.c - how values look as text, and back. */
#include "leaf/leaf.h"

#include <math.h>

/* ---- numbers ---- */

/* The digits of a number: d.ddd * 10^exponent, without zeros at either end. */
struct decimal {
    char digits[NUMBER_LENGTH];
    int count, exponent;
};

/* Whole numbers up to this are exact as doubles, and their digits are the shortest text. */
static const double exact_whole = 9007199254740992.0;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes a positive number apart that was written as 12.5, 0.00125, 1.25e-07 or 125000. */
static struct decimal read_decimal(const char *text)
{
    struct decimal decimal = {0};
    int before = 0; /* digits before the point, less the zeros that lead */
    bool behind = false;
    for (; *text && *text != 'e'; text++) {
        behind |= *text == '.';
        if (!is_digit(*text))
            continue;
        bool leads = decimal.count == 0 && *text == '0';
        before += leads ? -behind : !behind;
        if (!leads)
            decimal.digits[decimal.count++] = *text;
    }
    decimal.exponent = before - 1 + (*text == 'e' ? (int)strtol(text + 1, NULL, 10) : 0);
    while (decimal.count > 1 && decimal.digits[decimal.count - 1] == '0')
        decimal.count--;
    return decimal;
}

/* Makes the last digit of d.ddde-05 one larger; false if there is one digit more then. */
static bool step_up(char *text)
{
    for (char *at = strchr(text, 'e') - 1; at >= text; at--) {
        if (is_digit(*at) && *at != '9') {
            ++*at;
            return true;
        }
        if (*at == '9')
            *at = '0';
    }
    return false;
}

/*
 * The shortest text of any positive number, found by trying. At a power of two the numbers below
 * are closer together than those above: the nearest text may not read back, but one above does.
 */
static struct decimal try_decimals(double number)
{
    char text[NUMBER_LENGTH];
    for (int digits = 0;; digits++) {
        snprintf(text, sizeof text, "%.*e", digits, number);
        if (digits == 16 || strtod(text, NULL) == number)
            break;
        if (step_up(text) && strtod(text, NULL) == number)
            break;
    }
    return read_decimal(text);
}

/* number_put() is fast, but not always the shortest. */
static struct decimal decimal_of(double number)
{
    int exponent;
    bool power_of_two = frexp(number, &exponent) == 0.5;
    bool written_out = number >= exact_whole && number < 1e18;
    if (power_of_two || written_out || !isnormal(number))
        return try_decimals(number);
    char text[NUMBER_LENGTH];
    size_t length = number_put(text, number);
    text[length] = 0;
    return read_decimal(text);
}

static void add_zeros(struct str *s, int count)
{
    for (; count > 0; count--)
        str_add_char(s, '0');
}

/* Appends a decimal from 0.0001 on as 0.00125, 12.5 or 1200.0. */
static void add_positional(struct str *s, const struct decimal *decimal)
{
    int before = decimal->exponent + 1; /* digits before the point */
    int written = before < decimal->count ? before : decimal->count;
    if (before <= 0) {
        str_add(s, "0.");
        add_zeros(s, -before);
        written = 0;
    } else {
        str_add_bytes(s, decimal->digits, (size_t)written);
        add_zeros(s, before - written);
        str_add_char(s, '.');
    }
    if (written == decimal->count)
        str_add_char(s, '0');
    str_add_bytes(s, decimal->digits + written, (size_t)(decimal->count - written));
}

static void add_scientific(struct str *s, const struct decimal *decimal)
{
    str_add_char(s, decimal->digits[0]);
    if (decimal->count > 1)
        str_add_char(s, '.');
    str_add_bytes(s, decimal->digits + 1, (size_t)(decimal->count - 1));
    str_printf(s, "e%+d", decimal->exponent);
}

void leaf_show_number(struct str *s, double number)
{
    if (isnan(number)) {
        str_add(s, "NaN");
        return;
    }
    if (signbit(number))
        str_add_char(s, '-');
    number = fabs(number);
    if (isinf(number)) {
        str_add(s, "Inf");
    } else if (number < exact_whole && number == floor(number)) {
        str_add_whole(s, (uint64_t)number);
        str_add(s, ".0");
    } else {
        struct decimal decimal = decimal_of(number);
        if (decimal.exponent >= -4 && decimal.exponent <= 16)
            add_positional(s, &decimal);
        else
            add_scientific(s, &decimal);
    }
}

static void show_whole(struct str *s, int64_t whole)
{
    if (whole < 0)
        str_add_char(s, '-');
    str_add_whole(s, whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole);
}

/* ---- values ---- */

static bool has_members(const struct leaf_value *value)
{
    return value->kind == LEAF_ARRAY || value->kind == LEAF_BAG || value->kind == LEAF_STRUCT;
}

/* A key or value with a blank before it, where one is due. */
static void show_item(struct str *s, const struct leaf_value *item, bool first)
{
    if (!first)
        str_add_char(s, ' ');
    if (has_members(item))
        str_add_char(s, '{');
    leaf_show(s, item);
    if (has_members(item))
        str_add_char(s, '}');
}

static void show_members(struct str *s, const struct leaf_value *value)
{
    bool keys = value->kind != LEAF_BAG;
    for (size_t i = 0; i < value->members->count; i++) {
        const struct leaf_member *member = &value->members->items[i];
        if (keys)
            show_item(s, &member->key, i == 0);
        show_item(s, &member->value, i == 0 && !keys);
    }
}

void leaf_show(struct str *s, const struct leaf_value *value)
{
    switch (value->kind) {
    case LEAF_VOID: break;
    case LEAF_INT:
    case LEAF_BOOLEAN:
    case LEAF_REFERENCE: show_whole(s, value->whole); break;
    case LEAF_FLOAT: leaf_show_number(s, value->number); break;
    case LEAF_STRING:
    case LEAF_BLOB:
    case LEAF_FILE:
    case LEAF_URL: str_add_bytes(s, value->text.text, value->text.length); break;
    case LEAF_ARRAY:
    case LEAF_BAG:
    case LEAF_STRUCT: show_members(s, value); break;
    }
}

/* ---- back ---- */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct slice leaf_trim(struct slice text)
{
    while (text.length > 0 && is_space(text.text[0]))
        text = (struct slice){text.text + 1, text.length - 1};
    while (text.length > 0 && is_space(text.text[text.length - 1]))
        text.length--;
    return text;
}

static int digit_of(char c)
{
    if (is_digit(c))
        return c - '0';
    c |= 0x20; /* to lower case, if it is a letter */
    return c >= 'a' && c <= 'z' ? c - 'a' + 10 : INT_MAX;
}

/* Takes 0x, 0o or 0b, if the base is the one that it names, or none. */
static struct slice take_prefix(struct slice text, int *base)
{
    static const struct {
        char letter;
        int base;
    } prefixes[] = {{'x', 16}, {'o', 8}, {'b', 2}};
    if (text.length > 2 && text.text[0] == '0')
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
            if ((text.text[1] | 0x20) == prefixes[i].letter &&
                (*base == 0 || *base == prefixes[i].base)) {
                *base = prefixes[i].base;
                return (struct slice){text.text + 2, text.length - 2};
            }
    if (*base == 0)
        *base = 10;
    return text;
}

bool leaf_read_whole(struct slice text, int base, int64_t *whole)
{
    text = leaf_trim(text);
    bool negative = text.length > 0 && text.text[0] == '-';
    if (negative || (text.length > 0 && text.text[0] == '+'))
        text = (struct slice){text.text + 1, text.length - 1};
    text = take_prefix(text, &base);
    int64_t result = 0; /* negative: there is one more negative number than positive ones */
    for (size_t i = 0; i < text.length; i++) {
        int digit = digit_of(text.text[i]);
        if (digit >= base || __builtin_mul_overflow(result, base, &result) ||
            __builtin_sub_overflow(result, digit, &result))
            return false;
    }
    if (text.length == 0 || (!negative && result == INT64_MIN))
        return false;
    *whole = negative ? result : -result;
    return true;
}

bool leaf_read_float(struct slice text, double *number)
{
    char buffer[64];
    text = leaf_trim(text);
    if (text.length == 0 || memchr(text.text, 0, text.length))
        return false;
    char *copy = text.length < sizeof buffer ? buffer : memory_new(text.length + 1, 1);
    memcpy(copy, text.text, text.length);
    copy[text.length] = 0;
    bool good = str_number(copy, number);
    if (copy != buffer)
        free(copy);
    return good;
}

const char *leaf_excerpt(struct slice text, struct arena *arena)
{
    enum { MOST = 200 };
    size_t length = text.length < MOST ? text.length : MOST;
    while (length < text.length && length > 0 && ((unsigned char)text.text[length] & 0xc0) == 0x80)
        length--;
    return arena_printf(arena, "%.*s%s", (int)length, length > 0 ? text.text : "",
                        length < text.length ? "..." : "");
}
