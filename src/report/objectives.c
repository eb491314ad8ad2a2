/* objectives.c - several scores and broken constraints, as the columns of a page. */
#include "report/objectives.h"

#include <math.h>

static void put_comma(struct str *column)
{
    if (column->length > 0)
        str_add_char(column, ',');
}

static void put_score(struct str *column, double score)
{
    put_comma(column);
    if (isnan(score))
        str_add(column, "null");
    else
        str_printf(column, "%.6g", score);
}

/* The place of what a trial breaks; most trials break the same few things. */
static uint32_t place_of(struct objectives *o, const double *point, const struct outcome *result)
{
    struct str text = {0};
    outcome_add_broken(&o->journal->study, point, result, &text);
    int64_t place = map_find(&o->places, (struct slice){str_text(&text), text.length});
    if (place == MAP_NONE) {
        const char *copy = arena_copy(&o->arena, str_text(&text), text.length);
        place = (int64_t)o->places.count;
        map_add(&o->places, slice_of(copy), (uint32_t)place);
        put_comma(&o->texts);
        json_put_string(&o->texts, copy, text.length);
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
        put_score(&o->scores[i], journal_scores(journal, index)[i]);
    if (journal->scores) {
        put_comma(&o->front);
        str_add_char(&o->front, trial->on_front ? '1' : '0');
    }
    if (journal->study.measured_count == 0)
        return;
    put_comma(&o->broken);
    if (trial->state == OUTCOME_DONE && trial->violation > 0)
        str_printf(&o->broken, "%u", place_of(o, point, result));
    else
        str_add(&o->broken, "null");
}

void objectives_put_columns(const struct objectives *o, struct str *s)
{
    str_add(s, ",\"scores\":[");
    for (size_t i = 0; i < SEARCH_OBJECTIVES && o->scores[i].length > 0; i++)
        str_printf(s, "%s[%s]", i ? "," : "", o->scores[i].text);
    str_printf(s, "],\"front\":[%s],\"broken\":[%s]", str_text(&o->front), str_text(&o->broken));
}

void objectives_put_names(const struct objectives *o, struct str *s)
{
    const struct study *study = &o->journal->study;
    size_t count = study_objectives(study);
    str_add(s, ",\"objectives\":[");
    for (size_t i = 0; i < count && count > 1; i++) {
        const char *name = study_objective_name(study, i);
        str_add(s, i ? ",{\"name\":" : "{\"name\":");
        json_put_string(s, name, strlen(name));
        str_printf(s, ",\"maximize\":%s}", study->search.maximize[i] ? "true" : "false");
    }
    str_printf(s, "],\"broken\":[%s]", str_text(&o->texts));
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
