/*
 * html.c - the page of a study, and its data as pages have it.
 *
 * The data is one JSON object, {
 *   study       {name, state, command, ...}: what the header shows
 *   total, kept, failed, counts    how many trials there are, are on the page, failed, by state
 *   states      names of the states, by code
 *   tick        seconds of the unit of times
 *   parameters  [{name, kind, log, conditional, low, high, values}]
 *   metrics     names of what trials gave beside the score, METRICS_MOST at most
 *   objectives  [{name, maximize}] where there are several; else []
 *   broken      texts of constraints that trials break
 *   trials      {trial, state, score, started, duration, worker, tries, parameters, metrics}: one
 *               list a column, one item a trial that is kept. trial and started are differences to
 *               the item before; parameters has a list for each (null for a constant) with numbers,
 *               places in `values`, or null where it is not active; metrics has one for each name.
 *               Of several objectives also scores (a list for each) and front (0 or 1); with
 *               measured constraints broken (a place in `broken`, or null).
 *               6 digits are kept.
 *   earlier     {trial, worker, started, duration, state, part}: tries before the last, of trials
 *               that are kept; part is 1 for the other ranks of a try, of the last ones, too
 *   running     {step, values}: trials that ran at once, in steps of so many seconds
 *   busy        share of each worker
 *   grid        null, or when trials were left out {columns, rows}: a text a worker, with a digit
 *               from 0 to 9 for its busy share in each of so many equal parts of the time
 *   importance  [{}, ...] what report_add_importance_json() says: with curves of all differences,
 *               and of those among the best HTML_NEAR_BEST percent where the trials are enough for
 *               that; of several objectives, of each; {refused: why} when nothing can be told
 *   curves      [{trial, steps, values}]: of some trials the values that they told of, by step
 *   best        [{trial, score, metrics, values, command}]: the ten best, or the front, as
 *               exact texts
 *   failures    [{trial, state, reason, ended, worker, log, cut}], the last to end first
 * }. A page of several studies has {studies: [...]}, each without importance, curves and failures.
 * Columns of numbers are small and quick to parse: 100,000 trials with 8 parameters are 10 MB.
 * Texts of users stand in JSON strings, and every < becomes \u003c: nothing in them can end the
 * script element that holds the data.
 */
#include "report/html.h"
#include "report/choose.h"
#include "report/curves.h"
#include "report/facts.h"
#include "report/history.h"
#include "report/metrics.h"
#include "report/objectives.h"
#include "report/out.h"
#include "report/page.h"
#include "report/row.h"

#include <math.h>

enum {
    HTML_CELLS = 4000000, /* values of parameters on a page; with many parameters less trials fit */
    HTML_TOP = 10,
    HTML_FRONT = 200,   /* trials of the front that are shown in full */
    HTML_TRIES = 20000, /* earlier tries; the last ones are shown */
    HTML_GRID = 400000, /* cells of the grid; 300 columns up to 1300 workers */
    HTML_COLUMNS = 300,
    HTML_NEAR_BEST = 25,       /* percent of the trials that are near the best */
    HTML_NEAR_BEST_FROM = 100, /* trials that it takes to tell these apart */
    HTML_LOG_LINES = 40,
    HTML_LOG_BYTES = 4000,
};

struct html {
    const struct journal *journal;
    struct out *out;
    struct str text; /* JSON that is not yet made safe */
    struct history history;
    struct usage usage;
    struct metrics metrics;
    struct objectives objectives;
    struct journal_counts counts;
    unsigned char *keep;
    size_t kept;
    double tick;
};

/* ---- escaping ---- */

void html_put_safe(struct str *out, const char *json, size_t length)
{
    const char *end = json + length, *less;
    while ((less = memchr(json, '<', (size_t)(end - json)))) {
        str_add_bytes(out, json, (size_t)(less - json));
        str_add(out, "\\u003c");
        json = less + 1;
    }
    str_add_bytes(out, json, (size_t)(end - json));
}

