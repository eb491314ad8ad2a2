/* report.c - wick report: a study as one page. */
#include "report/report.h"
#include "cli/cli.h"

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    struct str path = {0};
    if (cli_load_journal(arguments->operands[0], &journal, &e))
        return cli_fail(&e);
    if (cli_value(arguments, "output"))
        str_add(&path, cli_value(arguments, "output"));
    else
        str_printf(&path, "%s/report.html", journal.dir);
    if (!report_html(&journal, path.text, &e))
        puts(path.text);
    str_free(&path);
    journal_free(&journal);
    return e.code ? cli_fail(&e) : 0;
}

const struct cli_command cli_command_report = {
    .name = "report",
    .summary = "a page with plots and tables, for any browser",
    .example = "wick report digits.wick",
    .synopsis = "[DIR] [-o FILE]",
    .details = "The page is one file that needs nothing else, and it opens without a network.\n"
               "Its path is printed.",
    .options =
        (const struct cli_option[]){
            {.name = "output",
             .letter = 'o',
             .value = "FILE",
             .help = "write to this file (default: DIR/report.html)"},
            {0},
        },
    .most = 1,
    .run = run,
};
