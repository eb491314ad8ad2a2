/* status.c - wick status: show how a study is doing. */
#include "cli/cli.h"
#include "cli/jobs.h"

#include <math.h>

static void put_counts(struct str *s, const struct journal *journal,
                       const struct journal_counts *counts)
{
    json_set_object(s, "trials");
    json_set_number(s, "budget", journal->budget > 0 ? (double)journal->budget : NAN);
    json_set_whole(s, "started", journal->count);
    json_set_whole(s, "ended", counts->ended);
    for (enum outcome_state state = 0; state <= OUTCOME_INTERRUPTED; state++)
        json_set_whole(s, outcome_state_name(state), counts->states[state]);
    json_end_object(s);
}

static int put_failures(struct str *s, const struct journal *journal, struct err *e)
{
    size_t indexes[CLI_FAILURES], count = cli_last_failures(journal, indexes);
    json_set_array(s, "failures");
    for (size_t i = 0; i < count; i++)
        if (cli_add_trial_json(s, journal, indexes[i], false, e))
            return e->code;
    json_end_array(s);
    return 0;
}

static void put_front(struct str *s, const struct journal *journal)
{
    if (journal->front_count == 0)
        return;
    json_set_array(s, "front");
    for (size_t i = 0; i < journal->front_count; i++)
        json_add_whole(s, (uint64_t)journal->front[i] + 1);
    json_end_array(s);
}

/* null: it is not stuck. */
static void put_stuck(struct str *s, const struct standing_silence *silence)
{
    json_add_key(s, "stuck");
    if (!silence->stuck) {
        json_add_null(s);
        return;
    }
    json_add_object(s);
    json_set_number(s, "silence", round(silence->seconds));
    json_set_number(s, "median", silence->median);
    json_end_object(s);
}

static int add_json(struct str *s, const struct journal *journal, const struct cli_status *status,
                    struct err *e)
{
    json_add_object(s);
    json_set_text(s, "study", journal->study.name);
    json_set_text(s, "dir", journal->dir);
    json_set_text(s, "state", standing_state_name(status->state));
    json_set_text(s, "why", journal->end != END_NONE ? journal->why : NULL);
    json_set_text(s, "error", journal->end == END_BROKEN ? journal->failure : NULL);
    bool unknown = status->state == STANDING_RUNNING && !journal_knows_run(journal);
    json_set_text(s, "owner", unknown ? NULL : journal->owner);
    json_set_number(s, "workers", unknown ? NAN : (double)journal->workers);
    cli_set_objectives(s, &journal->study);
    json_add_key(s, "job");
    if (status->job)
        cli_add_job_json(s, status->job);
    else
        json_add_null(s);
    put_counts(s, journal, &status->counts);
    json_set_whole(s, "queued", status->queued);
    json_add_key(s, "best");
    if (status->best < 0)
        json_add_null(s);
    else if (cli_add_trial_json(s, journal, (size_t)status->best, false, e))
        return e->code;
    put_front(s, journal);
    json_set_number(s, "elapsed", status->elapsed);
    json_set_number(s, "rate", status->rate);
    json_set_number(s, "left", status->left);
    put_stuck(s, &status->silence);
    json_set_number(s, "node_hours", status->cost.used);
    json_set_number(s, "node_hours_left", status->cost.left);
    json_set_number(s, "node_hours_of_jobs", status->job_hours);
    if (put_failures(s, journal, e))
        return e->code;
    json_end_object(s);
    str_add_char(s, '\n');
    return 0;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    struct cli_job job = {0};
    struct cli_status status;
    struct str text = {0};
    if (cli_load_journal(arguments->operands[0], &journal, &e))
        return cli_fail(&e);
    cli_job_look(&job, journal.dir);
    cli_status(&journal, &job, &status);
    int failed = cli_flag(arguments, "json") ? add_json(&text, &journal, &status, &e)
                                             : cli_add_status(&text, &journal, &status, &e);
    if (!failed)
        fputs(text.text, stdout);
    str_free(&text);
    journal_free(&journal);
    return failed ? cli_fail(&e) : 0;
}

static const struct cli_option options[] = {
    {.name = "json", .help = "print one JSON object"},
    {0},
};

const struct cli_command cli_command_status = {
    .name = "status",
    .summary = "show how a study is doing",
    .example = "wick status digits.wick\n"
               "wick status --json | jq .best.score",
    .synopsis = "[DIR] [--json]",
    .details = "DIR is a study folder; the default is the newest one in the current folder.",
    .options = {options},
    .most = 1,
    .run = run,
};
