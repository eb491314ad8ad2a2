/* study_status.c - how a study is doing, for status, watch, top and enqueue. */
#include "cli/cli.h"
#include "cli/jobs.h"
#include "failures/failures.h"

#include <math.h>
#include <unistd.h>

enum { LABEL = 10 };

/* ---- what there is to know ---- */

static bool is_here(const char *host)
{
    char here[sizeof((struct journal *)0)->host] = "";
    gethostname(here, sizeof here - 1);
    return strcmp(host, here) == 0;
}

/*
 * The lock tells, on file systems whose locks work across nodes. On others, a run on another node
 * that has not closed its journal counts as running as long as its job does.
 */
bool cli_is_running(const struct journal *journal, const struct cli_job *job)
{
    if (journal->running || journal->end != END_NONE)
        return journal->running;
    return job && jobs_runs(&job->current) && !is_here(journal->host);
}

/*
 * True if a job will continue the study: not the one whose run has closed the journal and is about
 * to end. A running job that has not opened the journal yet is just starting.
 */
static bool has_job(const struct journal *journal, const struct cli_job *job)
{
    if (jobs_waits(&job->current) || jobs_waits(&job->next))
        return true;
    double began = job->current.entry.began;
    bool ends =
        journal->end != END_NONE && began > 0 && began < journal->created + journal->last_time;
    return jobs_runs(&job->current) && !ends;
}

/* A study that was done and lost the start or end of a trial is not: a resume runs that again. */
static bool lacks_a_trial(const struct journal *journal)
{
    struct journal_counts counts;
    journal_count(journal, &counts);
    bool was_hurt = journal->damage.mended > 0 || !journal_is_whole(journal);
    bool was_done = journal->end == END_DONE || journal->end == END_EXHAUSTED;
    bool lacks_last = journal->end == END_DONE && counts.ended < standing_journal_total(journal);
    return was_hurt && was_done && (lacks_last || counts.ended < journal->count);
}

static enum standing_state find_state(const struct journal *journal, const struct cli_job *job)
{
    if (cli_is_running(journal, job))
        return STANDING_RUNNING;
    enum standing_state state = standing_after(journal->end);
    if (lacks_a_trial(journal))
        state = STANDING_INTERRUPTED;
    return state != STANDING_DONE && job && has_job(journal, job) ? STANDING_WAITING : state;
}

/* The rest of the job that runs, and all that may follow it in its chain. */
static double job_hours(const struct journal *journal, const struct cli_status *status)
{
    if (!status->job || !jobs_runs(&status->job->current) || journal->run_count == 0)
        return NAN;
    const struct launch_entry *entry = &status->job->current.entry;
    if (!(entry->began > 0) || !(entry->until > entry->began))
        return NAN;
    double after = entry->links > entry->link ? (double)(entry->links - entry->link) : 0;
    double seconds = fmax(entry->until - clock_wall(), 0) + after * (entry->until - entry->began);
    return journal->runs[journal->run_count - 1].nodes * seconds / 3600;
}

void cli_status(const struct journal *journal, const struct cli_job *job, struct cli_status *status)
{
    *status = (struct cli_status){.state = find_state(journal, job),
                                  .job = job && job->current.entry.id[0] ? job : NULL,
                                  .best = journal_best(journal),
                                  .budget = standing_journal_total(journal),
                                  .elapsed = journal->spent};
    status->queued = inbox_queue_left(journal->dir, &journal->study.space, journal->queued,
                                      status->queue_trouble);
    journal_count(journal, &status->counts);
    bool running = status->state == STANDING_RUNNING;
    if (running)
        status->elapsed += fmax(clock_wall() - journal->created - journal->last_time, 0);
    if (status->elapsed > 0)
        status->rate = (double)status->counts.ended / status->elapsed;
    status->left = running ? standing_journal_left(journal, status->budget,
                                                   clock_wall() - journal->created, status->elapsed)
                           : NAN;
    if (running)
        status->silence = standing_silence(journal, clock_wall() - journal->created);
    status->cost = standing_cost(journal, running, status->elapsed - journal->spent);
    status->job_hours = job_hours(journal, status);
}

