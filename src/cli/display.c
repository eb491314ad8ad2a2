/* display.c - show the progress of a run: a live line on a terminal, plain lines, or JSON. */
#include "cli/display.h"

#include <math.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Removes the live line from the screen, so that something else can be printed. */
static void clear_line(struct display_state *s)
{
    if (s->line_open)
        fputs("\r\033[K", stderr);
    s->line_open = false;
}

/* ---- a line of progress ---- */

enum part { PART_BAR, PART_COUNT, PART_RUNNING, PART_RATE, PART_BUSY, PART_BEST, PART_LEFT, PARTS };

static void add_bar(struct str *text, const struct run_progress *p)
{
    if (p->budget)
        cli_add_bar(text, fmin(1, (double)p->ended / (double)p->budget), 20);
}

void display_add_ends(struct str *text, const struct run_progress *p)
{
    const char *before = " (";
    if (p->stopped) {
        str_printf(text, "%s%llu stopped", before, (unsigned long long)p->stopped);
        before = ", ";
    }
    if (p->failed) {
        str_printf(text, "%s%llu failed", before, (unsigned long long)p->failed);
        before = ", ";
    }
    str_add(text, before[0] == ',' ? ")" : "");
}

static void add_count(struct str *text, const struct run_progress *p)
{
    str_printf(text, "%llu", (unsigned long long)p->ended);
    if (p->budget)
        str_printf(text, "/%llu", (unsigned long long)p->budget);
    display_add_ends(text, p);
}

static void add_left(struct str *text, const struct run_progress *p)
{
    if (p->phase == RUN_DRAINING || (p->phase == RUN_GOING && p->suspects > 0)) {
        str_add(text, "waiting for running trials");
    } else if (p->phase == RUN_STOPPING) {
        str_add(text, "stopping");
    } else if (isfinite(p->left)) {
        str_add_duration(text, p->left);
        str_add(text, " left");
    }
}

static void add_best(struct str *text, const struct study *study, const struct run_progress *p)
{
    if (study_objectives(study) > 1 && p->front > 0)
        str_printf(text, "%llu on the front", (unsigned long long)p->front);
    if (!p->best || study_objectives(study) > 1)
        return;
    str_printf(text, "best %s ", study_score_name(&study->model));
    cli_add_score(text, p->best_score);
}

/* Uses a unit that avoids leading zeros: hour-long trials are not shown as 0.0 per second. */
static void add_rate(struct str *text, double rate)
{
    static const char *const units[] = {"s", "min", "h"};
    size_t unit = 0;
    for (; unit < 2 && rate < 1; unit++)
        rate *= 60;
    str_printf(text, rate < 10 ? "%.1f/%s" : "%.0f/%s", rate, units[unit]);
}

static void join(const struct str parts[PARTS], struct str *line)
{
    str_clear(line);
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i].length > 0)
            str_printf(line, "%s%s", line->length ? "  " : "", parts[i].text);
}

/*
 * The progress in at most `width` columns. What does not fit is omitted, least useful first; count,
 * best score and time left remain. Only the live line has a bar.
 */
static void add_line(struct str *line, const struct display_state *s, const struct run_progress *p,
                     size_t width)
{
    static const enum part spare[] = {PART_BAR, PART_BUSY, PART_RATE, PART_RUNNING};
    struct str parts[PARTS] = {0}, all = {0};
    if (s->display == DISPLAY_LIVE)
        add_bar(&parts[PART_BAR], p);
    add_count(&parts[PART_COUNT], p);
    str_printf(&parts[PART_RUNNING], "%llu running", (unsigned long long)p->running);
    if (p->rate > 0)
        add_rate(&parts[PART_RATE], p->rate);
    str_printf(&parts[PART_BUSY], "%.0f%% busy", p->busy * 100);
    add_best(&parts[PART_BEST], s->study, p);
    add_left(&parts[PART_LEFT], p);
    join(parts, &all);
    for (size_t i = 0; i < sizeof spare / sizeof *spare; i++) {
        if (cli_text_width(all.text, all.length) <= width)
            break;
        str_free(&parts[spare[i]]);
        join(parts, &all);
    }
    cli_add_cut(line, all.text, width);
    for (size_t i = 0; i < PARTS; i++)
        str_free(&parts[i]);
    str_free(&all);
}

static void show_live(struct display_state *s, const struct run_progress *p)
{
    struct str line = {0};
    size_t width = cli_width(stderr);
    add_line(&line, s, p, width == SIZE_MAX ? width : width - 1);
    fprintf(stderr, "\r\033[K%s", line.text);
    fflush(stderr);
    s->line_open = true;
    str_free(&line);
}

