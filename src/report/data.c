/*
 * data.c - what a page knows about a study.
 *
 * The data is one JSON object, {
 *   study       {name, state, command, ...}: what the header shows
 *   total, kept, failed, counts    numbers of trials: all, on the page, failed, by state
 *   states      names of the states, by code
 *   tick        the unit of times, in seconds
 *   parameters  [{name, kind, log, conditional, low, high, values}]
 *   metrics     names of metrics besides the score, METRICS_MOST at most
 *   objectives  [{name, maximize}] if there are several; else []
 *   broken      texts of the constraints that trials violate
 *   trials      {trial, state, score, started, duration, worker, tries, parameters, metrics}: one
 *               list per column, one item per kept trial. trial and started are differences to the
 *               item before; parameters has one list per parameter (null for a constant) with
 *               numbers, indexes into `values`, or null where it is inactive; metrics has one per
 *               name. With several objectives also scores (one list each) and front (0 or 1); with
 *               measured constraints broken (an index into `broken`, or null). 6 digits are kept.
 *   earlier     {trial, worker, started, duration, state, part}: tries of kept trials before the
 *               last; part is 1 for the other ranks of any try
 *   running     {step, values}: the number of running trials, every `step` seconds
 *   busy        the busy share of each worker
 *   grid        null, or, if trials were left out, {columns, rows}: one text per worker, with a
 * digit from 0 to 9 for its busy share in each of `columns` equal parts of the time importance [{},
 * ...] from effects_add_json(): with curves, for all trials and, if there are enough, for the best
 * DATA_NEAR_BEST percent; with several objectives, for each of them; {refused: why} if there is no
 * answer curves      [{trial, steps, values}]: the values that some trials reported, by step best
 * [{trial, score, metrics, values, command}]: the ten best, or the front, as exact texts failures
 * [{trial, state, reason, ended, worker, log, cut}], the last to end first
 * }. A page of several studies has {studies: [...]}, each without importance, curves and failures.
 * Columns of numbers are small and quick to parse: 100,000 trials with 8 parameters are 10 MB.
 * Texts of users are JSON strings in which every < becomes \u003c, so nothing in them can end the
 * script element that contains the data.
 */
#include "report/choose.h"
#include "report/columns.h"
#include "report/curves.h"
#include "report/facts.h"
#include "report/history.h"
#include "report/html.h"

#include "effects/effects.h"
#include "model/model.h"
#include "standing/standing.h"

#include <math.h>

enum {
    DATA_CELLS =
        4000000, /* values of parameters on a page; with many parameters, fewer trials fit */
    DATA_TOP = 10,
    DATA_FRONT = 200,   /* trials of the front that are shown in full */
    DATA_TRIES = 20000, /* earlier tries; of more, the last ones are shown */
    DATA_GRID = 400000, /* cells of the grid; 300 columns up to 1300 workers */
    DATA_COLUMNS = 300,
    DATA_NEAR_BEST = 25,       /* percentage of the trials that count as near the best */
    DATA_NEAR_BEST_FROM = 100, /* number of trials needed to treat these separately */
    DATA_LOG_LINES = 40,
    DATA_LOG_BYTES = 4000,
};

struct data {
    const struct journal *journal;
    struct out *out;
    struct str text; /* JSON that is not escaped yet */
    struct history history;
    struct usage usage;
    struct metrics metrics;
    struct objectives objectives;
    struct journal_counts counts;
    unsigned char *keep;
    size_t kept;
    double tick;
};

/*
 * Moves the JSON so far into the page, except for its last byte, from which the writer knows
 * whether a comma comes next.
 */
static void flush(struct data *d)
{
    size_t length = d->text.length - 1;
    html_put_safe(&d->out->text, d->text.text, length);
    str_drop(&d->text, length);
    out_turn(d->out);
}

/* ---- the parts of the data ---- */

