/* process.c - a trial that is a program: started by the helper, watched from here. */
#include "trial/runner.h"

#include "trial/environment.h"
#include "trial/language.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RESULT_LIMIT = 1 << 20, DRAIN_LIMIT = 4 << 20 };

static const double PEEK_INTERVAL = 2; /* seconds between looks at the output of a running trial */
static const double FIRST_QUESTION = 0.1; /* seconds: see patience() */

static void take_answer(void *argument);

void process_prepare(struct trial_runner *r, struct helper *helper)
{
    r->channel = helper_channel(helper, r->slot->channel);
    r->descriptors = helper_descriptors(helper);
    comm_watch(r->comm, r->channel, take_answer, r);
    told_prepare(r, helper);
    machine_energy_open(&r->energy, "");
}

static void say(struct trial_runner *r, enum outcome_state state, const char *format, ...)
    ERR_FORMAT(3, 4);

static void say(struct trial_runner *r, enum outcome_state state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    r->result.state = state;
    vsnprintf(r->result.reason, sizeof r->result.reason, format, arguments);
    va_end(arguments);
}

/*
 * It could not be started. When the machine has no room (descriptors, processes, memory, disk) that
 * is not the trial's failure: as an interruption it stops the study, and runs again on resume.
 */
void process_not_started(struct trial_runner *r, int number, const char *what)
{
    static const int shortages[] = {EMFILE, ENFILE, EAGAIN, ENOMEM, ENOSPC, EDQUOT, EPIPE};
    enum outcome_state state = OUTCOME_FAILED;
    for (size_t i = 0; i < sizeof shortages / sizeof *shortages; i++)
        if (number == shortages[i])
            state = OUTCOME_INTERRUPTED;
    say(r, state, "cannot %s: %s", what, strerror(number));
}

/* ---- output ---- */

/* Reads what a pipe has; closes it at its end. */
static void read_pipe(struct trial_runner *r, int *fd, size_t limit)
{
    char bytes[65536];
    while (*fd >= 0 && limit > 0) {
        ssize_t got = read(*fd, bytes, sizeof bytes);
        if (got > 0) {
            output_add(&r->output, bytes, (size_t)got, fd == &r->out);
            limit -= (size_t)got < limit ? (size_t)got : limit;
            continue;
        }
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        comm_unwatch(r->comm, *fd);
        close(*fd);
        *fd = -1;
    }
}

/* One read an event: a program that floods us must not keep the worker from its timers. */
static void read_out(void *argument)
{
    struct trial_runner *r = argument;
    read_pipe(r, &r->out, 1);
}

static void read_err(void *argument)
{
    struct trial_runner *r = argument;
    read_pipe(r, &r->err, 1);
}

/* After the end: takes what is left in the pipes, which somebody may still hold open. */
static void drain(struct trial_runner *r, int *fd)
{
    read_pipe(r, fd, DRAIN_LIMIT);
    if (*fd >= 0) {
        comm_unwatch(r->comm, *fd);
        close(*fd);
        *fd = -1;
    }
}

/* ---- files of the trial ---- */

/* The ranks of a trial share the folder, and only rank 0's files count. */
static char *file_name(const struct trial_runner *r, const char *what, struct str *path)
{
    str_clear(path);
    str_printf(path, "%s/tmp/%llu.", r->dir, (unsigned long long)r->id);
    if (r->group.rank > 0)
        str_printf(path, "%u.", r->group.rank);
    str_add(path, what);
    return path->text;
}

/* The folder that {dir} stands for. */
static char *folder_name(const struct trial_runner *r, struct str *path)
{
    str_clear(path);
    str_printf(path, "%s/trials/%llu", r->dir, (unsigned long long)r->id);
    return path->text;
}

/* Of a trial that takes long: shows its output to `wick show`, and looks at the counters. */
static void show_output(void *argument)
{
    struct trial_runner *r = argument;
    r->peek = comm_after(r->comm, PEEK_INTERVAL, show_output, r);
    machine_energy_look(&r->energy);
    if (output_bytes(&r->output) == r->peek_bytes)
        return;
    struct str path = {0}, log = {0};
    struct err ignored = {0};
    r->peek_bytes = output_bytes(&r->output);
    output_copy(&r->output, &log);
    (void)!str_write_file(file_name(r, "log", &path), str_text(&log), log.length, &ignored);
    str_free(&path);
    str_free(&log);
}

