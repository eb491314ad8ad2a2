/* columns.c - metrics, several scores and violated constraints, as the columns of a page. */
#include "report/columns.h"

#include <math.h>

void columns_add_number(struct str *column, double number)
{
    if (!isfinite(number))
        json_add_null(column);
    else if (number == floor(number) && fabs(number) < 1e15)
        json_add_number(column, number);
    else
        json_add_printf(column, "%.6g", number);
}

/* ---- metrics ---- */

double metrics_find(const struct outcome *result, const char *name)
{
    for (size_t i = 0; i < result->metric_count; i++)
        if (strcmp(result->metrics[i].name, name) == 0)
            return result->metrics[i].value;
    return NAN;
}

/* Makes room for a new name: earlier rows have no value for it. */
static void add_name(struct metrics *metrics, const char *name)
{
    for (size_t i = 0; i < metrics->count; i++)
        if (strcmp(metrics->names[i], name) == 0)
            return;
    if (metrics->count == METRICS_MOST)
        return;
    snprintf(metrics->names[metrics->count], sizeof metrics->names[0], "%s", name);
    for (size_t i = 0; i < metrics->rows; i++)
        columns_add_number(&metrics->columns[metrics->count], NAN);
    metrics->count++;
}

void metrics_add(struct metrics *metrics, const struct outcome *result, const char *score)
{
    for (size_t i = 0; i < result->metric_count; i++)
        if (strcmp(result->metrics[i].name, score) != 0)
            add_name(metrics, result->metrics[i].name);
    for (size_t i = 0; i < metrics->count; i++)
        columns_add_number(&metrics->columns[i], metrics_find(result, metrics->names[i]));
    metrics->rows++;
}

void metrics_free(struct metrics *metrics)
{
    for (size_t i = 0; i < metrics->count; i++)
        str_free(&metrics->columns[i]);
    *metrics = (struct metrics){0};
}

/* ---- objectives and constraints ---- */

/* The index of the text for what a trial violates; most trials violate the same few constraints. */
static uint32_t place_of(struct objectives *o, const double *point, const struct outcome *result)
{
    struct str text = {0};
    outcome_add_broken(&o->journal->study, point, result, &text);
    int64_t place = map_find(&o->places, (struct slice){str_text(&text), text.length});
    if (place == MAP_NONE) {
        const char *copy = arena_copy(&o->arena, str_text(&text), text.length);
        place = (int64_t)o->places.count;
        map_add(&o->places, slice_of(copy), (uint32_t)place);
        json_add_string(&o->texts, copy, text.length);
    }
    str_free(&text);
    return (uint32_t)place;
}

void objectives_add(struct objectives *o, size_t index, const double *point,
                    const struct outcome *result)
{
    const struct journal *journal = o->journal;
    const struct journal_trial *trial = &journal->trials[index];
    for (size_t i = 0; i < study_objectives(&journal->study) && journal->scores; i++)
        columns_add_number(&o->scores[i], journal_scores(journal, index)[i]);
    if (journal->scores)
        json_add_whole(&o->front, trial->on_front);
    if (journal->study.measured_count == 0)
        return;
    if (trial->state == OUTCOME_DONE && trial->violation > 0)
        json_add_whole(&o->broken, place_of(o, point, result));
    else
        json_add_null(&o->broken);
}

static void set_column(struct str *s, const char *key, const struct str *column)
{
    json_set_array(s, key);
    str_add(s, str_text(column));
    json_end_array(s);
}

void objectives_put_columns(const struct objectives *o, struct str *s)
{
    json_set_array(s, "scores");
    for (size_t i = 0; i < SEARCH_OBJECTIVES && o->scores[i].length > 0; i++) {
        json_add_array(s);
        str_add(s, o->scores[i].text);
        json_end_array(s);
    }
    json_end_array(s);
    set_column(s, "front", &o->front);
    set_column(s, "broken", &o->broken);
}

void objectives_put_names(const struct objectives *o, struct str *s)
{
    const struct study *study = &o->journal->study;
    size_t count = study_objectives(study);
    json_set_array(s, "objectives");
    for (size_t i = 0; i < count && count > 1; i++) {
        json_add_object(s);
        json_set_text(s, "name", study_objective_name(study, i));
        json_set_bool(s, "maximize", study->search.maximize[i]);
        json_end_object(s);
    }
    json_end_array(s);
    set_column(s, "broken", &o->texts);
}

void objectives_free(struct objectives *o)
{
    for (size_t i = 0; i < SEARCH_OBJECTIVES; i++)
        str_free(&o->scores[i]);
    str_free(&o->front);
    str_free(&o->broken);
    str_free(&o->texts);
    map_free(&o->places);
    arena_free(&o->arena);
}
