/* reported.c - what a program reports over its trial socket, and what becomes of it. */
#include "trial/runner.h"

#include <math.h>
#include <unistd.h>

enum { STEPS_LIMIT = 1000000 }; /* of a try; later ones are not recorded */

/* Bytes that a trial may make Wick hold on its trial socket, at least and at most. */
static const uint64_t LEAST_HELD = 16 << 20, MOST_HELD = 1 << 30;
static const double HELD_SHARE = 0.25; /* of the trial's share of the machine's memory */
static const double PATIENCE = 60;     /* seconds that half a message may wait for the rest */
static const double STEP_RATE = 1000;  /* per second, for long */

/* The metric that is the score: the one with the score's name, else one named "score". */
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

/*
 * True for a score, and for what the study lists as metrics, among them all that a constraint may
 * name. The study file has no more names than there is room for.
 */
static bool is_wanted(void *self, const char *name)
{
    const struct trial_runner *r = self;
    for (const char *const *metric = r->study->model.metrics; metric && *metric; metric++)
        if (strcmp(name, *metric) == 0)
            return true;
    return strcmp(name, study_score_name(&r->study->model)) == 0 || strcmp(name, "score") == 0 ||
           study_is_objective(r->study, name);
}

static void remember_dropped(struct reported *reported, const char *name)
{
    char quoted[64];
    size_t length = strlen(reported->dropped);
    int size = snprintf(quoted, sizeof quoted, "'%s'", name);
    if (strstr(reported->dropped, quoted))
        return;
    if (length + (size_t)size + 2 < sizeof reported->dropped)
        snprintf(reported->dropped + length, sizeof reported->dropped - length, "%s%s",
                 length ? ", " : "", quoted);
    else
        reported->dropped_more = true;
}

void reported_set(struct trial_runner *r, struct outcome_metric *metrics, size_t *count,
                  struct slice name, double value)
{
    struct outcome_metric metric = {.value = value}, dropped;
    if (outcome_set_metric(metrics, count, name.text, name.length, value))
        return;
    snprintf(metric.name, sizeof metric.name, "%.*s", (int)name.length, name.text);
    dropped = metric;
    size_t last = *count;
    while (last > 0 && is_wanted(r, metrics[last - 1].name))
        last--;
    if (is_wanted(r, metric.name) && last > 0) {
        dropped = metrics[last - 1];
        metrics[last - 1] = metric;
    }
    remember_dropped(&r->reported, dropped.name);
}

static void set_metrics(struct trial_runner *r, struct outcome_metric *metrics, size_t *count,
                        const struct outcome_metric *told, size_t told_count)
{
    for (size_t i = 0; i < told_count; i++)
        reported_set(r, metrics, count, slice_of(told[i].name), told[i].value);
}

void reported_dropped(const struct trial_runner *r, struct str *text)
{
    const struct reported *reported = &r->reported;
    if (reported->dropped[0])
        str_printf(text, "a trial has at most %d metrics: %s%s left out", OUTCOME_METRICS,
                   reported->dropped,
                   reported->dropped_more              ? " and others are"
                   : strstr(reported->dropped, "', '") ? " are"
                                                       : " is");
}

/* In the log, where whoever misses the metric will look. */
static void note_dropped(struct trial_runner *r)
{
    if (!r->reported.dropped[0])
        return;
    str_add(&r->outcome.log, "wick: ");
    reported_dropped(r, &r->outcome.log);
    str_add_char(&r->outcome.log, '\n');
}

/* As if the program itself had said so, where whoever misses the steps will look. */
static void note_too_many(struct trial_runner *r)
{
    static const char text[] = "wick: a trial has at most 1000000 steps: later ones are left out\n";
    if (r->reported.steps == STEPS_LIMIT + 1)
        output_add(&r->output, text, sizeof text - 1, false);
}

static void hear_step(void *self, uint64_t step, const struct outcome_metric *metrics, size_t count)
{
    struct trial_runner *r = self;
    const struct outcome_metric *score = find_score(r, metrics, count);
    /* The journal has no infinities: what was reported must count the same after a resume. */
    double value = score && isfinite(score->value) ? score->value : NAN;
    r->reported.has_value |= score != NULL;
    if (++r->reported.steps > STEPS_LIMIT) {
        note_too_many(r);
        return;
    }
    r->reported.step_count = 0;
    if (count > OUTCOME_METRICS) {
        set_metrics(r, r->reported.step, &r->reported.step_count, metrics, count);
    } else if (count > 0) {
        memcpy(r->reported.step, metrics, count * sizeof *metrics);
        r->reported.step_count = count;
    }
    runner_step(r, &(struct outcome_step){.step = step,
                                          .value = value,
                                          .metrics = r->reported.step,
                                          .metric_count = r->reported.step_count,
                                          .unscored = !score});
}

