/* parameters.c - the section `space`: each parameter by itself. */
#include "study/read.h"

#include <math.h>

#define KINDS "float, int, log, choice, ordered or flag"

const char *const parameter_keys[] = {"float", "int",  "log",     "choice", "ordered", "flag",
                                      "step",  "when", "default", "levels", NULL};

/* The keys of a parameter, picked out. */
struct form {
    const struct node *kind; /* float, int, choice, ordered, flag, or log with a range */
    const struct node *log, *step, *levels;
};

/* ---- ranges ---- */

static bool read_bound(struct reader *reader, const struct node *item, bool whole, double *number)
{
    static const double largest = 1e300, largest_whole = 1e15;
    struct shown text = shown(item->text);
    if (item->kind != NODE_SCALAR) {
        mistake(reader->mistakes, item->place, "a number is expected here, not %s",
                node_kind_name(item));
        return false;
    }
    if (!decimal_number(item->text, number)) {
        mistake(reader->mistakes, item->place, "'%s' is not a number", text.text);
        return false;
    }
    if (whole && (*number != floor(*number) || fabs(*number) > largest_whole)) {
        mistake(reader->mistakes, item->place,
                fabs(*number) > largest_whole
                    ? "'%s' is too large: an int goes up to 10^15"
                    : "'%s' is not a whole number: use a float range, or whole numbers",
                text.text);
        return false;
    }
    bool good = *number == 0 || (fabs(*number) <= largest && fabs(*number) >= 1 / largest);
    if (!good)
        mistake(reader->mistakes, item->place,
                "'%s' is out of range: a number must be 0 or between 1e-300 and 1e300", text.text);
    return good;
}

static bool is_whole_text(const char *text)
{
    return text[strspn(text, "0123456789")] == 0;
}

static void read_range(struct reader *reader, struct parameter *parameter, const struct node *value)
{
    bool whole = parameter->kind == PARAMETER_INT;
    if (value->kind != NODE_LIST || value->count != 2) {
        mistake(reader->mistakes, value->place, "'%s' needs two numbers, as in %s: %s", value->key,
                value->key,
                whole            ? "[1, 5]"
                : parameter->log ? "[1e-5, 1e-1]"
                                 : "[0, 1]");
        return;
    }
    const struct node *low = value->first, *high = low->next;
    bool low_good = read_bound(reader, low, whole, &parameter->low);
    bool high_good = read_bound(reader, high, whole, &parameter->high);
    if (!low_good || !high_good)
        return;
    parameter->written_whole = is_whole_text(low->text) && is_whole_text(high->text);
    bool is_word = low->place.source->file[0] == 0;
    if (parameter->low > parameter->high)
        mistake(reader->mistakes, low->place,
                is_word ? "the range is the wrong way round: write %s..%s"
                        : "the range is the wrong way round: write [%s, %s]",
                shown(high->text).text, shown(low->text).text);
    else if (parameter->log && parameter->low <= 0)
        mistake(reader->mistakes, low->place,
                "a log range must be above 0, but this one starts at %s", shown(low->text).text);
}

static void read_step(struct reader *reader, struct parameter *parameter, const struct form *form)
{
    const struct node *value = form->step;
    double range = parameter->high - parameter->low, step;
    double magnitude = fmax(fabs(parameter->low), fabs(parameter->high));
    if (parameter->log) {
        mistake(reader->mistakes, value->key_place,
                "'log' and 'step' do not go together: leave one of them out");
        return;
    }
    if (!read_number(reader, value, &step))
        return;
    struct shown text = shown(value->text);
    if (step <= 0)
        mistake(reader->mistakes, value->place, "'step' must be above 0, not '%s'", text.text);
    else if (parameter->kind == PARAMETER_INT && step != floor(step))
        mistake(reader->mistakes, value->place,
                "the step of an int must be a whole number, not '%s'", text.text);
    else if (range > 0 && step > range)
        mistake(reader->mistakes, value->place, "the step %s is larger than the whole range",
                text.text);
    else if (fmax(range, magnitude) / step > 1e15) /* a double has 15 digits */
        mistake(reader->mistakes, value->place, "the step %s is too small for this range",
                text.text);
    else
        parameter->step = step;
}

/* ---- values ---- */

