/* show.c - wick show: everything about one trial. */
#include "cli/cli.h"
#include "report/report.h"

#include <math.h>

enum { LABEL = 12 };

static void add_label(struct str *s, const char *label)
{
    str_printf(s, "%s%-*s%s", cli_colour(stdout, CLI_DIM), LABEL, label,
               cli_colour(stdout, CLI_PLAIN));
}

static void add_state(struct str *s, const struct journal *journal, size_t index,
                      const struct trial_result *result)
{
    const struct journal_trial *trial = &journal->trials[index];
    add_label(s, "trial");
    str_printf(s, "%zu of %s\n", index + 1, journal->study_name);
    add_label(s, "state");
    str_printf(s, "%s%s%s", cli_colour(stdout, cli_state_colour(trial->state)),
               trial_state_name(trial->state), cli_colour(stdout, CLI_PLAIN));
    if (result->reason[0]) {
        str_add(s, ": ");
        cli_add_safe(s, result->reason, strlen(result->reason));
    }
    str_add_char(s, '\n');
    if (!isnan(trial->score)) {
        add_label(s, "score");
        str_add_number(s, trial->score);
        str_add_char(s, '\n');
    }
}

static void add_time(struct str *s, const struct journal *journal, size_t index)
{
    const struct journal_trial *trial = &journal->trials[index];
    char started[32];
    add_label(s, "time");
    if (!isnan(trial->ended)) {
        str_add_duration(s, trial->ended - trial->started);
        str_add(s, ", ");
    }
    str_printf(s, "from %s on worker %u\n",
               clock_format(journal->created + trial->started, started), (unsigned)trial->worker);
    if (trial->tries > 1) {
        add_label(s, "tries");
        str_printf(s, "%u\n", (unsigned)trial->tries);
    }
}

static void add_resources(struct str *s, const struct trial_result *result)
{
    if (result->signal > 0) {
        add_label(s, "signal");
        str_printf(s, "%d (%s)\n", result->signal, strsignal(result->signal));
    } else if (result->exit_code >= 0) {
        add_label(s, "exit code");
        str_printf(s, "%d\n", result->exit_code);
    }
    if (result->processor > 0) {
        add_label(s, "processor");
        str_add_duration(s, result->processor);
        str_add_char(s, '\n');
    }
    if (result->peak_memory > 0) {
        add_label(s, "memory");
        cli_add_bytes(s, result->peak_memory);
        str_add_char(s, '\n');
    }
}

static size_t longest_name(const struct space *space, const struct trial_result *result)
{
    size_t longest = 0;
    for (size_t i = 0; i < space->count; i++)
        if (strlen(space->parameters[i].name) > longest)
            longest = strlen(space->parameters[i].name);
    for (size_t i = 0; i < result->metric_count; i++)
        if (strlen(result->metrics[i].name) > longest)
            longest = strlen(result->metrics[i].name);
    return longest;
}

static void add_title(struct str *s, const char *title)
{
    str_printf(s, "\n%s%s%s\n", cli_colour(stdout, CLI_BOLD), title, cli_colour(stdout, CLI_PLAIN));
}

/* Values exactly as the trial got them: `show` is where nothing is rounded. */
static void add_values(struct str *s, const struct space *space, const double *point,
                       const struct trial_result *result)
{
    int width = (int)longest_name(space, result);
    struct str value = {0};
    if (space->count > 0)
        add_title(s, "parameters");
    for (size_t i = 0; i < space->count; i++) {
        str_clear(&value);
        if (isnan(point[i]))
            str_add(&value, "-");
        else
            space_put_text(&space->parameters[i], point[i], &value);
        str_printf(s, "  %-*s  ", width, space->parameters[i].name);
        cli_add_safe(s, str_text(&value), value.length);
        str_add_char(s, '\n');
    }
    if (result->metric_count > 0)
        add_title(s, "metrics");
    for (size_t i = 0; i < result->metric_count; i++) {
        str_clear(&value);
        cli_add_safe(&value, result->metrics[i].name, strlen(result->metrics[i].name));
        str_printf(s, "  %-*s  ", width, str_text(&value));
        str_add_number(s, result->metrics[i].value);
        str_add_char(s, '\n');
    }
    str_free(&value);
}

