/* builtin.c - a trial of a built-in function: no process is started. */
#include "trial/runner.h"

#include <math.h>

/*
 * A function with named inputs gets them by name where the study has all of these names. Otherwise,
 * and where it takes any number of inputs, it gets the study's parameters in their order.
 */
static void prepare(struct trial_runner *r, struct helper *helper)
{
    (void)helper; /* nothing is started */
    const struct function *function = r->study->model.function;
    const struct space *space = &r->study->space;
    r->inputs = memory_new(space->count, sizeof *r->inputs);
    r->values = memory_new(space->count, sizeof *r->values);
    size_t named = 0;
    while (named < function->inputs && named < space->count) {
        const struct parameter *found = space_find(space, function->names[named]);
        if (!found)
            break;
        r->inputs[named++] = (size_t)(found - space->parameters);
    }
    for (size_t i = 0; i < space->count && named < function->inputs; i++)
        r->inputs[i] = i;
    for (size_t i = 0; i < space->count && function->inputs == 0; i++)
        r->inputs[i] = i;
    r->input_count = function->inputs ? function->inputs : space->count;
}

static void fill_inputs(struct trial_runner *r)
{
    for (size_t i = 0; i < r->input_count; i++) {
        const struct parameter *parameter = &r->study->space.parameters[r->inputs[i]];
        double number = r->point[r->inputs[i]];
        r->values[i] = (struct function_input){.number = number};
        if (!isnan(number) && parameter->values) {
            const struct value *value = &parameter->values[(size_t)number];
            r->values[i].number = value->kind == VALUE_NUMBER ? value->number : number;
            r->values[i].text = value->text;
        }
    }
}

/* All scores of a function with several are metrics; the study's first objective is the score. */
static void evaluate_scores(struct trial_runner *r)
{
    const struct function *function = r->study->model.function;
    const char *first = study_score_name(&r->study->model);
    double scores[SEARCH_OBJECTIVES] = {r->outcome.score};
    function->others(r->values, r->input_count, scores + 1);
    for (size_t i = 0; function->scores[i]; i++) {
        const char *name = function->scores[i];
        outcome_set_metric(r->outcome.metrics, &r->outcome.metric_count, name, strlen(name),
                           scores[i]);
        if (strcmp(name, first) == 0)
            r->outcome.score = scores[i];
    }
}

static void end_with(struct trial_runner *r, double score)
{
    r->outcome.score = score;
    if (r->study->model.function->scores)
        evaluate_scores(r);
    r->outcome.state = isfinite(r->outcome.score) ? OUTCOME_DONE : OUTCOME_NAN;
    if (r->outcome.state == OUTCOME_NAN)
        snprintf(r->outcome.reason, sizeof r->outcome.reason, "the score is not a number");
    runner_finish(r);
}

static double seconds_of(const struct trial_runner *r)
{
    const struct function *function = r->study->model.function;
    return function->duration ? function->duration(r->values, r->input_count) : 0;
}

static void evaluate(void *argument)
{
    struct trial_runner *r = argument;
    r->timer = 0;
    end_with(r, r->study->model.function->score(r->values, r->input_count));
}

/* Makes a step and waits for the next; a function that takes no time makes all of them at once. */
static void make_step(void *argument)
{
    struct trial_runner *r = argument;
    const struct function *function = r->study->model.function;
    double seconds = seconds_of(r), value;
    r->timer = 0;
    do {
        r->step++;
        value = function->curve(r->values, r->input_count, r->step);
        runner_step(r, &(struct outcome_step){.step = r->step, .value = value});
    } while (seconds <= 0 && r->step < r->steps);
    if (r->step < r->steps)
        r->timer = comm_after(r->comm, seconds, make_step, r);
    else
        end_with(r, value);
}

static void run(struct trial_runner *r)
{
    const struct function *function = r->study->model.function;
    fill_inputs(r);
    r->steps = function->steps ? function->steps(r->values, r->input_count) : 0;
    r->step = r->step_before < r->steps ? r->step_before : 0;
    comm_handler *next = r->steps > 0 ? make_step : evaluate;
    double seconds = seconds_of(r);
    if (seconds > 0)
        r->timer = comm_after(r->comm, seconds, next, r);
    else
        next(r);
}

static void end(struct trial_runner *r, enum ending ending)
{
    bool stopped = ending == ENDING_STOP;
    r->outcome.state = stopped ? OUTCOME_STOPPED : OUTCOME_INTERRUPTED;
    r->outcome.score = stopped ? r->last_value : NAN;
    snprintf(r->outcome.reason, sizeof r->outcome.reason, stopped ? "stopped" : "interrupted");
    runner_finish(r);
}

static void forget(struct trial_runner *r)
{
    free(r->inputs);
    free(r->values);
}

const struct runner_kind builtin_kind = {
    .prepare = prepare, .run = run, .end = end, .forget = forget, .needs_no_checkpoint = true};
