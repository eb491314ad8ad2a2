/*
 * notation.c - suggestions, as EMEWS modules write them, become JSON.
 *
 * The queues carry any text, and each EMEWS workflow parsed what its own module wrote. Few
 * notations are in use, and all of them are understood:
 *
 *     {"x": 1, "n": 2};{"x": 3, "n": 4}       JSON, which stays as it is
 *     {'x': 1, 'n': None};{'x': [3]}          what str() of Python makes, with numbers of numpy,
 * too
 *     [[1, 2], [3, 4]]    (1, 2);(3, 4)       lists of values in the order of the space
 *     1,2;3,4             1 2;3 4             rows of values
 */
#include "steer/suggestion.h"

#include <ctype.h>

enum { NESTED = 32 };

/* ---- texts of Python ---- */

struct translation {
    const char *at, *end;
    struct str *json;
    char
        closing[NESTED]; /* how the open brackets end in JSON; 0: a call, which ends with nothing */
    size_t depth;
};

static void skip_spaces(struct translation *t)
{
    while (t->at < t->end && isspace((unsigned char)*t->at))
        t->at++;
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c);
}

/* Only the escapes that repr() writes in names and paths. */
static void add_escape(struct str *text, char c)
{
    static const char letters[] = "ntr", meanings[] = "\n\t\r";
    const char *letter = memchr(letters, c, sizeof letters - 1);
    str_add_char(text, letter ? meanings[letter - letters] : c);
}

static bool translate_string(struct translation *t)
{
    char quote = *t->at++;
    struct str text = {0};
    while (t->at < t->end && *t->at != quote) {
        if (*t->at == '\\' && t->at + 1 < t->end)
            add_escape(&text, *++t->at);
        else
            str_add_char(&text, *t->at);
        t->at++;
    }
    bool is_ended = t->at < t->end;
    t->at += is_ended;
    json_put_string(t->json, str_text(&text), text.length);
    str_free(&text);
    return is_ended;
}

static void put_word(struct str *json, struct slice word)
{
    static const char *const words[][2] = {
        {"True", "true"},    {"TRUE", "true"},     {"False", "false"},    {"FALSE", "false"},
        {"None", "null"},    {"NULL", "null"},     {"NA", "null"},        {"nan", "NaN"},
        {"inf", "Infinity"}, {"np.True_", "true"}, {"np.False_", "false"}};
    struct json j;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (slice_is(word, words[i][0])) {
            str_add(json, words[i][1]);
            return;
        }
    json_open(&j, word.text, word.length);
    json_skip(&j);
    if (json_close(&j)) /* 1. and +3 are not JSON numbers, but strings of numbers are read, too */
        json_put_string(json, word.text, word.length);
    else
        str_add_bytes(json, word.text, word.length);
}

/* A number, a name such as True, or the start of u'text' or np.float64(0.5). */
static bool translate_word(struct translation *t)
{
    const char *from = t->at;
    while (t->at < t->end && !isspace((unsigned char)*t->at) && !is_one_of(*t->at, ",:;()[]{}'\""))
        t->at++;
    struct slice word = {from, (size_t)(t->at - from)};
    if (t->at < t->end && is_one_of(*t->at, "'\""))
        return translate_string(t);
    if (t->at < t->end && *t->at == '(' && t->depth < NESTED) {
        t->at++;
        t->closing[t->depth++] = '\0';
        return true;
    }
    put_word(t->json, word);
    return true;
}

static bool open_bracket(struct translation *t)
{
    bool is_object = *t->at++ == '{';
    if (t->depth == NESTED)
        return false;
    t->closing[t->depth++] = is_object ? '}' : ']';
    str_add_char(t->json, is_object ? '{' : '[');
    return true;
}

static bool close_bracket(struct translation *t)
{
    t->at++;
    if (t->depth == 0)
        return false;
    char closing = t->closing[--t->depth];
    if (closing)
        str_add_char(t->json, closing);
    return true;
}