void html_put_text(struct str *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<': str_add(out, "&lt;"); break;
        case '>': str_add(out, "&gt;"); break;
        case '&': str_add(out, "&amp;"); break;
        case '"': str_add(out, "&quot;"); break;
        default: str_add_char(out, *text);
        }
    }
}

/* Moves the JSON that has gathered into the page. */
static void flush(struct html *h)
{
    html_put_safe(&h->out->text, str_text(&h->text), h->text.length);
    str_clear(&h->text);
    out_turn(h->out);
}

/* ---- the parts of the data ---- */

static void put_key(struct str *s, const char *key)
{
    str_printf(s, ",\"%s\":", key);
}

static void put_string(struct str *s, const char *key, const char *text)
{
    put_key(s, key);
    json_put_string(s, text, strlen(text));
}

static void put_number(struct str *s, const char *key, double number)
{
    put_key(s, key);
    json_put_number(s, number);
}

/* How the study stands, in a sentence. */
static void put_state(const struct journal *journal, struct str *s)
{
    static const char *const sentences[] = {
        [END_NONE] = "Crashed: its process is gone. It goes on with: wick ",
        [END_DONE] = "Finished: every trial of the budget has ended.",
        [END_EXHAUSTED] = "Finished: there was nothing left to try.",
        [END_TIME] = "Finished: the time was used up.",
        [END_DEADLINE] = "Not finished: no more trials fit before the deadline.",
        [END_TARGET] = "Finished: the target was reached.",
        [END_INTERRUPTED] = "Interrupted. It goes on with: wick ",
        [END_STOPPED] = "Stopped by wick stop. It goes on with: wick ",
        [END_BROKEN] = "",
        [END_PREPARED] = "",
        [END_OTHER] = "",
    };
    const char *state = facts_state(journal);
    struct str text = {0};
    if (journal->running)
        str_printf(&text, "Running: %s.", journal->owner);
    else
        str_add(&text, sentences[journal->end]);
    if (text.length > 0 && text.text[text.length - 1] == ' ')
        str_printf(&text, "%s %s", study_resume_command(&journal->study.model), journal->dir);
    put_string(s, "state", state);
    put_string(s, "stateText", text.length > 0 ? text.text : state);
    str_free(&text);
}

static void put_command(const struct study *study, struct str *s)
{
    struct str text = {0};
    if (study->model.function)
        str_add(&text, study->model.function->name);
    else if (study->model.asktell)
        str_add(&text, "wick asktell");
    else if (study->model.code.function)
        str_printf(&text, "%s:%s", study->model.code.file, study->model.code.function);
    for (size_t i = 0; study->model.command && study->model.command[i]; i++)
        str_printf(&text, "%s%s", i ? " " : "", study->model.command[i]);
    put_string(s, "command", str_text(&text));
    put_key(s, "isFunction");
    str_add(s, study->model.function || study->model.code.function ? "true" : "false");
    str_free(&text);
}

static void put_study(struct html *h)
{
    const struct journal *journal = h->journal;
    const struct study *study = &journal->study;
    struct str *s = &h->text;
    struct arena arena = {0};
    char date[32], seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)study->search.seed);
    str_add(s, "{\"study\":{\"name\":");
    json_put_string(s, journal->study.name, strlen(journal->study.name));
    put_state(journal, s);
    put_command(study, s);
    put_string(s, "created", clock_format(journal->created, date));
    put_string(s, "made", clock_format(clock_wall(), date));
    put_string(s, "score", study_score_name(&study->model));
    put_key(s, "maximize");
    str_add(s, study->model.maximize ? "true" : "false");
    put_string(s, "algorithm", study_steers(study) ? study_steers(study) : study->search.algorithm);
    put_string(s, "seed", seed);
    put_number(s, "batch", (double)study->search.batch);
    put_string(s, "stop", study->stop.name ? study->stop.name : "");
    put_number(s, "budget", (double)journal->budget);
    put_number(s, "workers", (double)journal->workers);
    put_number(s, "rows", (double)h->usage.workers);
    put_number(s, "wall", journal->spent);
    put_number(s, "busy", h->usage.total);
    put_number(s, "meanRunning", h->usage.mean);
    put_number(s, "span", journal->last_time);
    put_string(s, "folder", facts_folder(journal, &arena));
    put_string(s, "definition", study->text);
    str_add_char(s, '}');
    arena_free(&arena);
    flush(h);
}