/* The state of the study, in a sentence. */
static void put_state(const struct journal *journal, struct str *s)
{
    static const char *const sentences[] = {
        [END_NONE] = "Crashed: its process is gone. Continue it with: wick ",
        [END_DONE] = "Finished: all trials of the budget have ended.",
        [END_EXHAUSTED] = "Finished: there was nothing left to try.",
        [END_TIME] = "Finished: the time limit was reached.",
        [END_DEADLINE] = "Not finished: no more trials fit before the deadline.",
        [END_TARGET] = "Finished: the target was reached.",
        [END_INTERRUPTED] = "Interrupted. Continue it with: wick ",
        [END_STOPPED] = "Stopped by wick stop. Continue it with: wick ",
        [END_HALTED] =
            "Halted: its trials failed alike. Fix the cause, then continue it with: wick ",
        [END_BROKEN] = "Broken: ",
        [END_PREPARED] = "",
        [END_OTHER] = "",
    };
    const char *state = facts_state(journal);
    struct str text = {0};
    if (journal->running && !journal_knows_run(journal))
        str_add(&text, "Running.");
    else if (journal->running)
        str_printf(&text, "Running: %s.", journal->owner);
    else
        str_add(&text, sentences[journal->end]);
    if (journal->end == END_BROKEN && !journal->running)
        str_printf(&text, "%s. Continue it with: wick ", journal->failure);
    if (text.length > 0 && text.text[text.length - 1] == ' ')
        str_printf(&text, "%s %s%s", study_resume_command(&journal->study.model), journal->dir,
                   journal->end == END_HALTED ? " --retry-failed" : "");
    json_set_text(s, "state", state);
    json_set_text(s, "stateText", text.length > 0 ? text.text : state);
    str_free(&text);
}

static void put_command(const struct study *study, struct str *s)
{
    struct str text = {0};
    if (study->model.asktell)
        str_add(&text, "wick asktell");
    else
        model_kind(&study->model)->put_text(&study->model, &text);
    json_set_text(s, "command", str_text(&text));
    json_set_bool(s, "isFunction", study->model.function || study->model.code.function);
    str_free(&text);
}

static void put_study(struct data *d)
{
    const struct journal *journal = d->journal;
    const struct study *study = &journal->study;
    struct str *s = &d->text;
    struct arena arena = {0};
    char date[32], seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)study->search.seed);
    json_add_object(s);
    json_set_object(s, "study");
    json_set_text(s, "name", journal->study.name);
    put_state(journal, s);
    put_command(study, s);
    json_set_text(s, "created", clock_format(journal->created, date));
    json_set_text(s, "made", clock_format(clock_wall(), date));
    json_set_text(s, "score", study_score_name(&study->model));
    json_set_bool(s, "maximize", study->model.maximize);
    json_set_text(s, "algorithm",
                  study_steers(study) ? study_steers(study) : study->search.algorithm);
    json_set_text(s, "seed", seed);
    json_set_number(s, "batch", (double)study->search.batch);
    json_set_text(s, "stop", study->stop.name ? study->stop.name : "");
    json_set_number(s, "budget", (double)journal->budget);
    json_set_number(s, "workers", (double)journal->workers);
    json_set_number(s, "rows", (double)d->usage.workers);
    json_set_number(s, "wall", journal->spent);
    struct standing_cost cost = standing_cost(journal, journal->running, 0);
    json_set_number(s, "nodeHours", cost.used);
    json_set_number(s, "nodeHoursLeft", cost.left);
    json_set_number(s, "busy", d->usage.total);
    json_set_number(s, "meanRunning", d->usage.mean);
    json_set_number(s, "span", journal->last_time);
    json_set_text(s, "folder", facts_folder(journal, &arena));
    json_set_text(s, "definition", study_shown_text(study, &arena));
    json_end_object(s);
    arena_free(&arena);
    flush(d);
}

