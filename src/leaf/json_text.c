/* json_text.c - JSON as Python shows and writes it. */
#include "leaf/json_inside.h"

#include <math.h>

enum json_kind leaf_json_kind(struct slice value)
{
    struct json j;
    json_open(&j, value.text, value.length);
    return json_peek(&j);
}

bool leaf_json_is_whole(struct slice number)
{
    for (size_t i = 0; i < number.length; i++)
        if (strchr(".eENI", number.text[i])) /* of NaN and Infinity, too */
            return false;
    return true;
}

void leaf_json_object(struct slice value, struct json_object *object, struct arena *arena)
{
    struct json j, quoted;
    struct slice key;
    struct str name = {0};
    struct map places = {0};
    *object = (struct json_object){0};
    json_open(&j, value.text, value.length);
    json_enter(&j, '{');
    while (json_key(&j, &key)) {
        json_open(&quoted, key.text - 1, key.length + 2); /* with its quotes */
        json_string(&quoted, &name);
        int64_t place = map_find(&places, (struct slice){name.text, name.length});
        object->items =
            memory_grow(object->items, &object->capacity, object->count + 1, sizeof *object->items);
        if (place == MAP_NONE) {
            struct slice copy = {arena_copy(arena, name.text, name.length), name.length};
            place = (int64_t)object->count++;
            object->items[place].name = copy;
            map_add(&places, copy, (uint32_t)place);
        }
        object->items[place].value = json_raw(&j);
    }
    map_free(&places);
    str_free(&name);
}

void leaf_json_object_free(struct json_object *object)
{
    free(object->items);
    *object = (struct json_object){0};
}

/* ---- numbers ---- */

/* Python writes exponents from 1e16 on, where a float has 17 digits here: 12345678901234567.0. */
static void add_large(struct str *s, const char *text)
{
    size_t sign = text[0] == '-', count = 17;
    while (count > 1 && text[sign + count - 1] == '0')
        count--;
    str_add_bytes(s, text, sign + 1);
    if (count > 1)
        str_add_char(s, '.');
    str_add_bytes(s, text + sign + 1, count - 1);
    str_add(s, "e+16");
}

static void add_float(struct str *s, double number, enum json_notation notation)
{
    struct str text = {0};
    if (isnan(number)) {
        str_add(s, notation == JSON_SHOWN ? "nan" : "NaN");
        return;
    }
    if (isinf(number)) {
        str_add(s, number < 0 ? "-" : "");
        str_add(s, notation == JSON_SHOWN ? "inf" : "Infinity");
        return;
    }
    leaf_show_number(&text, number);
    const char *exponent = strchr(text.text, 'e');
    if (exponent) { /* it has at least two digits in Python: 1e-05 */
        size_t mantissa = (size_t)(exponent + 2 - text.text);
        str_add_bytes(s, text.text, mantissa);
        str_add(s, strlen(exponent + 2) == 1 ? "0" : "");
        str_add(s, exponent + 2);
    } else if (fabs(number) >= 1e16) {
        add_large(s, text.text);
    } else {
        str_add_bytes(s, text.text, text.length);
    }
    str_free(&text);
}

static void add_number(struct str *s, struct slice value, enum json_notation notation)
{
    struct json j;
    if (slice_is(value, "-0")) {
        str_add_char(s, '0');
    } else if (leaf_json_is_whole(value)) {
        str_add_bytes(s, value.text, value.length);
    } else {
        json_open(&j, value.text, value.length);
        add_float(s, json_number(&j), notation);
    }
}

/* ---- strings ---- */

/* Characters that repr() escapes, beside control characters: blanks, marks without a width, and
 * what has no meaning of its own. */
static bool is_shown(uint32_t character)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {{0, 0x1f},          {0x7f, 0xa0},       {0xad, 0xad},     {0x1680, 0x1680},
                  {0x2000, 0x200f},   {0x2028, 0x202f},   {0x205f, 0x206f}, {0x3000, 0x3000},
                  {0xe000, 0xf8ff},   {0xfeff, 0xfeff},   {0xfff0, 0xfffb}, {0xfffe, 0xffff},
                  {0xe0000, 0xe00ff}, {0xf0000, 0x10ffff}};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (character >= hidden[i].first && character <= hidden[i].last)
            return false;
    return true;
}

