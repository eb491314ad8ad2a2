/* trial_text.c - one trial: why it failed, and as JSON for the --json of all commands. */
#include "cli/cli.h"

#include <math.h>

/* A wrapper, a module of the cluster or `env` has replaced PYTHONPATH. */
static void add_cure(struct str *s, struct slice last_line)
{
    static const char missing[] = "ModuleNotFoundError: No module named 'wick'";
    if (last_line.length >= sizeof missing - 1 &&
        memcmp(last_line.text, missing, sizeof missing - 1) == 0)
        str_add(s, ": run it with PYTHONPATH=$(wick trial library python):$PYTHONPATH");
}

void cli_add_cause(struct str *s, enum outcome_state state, const char *reason,
                   struct slice last_line)
{
    bool wrote = state == OUTCOME_FAILED && last_line.length > 0;
    /* The exit code adds nothing to the program's own message. */
    if (!wrote || strcmp(reason, "exit code 1") != 0) {
        cli_add_safe(s, reason, strlen(reason));
        str_add(s, wrote ? ": " : "");
    }
    if (wrote) {
        cli_add_safe(s, last_line.text, last_line.length);
        add_cure(s, last_line);
    }
}

void cli_add_reason(struct str *s, const struct outcome *result)
{
    struct slice log = {str_text(&result->log), result->log.length};
    cli_add_cause(s, result->state, result->reason, slice_last_line(log));
}

void cli_add_trial_name(struct str *s, const struct study *study, size_t index)
{
    const char *id = study_upf_id(study, index);
    str_printf(s, "trial %zu", index + 1);
    if (id) {
        str_add(s, " (id ");
        cli_add_safe(s, id, strlen(id));
        str_add_char(s, ')');
    }
}

double cli_took(const struct journal *journal, size_t index)
{
    const struct journal_trial *trial = &journal->trials[index];
    if (trial->state != OUTCOME_RUNNING)
        return trial->ended - trial->started;
    return journal->running ? fmax(clock_wall() - journal->created - trial->started, 0) : NAN;
}

/* ---- metrics ---- */

void cli_metrics_note(struct cli_metrics *metrics, const struct study *study,
                      const struct outcome *result)
{
    for (size_t i = 0; i < result->metric_count && metrics->count < OUTCOME_METRICS; i++) {
        const char *name = result->metrics[i].name;
        bool known = study_is_objective(study, name);
        for (size_t k = 0; k < metrics->count && !known; k++)
            known = strcmp(metrics->names[k], name) == 0;
        if (known)
            continue;
        struct str title = {0};
        cli_add_safe(&title, name, strlen(name));
        snprintf(metrics->names[metrics->count], sizeof *metrics->names, "%s", name);
        snprintf(metrics->titles[metrics->count++], sizeof *metrics->titles, "%s",
                 str_text(&title));
        str_free(&title);
    }
}

double cli_metric(const struct outcome *result, const char *name)
{
    for (size_t i = 0; i < result->metric_count; i++)
        if (strcmp(result->metrics[i].name, name) == 0)
            return result->metrics[i].value;
    return NAN;
}

void cli_add_metrics_json(struct str *s, const struct outcome_metric *metrics, size_t count)
{
    json_add_object(s);
    for (size_t i = 0; i < count; i++) {
        json_add_name(s, metrics[i].name);
        json_add_number(s, metrics[i].value);
    }
    json_end_object(s);
}

/* ---- as JSON ---- */

/* Times are rounded to the microsecond, as in the journal. */
static double microseconds(double seconds)
{
    return round(seconds * 1e6) / 1e6;
}

/*
 * With several objectives, all scores and whether it is on the front; its violation of constraints.
 */
static void put_objectives(struct str *s, const struct journal_trial *trial,
                           const struct outcome *result)
{
    if (result->score_count > 0) {
        json_set_numbers(s, "scores", result->scores, result->score_count);
        json_set_bool(s, "front", trial->on_front);
    }
    if (trial->violation > 0)
        json_set_number(s, "violation", trial->violation);
}

/* When it ran, and where. */
static void put_place(struct str *s, const struct journal *journal, size_t index)
{
    const struct journal_trial *trial = &journal->trials[index];
    char at[32];
    cli_set_text(s, "started_at", clock_format(journal->created + trial->started, at));
    bool ended = trial->state != OUTCOME_RUNNING;
    cli_set_text(s, "ended_at", ended ? clock_format(journal->created + trial->ended, at) : "");
    cli_set_text(s, "node", journal_node(journal, index));
    cli_set_text(s, "job", journal_job(journal, index));
}