static void put_counts(struct data *d)
{
    struct str *s = &d->text;
    json_set_number(s, "total", (double)d->journal->count);
    json_set_number(s, "kept", (double)d->kept);
    json_set_number(s, "failed", (double)d->counts.failed);
    json_set_number(s, "tick", d->tick);
    json_set_array(s, "states");
    for (int state = 0; state <= OUTCOME_INTERRUPTED; state++)
        json_add_text(s, outcome_state_name((enum outcome_state)state));
    json_end_array(s);
    json_set_array(s, "counts");
    for (int state = 0; state <= OUTCOME_INTERRUPTED; state++)
        json_add_whole(s, d->counts.states[state]);
    json_end_array(s);
    flush(d);
}

static void put_parameters(struct data *d)
{
    static const char *const kinds[] = {"float", "int", "choice", "ordered", "constant"};
    const struct space *space = &d->journal->study.space;
    struct str *s = &d->text;
    json_set_array(s, "parameters");
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        json_add_object(s);
        json_set_text(s, "kind", kinds[parameter->kind]);
        json_set_text(s, "name", parameter->name);
        json_set_bool(s, "log", parameter->log);
        json_set_bool(s, "conditional", parameter->when_count > 0);
        if (parameter->value_count == 0) {
            json_set_number(s, "low", parameter->low);
            json_set_number(s, "high", parameter->high);
        } else {
            json_set_array(s, "values");
            for (size_t k = 0; k < parameter->value_count; k++)
                json_add_text(s, parameter->values[k].text);
            json_end_array(s);
        }
        json_end_object(s);
        flush(d);
    }
    json_end_array(s);
}

/* ---- the columns of the trials ---- */

enum { TRIAL, STATE, SCORE, STARTED, DURATION, WORKER, TRIES, FIXED };

/* The trial that the differences in the columns refer to. */
struct before {
    size_t index;   /* trials, from 1 */
    double started; /* ticks */
};

static void put_trial(const struct data *d, size_t index, const double *point, struct str *columns,
                      struct before *before)
{
    const struct journal_trial *trial = &d->journal->trials[index];
    const struct space *space = &d->journal->study.space;
    bool running = trial->state == OUTCOME_RUNNING, is_lost = journal_is_lost(trial);
    /* In the charts, a lost trial takes no time after the one before it. */
    double started = is_lost ? before->started : round(trial->started / d->tick);
    double ended = is_lost ? started : round(trial->ended / d->tick);
    columns_add_number(&columns[TRIAL], (double)(index + 1 - before->index));
    columns_add_number(&columns[STATE], trial->state);
    columns_add_number(&columns[SCORE], trial->score);
    columns_add_number(&columns[STARTED], started - before->started);
    columns_add_number(&columns[DURATION], running ? NAN : ended - started);
    columns_add_number(&columns[WORKER], trial->worker);
    columns_add_number(&columns[TRIES], trial->tries);
    for (size_t i = 0; i < space->count; i++)
        if (space->parameters[i].kind != PARAMETER_CONSTANT)
            columns_add_number(&columns[FIXED + i], point[i]);
    *before = (struct before){index + 1, started};
}

static void put_column(struct data *d, const struct str *column)
{
    json_add_array(&d->text);
    str_add(&d->text, str_text(column));
    json_end_array(&d->text);
    flush(d);
}

static void put_metrics(struct data *d)
{
    json_set_array(&d->text, "metrics");
    for (size_t i = 0; i < d->metrics.count; i++)
        put_column(d, &d->metrics.columns[i]);
    json_end_array(&d->text);
}

static void put_metric_names(struct data *d)
{
    json_set_array(&d->text, "metrics");
    for (size_t i = 0; i < d->metrics.count; i++)
        json_add_text(&d->text, d->metrics.names[i]);
    json_end_array(&d->text);
}

static void put_columns(struct data *d, const struct str *columns)
{
    static const char *const names[FIXED] = {"trial",    "state",  "score", "started",
                                             "duration", "worker", "tries"};
    const struct space *space = &d->journal->study.space;
    json_set_object(&d->text, "trials");
    for (size_t i = 0; i < FIXED; i++) {
        json_add_key(&d->text, names[i]);
        put_column(d, &columns[i]);
    }
    json_set_array(&d->text, "parameters");
    for (size_t i = 0; i < space->count; i++)
        if (space->parameters[i].kind == PARAMETER_CONSTANT)
            json_add_null(&d->text);
        else
            put_column(d, &columns[FIXED + i]);
    json_end_array(&d->text);
    put_metrics(d);
    objectives_put_columns(&d->objectives, &d->text);
    json_end_object(&d->text);
}

