/*
 * format.c - printf(), sprintf() and the operator %.
 *
 *   %[n$][flags][width][.precision]conversion
 *
 * The flags are - + 0 # and a blank; * takes a width or precision from the values, *m$ from the one
 * of that number. Either all conversions have an n$, or none. Lengths such as the l of %ld are
 * accepted and mean nothing. Widths and precisions of text count characters.
 */
#include "leaf/leaf.h"

#include <math.h>

enum {
    SIZE_MOST = 1000000,  /* of a width or precision */
    FORMAT_MOST = 1 << 30 /* bytes of the result */
};

/* One conversion of a format. */
struct conversion {
    bool left, plus, zero, blank, alternate;
    int width;
    int precision;                  /* -1: none */
    const struct leaf_value *value; /* NULL: of %% */
    char letter;
};

enum numbering { NUMBERING_OPEN, NUMBERING_IN_ORDER, NUMBERING_BY_NUMBER };

struct formatter {
    const char *at, *end; /* the rest of the format */
    const struct leaf_value *values;
    size_t count, next;
    enum numbering numbering;
    struct str *out;
    struct err *e;
};

/* ---- reading a conversion ---- */

/* Takes digits as a number, which stays at `most` if it is larger. */
static int64_t take_number(struct formatter *f, int64_t most)
{
    int64_t number = 0;
    for (; f->at < f->end && *f->at >= '0' && *f->at <= '9'; f->at++) {
        number = number * 10 + (*f->at - '0');
        number = number < most ? number : most;
    }
    return number;
}

/* Takes "n$"; 0 if there is none. */
static int64_t take_position(struct formatter *f)
{
    const char *start = f->at;
    int64_t number = take_number(f, INT32_MAX);
    if (f->at > start && f->at < f->end && *f->at == '$') {
        f->at++;
        return number > 0 ? number : INT64_MAX; /* the first value has the number 1 */
    }
    f->at = start;
    return 0;
}

/* The value of this position; 0: the next one. NULL, and a mistake, if there is none. */
static const struct leaf_value *take_value(struct formatter *f, int64_t position)
{
    enum numbering numbering = position > 0 ? NUMBERING_BY_NUMBER : NUMBERING_IN_ORDER;
    if (f->numbering != NUMBERING_OPEN && f->numbering != numbering) {
        err_set(f->e, ERR_USER, "cannot mix \"%%\" and \"%%n$\" in one format");
        return NULL;
    }
    f->numbering = numbering;
    size_t index = position > 0 ? (size_t)position - 1 : f->next++;
    if (index < f->count)
        return &f->values[index];
    err_set(f->e, ERR_USER, "not enough arguments for all format specifiers");
    return NULL;
}

static int wrong_value(struct formatter *f, const char *expected, const struct leaf_value *value)
{
    struct str text = {0};
    struct arena arena = {0};
    leaf_show(&text, value);
    struct slice slice = {str_text(&text), text.length};
    err_set(f->e, ERR_USER, "expected %s but got \"%s\"", expected, leaf_excerpt(slice, &arena));
    arena_free(&arena);
    str_free(&text);
    return ERR_USER;
}

/* The whole number that a value is, or that its text or float stands for. */
static int whole_of(struct formatter *f, const struct leaf_value *value, int64_t *whole)
{
    double number;
    bool text = value->kind == LEAF_STRING;
    if (value->kind == LEAF_INT || value->kind == LEAF_BOOLEAN) {
        *whole = value->whole;
        return 0;
    }
    if (text && leaf_read_whole(value->text, 0, whole))
        return 0;
    if (!text || !leaf_read_float(value->text, &number))
        number = value->kind == LEAF_FLOAT ? value->number : NAN;
    if (!(fabs(number) < 0x1p63) || number != floor(number))
        return wrong_value(f, "integer", value);
    *whole = (int64_t)number;
    return 0;
}

