/* constraints.c - the key `constraints`: conditions on parameters and metrics. */
#include "study/read.h"

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
