/* json.c - a pull reader of JSON. */
#include "base/base.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>

enum { DEPTH_LIMIT = 64 };

void json_open(struct json *j, const char *text, size_t length)
{
    text = text ? text : ""; /* the text of an empty slice is NULL */
    *j = (struct json){.start = text, .at = text, .end = text + length, .first = true};
}

static void fail(struct json *j, const char *error)
{
    if (!j->error)
        j->error = error;
    j->end = j->at; /* nothing more is read */
}

static void space(struct json *j)
{
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\n' || *j->at == '\t' || *j->at == '\r'))
        j->at++;
}

static bool take_word(struct json *j, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(j->end - j->at) < length || memcmp(j->at, word, length) != 0)
        return false;
    j->at += length;
    return true;
}

enum json_kind json_peek(struct json *j)
{
    space(j);
    if (j->at == j->end)
        return JSON_NOTHING;
    switch (*j->at) {
    case '{': return JSON_OBJECT;
    case '[': return JSON_ARRAY;
    case '"': return JSON_STRING;
    case 't': return JSON_TRUE;
    case 'f': return JSON_FALSE;
    case 'n': return JSON_NULL;
    default: return JSON_NUMBER;
    }
}

void json_enter(struct json *j, char bracket)
{
    space(j);
    if (j->at == j->end || *j->at != bracket) {
        fail(j, bracket == '{' ? "an object {...} is expected" : "a list [...] is expected");
        return;
    }
    j->at++;
    j->first = true;
}

/* True if the bracket closes here; else takes the comma before the next element. */
static bool closes(struct json *j, char bracket)
{
    space(j);
    if (j->at < j->end && *j->at == bracket) {
        j->at++;
        j->first = false;
        return true;
    }
    if (!j->first) {
        if (j->at == j->end || *j->at != ',') {
            fail(j, bracket == '}' ? "',' or '}' is expected" : "',' or ']' is expected");
            return true;
        }
        j->at++;
        space(j);
    }
    j->first = false;
    return false;
}

/* The four hexadecimal digits at p, or -1. */
static int32_t hexadecimal(const char *p, const char *end)
{
    if (end - p < 4)
        return -1;
    int32_t code = 0;
    for (int i = 0; i < 4; i++) {
        if (!isxdigit((unsigned char)p[i]))
            return -1;
        code = code * 16 + (p[i] <= '9' ? p[i] - '0' : (p[i] | 32) - 'a' + 10);
    }
    return code;
}

/* Length of the escape at p, or 0 if it is not one. */
static size_t escape_length(const char *p, const char *end)
{
    if (end - p < 2 || p[1] == 0 || !strchr("\"\\/bfnrtu", p[1]))
        return 0;
    if (p[1] != 'u')
        return 2;
    return hexadecimal(p + 2, end) < 0 ? 0 : 6;
}

/* For each byte: true if it needs no escape in a string. Texts of JSON are mostly strings. */
static const bool plain[256] = {[' ' ... '!'] = true, ['#' ... '['] = true, [']' ... 255] = true};

/* Takes a string; the slice is the text between its quotes, whose escapes are valid. */
static struct slice string(struct json *j)
{
    space(j);
    struct slice text = {"", 0};
    if (j->at == j->end || *j->at != '"') {
        fail(j, "a string in quotes is expected");
        return text;
    }
    const char *p = j->at + 1, *end = j->end;
    for (;;) {
        while (p < end && plain[(unsigned char)*p])
            p++;
        if (p == end || *p != '\\')
            break;
        size_t step = escape_length(p, end);
        if (step == 0) {
            fail(j, "unknown escape in a string");
            return text;
        }
        p += step;
    }
    if (p == end || *p != '"') {
        fail(j, p == end ? "a string is not closed" : "a string contains a control character");
        return text;
    }
    text = (struct slice){j->at + 1, (size_t)(p - j->at - 1)};
    j->at = p + 1;
    return text;
}

bool json_key(struct json *j, struct slice *key)
{
    if (j->error || closes(j, '}'))
        return false;
    *key = string(j);
    space(j);
    if (j->at == j->end || *j->at != ':') {
        fail(j, "':' is expected");
        return false;
    }
    j->at++;
    return true;
}

bool json_item(struct json *j)
{
    if (j->error || closes(j, ']'))
        return false;
    if (json_peek(j) == JSON_NOTHING) {
        fail(j, "a list is not closed");
        return false;
    }
    return true;
}

/* A number as it is written: mantissa * 10^-decimals. */
struct written {
    const char *text;
    bool negative;
    bool is_word; /* NaN or Infinity */
    uint64_t mantissa;
    int significant; /* digits of the mantissa: beyond 19 it may have overflowed */
    int decimals;
};

/* Takes digits into the mantissa; returns their number. */
static int digits(struct json *j, struct written *number)
{
    const char *from = j->at, *at = from, *end = j->end;
    uint64_t mantissa = number->mantissa;
    while (mantissa == 0 && at < end && *at == '0')
        at++;
    const char *first = at;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        mantissa = mantissa * 10 + (uint64_t)(*at - '0');
    number->significant += (int)(at - first);
    number->mantissa = mantissa;
    j->at = at;
    return (int)(at - from);
}

static int exponent_of(struct json *j)
{
    j->at++;
    int sign = 1;
    if (j->at < j->end && (*j->at == '+' || *j->at == '-'))
        sign = *j->at++ == '-' ? -1 : 1;
    struct written exponent = {0};
    if (digits(j, &exponent) == 0)
        fail(j, "malformed number");
    return sign * (exponent.significant > 4 ? 9999 : (int)exponent.mantissa);
}

enum { NUMBER_LIMIT = 400 }; /* characters */