static int number_of(struct formatter *f, const struct leaf_value *value, double *number)
{
    if (value->kind == LEAF_FLOAT) {
        *number = value->number;
        return 0;
    }
    if (value->kind == LEAF_INT || value->kind == LEAF_BOOLEAN) {
        *number = (double)value->whole;
        return 0;
    }
    if (value->kind == LEAF_STRING && leaf_read_float(value->text, number))
        return 0;
    return wrong_value(f, "floating-point number", value);
}

static void take_flags(struct formatter *f, struct conversion *c)
{
    for (; f->at < f->end; f->at++) {
        switch (*f->at) {
        case '-': c->left = true; break;
        case '+': c->plus = true; break;
        case '0': c->zero = true; break;
        case ' ': c->blank = true; break;
        case '#': c->alternate = true; break;
        default: return;
        }
    }
}

/* Takes a width or a precision: digits, *, *m$ or nothing. */
static int take_size(struct formatter *f, int64_t *size)
{
    *size = 0;
    if (f->at == f->end || *f->at != '*') {
        *size = take_number(f, SIZE_MOST + 1);
    } else {
        f->at++;
        const struct leaf_value *value = take_value(f, take_position(f));
        if (!value || whole_of(f, value, size) != 0)
            return ERR_USER;
    }
    if (*size > SIZE_MOST || *size < -SIZE_MOST)
        return err_set(f->e, ERR_USER, "a width or precision is larger than %d", SIZE_MOST);
    return 0;
}

static int take_sizes(struct formatter *f, struct conversion *c)
{
    int64_t size;
    if (take_size(f, &size) != 0)
        return ERR_USER;
    c->left |= size < 0;
    c->width = (int)(size < 0 ? -size : size);
    c->precision = -1;
    if (f->at < f->end && *f->at == '.') {
        f->at++;
        if (take_size(f, &size) != 0)
            return ERR_USER;
        c->precision = size < 0 ? -1 : (int)size;
    }
    return 0;
}

/* Takes what follows a percent sign. */
static int take_conversion(struct formatter *f, struct conversion *c)
{
    *c = (struct conversion){0};
    int64_t position = take_position(f);
    take_flags(f, c);
    if (take_sizes(f, c) != 0)
        return ERR_USER;
    while (f->at < f->end && strchr("hlLqjzt", *f->at) && *f->at != 0)
        f->at++;
    if (f->at == f->end)
        return err_set(f->e, ERR_USER,
                       "the format ends in the middle of a specifier: a percent sign is %%%%");
    c->letter = *f->at++;
    if (c->letter == '%')
        return 0;
    c->value = take_value(f, position);
    return c->value ? 0 : ERR_USER;
}

/* ---- writing ---- */

static void add_copies(struct str *s, char c, size_t count)
{
    str_reserve(s, count);
    memset(s->text + s->length, c, count);
    s->length += count;
    s->text[s->length] = 0;
}

/* Writes a text, padded to the width. Zeros come between `sign` and the text, blanks before both.
 */
static void put_padded(struct formatter *f, const struct conversion *c, const char *sign,
                       struct slice text)
{
    size_t length = strlen(sign) + leaf_characters(text), width = (size_t)c->width;
    size_t padding = width > length ? width - length : 0;
    if (!c->left && !c->zero)
        add_copies(f->out, ' ', padding);
    str_add(f->out, sign);
    if (!c->left && c->zero)
        add_copies(f->out, '0', padding);
    str_add_bytes(f->out, text.text, text.length);
    if (c->left)
        add_copies(f->out, ' ', padding);
}

/* Writes the conversion of C into `spec`, with the width and precision from the arguments. */
static void write_spec(char spec[16], const struct conversion *c, const char *length)
{
    snprintf(spec, 16, "%%%s%s%s%s%s*.*%s%c", c->left ? "-" : "", c->plus ? "+" : "",
             c->zero ? "0" : "", c->blank ? " " : "", c->alternate ? "#" : "", length, c->letter);
}

