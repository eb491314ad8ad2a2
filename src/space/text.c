/* text.c - values and points as text and as JSON, and back. */
#include "space/space.h"
#include "space/value.h"

#include <math.h>
#include <strings.h>

/* ---- what a parameter is in JSON ---- */

static bool is_json_number(const char *text)
{
    struct json json;
    json_open(&json, text, strlen(text));
    if (json_peek(&json) != JSON_NUMBER)
        return false;
    json_number(&json);
    return json_close(&json) == NULL;
}

static void put_json(const struct value *value, struct str *s)
{
    switch (value->kind) {
    case VALUE_STRING: json_put_string(s, value->text, strlen(value->text)); break;
    case VALUE_NUMBER: /* as written if that is JSON: 0.10 stays 0.10, but .5 becomes 0.5 */
        if (is_json_number(value->text))
            str_add(s, value->text);
        else
            json_put_number(s, value->number);
        break;
    case VALUE_BOOL: str_add(s, strcasecmp(value->text, "true") == 0 ? "true" : "false"); break;
    case VALUE_NULL: str_add(s, "null"); break;
    case VALUE_JSON: str_add(s, value->text); break;
    }
}

static void index_text(struct parameter *parameter, const char *text, size_t index)
{
    if (map_find(&parameter->value_index, slice_of(text)) == MAP_NONE)
        map_add(&parameter->value_index, slice_of(text), (uint32_t)index);
}

void value_json_make(struct parameter *parameter, struct arena *arena)
{
    struct str json = {0};
    json_put_string(&json, parameter->name, strlen(parameter->name));
    str_add_char(&json, ':');
    parameter->key = arena_copy(arena, json.text, json.length);
    for (size_t i = 0; i < parameter->value_count; i++) {
        str_clear(&json);
        put_json(&parameter->values[i], &json);
        parameter->values[i].json = arena_copy(arena, json.text, json.length);
        index_text(parameter, parameter->values[i].json, i);
    }
    /* A number is also found in another notation, unless that is a value as well. */
    for (size_t i = 0; i < parameter->value_count; i++) {
        if (parameter->values[i].kind != VALUE_NUMBER)
            continue;
        str_clear(&json);
        json_put_number(&json, parameter->values[i].number);
        if (strcmp(json.text, parameter->values[i].json) != 0)
            index_text(parameter, arena_copy(arena, json.text, json.length), i);
    }
    str_free(&json);
}

static bool find_value(const struct parameter *parameter, struct slice json, double *value)
{
    int64_t index = map_find(&parameter->value_index, json);
    *value = (double)index;
    return index != MAP_NONE;
}

static bool find_number(const struct parameter *parameter, double number, double *value)
{
    struct str json = {0};
    json_put_number(&json, number);
    bool found = find_value(parameter, (struct slice){json.text, json.length}, value);
    str_free(&json);
    return found;
}

static bool find_string(const struct parameter *parameter, struct slice text, double *value)
{
    struct str json = {0};
    json_put_string(&json, text.text, text.length);
    bool found = find_value(parameter, (struct slice){json.text, json.length}, value);
    str_free(&json);
    return found;
}

/* ---- writing ---- */

static bool is_number(const struct parameter *parameter)
{
    return parameter->kind == PARAMETER_FLOAT || parameter->kind == PARAMETER_INT;
}

void space_put_text(const struct parameter *parameter, double value, struct str *s)
{
    if (is_number(parameter))
        str_add_number(s, value);
    else
        str_add(s, parameter->values[(size_t)value].text);
}

void space_put_value(const struct parameter *parameter, double value, struct str *s)
{
    if (is_number(parameter))
        json_add_number(s, value);
    else
        json_add_raw(s, parameter->values[(size_t)value].json);
}

void space_put_json(const struct space *space, const double *point, struct str *s)
{
    json_add_object(s);
    for (size_t i = 0; i < space->count; i++) {
        if (isnan(point[i]))
            continue;
        json_add_raw(s, space->parameters[i].key);
        space_put_value(&space->parameters[i], point[i], s);
    }
    json_end_object(s);
}

/* ---- reading ---- */