static void put_counts(struct html *h)
{
    struct str *s = &h->text;
    put_number(s, "total", (double)h->journal->count);
    put_number(s, "kept", (double)h->kept);
    put_number(s, "failed", (double)h->counts.failed);
    put_number(s, "tick", h->tick);
    put_key(s, "states");
    for (int state = 0; state <= OUTCOME_INTERRUPTED; state++)
        str_printf(s, "%s\"%s\"", state ? "," : "[", outcome_state_name((enum outcome_state)state));
    str_add(s, "],\"counts\":");
    for (int state = 0; state <= OUTCOME_INTERRUPTED; state++)
        str_printf(s, "%s%zu", state ? "," : "[", h->counts.states[state]);
    str_add_char(s, ']');
    flush(h);
}

static void put_parameters(struct html *h)
{
    static const char *const kinds[] = {"float", "int", "choice", "ordered", "constant"};
    const struct space *space = &h->journal->study.space;
    struct str *s = &h->text;
    put_key(s, "parameters");
    str_add_char(s, '[');
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        str_printf(s, "%s{\"kind\":\"%s\"", i ? "," : "", kinds[parameter->kind]);
        put_string(s, "name", parameter->name);
        put_key(s, "log");
        str_add(s, parameter->log ? "true" : "false");
        put_key(s, "conditional");
        str_add(s, parameter->when_count > 0 ? "true" : "false");
        if (parameter->value_count == 0) {
            put_number(s, "low", parameter->low);
            put_number(s, "high", parameter->high);
        } else {
            put_key(s, "values");
            for (size_t k = 0; k < parameter->value_count; k++) {
                str_add_char(s, k ? ',' : '[');
                json_put_string(s, parameter->values[k].text, strlen(parameter->values[k].text));
            }
            str_add_char(s, ']');
        }
        str_add_char(s, '}');
        flush(h);
    }
    str_add_char(s, ']');
}

/* ---- the columns of the trials ---- */

enum { TRIAL, STATE, SCORE, STARTED, DURATION, WORKER, TRIES, FIXED };

static void put_item(struct str *column, double number)
{
    str_add_char(column, column->length > 0 ? ',' : '[');
    if (isnan(number) || isinf(number))
        str_add(column, "null");
    else if (number == floor(number) && fabs(number) < 1e15)
        str_add_number(column, number);
    else
        str_printf(column, "%.6g", number);
}

/* What the columns' differences refer to. */
struct before {
    size_t index;   /* trials, from 1 */
    double started; /* ticks */
};

static void put_trial(const struct html *h, size_t index, const double *point, struct str *columns,
                      struct before *before)
{
    const struct journal_trial *trial = &h->journal->trials[index];
    const struct space *space = &h->journal->study.space;
    bool running = trial->state == OUTCOME_RUNNING;
    double started = round(trial->started / h->tick);
    put_item(&columns[TRIAL], (double)(index + 1 - before->index));
    put_item(&columns[STATE], trial->state);
    put_item(&columns[SCORE], trial->score);
    put_item(&columns[STARTED], started - before->started);
    put_item(&columns[DURATION], running ? NAN : round(trial->ended / h->tick) - started);
    put_item(&columns[WORKER], trial->worker);
    put_item(&columns[TRIES], trial->tries);
    for (size_t i = 0; i < space->count; i++)
        if (space->parameters[i].kind != PARAMETER_CONSTANT)
            put_item(&columns[FIXED + i], point[i]);
    *before = (struct before){index + 1, started};
}