size_t cli_last_failures(const struct journal *journal, size_t indexes[CLI_FAILURES])
{
    size_t count = 0;
    for (size_t i = journal->completion_count; i-- > 0 && count < CLI_FAILURES;)
        if (outcome_state_failed(journal->trials[journal->completions[i]].state))
            indexes[count++] = journal->completions[i];
    return count;
}

/* ---- for people ---- */

static void add_label(struct str *s, const char *label)
{
    cli_add_label(s, label, LABEL);
}

/* The record that says who runs the study may be damaged. */
static void add_running(struct str *s, const struct journal *journal)
{
    if (!journal_knows_run(journal))
        return;
    str_add(s, ": ");
    cli_add_safe(s, journal->owner, strlen(journal->owner));
    str_add(s, ", ");
    cli_add_count(s, journal->workers, "worker");
    if (journal->lost > 0)
        str_printf(s, ", %llu of them lost", (unsigned long long)journal->lost);
}

/*
 * Names the node if it is another one: the user may want to look there, since only the lock says
 * that the process is gone.
 */
static void add_crashed(struct str *s, const struct journal *journal)
{
    if (journal->run_count == 0) {
        str_add(s, ": its journal has no run");
        return;
    }
    str_add(s, ": its process");
    if (!is_here(journal->host)) {
        str_add(s, " on ");
        cli_add_safe(s, journal->host, strlen(journal->host));
    }
    str_add(s, " is gone");
}

static void add_waiting(struct str *s, const struct journal *journal, const struct cli_job *job)
{
    bool started = journal->end != END_PREPARED;
    if (jobs_runs(&job->current) && !jobs_waits(&job->next))
        str_add(s, ": its job is starting");
    else
        str_add(s, started ? ": its next job will continue it" : " for its job");
}

static void add_done(struct str *s, const struct journal *journal, const char *resume)
{
    if (journal->end == END_TARGET)
        str_add(s, ": target reached");
    else if (journal->end == END_TIME)
        str_printf(s, ": time is up; `wick %s %s --time T` gives it more", resume, journal->dir);
    else if (journal->end == END_EXHAUSTED)
        str_add(s, ": nothing left to try");
}

static void add_state(struct str *s, const struct journal *journal, const struct cli_status *status)
{
    static const enum cli_colour colours[] = {
        [STANDING_RUNNING] = CLI_BLUE,       [STANDING_DONE] = CLI_GREEN,
        [STANDING_INTERRUPTED] = CLI_YELLOW, [STANDING_CRASHED] = CLI_RED,
        [STANDING_PREPARED] = CLI_YELLOW,    [STANDING_STOPPED] = CLI_YELLOW,
        [STANDING_WAITING] = CLI_YELLOW,     [STANDING_HALTED] = CLI_RED,
        [STANDING_BROKEN] = CLI_RED,
    };
    const char *resume = cli_resume_command(journal, status->job != NULL);
    add_label(s, "state");
    str_printf(s, "%s%s%s", cli_colour(stdout, colours[status->state]),
               standing_state_name(status->state), cli_colour(stdout, CLI_PLAIN));
    switch (status->state) {
    case STANDING_RUNNING: add_running(s, journal); break;
    case STANDING_WAITING: add_waiting(s, journal, status->job); break;
    case STANDING_DONE: add_done(s, journal, resume); break;
    case STANDING_PREPARED:
        str_printf(s,
                   ": not started yet; `wick submit %s` submits it, `wick resume %s` runs it here",
                   journal->dir, journal->dir);
        break;
    case STANDING_CRASHED: add_crashed(s, journal); break;
    case STANDING_BROKEN:
        str_add(s, journal->failure[0] ? ": " : "");
        cli_add_safe(s, journal->failure, strlen(journal->failure));
        break;
    case STANDING_STOPPED: str_add(s, " by `wick stop`"); break;
    case STANDING_HALTED:
        str_printf(s,
                   ": its trials failed alike; fix the cause, then run them again with `wick %s "
                   "%s --retry-failed`",
                   resume, journal->dir);
        break;
    case STANDING_INTERRUPTED: str_add_char(s, ':'); break;
    }
    if (status->state == STANDING_INTERRUPTED)
        str_printf(s, " `wick %s %s` continues it", resume, journal->dir);
    else if (status->state == STANDING_CRASHED || status->state == STANDING_STOPPED ||
             (status->state == STANDING_BROKEN && !strstr(journal->failure, "`wick ")))
        str_printf(s, "; `wick %s %s` continues it", resume, journal->dir);
    str_add_char(s, '\n');
}

