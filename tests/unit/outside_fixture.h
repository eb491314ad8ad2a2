/* outside_fixture.h - jobs for flow/outside.h, one after the other, and what is expected of them.
 */
#ifndef TESTS_OUTSIDE_FIXTURE_H
#define TESTS_OUTSIDE_FIXTURE_H

#include "flow/outside.h"
#include "tap.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { RUN, SLEEP, PYTHON, PERSIST, R };

/* A job. */
struct step {
    const char *name; /* NULL: the end */
    enum kind kind;
    const char *words[12];
    const char *script; /* for sh, instead of words */
    const char *variables[3], *from, *to, *errors_to;
    size_t capture;
    const char *code, *expression;
    double seconds; /* to sleep */
    double stop;    /* when it is stopped; 0: it is not */

    enum outside_state state;
    int number;            /* exit code, signal or errno */
    const char *text;      /* the result, or a part of the message; NULL: any */
    const char *traceback; /* a part of it; NULL: there is none */
    const char *out, *err; /* what is printed; NULL: nothing */
    size_t bytes;          /* how much is printed, if that is not in `out` */
    bool wrote_errors;
    const char *file, *content; /* what a file has at the end; NULL: none is looked at */
};

struct test {
    bool is_simulated;
    bool stops_at_output; /* outside_stop() is called by output() */
    double free_after;    /* outside_free() is called after so many seconds; 0: at the end */
    struct outside_settings settings;

    struct comm *comm;
    struct helper *helper;
    struct machine_slot slot;
    struct outside *outside;
    const struct step *at;
    struct str printed[2], logged;
    bool has_part[2]; /* the last output of a stream had no newline at its end */
    bool has_broken;  /* and something followed */
    double started, seconds;
};

static void run_step(struct test *t);

/* ---- what a job does ---- */

static void take_output(void *self, enum outside_stream stream, const char *text, size_t length)
{
    struct test *t = self;
    t->has_broken = t->has_broken || t->has_part[stream];
    t->has_part[stream] = text[length - 1] != '\n';
    str_add_bytes(&t->printed[stream], text, length);
    if (t->stops_at_output)
        outside_stop(t->outside);
}

static void take_log(void *self, const char *line)
{
    struct test *t = self;
    str_add(&t->logged, line);
    str_add_char(&t->logged, '\n');
}

static void check_file(const struct step *step)
{
    struct str text = {0};
    struct err e = {0};
    if (!step->file)
        return;
    ok(str_read_file(&text, step->file, 1 << 20, &e) == 0, "%s: the file is there", step->name);
    is_text(str_text(&text), step->content, step->file);
    str_free(&text);
}

static void check_text(const struct step *step, const struct outside_end *end)
{
    const char *text = end->text.text, *expected = step->text ? step->text : "";
    bool is_whole = step->state == OUTSIDE_GOOD && step->text;
    bool same = is_whole ? strcmp(text, expected) == 0 : strstr(text, expected) != NULL;
    if (!ok(same && strlen(text) == end->text.length, "%s: its text", step->name))
        printf("# got: %.500s\n", text);
    if (step->traceback)
        ok(end->traceback.length > 0 && strstr(end->traceback.text, step->traceback),
           "%s: its traceback", step->name);
}

static void check_end(void *self, const struct outside_end *end)
{
    struct test *t = self;
    const struct step *step = t->at;
    int number = end->state == OUTSIDE_EXIT     ? end->exit_code
                 : end->state == OUTSIDE_SIGNAL ? end->signal
                                                : end->number;
    t->seconds = comm_now(t->comm) - t->started;
    if (!ok(end->state == step->state && number == step->number, "%s", step->name))
        printf("# state %d, number %d: %.500s\n", end->state, number, end->text.text);
    ok(!outside_is_busy(t->outside) && end->wrote_errors == step->wrote_errors,
       "%s: whether it wrote errors", step->name);
    check_text(step, end);
    if (step->bytes)
        ok(t->printed[OUTSIDE_OUT].length == step->bytes, "%s: all of it", step->name);
    else
        is_text(str_text(&t->printed[OUTSIDE_OUT]), step->out ? step->out : "", "its output");
    is_text(str_text(&t->printed[OUTSIDE_ERR]), step->err ? step->err : "", "its errors");
    check_file(step);
    t->at++;
    run_step(t);
}

