/*
 * conditions.c - values of parameters in other places: defaults, `when`, `forbid`; and conditions
 * on parameters and metrics: `constraints`.
 */
#include "study/read.h"

#include <math.h>

/* ---- values ---- */

static void not_in_range(struct reader *reader, const struct parameter *parameter,
                         const struct node *item)
{
    struct str text = {0};
    str_add_number(&text, parameter->low);
    str_add(&text, " to ");
    str_add_number(&text, parameter->high);
    if (parameter->step > 0) {
        str_add(&text, " in steps of ");
        str_add_number(&text, parameter->step);
    }
    mistake(reader->mistakes, item->place, "%s is not a value of '%s', which goes from %s",
            shown(item->text).text, parameter->name, text.text);
    str_free(&text);
}

static void not_a_value(struct reader *reader, const struct parameter *parameter,
                        struct place place, const char *text)
{
    enum { FEW = 1000 };
    const char *values[FEW + 1];
    bool seen = reader->mistakes->count < ERR_LIST_LIMIT; /* later ones are only counted */
    size_t count = !seen ? 0 : parameter->value_count < FEW ? parameter->value_count : FEW;
    for (size_t i = 0; i < count; i++)
        values[i] = parameter->values[i].text;
    values[count] = NULL;
    mistake(reader->mistakes, place, "'%s' is not a value of '%s': %s", shown(text).text,
            parameter->name, advice(reader, text, values).text);
}

/* Reads a value of a parameter; `null` may also be written as ~. */
static bool read_coded(struct reader *reader, const struct parameter *parameter,
                       const struct node *item, double *coded)
{
    if (item->kind != NODE_SCALAR || (item->plain && item->text[0] == 0)) {
        mistake(reader->mistakes, item->place, "a value of '%s' is expected here, not %s",
                parameter->name, item->kind == NODE_SCALAR ? "nothing" : node_kind_name(item));
        return false;
    }
    const char *text = node_value_kind(item) == VALUE_NULL ? "null" : item->text;
    if (space_read_text(parameter, text, coded))
        return true;
    if (parameter->kind == PARAMETER_FLOAT || parameter->kind == PARAMETER_INT) {
        not_in_range(reader, parameter, item);
        return false;
    }
    not_a_value(reader, parameter, item->place, text);
    return false;
}

/* A parameter with a mistake has no values to compare with. */
static bool is_usable(const struct parameter *parameter)
{
    return parameter->value_count > 0 || parameter->kind == PARAMETER_FLOAT ||
           parameter->kind == PARAMETER_INT;
}

/* Reads one `parameter: value` or `parameter: [values]`; false on a mistake. */
static bool read_clause(struct reader *reader, const struct node *item, struct clause *clause)
{
    struct space *space = &reader->study->space;
    const struct parameter *parameter = space_find(space, item->key);
    if (!parameter) {
        unknown_word(reader, item->key_place, "parameter", item->key, parameter_names(reader));
        return false;
    }
    size_t count = item->kind == NODE_LIST ? item->count : 1;
    double *values = arena_new(&reader->study->arena, count, sizeof *values);
    *clause = (struct clause){(size_t)(parameter - space->parameters), values, 0};
    if (!is_usable(parameter))
        return false;
    if (isinf(space_levels(parameter)) && !reader->is_restored) {
        mistake(reader->mistakes, item->place,
                "'%s' is a float, which rarely has exactly this value: give it a step, or make it "
                "a choice",
                parameter->name);
        return false;
    }
    if (item->kind == NODE_LIST && count == 0) {
        mistake(reader->mistakes, item->place, "this list needs a value of '%s'", parameter->name);
        return false;
    }
    for (const struct node *one = item->kind == NODE_LIST ? item->first : item; one;
         one = item->kind == NODE_LIST ? one->next : NULL)
        if (read_coded(reader, parameter, one, &values[clause->count]))
            clause->count++;
    return clause->count == count;
}

static size_t read_clauses(struct reader *reader, const struct node *map, struct clause **clauses)
{
    size_t count = 0;
    *clauses = arena_new(&reader->study->arena, map->count, sizeof **clauses);
    for (const struct node *item = map->first; item; item = item->next)
        count += read_clause(reader, item, &(*clauses)[count]);
    return count;
}

/* ---- where values are used ---- */

static void read_parameter(struct reader *reader, struct parameter *parameter)
{
    const struct node *written = node_find(reader->parameters, parameter->name);
    const struct node *when = node_find(written, "when");
    const struct node *fallback = node_find(written, "default");
    if (when && read_map_of(reader, when, "when: {optimizer: sgd}"))
        parameter->when_count = read_clauses(reader, when, &parameter->when);
    if (fallback && is_usable(parameter))
        read_coded(reader, parameter, fallback, &parameter->fallback);
}

