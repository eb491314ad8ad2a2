/* watch.c - wick watch: the status, again and again, until the run ends. */
#include "cli/cli.h"

static size_t count_lines(const struct str *s)
{
    size_t lines = 0;
    for (size_t i = 0; i < s->length; i++)
        lines += s->text[i] == '\n';
    return lines;
}

/* Draws the status over the one of before. */
static int draw(const struct journal *journal, const struct cli_status *status, size_t *drawn,
                struct err *e)
{
    struct str text = {0};
    int failed = cli_add_status(&text, journal, status, e);
    if (!failed) {
        if (*drawn > 0)
            printf("\033[%zuA\033[J", *drawn);
        fputs(text.text, stdout);
        *drawn = count_lines(&text);
    }
    str_free(&text);
    return failed;
}

/* One line, for a log: only when it says something new. */
static void print_line(const struct journal *journal, const struct cli_status *status,
                       struct str *before)
{
    struct str line = {0};
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
    if (status->state != STATUS_RUNNING)
        str_printf(&line, ", %s",
                   status->state == STATUS_CRASHED ? "crashed: its process is gone" : journal->why);
    if (strcmp(line.text, str_text(before)) != 0)
        puts(line.text);
    str_free(before);
    *before = line;
}

static int watch(const char *dir, double interval, struct err *e)
{
    bool terminal = cli_terminal(stdout), running = true;
    struct str before = {0};
    size_t drawn = 0;
    while (running && !e->code && !ferror(stdout)) {
        struct journal journal;
        struct cli_status status;
        double start = clock_now();
        if (journal_load(&journal, dir, e))
            break;
        cli_status(&journal, &status);
        running = journal.running;
        if (terminal)
            draw(&journal, &status, &drawn, e);
        else
            print_line(&journal, &status, &before);
        fflush(stdout);
        journal_free(&journal);
        if (running)
            cli_wait(start, interval);
    }
    str_free(&before);
    return e->code;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    char *dir = NULL;
    double interval = 1;
    if (cli_seconds(arguments, "interval", &interval, &e))
        return cli_fail(&e);
    if (interval < 0.1 || interval > 86400) {
        err_set(&e, ERR_USER, "'--interval %s': it is a time from 0.1s to 1d",
                cli_value(arguments, "interval"));
        return cli_fail(&e);
    }
    if (cli_find_folder(arguments->operands[0], &dir, &e))
        return cli_fail(&e);
    watch(dir, interval, &e);
    free(dir);
    return e.code ? cli_fail(&e) : 0;
}

const struct cli_command cli_command_watch = {
    .name = "watch",
    .summary = "the status, kept up to date until the run ends",
    .example = "wick watch digits.wick",
    .synopsis = "[DIR] [--interval T]",
    .details = "Ctrl-C ends the watching, not the study. When the output is not a terminal, a\n"
               "line is written whenever something has changed.",
    .options =
        (const struct cli_option[]){
            {.name = "interval", .value = "T", .help = "look this often (default: 1s)"},
            {0},
        },
    .most = 1,
    .run = run,
};