static void put_column(struct html *h, const struct str *column)
{
    str_add(&h->text, column->length > 0 ? column->text : "[");
    str_add_char(&h->text, ']');
    flush(h);
}

static void put_metrics(struct html *h)
{
    put_key(&h->text, "metrics");
    str_add_char(&h->text, '[');
    for (size_t i = 0; i < h->metrics.count; i++) {
        str_add(&h->text, i ? ",[" : "[");
        put_column(h, &h->metrics.columns[i]);
    }
    str_add_char(&h->text, ']');
}

static void put_metric_names(struct html *h)
{
    put_key(&h->text, "metrics");
    str_add_char(&h->text, '[');
    for (size_t i = 0; i < h->metrics.count; i++) {
        str_add(&h->text, i ? "," : "");
        json_put_string(&h->text, h->metrics.names[i], strlen(h->metrics.names[i]));
    }
    str_add_char(&h->text, ']');
}

static void put_columns(struct html *h, const struct str *columns)
{
    static const char *const names[FIXED] = {"trial",    "state",  "score", "started",
                                             "duration", "worker", "tries"};
    const struct space *space = &h->journal->study.space;
    put_key(&h->text, "trials");
    for (size_t i = 0; i < FIXED; i++) {
        str_printf(&h->text, "%s\"%s\":", i ? "," : "{", names[i]);
        put_column(h, &columns[i]);
    }
    str_add(&h->text, ",\"parameters\":[");
    for (size_t i = 0; i < space->count; i++) {
        str_add(&h->text, i ? "," : "");
        if (space->parameters[i].kind == PARAMETER_CONSTANT)
            str_add(&h->text, "null");
        else
            put_column(h, &columns[FIXED + i]);
    }
    str_add_char(&h->text, ']');
    put_metrics(h);
    objectives_put_columns(&h->objectives, &h->text);
    str_add_char(&h->text, '}');
}

static int put_trials(struct html *h, struct err *e)
{
    size_t count = FIXED + h->journal->study.space.count;
    struct str *columns = memory_new(count, sizeof *columns);
    double *point = memory_new(count, sizeof *point);
    struct before before = {0};
    struct outcome result = {0};
    int failed = 0;
    for (size_t i = 0; i < h->journal->count && !failed; i++) {
        if (!h->keep[i])
            continue;
        failed = journal_point(h->journal, i, point, e);
        if (!failed)
            failed = journal_result(h->journal, i, &result, e);
        if (!failed) {
            put_trial(h, i, point, columns, &before);
            objectives_add(&h->objectives, i, point, &result);
            metrics_add(&h->metrics, &result, study_score_name(&h->journal->study.model));
        }
    }
    outcome_free(&result);
    if (!failed)
        put_columns(h, columns);
    for (size_t i = 0; i < count; i++)
        str_free(&columns[i]);
    free(columns);
    free(point);
    return failed;
}

static void put_earlier(struct html *h)
{
    enum { EARLIER = 6 };
    static const char *const names[EARLIER] = {"trial",    "worker", "started",
                                               "duration", "state",  "part"};
    const struct history *history = &h->history;
    struct str columns[EARLIER] = {0};
    size_t first = history->try_count > HTML_TRIES ? history->try_count - HTML_TRIES : 0;
    for (size_t i = first; i < history->try_count; i++) {
        const struct history_try *try = &history->tries[i];
        if (!h->keep[try->index])
            continue;
        put_item(&columns[0], try->index + 1.0);
        put_item(&columns[1], try->worker);
        put_item(&columns[2], round(try->started / h->tick));
        put_item(&columns[3], round((try->ended - try->started) / h->tick));
        put_item(&columns[4], try->state);
        put_item(&columns[5], try->part);
    }
    put_key(&h->text, "earlier");
    for (size_t i = 0; i < EARLIER; i++) {
        str_printf(&h->text, "%s\"%s\":", i ? "," : "{", names[i]);
        put_column(h, &columns[i]);
        str_free(&columns[i]);
    }
    str_add_char(&h->text, '}');
}

