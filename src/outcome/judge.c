/* judge.c - whether an outcome has all that the study asks for, and keeps its constraints. */
#include "outcome/outcome.h"

#include <math.h>

/* The value of a score or metric; NaN when the trial gave none. */
static double measured(const struct study *study, const struct outcome *outcome, const char *name,
                       bool *given)
{
    *given = true;
    if (strcmp(name, study_score_name(&study->model)) == 0)
        return outcome->score;
    for (size_t i = 0; i < outcome->metric_count; i++)
        if (strcmp(outcome->metrics[i].name, name) == 0)
            return outcome->metrics[i].value;
    *given = false;
    return NAN;
}

static void fail(struct outcome *outcome, enum outcome_state state, const char *format,
                 const char *name)
{
    outcome->state = state;
    outcome->score = NAN;
    outcome->score_count = 0;
    outcome->violation = 0;
    snprintf(outcome->reason, sizeof outcome->reason, format, name);
}

/* Collects the scores; when one is missing, the trial has failed, and it returns false. */
static bool take_scores(const struct study *study, struct outcome *outcome)
{
    size_t count = study_objectives(study);
    for (size_t i = 0; i < count; i++) {
        bool given;
        const char *name = study_objective_name(study, i);
        double score = measured(study, outcome, name, &given);
        if (!given)
            fail(outcome, OUTCOME_NO_SCORE, "no score '%s'", name);
        else if (!isfinite(score))
            fail(outcome, OUTCOME_NAN,
                 isnan(score) ? "its %s is not a number" : "its %s is infinite", name);
        if (outcome->state != OUTCOME_DONE)
            return false;
        outcome->scores[i] = score;
    }
    outcome->score_count = count > 1 ? count : 0;
    return true;
}

static bool is_needed(const struct study *study, size_t metric)
{
    for (size_t i = 0; i < study->measured_count; i++)
        if (expression_names_metric(study->measured[i], metric))
            return true;
    return false;
}

static size_t count_measures(const struct study *study)
{
    size_t count = 0;
    while (study->measures && study->measures[count])
        count++;
    return count;
}

/* Fills in a number for each of study->measures; false when a needed one is missing. */
static bool take_measures(const struct study *study, const struct outcome *outcome, double *numbers,
                          const char **missing)
{
    bool complete = true;
    for (size_t i = 0; study->measures[i]; i++) {
        bool given;
        numbers[i] = measured(study, outcome, study->measures[i], &given);
        if (!given && is_needed(study, i)) {
            *missing = study->measures[i];
            complete = false;
        }
    }
    return complete;
}

void outcome_judge(const struct study *study, const double *point, struct outcome *outcome)
{
    const char *missing;
    bool was_stopped = outcome->state == OUTCOME_STOPPED && isfinite(outcome->score);
    outcome->score_count = 0;
    outcome->violation = 0;
    if (!was_stopped && (outcome->state != OUTCOME_DONE || !take_scores(study, outcome)))
        return;
    if (study->measured_count == 0)
        return;
    double *numbers = memory_new(count_measures(study), sizeof *numbers);
    bool complete = take_measures(study, outcome, numbers, &missing);
    if (!complete && !was_stopped)
        fail(outcome, OUTCOME_NO_SCORE, "no metric '%s', which a constraint needs", missing);
    else
        for (size_t i = 0; i < study->measured_count; i++)
            outcome->violation += expression_broken(study->measured[i], point, numbers);
    free(numbers);
}

void outcome_add_broken(const struct study *study, const double *point,
                        const struct outcome *outcome, struct str *s)
{
    const char *missing;
    if (study->measured_count == 0)
        return;
    double *numbers = memory_new(count_measures(study), sizeof *numbers);
    take_measures(study, outcome, numbers, &missing);
    size_t before = s->length;
    for (size_t i = 0; i < study->measured_count; i++)
        if (expression_broken(study->measured[i], point, numbers) > 0)
            str_printf(s, "%s%s", s->length > before ? ", " : "",
                       expression_text(study->measured[i]));
    free(numbers);
}
