/* export.c - wick export: write all trials for another program. */
#include "cli/cli.h"
#include "report/report.h"

#include <strings.h>
#include <unistd.h>

static const char *const formats[] = {"csv", "json", "sqlite", NULL};

/* The format by the name of the file; CSV without a file or an extension. */
static const char *guess_format(const char *path, struct err *e)
{
    static const struct {
        const char *ending, *format;
    } endings[] = {{".csv", "csv"}, {".json", "json"}, {".sqlite", "sqlite"}, {".db", "sqlite"}};
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
    const char *ending = name ? strrchr(name, '.') : NULL;
    if (!ending)
        return "csv";
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(ending, endings[i].ending) == 0)
            return endings[i].format;
    err_set(e, ERR_USER,
            "cannot tell the format from '%s': use .csv, .json, .sqlite or .db, or add "
            "--format",
            path);
    return NULL;
}

static void export_csv(const struct journal *journal, struct report_target target, struct err *e)
{
    size_t left_out;
    if (!report_csv(journal, target, &left_out, e) && left_out > 0)
        cli_note("%zu metrics are left out, since a CSV has at most %d columns of metrics: use "
                 "--format json or sqlite for all of them",
                 left_out, REPORT_CSV_METRICS);
}

static void export(const struct journal *journal, const char *format, struct report_target target,
                   struct err *e)
{
    if (strcmp(format, "sqlite") == 0)
        report_sqlite(journal, target.path, e);
    else if (strcmp(format, "json") == 0)
        report_json(journal, target, e);
    else
        export_csv(journal, target, e);
    if (e->code || !target.path)
        return;
    struct str count = {0};
    cli_add_count(&count, journal->count, "trial");
    fprintf(stderr, "wick: %s in %s\n", count.text, target.path);
    str_free(&count);
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    struct report_target target = {.path = cli_value(arguments, "output"), .fd = STDOUT_FILENO};
    if (target.path && strcmp(target.path, "-") == 0)
        target.path = NULL;
    const char *format = cli_value(arguments, "format");
    if (!format)
        format = guess_format(target.path, &e);
    if (!format)
        return cli_fail(&e);
    if (strcmp(format, "sqlite") == 0 && !target.path)
        err_set(&e, ERR_USER, "a database needs a file: add -o results.db");
    if (e.code || cli_load_journal(arguments->operands[0], &journal, &e))
        return cli_fail(&e);
    cli_show_secrets(arguments, &journal.study);
    export(&journal, format, target, &e);
    journal_free(&journal);
    return e.code ? cli_fail(&e) : 0;
}

static const struct cli_option options[] = {
    {.name = "format", .value = "FORM", .help = "csv (default), json or sqlite", .words = formats},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write to this file (default, or -: standard output)"},
    {0},
};

const struct cli_command cli_command_export = {
    .name = "export",
    .summary = "write all trials as CSV, JSON or an SQLite database",
    .example = "wick export digits.wick -o trials.csv\n"
               "wick export digits.wick --format sqlite -o trials.db",
    .synopsis = "[DIR] [--format csv|json|sqlite] [-o FILE]",
    .details = "Without --format, the extension of the file decides: .csv, .json, .db or .sqlite.",
    .options = {options, cli_secrets_options},
    .most = 1,
    .run = run,
};
