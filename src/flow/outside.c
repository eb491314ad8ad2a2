/* outside.c - the life of a job, settings, output in whole lines, sleeping. */
#include "flow/outside_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

enum { LINE_LIMIT = 1 << 20 };        /* bytes of a line that is kept until its end comes */
enum { DRAIN_LIMIT = 4 << 20 };       /* bytes that are read of a pipe after the end */
static const double GRACE = 1;        /* seconds from SIGTERM to SIGKILL */
static const double MOST_SLEEP = 1e9; /* seconds: 31 years */

/* ---- settings ---- */

/* Reads a variable, if it is set; false, and an error, if it is not a number of this range. */
static bool read_number(const char *name, double most, bool whole, double *number, struct err *e)
{
    const char *text = getenv(name);
    double value;
    if (!text || !*text)
        return true;
    if (!str_number(text, &value) || !(value >= 0 && value <= most) ||
        (whole && value != floor(value))) {
        err_set(e, ERR_USER,
                "the environment variable %s is '%.80s': it must be a %snumber from "
                "0 to %.0f",
                name, text, whole ? "whole " : "", most);
        return false;
    }
    *number = value;
    return true;
}

int outside_settings_read(struct outside_settings *settings, struct err *e)
{
    static const double MOST_RETRIES = 1000, MOST_SECONDS = 86400;
    double retries = settings->retries, others = settings->other_retries, logs = settings->logs;
    if (!read_number("TURBINE_APP_RETRIES_LOCAL", MOST_RETRIES, true, &retries, e) ||
        !read_number("TURBINE_APP_RETRIES_REPUT", MOST_RETRIES, true, &others, e) ||
        !read_number("TURBINE_APP_BACKOFF", MOST_SECONDS, false, &settings->backoff, e) ||
        !read_number("TURBINE_APP_DELAY", MOST_SECONDS, false, &settings->delay, e) ||
        !read_number("TURBINE_APP_DEBUG", MOST_RETRIES, true, &logs, e))
        return e->code;
    settings->retries = (unsigned)retries;
    settings->other_retries = (unsigned)others;
    settings->logs = logs > 0;
    return 0;
}

/* ---- pipes ---- */

static void hand_on(struct outside_pipe *pipe, const char *text, size_t length)
{
    const struct outside_handler *handler = &pipe->outside->handler;
    if (length > 0)
        handler->output(handler->self, pipe->stream, text, length);
}

static void flush(struct outside_pipe *pipe)
{
    hand_on(pipe, str_text(&pipe->text), pipe->text.length);
    str_clear(&pipe->text);
}

/* Hands on whole lines and keeps the start of the next one. */
static void take_lines(struct outside_pipe *pipe, const char *bytes, size_t length)
{
    const char *newline = memrchr(bytes, '\n', length);
    size_t whole = newline ? (size_t)(newline - bytes) + 1 : 0;
    if (pipe->text.length == 0) {
        hand_on(pipe, bytes, whole);
    } else if (whole > 0) {
        str_add_bytes(&pipe->text, bytes, whole);
        flush(pipe);
    }
    str_add_bytes(&pipe->text, bytes + whole, length - whole);
    if (pipe->text.length >= LINE_LIMIT)
        flush(pipe);
}

static void keep(struct outside_pipe *pipe, const char *bytes, size_t length)
{
    size_t room = pipe->most - pipe->text.length;
    str_add_bytes(&pipe->text, bytes, length < room ? length : room);
    if (length > room && !pipe->is_over) {
        pipe->is_over = true;
        outside_program_signal(pipe->outside, SIGKILL);
    }
}

void outside_pipe_read(struct outside_pipe *pipe, size_t limit)
{
    char bytes[65536];
    while (pipe->fd >= 0 && limit > 0) {
        ssize_t got = read(pipe->fd, bytes, sizeof bytes);
        if (got > 0) {
            limit -= (size_t)got < limit ? (size_t)got : limit;
            pipe->has_any = true;
            if (pipe->most > 0)
                keep(pipe, bytes, (size_t)got);
            else
                take_lines(pipe, bytes, (size_t)got);
        } else if (got < 0 && errno == EAGAIN) {
            return;
        } else if (got == 0 || errno != EINTR) {
            outside_pipe_close(pipe);
        }
    }
}

/* One read per event: a program that floods us must not keep the worker from the rest. */
static void ready(void *pipe)
{
    outside_pipe_read(pipe, 1);
}

void outside_pipe_drain(struct outside_pipe *pipe)
{
    outside_pipe_read(pipe, DRAIN_LIMIT);
    if (pipe->most == 0)
        flush(pipe);
}

int outside_pipe_open(struct outside_pipe *pipe)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pipe->fd = ends[0];
    fcntl(pipe->fd, F_SETFL, O_NONBLOCK);
    comm_watch(pipe->outside->comm, pipe->fd, ready, pipe);
    return ends[1];
}

