/* progress.c - show how a study goes: a live line on a terminal, plain lines, or JSON. */
#include "cli/drive.h"

#include <math.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { FAILURES_SHOWN = 5 };

static const char *score_name(const struct study *study)
{
    return study->model.score ? study->model.score : "score";
}

/* Takes the live line off the screen, so that something else can be printed. */
static void clear_line(struct display_state *s)
{
    if (s->line_open)
        fputs("\r\033[K", stderr);
    s->line_open = false;
}

/* ---- the moving line ---- */

static void add_counts(struct str *text, const struct run_progress *p)
{
    str_printf(text, " %llu", (unsigned long long)p->ended);
    if (p->budget)
        str_printf(text, "/%llu", (unsigned long long)p->budget);
    if (p->failed)
        str_printf(text, " (%llu failed)", (unsigned long long)p->failed);
    str_printf(text, "  %llu running", (unsigned long long)p->running);
    if (p->rate > 0)
        str_printf(text, p->rate < 10 ? "  %.1f/s" : "  %.0f/s", p->rate);
    str_printf(text, "  %.0f%% busy", p->busy * 100);
}

static void add_phase(struct str *text, const struct run_progress *p)
{
    if (p->phase == RUN_DRAINING) {
        str_add(text, p->end == RUN_INTERRUPTED ? "  waiting for what runs (Ctrl-C again: stop it)"
                                                : "  waiting for what runs");
    } else if (p->phase == RUN_STOPPING) {
        str_add(text, "  stopping");
    } else if (isfinite(p->left)) {
        str_add(text, "  ");
        str_add_duration(text, p->left);
        str_add(text, " left");
    }
}

static void show_live(struct display_state *s, const struct run_progress *p)
{
    struct str text = {0}, line = {0};
    if (p->budget)
        cli_add_bar(&text, fmin(1, (double)p->ended / (double)p->budget), 20);
    add_counts(&text, p);
    if (p->best) {
        str_printf(&text, "  best %s ", score_name(s->study));
        cli_add_score(&text, p->best_score);
    }
    add_phase(&text, p);
    size_t width = cli_width(stderr);
    cli_add_cut(&line, text.text, width > 1 ? width - 1 : width);
    fprintf(stderr, "\r\033[K%s", line.text);
    fflush(stderr);
    s->line_open = true;
    str_free(&text);
    str_free(&line);
}

/* ---- plain lines ---- */

/* A line at 1, 2, 5, 10, 20, 50 ... seconds: often at first, rarely in a long study. */
static void show_plain(struct display_state *s, const struct run_progress *p)
{
    if (p->elapsed < s->plain_due)
        return;
    double scale = pow(10, floor(log10(fmax(p->elapsed, 1))));
    s->plain_due = p->elapsed < 2 * scale   ? 2 * scale
                   : p->elapsed < 5 * scale ? 5 * scale
                                            : 10 * scale;
    s->plain_due = fmin(s->plain_due, p->elapsed + 600);
    struct str text = {0};
    add_counts(&text, p);
    if (p->best) {
        str_printf(&text, "  best %s ", score_name(s->study));
        cli_add_score(&text, p->best_score);
    }
    add_phase(&text, p);
    fprintf(stderr, "%s\n", text.text + 1);
    str_free(&text);
}

/* ---- JSON ---- */

static void json_progress(const char *event, const struct run_progress *p)
{
    struct str text = {0};
    str_printf(&text, "{\"event\":\"%s\",\"ended\":%llu,\"failed\":%llu,\"running\":%llu", event,
               (unsigned long long)p->ended, (unsigned long long)p->failed,
               (unsigned long long)p->running);
    if (p->budget)
        str_printf(&text, ",\"budget\":%llu", (unsigned long long)p->budget);
    str_printf(&text, ",\"workers\":%u,\"elapsed\":%.3f,\"rate\":%.6g,\"busy\":%.4f", p->workers,
               p->elapsed, p->rate, p->busy);
    if (p->best) {
        str_printf(&text, ",\"best\":{\"trial\":%llu,\"score\":", (unsigned long long)p->best);
        json_put_number(&text, p->best_score);
        str_add_char(&text, '}');
    }
    if (strcmp(event, "end") == 0)
        str_printf(&text, ",\"why\":\"%s\"", run_end_name(p->end));
    str_add_char(&text, '}');
    puts(str_text(&text));
    str_free(&text);
}