static bool read_value(struct reader *reader, const struct node *item, struct value *value)
{
    if (item->kind != NODE_SCALAR) {
        mistake(reader->mistakes, item->place,
                "a value must be text, a number, true, false or null, not %s: put it in quotes to "
                "pass it on as text",
                node_kind_name(item));
        return false;
    }
    if (item->plain && item->text[0] == 0) {
        mistake(reader->mistakes, item->place,
                "a value is missing here: write null, or \"\" for an empty text");
        return false;
    }
    value->kind = node_value_kind(item);
    value->text = value->kind == VALUE_NULL ? "null" : item->text;
    if (value->kind == VALUE_NUMBER)
        decimal_number(item->text, &value->number);
    return true;
}

static void read_values(struct reader *reader, struct parameter *parameter, const struct node *list)
{
    if (list->kind != NODE_LIST || list->count == 0) {
        mistake(reader->mistakes, list->place, "'%s' needs a list of values, as in %s: %s",
                list->key, list->key, parameter->bare ? "[true, false]" : "[a, b, c]");
        return;
    }
    if (list->count > READ_VALUES) {
        mistake(reader->mistakes, list->place, "'%s' has more than %d values", list->key,
                READ_VALUES);
        return;
    }
    parameter->values = arena_new(&reader->study->arena, list->count, sizeof *parameter->values);
    for (const struct node *item = list->first; item; item = item->next)
        if (read_value(reader, item, &parameter->values[parameter->value_count]))
            parameter->value_count++;
}

/* A flag is a choice of true and false, or one of the two. */
static void check_flag(struct reader *reader, const struct parameter *parameter,
                       const struct node *list)
{
    for (size_t i = 0; i < parameter->value_count; i++)
        if (parameter->values[i].kind != VALUE_BOOL) {
            mistake(reader->mistakes, list->place,
                    "a flag is true or false, as in flag: [true, false]: write choice: [...] for "
                    "other values");
            return;
        }
}

/*
 * Reports values that a program could not distinguish: the same text, or the same JSON. Needs the
 * index.
 */
static void check_values(struct reader *reader, const struct parameter *parameter,
                         const struct node *written)
{
    static const char *const kinds[] = {"choice", "ordered", "flag", NULL};
    const struct node *list = NULL;
    for (size_t i = 0; kinds[i] && !list; i++)
        list = node_find(written, kinds[i]);
    if (!list || parameter->value_count != list->count)
        return;
    const struct node *item = list->first;
    for (size_t i = 0; i < parameter->value_count; i++, item = item->next) {
        const struct value *value = &parameter->values[i];
        double same;
        int64_t first = map_find(&parameter->value_index, slice_of(value->json));
        if (space_read_text(parameter, value->text, &same) && (size_t)same < i &&
            strcmp(parameter->values[(size_t)same].text, value->text) == 0)
            first = (int64_t)same;
        if (first < (int64_t)i)
            mistake(reader->mistakes, item->place, "the value '%s' is listed twice",
                    shown(value->text).text);
    }
}

/* A range in the form of the command line would be taken as text here. */
static bool looks_like_range(const char *text)
{
    struct slice low, high;
    bool has_kind = strncmp(text, "log:", 4) == 0 || strncmp(text, "int:", 4) == 0;
    return number_pair(slice_of(has_kind ? text + 4 : text), "..", &low, &high);
}

static void read_constant(struct reader *reader, struct parameter *parameter,
                          const struct node *value)
{
    parameter->kind = PARAMETER_CONSTANT;
    parameter->values = arena_new(&reader->study->arena, 1, sizeof *parameter->values);
    if (value->kind == NODE_LIST)
        mistake(reader->mistakes, value->place,
                "'%s' is a list: write {choice: [...]} to choose one of its values, or put it in "
                "quotes to pass it on as text",
                parameter->name);
    else if (value->plain && value->text[0] == 0)
        mistake(reader->mistakes, value->key_place,
                "'%s' has no value: give a constant, or one of " KINDS, parameter->name);
    else if (value->plain && looks_like_range(value->text))
        mistake(reader->mistakes, value->place,
                "'%s' is a range as on the command line: in a study file, write {float: [0, 1]}, "
                "{int: [1, 5]} or {log: [1e-5, 1e-1]}",
                shown(value->text).text);
    else if (value->plain && call_elsewhere(value->text, false))
        mistake(reader->mistakes, value->place, "'%s' is a range of another tool: write {%s}",
                shown(value->text).text, call_elsewhere(value->text, false));
    else
        parameter->value_count = read_value(reader, value, parameter->values);
}