/* Takes a number without converting it: a skipped number needs no value. */
static struct written take_number(struct json *j)
{
    space(j);
    struct written number = {.text = j->at};
    number.negative = j->at < j->end && *j->at == '-';
    if (number.negative)
        j->at++;
    const char *first = j->at;
    int whole = digits(j, &number);
    if (whole == 0)
        number.is_word = take_word(j, "NaN") || take_word(j, "Infinity");
    bool good = whole == 1 || (whole > 1 && *first != '0');
    if (good && j->at < j->end && *j->at == '.') {
        j->at++;
        number.decimals = digits(j, &number);
        good = number.decimals > 0;
    }
    if (good && j->at < j->end && (*j->at == 'e' || *j->at == 'E'))
        number.decimals -= exponent_of(j);
    if (!good && !number.is_word)
        fail(j, "a value is expected");
    if (j->at - number.text >= NUMBER_LIMIT)
        fail(j, "a number is too long");
    return number;
}

/* strtod() reads these words as well. */
static double slow_number(const char *from, const char *to)
{
    char text[NUMBER_LIMIT];
    size_t length = (size_t)(to - from);
    memcpy(text, from, length);
    text[length] = 0;
    return strtod(text, NULL);
}

double json_number(struct json *j)
{
    struct written number = take_number(j);
    double value;
    if (j->error)
        return NAN;
    if (number.is_word || number.significant > 19 ||
        !number_from_decimal(number.mantissa, number.decimals, &value))
        return slow_number(number.text, j->at);
    return number.negative ? -value : value;
}

bool json_bool(struct json *j)
{
    space(j);
    if (take_word(j, "true"))
        return true;
    if (!take_word(j, "false"))
        fail(j, "true or false is expected");
    return false;
}

static void skip(struct json *j, int depth)
{
    struct slice key;
    if (depth > DEPTH_LIMIT) {
        fail(j, "objects and lists are nested too deeply");
        return;
    }
    switch (json_peek(j)) {
    case JSON_OBJECT:
        json_enter(j, '{');
        while (json_key(j, &key))
            skip(j, depth + 1);
        break;
    case JSON_ARRAY:
        json_enter(j, '[');
        while (json_item(j))
            skip(j, depth + 1);
        break;
    case JSON_STRING: string(j); break;
    case JSON_TRUE:
    case JSON_FALSE: json_bool(j); break;
    case JSON_NULL:
        if (!take_word(j, "null"))
            fail(j, "a value is expected");
        break;
    case JSON_NUMBER: take_number(j); break;
    case JSON_NOTHING: fail(j, "a value is expected"); break;
    }
}

void json_skip(struct json *j)
{
    skip(j, 0);
}

struct slice json_raw(struct json *j)
{
    space(j);
    const char *from = j->at;
    skip(j, 0);
    return (struct slice){from, (size_t)(j->at - from)};
}

static void put_utf8(struct str *s, uint32_t code)
{
    char bytes[4];
    size_t length;
    if (code < 0x80) {
        bytes[0] = (char)code;
        length = 1;
    } else if (code < 0x800) {
        bytes[0] = (char)(0xc0 | code >> 6);
        length = 2;
    } else if (code < 0x10000) {
        bytes[0] = (char)(0xe0 | code >> 12);
        length = 3;
    } else {
        bytes[0] = (char)(0xf0 | code >> 18);
        length = 4;
    }
    for (size_t i = 1; i < length; i++)
        bytes[i] = (char)(0x80 | (code >> (6 * (length - 1 - i)) & 0x3f));
    str_add_bytes(s, bytes, length);
}

/* Appends the character of the valid escape at p; returns what follows it. */
static const char *unescape(const char *p, const char *end, struct str *out)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *letter = strchr(letters, p[1]);
    if (letter) {
        str_add_char(out, meanings[letter - letters]);
        return p + 2;
    }
    int32_t code = hexadecimal(p + 2, end);
    p += 6;
    if (code >= 0xd800 && code < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
        int32_t low = hexadecimal(p + 2, end);
        if (low >= 0xdc00 && low < 0xe000) {
            put_utf8(out, 0x10000u + ((uint32_t)(code - 0xd800) << 10) + (uint32_t)(low - 0xdc00));
            return p + 6;
        }
    }
    put_utf8(out, code >= 0xd800 && code < 0xe000 ? 0xfffd : (uint32_t)code);
    return p;
}

void json_unescape(struct slice raw, struct str *out)
{
    str_clear(out);
    str_add(out, ""); /* out->text is not NULL even for an empty string */
    const char *p = raw.text, *end = raw.text + raw.length;
    while (p < end) {
        const char *escape = memchr(p, '\\', (size_t)(end - p));
        const char *stop = escape ? escape : end;
        str_add_bytes(out, p, (size_t)(stop - p));
        p = escape ? unescape(escape, end, out) : end;
    }
}

void json_string(struct json *j, struct str *out)
{
    json_unescape(string(j), out);
}

const char *json_close(struct json *j)
{
    space(j);
    if (!j->error && j->at != j->end)
        fail(j, "more text follows the value");
    return j->error;
}

int json_unknown_key(struct slice key, const char *where, const char *const *words, struct err *e)
{
    char word[65];
    snprintf(word, sizeof word, "%.*s", (int)(key.length < 64 ? key.length : 64), key.text);
    const char *nearest = str_nearest(word, words);
    struct str list = {0};
    for (size_t i = 0; !nearest && words[i]; i++)
        str_printf(&list, "%s%s", i ? ", " : "use one of ", words[i]);
    if (nearest)
        err_set(e, ERR_USER, "unknown key '%s'%s: did you mean '%s'?", word, where, nearest);
    else
        err_set(e, ERR_USER, "unknown key '%s'%s: %s", word, where, str_text(&list));
    str_free(&list);
    return e->code;
}