/* Prints a line at 1, 2, 5, 10, 20, 50, ... seconds: often at first, rarely in a long study. */
static void show_plain(struct display_state *s, const struct run_progress *p)
{
    if (p->elapsed < s->plain_due)
        return;
    double scale = pow(10, floor(log10(fmax(p->elapsed, 1))));
    s->plain_due = p->elapsed < 2 * scale   ? 2 * scale
                   : p->elapsed < 5 * scale ? 5 * scale
                                            : 10 * scale;
    s->plain_due = fmin(s->plain_due, p->elapsed + 600);
    struct str line = {0};
    add_line(&line, s, p, SIZE_MAX);
    fprintf(stderr, "%s\n", line.text);
    str_free(&line);
}

/* ---- JSON ---- */

static void print_object(struct str *text)
{
    json_end_object(text);
    puts(text->text);
    str_free(text);
}

static void json_progress(const struct display_state *s, const char *event,
                          const struct run_progress *p)
{
    struct str text = {0};
    json_add_object(&text);
    json_set_text(&text, "event", event);
    cli_set_objectives(&text, s->study);
    json_set_whole(&text, "ended", p->ended);
    json_set_whole(&text, "failed", p->failed);
    json_set_whole(&text, "running", p->running);
    if (p->budget)
        json_set_whole(&text, "budget", p->budget);
    json_set_whole(&text, "workers", p->workers);
    json_set_printf(&text, "elapsed", "%.3f", p->elapsed);
    json_set_printf(&text, "rate", "%.6g", p->rate);
    json_set_printf(&text, "busy", "%.4f", p->busy);
    if (p->best) {
        json_set_object(&text, "best");
        json_set_whole(&text, "trial", p->best);
        json_set_number(&text, "score", p->best_score);
        json_end_object(&text);
    }
    if (p->front)
        json_set_whole(&text, "front", p->front);
    if (strcmp(event, "end") == 0)
        json_set_text(&text, "why", journal_end_name(p->end));
    if (p->end == END_HALTED) {
        json_set_whole(&text, "alike", p->alike);
        json_set_whole(&text, "example", p->alike_example);
    }
    print_object(&text);
}

/* Uses the names of `wick list --json`. */
static void json_trial(const struct display_state *s, const struct run_trial *trial)
{
    struct str text = {0};
    const char *id = study_upf_id(s->study, trial->id - 1);
    json_add_object(&text);
    json_set_text(&text, "event", "trial");
    json_set_whole(&text, "trial", trial->id);
    if (id)
        json_set_text(&text, "id", id);
    json_set_text(&text, "state", outcome_state_name(trial->state));
    if (isfinite(trial->score))
        json_set_number(&text, "score", trial->score);
    if (trial->scores)
        json_set_numbers(&text, "scores", trial->scores, study_objectives(s->study));
    if (trial->violation > 0)
        json_set_number(&text, "violation", trial->violation);
    json_set_printf(&text, "duration", "%.6f", trial->took);
    json_set_whole(&text, "worker", trial->worker);
    json_set_whole(&text, "tries", trial->try);
    if (trial->again)
        json_set_bool(&text, "again", true);
    if (trial->reason[0])
        json_set_text(&text, "reason", trial->reason);
    if (trial->is_new)
        json_set_bool(&text, trial->scores ? "front" : "best", true);
    json_add_key(&text, "params");
    space_put_json(&s->study->space, trial->point, &text);
    json_add_key(&text, "metrics");
    cli_add_metrics_json(&text, trial->metrics, trial->metric_count);
    print_object(&text);
}

/* ---- failures ---- */

/* Shows a failure of a new kind; those that are alike are only counted. */
static void show_failure(struct display_state *s, const struct run_trial *trial)
{
    struct str name = {0}, cause = {0};
    struct failure failure = {.trial = trial->id,
                              .state = trial->state,
                              .reason = trial->reason,
                              .last_line = slice_of(trial->last_line)};
    struct failures_kind *kind = failures_find(&s->failures, &failure);
    if (kind)
        kind->count += !trial->again;
    else
        s->other_failures += !trial->again;
    if (!kind || kind->text)
        return;
    cli_add_cause(&cause, trial->state, trial->reason, failure.last_line);
    kind->text = memory_copy(str_text(&cause));
    str_free(&cause);
    if (s->failures.kind_count > DISPLAY_FAILURES)
        return;
    clear_line(s);
    cli_add_trial_name(&name, s->study, trial->id - 1);
    fprintf(stderr, "%s%s: %s%s%s\n", cli_colour(stderr, CLI_YELLOW), name.text, kind->text,
            trial->again ? " (will be retried)" : "", cli_colour(stderr, CLI_PLAIN));
    str_free(&name);
}

