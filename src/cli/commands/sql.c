/* sql.c - wick sql: query a study with SQL. */
#include "cli/cli.h"
#include "report/report.h"

#include <unistd.h>

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    bool here = arguments->operand_count == 1; /* wick sql "select ..." */
    const char *first = arguments->operands[0];
    if (here && cli_is_study(first)) {
        err_set(&e, ERR_USER, "missing query: wick sql %s \"select * from trials limit 10\"",
                first);
        return cli_fail(&e);
    }
    const char *format = cli_value(arguments, "format");
    enum report_form form = REPORT_TABLE;
    if (format && strcmp(format, "csv") == 0)
        form = REPORT_CSV;
    else if (format && strcmp(format, "json") == 0)
        form = REPORT_LINES;
    if (cli_load_journal(here ? NULL : arguments->operands[0], &journal, &e))
        return cli_fail(&e);
    struct report_target target = {.fd = STDOUT_FILENO};
    cli_show_secrets(arguments, &journal.study);
    report_sql(&journal, arguments->operands[here ? 0 : 1], form, target, &e);
    journal_free(&journal);
    return e.code ? cli_fail(&e) : 0;
}

static const struct cli_option options[] = {
    {.name = "format",
     .value = "FORM",
     .help = "table (default), csv, or json (one object per line)",
     .words = (const char *const[]){"table", "csv", "json", NULL}},
    {0},
};

const struct cli_command cli_command_sql = {
    .name = "sql",
    .summary = "query a study with SQL",
    .example = "wick sql digits.wick \"select state, count(*) from trials group by state\"\n"
               "wick sql \"select layers, min(score) from trials group by layers\"",
    .synopsis = "[DIR] QUERY [--format table|csv|json]",
    .details = "The tables are trials (trial, state, score, started, ended, ... and a column for\n"
               "each parameter), metrics (trial, name, value), logs (trial, log) and study\n"
               "(key, value).",
    .options = {options, cli_secrets_options},
    .least = 1,
    .most = 2,
    .run = run,
};
