/*
 * verdict.c - how a trial has ended: by what Wick did to it, by how its program ended, and by what
 * it printed, wrote and reported.
 */
#include "trial/runner.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

void verdict_say(struct trial_runner *r, enum outcome_state state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    r->outcome.state = state;
    vsnprintf(r->outcome.reason, sizeof r->outcome.reason, format, arguments);
    va_end(arguments);
}

void verdict_cannot(struct trial_runner *r, int number, const char *what)
{
    static const int shortages[] = {EMFILE, ENFILE, EAGAIN, ENOMEM,
                                    ENOSPC, EDQUOT, EPIPE,  ETOOMANYREFS};
    enum outcome_state state = OUTCOME_FAILED;
    for (size_t i = 0; i < sizeof shortages / sizeof *shortages; i++)
        if (number == shortages[i])
            state = OUTCOME_INTERRUPTED;
    r->outcome.no_room =
        state == OUTCOME_INTERRUPTED && number != ENOSPC && number != EDQUOT && number != EPIPE;
    verdict_say(r, state, "cannot %s: %s", what, strerror(number));
}

/* True when it reported metrics, and did not just print lines that look like some. */
static bool gave_metrics(const struct trial_runner *r)
{
    if (r->reported.metric_count > 0 || r->reported.step_count > 0)
        return true;
    return r->outcome.metric_count > 0 && (r->model->is_called || !r->output.other[0]);
}

static void say_other_metrics(struct trial_runner *r, const char *name)
{
    enum { NAMES_SHOWN = 3 };
    const struct outcome *result = &r->outcome;
    struct str names = {0};
    for (size_t i = 0; i < result->metric_count && i < NAMES_SHOWN; i++)
        str_printf(&names, "%s`%s`", i ? ", " : "", result->metrics[i].name);
    if (result->metric_count > NAMES_SHOWN)
        str_add(&names, " ...");
    verdict_say(r, OUTCOME_NO_SCORE,
                "it gave %s, but no `%s`: name the one that is the score, as in `score: %s`",
                str_text(&names), name, result->metrics[0].name);
    str_free(&names);
}

static void say_near_miss(struct trial_runner *r, const char *name, const struct near_miss *miss)
{
    if (miss->advice)
        verdict_say(r, OUTCOME_NO_SCORE, "it printed `%s`: %s `%s: 0.5`", miss->line, miss->advice,
                    name);
    else
        verdict_say(r, OUTCOME_NO_SCORE,
                    "it printed `%s` on standard error, where no score is looked for: print it on "
                    "standard output",
                    miss->line);
}

static void say_no_score(struct trial_runner *r, const char *name)
{
    struct slice log = {str_text(&r->outcome.log), r->outcome.log.length};
    struct near_miss miss;
    if (gave_metrics(r))
        say_other_metrics(r, name);
    else if (output_near_miss(&r->study->model, log, &miss))
        say_near_miss(r, name, &miss);
    else if (r->study->model.pattern)
        verdict_say(r, OUTCOME_NO_SCORE, "no line that it printed matches the pattern %s",
                    r->study->model.pattern);
    else if (r->output.other[0])
        verdict_say(r, OUTCOME_NO_SCORE,
                    "it printed no line like `%s: 0.5`, but `%s`: if that is the score, say "
                    "`score: %s` (--score %s)",
                    name, r->output.other, r->output.other, r->output.other);
    else if (r->model->is_called)
        verdict_say(r, OUTCOME_NO_SCORE,
                    "%s() returned neither a number nor '%s' among its metrics",
                    r->study->model.code.function, name);
    else
        verdict_say(r, OUTCOME_NO_SCORE,
                    "it printed no line like `%s: 0.5`, and wrote no result file", name);
}

/* It may have measured more than there is room for. */
static void say_done(struct trial_runner *r)
{
    struct str text = {0};
    reported_dropped(r, &text);
    verdict_say(r, OUTCOME_DONE, "%s", str_text(&text));
    str_free(&text);
}

static void judge_exit(struct trial_runner *r)
{
    int number;
    const char *wrong = files_read_result(r, &number);
    reported_results(r);
    r->output.has_score = reported_last_step(r);
    const char *name = study_score_name(&r->study->model);
    if (r->outcome.signal)
        verdict_say(r, OUTCOME_FAILED, "signal %d (%s)", r->outcome.signal,
                    strsignal(r->outcome.signal));
    else if (r->outcome.exit_code == 124)
        verdict_say(r, OUTCOME_TIMEOUT, "exit code 124 (its own time limit)");
    else if (r->outcome.exit_code != 0)
        verdict_say(r, OUTCOME_FAILED, "exit code %d", r->outcome.exit_code);
    else if (number)
        verdict_cannot(r, number, "read its result file");
    else if (r->output.number)
        verdict_cannot(r, r->output.number, "read what it printed");
    else if (socket_lost(r->socket))
        verdict_cannot(r, socket_lost(r->socket), "read what it reported");
    else if (wrong)
        verdict_say(r, OUTCOME_NO_SCORE, "cannot parse its result file: %s", wrong);
    else if (!r->output.has_score)
        say_no_score(r, name);
    else if (!isfinite(r->outcome.score))
        verdict_say(r, OUTCOME_NAN, "its %s is %s", name,
                    isnan(r->outcome.score) ? "not a number" : "infinite");
    else
        say_done(r);
}