/*
 * How often each kind occurred, most frequent first, with its first failure as the example; a
 * single failure was shown when it happened.
 */
static void end_failures(struct display_state *s)
{
    const struct failures_kind *kinds = s->failures.kinds;
    uint64_t all = s->other_failures;
    for (size_t i = 0; i < s->failures.kind_count; i++)
        all += kinds[i].count;
    failures_sort(&s->failures);
    size_t shown = 0;
    for (; all > 1 && shown < s->failures.kind_count && shown < DISPLAY_FAILURES; shown++) {
        if (kinds[shown].count == 0)
            break; /* retried and done */
        fprintf(stderr, "%llu %s %s\n", (unsigned long long)kinds[shown].count,
                cli_utf8() ? "×" : "x", kinds[shown].text);
        all -= kinds[shown].count;
    }
    if (shown > 0 && all > 0)
        fprintf(stderr, "%llu more failed for other reasons: wick list %s --state failed\n",
                (unsigned long long)all, s->dir);
    failures_free(&s->failures);
}

/* ---- the observer ---- */

/* Where it runs: in threads on this machine, or on the ranks of a job. */
static void add_place(struct str *text, const struct run_progress *p)
{
    if (!p->mpi[0]) {
        str_add(text, " on this machine");
        return;
    }
    if (p->servers > 1)
        str_printf(text, " and %u servers", p->servers);
    str_add(text, " on ");
    cli_add_count(text, p->nodes, "node");
    str_printf(text, " with MPI (%s)", p->mpi);
}

static void add_container(struct str *text, const char *image, const char *runtime)
{
    const char *slash = strrchr(image, '/');
    bool is_path = image[0] == '/' && slash && slash[1];
    str_printf(text, ", in %s with %s", is_path ? slash + 1 : image, runtime);
}

/*
 * A reproducible search ignores the results of the last `lag` trials, so no more than that many can
 * run at a time; with rounds, no more than one round.
 */
static void note_lag(const struct search_settings *search, unsigned workers)
{
    if (search->batch > 0 && workers > search->batch)
        fprintf(stderr,
                "note: only %llu of the %u workers will have work: the search waits for each "
                "batch of %llu trials\n",
                (unsigned long long)search->batch, workers, (unsigned long long)search->batch);
    if (search->batch > 0)
        return;
    uint64_t lag = search->lag ? search->lag : SEARCH_LAG;
    if (search->reproducible && search_learns(search->algorithm) && workers > lag)
        fprintf(stderr,
                "note: only %llu of the %u workers will have work: set lag: %u (or more) to use "
                "all of them in a reproducible search\n",
                (unsigned long long)lag, workers, workers);
}

/* "s: auto search for the smallest loss and the largest accuracy" */
static void add_search(struct str *text, const struct study *study)
{
    const char *steers = study_steers(study);
    str_printf(text, "%s: %s%s%s for the ", study->name, steers ? "search by " : "",
               steers ? steers : study->search.algorithm, steers ? "" : " search");
    for (size_t i = 0; i < study_objectives(study); i++)
        str_printf(text, "%s%s %s", i ? " and the " : "",
                   study->search.maximize[i] ? "largest" : "smallest",
                   study_objective_name(study, i));
    if (study->stop.name)
        str_printf(text, " with %s", study->stop.name);
}

static void started(void *self, const struct run_progress *p)
{
    struct display_state *s = self;
    s->started = true;
    s->seen = *p;
    if (s->display == DISPLAY_JSON)
        json_progress(s, "begin", p);
    if (s->display != DISPLAY_LIVE && s->display != DISPLAY_PLAIN)
        return;
    struct str text = {0};
    add_search(&text, s->study);
    if (strcmp(p->choice, s->study->search.algorithm) != 0)
        str_printf(&text, " (%s)", p->choice);
    str_add(&text, ", ");
    if (p->budget) {
        cli_add_count(&text, p->budget, "trial");
        str_add(&text, ", ");
    }
    if (p->ended)
        str_printf(&text, "%llu of them ended before, ", (unsigned long long)p->ended);
    cli_add_count(&text, p->workers, "worker");
    add_place(&text, p);
    if (p->runtime)
        add_container(&text, s->study->container.image, p->runtime);
    fprintf(stderr, "%s, results in %s\n", text.text, s->dir);
    str_free(&text);
    note_lag(&s->study->search, p->workers);
}