/* The comma of (1,) means nothing. */
static void translate_comma(struct translation *t)
{
    t->at++;
    skip_spaces(t);
    if (t->at == t->end || !is_one_of(*t->at, ")]}"))
        str_add_char(t->json, ',');
}

static bool translate(struct translation *t)
{
    bool good = true;
    for (skip_spaces(t); good && t->at < t->end; skip_spaces(t)) {
        if (is_one_of(*t->at, "'\""))
            good = translate_string(t);
        else if (is_one_of(*t->at, "([{"))
            good = open_bracket(t);
        else if (is_one_of(*t->at, ")]}"))
            good = close_bracket(t);
        else if (*t->at == ',')
            translate_comma(t);
        else if (is_one_of(*t->at, ":;"))
            str_add_char(t->json, *t->at++);
        else
            good = translate_word(t);
    }
    return good && t->depth == 0;
}

/* ---- rows ---- */

static struct slice trimmed(struct slice text)
{
    while (text.length > 0 && isspace((unsigned char)text.text[0]))
        text.text++, text.length--;
    while (text.length > 0 && isspace((unsigned char)text.text[text.length - 1]))
        text.length--;
    return text;
}

/* Removes the text up to the next separator outside quotes from `rest`; false: it was the last. */
static bool next_part(struct slice *rest, const char *separators, struct slice *part)
{
    char quote = '\0';
    size_t i = 0;
    for (; i < rest->length; i++) {
        char c = rest->text[i];
        if (quote)
            quote = c == quote ? '\0' : quote;
        else if (is_one_of(c, separators))
            break;
        else if (is_one_of(c, "'\""))
            quote = c;
    }
    bool more = i < rest->length;
    *part = trimmed((struct slice){rest->text, i});
    i += more ? 1 : 0;
    *rest = (struct slice){rest->text + i, rest->length - i};
    return more;
}

static void put_field(struct str *json, struct slice field)
{
    if (field.length > 1 && is_one_of(field.text[0], "'\"") &&
        field.text[field.length - 1] == field.text[0])
        field = (struct slice){field.text + 1, field.length - 2};
    json_put_string(json, field.text, field.length);
}

static void put_row(struct str *json, struct slice row, bool by_spaces)
{
    struct slice field, probe = row;
    bool has_comma = next_part(&probe, ",", &field), more = true;
    const char *separators = has_comma ? "," : by_spaces ? " \t" : "";
    for (char before = '['; more;) {
        more = next_part(&row, separators, &field);
        if (field.length == 0 && !has_comma)
            continue; /* several spaces */
        str_add_char(json, before);
        put_field(json, field);
        before = ',';
    }
    str_add_char(json, ']');
}

static void put_rows(struct str *json, struct slice text, bool by_spaces)
{
    for (bool more = true; more;) {
        struct slice row;
        more = next_part(&text, ";", &row);
        if (row.length > 0) {
            str_add(json, json->length ? ";" : "");
            put_row(json, row, by_spaces);
        }
    }
}

/* ---- both ---- */

static bool is_json(struct slice text)
{
    for (text = trimmed(text); text.length > 0; text = trimmed(text)) {
        struct json j;
        json_open(&j, text.text, text.length);
        json_skip(&j);
        if (j.error)
            return false;
        while (j.at < j.end && (*j.at == ';' || isspace((unsigned char)*j.at)))
            j.at++;
        text = (struct slice){j.at, (size_t)(j.end - j.at)};
    }
    return true;
}

bool notation_has_brackets(struct slice text)
{
    text = trimmed(text);
    return text.length > 0 && is_one_of(text.text[0], "{[(");
}

bool notation_read(struct slice text, bool by_spaces, struct str *json)
{
    if (!notation_has_brackets(text)) {
        put_rows(json, text, by_spaces);
        return true;
    }
    if (is_json(text)) {
        str_add_bytes(json, text.text, text.length);
        return true;
    }
    struct translation t = {.at = text.text, .end = text.text + text.length, .json = json};
    return translate(&t) && is_json((struct slice){str_text(json), json->length});
}
