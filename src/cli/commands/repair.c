/* repair.c - wick repair: mend a damaged journal. */
#include "cli/cli.h"

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    struct str text = {0};
    char *dir = NULL;
    if (cli_find_folder(arguments->operands[0], &dir, &e) ||
        journal_load_readable(&journal, dir, &e)) {
        free(dir);
        return cli_fail(&e);
    }
    bool is_whole = journal_is_whole(&journal);
    cli_add_damage(&text, &journal, cli_flag(arguments, "all"));
    fputs(text.text, stdout);
    str_free(&text);
    free(dir);
    if (cli_mend(&journal, &e))
        return cli_fail(&e);
    if (is_whole)
        puts("There is nothing to mend");
    else
        printf("Continue the study with:  wick %s %s\n", study_resume_command(&journal.study.model),
               journal.dir);
    journal_free(&journal);
    return 0;
}

const struct cli_command cli_command_repair = {
    .name = "repair",
    .summary = "mend a damaged journal",
    .example = "wick check study.wick\n"
               "wick repair study.wick",
    .synopsis = "[DIR] [--all]",
    .details =
        "Replaces the journal of a study by one with all records that are whole, says what is\n"
        "missing, and keeps the damaged file as DIR/journal.damaged. Trials whose end is lost run\n"
        "again when the study continues. A damaged head is recovered from DIR/study.yaml.\n"
        "`wick resume` and the jobs of a chain do the same by themselves.",
    .options = {cli_damage_options},
    .most = 1,
    .run = run,
};