/* Shows its output at once; the cause is reported as the error of the run. */
static void algorithm_failed(void *self, const char *name, const char *output, size_t running)
{
    struct display_state *s = self;
    struct str safe = {0};
    if (s->display == DISPLAY_JSON) {
        json_add_object(&safe);
        json_set_text(&safe, "event", "algorithm failed");
        json_set_text(&safe, "output", output);
        print_object(&safe);
    } else {
        clear_line(s);
        for (const char *at = output; *at;) {
            size_t length = strcspn(at, "\n");
            str_add(&safe, "  ");
            cli_add_safe(&safe, at, length);
            str_add_char(&safe, '\n');
            at += length + (at[length] == '\n');
        }
        fprintf(stderr, "%sthe algorithm %s failed%s\n%s", cli_colour(stderr, CLI_YELLOW), name,
                cli_colour(stderr, CLI_PLAIN), str_text(&safe));
        if (running > 0)
            fprintf(stderr, "waiting for its running trials (%zu); Ctrl-C stops them\n", running);
    }
    str_free(&safe);
}

static void queue_troubled(void *self, const char *trouble)
{
    struct display_state *s = self;
    clear_line(s);
    cli_note("no points are taken from %s/queue: %s", s->dir, trouble);
}

static void lost(void *self, unsigned worker, const char *node)
{
    struct display_state *s = self;
    struct str text = {0};
    if (s->display == DISPLAY_JSON) {
        json_add_object(&text);
        json_set_text(&text, "event", "lost");
        json_set_whole(&text, "worker", worker);
        json_set_text(&text, "node", node);
        print_object(&text);
    }
    if (s->display != DISPLAY_LIVE && s->display != DISPLAY_PLAIN)
        return;
    clear_line(s);
    fprintf(stderr, "worker %u on %s no longer responds: its trial will run elsewhere\n", worker,
            node);
}

/*
 * Trials without steps are never stopped early, and without checkpoints pbt cannot continue
 * training.
 */
static void note_missing(struct display_state *s, const struct run_trial *trial)
{
    const char *stop = s->study->stop.name;
    struct str path = {0};
    if (s->checked || trial->state != OUTCOME_DONE || trial->try != 1)
        return;
    s->checked = true;
    study_trial_path(&path, s->dir, STUDY_CHECKPOINTS, trial->id);
    clear_line(s);
    if (stop && trial->last_step == 0)
        cli_note("trial %llu reported no step with its %s, so %s could not judge it: report steps "
                 "with the trial library, as in wick.report(epoch, %s=...)",
                 (unsigned long long)trial->id, study_score_name(&s->study->model), stop,
                 study_score_name(&s->study->model));
    if (strcmp(s->study->search.algorithm, "pbt") == 0 && access(path.text, F_OK) != 0)
        cli_note(
            "trial %llu left no checkpoint, so the next trial of its member starts from scratch: "
            "save checkpoints in the folder WICK_CHECKPOINT",
            (unsigned long long)trial->id);
    str_free(&path);
}

static void ended(void *self, const struct run_trial *trial)
{
    struct display_state *s = self;
    s->last_end = s->seen.elapsed;
    s->stuck_due = 0;
    if (trial->state == OUTCOME_DONE)
        standing_add_duration(&s->durations, trial->took);
    if (s->display == DISPLAY_JSON)
        json_trial(s, trial);
    if (s->display != DISPLAY_LIVE && s->display != DISPLAY_PLAIN)
        return;
    if (outcome_state_failed(trial->state))
        show_failure(s, trial);
    note_missing(s, trial);
}

/* Says once that most suggestions are quick ones. */
static void note_quick(struct display_state *s, const struct run_progress *p)
{
    bool shown = s->display == DISPLAY_LIVE || s->display == DISPLAY_PLAIN;
    if (!shown || s->noted_quick || p->quick < DISPLAY_QUICK || 2 * p->quick < p->ended - p->before)
        return;
    s->noted_quick = true;
    clear_line(s);
    cli_note("trials are faster than the %s search thinks: most suggestions are made quickly, by "
             "evolution and at random; name an algorithm to have it think about each of them",
             s->study->search.algorithm);
}

/* Says once that failures keep further trials from being started. */
static void note_hold(struct display_state *s, const struct run_progress *p)
{
    bool shown = s->display == DISPLAY_LIVE || s->display == DISPLAY_PLAIN;
    if (!shown || s->noted_hold || p->suspects == 0 || p->phase != RUN_GOING)
        return;
    s->noted_hold = true;
    clear_line(s);
    cli_note("%llu trials failed alike: waiting for %llu running trial%s before more are started",
             (unsigned long long)p->suspects, (unsigned long long)p->running,
             p->running == 1 ? "" : "s");
}

