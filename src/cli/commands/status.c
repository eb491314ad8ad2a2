/* status.c - wick status: how a study is doing. */
#include "cli/cli.h"
#include "cli/jobs.h"

#include <math.h>

static void put_counts(struct str *s, const struct journal *journal,
                       const struct journal_counts *counts)
{
    str_add(s, ",\"trials\":{\"budget\":");
    json_put_number(s, journal->budget > 0 ? (double)journal->budget : NAN);
    str_printf(s, ",\"started\":%zu,\"ended\":%zu", journal->count, counts->ended);
    for (enum outcome_state state = 0; state <= OUTCOME_INTERRUPTED; state++)
        str_printf(s, ",\"%s\":%zu", outcome_state_name(state), counts->states[state]);
    str_add_char(s, '}');
}

static int put_failures(struct str *s, const struct journal *journal, struct err *e)
{
    size_t indexes[CLI_FAILURES], count = cli_last_failures(journal, indexes);
    str_add(s, ",\"failures\":[");
    for (size_t i = 0; i < count; i++) {
        str_add(s, i ? "," : "");
        if (cli_add_trial_json(s, journal, indexes[i], false, e))
            return e->code;
    }
    str_add(s, "]");
    return 0;
}

static int add_json(struct str *s, const struct journal *journal, const struct cli_status *status,
                    struct err *e)
{
    str_add(s, "{\"study\":");
    json_put_string(s, journal->study.name, strlen(journal->study.name));
    str_add(s, ",\"dir\":");
    json_put_string(s, journal->dir, strlen(journal->dir));
    str_printf(s, ",\"state\":\"%s\",\"why\":", standing_state_name(status->state));
    if (journal->end != END_NONE)
        json_put_string(s, journal->why, strlen(journal->why));
    else
        str_add(s, "null");
    str_add(s, ",\"owner\":");
    json_put_string(s, journal->owner, strlen(journal->owner));
    str_printf(s, ",\"workers\":%llu", (unsigned long long)journal->workers);
    str_add(s, ",\"job\":");
    if (status->job)
        cli_add_job_json(s, status->job);
    else
        str_add(s, "null");
    put_counts(s, journal, &status->counts);
    str_printf(s, ",\"queued\":%zu", status->queued);
    str_add(s, ",\"best\":");
    if (status->best < 0)
        str_add(s, "null");
    else if (cli_add_trial_json(s, journal, (size_t)status->best, false, e))
        return e->code;
    for (size_t i = 0; i < journal->front_count; i++)
        str_printf(s, "%s%u", i ? "," : ",\"front\":[", journal->front[i] + 1);
    str_add(s, journal->front_count > 0 ? "]" : "");
    str_add(s, ",\"elapsed\":");
    json_put_number(s, status->elapsed);
    str_add(s, ",\"rate\":");
    json_put_number(s, status->rate);
    str_add(s, ",\"left\":");
    json_put_number(s, status->left);
    if (put_failures(s, journal, e))
        return e->code;
    str_add(s, "}\n");
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
    {.name = "json", .help = "one JSON object"},
    {0},
};

const struct cli_command cli_command_status = {
    .name = "status",
    .summary = "how a study is doing",
    .example = "wick status digits.wick\n"
               "wick status --json | jq .best.score",
    .synopsis = "[DIR] [--json]",
    .details =
        "DIR is the folder of a study; without it the newest of the current folder is meant.",
    .options = {options},
    .most = 1,
    .run = run,
};
