/* resume.c - wick resume: continue a study. */
#include "cli/drive.h"
#include "cli/edits.h"
#include "cli/jobs.h"
#include "cli/ranks.h"

/*
 * The budget is that of the last run unless the user gives another. The number of workers comes
 * from the study or this machine, since the last run may have been on another machine, or on many.
 */
static int read_options(struct cli_arguments *arguments, const struct journal *journal,
                        struct run_options *options, struct err *e)
{
    uint64_t workers = 0;
    struct standing_budget budget = standing_budget(journal);
    options->trials = budget.trials;
    options->time = budget.time;
    options->retry_failed = cli_flag(arguments, "retry-failed");
    if (cli_whole(arguments, "trials", 1, 1000000000, &options->trials, e) ||
        cli_seconds(arguments, "time", &options->time, e) ||
        cli_whole(arguments, "workers", 1, 4096, &workers, e))
        return e->code;
    options->workers = (unsigned)workers;
    return 0;
}

/*
 * The user may not want the study to run on a login node. Jobs know about the next job of their
 * chain, and for ranks the process that started mpiexec has printed the note.
 */
static void note_waiting(const struct cli_arguments *arguments, const struct journal *journal)
{
    struct cli_job job = {0};
    struct str name = {0};
    if (launch_here().scheduler || getenv(MPIEXEC_VARIABLE) || cli_flag(arguments, "quiet"))
        return;
    cli_job_look(&job, journal->dir);
    if (!jobs_waits(&job.current))
        return;
    cli_add_job_name(&name, &job.current.entry);
    cli_note("%s is waiting to continue this study, which now runs here, on this machine: the job "
             "will end at once if the study is running or complete, or else continue it",
             name.text);
    str_free(&name);
}

/*
 * Continues the study with its changes, which are only recorded if it is complete. With --mpi, rank
 * 0 prints the notes.
 */
static int resume_journal(struct cli_arguments *arguments, struct journal *journal)
{
    struct err e = {0};
    bool quiet = cli_flag(arguments, "quiet");
    struct edits edits = {.in_job = launch_here().scheduler};
    struct run_options options = {.dir = journal->dir, .journal = journal};
    int code = edits_take(&edits, arguments, journal);
    if (!code && read_options(arguments, journal, &options, &e))
        code = cli_fail(&e);
    else if (!code && drive_is_complete(journal, &options, &code)) {
        if (edits_record(&edits, journal, quiet, &e))
            code = cli_fail(&e);
    } else if (!code) {
        note_waiting(arguments, journal);
        if (!quiet)
            drive_note_halted(journal, options.retry_failed);
        if (!quiet && !cli_value(arguments, "mpi"))
            edits_print(&edits, journal);
        options.changes = edits.changes;
        options.change_count = edits.count;
        code = drive(arguments, &journal->study, &options);
    }
    edits_free(&edits);
    return code;
}

static int resume(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    int code;
    if (cli_load_journal(arguments->operands[0], &journal, &e) || cli_mend(&journal, &e))
        return cli_fail(&e);
    if (journal.study.model.asktell) {
        err_set(&e, ERR_USER,
                "the study in %s has no program to run: continue it with `wick asktell %s`",
                journal.dir, journal.dir);
        code = cli_fail(&e);
    } else {
        code = resume_journal(arguments, &journal);
    }
    journal_free(&journal);
    return code;
}

static const struct cli_option options[] = {
    {.name = "trials", .value = "N", .help = "stop once the study has N trials in total"},
    {.name = "time", .value = "T", .help = "stop after this much time over all runs: 15m, 2h"},
    {.name = "workers", .letter = 'n', .value = "N", .help = "run N trials at a time"},
    {.name = "retry-failed", .help = "run failed trials again"},
    {0},
};

const struct cli_command cli_command_resume = {
    .name = "resume",
    .summary = "continue a study that was stopped or killed, or extend it",
    .example = "wick resume study.wick\n"
               "wick resume study.wick --trials 500",
    .synopsis = "[DIR] [options]",
    .details =
        "Trials that have ended are kept, those that were running start again with the same\n"
        "parameters, and the search continues as if nothing had happened. If the study file was\n"
        "edited, limits, budget and the like are taken over; an edit after which the finished\n"
        "trials would mean something else is refused.",
    .options = {options, edits_options, edits_ignore_options, drive_options},
    .least = 0,
    .most = 1,
    .drives = true,
    .run = resume,
};
