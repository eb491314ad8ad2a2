/* trial.c - one trial: why it failed, and as JSON for the --json of all commands. */
#include "cli/cli.h"

#include <math.h>

/* The last line of the output that says something. */
static struct slice last_line(const struct str *log)
{
    const char *text = str_text(log), *end = text + log->length;
    while (end > text && strchr(" \t\r\n", end[-1]))
        end--;
    const char *start = end;
    while (start > text && start[-1] != '\n' && start[-1] != '\r')
        start--;
    return (struct slice){start, (size_t)(end - start)};
}

void cli_add_reason(struct str *s, const struct trial_result *result)
{
    struct slice line = last_line(&result->log);
    bool wrote = result->state == TRIAL_FAILED && line.length > 0;
    /* Exit code 1 says nothing that the message of the program does not say better. */
    if (!wrote || result->exit_code != 1) {
        cli_add_safe(s, result->reason, strlen(result->reason));
        str_add(s, wrote ? ": " : "");
    }
    if (wrote)
        cli_add_safe(s, line.text, line.length);
}

static void put_text(struct str *s, const char *key, const char *text)
{
    str_printf(s, ",\"%s\":", key);
    if (text[0])
        json_put_string(s, text, strlen(text));
    else
        str_add(s, "null");
}

static void put_number(struct str *s, const char *key, double number)
{
    str_printf(s, ",\"%s\":", key);
    json_put_number(s, number);
}

static void put_metrics(struct str *s, const struct trial_result *result)
{
    str_add(s, ",\"metrics\":{");
    for (size_t i = 0; i < result->metric_count; i++) {
        const struct trial_metric *metric = &result->metrics[i];
        str_add(s, i ? "," : "");
        json_put_string(s, metric->name, strlen(metric->name));
        str_add_char(s, ':');
        json_put_number(s, metric->value);
    }
    str_add_char(s, '}');
}

/* Times are written to the microsecond, as the journal has them. */
static double microseconds(double seconds)
{
    return round(seconds * 1e6) / 1e6;
}

static void put_facts(struct str *s, const struct journal_trial *trial,
                      const struct trial_result *result)
{
    put_text(s, "state", trial_state_name(trial->state));
    put_number(s, "score", trial->score);
    put_number(s, "started", microseconds(trial->started));
    put_number(s, "ended", microseconds(trial->ended));
    put_number(s, "duration", microseconds(trial->ended - trial->started));
    put_number(s, "worker", trial->worker);
    put_number(s, "tries", trial->tries);
    put_number(s, "processor", result->processor);
    put_number(s, "peak_memory", result->peak_memory ? (double)result->peak_memory : NAN);
    put_number(s, "exit_code", result->exit_code >= 0 ? (double)result->exit_code : NAN);
    put_number(s, "signal", result->signal > 0 ? (double)result->signal : NAN);
    put_text(s, "reason", result->reason);
}

int cli_add_trial_json(struct str *s, const struct journal *journal, size_t index, bool log,
                       struct err *e)
{
    const struct journal_trial *trial = &journal->trials[index];
    const struct space *space = &journal->study.space;
    struct trial_result result = {0};
    double *point = memory_new(space->count, sizeof *point);
    if (!journal_point(journal, index, point, e) && !journal_result(journal, index, &result, e)) {
        str_printf(s, "{\"trial\":%zu", index + 1);
        put_facts(s, trial, &result);
        str_add(s, ",\"params\":");
        space_put_json(space, point, s);
        put_metrics(s, &result);
        if (log) {
            journal_log(journal, index, &result);
            str_add(s, ",\"log\":");
            json_put_string(s, str_text(&result.log), result.log.length);
            put_number(s, "dropped", (double)result.log_dropped);
        }
        str_add_char(s, '}');
    }
    trial_result_free(&result);
    free(point);
    return e->code;
}
