/* complete.c - whether a study has anything left to do, for resume, submit and job. */
#include "cli/drive.h"
#include "cli/jobs.h"
#include "inbox/inbox.h"

enum journal_end drive_complete(const struct journal *journal, const struct standing_budget *budget,
                                bool retry)
{
    size_t queued = inbox_queue_left(journal->dir, &journal->study.space, journal->queued, NULL);
    return standing_complete(journal, budget, queued, retry);
}

static bool had_jobs(const struct journal *journal)
{
    struct launch_record record;
    struct err ignored = {0};
    if (launch_record_load(&record, journal->dir, &ignored))
        return false;
    bool had = record.count > 0;
    launch_record_free(&record);
    return had;
}

/* Not a success, though the budget allows no more: the failed trials are worth another try. */
static int print_halted(const struct journal *journal)
{
    struct err e = {0};
    struct journal_counts counts;
    journal_count(journal, &counts);
    err_set(&e, ERR_SYSTEM,
            "%s was halted because its trials failed alike, and its budget is used up: fix the "
            "cause, then run its %zu failed trials again with `wick %s %s --retry-failed`",
            journal->study.name, counts.failed, cli_resume_command(journal, had_jobs(journal)),
            journal->dir);
    return cli_fail(&e);
}

bool drive_is_complete(const struct journal *journal, const struct run_options *options, int *code)
{
    struct str count = {0};
    struct standing_budget budget = {.trials = options->trials, .time = options->time};
    enum journal_end end = drive_complete(journal, &budget, options->retry_failed);
    if (end == END_NONE)
        return false;
    *code = 0;
    if (journal->end == END_HALTED && end != END_TARGET) {
        *code = print_halted(journal);
        return true;
    }
    cli_add_count(&count, journal->count, "trial");
    printf("%s is complete with %s. ", journal->study.name, count.text);
    str_free(&count);
    if (end == END_TARGET)
        puts("Its target has been reached.");
    else if (end == END_EXHAUSTED)
        puts("Its search has nothing left to try.");
    else
        printf("To run more:  wick %s %s --%s\n", cli_resume_command(journal, had_jobs(journal)),
               journal->dir, end == END_TIME ? "time T" : "trials N");
    return true;
}

void drive_note_halted(const struct journal *journal, bool retry)
{
    struct journal_counts counts;
    journal_count(journal, &counts);
    if (journal->end == END_HALTED && !retry)
        cli_note("the study was halted because its trials failed alike: its %zu failed trials stay "
                 "failed unless you add --retry-failed",
                 counts.failed);
}