static void put_binary(struct formatter *f, struct conversion *c, uint64_t whole)
{
    struct str digits = {0};
    int count = whole ? 64 - __builtin_clzll(whole) : 1;
    add_copies(&digits, '0', c->precision > count ? (size_t)(c->precision - count) : 0);
    while (count-- > 0)
        str_add_char(&digits, (char)('0' + (whole >> count & 1)));
    c->zero &= c->precision < 0;
    put_padded(f, c, c->alternate && whole ? "0b" : "", (struct slice){digits.text, digits.length});
    str_free(&digits);
}

static int put_whole(struct formatter *f, struct conversion *c)
{
    int64_t whole;
    char spec[16];
    if (whole_of(f, c->value, &whole) != 0)
        return ERR_USER;
    if (c->letter == 'b') {
        put_binary(f, c, (uint64_t)whole);
    } else {
        write_spec(spec, c, "ll");
        str_printf(f->out, spec, c->width, c->precision, (long long)whole);
    }
    return 0;
}

static int put_number(struct formatter *f, struct conversion *c)
{
    double number;
    char spec[16];
    if (number_of(f, c->value, &number) != 0)
        return ERR_USER;
    if (isfinite(number)) {
        write_spec(spec, c, "");
        str_printf(f->out, spec, c->width, c->precision, number);
        return 0;
    }
    bool negative = !isnan(number) && number < 0;
    const char *sign = negative ? "-" : isnan(number) ? "" : c->plus ? "+" : c->blank ? " " : "";
    c->zero = false;
    put_padded(f, c, sign, slice_of(isnan(number) ? "NaN" : "Inf"));
    return 0;
}

static void put_text(struct formatter *f, const struct conversion *c)
{
    struct str text = {0};
    struct slice slice = c->value->text;
    if (c->value->kind != LEAF_STRING) {
        leaf_show(&text, c->value);
        slice = (struct slice){str_text(&text), text.length};
    }
    if (c->precision >= 0)
        slice.length = leaf_character_offset(slice, (size_t)c->precision);
    put_padded(f, c, "", slice);
    str_free(&text);
}

static int put_character(struct formatter *f, const struct conversion *c)
{
    int64_t number;
    struct str text = {0};
    if (whole_of(f, c->value, &number) != 0)
        return ERR_USER;
    if (!leaf_add_character(&text, number))
        return wrong_value(f, "the number of a Unicode character", c->value);
    put_padded(f, c, "", (struct slice){text.text, text.length});
    str_free(&text);
    return 0;
}

static int put_conversion(struct formatter *f, struct conversion *c)
{
    switch (c->letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
    case 'b': return put_whole(f, c);
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return put_number(f, c);
    case 'c': return put_character(f, c);
    case 's': put_text(f, c); return 0;
    case '%': str_add_char(f->out, '%'); return 0;
    default: break;
    }
    if (c->letter < ' ' || c->letter > '~')
        return err_set(f->e, ERR_USER, "a percent sign is %%%% in a format");
    return err_set(f->e, ERR_USER,
                   "bad format specifier \"%%%c\": there are d i u x X o b c f e E g G s, and "
                   "a percent sign is %%%%",
                   c->letter);
}

int leaf_format(struct str *s, struct slice format, const struct leaf_value *values, size_t count,
                struct err *e)
{
    if (format.length == 0) /* its text may be NULL */
        return 0;
    struct formatter f = {.at = format.text,
                          .end = format.text + format.length,
                          .values = values,
                          .count = count,
                          .out = s,
                          .e = e};
    size_t start = s->length;
    while (f.at < f.end) {
        const char *percent = memchr(f.at, '%', (size_t)(f.end - f.at));
        const char *stop = percent ? percent : f.end;
        str_add_bytes(s, f.at, (size_t)(stop - f.at));
        if (!percent)
            break;
        struct conversion conversion;
        f.at = stop + 1;
        if (take_conversion(&f, &conversion) != 0 || put_conversion(&f, &conversion) != 0)
            return ERR_USER;
        if (s->length - start > FORMAT_MOST)
            return err_set(e, ERR_USER, "the text is longer than %d bytes", FORMAT_MOST);
    }
    return 0;
}
