/* told.c - what a program says over its line, and what becomes of it. */
#include "trial/runner.h"

#include <math.h>

/* The metric that is the score: the one with its name, else one that is just called so. */
static const struct outcome_metric *find_score(const struct trial_runner *r,
                                               const struct outcome_metric *metrics, size_t count)
{
    const char *name = study_score_name(&r->study->model);
    const struct outcome_metric *score = NULL;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(metrics[i].name, name) == 0)
            return &metrics[i];
        if (strcmp(metrics[i].name, "score") == 0)
            score = &metrics[i];
    }
    return score;
}

static void set_metrics(struct outcome_metric *metrics, size_t *count,
                        const struct outcome_metric *told, size_t told_count)
{
    for (size_t i = 0; i < told_count; i++)
        output_metric(metrics, count, told[i].name, strlen(told[i].name), told[i].value);
}

static void hear_step(void *self, uint64_t step, const struct outcome_metric *metrics, size_t count)
{
    struct trial_runner *r = self;
    const struct outcome_metric *score = find_score(r, metrics, count);
    /* The journal knows no infinities: what was reported must count the same after a resume. */
    double value = score && isfinite(score->value) ? score->value : NAN;
    memcpy(r->told.step, metrics, count * sizeof *metrics);
    r->told.step_count = count;
    r->told.has_value |= score != NULL;
    runner_step(r, &(struct outcome_step){.step = step,
                                          .value = value,
                                          .metrics = metrics,
                                          .metric_count = count,
                                          .unscored = !score});
}

static void hear_result(void *self, const struct outcome_metric *metrics, size_t count)
{
    struct trial_runner *r = self;
    set_metrics(r->told.metrics, &r->told.metric_count, metrics, count);
}

static void hear_asked(void *self, uint64_t call)
{
    struct trial_runner *r = self;
    double now = comm_now(r->comm);
    r->told.longest_gap = fmax(r->told.longest_gap, now - r->told.asked_last);
    r->told.asked_last = now;
    r->told.asked++;
    r->observer.asked(r->observer.self, call);
}

static void hear_question(void *self, uint64_t number, const struct trial_question *question)
{
    struct trial_runner *r = self;
    r->observer.question(r->observer.self, number, question);
}

static void forget_question(void *self, uint64_t number)
{
    struct trial_runner *r = self;
    r->observer.forget(r->observer.self, number);
}

static void hear_complaint(void *self, const char *text)
{
    struct trial_runner *r = self;
    struct str line = {0};
    str_printf(&line, "wick: over its line (WICK_LINE) came what cannot be understood: %s\n", text);
    output_add(&r->output, line.text, line.length, false);
    str_free(&line);
}

void told_prepare(struct trial_runner *r, struct helper *helper)
{
    struct line_listener listener = {.self = r,
                                     .step = hear_step,
                                     .result = hear_result,
                                     .asked = hear_asked,
                                     .question = hear_question,
                                     .forget = forget_question,
                                     .complain = hear_complaint};
    helper_address(helper, r->slot->channel, &r->address);
    r->talk = line_create(r->comm, helper_socket(helper, r->slot->channel), &listener);
}

void told_forget(struct trial_runner *r)
{
    line_free(r->talk);
    str_free(&r->address);
}

void told_begin(struct trial_runner *r)
{
    r->told.metric_count = r->told.step_count = 0;
    r->told.has_value = r->told.stop = false;
    r->told.asked = 0;
    r->told.asked_last = comm_now(r->comm);
    r->told.longest_gap = 0;
    line_begin(r->talk, r->id, r->try);
}

void told_end(struct trial_runner *r)
{
    line_end(r->talk);
}

static void put_metrics(struct trial_runner *r, const struct outcome_metric *metrics, size_t count)
{
    set_metrics(r->result.metrics, &r->result.metric_count, metrics, count);
}

void told_results(struct trial_runner *r)
{
    const struct told *told = &r->told;
    const struct outcome_metric *score = find_score(r, told->metrics, told->metric_count);
    put_metrics(r, told->metrics, told->metric_count);
    if (score) {
        r->result.score = score->value;
        r->output.has_score = true;
    }
}

bool told_last_step(struct trial_runner *r)
{
    const struct told *told = &r->told;
    struct outcome_metric given[OUTCOME_METRICS];
    size_t count = r->result.metric_count;
    if (told->step_count == 0 && !told->has_value)
        return false;
    memcpy(given, r->result.metrics, count * sizeof *given);
    put_metrics(r, told->step, told->step_count);
    put_metrics(r, given, count); /* what it gave as results counts more */
    if (told->has_value)
        r->result.score = r->last_value;
    return told->has_value;
}
