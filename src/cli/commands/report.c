/* report.c - wick report: write a page about one study, or one that compares several. */
#include "report/report.h"
#include "cli/cli.h"

static int one(struct cli_arguments *arguments, struct err *e)
{
    struct journal journal;
    struct str path = {0};
    if (cli_load_journal(arguments->operands[0], &journal, e))
        return e->code;
    const char *given = cli_value(arguments, "output");
    if (given)
        str_add(&path, given);
    else
        study_path(&path, journal.dir, STUDY_REPORT);
    cli_show_secrets(arguments, &journal.study);
    if (!report_html(&journal, given, e))
        puts(path.text);
    str_free(&path);
    journal_free(&journal);
    return e->code;
}

static int several(struct cli_arguments *arguments, struct err *e)
{
    struct journal journals[REPORT_STUDIES];
    const char *given = cli_value(arguments, "output"), *path = given ? given : "compare.html";
    size_t count = 0;
    while (count < arguments->operand_count &&
           !cli_load_journal(arguments->operands[count], &journals[count], e))
        count++;
    for (size_t i = 0; i < count; i++)
        cli_show_secrets(arguments, &journals[i].study);
    if (!e->code && !report_compare(journals, count, path, e))
        puts(path);
    while (count > 0)
        journal_free(&journals[--count]);
    return e->code;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    int failed = arguments->operand_count > 1 ? several(arguments, &e) : one(arguments, &e);
    return failed ? cli_fail(&e) : 0;
}

static const struct cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write to this file (default: DIR/report.html;\n"
             "for several studies: compare.html)"},
    {0},
};

const struct cli_command cli_command_report = {
    .name = "report",
    .summary = "write a page with plots and tables for any browser",
    .example = "wick report digits.wick\n"
               "wick report grid.wick forest.wick -o compare.html",
    .synopsis = "[DIR ...] [-o FILE]",
    .details = "The page is a single file that works without a network. Its path is printed.\n"
               "For several studies it shows the workers side by side, the convergence in one\n"
               "plot, and a table.",
    .options = {options, cli_secrets_options},
    .most = REPORT_STUDIES,
    .run = run,
};