static void add_job(struct str *s, const struct journal *journal, const struct cli_status *status)
{
    struct str line = {0}, failure = {0};
    size_t width = cli_width(stdout);
    if (!status->job)
        return;
    cli_add_job(&line, status->job);
    add_label(s, "job");
    cli_add_cut(s, line.text, width == SIZE_MAX ? width : width - LABEL);
    str_add_char(s, '\n');
    cli_add_job_failure(&failure, journal, status);
    if (failure.length > 0) {
        add_label(s, "");
        cli_add_cut(s, failure.text, width == SIZE_MAX ? width : width - LABEL);
        str_add_char(s, '\n');
    }
    str_free(&line);
    str_free(&failure);
}

static void add_part(struct str *s, enum cli_colour colour, const char *glyph, size_t count)
{
    str_add(s, cli_colour(stdout, colour));
    for (size_t i = 0; i < count; i++)
        str_add(s, glyph);
    str_add(s, cli_colour(stdout, CLI_PLAIN));
}

/* The budget as a bar: done, failed, running, and what is left. */
static void add_bar(struct str *s, const struct journal *journal, const struct cli_status *status)
{
    enum { BAR = 40 };
    static const char *const blocks[] = {"█", "▒", "░"}, *const letters[] = {"#", "=", "."};
    const char *const *glyphs = cli_utf8() ? blocks : letters;
    const struct journal_counts *counts = &status->counts;
    size_t all = status->budget > journal->count ? status->budget : journal->count;
    double scale = all > 0 ? (double)BAR / (double)all : 0;
    size_t ended = (size_t)((double)counts->ended * scale);
    size_t failed = (size_t)ceil((double)counts->failed * scale);
    failed = failed < ended ? failed : ended;
    size_t running =
        (size_t)(((double)counts->ended + (double)counts->states[OUTCOME_RUNNING]) * scale) - ended;
    add_part(s, CLI_GREEN, glyphs[0], ended - failed);
    add_part(s, CLI_RED, glyphs[0], failed);
    add_part(s, CLI_BLUE, glyphs[1], running);
    add_part(s, CLI_DIM, glyphs[2], BAR - ended - running);
}

static void add_counts(struct str *s, const struct journal *journal,
                       const struct cli_status *status)
{
    const struct journal_counts *counts = &status->counts;
    bool first = true;
    add_label(s, "trials");
    add_bar(s, journal, status);
    str_printf(s, "  %zu", counts->ended);
    if (status->budget > 0)
        str_printf(s, " of %llu", (unsigned long long)status->budget);
    str_add_char(s, '\n');
    static const enum outcome_state order[] = {
        OUTCOME_DONE, OUTCOME_FAILED,  OUTCOME_TIMEOUT,     OUTCOME_OUT_OF_MEMORY, OUTCOME_NO_SCORE,
        OUTCOME_NAN,  OUTCOME_STOPPED, OUTCOME_INTERRUPTED, OUTCOME_RUNNING};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        size_t count = counts->states[order[i]];
        if (count == 0)
            continue;
        const char *name = outcome_state_name(order[i]);
        if (order[i] == OUTCOME_RUNNING && status->state != STANDING_RUNNING)
            name = "cut off"; /* their run is gone; a resume starts them again */
        if (first)
            add_label(s, "");
        str_printf(s, "%s%zu %s", first ? "" : ", ", count, name);
        first = false;
    }
    str_add(s, first ? "" : "\n");
}

