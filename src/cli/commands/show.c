/* show.c - wick show: show everything about one trial. */
#include "cli/cli.h"
#include "cli/jobs.h"
#include "inbox/inbox.h"
#include "model/model.h"
#include "report/report.h"

#include <math.h>
#include <unistd.h>

enum { LABEL = 12 };

static void add_label(struct str *s, const char *label)
{
    cli_add_label(s, label, LABEL);
}

static void add_scores(struct str *s, const struct journal *journal, size_t index)
{
    bool several = study_objectives(&journal->study) > 1;
    for (size_t i = 0; i < study_objectives(&journal->study); i++) {
        add_label(s, i ? "" : several ? "scores" : "score");
        if (several)
            str_printf(s, "%s ", study_objective_name(&journal->study, i));
        str_add_number(s, journal_scores(journal, index)[i]);
        str_add_char(s, '\n');
    }
    if (journal->trials[index].on_front) {
        add_label(s, "front");
        str_add(s, "yes: no other trial is better in every score\n");
    }
}

static void add_state(struct str *s, const struct journal *journal, size_t index,
                      const struct outcome *result)
{
    const struct journal_trial *trial = &journal->trials[index];
    add_label(s, "trial");
    str_printf(s, "%zu of %s\n", index + 1, journal->study.name);
    const char *id = study_upf_id(&journal->study, index);
    if (id) {
        add_label(s, "id");
        cli_add_safe(s, id, strlen(id));
        str_add_char(s, '\n');
    }
    const char *name = outcome_state_name(trial->state), *reason = result->reason;
    add_label(s, "state");
    str_printf(s, "%s%s%s", cli_colour(stdout, cli_state_colour(trial->state)), name,
               cli_colour(stdout, CLI_PLAIN));
    if (strncmp(reason, name, strlen(name)) == 0)
        reason += strlen(name); /* of "stopped by asha at step 9", what follows the state */
    else if (reason[0])
        str_add(s, ": ");
    cli_add_safe(s, reason, strlen(reason));
    str_add_char(s, '\n');
    if (!isnan(trial->score))
        add_scores(s, journal, index);
}

static void add_broken(struct str *s, const struct study *study, const double *point,
                       const struct outcome *result)
{
    if (result->state != OUTCOME_DONE || !(result->violation > 0))
        return;
    add_label(s, "constraints");
    cli_add_broken(s, study, point, result);
    str_add_char(s, '\n');
}

/* The checkpoint it started from, and whether it may continue. */
static void add_checkpoints(struct str *s, const struct journal *journal, size_t index)
{
    const struct journal_trial *trial = &journal->trials[index];
    if (trial->origin > 0) {
        add_label(s, "began");
        str_printf(s, "from the checkpoint of trial %u\n", (unsigned)trial->origin);
    }
    if (trial->paused) {
        add_label(s, "paused");
        str_printf(s, "at step %llu: continues if it ranks among the best there\n",
                   (unsigned long long)journal_progress(journal, index)->paused_at);
    }
}

static void add_time(struct str *s, const struct journal *journal, size_t index)
{
    const struct journal_trial *trial = &journal->trials[index];
    char started[32];
    if (journal_is_lost(trial)) {
        add_label(s, "time");
        str_add(s, "unknown: its start is missing in the damaged journal, and it runs again\n");
        return;
    }
    add_label(s, "time");
    double took = cli_took(journal, index);
    if (!isnan(took)) {
        str_add_duration(s, took);
        str_add(s, isnan(trial->ended) ? " so far, " : ", ");
    }
    str_printf(s, "from %s on worker %u", clock_format(journal->created + trial->started, started),
               (unsigned)trial->worker);
    const char *node = journal_node(journal, index);
    if (node[0]) {
        str_add(s, " of ");
        cli_add_safe(s, node, strlen(node));
    }
    const char *job = journal_job(journal, index);
    if (job[0]) {
        str_add(s, ", in job ");
        cli_add_safe(s, job, strlen(job));
    }
    str_add_char(s, '\n');
    if (trial->tries > 1) {
        add_label(s, "tries");
        str_printf(s, "%u\n", (unsigned)trial->tries);
    }
    add_checkpoints(s, journal, index);
}

