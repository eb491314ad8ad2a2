/*
 * describe.h - everything that a study means, as text: what tests expect, and what must be the same
 * after study_restore().
 */
#ifndef TESTS_STUDY_DESCRIBE_H
#define TESTS_STUDY_DESCRIBE_H

#include "describe_job.h"
#include "study/study.h"

static void describe_clauses(const struct space *space, const struct clause *clauses, size_t count,
                             struct str *s)
{
    for (size_t i = 0; i < count; i++) {
        const struct parameter *parent = &space->parameters[clauses[i].parameter];
        str_printf(s, " %s in", parent->name);
        for (size_t k = 0; k < clauses[i].count; k++) {
            str_add_char(s, k ? ',' : ' ');
            space_put_text(parent, clauses[i].values[k], s);
        }
    }
}

/* "lr: float 1e-05 to 0.1 log default 0.001 when optimizer in sgd" */
static void describe_parameter(const struct space *space, const struct parameter *p, struct str *s)
{
    static const char *const kinds[] = {"float", "int", "choice", "ordered", "constant"};
    str_printf(s, "%s: %s", p->name, kinds[p->kind]);
    if (p->kind == PARAMETER_FLOAT || p->kind == PARAMETER_INT) {
        str_add_char(s, ' ');
        str_add_number(s, p->low);
        str_add(s, " to ");
        str_add_number(s, p->high);
        str_add(s, p->log ? " log" : "");
        if (p->step > 0)
            str_printf(s, " step %g", p->step);
        if (p->levels > 0)
            str_printf(s, " levels %llu", (unsigned long long)p->levels);
    }
    for (size_t i = 0; i < p->value_count; i++)
        str_printf(s, " %s(%s)", p->values[i].text, p->values[i].json);
    if (p->fallback == p->fallback) {
        str_add(s, " default ");
        space_put_text(p, p->fallback, s);
    }
    if (p->when_count > 0)
        str_add(s, " when");
    describe_clauses(space, p->when, p->when_count, s);
    str_add_char(s, '\n');
}

static void describe_space(const struct space *space, struct str *s)
{
    for (size_t i = 0; i < space->count; i++)
        describe_parameter(space, &space->parameters[i], s);
    for (size_t i = 0; i < space->forbidden_count; i++) {
        str_add(s, "forbid");
        describe_clauses(space, space->forbidden[i].clauses, space->forbidden[i].count, s);
        str_add_char(s, '\n');
    }
}

static void describe_model(const struct study_model *model, struct str *s)
{
    static const char *const ways[] = {"flags", "template", "none"};
    for (size_t i = 0; model->command && model->command[i]; i++)
        str_printf(s, "%s<%s>", i ? "" : "command ", model->command[i]);
    str_printf(s, "%s%s\n", model->function ? "function " : "",
               model->function ? model->function->name : "");
    str_printf(s, "pass %s%s%s, score %s, pattern %s, %s\n", ways[model->pass],
               model->wants_params_file ? " params" : "", model->wants_dir ? " dir" : "",
               model->score ? model->score : "-", model->pattern ? model->pattern : "-",
               model->maximize ? "maximize" : "minimize");
    str_printf(s, "timeout %g, grace %g, retries %llu, memory %llu, gpus %g, cores %llu, in %s\n",
               model->timeout, model->grace, (unsigned long long)model->retries,
               (unsigned long long)model->memory, model->gpus, (unsigned long long)model->cores,
               model->folder);
    for (size_t i = 0; model->metrics && model->metrics[i]; i++)
        str_printf(s, "metric %s\n", model->metrics[i]);
    for (size_t i = 0; i < model->environment_count; i++)
        str_printf(s, "%s=%s\n", model->environment[i].name, model->environment[i].value);
}

static void describe_search(const struct study *study, struct str *s)
{
    static const char *const keeps[] = {"failed", "all", "none"};
    const struct search_settings *search = &study->search;
    str_printf(s, "%s, trials %llu, time %g, seed %llu, workers %llu, levels %llu%s%s, keep %s",
               search->algorithm, (unsigned long long)search->trials, study->time,
               (unsigned long long)search->seed, (unsigned long long)study->workers,
               (unsigned long long)search->levels, search->shuffle ? ", shuffle" : "",
               search->maximize[0] ? ", maximize" : "", keeps[study->keep]);
    if (study->has_target)
        str_printf(s, ", target %g", study->target);
    str_add_char(s, '\n');
    for (size_t i = 0; i < search->list_count; i++) {
        str_printf(s, "%s ", study->upf_ids[i]);
        space_put_json(&study->space, search->list + i * study->space.count, s);
        str_add_char(s, '\n');
    }
}

/* Several objectives and constraints; nothing where there are none. */
static void describe_objectives(const struct study *study, struct str *s)
{
    for (size_t i = 0; i < study_objectives(study) && study_objectives(study) > 1; i++)
        str_printf(s, "%s %s\n", study->search.maximize[i] ? "maximize" : "minimize",
                   study_objective_name(study, i));
    for (size_t i = 0; i < study->space.constraint_count; i++)
        str_printf(s, "keeps %s\n", expression_text(study->space.constraints[i]));
    for (size_t i = 0; i < study->measured_count; i++)
        str_printf(s, "measured %s\n", expression_text(study->measured[i]));
}

static void describe(const struct study *study, struct str *s)
{
    describe_model(&study->model, s);
    describe_objectives(study, s);
    describe_space(&study->space, s);
    describe_search(study, s);
    describe_jobs(study, s);
}

#endif
