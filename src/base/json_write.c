/* json_write.c - a writer of JSON. */
#include "base/base.h"

#include <math.h>

/* Strings end in a quote, numbers in a digit, true, false and null in a letter. */
const bool json_ends_value[256] = {
    ['"'] = true, ['}'] = true, [']'] = true, ['0'] = true, ['1'] = true,
    ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true, ['6'] = true,
    ['7'] = true, ['8'] = true, ['9'] = true, ['e'] = true, ['l'] = true,
};

/* ---- strings ---- */

static void put_escaped(struct str *s, unsigned char c)
{
    static const char letters[] = "\"\\\b\f\n\r\t", escapes[] = "\"\\bfnrt";
    const char *letter = c ? strchr(letters, c) : NULL;
    if (letter)
        str_printf(s, "\\%c", escapes[letter - letters]);
    else
        str_printf(s, "\\u%04x", c);
}

/* True for a byte that needs no escape. */
static bool is_plain(char c)
{
    return (unsigned char)c >= ' ' && c != '"' && c != '\\';
}

void json_put_string(struct str *s, const char *text, size_t length)
{
    const char *p = text, *end = text + length;
    str_add_char(s, '"');
    while (p < end) {
        const char *from = p;
        size_t step = 1;
        while (p < end && is_plain(*p) && (step = utf8_length(p, (size_t)(end - p))) > 0)
            p += step;
        str_add_bytes(s, from, (size_t)(p - from));
        if (p == end)
            break;
        if (is_plain(*p))
            str_add(s, "\xef\xbf\xbd");
        else
            put_escaped(s, (unsigned char)*p);
        p++;
    }
    str_add_char(s, '"');
}

void json_put_number(struct str *s, double number)
{
    if (isfinite(number))
        str_add_number(s, number);
    else
        str_add(s, "null");
}

/* ---- values ---- */

void json_add_name(struct str *s, const char *name)
{
    json_add_text(s, name);
    str_add_char(s, ':');
}

void json_add_object(struct str *s)
{
    json_comma(s);
    str_add_char(s, '{');
}

void json_end_object(struct str *s)
{
    str_add_char(s, '}');
}

void json_add_array(struct str *s)
{
    json_comma(s);
    str_add_char(s, '[');
}

void json_end_array(struct str *s)
{
    str_add_char(s, ']');
}

void json_add_string(struct str *s, const char *text, size_t length)
{
    json_comma(s);
    json_put_string(s, text, length);
}

void json_add_text(struct str *s, const char *text)
{
    json_comma(s);
    if (text)
        json_put_string(s, text, strlen(text));
    else
        str_add(s, "null");
}

void json_add_number(struct str *s, double number)
{
    json_comma(s);
    json_put_number(s, number);
}

void json_add_whole(struct str *s, uint64_t number)
{
    json_comma(s);
    str_add_whole(s, number);
}

void json_add_bool(struct str *s, bool value)
{
    json_add_raw(s, value ? "true" : "false");
}

void json_add_null(struct str *s)
{
    json_add_raw(s, "null");
}

void json_add_raw(struct str *s, const char *json)
{
    json_comma(s);
    str_add(s, json);
}

void json_add_printf(struct str *s, const char *format, ...)
{
    va_list arguments;
    json_comma(s);
    va_start(arguments, format);
    str_vprintf(s, format, arguments);
    va_end(arguments);
}

void json_add_numbers(struct str *s, const double *numbers, size_t count)
{
    json_add_array(s);
    for (size_t i = 0; i < count; i++)
        json_add_number(s, numbers[i]);
    json_end_array(s);
}

void json_set_printf(struct str *s, const char *key, const char *format, ...)
{
    va_list arguments;
    json_add_key(s, key);
    va_start(arguments, format);
    str_vprintf(s, format, arguments);
    va_end(arguments);
}
