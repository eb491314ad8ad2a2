/* watch.c - wick watch: show the status and keep it up to date until the run ends. */
#include "cli/cli.h"
#include "cli/jobs.h"

static size_t count_lines(const struct str *s)
{
    size_t lines = 0;
    for (size_t i = 0; i < s->length; i++)
        lines += s->text[i] == '\n';
    return lines;
}

/* Draws over the previous status. Long lines are cut, except in the last status. */
static int draw(const struct journal *journal, const struct cli_status *status, size_t *drawn,
                bool last, struct err *e)
{
    struct str text = {0};
    int failed = cli_add_status(&text, journal, status, e);
    if (!failed) {
        if (*drawn > 0)
            printf("\033[%zuA\033[J", *drawn);
        printf("%s%s%s", last ? "" : "\033[?7l", text.text, last ? "" : "\033[?7h");
        *drawn = count_lines(&text);
    }
    str_free(&text);
    return failed;
}

/* Prints one line, for a log, only if it says something new. */
static void print_line(const struct journal *journal, const struct cli_status *status,
                       struct str *before)
{
    struct str line = {0}, failure = {0};
    if (status->budget > 0)
        str_printf(&line, "%zu of ", status->counts.ended);
    cli_add_count(&line, status->budget > 0 ? status->budget : status->counts.ended, "trial");
    if (status->counts.failed > 0)
        str_printf(&line, ", %zu failed", status->counts.failed);
    if (journal->scores && status->best >= 0) {
        str_printf(&line, ", %zu on the front", journal->front_count);
    } else if (status->best >= 0) {
        str_add(&line, ", best ");
        cli_add_score(&line, journal->trials[status->best].score);
        str_printf(&line, " in trial %lld", (long long)status->best + 1);
    }
    if (status->state == STANDING_WAITING)
        str_add(&line, ", waiting for a job");
    else if (status->state == STANDING_CRASHED)
        str_add(&line, ", crashed: its process is gone");
    else if (status->state == STANDING_BROKEN) {
        str_add(&line, ", broken: ");
        cli_add_safe(&line, journal->failure, strlen(journal->failure));
    } else if (status->state != STANDING_RUNNING) {
        str_add(&line, ", ");
        cli_add_safe(&line, journal->why, strlen(journal->why));
    }
    if (status->silence.stuck) { /* how long exactly would be news each time */
        str_add(&line, "; nothing has ended for long: the median trial takes ");
        str_add_duration(&line, status->silence.median);
    }
    cli_add_job_failure(&failure, journal, status);
    if (failure.length > 0)
        str_printf(&line, "; %s", failure.text);
    str_free(&failure);
    if (strcmp(line.text, str_text(before)) != 0)
        puts(line.text);
    str_free(before);
    *before = line;
}

static int watch(const char *dir, double interval, struct err *e)
{
    bool terminal = cli_terminal(stdout), going = true;
    struct str before = {0};
    struct journal journal;
    struct cli_job job = {0};
    size_t drawn = 0;
    if (journal_load(&journal, dir, e))
        return e->code;
    cli_note_damage(&journal);
    while (going && !e->code && !ferror(stdout)) {
        struct cli_status status;
        double start = clock_now();
        cli_job_look(&job, dir);
        cli_status(&journal, &job, &status);
        going = status.state == STANDING_RUNNING || status.state == STANDING_WAITING;
        if (terminal)
            draw(&journal, &status, &drawn, !going, e);
        else
            print_line(&journal, &status, &before);
        fflush(stdout);
        if (!going || e->code)
            break;
        cli_wait(start, interval);
        journal_follow(&journal, e);
    }
    journal_free(&journal);
    str_free(&before);
    return e->code;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    char *dir = NULL;
    double interval = 1;
    if (cli_interval(arguments, &interval, &e))
        return cli_fail(&e);
    if (cli_find_folder(arguments->operands[0], &dir, &e))
        return cli_fail(&e);
    watch(dir, interval, &e);
    free(dir);
    return e.code ? cli_fail(&e) : 0;
}

const struct cli_command cli_command_watch = {
    .name = "watch",
    .summary = "show the status and keep it up to date until the run ends",
    .example = "wick watch digits.wick",
    .synopsis = "[DIR] [--interval T]",
    .details =
        "Press Ctrl-C to leave; the study keeps running. If the output is not a terminal, a\n"
        "line is printed whenever something has changed.",
    .options = {cli_interval_options},
    .most = 1,
    .run = run,
};