static int put_trials(struct data *d, struct err *e)
{
    size_t count = FIXED + d->journal->study.space.count;
    struct str *columns = memory_new(count, sizeof *columns);
    double *point = memory_new(count, sizeof *point);
    struct before before = {0};
    struct outcome result = {0};
    int failed = 0;
    for (size_t i = 0; i < d->journal->count && !failed; i++) {
        if (!d->keep[i])
            continue;
        failed = journal_point(d->journal, i, point, e);
        if (!failed)
            failed = journal_result(d->journal, i, &result, e);
        if (!failed) {
            put_trial(d, i, point, columns, &before);
            objectives_add(&d->objectives, i, point, &result);
            metrics_add(&d->metrics, &result, study_score_name(&d->journal->study.model));
        }
    }
    outcome_free(&result);
    if (!failed)
        put_columns(d, columns);
    for (size_t i = 0; i < count; i++)
        str_free(&columns[i]);
    free(columns);
    free(point);
    return failed;
}

static void put_earlier(struct data *d)
{
    enum { EARLIER = 6 };
    static const char *const names[EARLIER] = {"trial",    "worker", "started",
                                               "duration", "state",  "part"};
    const struct history *history = &d->history;
    struct str columns[EARLIER] = {0};
    size_t first = history->try_count > DATA_TRIES ? history->try_count - DATA_TRIES : 0;
    for (size_t i = first; i < history->try_count; i++) {
        const struct history_try *try = &history->tries[i];
        if (!d->keep[try->index])
            continue;
        columns_add_number(&columns[0], try->index + 1.0);
        columns_add_number(&columns[1], try->worker);
        columns_add_number(&columns[2], round(try->started / d->tick));
        columns_add_number(&columns[3], round((try->ended - try->started) / d->tick));
        columns_add_number(&columns[4], try->state);
        columns_add_number(&columns[5], try->part);
    }
    json_set_object(&d->text, "earlier");
    for (size_t i = 0; i < EARLIER; i++) {
        json_add_key(&d->text, names[i]);
        put_column(d, &columns[i]);
        str_free(&columns[i]);
    }
    json_end_object(&d->text);
}

static void put_usage(struct data *d)
{
    struct str column = {0};
    for (size_t i = 0; i < USAGE_BINS; i++)
        columns_add_number(&column, d->usage.running[i]);
    json_set_object(&d->text, "running");
    json_set_printf(&d->text, "step", "%.9g", d->usage.step);
    json_add_key(&d->text, "values");
    put_column(d, &column);
    str_clear(&column);
    for (size_t i = 0; i < d->usage.workers; i++)
        columns_add_number(&column, d->usage.busy[i]);
    json_end_object(&d->text);
    json_add_key(&d->text, "busy");
    put_column(d, &column);
    str_free(&column);
}

static void put_grid(struct data *d)
{
    size_t workers = d->usage.workers ? d->usage.workers : 1, columns = DATA_GRID / workers;
    columns = columns > DATA_COLUMNS ? DATA_COLUMNS : columns ? columns : 1;
    if (d->kept == d->journal->count) {
        json_set_null(&d->text, "grid");
        return;
    }
    float *cells = usage_grid(&d->usage, d->journal, &d->history, columns);
    json_set_object(&d->text, "grid");
    json_set_whole(&d->text, "columns", columns);
    json_set_array(&d->text, "rows");
    for (size_t i = 0; i < d->usage.workers; i++) {
        json_comma(&d->text);
        str_add_char(&d->text, '"');
        for (size_t k = 0; k < columns; k++)
            str_add_char(&d->text,
                         (char)('0' + (int)(fminf(cells[i * columns + k], 1) * 9 + 0.5F)));
        str_add_char(&d->text, '"');
        flush(d);
    }
    json_end_array(&d->text);
    json_end_object(&d->text);
    free(cells);
}