static void hide_output(struct trial_runner *r)
{
    struct str path = {0};
    comm_cancel(r->comm, r->peek);
    if (r->peek_bytes > 0)
        unlink(file_name(r, "log", &path));
    r->peek = r->peek_bytes = 0;
    str_free(&path);
}

static bool write_files(struct trial_runner *r, const char *params, size_t length)
{
    struct str path = {0};
    struct err e = {0};
    int number = 0;
    unlink(
        file_name(r, "result.json", &path)); /* of an earlier try, or put there by another trial */
    if (r->study->model.wants_params_file) {
        unlink(file_name(r, "params.json", &path));
        if (str_write_file(path.text, params, length, &e))
            number = errno;
    }
    if (r->study->model.wants_dir && !number) {
        str_clear(&path);
        str_printf(&path, "%s/trials", r->dir);
        mkdir(path.text, 0777);
        if (mkdir(folder_name(r, &path), 0777) != 0 && errno != EEXIST)
            number = errno;
    }
    if (number)
        process_not_started(r, number, "write the files of the trial");
    str_free(&path);
    return number == 0;
}

/* Numbers of the result file are metrics; the one with the score's name is the score. */
static const char *read_metrics(struct trial_runner *r, const struct str *text)
{
    const char *score = study_score_name(&r->study->model);
    bool named = false; /* the score itself was found, not just a key "score" */
    struct json j;
    struct slice key;
    json_open(&j, text->text, text->length);
    json_enter(&j, '{');
    while (json_key(&j, &key)) {
        if (json_peek(&j) != JSON_NUMBER) {
            json_skip(&j);
            continue;
        }
        double value = json_number(&j);
        output_metric(r->result.metrics, &r->result.metric_count, key.text, key.length, value);
        if (slice_is(key, score) || (slice_is(key, "score") && !named)) {
            named = slice_is(key, score);
            r->result.score = value;
            r->output.has_score = true;
        }
    }
    return json_close(&j);
}

/* A result file counts more than what was printed. Returns what is wrong with it, or NULL. */
static const char *read_result_file(struct trial_runner *r)
{
    struct str path = {0}, text = {0};
    struct err e = {0};
    const char *wrong = NULL;
    struct stat info;
    if (lstat(file_name(r, "result.json", &path), &info) == 0) {
        if (!S_ISREG(info.st_mode)) /* a pipe would have us wait for ever */
            wrong = "it is not an ordinary file";
        else if (str_read_file(&text, path.text, RESULT_LIMIT, &e))
            wrong = "it cannot be read, or is larger than 1 MiB";
        else
            wrong = read_metrics(r, &text);
    }
    str_free(&path);
    str_free(&text);
    return wrong;
}

/* Removes what was there for the running trial only. */
static void remove_files(struct trial_runner *r)
{
    struct str path = {0};
    unlink(file_name(r, "result.json", &path));
    if (r->study->model.wants_params_file)
        unlink(file_name(r, "params.json", &path));
    str_free(&path);
}

/* The program is gone: takes what it left in its pipes. */
static void close_output(struct trial_runner *r)
{
    drain(r, &r->out);
    drain(r, &r->err);
    told_end(r);
    hide_output(r);
    r->running = false;
}

static void finish(struct trial_runner *r)
{
    remove_files(r);
    runner_finish(r);
}

/* ---- starting ---- */

static struct model_paths trial_files(const struct trial_runner *r, struct arena *arena)
{
    struct str path = {0};
    struct model_paths paths;
    file_name(r, "params.json", &path);
    paths.params = arena_copy(arena, path.text, path.length);
    file_name(r, "result.json", &path);
    paths.result = arena_copy(arena, path.text, path.length);
    folder_name(r, &path);
    paths.dir = arena_copy(arena, path.text, path.length);
    trial_checkpoint_path(r->dir, r->id, &path);
    paths.checkpoint = arena_copy(arena, path.text, path.length);
    str_free(&path);
    return paths;
}

