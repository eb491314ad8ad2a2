/* best.c - wick best: show the best trials and how to run them again. */
#include "cli/cli.h"
#include "model/model.h"
#include "report/report.h"

#include <signal.h>
#include <unistd.h>

enum { BEST_LIMIT = 100000 };

/* One title and one value per line. */
static void print_metrics(const struct study *study, const struct outcome *result)
{
    struct cli_metrics metrics = {0};
    struct text_table table = {.out = stdout};
    struct str text = {0};
    cli_metrics_note(&metrics, study, result);
    text_table_column(&table, "metric", CLI_LEFT);
    text_table_column(&table, "value", CLI_LEFT);
    for (size_t i = 0; i < metrics.count; i++) {
        str_clear(&text);
        cli_add_score(&text, cli_metric(result, metrics.names[i]));
        text_table_cell(&table, CLI_PLAIN, metrics.titles[i]);
        text_table_cell(&table, CLI_PLAIN, text.text);
    }
    if (metrics.count > 0)
        putchar('\n');
    text_table_end(&table);
    str_free(&text);
}

/* The parameters of one trial, one per line, with its metrics and its command. */
static void print_one(const struct journal *journal, size_t index, const double *point,
                      const struct outcome *result)
{
    const struct space *space = &journal->study.space;
    struct str text = {0};
    cli_add_score(&text, journal->trials[index].score);
    str_printf(&text, "%s in ", cli_colour(stdout, CLI_PLAIN));
    cli_add_trial_name(&text, &journal->study, index);
    str_printf(&text, " of %zu (", journal->count);
    cli_add_objective(&text, &journal->study, 0);
    printf("%s%s)\n\n", cli_colour(stdout, CLI_BOLD), text.text);
    struct text_table table = {.out = stdout};
    text_table_column(&table, "parameter", CLI_LEFT);
    text_table_column(&table, "value", CLI_LEFT);
    for (size_t i = 0; i < space->count; i++) {
        str_clear(&text);
        cli_add_parameter(&text, &space->parameters[i], point[i]);
        text_table_cell(&table, CLI_PLAIN, space->parameters[i].name);
        text_table_cell(&table, CLI_PLAIN, text.text);
    }
    text_table_end(&table);
    print_metrics(&journal->study, result);
    struct str command = {0};
    report_command(&journal->study, journal->dir, index + 1, point, &command);
    str_clear(&text);
    cli_add_safe(&text, str_text(&command), command.length);
    printf("%s%s\n", space->count ? "\n" : "", text.text);
    str_free(&command);
    str_free(&text);
}

static void add_columns(struct text_table *table, const struct study *study,
                        const struct cli_metrics *metrics)
{
    text_table_column(table, "trial", CLI_RIGHT);
    if (study->upf_ids)
        text_table_column(table, "id", CLI_LEFT);
    text_table_scores(table, study);
    for (size_t i = 0; i < study->space.count; i++)
        text_table_parameter(table, &study->space.parameters[i]);
    text_table_metrics(table, metrics);
}

static void add_row(struct text_table *table, const struct journal *journal, size_t index,
                    const double *point, const struct outcome *result,
                    const struct cli_metrics *metrics)
{
    const struct space *space = &journal->study.space;
    struct str text = {0};
    str_printf(&text, "%zu", index + 1);
    text_table_cell(table, CLI_PLAIN, text.text);
    if (journal->study.upf_ids)
        text_table_id(table, &journal->study, index);
    text_table_score_cells(table, journal, index);
    for (size_t i = 0; i < space->count; i++) {
        str_clear(&text);
        cli_add_parameter(&text, &space->parameters[i], point[i]);
        text_table_cell(table, CLI_PLAIN, text.text);
    }
    text_table_metric_cells(table, metrics, result);
    str_free(&text);
}

enum form { FORM_ONE, FORM_TABLE, FORM_COMMAND, FORM_RUN, FORM_JSON };

/* Sets variables, which are written NAME=value and end with a zero each. */
static void set_variables(const struct str *environment)
{
    for (size_t at = 0; at < environment->length; at += strlen(environment->text + at) + 1) {
        char *name = memory_copy(environment->text + at), *value = strchr(name, '=');
        *value = 0;
        setenv(name, value + 1, 1);
        free(name);
    }
}

/* Runs a trial again in place of this program, with the seed that it had. */
static int run_again(const struct journal *journal, size_t index, const double *point,
                     struct err *e)
{
    const struct study *study = &journal->study;
    struct str command = {0}, environment = {0};
    char seed[32];
    report_rerun(study, journal->dir, index + 1, point, &command, &environment);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)model_seed(study, index + 1));
    setenv("WICK_SEED", seed, 1);
    set_variables(&environment);
    fflush(stdout);
    signal(SIGXFSZ, SIG_DFL); /* an ignored signal would stay ignored */
    execl("/bin/sh", "sh", "-c", command.text, (char *)NULL);
    err_system(e, "cannot run /bin/sh");
    str_free(&command);
    str_free(&environment);
    return e->code;
}

static int note_metrics(const struct journal *journal, const uint32_t *indexes, size_t count,
                        struct cli_metrics *metrics, struct err *e)
{
    struct outcome result = {0};
    for (size_t i = 0; i < count && !e->code; i++)
        if (!journal_result(journal, indexes[i], &result, e))
            cli_metrics_note(metrics, &journal->study, &result);
    outcome_free(&result);
    return e->code;
}

