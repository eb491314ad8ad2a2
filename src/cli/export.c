/* export.c - wick export: all trials for another program. */
#include "cli/cli.h"
#include "report/report.h"

#include <unistd.h>

static const char *const formats[] = {"csv", "json", "sqlite", NULL};

/* The format that is asked for, or that the file's name tells; CSV when nothing does. */
static const char *choose_format(const char *format, const char *path)
{
    static const struct {
        const char *ending, *format;
    } endings[] = {{".csv", "csv"}, {".json", "json"}, {".sqlite", "sqlite"}, {".db", "sqlite"}};
    const char *ending = path && !format ? strrchr(path, '.') : NULL;
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(ending, endings[i].ending) == 0)
            return endings[i].format;
    return format ? format : "csv";
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    struct report_target target = {cli_value(arguments, "output"), STDOUT_FILENO};
    const char *format = choose_format(cli_value(arguments, "format"), target.path);
    bool sqlite = strcmp(format, "sqlite") == 0;
    if (sqlite && !target.path) {
        err_set(&e, ERR_USER, "a database needs a file: add -o results.db");
        return cli_fail(&e);
    }
    if (cli_load_journal(arguments->operands[0], &journal, &e))
        return cli_fail(&e);
    if (sqlite)
        report_sqlite(&journal, target.path, &e);
    else if (strcmp(format, "json") == 0)
        report_json(&journal, target, &e);
    else
        report_csv(&journal, target, &e);
    journal_free(&journal);
    return e.code ? cli_fail(&e) : 0;
}

const struct cli_command cli_command_export = {
    .name = "export",
    .summary = "all trials as CSV, JSON or an SQLite database",
    .example = "wick export digits.wick -o trials.csv\n"
               "wick export digits.wick --format sqlite -o trials.db",
    .synopsis = "[DIR] [--format csv|json|sqlite] [-o FILE]",
    .details = "Without a format the name of the file tells it: .csv, .json, .db or .sqlite.",
    .options =
        (const struct cli_option[]){
            {.name = "format",
             .value = "FORM",
             .help = "csv (the default), json or sqlite",
             .words = formats},
            {.name = "output",
             .letter = 'o',
             .value = "FILE",
             .help = "write to this file (default: the standard output)"},
            {0},
        },
    .most = 1,
    .run = run,
};