/* If there is no answer, the page says so: that is not an error. */
static int put_one_importance(struct data *d, struct effects_settings settings, struct err *e)
{
    struct effects importance;
    bool first = settings.objective == 0 && settings.best == 0;
    int failed = effects_measure(&importance, d->journal, &settings, e);
    if (failed && failed != ERR_USER)
        return failed;
    if (failed) {
        json_add_object(&d->text);
        json_set_text(&d->text, "refused", e->message);
        json_end_object(&d->text);
        *e = (struct err){0};
    } else {
        effects_add_json(&importance, first, &d->text);
        effects_free(&importance);
    }
    return 0;
}

/* For one score, also between the best trials; for several, for each of them. */
static int put_importance(struct data *d, struct err *e)
{
    size_t objectives = study_objectives(&d->journal->study);
    bool near_best = objectives == 1 && d->counts.states[OUTCOME_DONE] >= DATA_NEAR_BEST_FROM;
    struct effects_settings best = {.best = DATA_NEAR_BEST / 100.0};
    int failed = 0;
    json_set_array(&d->text, "importance");
    for (size_t i = 0; i < objectives && !failed; i++)
        failed = put_one_importance(d, (struct effects_settings){.objective = i}, e);
    if (near_best && !failed)
        failed = put_one_importance(d, best, e);
    json_end_array(&d->text);
    return failed;
}

/* ---- the best and the failures ---- */

static void put_best_metrics(struct data *d, const struct outcome *result)
{
    struct str *s = &d->text, text = {0};
    json_set_array(s, "metrics");
    for (size_t i = 0; i < d->metrics.count; i++) {
        double value = metrics_find(result, d->metrics.names[i]);
        str_clear(&text);
        str_add_number(&text, value);
        json_add_text(s, isnan(value) ? NULL : text.text);
    }
    json_end_array(s);
    str_free(&text);
}

static void put_best_trial(struct data *d, size_t index, const double *point,
                           const struct outcome *result)
{
    const struct journal *journal = d->journal;
    const struct space *space = &journal->study.space;
    struct str *s = &d->text, text = {0};
    json_add_object(s);
    json_set_whole(s, "trial", index + 1);
    str_add_number(&text, journal->trials[index].score);
    json_set_text(s, "score", text.text);
    str_clear(&text);
    report_command(&journal->study, journal->dir, index + 1, point, &text);
    json_set_text(s, "command", str_text(&text));
    put_best_metrics(d, result);
    json_set_array(s, "values");
    for (size_t i = 0; i < space->count; i++) {
        str_clear(&text);
        if (!isnan(point[i]))
            space_put_text(&space->parameters[i], point[i], &text);
        json_add_text(s, isnan(point[i]) ? NULL : str_text(&text));
    }
    json_end_array(s);
    json_end_object(s);
    str_free(&text);
}

static int put_best(struct data *d, struct err *e)
{
    uint32_t best[DATA_FRONT];
    size_t count = journal_top(d->journal, d->journal->scores ? DATA_FRONT : DATA_TOP, best);
    double *point = memory_new(d->journal->study.space.count, sizeof *point);
    struct outcome result = {0};
    int failed = 0;
    json_set_array(&d->text, "best");
    for (size_t i = 0; i < count && !failed; i++) {
        failed = journal_point(d->journal, best[i], point, e);
        if (!failed)
            failed = journal_result(d->journal, best[i], &result, e);
        if (!failed)
            put_best_trial(d, best[i], point, &result);
        flush(d);
    }
    json_end_array(&d->text);
    outcome_free(&result);
    free(point);
    return failed;
}

struct slice html_log_end(const char *log, size_t length)
{
    size_t from = length > DATA_LOG_BYTES ? length - DATA_LOG_BYTES : 0;
    size_t lines = 0, at = length;
    while (at > from && lines <= DATA_LOG_LINES)
        if (log[--at] == '\n' && at + 1 < length && ++lines > DATA_LOG_LINES - 1)
            break;
    /* Cut at the start of a line, unless the line is as long as all that is shown. */
    const char *newline = at > 0 ? memchr(log + at, '\n', length - at) : NULL;
    if (newline && newline + 1 < log + length)
        at = (size_t)(newline + 1 - log);
    return (struct slice){log + at, length - at};
}

