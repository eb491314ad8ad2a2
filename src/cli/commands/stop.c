/*
 * stop.c - wick stop: stop a study, on whichever node it runs.
 *
 * The study may run on a node that shares only the file system with this one, so the request is a
 * file, and the study shows that it has ended by closing its journal. If nobody runs it, a waiting
 * job may be about to: that job is cancelled. Either may turn into the other meanwhile, so both are
 * tried until neither is left.
 */
#include "cli/cli.h"
#include "cli/jobs.h"
#include "inbox/inbox.h"

enum { ROUNDS = 5 };

static const double INTERVAL = 0.25, PATIENCE = 60; /* seconds */

struct stopping {
    struct journal journal;
    struct cli_job job;
    bool now, no_wait;
    bool asked;          /* the study was running and was asked to stop */
    struct timespec run; /* when the run that was asked started */
    bool had_jobs;
    char cancelled[JOBS_OPEN * ROUNDS][LAUNCH_ID]; /* jobs, which may remain listed for a while */
    size_t cancelled_count;
};

static bool is_running(struct stopping *s)
{
    if (!s->journal.running &&
        s->journal.end == END_NONE) /* otherwise the scheduler need not be queried */
        cli_job_look(&s->job, s->journal.dir);
    return cli_is_running(&s->journal, &s->job);
}

/* ---- jobs ---- */

static void print_cancelled(const struct launch_entry *entry)
{
    struct str name = {0};
    cli_add_job_name(&name, entry);
    printf("cancelled %s\n", name.text);
    fflush(stdout);
    str_free(&name);
}

static bool was_cancelled(const struct stopping *s, const struct launch_entry *entry)
{
    for (size_t i = 0; i < s->cancelled_count; i++)
        if (strcmp(s->cancelled[i], entry->id) == 0)
            return true;
    return false;
}

/* A running job belongs to a run that was asked to stop or has ended, and will end with it. */
static bool is_to_cancel(const struct stopping *s, const struct jobs_one *job, bool running)
{
    if (job->report.state == LAUNCH_ENDED || was_cancelled(s, &job->entry))
        return false;
    return !(running && !jobs_waits(job)) && !jobs_winds_up(job, &s->journal);
}

static int cannot_ask(const struct launch_entry *entry, struct err *e)
{
    struct str name = {0};
    cli_add_job_name(&name, entry);
    err_set(e, ERR_USER,
            "%s may still be waiting or running, but the scheduler cannot be queried here: run "
            "`wick stop` where the job was submitted",
            name.text);
    str_free(&name);
    return e->code;
}

/* Cancels waiting jobs, and a running job that is just starting if nobody runs the study. */
static int cancel_jobs(struct stopping *s, bool running, size_t *count, struct err *e)
{
    struct launch_record record = {0};
    struct jobs_one open[JOBS_OPEN];
    *count = 0;
    if (launch_record_load(&record, s->journal.dir, e))
        return e->code;
    s->had_jobs = record.count > 0;
    size_t found = jobs_open(&record, open);
    for (size_t i = 0; i < found; i++) {
        const struct launch_entry *entry = &open[i].entry;
        struct err failure = {0};
        if (!is_to_cancel(s, &open[i], running))
            continue;
        if (open[i].report.state == LAUNCH_UNKNOWN)
            cannot_ask(entry, &failure);
        else if (launch_cancel(entry->scheduler, entry->id, &failure) == 0) {
            print_cancelled(entry);
            memcpy(s->cancelled[s->cancelled_count++], entry->id, LAUNCH_ID);
            ++*count;
        }
        if (failure.code && !e->code) /* the others are cancelled nevertheless */
            *e = failure;
    }
    launch_record_free(&record);
    return e->code;
}

/* ---- the process that runs the study ---- */

static size_t count_running(const struct journal *journal)
{
    struct journal_counts counts;
    journal_count(journal, &counts);
    return counts.states[OUTCOME_RUNNING];
}

static void print_asked(const struct stopping *s)
{
    size_t running = count_running(&s->journal);
    struct str text = {0};
    str_add(&text, "asked ");
    cli_add_safe(&text, s->journal.owner, strlen(s->journal.owner));
    str_add(&text, " to stop");
    if (running > 0) {
        str_add(&text, s->now ? "; it stops " : "; it waits for ");
        cli_add_count(&text, running, "running trial");
    }
    fprintf(stderr, "wick: %s\n", text.text);
    if (!s->no_wait)
        fprintf(stderr, "wick: waiting for it to end; Ctrl-C only stops waiting%s\n",
                s->now ? "" : ", --now stops the trials");
    str_free(&text);
}

/* On a terminal, shows what it is waiting for. */
static void show_waiting(const struct stopping *s, double since)
{
    struct str text = {0};
    if (!cli_terminal(stderr))
        return;
    cli_add_count(&text, count_running(&s->journal), "trial");
    str_printf(&text, " left, ");
    str_add_duration(&text, clock_now() - since);
    fprintf(stderr, "\r%s\033[K", text.text);
    str_free(&text);
}