static void put_usage(struct html *h)
{
    struct str column = {0};
    for (size_t i = 0; i < USAGE_BINS; i++)
        put_item(&column, h->usage.running[i]);
    str_printf(&h->text, ",\"running\":{\"step\":%.9g,\"values\":", h->usage.step);
    put_column(h, &column);
    str_clear(&column);
    for (size_t i = 0; i < h->usage.workers; i++)
        put_item(&column, h->usage.busy[i]);
    str_add(&h->text, "},\"busy\":");
    put_column(h, &column);
    str_free(&column);
}

static void put_grid(struct html *h)
{
    put_key(&h->text, "grid");
    size_t workers = h->usage.workers ? h->usage.workers : 1, columns = HTML_GRID / workers;
    columns = columns > HTML_COLUMNS ? HTML_COLUMNS : columns ? columns : 1;
    if (h->kept == h->journal->count) {
        str_add(&h->text, "null");
        return;
    }
    float *cells = usage_grid(&h->usage, h->journal, &h->history, columns);
    str_printf(&h->text, "{\"columns\":%zu,\"rows\":[", columns);
    for (size_t i = 0; i < h->usage.workers; i++) {
        str_add(&h->text, i ? ",\"" : "\"");
        for (size_t k = 0; k < columns; k++)
            str_add_char(&h->text,
                         (char)('0' + (int)(fminf(cells[i * columns + k], 1) * 9 + 0.5F)));
        str_add_char(&h->text, '"');
        flush(h);
    }
    str_add(&h->text, "]}");
    free(cells);
}

/* That nothing can be told is no error of the page. */
static int put_one_importance(struct html *h, struct report_importance_settings settings,
                              struct err *e)
{
    struct report_importance importance;
    bool first = settings.objective == 0 && settings.best == 0;
    int failed = report_importance(&importance, h->journal, &settings, e);
    if (failed && failed != ERR_USER)
        return failed;
    if (failed) {
        str_add(&h->text, "{\"refused\":");
        json_put_string(&h->text, e->message, strlen(e->message));
        str_add_char(&h->text, '}');
        *e = (struct err){0};
    } else {
        report_add_importance_json(&importance, first, &h->text);
        report_importance_free(&importance);
    }
    return 0;
}

/* Of one score also between the best trials; of several, of each. */
static int put_importance(struct html *h, struct err *e)
{
    size_t objectives = study_objectives(&h->journal->study);
    bool near_best = objectives == 1 && h->counts.states[OUTCOME_DONE] >= HTML_NEAR_BEST_FROM;
    struct report_importance_settings best = {.best = HTML_NEAR_BEST / 100.0};
    int failed = 0;
    put_key(&h->text, "importance");
    for (size_t i = 0; i < objectives && !failed; i++) {
        str_add_char(&h->text, i ? ',' : '[');
        failed = put_one_importance(h, (struct report_importance_settings){.objective = i}, e);
    }
    if (near_best && !failed) {
        str_add_char(&h->text, ',');
        failed = put_one_importance(h, best, e);
    }
    str_add_char(&h->text, ']');
    return failed;
}

/* ---- the best and the failures ---- */

static void put_best_metrics(struct html *h, const struct outcome *result)
{
    struct str *s = &h->text, text = {0};
    put_key(s, "metrics");
    str_add_char(s, '[');
    for (size_t i = 0; i < h->metrics.count; i++) {
        double value = metrics_find(result, h->metrics.names[i]);
        str_clear(&text);
        str_add_number(&text, value);
        str_add(s, i ? "," : "");
        if (isnan(value))
            str_add(s, "null");
        else
            json_put_string(s, text.text, text.length);
    }
    str_add_char(s, ']');
    str_free(&text);
}