static void add_resources(struct str *s, const struct outcome *result)
{
    if (result->signal > 0) {
        add_label(s, "signal");
        str_printf(s, "%d (%s)\n", result->signal, strsignal(result->signal));
    } else if (result->exit_code >= 0) {
        add_label(s, "exit code");
        str_printf(s, "%d\n", result->exit_code);
    }
    if (result->processor > 0) {
        add_label(s, "processor");
        str_add_duration(s, result->processor);
        str_add_char(s, '\n');
    }
    if (result->peak_memory > 0) {
        add_label(s, "memory");
        cli_add_bytes(s, result->peak_memory);
        str_add_char(s, '\n');
    }
    if (result->read > 0 || result->written > 0) {
        add_label(s, "files");
        cli_add_bytes(s, result->read);
        str_add(s, " read, ");
        cli_add_bytes(s, result->written);
        str_add(s, " written\n");
    }
    if (result->energy > 0) {
        add_label(s, "energy");
        str_printf(s, "%.3g J\n", result->energy);
    }
}

static size_t longest_name(const struct space *space, const struct outcome *result)
{
    size_t longest = 0;
    for (size_t i = 0; i < space->count; i++)
        if (strlen(space->parameters[i].name) > longest)
            longest = strlen(space->parameters[i].name);
    for (size_t i = 0; i < result->metric_count; i++)
        if (strlen(result->metrics[i].name) > longest)
            longest = strlen(result->metrics[i].name);
    return longest;
}

static void add_title(struct str *s, const char *title)
{
    str_printf(s, "\n%s%s%s\n", cli_colour(stdout, CLI_BOLD), title, cli_colour(stdout, CLI_PLAIN));
}

/* Values exactly as the trial got them: `show` rounds nothing. */
static void add_values(struct str *s, const struct space *space, const double *point,
                       const struct outcome *result)
{
    int width = (int)longest_name(space, result);
    struct str value = {0};
    if (space->count > 0)
        add_title(s, "parameters");
    for (size_t i = 0; i < space->count; i++) {
        str_clear(&value);
        if (isnan(point[i]))
            str_add(&value, "-");
        else
            space_put_text(&space->parameters[i], point[i], &value);
        str_printf(s, "  %-*s  ", width, space->parameters[i].name);
        cli_add_safe(s, str_text(&value), value.length);
        str_add_char(s, '\n');
    }
    if (result->metric_count > 0)
        add_title(s, "metrics");
    for (size_t i = 0; i < result->metric_count; i++) {
        str_clear(&value);
        cli_add_safe(&value, result->metrics[i].name, strlen(result->metrics[i].name));
        str_printf(s, "  %-*s  ", width, str_text(&value));
        str_add_number(s, result->metrics[i].value);
        str_add_char(s, '\n');
    }
    str_free(&value);
}

/* ---- steps ---- */

enum { STEPS_SHOWN = 12 };

/*
 * True for steps that are shown: all if there are few; of many, fewer and fewer towards the last.
 */
static bool is_shown(uint32_t place, uint32_t count)
{
    if (count <= STEPS_SHOWN || place == 0 || place + 1 == count)
        return true;
    double scale = (STEPS_SHOWN - 1) / log(count);
    return floor(log(place + 1.0) * scale) != floor(log(place) * scale);
}