/* ---- the forms of a parameter ---- */

/* True if the key says of which kind the parameter is; `log: true` only sets its scale. */
static bool is_kind(const struct node *item)
{
    if (strcmp(item->key, "log") == 0)
        return item->kind == NODE_LIST;
    size_t at = 0;
    while (at < PARAMETER_KINDS && strcmp(parameter_keys[at], item->key) != 0)
        at++;
    return at < PARAMETER_KINDS;
}

static void second_kind(struct reader *reader, const struct node *item, const struct node *map,
                        const struct node *first)
{
    mistake(reader->mistakes, item->key_place,
            strcmp(item->key, "log") == 0 ? "'%s' already has '%s': write log: true for a log scale"
                                          : "'%s' already has '%s': leave one of the two out",
            map->key, first->key);
}

/* Reports an unknown key; of those of another tool, which come together, only the first. */
static void unknown_key(struct reader *reader, const struct node *map, const struct node *item,
                        bool *unknown)
{
    const char *here = kind_elsewhere(item->key, false);
    if (here && !*unknown)
        mistake(reader->mistakes, item->key_place, "unknown key '%s': write %s",
                shown(item->key).text, here);
    else if (!here && !is_misplaced(reader, map, item))
        unknown_word(reader, item->key_place, "key", item->key, parameter_keys);
    *unknown = true;
}

/* Collects the keys; false if the parameter has no kind, or more than one. */
static bool pick_form(struct reader *reader, const struct node *map, struct form *form)
{
    bool good = true, unknown = false;
    for (const struct node *item = map->first; item; item = item->next) {
        if (is_kind(item) && form->kind) {
            second_kind(reader, item, map, form->kind);
            good = false;
        } else if (is_kind(item)) {
            form->kind = item;
        } else if (!is_one_of(item->key, parameter_keys)) {
            unknown_key(reader, map, item, &unknown);
        }
    }
    const struct node *log = node_find(map, "log");
    form->log = log && !is_kind(log) ? log : NULL;
    form->step = node_find(map, "step");
    form->levels = node_find(map, "levels");
    if (!form->kind && !unknown)
        mistake(reader->mistakes, map->key_place, "'%s' has no kind: give it one of " KINDS,
                map->key);
    return good && form->kind;
}

/* Reports a key that does not go with the kind. */
static void refuse(struct reader *reader, const struct node *key, const struct node *kind)
{
    if (key)
        mistake(reader->mistakes, key->key_place, "'%s' does not go with '%s'", key->key,
                kind->key);
}

static void read_number_form(struct reader *reader, struct parameter *parameter,
                             const struct form *form)
{
    const char *kind = form->kind->key;
    parameter->kind = strcmp(kind, "int") == 0 ? PARAMETER_INT : PARAMETER_FLOAT;
    parameter->log = strcmp(kind, "log") == 0;
    if (parameter->log)
        refuse(reader, form->log, form->kind);
    else if (form->log)
        read_bool(reader, form->log, &parameter->log);
    size_t before = reader->mistakes->count;
    read_range(reader, parameter, form->kind);
    if (form->step && reader->mistakes->count == before)
        read_step(reader, parameter, form);
    if (form->levels && (parameter->kind == PARAMETER_INT || form->step))
        mistake(reader->mistakes, form->levels->key_place,
                "'levels' is only for a float without a step");
    else if (form->levels)
        read_whole(reader, form->levels, 1, READ_VALUES, &parameter->levels);
}

static void read_map_form(struct reader *reader, struct parameter *parameter,
                          const struct node *map)
{
    struct form form = {0};
    if (!pick_form(reader, map, &form))
        return;
    bool ordered = strcmp(form.kind->key, "ordered") == 0;
    parameter->bare = strcmp(form.kind->key, "flag") == 0;
    if (!ordered && !parameter->bare && strcmp(form.kind->key, "choice") != 0) {
        read_number_form(reader, parameter, &form);
        return;
    }
    parameter->kind = ordered ? PARAMETER_ORDERED : PARAMETER_CHOICE;
    refuse(reader, form.log, form.kind);
    refuse(reader, form.step, form.kind);
    refuse(reader, form.levels, form.kind);
    read_values(reader, parameter, form.kind);
    if (parameter->bare)
        check_flag(reader, parameter, form.kind);
}