static void put_best_trial(struct html *h, size_t index, const double *point,
                           const struct outcome *result)
{
    const struct journal *journal = h->journal;
    const struct space *space = &journal->study.space;
    struct str *s = &h->text, text = {0};
    str_printf(s, "{\"trial\":%zu", index + 1);
    str_add_number(&text, journal->trials[index].score);
    put_string(s, "score", text.text);
    str_clear(&text);
    report_command(&journal->study, journal->dir, index + 1, point, &text);
    put_string(s, "command", str_text(&text));
    put_best_metrics(h, result);
    put_key(s, "values");
    for (size_t i = 0; i < space->count; i++) {
        str_add_char(s, i ? ',' : '[');
        str_clear(&text);
        if (isnan(point[i])) {
            str_add(s, "null");
        } else {
            space_put_text(&space->parameters[i], point[i], &text);
            json_put_string(s, str_text(&text), text.length);
        }
    }
    str_add(s, space->count ? "]}" : "[]}");
    str_free(&text);
}

static int put_best(struct html *h, struct err *e)
{
    uint32_t best[HTML_FRONT];
    size_t count = journal_top(h->journal, h->journal->scores ? HTML_FRONT : HTML_TOP, best);
    double *point = memory_new(h->journal->study.space.count, sizeof *point);
    struct outcome result = {0};
    int failed = 0;
    put_key(&h->text, "best");
    str_add_char(&h->text, '[');
    for (size_t i = 0; i < count && !failed; i++) {
        failed = journal_point(h->journal, best[i], point, e);
        if (!failed)
            failed = journal_result(h->journal, best[i], &result, e);
        str_add(&h->text, i ? "," : "");
        if (!failed)
            put_best_trial(h, best[i], point, &result);
        flush(h);
    }
    str_add_char(&h->text, ']');
    outcome_free(&result);
    free(point);
    return failed;
}

struct slice html_log_end(const char *log, size_t length)
{
    size_t from = length > HTML_LOG_BYTES ? length - HTML_LOG_BYTES : 0;
    size_t lines = 0, at = length;
    while (at > from && lines <= HTML_LOG_LINES)
        if (log[--at] == '\n' && at + 1 < length && ++lines > HTML_LOG_LINES - 1)
            break;
    /* Cut at a line's begin, unless the line is as long as all that is shown. */
    const char *newline = at > 0 ? memchr(log + at, '\n', length - at) : NULL;
    if (newline && newline + 1 < log + length)
        at = (size_t)(newline + 1 - log);
    return (struct slice){log + at, length - at};
}

static void put_failure(struct html *h, size_t index, const struct outcome *result)
{
    const struct journal_trial *trial = &h->journal->trials[index];
    struct slice end = html_log_end(str_text(&result->log), result->log.length);
    bool cut = end.length < result->log.length || result->log_dropped > 0;
    str_printf(&h->text, "{\"trial\":%zu,\"state\":%d,\"worker\":%d,\"cut\":%s", index + 1,
               trial->state, trial->worker, cut ? "true" : "false");
    put_number(&h->text, "ended", trial->ended);
    put_string(&h->text, "reason", result->reason);
    put_key(&h->text, "log");
    json_put_string(&h->text, end.text, end.length);
    str_add_char(&h->text, '}');
}

static int put_failures(struct html *h, struct err *e)
{
    uint32_t last[REPORT_FAILURES];
    size_t count = choose_failures(h->journal, last);
    struct outcome result = {0};
    int failed = 0;
    put_key(&h->text, "failures");
    str_add_char(&h->text, '[');
    for (size_t i = 0; i < count && !failed; i++) {
        failed = journal_result(h->journal, last[i], &result, e);
        str_add(&h->text, i ? "," : "");
        if (!failed)
            put_failure(h, last[i], &result);
        flush(h);
    }
    str_add_char(&h->text, ']');
    outcome_free(&result);
    return failed;
}