/* The variables of a command; in a container also those of the runtime that starts it. */
struct variables {
    struct str all;
    unsigned count;
};

/*
 * Appends the arguments of the program; in a language host it has no interpreter before them. By
 * mpiexec each rank has a container of its own.
 */
static void add_arguments(struct trial_runner *r, struct str *packet,
                          struct helper_request *request, const struct variables *inner,
                          const struct variables *outer)
{
    const struct study_model *model = &r->study->model;
    struct arena arena = {0};
    if (model->command) {
        struct model_paths paths = trial_files(r, &arena);
        char **argv = model_command(r->study, &paths, r->id, r->point, &arena);
        if (r->slot->container && (ranks_by_mpi(r) || !model->code.language))
            argv = container_command(r->slot->container, argv, &inner->all, &arena);
        if (ranks_by_mpi(r))
            argv = ranks_command(r, argv, &outer->all, outer->count, &arena);
        else if (model->code.language)
            argv += language_script(model);
        for (; argv[request->arguments]; request->arguments++)
            str_add_bytes(packet, argv[request->arguments], strlen(argv[request->arguments]) + 1);
    }
    arena_free(&arena);
}

/* What mpiexec itself needs: its PATH and libraries are not those of the image. */
static void add_variables(const struct trial_runner *r, const struct variables *variables,
                          struct str *packet, struct helper_request *request)
{
    bool is_launcher = r->slot->container && ranks_by_mpi(r);
    const char *at = variables->all.text;
    for (unsigned i = 0; i < variables->count; i++, at += strlen(at) + 1) {
        if (is_launcher &&
            (!strchr(at, '=') || strncmp(at, "PATH=", 5) == 0 || strncmp(at, "LD_", 3) == 0))
            continue;
        str_add_bytes(packet, at, strlen(at) + 1);
        request->variables++;
    }
}

/* Appends the command of the language host; false when Wick's own files are not found. */
static bool add_host(const struct trial_runner *r, struct str *packet,
                     struct helper_request *request)
{
    struct str words = {0};
    struct arena arena = {0};
    unsigned count = 0;
    bool good = language_model_host(&r->study->model, &words, &count);
    char **argv = arena_new(&arena, count + 1, sizeof *argv), *at = words.text;
    for (unsigned i = 0; good && i < count; i++, at += strlen(at) + 1)
        argv[i] = at;
    if (good && r->slot->container)
        argv = container_command(r->slot->container, argv, NULL, &arena);
    for (; good && argv[request->host]; request->host++)
        str_add_bytes(packet, argv[request->host], strlen(argv[request->host]) + 1);
    arena_free(&arena);
    str_free(&words);
    return good;
}

/* True when what the helper starts is a runtime that waits for the program. */
static bool has_monitor(const struct trial_runner *r)
{
    return r->slot->container && !r->study->model.code.language && !ranks_by_mpi(r) &&
           container_has_monitor(r->slot->container);
}

/* The whole request as one packet; false when Wick's files for the language are not found. */
static bool build_request(struct trial_runner *r, const char *params, struct str *packet)
{
    struct helper_request request = {.type = HELPER_START,
                                     .trial = r->id,
                                     .memory = r->study->model.memory,
                                     .pin = !ranks_by_mpi(r),
                                     .has_monitor = has_monitor(r),
                                     .is_inside = r->slot->container,
                                     .cores = r->slot->pinned,
                                     .descriptors = r->descriptors};
    struct variables inner = {0}, outer = {0};
    struct str path = {0};
    bool good = true;
    environment_of_trial(r, params, file_name(r, "result.json", &path), &inner.all, &inner.count);
    str_add_bytes(&outer.all, inner.all.text, inner.all.length);
    outer.count = inner.count;
    if (r->slot->container)
        container_environment(r->slot->container, &outer.all, &outer.count);
    str_add_bytes(packet, &request, sizeof request);
    str_add_bytes(packet, r->study->model.folder, strlen(r->study->model.folder) + 1);
    add_arguments(r, packet, &request, &inner, &outer);
    add_variables(r, &outer, packet, &request);
    if (r->study->model.code.language)
        good = add_host(r, packet, &request);
    memcpy(packet->text, &request, sizeof request);
    str_free(&inner.all);
    str_free(&outer.all);
    str_free(&path);
    return good;
}