/* Appends what stands for a character; false if it stands for itself. */
static bool add_escape(struct str *s, uint32_t character, const char *letters, const char *escapes)
{
    const char *letter = character > 0 && character < 0x80 ? strchr(letters, (int)character) : NULL;
    if (!letter)
        return false;
    str_add_char(s, '\\');
    str_add_char(s, escapes[letter - letters]);
    return true;
}

/* As repr(): in single quotes, unless that takes more escapes. */
static void add_shown(struct str *s, struct slice text)
{
    bool has_single = text.length > 0 && memchr(text.text, '\'', text.length);
    bool has_double = text.length > 0 && memchr(text.text, '"', text.length);
    char quote = has_single && !has_double ? '"' : '\'';
    const char letters[] = {'\t', '\n', '\r', '\\', quote, 0},
               escapes[] = {'t', 'n', 'r', '\\', quote, 0};
    str_add_char(s, quote);
    for (size_t at = 0; at < text.length;) {
        size_t start = at;
        uint32_t character = leaf_character(text, &at);
        if (add_escape(s, character, letters, escapes))
            continue;
        if (character > 0x10ffff || is_shown(character))
            str_add_bytes(s, text.text + start, at - start);
        else if (character < 0x100)
            str_printf(s, "\\x%02x", character);
        else
            str_printf(s, character < 0x10000 ? "\\u%04x" : "\\U%08x", character);
    }
    str_add_char(s, quote);
}

/* As dumps(): in ASCII, with pairs of surrogates beyond 16 bits. */
static void add_dumped(struct str *s, struct slice text)
{
    str_add_char(s, '"');
    for (size_t at = 0; at < text.length;) {
        uint32_t character = leaf_character(text, &at);
        character = character > 0x10ffff ? 0xfffd : character;
        if (add_escape(s, character, "\"\\\b\f\n\r\t", "\"\\bfnrt"))
            continue;
        if (character >= ' ' && character < 0x7f)
            str_add_char(s, (char)character);
        else if (character < 0x10000)
            str_printf(s, "\\u%04x", character);
        else
            str_printf(s, "\\u%04x\\u%04x", 0xd800 + ((character - 0x10000) >> 10),
                       0xdc00 + (character & 0x3ff));
    }
    str_add_char(s, '"');
}

static void add_text(struct str *s, struct slice text, enum json_notation notation)
{
    if (notation == JSON_SHOWN)
        add_shown(s, text);
    else
        add_dumped(s, text);
}

static void add_string(struct str *s, struct slice value, enum json_notation notation)
{
    struct json j;
    struct str text = {0};
    json_open(&j, value.text, value.length);
    json_string(&j, &text);
    add_text(s, (struct slice){text.text, text.length}, notation);
    str_free(&text);
}

/* ---- values ---- */

static void add_object(struct str *s, struct slice value, enum json_notation notation)
{
    struct json_object object;
    struct arena arena = {0};
    leaf_json_object(value, &object, &arena);
    str_add_char(s, '{');
    for (size_t i = 0; i < object.count; i++) {
        str_add(s, i > 0 ? ", " : "");
        add_text(s, object.items[i].name, notation);
        str_add(s, ": ");
        leaf_json_show(s, object.items[i].value, notation);
    }
    str_add_char(s, '}');
    leaf_json_object_free(&object);
    arena_free(&arena);
}

static void add_array(struct str *s, struct slice value, enum json_notation notation)
{
    struct json j;
    bool first = true;
    json_open(&j, value.text, value.length);
    json_enter(&j, '[');
    str_add_char(s, '[');
    for (; json_item(&j); first = false) {
        str_add(s, first ? "" : ", ");
        leaf_json_show(s, json_raw(&j), notation);
    }
    str_add_char(s, ']');
}

void leaf_json_show(struct str *s, struct slice value, enum json_notation notation)
{
    bool shown = notation == JSON_SHOWN;
    switch (leaf_json_kind(value)) {
    case JSON_NOTHING: break;
    case JSON_NULL: str_add(s, shown ? "None" : "null"); break;
    case JSON_TRUE: str_add(s, shown ? "True" : "true"); break;
    case JSON_FALSE: str_add(s, shown ? "False" : "false"); break;
    case JSON_NUMBER: add_number(s, value, notation); break;
    case JSON_STRING: add_string(s, value, notation); break;
    case JSON_ARRAY: add_array(s, value, notation); break;
    case JSON_OBJECT: add_object(s, value, notation); break;
    }
}
