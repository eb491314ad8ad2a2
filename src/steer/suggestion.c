/*
 * suggestion.c - what a program suggests becomes a point of the space.
 *
 * Programs write numbers in many ways: 3.0 for a whole number, "32" for 32, True for true. All of
 * them are accepted where they mean a value of the parameter. What means none is refused: a trial
 * with other hyperparameters than the program expects would mislead it.
 */
#include "steer/suggestion.h"

#include <math.h>

static int unknown(const struct space *space, struct slice key, struct err *e)
{
    char hint[160];
    snprintf(hint, sizeof hint,
             ": add it to the space of the study, as a range or as a constant (%.*s: 1)",
             (int)(key.length < 64 ? key.length : 64), key.text);
    return space_unknown(space, key, hint, e);
}

static bool says_nothing(const char *text)
{
    static const char *const words[] = {"", "null", "NULL", "None", "NA"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

/*
 * 10 ** log10(0.1) is a little more than 0.1, and much that is computed or printed is off like
 * that: what is nearly a bound of the range is the bound.
 */
static bool read_near_bound(const struct parameter *parameter, const char *text, double *value)
{
    double number;
    if ((parameter->kind != PARAMETER_FLOAT && parameter->kind != PARAMETER_INT) ||
        !str_number(text, &number) || !isfinite(number))
        return false;
    double bound = number < parameter->low ? parameter->low : parameter->high;
    double scale = parameter->kind == PARAMETER_INT ? 1
                   : parameter->log                 ? fabs(bound)
                                                    : parameter->high - parameter->low;
    if (fabs(number - bound) > 1e-6 * scale)
        return false;
    struct str exact = {0};
    str_add_number(&exact, bound);
    bool good = space_read_text(parameter, exact.text, value);
    str_free(&exact);
    return good;
}

static bool read_one(const struct parameter *parameter, enum json_kind kind, struct slice raw,
                     double *value)
{
    struct str text = {0};
    struct json j;
    json_open(&j, raw.text, raw.length);
    if (kind == JSON_STRING)
        json_string(&j, &text);
    else
        str_add_bytes(&text, raw.text, raw.length);
    bool good = space_read_text(parameter, str_text(&text), value) ||
                read_near_bound(parameter, str_text(&text), value);
    if (!good && says_nothing(str_text(&text))) {
        *value = NAN;
        good = true;
    }
    str_free(&text);
    return good;
}

/* Programs that keep their samples in lists write [0.5] for a value, and [] for none. */
static bool read_list_of_one(const struct parameter *parameter, struct slice raw, double *value)
{
    struct json j;
    json_open(&j, raw.text, raw.length);
    json_enter(&j, '[');
    *value = NAN;
    if (!json_item(&j))
        return true;
    enum json_kind kind = json_peek(&j);
    struct slice item = json_raw(&j);
    return !json_item(&j) && read_one(parameter, kind, item, value);
}

/* *value is NaN for null, which is how some programs leave a parameter out. */
static bool read_value(const struct parameter *parameter, struct json *j, double *value,
                       struct slice *raw)
{
    enum json_kind kind = json_peek(j);
    *raw = json_raw(j);
    if (j->error)
        return false;
    return read_one(parameter, kind, *raw, value) ||
           (kind == JSON_ARRAY && read_list_of_one(parameter, *raw, value));
}

static size_t find(const struct space *space, struct slice key)
{
    size_t i = 0;
    while (i < space->count && !slice_is(key, space->parameters[i].name))
        i++;
    return i;
}

static int read_values(const struct space *space, struct json *j, double *point, struct err *e)
{
    struct slice key, raw;
    while (json_key(j, &key)) {
        size_t i = find(space, key);
        if (i == space->count)
            return unknown(space, key, e);
        bool good = read_value(&space->parameters[i], j, &point[i], &raw);
        if (!good && !j->error)
            return space_wrong_value(&space->parameters[i], raw, e);
    }
    const char *wrong = json_close(j);
    return wrong ? err_set(e, ERR_USER, "it is not a JSON object: %s", wrong) : 0;
}

/* Constants may be missing, inactive parameters may be given; all others must be there. */
static int complete(const struct space *space, double *point, struct err *e)
{
    double *full = memory_new(space->count + 1, sizeof *full);
    size_t missing = space->count;
    for (size_t i = 0; i < space->count; i++)
        full[i] = isnan(point[i]) ? space_fallback(&space->parameters[i]) : point[i];
    space_deactivate(space, full);
    for (size_t i = 0; i < space->count && missing == space->count; i++)
        if (isnan(point[i]) && !isnan(full[i]) && space->parameters[i].kind != PARAMETER_CONSTANT)
            missing = i;
    memcpy(point, full, space->count * sizeof *point);
    free(full);
    if (missing == space->count)
        return 0;
    struct str range = {0};
    space_put_range(&space->parameters[missing], &range);
    err_set(e, ERR_USER, "parameter '%s' is missing: it is %s", space->parameters[missing].name,
            range.text);
    str_free(&range);
    return e->code;
}

static int finish(const struct space *space, double *point, struct err *e)
{
    if (complete(space, point, e))
        return e->code;
    if (!space_allowed(space, point))
        return err_set(e, ERR_USER,
                       "the study forbids this combination (see 'forbid' and 'constraints')");
    return 0;
}

int suggestion_read(const struct space *space, struct slice text, double *point, struct err *e)
{
    struct json j;
    for (size_t i = 0; i < space->count; i++)
        point[i] = NAN;
    json_open(&j, text.text, text.length);
    json_enter(&j, '{');
    return read_values(space, &j, point, e) ? e->code : finish(space, point, e);
}

/* ---- values without names ---- */

static bool is_constant(const struct parameter *parameter)
{
    return parameter->kind == PARAMETER_CONSTANT;
}

size_t suggestion_width(const struct space *space)
{
    size_t width = 0;
    for (size_t i = 0; i < space->count; i++)
        width += is_constant(&space->parameters[i]) ? 0 : 1;
    return width;
}

static size_t count_values(struct slice text)
{
    struct json j;
    size_t count = 0;
    json_open(&j, text.text, text.length);
    if (json_peek(&j) != JSON_ARRAY)
        return 1;
    for (json_enter(&j, '['); json_item(&j); count++)
        json_skip(&j);
    return count;
}

static int wrong_count(const struct space *space, size_t count, struct err *e)
{
    struct str names = {0};
    for (size_t i = 0; i < space->count && names.length < SUGGESTION_SHOWN; i++)
        if (!is_constant(&space->parameters[i]))
            str_printf(&names, "%s%s", names.length ? ", " : "", space->parameters[i].name);
    size_t width = suggestion_width(space);
    err_set(e, ERR_USER,
            "it has %zu value%s, but the space has %zu parameter%s (%s). Write the values in that "
            "order, or a JSON object",
            count, count == 1 ? "" : "s", width, width == 1 ? "" : "s", str_text(&names));
    str_free(&names);
    return e->code;
}

/* Reads the values of a row; returns how many are values of their parameters. */
static size_t read_row(const struct space *space, struct slice text, bool with_constants,
                       double *point, struct err *e)
{
    struct json j;
    struct slice raw;
    size_t good = 0;
    json_open(&j, text.text, text.length);
    bool is_list = json_peek(&j) == JSON_ARRAY;
    if (is_list)
        json_enter(&j, '[');
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        point[i] = NAN;
        if ((is_constant(parameter) && !with_constants) || (is_list && !json_item(&j)))
            continue;
        if (read_value(parameter, &j, &point[i], &raw))
            good += isnan(point[i]) ? 0 : 1;
        else if (e->code == 0)
            space_wrong_value(parameter, raw, e);
    }
    return good;
}

int suggestion_read_row(const struct space *space, struct slice text, double *point, struct err *e)
{
    size_t count = count_values(text);
    if (count != space->count && count != suggestion_width(space))
        return wrong_count(space, count, e);
    read_row(space, text, count == space->count, point, e);
    return e->code ? e->code : finish(space, point, e);
}

bool suggestion_resembles(const struct space *space, struct slice row)
{
    struct err ignored = {0};
    size_t count = count_values(row);
    if (count != space->count && count != suggestion_width(space))
        return false;
    double *point = memory_new(space->count + 1, sizeof *point);
    bool resembles = read_row(space, row, count == space->count, point, &ignored) > 0;
    free(point);
    return resembles;
}