static void over_time(void *argument)
{
    struct trial_runner *r = argument;
    r->timer = 0;
    process_end(r, ENDING_TIMEOUT);
}

/* Makes the pipes and hands the request to the helper; false when that failed. */
static bool launch(struct trial_runner *r, const struct str *packet)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    bool good = pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0;
    if (good) {
        int ends[2] = {out[1], err[1]};
        fcntl(out[0], F_SETFL, O_NONBLOCK);
        fcntl(err[0], F_SETFL, O_NONBLOCK);
        good = helper_send(r->channel, packet, ends, 2, 0) == 0;
    }
    int number = errno;
    for (int i = good ? 1 : 0; i < 2; i++) {
        if (out[i] >= 0)
            close(out[i]);
        if (err[i] >= 0)
            close(err[i]);
    }
    if (!good) {
        process_not_started(r, number, "start a process");
        return false;
    }
    r->out = out[0];
    r->err = err[0];
    comm_watch(r->comm, r->out, read_out, r);
    comm_watch(r->comm, r->err, read_err, r);
    return true;
}

void process_run(struct trial_runner *r)
{
    struct str packet = {0}, params = {0};
    space_put_json(&r->study->space, r->point, &params);
    bool built = build_request(r, str_text(&params), &packet);
    output_begin(&r->output, &r->study->model);
    r->signalled = r->killed = false;
    told_begin(r);
    machine_energy_begin(&r->energy);
    bool good = !r->helper_lost && built;
    if (!built)
        say(r, OUTCOME_FAILED, "Wick's own files for this language are not where it is installed");
    else if (!good)
        say(r, OUTCOME_INTERRUPTED, "the process that starts trials is gone");
    if (good && packet.length > HELPER_REQUEST_LIMIT) {
        say(r, OUTCOME_FAILED, "its command line and environment are longer than %d bytes",
            HELPER_REQUEST_LIMIT);
        good = false;
    }
    good = good && write_files(r, str_text(&params), params.length) && launch(r, &packet);
    str_free(&packet);
    str_free(&params);
    r->running = good;
    if (!good) {
        told_end(r);
        finish(r);
        return;
    }
    if (r->study->model.timeout > 0)
        r->timer = comm_after(r->comm, r->study->model.timeout, over_time, r);
    r->peek = comm_after(r->comm, PEEK_INTERVAL, show_output, r);
}

/* ---- ending ---- */

static void send_signal(struct trial_runner *r, int number)
{
    struct helper_request request = {.type = HELPER_SIGNAL, .signal = number, .trial = r->id};
    (void)!send(r->channel, &request, sizeof request, MSG_NOSIGNAL);
}

static void end_hard(void *argument)
{
    struct trial_runner *r = argument;
    r->timer = 0;
    r->killed = true;
    send_signal(r, SIGKILL);
}

static void set_timer(struct trial_runner *r, double seconds, comm_handler *handler)
{
    if (r->timer)
        comm_cancel(r->comm, r->timer);
    r->timer = comm_after(r->comm, seconds, handler, r);
}

/* SIGTERM now, SIGKILL after the grace. */
static void end_softly(void *argument)
{
    struct trial_runner *r = argument;
    r->signalled = true;
    send_signal(r, SIGTERM);
    set_timer(r, r->study->model.grace, end_hard);
}

/*
 * How long a program may take to ask whether to stop: once it has asked, as long as it takes for
 * that; before, only until the question that may follow the step which was its last.
 */
static double patience(const struct trial_runner *r)
{
    const struct study_model *model = &r->study->model;
    double seconds = r->told.asked > 0 ? fmax(model->grace, 2 * r->told.longest_gap)
                                       : fmin(model->grace, FIRST_QUESTION);
    if (model->timeout > 0)
        seconds = fmin(seconds, r->result.started + model->timeout - comm_now(r->comm));
    return fmax(seconds, 0);
}