static void json_trial(const struct display_state *s, const struct run_trial *trial)
{
    struct str text = {0};
    str_printf(&text, "{\"event\":\"trial\",\"trial\":%llu,\"state\":\"%s\"",
               (unsigned long long)trial->id, trial_state_name(trial->state));
    if (isfinite(trial->score)) {
        str_add(&text, ",\"score\":");
        json_put_number(&text, trial->score);
    }
    str_printf(&text, ",\"took\":%.6f,\"worker\":%u,\"try\":%u", trial->took, trial->worker,
               trial->try);
    if (trial->again)
        str_add(&text, ",\"again\":true");
    if (trial->reason[0]) {
        str_add(&text, ",\"reason\":");
        json_put_string(&text, trial->reason, strlen(trial->reason));
    }
    if (trial->point) {
        str_add(&text, ",\"best\":true,\"params\":");
        space_put_json(&s->study->space, trial->point, &text);
    }
    str_add_char(&text, '}');
    puts(text.text);
    str_free(&text);
}

/* ---- the observer ---- */

static void begun(void *self, const struct run_progress *p)
{
    struct display_state *s = self;
    s->begun = true;
    if (s->display == DISPLAY_JSON)
        json_progress("begin", p);
    if (s->display != DISPLAY_LIVE && s->display != DISPLAY_PLAIN)
        return;
    struct str text = {0};
    cli_add_count(&text, p->workers, "worker");
    fprintf(stderr, "%s: %s search, ", s->study->name, s->study->search.algorithm);
    if (p->budget)
        fprintf(stderr, "%llu trials, ", (unsigned long long)p->budget);
    if (p->ended)
        fprintf(stderr, "%llu of them ended before, ", (unsigned long long)p->ended);
    fprintf(stderr, "%s on this machine, results in %s\n", text.text, s->dir);
    str_free(&text);
}

static void show_failure(struct display_state *s, const struct run_trial *trial)
{
    if (s->failures++ >= FAILURES_SHOWN)
        return;
    clear_line(s);
    struct str reason = {0};
    cli_add_safe(&reason, trial->reason, strlen(trial->reason));
    fprintf(stderr, "%strial %llu: %s%s%s\n", cli_colour(stderr, CLI_YELLOW),
            (unsigned long long)trial->id, reason.text, trial->again ? ", it is tried again" : "",
            cli_colour(stderr, CLI_PLAIN));
    if (s->failures == FAILURES_SHOWN)
        fprintf(stderr, "further failures are not shown here: wick list %s --state failed\n",
                s->dir);
    str_free(&reason);
}

static void ended(void *self, const struct run_trial *trial)
{
    struct display_state *s = self;
    if (s->display == DISPLAY_JSON)
        json_trial(s, trial);
    if (s->display != DISPLAY_LIVE && s->display != DISPLAY_PLAIN)
        return;
    bool failed = trial->state != TRIAL_DONE && trial->state != TRIAL_STOPPED &&
                  trial->state != TRIAL_INTERRUPTED;
    if (failed)
        show_failure(s, trial);
}

static void progress(void *self, const struct run_progress *p)
{
    struct display_state *s = self;
    if (s->display == DISPLAY_LIVE)
        show_live(s, p);
    else if (s->display == DISPLAY_PLAIN)
        show_plain(s, p);
    else if (s->display == DISPLAY_JSON)
        fflush(stdout);
}

/* Ctrl-C asks softly; a scheduler or a closed terminal does not wait. */
static int asked(void *self)
{
    struct display_state *s = self;
    struct signalfd_siginfo info;
    if (read(s->requests, &info, sizeof info) != sizeof info)
        return 0;
    if (info.ssi_signo != SIGINT)
        s->terminated = true;
    if (s->display == DISPLAY_PLAIN && info.ssi_signo == SIGINT)
        fputs(s->warned ? "stopping the trials that run\n"
                        : "waiting for the trials that run (Ctrl-C again: stop them)\n",
              stderr);
    s->warned = true;
    return info.ssi_signo == SIGINT ? 1 : 2;
}

void display_observer(struct display_state *s, struct run_observer *observer)
{
    *observer = (struct run_observer){
        .self = s,
        .interval = s->display == DISPLAY_LIVE ? 0.1 : 0.5,
        .begun = begun,
        .ended = ended,
        .progress = progress,
        .asked = asked,
    };
    s->plain_due = 1;
}

void display_end(struct display_state *s, const struct run_progress *progress)
{
    clear_line(s);
    if (s->display == DISPLAY_JSON && s->begun)
        json_progress("end", progress);
}