/* Not on stdout: programs count on one line per trial there. */
static void print_objectives(const struct study *study)
{
    struct str text = {0};
    for (size_t i = 0; i < study_objectives(study); i++) {
        str_add(&text, i ? "; " : "");
        cli_add_objective(&text, study, i);
    }
    fflush(stdout);
    fprintf(stderr, "wick: %s\n", text.text);
    str_free(&text);
}

static int print_trials(const struct journal *journal, const uint32_t *indexes, size_t count,
                        enum form form, struct err *e)
{
    struct text_table table = {.out = stdout};
    struct cli_metrics metrics = {0};
    struct outcome result = {0};
    struct str line = {0};
    double *point = memory_new(journal->study.space.count, sizeof *point);
    if (form == FORM_TABLE && !note_metrics(journal, indexes, count, &metrics, e))
        add_columns(&table, &journal->study, &metrics);
    for (size_t i = 0; i < count && !e->code; i++) {
        str_clear(&line);
        if (journal_point(journal, indexes[i], point, e) ||
            journal_result(journal, indexes[i], &result, e))
            break;
        switch (form) {
        case FORM_ONE: print_one(journal, indexes[i], point, &result); break;
        case FORM_TABLE: add_row(&table, journal, indexes[i], point, &result, &metrics); break;
        case FORM_RUN: run_again(journal, indexes[i], point, e); break;
        case FORM_COMMAND:
            report_command(&journal->study, journal->dir, indexes[i] + 1, point, &line);
            break;
        case FORM_JSON: cli_add_trial_json(&line, journal, indexes[i], false, e); break;
        }
        if (line.length > 0 && !e->code)
            puts(line.text);
    }
    text_table_end(&table);
    if (form == FORM_TABLE && !e->code)
        print_objectives(&journal->study);
    outcome_free(&result);
    free(point);
    str_free(&line);
    return e->code;
}

static int nothing_to_show(const struct journal *journal, struct err *e)
{
    struct journal_counts counts;
    journal_count(journal, &counts);
    if (counts.states[OUTCOME_DONE] > 0)
        return err_set(e, ERR_USER,
                       "every finished trial of %s breaks a constraint: see `wick list %s`",
                       journal->dir, journal->dir);
    return err_set(e, ERR_USER, "no trial of %s has a score yet: see `wick status %s`",
                   journal->dir, journal->dir);
}

static int no_command(const struct journal *journal, struct err *e)
{
    struct str reason = {0};
    model_kind(&journal->study.model)->put_no_command(&journal->study.model, &reason);
    err_set(e, ERR_USER, "%s has no command: %s", journal->dir, reason.text);
    str_free(&reason);
    return e->code;
}

static int print_best(const struct cli_arguments *arguments, const struct journal *journal,
                      struct err *e)
{
    bool several = study_objectives(&journal->study) > 1;
    uint64_t wanted = several ? BEST_LIMIT : 1;
    if (cli_whole(arguments, "count", 1, BEST_LIMIT, &wanted, e))
        return e->code;
    enum form form = wanted > 1 ? FORM_TABLE : FORM_ONE;
    bool runs = cli_flag(arguments, "run");
    if (runs && wanted > 1 && cli_value(arguments, "count"))
        return err_set(e, ERR_USER, "--run runs one trial: leave out -k %llu",
                       (unsigned long long)wanted);
    wanted = runs ? 1 : wanted;
    if (cli_flag(arguments, "command") || runs)
        form = runs ? FORM_RUN : FORM_COMMAND;
    if (cli_flag(arguments, "json"))
        form = FORM_JSON;
    bool has_command = !model_kind(&journal->study.model)->put_no_command;
    if ((form == FORM_COMMAND || form == FORM_RUN) && !has_command)
        return no_command(journal, e);
    uint32_t *indexes = memory_new(wanted, sizeof *indexes);
    size_t count = journal_top(journal, wanted, indexes);
    if (count == 0)
        nothing_to_show(journal, e);
    else
        print_trials(journal, indexes, count, form, e);
    free(indexes);
    return e->code;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    if (cli_load_journal(arguments->operands[0], &journal, &e))
        return cli_fail(&e);
    cli_show_secrets(arguments, &journal.study);
    print_best(arguments, &journal, &e);
    journal_free(&journal);
    return e.code ? cli_fail(&e) : 0;
}

static const struct cli_option options[] = {
    {.name = "count",
     .letter = 'k',
     .value = "N",
     .help = "show the N best (default: 1, or the whole front)"},
    {.name = "command", .help = "print only the command, quoted for a shell"},
    {.name = "run", .help = "run the best trial again, here and now"},
    {.name = "json", .help = "print one JSON object per line"},
    {0},
};

const struct cli_command cli_command_best = {
    .name = "best",
    .summary = "show the best trials and how to run them again",
    .example = "wick best digits.wick\n"
               "wick best -k 10\n"
               "wick best --run",
    .synopsis = "[DIR] [-k N] [--command | --run | --json]",
    .details =
        "DIR is a study folder; the default is the newest one in the current folder.\n"
        "With several scores it shows the Pareto front: the trials that no other trial beats.",
    .options = {options, cli_secrets_options},
    .most = 1,
    .run = run,
};