bool space_read_text(const struct parameter *parameter, const char *text, double *value)
{
    double number;
    bool numeric = str_number(text, &number) && isfinite(number);
    if (is_number(parameter))
        return numeric && value_fits(parameter, number, value);
    if (strcasecmp(text, "true") == 0 && find_value(parameter, slice_of("true"), value))
        return true;
    if (strcasecmp(text, "false") == 0 && find_value(parameter, slice_of("false"), value))
        return true;
    return (text[0] != '"' && find_value(parameter, slice_of(text), value)) ||
           find_string(parameter, slice_of(text), value) ||
           (numeric && find_number(parameter, number, value));
}

/* Takes a value from the reader; false if the parameter does not have it. */
static bool read_value(const struct parameter *parameter, struct json *json, double *value)
{
    enum json_kind kind = json_peek(json);
    const char *from = json->at;
    if (is_number(parameter) && kind == JSON_NUMBER)
        return value_fits(parameter, json_number(json), value);
    struct slice raw = json_raw(json);
    if (find_value(parameter, raw, value))
        return true;
    if (kind == JSON_NULL) { /* some programs write null for a missing value */
        *value = NAN;
        return true;
    }
    struct json again;
    json_open(&again, from, raw.length);
    if (kind == JSON_NUMBER)
        return find_number(parameter, json_number(&again), value);
    if (kind != JSON_STRING)
        return false;
    struct str text = {0}; /* the same string may be escaped in another way */
    json_string(&again, &text);
    bool found = find_string(parameter, (struct slice){str_text(&text), text.length}, value);
    str_free(&text);
    return found;
}

/*
 * The index of the parameter with this name, or `count`. The search starts where the last one
 * ended, since space_put_json() writes in the order of the space.
 */
static size_t find_from(const struct space *space, size_t start, struct slice name)
{
    for (size_t i = 0; i < space->count; i++) {
        size_t at = start + i < space->count ? start + i : start + i - space->count;
        if (slice_is(name, space->parameters[at].name))
            return at;
    }
    return space->count;
}

void space_put_range(const struct parameter *parameter, struct str *s)
{
    enum { SHOWN = 10 };
    if (parameter->kind == PARAMETER_FLOAT || parameter->kind == PARAMETER_INT) {
        str_printf(s, "%s from %.6g to %.6g",
                   parameter->kind == PARAMETER_INT ? "a whole number" : "a number", parameter->low,
                   parameter->high);
        if (parameter->step > 0)
            str_printf(s, " in steps of %.6g", parameter->step);
        return;
    }
    str_add(s, parameter->kind == PARAMETER_CONSTANT ? "always " : "one of ");
    for (size_t i = 0; i < parameter->value_count && i < SHOWN; i++)
        str_printf(s, "%s%s", i ? ", " : "", parameter->values[i].text);
    if (parameter->value_count > SHOWN)
        str_add(s, ", ...");
}

int space_wrong_value(const struct parameter *parameter, struct slice given, struct err *e)
{
    struct str range = {0};
    space_put_range(parameter, &range);
    err_set(e, ERR_USER, "parameter '%s' cannot be %.*s: it is %s", parameter->name,
            (int)(given.length < 100 ? given.length : 100), given.text, range.text);
    str_free(&range);
    return e->code;
}

int space_unknown(const struct space *space, struct slice name, const char *hint, struct err *e)
{
    char word[65];
    snprintf(word, sizeof word, "%.*s", (int)(name.length < 64 ? name.length : 64), name.text);
    const char **names = memory_new(space->count + 1, sizeof *names);
    for (size_t i = 0; i < space->count; i++)
        names[i] = space->parameters[i].name;
    const char *nearest = str_nearest(word, names);
    free(names);
    if (nearest)
        return err_set(e, ERR_USER, "unknown parameter '%s': did you mean '%s'?", word, nearest);
    return err_set(e, ERR_USER, "unknown parameter '%s'%s", word, hint);
}

int space_read_json(const struct space *space, struct json *json, double *point, struct err *e)
{
    struct slice key;
    size_t at = 0;
    for (size_t i = 0; i < space->count; i++)
        point[i] = NAN;
    json_enter(json, '{');
    while (json_key(json, &key)) {
        at = find_from(space, at, key);
        if (at == space->count)
            return space_unknown(space, key, "", e);
        json_peek(json); /* skips white space */
        const char *from = json->at;
        bool good = read_value(&space->parameters[at], json, &point[at]);
        if (!good && !json->error)
            return space_wrong_value(&space->parameters[at],
                                     (struct slice){from, (size_t)(json->at - from)}, e);
        at++;
    }
    if (json->error)
        return err_set(e, ERR_USER, "the parameters are not a JSON object: %s", json->error);
    return 0;
}