/* The score comes before the metrics and is not repeated among them. */
static void add_step(struct str *s, const struct journal_step *step, const char *score)
{
    str_printf(s, "  %-8llu", (unsigned long long)step->step);
    if (step->unscored)
        str_add_char(s, '-');
    else
        str_add_number(s, step->value);
    struct str name = {0};
    struct json j;
    struct slice key;
    json_open(&j, step->metrics.text, step->metrics.length);
    if (step->metrics.length > 0)
        json_enter(&j, '{');
    while (step->metrics.length > 0 && json_key(&j, &key)) {
        double value = json_peek(&j) == JSON_NULL ? (json_skip(&j), NAN) : json_number(&j);
        json_unescape(key, &name);
        if (!step->unscored && strcmp(name.text, score) == 0)
            continue;
        str_add(s, "  ");
        cli_add_safe(s, name.text, strlen(name.text));
        str_add_char(s, ' ');
        str_add_number(s, value);
    }
    str_free(&name);
    str_add_char(s, '\n');
}

/* The values of the steps, in a few lines. */
static void add_steps(struct str *s, const struct journal *journal, size_t index)
{
    uint32_t count = journal->trials[index].steps, place = 0;
    struct journal_walk walk = journal_walk(journal, (int64_t)index);
    struct journal_step step;
    if (count == 0)
        return;
    add_title(s, "steps");
    while (journal_next_step(&walk, &step)) {
        if (is_shown(place, count))
            add_step(s, &step, study_score_name(&journal->study.model));
        place++;
    }
    if (count > STEPS_SHOWN)
        str_printf(s, "  (some of %u; --json has all)\n", (unsigned)count);
}

/* Appends output with line ends only: the carriage returns of a progress bar become new lines. */
static void add_output(struct str *s, const char *text, size_t length)
{
    struct str log = {0};
    for (size_t i = 0; i < length; i++) {
        bool pair = text[i] == '\r' && i + 1 < length && text[i + 1] == '\n';
        if (!pair)
            str_add_char(&log, text[i] == '\r' ? '\n' : text[i]);
    }
    cli_add_safe(s, str_text(&log), log.length);
    str_free(&log);
}

static void add_log(struct str *s, const struct study *study, const struct outcome *result)
{
    bool dropped = result->state == OUTCOME_DONE && study->keep != KEEP_ALL &&
                   model_kind(&study->model)->starts_programs;
    if (result->log.length == 0 && dropped) {
        str_add_char(s, '\n');
        add_label(s, "output");
        str_add(s, "not kept (use keep: all)\n");
    }
    if (result->log.length == 0)
        return;
    add_title(s, "output");
    add_output(s, result->log.text, result->log.length);
    if (s->text[s->length - 1] != '\n')
        str_add_char(s, '\n');
}

static void add_command(struct str *s, const struct journal *journal, size_t index,
                        const double *point)
{
    struct str command = {0};
    if (journal_is_lost(&journal->trials[index]))
        return;
    report_command(&journal->study, journal->dir, index + 1, point, &command);
    add_title(s, model_kind(&journal->study.model)->put_call ? "call" : "command");
    str_add(s, "  ");
    cli_add_safe(s, str_text(&command), command.length);
    str_add_char(s, '\n');
    str_free(&command);
}

static int add_everything(struct str *s, const struct journal *journal, size_t index, struct err *e)
{
    const struct space *space = &journal->study.space;
    struct outcome result = {0};
    double *point = memory_new(space->count, sizeof *point);
    if (!journal_point(journal, index, point, e) && !journal_result(journal, index, &result, e)) {
        struct err unread = {0};
        if (journal_log(journal, index, &result, &unread))
            cli_note("%s: only the end of the output is shown", unread.message);
        add_state(s, journal, index, &result);
        add_broken(s, &journal->study, point, &result);
        add_time(s, journal, index);
        add_resources(s, &result);
        add_values(s, space, point, &result);
        add_steps(s, journal, index);
        add_command(s, journal, index, point);
        add_log(s, &journal->study, &result);
    }
    outcome_free(&result);
    free(point);
    return e->code;
}

/* Unchanged for a program or a file; a terminal would obey what the trial printed. */
static int add_whole_log(struct str *s, const struct journal *journal, size_t index, struct err *e)
{
    struct outcome result = {0};
    bool there =
        !journal_result(journal, index, &result, e) && !journal_log(journal, index, &result, e);
    if (there && isatty(STDOUT_FILENO))
        add_output(s, str_text(&result.log), result.log.length);
    else if (there)
        str_add_bytes(s, str_text(&result.log), result.log.length);
    outcome_free(&result);
    return e->code;
}