/*
 * A program that asks whether to stop ends by itself when it is told; one that does not, or does
 * not ask any more, is ended. Who interrupts the study does not wait for either.
 */
void process_end(struct trial_runner *r, enum ending ending)
{
    if (!r->running || r->signalled)
        return;
    if (r->ending == ENDING_STOP && ending != ENDING_INTERRUPT)
        return;
    if (r->ending == ENDING_NOT)
        r->ending = ending;
    if (ending == ENDING_STOP)
        set_timer(r, patience(r), end_softly);
    else
        end_softly(r);
}

/* One that is to leave has as long as the machine is there: who takes it away interrupts it. */
void process_answer(struct trial_runner *r, uint64_t call, enum trial_word word)
{
    bool first = r->running && !r->told.stop && !r->signalled;
    if (first && word == TRIAL_ENOUGH) {
        r->ending = ENDING_STOP;
        set_timer(r, r->study->model.grace, end_softly);
    } else if (first && word == TRIAL_LEAVE && r->ending == ENDING_NOT) {
        r->ending = ENDING_INTERRUPT;
    }
    r->told.stop |= first && word != TRIAL_GO_ON;
    line_answer(r->talk, call, word != TRIAL_GO_ON);
}

/* True when it gave metrics on purpose, and not only lines that look like some. */
static bool gave_metrics(const struct trial_runner *r)
{
    if (r->told.metric_count > 0 || r->told.step_count > 0)
        return true;
    return r->result.metric_count > 0 && (r->study->model.code.function || !r->output.other[0]);
}

static void say_other_metrics(struct trial_runner *r, const char *name)
{
    enum { NAMES_SHOWN = 3 };
    const struct outcome *result = &r->result;
    struct str names = {0};
    for (size_t i = 0; i < result->metric_count && i < NAMES_SHOWN; i++)
        str_printf(&names, "%s`%s`", i ? ", " : "", result->metrics[i].name);
    if (result->metric_count > NAMES_SHOWN)
        str_add(&names, " ...");
    say(r, OUTCOME_NO_SCORE,
        "it gave %s, but no `%s`: name the one that is the score, as in `score: %s`",
        str_text(&names), name, result->metrics[0].name);
    str_free(&names);
}

static void say_no_score(struct trial_runner *r, const char *name)
{
    if (gave_metrics(r))
        say_other_metrics(r, name);
    else if (r->output.other[0])
        say(r, OUTCOME_NO_SCORE,
            "it printed no line like `%s: 0.5`, but `%s`: if that is the score, say "
            "`score: %s` (--score %s)",
            name, r->output.other, r->output.other, r->output.other);
    else if (r->study->model.code.function)
        say(r, OUTCOME_NO_SCORE, "%s() returned neither a number nor '%s' among its metrics",
            r->study->model.code.function, name);
    else
        say(r, OUTCOME_NO_SCORE, "it printed no line like `%s: 0.5`, and wrote no result file",
            name);
}

static void judge_exit(struct trial_runner *r)
{
    const char *wrong = read_result_file(r);
    told_results(r);
    if (!r->output.has_score)
        r->output.has_score = told_last_step(r);
    const char *name = study_score_name(&r->study->model);
    if (r->result.signal)
        say(r, OUTCOME_FAILED, "signal %d (%s)", r->result.signal, strsignal(r->result.signal));
    else if (r->result.exit_code == 124)
        say(r, OUTCOME_TIMEOUT, "exit code 124 (its own time limit)");
    else if (r->result.exit_code != 0)
        say(r, OUTCOME_FAILED, "exit code %d", r->result.exit_code);
    else if (wrong)
        say(r, OUTCOME_NO_SCORE, "its result file does not read: %s", wrong);
    else if (!r->output.has_score && r->study->model.pattern)
        say(r, OUTCOME_NO_SCORE, "no line that it printed matches the pattern %s",
            r->study->model.pattern);
    else if (!r->output.has_score)
        say_no_score(r, name);
    else if (!isfinite(r->result.score))
        say(r, OUTCOME_NAN, "its %s is %s", name,
            isnan(r->result.score) ? "not a number" : "infinite");
    else
        say(r, OUTCOME_DONE, "%s", "");
}