static void clear_waiting(void)
{
    if (cli_terminal(stderr))
        fputs("\r\033[K", stderr);
}

static int ask(struct stopping *s, struct err *e)
{
    s->run = inbox_run_started(s->journal.dir);
    return inbox_stop_request(s->journal.dir, s->now, e);
}

/* A run that was just starting, or a later one, takes the request for an old one. */
static bool was_missed(const struct stopping *s)
{
    struct timespec latest = inbox_run_started(s->journal.dir);
    return latest.tv_sec != s->run.tv_sec || latest.tv_nsec != s->run.tv_nsec;
}

/* Waits until the run has ended, in order or not. */
static int wait_for_end(struct stopping *s, struct err *e)
{
    double since = clock_now();
    bool noted = false;
    do {
        double start = clock_now();
        show_waiting(s, since);
        if (was_missed(s) && ask(s, e))
            break;
        cli_wait(start, INTERVAL);
        if (journal_follow(&s->journal, e))
            break;
        if (!noted && start - since > PATIENCE && inbox_stop_waits(s->journal.dir)) {
            clear_waiting();
            cli_note(
                "%s has not responded to %s/stop yet: it hangs, or its node does not see the file",
                s->journal.owner, s->journal.dir);
            noted = true;
        }
    } while (is_running(s));
    clear_waiting();
    return e->code;
}

static int end_run(struct stopping *s, struct err *e)
{
    size_t count;
    if (cancel_jobs(s, true, &count, e) || ask(s, e))
        return e->code;
    s->asked = true;
    print_asked(s);
    if (s->no_wait || wait_for_end(s, e))
        return e->code;
    inbox_stop_withdraw(s->journal.dir); /* it may have ended by itself before it saw the request */
    return 0;
}

/* ---- the command ---- */

static void print_end(const struct stopping *s)
{
    const struct journal *journal = &s->journal;
    const char *why = journal->end == END_NONE     ? "its process is gone"
                      : journal->end == END_BROKEN ? journal->failure
                                                   : journal->why;
    struct str text = {0}, reason = {0};
    cli_add_count(&text, journal->completion_count, "trial");
    cli_add_safe(&reason, why, strlen(why));
    if (!s->asked && s->cancelled_count == 0)
        printf("%s is not running, and no job is waiting to run it\n", journal->dir);
    else if (s->asked && !s->no_wait && journal->end == END_STOPPED)
        printf("%s stopped with %s; `wick %s %s` continues it\n", journal->dir, text.text,
               cli_resume_command(journal, s->had_jobs), journal->dir);
    else if (s->asked && !s->no_wait)
        printf("%s ended by itself with %s: %s\n", journal->dir, text.text, str_text(&reason));
    str_free(&text);
    str_free(&reason);
}

static int stop(struct stopping *s, struct err *e)
{
    size_t count = 1;
    for (int round = 0; round < ROUNDS && count > 0 && !e->code; round++) {
        if (round > 0 && journal_follow(&s->journal, e))
            break;
        s->job.asked = 0; /* query it again */
        if (!is_running(s))
            cancel_jobs(s, s->asked, &count, e);
        else if (end_run(s, e) || s->no_wait)
            break;
    }
    return e->code;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct stopping s = {.now = cli_flag(arguments, "now"),
                         .no_wait = cli_flag(arguments, "no-wait")};
    if (cli_load_only_journal(arguments->operands[0], &s.journal, &e))
        return cli_fail(&e);
    if (s.journal.study.model.asktell)
        err_set(&e, ERR_USER, "%s is run by a program that calls `wick asktell`: stop that program",
                s.journal.dir);
    if (!e.code && !stop(&s, &e))
        print_end(&s);
    journal_free(&s.journal);
    return e.code ? cli_fail(&e) : 0;
}

static const struct cli_option options[] = {
    {.name = "now", .help = "stop the running trials; a resume runs them again"},
    {.name = "no-wait", .help = "do not wait for the study to end"},
    {0},
};

const struct cli_command cli_command_stop = {
    .name = "stop",
    .summary = "stop a running study, on whichever node it runs",
    .example = "wick stop digits.wick\n"
               "wick stop digits.wick --now",
    .synopsis = "[DIR] [--now] [--no-wait]",
    .details =
        "The request goes through the study folder, so it works from a login node while the\n"
        "study runs in a job. The study starts no more trials and waits for the running ones,\n"
        "as after Ctrl-C; jobs that are waiting to continue it are cancelled. Continue with\n"
        "`wick resume` on this machine or `wick submit` in a job. DIR may be omitted if there\n"
        "is only one study.",
    .options = {options},
    .most = 1,
    .run = run,
};