/* ---- the output of a running trial ---- */

/*
 * Only its worker has it. The run looks once a second which output is wanted; a request may be
 * lost, and is repeated.
 */
static const double LOOK_INTERVAL = 0.1, LOOK_PATIENCE = 2;
static const double FOLLOW_INTERVAL = 0.5; /* until --follow asks again */
enum { LOOKS = 3 };

/* A trial that somebody looks at. */
struct watched {
    struct journal *journal;
    struct cli_job job;
    size_t index;
};

static bool is_running(const struct watched *watched)
{
    return watched->journal->trials[watched->index].state == OUTCOME_RUNNING;
}

/* True while the trial runs, and its run does. */
static bool can_answer(struct watched *watched)
{
    if (is_running(watched) && !watched->journal->running)
        cli_job_look(&watched->job, watched->journal->dir);
    return is_running(watched) && cli_is_running(watched->journal, &watched->job);
}

/* Asks once, and waits; false when no answer came and the trial still runs. */
static bool ask(struct watched *watched, struct err *e)
{
    struct journal *journal = watched->journal;
    struct inbox_look look;
    double start = clock_now();
    if (inbox_look_request(journal->dir, watched->index + 1, &look, e))
        return false;
    while (can_answer(watched) && clock_now() < start + LOOK_PATIENCE) {
        if (inbox_look_answered(journal->dir, watched->index + 1, &look))
            return true;
        cli_wait(clock_now(), LOOK_INTERVAL);
        if (journal_follow(journal, e))
            return false;
    }
    return !can_answer(watched);
}

/* Has the run copy what the trial has printed so far to where journal_log() finds it. */
static bool fetch_output(struct watched *watched, struct err *e)
{
    bool there = !can_answer(watched);
    for (int i = 0; i < LOOKS && !there && !e->code; i++)
        there = ask(watched, e);
    return there;
}

/* The same, with a note when that did not succeed: all else can still be shown. */
static void fetch_or_note(struct watched *watched)
{
    struct err e = {0};
    bool there = fetch_output(watched, &e);
    const char *dir = watched->journal->dir;
    if (e.code)
        cli_note("no output of trial %zu, because the run cannot be asked for it: %s",
                 watched->index + 1, e.message);
    else if (!there)
        cli_note("the run has not answered for %g seconds: no new output of trial %zu",
                 LOOKS * LOOK_PATIENCE, watched->index + 1);
    else if (is_running(watched) && !can_answer(watched))
        cli_note("the run of trial %zu is gone, and its output that nobody had looked at: `wick %s "
                 "%s` runs it again",
                 watched->index + 1,
                 cli_resume_command(watched->journal, watched->job.current.entry.id[0]), dir);
}

static int show(const struct cli_arguments *arguments, struct journal *journal, const char *trial,
                struct err *e)
{
    size_t index;
    struct str text = {0};
    if (cli_read_trial(journal, trial, &index, e))
        return e->code;
    struct watched watched = {.journal = journal, .index = index};
    if (model_kind(&journal->study.model)->starts_programs)
        fetch_or_note(&watched);
    cli_show_secrets(arguments, &journal->study);
    if (cli_flag(arguments, "log")) {
        add_whole_log(&text, journal, index, e);
    } else if (cli_flag(arguments, "json")) {
        cli_add_trial_json(&text, journal, index, true, e);
        str_add_char(&text, '\n');
    } else {
        add_everything(&text, journal, index, e);
    }
    if (!e->code)
        fwrite(str_text(&text), 1, text.length, stdout);
    str_free(&text);
    return e->code;
}

/* ---- following ---- */

/*
 * How much of `now` was already printed as `before`. The middle of a long output is dropped, so
 * `now` need not start with `before`; then the last bytes of `before` are searched for.
 */