/*
 * What Wick did to the trial counts before what the program made of it, unless the program had
 * ended before the signal reached it, or it was told to stop.
 */
static void judge(struct trial_runner *r, const struct helper_answer *answer)
{
    struct str text = {0};
    uint64_t over_memory = answer->over_memory;
    enum ending ending = answer->signalled || r->told.stop ? r->ending : ENDING_NOT;
    if (ending == ENDING_INTERRUPT) {
        say(r, OUTCOME_INTERRUPTED, "interrupted");
    } else if (ending == ENDING_STOP) {
        say(r, OUTCOME_STOPPED, "stopped");
        told_results(r);
        told_last_step(r);
    } else if (ending == ENDING_TIMEOUT) {
        str_add_duration(&text, r->study->model.timeout);
        say(r, OUTCOME_TIMEOUT, "over its time limit of %s%s", text.text,
            r->killed ? ", and SIGTERM did not end it" : "");
    } else if (over_memory) {
        say(r, OUTCOME_OUT_OF_MEMORY, "over its memory limit of %.0f MiB (%.0f MiB in use)",
            (double)r->study->model.memory / 1048576, (double)over_memory / 1048576);
    } else {
        judge_exit(r);
    }
    if (r->result.state != OUTCOME_DONE)
        r->result.score = r->result.state == OUTCOME_STOPPED ? r->last_value : NAN;
    str_free(&text);
}

static void ended(struct trial_runner *r, const struct helper_answer *answer)
{
    close_output(r);
    output_end(&r->output, &r->result);
    r->result.processor = answer->processor;
    r->result.peak_memory = answer->peak_memory;
    r->result.read = answer->read;
    r->result.written = answer->written;
    r->result.energy = machine_energy_end(&r->energy, answer->processor);
    if (WIFSIGNALED(answer->status))
        r->result.signal = WTERMSIG(answer->status);
    else if (has_monitor(r) && WEXITSTATUS(answer->status) > 128 &&
             WEXITSTATUS(answer->status) < 128 + NSIG) /* as shells, too, tell of a signal */
        r->result.signal = WEXITSTATUS(answer->status) - 128;
    else
        r->result.exit_code = WEXITSTATUS(answer->status);
    judge(r, answer);
    finish(r);
}

/* What the helper was to start. */
static const char *program_of(const struct trial_runner *r)
{
    const struct study_model *model = &r->study->model;
    if (ranks_by_mpi(r))
        return ranks_launcher(model)[0];
    if (r->slot->container)
        return container_runtime(r->slot->container);
    return model->code.language ? language_interpreter(&model->code) : model->command[0];
}

static void not_started(struct trial_runner *r, const struct helper_answer *answer)
{
    char what[160];
    snprintf(what, sizeof what, "%s %s", answer->in_folder ? "enter" : "start",
             answer->in_folder ? r->study->model.folder : program_of(r));
    close_output(r);
    output_end(&r->output, &r->result); /* a language host that failed has said why */
    r->result.score = NAN;
    if (answer->reason[0]) /* it would do so for every trial: that stops the study */
        say(r, OUTCOME_INTERRUPTED, "%s", answer->reason);
    else
        process_not_started(r, answer->number, what);
    finish(r);
}

/* The helper is gone, so are its programs: nothing can run here any more. */
static void lost(struct trial_runner *r)
{
    comm_unwatch(r->comm, r->channel);
    r->helper_lost = true;
    if (!r->running)
        return;
    close_output(r);
    say(r, OUTCOME_INTERRUPTED, "the process that starts trials is gone");
    finish(r);
}

static void take_answer(void *argument)
{
    struct trial_runner *r = argument;
    struct helper_answer answer;
    ssize_t length = recv(r->channel, &answer, sizeof answer, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (length != sizeof answer)
        lost(r);
    else if (answer.type == HELPER_ENDED)
        ended(r, &answer);
    else if (answer.type == HELPER_FAILED)
        not_started(r, &answer);
}

void process_forget(struct trial_runner *r)
{
    if (!r->helper_lost)
        comm_unwatch(r->comm, r->channel);
    told_forget(r);
    machine_energy_close(&r->energy);
}
