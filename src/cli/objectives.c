/* objectives.c - several scores, and constraints that a trial breaks, as people read them. */
#include "cli/cli.h"

#include <math.h>

void cli_add_objective(struct str *s, const struct study *study, size_t index)
{
    str_printf(s, "%s, %s is better", study_objective_name(study, index),
               study->search.maximize[index] ? "larger" : "smaller");
}

void cli_set_objectives(struct str *s, const struct study *study)
{
    json_set_array(s, "objectives");
    for (size_t i = 0; i < study_objectives(study); i++) {
        json_add_object(s);
        json_set_text(s, "name", study_objective_name(study, i));
        json_set_text(s, "direction", study_direction(study, i));
        json_end_object(s);
    }
    json_end_array(s);
}

void text_table_scores(struct text_table *table, const struct study *study)
{
    bool several = study_objectives(study) > 1;
    for (size_t i = 0; i < study_objectives(study); i++)
        text_table_column(table, several ? study_objective_name(study, i) : "score", CLI_RIGHT);
}

void text_table_score_cells(struct text_table *table, const struct journal *journal, size_t index)
{
    const double *scores = journal_scores(journal, index);
    struct str text = {0};
    for (size_t i = 0; i < study_objectives(&journal->study); i++) {
        str_clear(&text);
        cli_add_score(&text, scores[i]);
        text_table_cell(table, CLI_BOLD, text.text);
    }
    str_free(&text);
}

void cli_add_front(struct str *s, const struct journal *journal)
{
    const struct study *study = &journal->study;
    cli_add_count(s, journal->front_count, "trial");
    for (size_t k = 0; k < study_objectives(study) && journal->front_count > 0; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < journal->front_count; i++) {
            double score = journal_scores(journal, journal->front[i])[k];
            low = fmin(low, score);
            high = fmax(high, score);
        }
        str_printf(s, "%s%s ", k ? ", " : ": ", study_objective_name(study, k));
        cli_add_score(s, low);
        str_add(s, " to ");
        cli_add_score(s, high);
    }
}

void cli_add_broken(struct str *s, const struct study *study, const double *point,
                    const struct outcome *result)
{
    struct str text = {0};
    if (result->state != OUTCOME_DONE || !(result->violation > 0))
        return;
    outcome_add_broken(study, point, result, &text);
    str_add(s, "breaks: ");
    cli_add_safe(s, str_text(&text), text.length);
    str_free(&text);
}