/* The log with line ends only: a progress bar that returns to the line's begin makes new lines. */
static void add_log(struct str *s, const struct trial_result *result)
{
    if (result->log.length == 0)
        return;
    struct str log = {0};
    add_title(s, "output");
    for (size_t i = 0; i < result->log.length; i++) {
        char c = result->log.text[i];
        bool pair = c == '\r' && i + 1 < result->log.length && result->log.text[i + 1] == '\n';
        if (!pair)
            str_add_char(&log, c == '\r' ? '\n' : c);
    }
    cli_add_safe(s, log.text, log.length);
    if (s->text[s->length - 1] != '\n')
        str_add_char(s, '\n');
    str_free(&log);
}

static void add_command(struct str *s, const struct journal *journal, size_t index,
                        const double *point)
{
    struct str command = {0};
    report_command(&journal->study, journal->dir, index + 1, point, &command);
    add_title(s, "command");
    str_add(s, "  ");
    cli_add_safe(s, str_text(&command), command.length);
    str_add_char(s, '\n');
    str_free(&command);
}

static int add_everything(struct str *s, const struct journal *journal, size_t index, struct err *e)
{
    const struct space *space = &journal->study.space;
    struct trial_result result = {0};
    double *point = memory_new(space->count, sizeof *point);
    if (!journal_point(journal, index, point, e) && !journal_result(journal, index, &result, e)) {
        journal_log(journal, index, &result);
        add_state(s, journal, index, &result);
        add_time(s, journal, index);
        add_resources(s, &result);
        add_values(s, space, point, &result);
        add_command(s, journal, index, point);
        add_log(s, &result);
    }
    trial_result_free(&result);
    free(point);
    return e->code;
}

static int add_raw_log(struct str *s, const struct journal *journal, size_t index, struct err *e)
{
    struct trial_result result = {0};
    if (!journal_result(journal, index, &result, e)) {
        journal_log(journal, index, &result);
        str_add_bytes(s, str_text(&result.log), result.log.length);
    }
    trial_result_free(&result);
    return e->code;
}

static int show(const struct cli_arguments *arguments, const struct journal *journal,
                const char *trial, struct err *e)
{
    size_t index;
    struct str text = {0};
    if (cli_read_trial(journal, trial, &index, e))
        return e->code;
    if (cli_flag(arguments, "log")) {
        add_raw_log(&text, journal, index, e);
    } else if (cli_flag(arguments, "json")) {
        cli_add_trial_json(&text, journal, index, true, e);
        str_add_char(&text, '\n');
    } else {
        add_everything(&text, journal, index, e);
    }
    if (!e->code)
        fwrite(str_text(&text), 1, text.length, stdout);
    str_free(&text);
    return e->code;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    bool here = arguments->operand_count == 1; /* wick show 41 */
    if (cli_load_journal(here ? NULL : arguments->operands[0], &journal, &e))
        return cli_fail(&e);
    show(arguments, &journal, arguments->operands[here ? 0 : 1], &e);
    journal_free(&journal);
    return e.code ? cli_fail(&e) : 0;
}

const struct cli_command cli_command_show = {
    .name = "show",
    .summary = "everything about one trial, with its output",
    .example = "wick show digits.wick 41\n"
               "wick show 41 --log",
    .synopsis = "[DIR] TRIAL [--log | --json]",
    .details = "Whatever a trial has written is made safe for the terminal: an escape character\n"
               "is shown as \\x1b. --log gives it as it was.",
    .options =
        (const struct cli_option[]){
            {.name = "log", .help = "only the output of the trial, as it was"},
            {.name = "json", .help = "one JSON object"},
            {0},
        },
    .least = 1,
    .most = 2,
    .run = run,
};
