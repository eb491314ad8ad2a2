/* conclude.c - what came of a run: how it ended, the best trial, the report, the exit code. */
#include "cli/drive.h"
#include "model/model.h"
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
        [END_HALTED] = ", halted",
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
        printf("%s  %s\n", model_kind(&study->model)->put_call ? "call   " : "command",
               str_text(&text));
    }
    str_free(&text);
    str_free(&parameters);
    str_free(&command);
    outcome_free(&result);
    free(point);
    return e->code;
}

static int write_report(const struct journal *journal, const char *dir, bool tells, struct err *e)
{
    struct str path = {0};
    study_path(&path, dir, STUDY_REPORT);
    int failed = report_html(journal, NULL, e);
    if (!failed && tells)
        printf("report   %s\n", path.text);
    str_free(&path);
    return failed;
}

/* A report of an earlier run lacks the trials of this one. */
static void note_stale(const char *dir)
{
    struct str path = {0};
    study_path(&path, dir, STUDY_REPORT);
    if (access(path.text, F_OK) == 0)
        cli_note("%s is from before this run: `wick report %s` writes it again", path.text, dir);
    str_free(&path);
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

/* ---- a halted run ---- */

/* The last lines of a log, indented. */
static void add_last_lines(struct str *s, const struct str *log)
{
    enum { LINES = 10, BYTES = 400 }; /* of each line */
    size_t end = log->length;
    while (end > 0 && log->text[end - 1] == '\n')
        end--;
    size_t from = end;
    for (size_t lines = 0; from > 0; from--)
        if (log->text[from - 1] == '\n' && ++lines == LINES)
            break;
    while (from < end) {
        size_t length = 0;
        while (from + length < end && log->text[from + length] != '\n')
            length++;
        str_add(s, "  ");
        cli_add_safe(s, log->text + from, length < BYTES ? length : BYTES);
        str_add_char(s, '\n');
        from += length + 1;
    }
}

/* Why it was halted, with one of the failures, and how to go on. */
static int print_halted(const struct journal *journal, const struct run_progress *progress,
                        struct err *e)
{
    struct outcome result = {0};
    struct str text = {0};
    size_t index = (size_t)progress->alike_example - 1;
    if (journal_result(journal, index, &result, e))
        return e->code;
    cli_add_count(&text, progress->alike, "trial");
    str_add(&text, " failed alike: ");
    cli_add_reason(&text, &result);
    if (result.log.length > 0)
        str_printf(&text, "\nThe last lines of trial %zu (`wick show %s %zu` has all):\n",
                   index + 1, journal->dir, index + 1);
    else
        str_add_char(&text, '\n');
    add_last_lines(&text, &result.log);
    fprintf(stderr,
            "wick: %sFix the cause, then run the failed trials again:  wick %s %s --retry-failed\n"
            "If such failures are to be expected, add --halt off.\n",
            text.text, getenv("WICK_SCHEDULER") ? "submit" : "resume", journal->dir);
    str_free(&text);
    outcome_free(&result);
    return 0;
}

/* ---- all of it ---- */

int drive_conclude(const struct cli_arguments *arguments, const struct display_state *s,
                   const struct run_progress *progress, bool failed)
{
    struct err e = {0};
    struct journal journal;
    bool halted = !failed && progress->end == END_HALTED;
    bool tells = !failed && (s->display == DISPLAY_LIVE || s->display == DISPLAY_PLAIN);
    bool reports = !cli_flag(arguments, "no-report");
    if (!s->started || (!tells && !halted && !reports))
        return 0; /* without a start, the journal may be another's */
    if (tells)
        print_end(s->study, progress);
    if (journal_load(&journal, s->dir, &e))
        return failed ? 0 : cli_fail(&e);
    if (tells && !print_best(&journal, s->dir, &e))
        print_final(s);
    if (!e.code && reports)
        write_report(&journal, s->dir, tells, &e);
    else if (!e.code && tells)
        note_stale(s->dir);
    if (!e.code && halted)
        print_halted(&journal, progress, &e);
    journal_free(&journal);
    if (e.code)
        return failed ? 0 : cli_fail(&e);
    if (tells && (standing_was_asked(progress->end) || progress->end == END_DEADLINE))
        print_resume(s->dir);
    return 0;
}

/* A run without a valid score is not a success, even if it ended in order. */
int drive_exit_code(const struct display_state *s, const struct run_progress *progress)
{
    if (standing_was_asked(progress->end))
        return s->terminated ? 128 + SIGTERM : 128 + SIGINT;
    if (progress->end == END_HALTED)
        return 1;
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