static bool check_parameter_name(struct reader *reader, const struct node *item)
{
    if (!is_name(item->key, ".-") || strlen(item->key) > READ_NAME) {
        mistake(reader->mistakes, item->key_place,
                "'%s' cannot be the name of a parameter: use letters, digits, _ . and -, at most "
                "%d, with a letter or _ first",
                shown(item->key).text, READ_NAME);
        return false;
    }
    if (is_built_in(item->key)) {
        mistake(reader->mistakes, item->key_place,
                "a parameter cannot be called '%s': {%s} has its own meaning in commands",
                item->key, item->key);
        return false;
    }
    return true;
}

static void read_parameters(struct reader *reader, const struct node *map)
{
    struct arena *arena = &reader->study->arena;
    struct space *space = &reader->study->space;
    if (map->count > READ_PARAMETERS) {
        mistake(reader->mistakes, map->place, "there are more than %d parameters", READ_PARAMETERS);
        return;
    }
    space->parameters = arena_new(arena, map->count, sizeof *space->parameters);
    reader->parameters = map;
    for (const struct node *item = map->first; item; item = item->next) {
        if (is_no_parameter(reader, item) || !check_parameter_name(reader, item))
            continue;
        struct parameter *parameter = &space->parameters[space->count++];
        *parameter =
            (struct parameter){.name = item->key, .kind = PARAMETER_CONSTANT, .fallback = NAN};
        if (item->wrong && item->kind == NODE_SCALAR)
            continue;
        if (item->kind == NODE_MAP)
            read_map_form(reader, parameter, item);
        else
            read_constant(reader, parameter, item);
    }
}

/* ---- spaces of functions ---- */

/* The space of a built-in function. */
static const struct node *own_space(struct reader *reader, const struct function *function)
{
    struct arena *arena = &reader->study->arena;
    struct source *source = arena_new(arena, 1, sizeof *source);
    *source = (struct source){arena_printf(arena, "the function %s", function->name),
                              function->space, strlen(function->space)};
    return node_read_yaml(arena, source, reader->mistakes);
}

static bool is_numeric(const struct parameter *parameter)
{
    for (size_t i = 0; i < parameter->value_count; i++)
        if (parameter->values[i].kind != VALUE_NUMBER)
            return false;
    return true;
}

/* True if the function can use this space: see struct function. */
static bool has_inputs(const struct space *space, const struct function *function)
{
    size_t named = 0, numeric = 0;
    if (function->inputs == 0)
        return space->count >= function->least;
    for (size_t i = 0; i < function->inputs; i++)
        named += space_find(space, function->names[i]) != NULL;
    for (size_t i = 0; i < space->count; i++)
        numeric += is_numeric(&space->parameters[i]);
    return named == function->inputs ||
           (numeric == space->count && space->count == function->inputs);
}

void check_inputs(struct reader *reader)
{
    const struct function *function = reader->study->model.function;
    struct str names = {0};
    if (!function || reader->mistakes->count > 0 || has_inputs(&reader->study->space, function))
        return;
    struct place place = reader->space ? reader->space->key_place : reader->function->place;
    const char *instead = reader->upf ? "" : ": leave 'space' out to use its own";
    for (size_t i = 0; i < function->inputs; i++)
        str_printf(&names, "%s%s", i ? ", " : "", function->names[i]);
    if (function->inputs > 0)
        mistake(reader->mistakes, place,
                "the function '%s' takes the parameters %s, or %zu numbers with other names%s",
                function->name, shown(str_text(&names)).text, function->inputs, instead);
    else
        mistake(reader->mistakes, place, "the function '%s' takes at least %zu parameters%s",
                function->name, function->least, instead);
    str_free(&names);
}

void read_space(struct reader *reader)
{
    const struct function *function = reader->study->model.function;
    const struct node *map = reader->space;
    size_t unused;
    if (!map && function)
        map = own_space(reader, function);
    if (!map || map->kind != NODE_MAP)
        return;
    read_parameters(reader, map);
    struct space *space = &reader->study->space;
    space_finish(space, &reader->study->arena, &unused);
    for (size_t i = 0; i < space->count; i++)
        check_values(reader, &space->parameters[i], node_find(map, space->parameters[i].name));
}