static void hear_result(void *self, const struct outcome_metric *metrics, size_t count)
{
    struct trial_runner *r = self;
    set_metrics(r, r->reported.metrics, &r->reported.metric_count, metrics, count);
}

static void hear_asked(void *self, uint64_t call)
{
    struct trial_runner *r = self;
    double now = comm_now(r->comm);
    r->reported.longest_gap = fmax(r->reported.longest_gap, now - r->reported.asked_last);
    r->reported.asked_last = now;
    r->reported.asked++;
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
    str_printf(&line, "wick: malformed message on WICK_LINE: %s\n", text);
    output_add(&r->output, line.text, line.length, false);
    str_free(&line);
}

/* A trial that may use little memory itself has no use for larger values. */
static struct socket_limits limits_of(const struct trial_runner *r, const struct helper *helper)
{
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double share = memory * r->slot->cores / (double)sysconf(_SC_NPROCESSORS_ONLN) * HELD_SHARE;
    uint64_t bytes = share < (double)MOST_HELD ? (uint64_t)share : MOST_HELD;
    unsigned connections = helper_connections(helper);
    if (r->study->model.memory > 0 && r->study->model.memory < bytes)
        bytes = r->study->model.memory;
    return (struct socket_limits){
        .connections = connections < SOCKET_CONNECTIONS ? connections : SOCKET_CONNECTIONS,
        .bytes = bytes > LEAST_HELD ? bytes : LEAST_HELD,
        .patience = PATIENCE,
        .step_rate = STEP_RATE};
}

void reported_prepare(struct trial_runner *r, struct helper *helper)
{
    struct socket_listener listener = {.self = r,
                                       .step = hear_step,
                                       .result = hear_result,
                                       .asked = hear_asked,
                                       .question = hear_question,
                                       .forget = forget_question,
                                       .complain = hear_complaint,
                                       .is_wanted = is_wanted};
    helper_address(helper, r->slot->channel, &r->address);
    r->run = helper_run(helper);
    struct socket_limits limits = limits_of(r, helper);
    r->socket = socket_create(r->comm, helper_socket(helper, r->slot->channel), &limits, &listener);
}

void reported_forget(struct trial_runner *r)
{
    socket_free(r->socket);
    str_free(&r->address);
}

void reported_begin(struct trial_runner *r)
{
    r->reported.metric_count = r->reported.step_count = 0;
    r->reported.has_value = r->reported.stop = false;
    r->reported.dropped[0] = 0;
    r->reported.dropped_more = false;
    r->reported.steps = 0;
    r->reported.asked = 0;
    r->reported.asked_last = comm_now(r->comm);
    r->reported.longest_gap = 0;
    socket_begin(r->socket, r->id, r->try, r->secret);
}

void reported_end(struct trial_runner *r)
{
    socket_end(r->socket);
}

static void put_metrics(struct trial_runner *r, const struct outcome_metric *metrics, size_t count)
{
    set_metrics(r, r->outcome.metrics, &r->outcome.metric_count, metrics, count);
}

void reported_results(struct trial_runner *r)
{
    const struct reported *reported = &r->reported;
    const struct outcome_metric *score = find_score(r, reported->metrics, reported->metric_count);
    put_metrics(r, reported->metrics, reported->metric_count);
    note_dropped(r);
    if (score) {
        r->outcome.score = score->value;
        r->output.has_score = true;
    }
}

bool reported_last_step(struct trial_runner *r)
{
    const struct reported *reported = &r->reported;
    bool scored = r->output.has_score;
    struct outcome_metric given[OUTCOME_METRICS];
    size_t count = r->outcome.metric_count;
    if (reported->step_count == 0 && !reported->has_value)
        return scored;
    const struct outcome_metric *score =
        scored ? find_score(r, reported->step, reported->step_count) : NULL;
    memcpy(given, r->outcome.metrics, count * sizeof *given);
    for (size_t i = 0; i < reported->step_count; i++)
        if (&reported->step[i] != score)
            put_metrics(r, &reported->step[i], 1);
    put_metrics(r, given, count); /* its results count more than its steps */
    if (reported->has_value && !scored)
        r->outcome.score = r->last_value;
    return scored || reported->has_value;
}