void outside_pipe_close(struct outside_pipe *pipe)
{
    if (pipe->fd < 0)
        return;
    comm_unwatch(pipe->outside->comm, pipe->fd);
    close(pipe->fd);
    pipe->fd = -1;
}

/* ---- jobs ---- */

void outside_schedule(struct outside *o, double seconds, comm_handler *step)
{
    comm_cancel(o->comm, o->timer);
    o->timer = comm_after(o->comm, seconds, step, o);
}

void outside_finish(struct outside *o, const struct outside_end *end)
{
    static const char text[] = "it was stopped";
    const struct outside_end stopped = {.state = OUTSIDE_STOPPED, .text = {text, sizeof text - 1}};
    struct outside_end result = o->stopping ? stopped : *end;
    comm_cancel(o->comm, o->timer);
    o->timer = 0;
    o->job = JOB_NONE;
    o->stopping = false;
    arena_free(&o->arena);
    str_free(&o->code);
    str_free(&o->expression);
    o->handler.done(o->handler.self, &result);
}

static void begin(struct outside *o, enum outside_job job)
{
    if (o->job != JOB_NONE)
        BUG("a worker does one job at a time");
    o->job = job;
}

/* A step: there is nothing left to do. */
static void end(void *outside)
{
    outside_finish(outside, &(struct outside_end){.state = OUTSIDE_GOOD, .text = {"", 0}});
}

void outside_sleep(struct outside *o, double seconds)
{
    begin(o, JOB_SLEEP);
    outside_schedule(o, seconds > 0 ? fmin(seconds, MOST_SLEEP) : 0, end);
}

/* ---- the commands ---- */

static const char *const *copy_words(struct arena *arena, const char *const *words)
{
    size_t count = 0;
    while (words && words[count])
        count++;
    const char **copy = arena_new(arena, count + 1, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = arena_copy(arena, words[i], strlen(words[i]));
    return copy;
}

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_copy(arena, text, strlen(text)) : NULL;
}

void outside_run(struct outside *o, const struct outside_command *command)
{
    begin(o, JOB_PROGRAM);
    if (!command->words[0])
        BUG("a command has no words");
    o->command = (struct outside_command){.words = copy_words(&o->arena, command->words),
                                          .variables = copy_words(&o->arena, command->variables),
                                          .in = copy_text(&o->arena, command->in),
                                          .out = copy_text(&o->arena, command->out),
                                          .err = copy_text(&o->arena, command->err),
                                          .capture = command->capture};
    o->tries = 0;
    outside_schedule(o, o->settings.delay * random_unit(&o->random), outside_program_begin);
}

/* ---- the code ---- */

void outside_evaluate(struct outside *o, enum outside_language language, const char *code,
                      const char *expression)
{
    begin(o, JOB_CODE);
    o->language = language;
    outside_language_prepare(o, code, expression);
    outside_schedule(o, 0, outside_language_begin);
}

/* ---- stopping ---- */

/* A step: SIGTERM was not enough. */
static void kill_program(void *outside)
{
    struct outside *o = outside;
    o->timer = 0;
    outside_program_signal(o, SIGKILL);
}

void outside_stop(struct outside *o)
{
    if (o->job == JOB_NONE || o->stopping)
        return;
    o->stopping = true;
    if (o->program.running) {
        outside_program_signal(o, o->is_direct ? SIGKILL : SIGTERM);
        outside_schedule(o, GRACE, kill_program);
        return;
    }
    if (o->job == JOB_CODE)
        outside_language_stop(o, o->language);
    outside_schedule(o, 0, end);
}

/* ---- all of it ---- */

struct outside *outside_create(struct comm *comm, struct helper *helper,
                               const struct machine_slot *slot,
                               const struct outside_settings *settings,
                               const struct outside_handler *handler)
{
    struct outside *o = memory_new(1, sizeof *o);
    *o = (struct outside){.comm = comm,
                          .helper = helper,
                          .slot = slot,
                          .settings = *settings,
                          .handler = *handler,
                          .is_direct = !comm_watches(comm)};
    for (int i = 0; i < 2; i++)
        o->program.pipes[i] =
            (struct outside_pipe){.outside = o, .stream = (enum outside_stream)i, .fd = -1};
    for (int i = 0; i < OUTSIDE_LANGUAGES; i++)
        o->hosts[i] = (struct outside_host){
            .printed = {.outside = o, .stream = OUTSIDE_OUT, .fd = -1}, .print = -1};
    random_seed(&o->random, settings->seed, 0);
    return o;
}

void outside_free(struct outside *o)
{
    if (!o)
        return;
    comm_cancel(o->comm, o->timer);
    outside_program_free(o);
    outside_language_free(o);
    arena_free(&o->arena);
    free(o);
}

bool outside_is_busy(const struct outside *o)
{
    return o->job != JOB_NONE;
}