static size_t printed_part(const struct str *before, const struct str *now)
{
    enum { ENOUGH = 256 };
    if (before->length == 0 || now->length == 0)
        return 0;
    if (now->length >= before->length && memcmp(now->text, before->text, before->length) == 0)
        return before->length;
    size_t length = before->length < ENOUGH ? before->length : ENOUGH;
    const char *end = before->text + before->length - length;
    const char *found = memmem(now->text, now->length, end, length);
    return found ? (size_t)(found - now->text) + length : 0;
}

/* Prints what is new: complete lines only while the trial is running, and the rest at its end. */
static void print_new(struct str *printed, const struct str *now, bool whole_lines)
{
    size_t from = printed_part(printed, now), to = now->length;
    while (whole_lines && to > from && now->text[to - 1] != '\n' && now->text[to - 1] != '\r')
        to--;
    if (to <= from)
        return;
    struct str text = {0};
    add_output(&text, now->text + from, to - from);
    fputs(str_text(&text), stdout);
    fflush(stdout);
    str_clear(printed);
    str_add_bytes(printed, now->text, to);
    str_free(&text);
}

/* Prints what is new in the output that journal_log() finds. */
static int print_log(const struct watched *watched, struct str *printed, struct err *e)
{
    struct outcome result = {0};
    if (!journal_result(watched->journal, watched->index, &result, e) &&
        !journal_log(watched->journal, watched->index, &result, e))
        print_new(printed, &result.log, is_running(watched));
    outcome_free(&result);
    return e->code;
}

/* Prints the output as it grows, until the trial has ended or its run is gone. */
static int follow(struct journal *journal, size_t index, struct err *e)
{
    struct watched watched = {.journal = journal, .index = index};
    struct str printed = {0};
    while (can_answer(&watched) && !e->code && !ferror(stdout)) {
        fetch_output(&watched, e);
        if (!e->code && !print_log(&watched, &printed, e) && can_answer(&watched)) {
            cli_wait(clock_now(), FOLLOW_INTERVAL);
            journal_follow(journal, e);
        }
    }
    if (!e->code && is_running(&watched) && !ferror(stdout))
        fetch_or_note(&watched);
    else if (!e->code && !print_log(&watched, &printed, e))
        fprintf(stderr, "wick: trial %zu: %s\n", index + 1,
                outcome_state_name(journal->trials[index].state));
    str_free(&printed);
    return e->code;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    double number;
    bool here = arguments->operand_count == 1; /* wick show 41 */
    const char *first = arguments->operands[0];
    if (here && !str_number(first, &number) && cli_is_study(first)) {
        err_set(&e, ERR_USER, "missing trial number: wick show %s 1", first);
        return cli_fail(&e);
    }
    if (cli_load_journal(here ? NULL : first, &journal, &e))
        return cli_fail(&e);
    const char *trial = arguments->operands[here ? 0 : 1];
    size_t index;
    if (!cli_flag(arguments, "follow"))
        show(arguments, &journal, trial, &e);
    else if (!cli_read_trial(&journal, trial, &index, &e))
        follow(&journal, index, &e);
    journal_free(&journal);
    return e.code ? cli_fail(&e) : 0;
}

static const struct cli_option options[] = {
    {.name = "follow",
     .letter = 'f',
     .help = "print the output as it grows, until the trial ends;\n"
             "Ctrl-C leaves, and the trial keeps running"},
    {.name = "log", .help = "print only the output of the trial"},
    {.name = "json", .help = "print one JSON object"},
    {0},
};

const struct cli_command cli_command_show = {
    .name = "show",
    .summary = "show everything about one trial, with its output",
    .example = "wick show digits.wick 41\n"
               "wick show 41 --log\n"
               "wick show 41 --follow",
    .synopsis = "[DIR] TRIAL [--follow | --log | --json]",
    .details = "The output of a trial is made safe for the terminal: an escape character is shown\n"
               "as \\x1b. In a file or a pipe, --log is the output unchanged.",
    .options = {options, cli_secrets_options},
    .least = 1,
    .most = 2,
    .run = run,
};
