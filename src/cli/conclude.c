/* conclude.c - what came of a run: how it ended, the best trial, the report, the exit code. */
#include "cli/drive.h"
#include "report/report.h"

#include <math.h>
#include <unistd.h>

static void print_end(const struct study *study, const struct run_progress *p)
{
    static const char *const why[] = {
        [END_NONE] = "",
        [END_DONE] = "",
        [END_EXHAUSTED] = ", nothing left to try",
        [END_TIME] = ", time is up",
        [END_DEADLINE] = ", no more trials fit before the deadline",
        [END_TARGET] = ", target reached",
        [END_INTERRUPTED] = ", interrupted",
        [END_STOPPED] = ", stopped by `wick stop`",
        [END_BROKEN] = "",
    };
    struct str text = {0};
    cli_add_count(&text, p->ended, "trial");
    display_add_ends(&text, p);
    if (p->before)
        str_printf(&text, ", %llu of them in this run,",
                   (unsigned long long)(p->ended - p->before));
    str_add(&text, " in ");
    str_add_duration(&text, p->elapsed);
    str_printf(&text, ", workers %.0f%% busy", p->busy * 100);
    printf("%s: %s%s\n", study->name, text.text, why[p->end]);
    str_free(&text);
}

/* "lr 0.01, layers 3" */
static void add_parameters(struct str *s, const struct space *space, const double *point)
{
    for (size_t i = 0; i < space->count; i++) {
        if (isnan(point[i]))
            continue;
        str_printf(s, "%s%s ", s->length ? ", " : "", space->parameters[i].name);
        cli_add_parameter(s, &space->parameters[i], point[i]);
    }
}

static void print_metrics(const struct study *study, const struct outcome *result)
{
    struct cli_metrics metrics = {0};
    struct str text = {0};
    cli_metrics_note(&metrics, study, result);
    for (size_t i = 0; i < metrics.count; i++) {
        str_printf(&text, "%s%s ", i ? ", " : "", metrics.titles[i]);
        cli_add_score(&text, cli_metric(result, metrics.names[i]));
    }
    if (text.length > 0)
        printf("metrics  %s\n", text.text);
    str_free(&text);
}

static int print_front(const struct journal *journal, const char *dir)
{
    struct str text = {0};
    cli_add_front(&text, journal);
    printf("\n%sfront%s    %s\n         wick best %s shows them\n", cli_colour(stdout, CLI_BOLD),
           cli_colour(stdout, CLI_PLAIN), text.text, dir);
    str_free(&text);
    return 0;
}

static int print_best(const struct journal *journal, const char *dir, struct err *e)
{
    const struct study *study = &journal->study;
    int64_t best = journal_best(journal);
    if (best < 0)
        return 0;
    if (journal->scores)
        return print_front(journal, dir);
    double *point = memory_new(study->space.count, sizeof *point);
    struct outcome result = {0};
    struct str text = {0}, parameters = {0}, command = {0};
    if (!journal_point(journal, (size_t)best, point, e) &&
        !journal_result(journal, (size_t)best, &result, e)) {
        cli_add_trial_name(&text, study, (size_t)best);
        str_printf(&text, ", %s ", study_score_name(&study->model));
        cli_add_score(&text, result.score);
        printf("\n%sbest%s     %s\n", cli_colour(stdout, CLI_BOLD), cli_colour(stdout, CLI_PLAIN),
               text.text);
        add_parameters(&parameters, &study->space, point);
        printf("         %s\n", str_text(&parameters));
        print_metrics(study, &result);
        report_command(study, dir, (uint64_t)best + 1, point, &command);
        str_clear(&text);
        cli_add_safe(&text, str_text(&command), command.length);
        printf("%s  %s\n", study->model.command ? "command" : "call   ", str_text(&text));
    }
    str_free(&text);
    str_free(&parameters);
    str_free(&command);
    outcome_free(&result);
    free(point);
    return e->code;
}

static int write_report(const struct journal *journal, const char *dir, struct err *e)
{
    struct str path = {0};
    study_path(&path, dir, STUDY_REPORT);
    int failed = report_html(journal, path.text, e);
    if (!failed)
        printf("report   %s\n", path.text);
    str_free(&path);
    return failed;
}

/* The file that a steering program left for the user. */
static void print_final(const struct display_state *s)
{
    struct str path = {0};
    study_path(&path, s->dir, STUDY_FINAL);
    if (study_steers(s->study) && access(path.text, R_OK) == 0)
        printf("final    %s\n", path.text);
    str_free(&path);
}

/*
 * In a job of `wick submit`, the next job of the chain continues the study, and `wick job` says so.
 */
static void print_resume(const char *dir)
{
    if (!getenv("WICK_SCHEDULER"))
        printf("\nContinue with:  wick resume %s\n", dir);
}

/* Shows the best trial and writes the report, both from the journal. */
int drive_conclude(const struct cli_arguments *arguments, const struct display_state *s,
                   const struct run_progress *progress)
{
    struct err e = {0};
    struct journal journal;
    if (s->display == DISPLAY_JSON || s->display == DISPLAY_QUIET)
        return 0;
    print_end(s->study, progress);
    if (journal_load(&journal, s->dir, &e))
        return cli_fail(&e);
    int failed = print_best(&journal, s->dir, &e);
    if (!failed)
        print_final(s);
    if (!failed && !cli_flag(arguments, "no-report"))
        failed = write_report(&journal, s->dir, &e);
    journal_free(&journal);
    if (failed)
        return cli_fail(&e);
    if (standing_was_asked(progress->end) || progress->end == END_DEADLINE)
        print_resume(s->dir);
    return 0;
}

/* A run without a valid score is not a success, even if it ended in order. */
int drive_exit_code(const struct display_state *s, const struct run_progress *progress)
{
    if (standing_was_asked(progress->end))
        return s->terminated ? 128 + SIGTERM : 128 + SIGINT;
    if (progress->best == 0 && progress->ended > progress->failed && s->study->measured_count > 0) {
        fprintf(stderr, "wick: every finished trial breaks a constraint: see `wick list %s`\n",
                s->dir);
        return 1;
    }
    if (progress->best == 0 && progress->ended > 0) {
        fprintf(stderr, "wick: no trial reported a score: see `wick show %s 1`\n", s->dir);
        return 1;
    }
    return 0;
}