/* ---- starting jobs ---- */

static void run_program(struct test *t, const struct step *step)
{
    const char *const shell[] = {"sh", "-c", step->script, NULL};
    outside_run(t->outside, &(struct outside_command){.words = step->script ? shell : step->words,
                                                      .variables = step->variables,
                                                      .in = step->from,
                                                      .out = step->to,
                                                      .err = step->errors_to,
                                                      .capture = step->capture});
}

static void free_all(void *self)
{
    struct test *t = self;
    outside_free(t->outside);
    comm_stop(t->comm);
}

static void stop_step(void *self)
{
    struct test *t = self;
    outside_stop(t->outside);
}

static void run_step(struct test *t)
{
    static const enum outside_language languages[] = {
        [PYTHON] = OUTSIDE_PYTHON, [PERSIST] = OUTSIDE_PYTHON_PERSIST, [R] = OUTSIDE_R};
    const struct step *step = t->at;
    str_clear(&t->printed[OUTSIDE_OUT]);
    str_clear(&t->printed[OUTSIDE_ERR]);
    t->has_part[OUTSIDE_OUT] = t->has_part[OUTSIDE_ERR] = false;
    t->started = comm_now(t->comm);
    if (!step->name) {
        free_all(t);
        return;
    }
    if (step->kind == RUN)
        run_program(t, step);
    else if (step->kind == SLEEP)
        outside_sleep(t->outside, step->seconds);
    else
        outside_evaluate(t->outside, languages[step->kind], step->code, step->expression);
    if (step->stop > 0)
        comm_after(t->comm, step->stop, stop_step, t);
}

static void start_test(void *self, struct comm *comm)
{
    struct test *t = self;
    const struct outside_handler handler = {t, take_output, take_log, check_end};
    t->comm = comm;
    t->outside = outside_create(comm, t->helper, &t->slot, &t->settings, &handler);
    run_step(t);
    if (t->free_after > 0)
        comm_after(comm, t->free_after, free_all, t);
}

static void ignore(void *self, const struct comm_message *message)
{
    (void)self;
    (void)message;
}

/* Runs these jobs, in events or in the simulator. */
static void play(struct test *t, const struct step *steps)
{
    const struct comm_actor actor = {t, start_test, ignore};
    struct study study = {0};
    struct err e = {0};
    double seconds;
    t->at = steps;
    if (t->is_simulated) {
        ok(comm_simulate(1, &actor, &(struct comm_world){.seed = 1}, &seconds, &e) == 0,
           "in the simulator");
    } else {
        ok(helper_start(&t->helper, 1, &e) == 0 && machine_slots(&study, 1, &t->slot, &e) == 0,
           "a helper");
        t->slot.channel = 1;
        ok(comm_threads(1, &actor, &e) == 0, "in events");
        helper_stop(t->helper);
        t->helper = NULL;
    }
    str_free(&t->printed[OUTSIDE_OUT]);
    str_free(&t->printed[OUTSIDE_ERR]);
}

/* ---- files ---- */

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info, (void)type, (void)place;
    return remove(path);
}

/* Enters a new folder; its path must be left by leave_folder(). */
static bool enter_folder(char *path, size_t size)
{
    return tap_folder(path, size) && chdir(path) == 0;
}

static void leave_folder(const char *path)
{
    if (chdir("/") == 0)
        nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void write_text(const char *path, const char *text, mode_t mode)
{
    FILE *file = fopen(path, "we");
    if (file) {
        fputs(text, file);
        fclose(file);
        chmod(path, mode);
    }
}

#endif