/*
 * How Wick ended the trial counts more than how its program ended, unless the program had ended
 * before the signal reached it. A program that was told to stop needs no signal.
 */
static void judge(struct trial_runner *r, const struct helper_answer *answer)
{
    struct str text = {0};
    uint64_t over_memory = answer->over_memory;
    enum ending ending = answer->signalled || r->reported.stop ? r->ending : ENDING_NOT;
    if (ending == ENDING_INTERRUPT) {
        verdict_say(r, OUTCOME_INTERRUPTED, "interrupted");
    } else if (ending == ENDING_STOP) {
        verdict_say(r, OUTCOME_STOPPED, "stopped");
        reported_results(r);
        reported_last_step(r);
    } else if (ending == ENDING_TIMEOUT) {
        str_add_duration(&text, r->study->model.timeout);
        verdict_say(r, OUTCOME_TIMEOUT, "over its time limit of %s%s", text.text,
                    r->killed ? ", and SIGTERM did not end it" : "");
    } else if (over_memory) {
        verdict_say(r, OUTCOME_OUT_OF_MEMORY, "over its memory limit of %.0f MiB (%.0f MiB in use)",
                    (double)r->study->model.memory / 1048576, (double)over_memory / 1048576);
    } else {
        judge_exit(r);
    }
    r->outcome.no_room = false; /* it has run */
    if (r->outcome.state != OUTCOME_DONE)
        r->outcome.score = r->outcome.state == OUTCOME_STOPPED ? r->last_value : NAN;
    str_free(&text);
}

/* The program has ended. */
static void judge_end(struct trial_runner *r, const struct helper_answer *answer)
{
    r->outcome.processor = answer->processor;
    r->outcome.peak_memory = answer->peak_memory;
    r->outcome.read = answer->read;
    r->outcome.written = answer->written;
    r->outcome.energy = machine_energy_end(&r->energy, answer->processor);
    if (WIFSIGNALED(answer->status))
        r->outcome.signal = WTERMSIG(answer->status);
    else if (request_has_monitor(r) && WEXITSTATUS(answer->status) > 128 &&
             WEXITSTATUS(answer->status) < 128 + NSIG) /* shells, too, report a signal like this */
        r->outcome.signal = WEXITSTATUS(answer->status) - 128;
    else
        r->outcome.exit_code = WEXITSTATUS(answer->status);
    judge(r, answer);
}

/* The helper could not start the program. */
static void judge_refusal(struct trial_runner *r, const struct helper_answer *answer)
{
    char what[160];
    snprintf(what, sizeof what, "%s %s", answer->in_folder ? "enter" : "start",
             answer->in_folder ? r->study->model.folder : request_program(r));
    r->outcome.score = NAN;
    if (answer->reason[0]) /* every trial would fail like this: that stops the study */
        verdict_say(r, OUTCOME_INTERRUPTED, "%s", answer->reason);
    else
        verdict_cannot(r, answer->number, what);
}

/* ---- what the helper answers ---- */

/* The program has ended: reads what it left in its pipes and its socket. */
static void close_output(struct trial_runner *r)
{
    output_close(&r->output);
    reported_end(r);
    comm_cancel(r->comm, r->care_timer);
    r->care_timer = 0;
    r->running = false;
}

static void finish(struct trial_runner *r)
{
    files_remove(r);
    runner_finish(r);
}

static void ended(struct trial_runner *r, const struct helper_answer *answer)
{
    close_output(r);
    output_end(&r->output, &r->outcome); /* a language host that failed has said why */
    if (answer->type == HELPER_ENDED)
        judge_end(r, answer);
    else
        judge_refusal(r, answer);
    finish(r);
}

/* The helper has died, and its programs with it: nothing can run here any more. */
static void lost(struct trial_runner *r)
{
    comm_unwatch(r->comm, r->channel);
    r->helper_lost = true;
    if (!r->running)
        return;
    close_output(r);
    verdict_say(r, OUTCOME_INTERRUPTED, "the helper process that starts trials has died");
    finish(r);
}

void verdict_hear(void *argument)
{
    struct trial_runner *r = argument;
    struct helper_answer answer;
    ssize_t length = recv(r->channel, &answer, sizeof answer, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (length != sizeof answer)
        lost(r);
    else
        ended(r, &answer);
}

void verdict_never_ran(struct trial_runner *r)
{
    reported_end(r);
    r->running = false;
    finish(r);
}