static void read_combination(struct reader *reader, const struct node *item,
                             struct forbidden *forbidden)
{
    if (item->kind == NODE_MAP && item->count > 0)
        forbidden->count = read_clauses(reader, item, &forbidden->clauses);
    else
        mistake(reader->mistakes, item->place,
                "a forbidden combination must be a mapping, as in - {optimizer: sgd, layers: 5}");
}

static void read_forbid(struct reader *reader)
{
    const struct node *list = reader->forbid;
    struct space *space = &reader->study->space;
    if (list->kind != NODE_LIST || list->count == 0) {
        mistake(reader->mistakes, list->place,
                "'forbid' must be a list of combinations, as in forbid: [{optimizer: sgd, layers: "
                "5}]");
        return;
    }
    if (list->count > READ_COMBINATIONS) {
        mistake(reader->mistakes, list->place, "'forbid' has more than %d combinations",
                READ_COMBINATIONS);
        return;
    }
    space->forbidden = arena_new(&reader->study->arena, list->count, sizeof *space->forbidden);
    for (const struct node *item = list->first; item; item = item->next)
        read_combination(reader, item, &space->forbidden[space->forbidden_count++]);
}

static void check_forbid(struct reader *reader)
{
    bool known = reader->mistakes->count == 0 && !reader->is_restored;
    if (known && reader->forbid && !search_has_point(&reader->study->space))
        mistake(reader->mistakes, reader->forbid->key_place,
                "'forbid' leaves nothing to try: all combinations are forbidden, or nearly all");
}

void read_conditions(struct reader *reader)
{
    struct space *space = &reader->study->space;
    size_t circle = 0;
    for (size_t i = 0; i < space->count && reader->parameters; i++)
        read_parameter(reader, &space->parameters[i]);
    if (reader->forbid)
        read_forbid(reader);
    if (space_finish(space, &reader->study->arena, &circle) == 0) {
        check_forbid(reader);
        return;
    }
    const char *name = space->parameters[circle].name;
    const struct node *written = node_find(reader->parameters, name);
    mistake(reader->mistakes, node_find(written, "when")->key_place,
            "the conditions are circular: '%s' would depend on itself", name);
}

/* ---- constraints ---- */

/* What a constraint may name besides parameters: scores, metrics, and the outputs of a function. */
static const char *const *list_measures(struct reader *reader)
{
    const struct study *study = reader->study;
    const char *const *lists[] = {study->model.metrics,
                                  study->model.function ? study->model.function->scores : NULL};
    size_t count = study_objectives(study), most = count;
    for (size_t i = 0; i < 2; i++)
        for (const char *const *name = lists[i]; name && *name; name++)
            most++;
    const char **names = arena_new(&reader->study->arena, most + 1, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = study_objective_name(study, i);
    for (size_t i = 0; i < 2; i++)
        for (const char *const *name = lists[i]; name && *name; name++)
            if (!is_one_of(*name, names))
                names[count++] = *name;
    return names;
}

static void read_constraint(struct reader *reader, const struct node *item)
{
    struct study *study = reader->study;
    struct err e = {0};
    const char *text;
    size_t offset;
    if (!read_text(reader, item, &text))
        return;
    struct expression *expression =
        expression_compile(&study->space, study->measures, text, &study->arena, &offset, &e);
    if (!expression)
        mistake(reader->mistakes, place_inside(item, offset), "%s", e.message);
    else if (expression_is_measured(expression))
        study->measured[study->measured_count++] = expression;
    else
        study->space.constraints[study->space.constraint_count++] = expression;
}

static bool is_list(struct reader *reader, const struct node *value)
{
    if (value->kind == NODE_LIST && value->count > READ_CONSTRAINTS)
        mistake(reader->mistakes, value->place, "'constraints' has more than %d conditions",
                READ_CONSTRAINTS);
    else if (value->kind == NODE_MAP || value->count == 0)
        mistake(reader->mistakes, value->place,
                "'constraints' must be a list of conditions, as in constraints: [layers * width <= "
                "4096]");
    else
        return true;
    return false;
}

static void check_empty(struct reader *reader)
{
    const struct space *space = &reader->study->space;
    bool known = reader->mistakes->count == 0 && !reader->is_restored;
    if (known && space->constraint_count > 0 && !search_has_point(space))
        mistake(reader->mistakes, reader->constraints->key_place,
                "the constraints leave nothing to try%s: no combination satisfies all of them, or "
                "hardly any does",
                space->forbidden_count > 0 ? ", together with 'forbid'" : "");
}

void read_constraints(struct reader *reader)
{
    struct study *study = reader->study;
    const struct node *value = reader->constraints;
    if (!value || !is_list(reader, value))
        return;
    study->measures = list_measures(reader);
    study->measured = arena_new(&study->arena, value->count, sizeof *study->measured);
    study->space.constraints = arena_new(&study->arena, value->count, sizeof(struct expression *));
    for (const struct node *item = value->first; item; item = item->next)
        read_constraint(reader, item);
    check_empty(reader);
}
