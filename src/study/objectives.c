/* objectives.c - what is optimised: `score` and `direction`, one of each or a list. */
#include "study/read.h"

/* The items of a value that is a single item or a list; *count is their number. */
static const struct node *items_of(const struct node *value, size_t *count)
{
    *count = value->kind == NODE_LIST ? value->count : 1;
    return value->kind == NODE_LIST ? value->first : value;
}

/* ---- names ---- */

/* A function with several scores has names for them; with one score, any name will do. */
static void check_function(struct reader *reader, const struct node *item, const char *name)
{
    const struct function *function = reader->study->model.function;
    if (function && function->scores && !is_one_of(name, function->scores))
        unknown_word(reader, item->place, "score", name, function->scores);
}

static bool is_list_of_names(struct reader *reader)
{
    const struct node *value = reader->score;
    const struct function *function = reader->study->model.function;
    bool list = value->kind == NODE_LIST;
    if (value->kind == NODE_MAP || (list && value->count == 0) ||
        (list && value->count > SEARCH_OBJECTIVES))
        mistake(reader->mistakes, value->place,
                "'score' must be a name, or a list of at most %d names, as in score: [loss, size]",
                SEARCH_OBJECTIVES);
    else if (list && value->count > 1 && function && !function->scores)
        mistake(reader->mistakes, value->place, "the function '%s' has only one score",
                function->name);
    else
        return true;
    return false;
}

static void read_names(struct reader *reader)
{
    struct study_model *model = &reader->study->model;
    size_t count;
    const struct node *item = items_of(reader->score, &count);
    if (!is_list_of_names(reader))
        return;
    for (size_t i = 0; i < count; i++, item = item->next) {
        if (!read_metric(reader, item, &model->scores[i]))
            return;
        check_function(reader, item, model->scores[i]);
        for (size_t k = 0; k < i; k++)
            if (strcmp(model->scores[k], model->scores[i]) == 0)
                mistake(reader->mistakes, item->place, "the score '%s' is listed twice",
                        shown(model->scores[i]).text);
    }
    model->score = model->scores[0];
    reader->study->search.objectives = count;
}

/* Takes all scores of a function if the study names none. */
static void take_names(struct study *study)
{
    const struct function *function = study->model.function;
    size_t count = 0;
    for (; function->scores[count] && count < SEARCH_OBJECTIVES; count++)
        study->model.scores[count] = function->scores[count];
    study->model.score = study->model.scores[0];
    study->search.objectives = count;
}

/* ---- directions ---- */

static void read_directions(struct reader *reader)
{
    static const char *const words[] = {"minimize", "maximize", NULL};
    const struct node *value = reader->direction;
    bool *maximize = reader->study->search.maximize;
    size_t count, index = 0, objectives = study_objectives(reader->study);
    if (value->kind == NODE_LIST && value->count != objectives) {
        mistake(reader->mistakes, value->place,
                "'direction' must be one word, or one per score, of which there %s %zu",
                objectives == 1 ? "is" : "are", objectives);
        return;
    }
    const struct node *item = items_of(value, &count);
    for (size_t i = 0; i < objectives; i++) {
        struct node named = *item; /* an item of a list has no key to name in a message */
        named.key = value->key;
        if (i < count && !read_word(reader, &named, words, &index))
            return;
        maximize[i] = index == 1;
        item = i + 1 < count ? item->next : item;
    }
}

static void check_room(struct reader *reader)
{
    size_t count = study_objectives(reader->study) - 1;
    for (const char *const *name = reader->study->model.metrics; name && *name; name++)
        count++;
    if (count > READ_METRICS)
        mistake(reader->mistakes, reader->score->place,
                "'score' and 'metrics' together have more than %d names", READ_METRICS + 1);
}

void read_objectives(struct reader *reader)
{
    struct study *study = reader->study;
    if (reader->score)
        read_names(reader);
    else if (study->model.function && study->model.function->scores)
        take_names(study);
    if (reader->direction)
        read_directions(reader);
    study->model.maximize = study->search.maximize[0];
    if (study_objectives(study) > 1 && reader->score)
        check_room(reader);
}