static void put_facts(struct str *s, const struct journal *journal, size_t index,
                      const struct outcome *result)
{
    const struct journal_trial *trial = &journal->trials[index];
    bool is_lost = journal_is_lost(trial);
    cli_set_text(s, "state", outcome_state_name(trial->state));
    json_set_number(s, "score", trial->score);
    put_objectives(s, trial, result);
    json_set_number(s, "started", microseconds(trial->started));
    json_set_number(s, "ended", microseconds(trial->ended));
    json_set_number(s, "duration", microseconds(trial->ended - trial->started));
    put_place(s, journal, index);
    json_set_number(s, "worker", is_lost ? NAN : (double)trial->worker);
    json_set_number(s, "tries", is_lost ? NAN : (double)trial->tries);
    if (trial->origin > 0)
        json_set_number(s, "from", trial->origin);
    if (trial->paused)
        json_set_bool(s, "paused", true);
    json_set_number(s, "processor", is_lost ? NAN : result->processor);
    json_set_number(s, "peak_memory", result->peak_memory ? (double)result->peak_memory : NAN);
    json_set_number(s, "bytes_read", result->read ? (double)result->read : NAN);
    json_set_number(s, "bytes_written", result->written ? (double)result->written : NAN);
    json_set_number(s, "energy", result->energy > 0 ? result->energy : NAN);
    json_set_number(s, "exit_code", result->exit_code >= 0 ? (double)result->exit_code : NAN);
    json_set_number(s, "signal", result->signal > 0 ? (double)result->signal : NAN);
    cli_set_text(s, "reason", result->reason);
}

/* The number of steps, and all of them if wanted. */
static void put_steps(struct str *s, const struct journal *journal, size_t index, bool all)
{
    struct journal_walk walk = journal_walk(journal, (int64_t)index);
    struct journal_step step;
    json_set_number(s, "step_count", journal->trials[index].steps);
    if (!all)
        return;
    json_set_array(s, "steps");
    while (journal_next_step(&walk, &step)) {
        json_add_object(s);
        json_set_whole(s, "step", step.step);
        json_set_number(s, "time", step.time);
        json_set_number(s, "value", step.value);
        if (step.metrics.length > 0) {
            json_add_key(s, "metrics");
            str_add_bytes(s, step.metrics.text, step.metrics.length);
        }
        json_end_object(s);
    }
    json_end_array(s);
}

int cli_add_trial_json(struct str *s, const struct journal *journal, size_t index, bool log,
                       struct err *e)
{
    const struct journal_trial *trial = &journal->trials[index];
    const struct space *space = &journal->study.space;
    struct outcome result = {0};
    double *point = memory_new(space->count, sizeof *point);
    if (!journal_point(journal, index, point, e) && !journal_result(journal, index, &result, e)) {
        json_add_object(s);
        json_set_whole(s, "trial", index + 1);
        const char *id = study_upf_id(&journal->study, index);
        if (id)
            cli_set_text(s, "id", id);
        put_facts(s, journal, index, &result);
        json_add_key(s, "params");
        space_put_json(space, point, s);
        json_add_key(s, "metrics");
        cli_add_metrics_json(s, result.metrics, result.metric_count);
        if (trial->steps > 0)
            put_steps(s, journal, index, log);
        if (log) {
            journal_log(journal, index, &result, e);
            json_set_string(s, "log", str_text(&result.log), result.log.length);
            json_set_number(s, "dropped", (double)result.log_dropped);
        }
        json_end_object(s);
    }
    outcome_free(&result);
    free(point);
    return e->code;
}

int cli_read_trial(const struct journal *journal, const char *text, size_t *index, struct err *e)
{
    double number;
    if (!str_number(text, &number) || !(number >= 1) || number != floor(number))
        return err_set(e, ERR_USER, "'%s' is not a trial: trials are numbered from 1", text);
    if (number > (double)journal->count)
        return err_set(e, ERR_USER, "there is no trial %s: %s has %zu trials", text, journal->dir,
                       journal->count);
    *index = (size_t)number - 1;
    return 0;
}
