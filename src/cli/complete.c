/* complete.c - whether a study has anything left to do, for resume, submit and job. */
#include "cli/drive.h"
#include "cli/jobs.h"
#include "inbox/inbox.h"

enum journal_end drive_complete(const struct journal *journal, const struct standing_budget *budget,
                                bool retry)
{
    size_t queued = inbox_queue_left(journal->dir, &journal->study.space, journal->queued);
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

bool drive_is_complete(const struct journal *journal, const struct run_options *options)
{
    struct str count = {0};
    struct standing_budget budget = {.trials = options->trials, .time = options->time};
    enum journal_end end = drive_complete(journal, &budget, options->retry_failed);
    if (end == END_NONE)
        return false;
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