/* Notes that the study may be stuck: once, and again whenever the silence is twice as long. */
static void note_silence(struct display_state *s, const struct run_progress *p)
{
    struct str text = {0};
    if (p->running == 0)
        s->last_end = p->elapsed;
    double seconds = p->elapsed - s->last_end;
    if (s->display == DISPLAY_QUIET || p->phase != RUN_GOING || seconds < s->stuck_due)
        return;
    struct standing_silence silence = standing_judge_silence(&s->durations, seconds);
    if (!silence.stuck)
        return;
    s->stuck_due = 2 * seconds;
    if (s->display == DISPLAY_JSON) {
        json_add_object(&text);
        json_set_text(&text, "event", "stuck");
        json_set_number(&text, "silence", round(silence.seconds));
        json_set_number(&text, "median", silence.median);
        print_object(&text);
        return;
    }
    clear_line(s);
    cli_add_silence(&text, &silence);
    fprintf(stderr, "%s%s%s: `wick top %s` shows what is running\n", cli_colour(stderr, CLI_YELLOW),
            text.text, cli_colour(stderr, CLI_PLAIN), s->dir);
    str_free(&text);
}

static void progress(void *self, const struct run_progress *p)
{
    struct display_state *s = self;
    s->seen = *p;
    note_silence(s, p);
    note_quick(s, p);
    note_hold(s, p);
    if (s->display == DISPLAY_LIVE)
        show_live(s, p);
    else if (s->display == DISPLAY_PLAIN)
        show_plain(s, p);
    else if (s->display == DISPLAY_JSON)
        fflush(stdout);
}

/* Says what a request to stop does, on a new line, since the terminal has echoed "^C". */
static void answer(struct display_state *s, bool softly)
{
    if (s->display != DISPLAY_LIVE && s->display != DISPLAY_PLAIN)
        return;
    s->line_open = s->display == DISPLAY_LIVE;
    clear_line(s);
    struct str text = {0};
    uint64_t running = s->seen.running;
    if (running > 1)
        str_printf(&text, "%llu running trials", (unsigned long long)running);
    else
        str_add(&text, running == 1 ? "the running trial" : "the running trials");
    if (softly)
        fprintf(stderr, "waiting for %s; Ctrl-C again stops %s\n", text.text,
                running == 1 ? "it" : "them");
    else
        fprintf(stderr, "stopping %s\n", text.text);
    str_free(&text);
}

static void noticed(void *self, double seconds)
{
    struct display_state *s = self;
    if (s->display != DISPLAY_LIVE && s->display != DISPLAY_PLAIN)
        return;
    struct str text = {0};
    clear_line(s);
    str_add_duration(&text, round(seconds));
    fprintf(stderr, "the job ends in %s: starting only trials that finish before\n", text.text);
    str_free(&text);
}

/* Ctrl-C is a soft request; a scheduler or a closed terminal does not wait. */
static enum run_request asked(void *self)
{
    struct display_state *s = self;
    struct signalfd_siginfo info;
    if (read(s->requests, &info, sizeof info) != sizeof info)
        return RUN_ASKED_NOTHING;
    if (info.ssi_signo == SIGUSR1 || info.ssi_signo == SIGUSR2)
        return RUN_ASKED_NOTICE;
    bool interrupt = info.ssi_signo == SIGINT;
    answer(s, interrupt && !s->warned && s->seen.phase == RUN_GOING);
    s->terminated |= !interrupt;
    s->warned = true;
    return interrupt ? RUN_ASKED_SOFTLY : RUN_ASKED_NOW;
}

void display_observer(struct display_state *s, struct run_observer *observer)
{
    *observer = (struct run_observer){
        .self = s,
        .interval = s->display == DISPLAY_LIVE ? 0.1 : 0.5,
        .all_points = s->display == DISPLAY_JSON,
        .started = started,
        .ended = ended,
        .algorithm_failed = algorithm_failed,
        .lost = lost,
        .queue_troubled = queue_troubled,
        .progress = progress,
        .noticed = noticed,
        .asked = asked,
    };
    s->plain_due = 1;
}

void display_end(struct display_state *s, const struct run_progress *progress)
{
    clear_line(s);
    end_failures(s);
    if (s->display == DISPLAY_JSON && s->started)
        json_progress(s, "end", progress);
}