static void add_queued(struct str *s, const struct journal *journal,
                       const struct cli_status *status)
{
    if (status->queue_trouble[0]) {
        add_label(s, "queued");
        str_printf(s, "%s %s/queue: %s\n", status->queued > 0 ? "not all of" : "none of",
                   journal->dir, status->queue_trouble);
    }
    if (status->queued == 0)
        return;
    const char *them = status->queued == 1 ? "it" : "them";
    add_label(s, "queued");
    cli_add_count(s, status->queued, "point");
    if (status->state == STANDING_RUNNING)
        str_printf(s, "; the study will try %s next\n", them);
    else if (status->state == STANDING_WAITING)
        str_printf(s, "; its job will try %s first\n", them);
    else
        str_printf(s, "; `wick %s %s` will try %s first\n",
                   cli_resume_command(journal, status->job != NULL), journal->dir, them);
}

static void add_objectives(struct str *s, const struct study *study)
{
    size_t count = study_objectives(study);
    for (size_t i = 0; i < count; i++) {
        add_label(s, i ? "" : count > 1 ? "scores" : "score");
        cli_add_objective(s, study, i);
        str_add_char(s, '\n');
    }
}

static int add_best(struct str *s, const struct journal *journal, const struct cli_status *status,
                    struct err *e)
{
    if (status->best < 0)
        return 0;
    if (journal->scores) {
        add_label(s, "front");
        cli_add_front(s, journal);
        str_add_char(s, '\n');
        return 0;
    }
    const struct space *space = &journal->study.space;
    double *point = memory_new(space->count, sizeof *point);
    struct str line = {0};
    bool first = true;
    if (!journal_point(journal, (size_t)status->best, point, e)) {
        cli_add_score(&line, journal->trials[status->best].score);
        str_add(&line, " in ");
        cli_add_trial_name(&line, &journal->study, (size_t)status->best);
        str_add(&line, ": ");
        for (size_t i = 0; i < space->count; i++) {
            if (isnan(point[i]) || space->parameters[i].kind == PARAMETER_CONSTANT)
                continue;
            str_printf(&line, "%s%s ", first ? "" : ", ", space->parameters[i].name);
            cli_add_parameter(&line, &space->parameters[i], point[i]);
            first = false;
        }
        add_label(s, "best");
        size_t width = cli_width(stdout);
        cli_add_cut(s, line.text, width == SIZE_MAX ? width : width - LABEL);
        str_add_char(s, '\n');
    }
    str_free(&line);
    free(point);
    return e->code;
}

static void add_time(struct str *s, const struct cli_status *status)
{
    add_label(s, "time");
    str_add_duration(s, status->elapsed);
    if (!isnan(status->left)) {
        str_add(s, ", about ");
        str_add_duration(s, status->left);
        str_add(s, " left");
    }
    if (status->rate > 0) {
        str_add(s, " (");
        cli_add_rate(s, status->rate);
        str_add_char(s, ')');
    }
    str_add_char(s, '\n');
}

void cli_add_silence(struct str *s, const struct standing_silence *silence)
{
    str_add(s, "nothing has ended for ");
    str_add_duration(s, round(silence->seconds));
    str_add(s, "; the median trial takes ");
    str_add_duration(s, silence->median);
}