static void put_failure(struct data *d, size_t index, const struct outcome *result)
{
    const struct journal_trial *trial = &d->journal->trials[index];
    struct slice end = html_log_end(str_text(&result->log), result->log.length);
    bool cut = end.length < result->log.length || result->log_dropped > 0;
    json_add_object(&d->text);
    json_set_whole(&d->text, "trial", index + 1);
    json_set_whole(&d->text, "state", trial->state);
    json_set_whole(&d->text, "worker", trial->worker);
    json_set_bool(&d->text, "cut", cut);
    json_set_number(&d->text, "ended", trial->ended);
    json_set_text(&d->text, "reason", result->reason);
    json_set_string(&d->text, "log", end.text, end.length);
    json_end_object(&d->text);
}

static int put_failures(struct data *d, struct err *e)
{
    uint32_t last[REPORT_FAILURES];
    size_t count = choose_failures(d->journal, last);
    struct outcome result = {0};
    int failed = 0;
    json_set_array(&d->text, "failures");
    for (size_t i = 0; i < count && !failed; i++) {
        failed = journal_result(d->journal, last[i], &result, e);
        if (!failed)
            put_failure(d, last[i], &result);
        flush(d);
    }
    json_end_array(&d->text);
    outcome_free(&result);
    return failed;
}

/* Adds what every page shows about a study; its object stays open. */
static int put_common(struct data *d, struct err *e)
{
    put_study(d);
    put_counts(d);
    put_parameters(d);
    if (put_trials(d, e))
        return e->code;
    put_metric_names(d);
    objectives_put_names(&d->objectives, &d->text);
    put_earlier(d);
    put_usage(d);
    put_grid(d);
    return put_best(d, e);
}

/* ---- all of it ---- */

/* Times are whole ticks: a microsecond, or more for a long study, whose times have 8 digits. */
static double tick_of(double span)
{
    return fmax(1e-6, pow(10, ceil(log10(fmax(span, 1))) - 8));
}

/* Opens a study with at most `most` trials, or fewer if they have many parameters. */
static void open_study(struct data *d, struct out *out, const struct journal *journal, size_t most)
{
    *d = (struct data){.journal = journal,
                       .out = out,
                       .objectives = {.journal = journal},
                       .tick = tick_of(journal->last_time)};
    size_t columns = journal->study.space.count ? journal->study.space.count : 1;
    d->keep = memory_new(journal->count, 1);
    d->kept =
        choose_trials(journal, DATA_CELLS / columns < most ? DATA_CELLS / columns : most, d->keep);
    journal_count(journal, &d->counts);
    history_read(&d->history, journal);
    usage_measure(&d->usage, journal, &d->history);
}

/* Closes the object, and moves the rest into the page. */
static void close_study(struct data *d)
{
    json_end_object(&d->text);
    html_put_safe(&d->out->text, d->text.text, d->text.length);
    usage_free(&d->usage);
    history_free(&d->history);
    metrics_free(&d->metrics);
    objectives_free(&d->objectives);
    str_free(&d->text);
    free(d->keep);
}

int html_put_data(struct out *out, const struct journal *journal, struct err *e)
{
    struct data d;
    open_study(&d, out, journal, REPORT_TRIALS);
    int failed = put_common(&d, e);
    if (!failed)
        curves_put(journal, d.keep, &d.text);
    if (!failed)
        failed = put_importance(&d, e);
    if (!failed)
        failed = put_failures(&d, e);
    close_study(&d);
    return failed;
}

int html_put_compared(struct out *out, const struct journal *journal, size_t most, struct err *e)
{
    struct data d;
    open_study(&d, out, journal, most);
    int failed = put_common(&d, e);
    close_study(&d);
    return failed;
}
