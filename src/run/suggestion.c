/*
 * suggestion.c - what a program suggests becomes a point of the space.
 *
 * Programs write numbers in many ways: 3.0 for a whole number, "32" for 32, True for true. All of
 * them are taken where they mean a value of the parameter. What has no meaning is refused: a trial
 * with other hyperparameters than the program thinks would mislead it.
 */
#include "run/steer.h"

#include <math.h>

static int unknown(const struct space *space, struct slice key, struct err *e)
{
    char word[65];
    snprintf(word, sizeof word, "%.*s", (int)(key.length < 64 ? key.length : 64), key.text);
    const char **names = memory_new(space->count + 1, sizeof *names);
    for (size_t i = 0; i < space->count; i++)
        names[i] = space->parameters[i].name;
    const char *nearest = str_nearest(word, names);
    free(names);
    if (nearest)
        return err_set(e, ERR_USER, "unknown parameter '%s': did you mean '%s'?", word, nearest);
    return err_set(e, ERR_USER,
                   "unknown parameter '%s': add it to the space of the study, as a range or as a "
                   "constant (%s: 1)",
                   word, word);
}

static int wrong_value(const struct parameter *parameter, struct slice raw, struct err *e)
{
    struct str range = {0};
    space_put_range(parameter, &range);
    err_set(e, ERR_USER, "parameter '%s' cannot be %.*s: it is %s", parameter->name,
            (int)(raw.length < STEER_SHOWN ? raw.length : STEER_SHOWN), raw.text, range.text);
    str_free(&range);
    return e->code;
}

/* NaN in *value: null, which is how some programs say that a parameter is not there. */
static bool read_value(const struct parameter *parameter, struct json *j, double *value,
                       struct slice *raw)
{
    struct str text = {0};
    struct json again;
    enum json_kind kind = json_peek(j);
    *raw = json_raw(j);
    if (j->error)
        return false;
    json_open(&again, raw->text, raw->length);
    if (kind == JSON_STRING)
        json_string(&again, &text);
    else
        str_add_bytes(&text, raw->text, raw->length);
    bool good = space_read_text(parameter, str_text(&text), value);
    if (!good && kind == JSON_NULL) {
        *value = NAN;
        good = true;
    }
    str_free(&text);
    return good;
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
            return wrong_value(&space->parameters[i], raw, e);
    }
    const char *wrong = json_close(j);
    return wrong ? err_set(e, ERR_USER, "it is not a JSON object: %s", wrong) : 0;
}

/* Constants need not be given, and what is not active may be: the rest must be there. */
static int complete(const struct space *space, double *point, struct err *e)
{
    double *full = memory_new(space->count + 1, sizeof *full);
    size_t missing = space->count;
    for (size_t i = 0; i < space->count; i++)
        full[i] = isnan(point[i]) ? wishes_default(&space->parameters[i]) : point[i];
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

int suggestion_read(const struct space *space, struct slice text, double *point, struct err *e)
{
    struct json j;
    for (size_t i = 0; i < space->count; i++)
        point[i] = NAN;
    json_open(&j, text.text, text.length);
    json_enter(&j, '{');
    if (read_values(space, &j, point, e) || complete(space, point, e))
        return e->code;
    if (!space_allowed(space, point))
        return err_set(e, ERR_USER,
                       "the study forbids this combination (see 'forbid' and 'constraints')");
    return 0;
}