static void add_stuck(struct str *s, const struct cli_status *status)
{
    if (!status->silence.stuck)
        return;
    add_label(s, "stuck?");
    str_add(s, cli_colour(stdout, CLI_YELLOW));
    cli_add_silence(s, &status->silence);
    str_printf(s, "%s\n", cli_colour(stdout, CLI_PLAIN));
}

/* Less than 0.005 node-hours, 18 seconds on one node, is not worth a line; NaN is not known. */
static void add_cost(struct str *s, const struct cli_status *status)
{
    const struct standing_cost *cost = &status->cost;
    if (!(cost->used >= 0.005))
        return;
    add_label(s, "cost");
    str_printf(s, "%.2f node-hours", cost->used);
    if (cost->left > 0)
        str_printf(s, ", about %.2f more", cost->left);
    if (!isnan(status->job_hours))
        str_printf(s, "; its jobs may use up to %.2f more", status->job_hours);
    str_add_char(s, '\n');
}

/* The kind of a failed trial; its text is that of the first that is found. */
static int note_failure(struct failures *failures, const struct journal *journal, size_t index,
                        struct err *e)
{
    struct outcome result = {0};
    struct str cause = {0};
    if (journal_result(journal, index, &result, e))
        return e->code;
    struct failure failure = {
        .trial = index + 1,
        .state = result.state,
        .reason = result.reason,
        .last_line = slice_last_line((struct slice){str_text(&result.log), result.log.length})};
    struct failures_kind *kind = failures_add(failures, &failure);
    if (kind && !kind->text) {
        cli_add_reason(&cause, &result);
        kind->text = memory_copy(str_text(&cause));
        str_free(&cause);
    }
    outcome_free(&result);
    return 0;
}

/* "4 alike, such as trial 7: exit code 2" */
static void add_kind(struct str *s, const struct journal *journal, const struct failures_kind *kind)
{
    struct str line = {0};
    size_t width = cli_width(stdout);
    if (kind->count > 1)
        str_printf(&line, "%llu alike, such as ", (unsigned long long)kind->count);
    cli_add_trial_name(&line, &journal->study, (size_t)kind->trial - 1);
    str_printf(&line, ": %s", kind->text);
    cli_add_cut(s, line.text, width == SIZE_MAX ? width : width - LABEL);
    str_add_char(s, '\n');
    str_free(&line);
}

/* The latest kinds of failures, among the last trials that failed. */
static int add_failures(struct str *s, const struct journal *journal, struct err *e)
{
    enum { LAST = 200 };
    struct failures failures = {0};
    size_t count = 0;
    for (size_t i = journal->completion_count; i-- > 0 && count < LAST && !e->code;) {
        size_t index = journal->completions[i];
        if (!outcome_state_failed(journal->trials[index].state))
            continue;
        count++;
        note_failure(&failures, journal, index, e);
    }
    for (size_t i = 0; i < failures.kind_count && i < CLI_FAILURES && !e->code; i++) {
        add_label(s, i == 0 ? "failures" : "");
        add_kind(s, journal, &failures.kinds[i]);
    }
    failures_free(&failures);
    return e->code;
}

int cli_add_summary(struct str *s, const struct journal *journal, const struct cli_status *status,
                    struct err *e)
{
    add_label(s, "study");
    str_printf(s, "%s%s%s in %s\n", cli_colour(stdout, CLI_BOLD), journal->study.name,
               cli_colour(stdout, CLI_PLAIN), journal->dir);
    add_state(s, journal, status);
    add_job(s, journal, status);
    add_counts(s, journal, status);
    add_queued(s, journal, status);
    add_objectives(s, &journal->study);
    if (add_best(s, journal, status, e))
        return e->code;
    add_time(s, status);
    add_stuck(s, status);
    add_cost(s, status);
    return 0;
}

int cli_add_status(struct str *s, const struct journal *journal, const struct cli_status *status,
                   struct err *e)
{
    return cli_add_summary(s, journal, status, e) ? e->code : add_failures(s, journal, e);
}