/* What every page shows of a study, without the bracket that ends the object. */
static int put_common(struct html *h, struct err *e)
{
    put_study(h);
    put_counts(h);
    put_parameters(h);
    if (put_trials(h, e))
        return e->code;
    put_metric_names(h);
    objectives_put_names(&h->objectives, &h->text);
    put_earlier(h);
    put_usage(h);
    put_grid(h);
    return put_best(h, e);
}

static void end_data(struct html *h)
{
    str_add_char(&h->text, '}');
    flush(h);
}

static int put_data(void *self, struct err *e)
{
    struct html *h = self;
    if (put_common(h, e))
        return e->code;
    put_key(&h->text, "curves");
    curves_put(h->journal, h->keep, &h->text);
    if (put_importance(h, e) || put_failures(h, e))
        return e->code;
    end_data(h);
    return 0;
}

/* ---- the page ---- */

static void put_title(void *self, struct str *s)
{
    const struct html *h = self;
    html_put_text(s, h->journal->study.name);
}

static void put_summary(void *self, struct str *s)
{
    const struct html *h = self;
    const struct journal *journal = h->journal;
    int64_t best = journal_best(journal);
    size_t done = h->counts.states[OUTCOME_DONE];
    str_printf(s, "%zu %s done", done, done == 1 ? "trial was" : "trials were");
    if (h->counts.states[OUTCOME_STOPPED] > 0)
        str_printf(s, ", %zu stopped", h->counts.states[OUTCOME_STOPPED]);
    str_printf(s, " and %zu failed.", h->counts.failed);
    if (journal->scores)
        str_printf(s, " On the Pareto front: %zu.", journal->front_count);
    if (best < 0 || journal->scores)
        return;
    str_printf(s, " The best is trial %lld with the score ", (long long)best + 1);
    str_add_number(s, journal->trials[best].score);
    str_add_char(s, '.');
}

/* Times are whole ticks: microseconds, or an eighth digit of a long study. */
static double tick_of(double span)
{
    return fmax(1e-6, pow(10, ceil(log10(fmax(span, 1))) - 8));
}

/* With at most so many trials, and less when they have many parameters. */
static void open_study(struct html *h, struct out *out, const struct journal *journal, size_t most)
{
    *h = (struct html){.journal = journal,
                       .out = out,
                       .objectives = {.journal = journal},
                       .tick = tick_of(journal->last_time)};
    size_t columns = journal->study.space.count ? journal->study.space.count : 1;
    h->keep = memory_new(journal->count, 1);
    h->kept =
        choose_trials(journal, HTML_CELLS / columns < most ? HTML_CELLS / columns : most, h->keep);
    journal_count(journal, &h->counts);
    history_read(&h->history, journal);
    usage_measure(&h->usage, journal, &h->history);
}

static void close_study(struct html *h)
{
    usage_free(&h->usage);
    history_free(&h->history);
    metrics_free(&h->metrics);
    objectives_free(&h->objectives);
    str_free(&h->text);
    free(h->keep);
}

int html_put_study(struct out *out, const struct journal *journal, size_t most, struct err *e)
{
    struct html h;
    open_study(&h, out, journal, most);
    int failed = put_common(&h, e);
    if (!failed)
        end_data(&h);
    close_study(&h);
    return failed;
}

int report_html(const struct journal *journal, const char *path, struct err *e)
{
    struct out out;
    struct html h;
    int failed = out_open(&out, (struct report_target){.path = path}, e);
    if (failed)
        return failed;
    open_study(&h, &out, journal, REPORT_TRIALS);
    failed =
        page_put(&out, PAGE_STUDY, &(struct page_filler){&h, put_title, put_summary, put_data}, e);
    close_study(&h);
    return out_close(&out, failed, e);
}
