/* steer.c - the life of a steering program. */
#include "steer/protocol.h"

#include "base/installed.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>

static const double PATIENCE = 60;    /* seconds to end by itself after it said that it was done */
static const double LOG_INTERVAL = 2; /* seconds between looks at its log */

enum { SHOWN_LINES = 25, SHOWN_BYTES = 4000, FINAL_BYTES = 16 << 20 };

/* ---- what it wrote ---- */

static void write_file(const struct steer *s, enum study_file file, const struct str *text)
{
    struct str path = {0};
    struct err ignored = {0};
    study_path(&path, s->setup.dir, file);
    if (file == STUDY_ALGORITHM_LOG)
        (void)!str_write_inside(path.text, str_text(text), text->length, &ignored);
    else
        (void)!str_write_file(path.text, str_text(text), text->length, &ignored);
    str_free(&path);
}

/* Its log, and the traceback that it sent, if it did. */
static uint64_t add_output(const struct steer *s, struct str *text)
{
    uint64_t bytes = s->program ? program_log(s->program, text) : 0;
    if (s->last_words.length > 0 && text->length > 0 && text->text[text->length - 1] != '\n')
        str_add_char(text, '\n');
    str_add_bytes(text, str_text(&s->last_words), s->last_words.length);
    return bytes + s->last_words.length;
}

static void write_log(struct steer *s)
{
    struct str text = {0};
    uint64_t bytes = add_output(s, &text);
    if (bytes != s->log_bytes) {
        struct str path = {0};
        struct err ignored = {0};
        int folder = study_make_folder(study_path(&path, s->setup.dir, STUDY_LOGS), &ignored);
        if (folder >= 0) {
            close(folder);
            write_file(s, STUDY_ALGORITHM_LOG, &text);
        }
        str_free(&path);
        s->log_bytes = bytes;
    }
    str_free(&text);
}

static void look_at_log(void *argument)
{
    struct steer *s = argument;
    write_log(s);
    s->log_timer = comm_after(s->comm, LOG_INTERVAL, look_at_log, s);
}

/* The last lines of a text, limited in number and bytes. */
static const char *last_lines(const struct str *text)
{
    const char *begin = str_text(text), *at = begin + text->length;
    size_t lines = 0;
    while (at > begin && (size_t)(begin + text->length - at) < SHOWN_BYTES) {
        if (at[-1] == '\n' && at < begin + text->length && ++lines == SHOWN_LINES)
            break;
        at--;
    }
    return at;
}

void steer_keep_final(struct steer *s, struct slice text)
{
    if (s->final.length + text.length > FINAL_BYTES)
        return;
    str_add_bytes(&s->final, text.text, text.length);
    str_add_char(&s->final, '\n');
}

/* ---- when it goes wrong ---- */

struct steer_state steer_look(const struct steer *s)
{
    return s->setup.owner.state(s->setup.owner.self);
}

static void changed(const struct steer *s)
{
    s->setup.owner.changed(s->setup.owner.self);
}

void steer_fail(struct steer *s, const char *format, ...)
{
    char what[600];
    va_list arguments;
    if (steer_look(s).failed)
        return;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    struct str output = {0};
    add_output(s, &output);
    s->dismissed = true;
    if (s->running)
        program_stop(s->program);
    s->setup.owner.failed(s->setup.owner.self, s->name, what, last_lines(&output));
    str_free(&output);
}

static const char *why(const struct steer *s)
{
    return s->closed ? "after it said that it was done" : "before it said that it was done";
}

static void ended(void *self, const struct program_end *end)
{
    struct steer *s = self;
    struct str output = {0};
    s->running = false;
    comm_cancel(s->comm, s->patience);
    comm_cancel(s->comm, s->log_timer);
    add_output(s, &output);
    struct slice last = slice_last_line((struct slice){str_text(&output), output.length});
    int length = (int)(last.length < 300 ? last.length : 300);
    const char *separator = length > 0 ? ": " : "";
    if (s->dismissed)
        ; /* it was told to */
    else if (end->reason[0])
        steer_fail(s, "did not run: %s", end->reason);
    else if (end->signal)
        steer_fail(s, "was killed by signal %d (%s) %s%s%.*s", end->signal, strsignal(end->signal),
                   why(s), separator, length, last.text);
    else if (end->exit_code != 0)
        steer_fail(s, "ended with exit code %d %s%s%.*s", end->exit_code, why(s), separator, length,
                   last.text);
    else if (!s->closed)
        steer_fail(s, "ended %s: it must say %s", why(s), s->protocol->end_word);
    write_log(s);
    if (s->final.length > 0)
        write_file(s, STUDY_FINAL, &s->final);
    str_free(&output);
    changed(s);
}

static void said(void *self, const char *bytes, size_t length)
{
    struct steer *s = self;
    if (steer_look(s).failed)
        return;
    str_add_bytes(&s->input, bytes, length);
    s->protocol->said(s);
}

/* ---- its start ---- */

static bool is_folder(const char *path, const char *name)
{
    char whole[PATH_MAX];
    struct stat status;
    snprintf(whole, sizeof whole, "%s/%s", path, name);
    return stat(whole, &status) == 0 && S_ISDIR(status.st_mode);
}

/*
 * An EMEWS project has its modules in folders `R` and `python`, and they find other files from the
 * folder above. NULL: an R script that stands alone, which looks where it runs.
 */
static const char *project_root(const struct study *study, char root[PATH_MAX])
{
    const struct study_code *code = &study->steer.code;
    const char *file = code->language == LANGUAGE_NONE ? "" : code->file;
    snprintf(root, PATH_MAX, "%s%s%s", file[0] == '/' ? "" : study->model.folder,
             file[0] == '/' ? "" : "/", file);
    char *name = strrchr(root, '/');
    *name = '\0';
    char *folder = strrchr(root, '/');
    if (folder && (strcmp(folder, "/R") == 0 || strcmp(folder, "/python") == 0)) {
        *folder = '\0';
        return root;
    }
    bool is_alone = code->language == LANGUAGE_R && !is_folder(study->model.folder, "R");
    return is_alone ? NULL : study->model.folder;
}

/* The environment that such programs expect; what the user sets comes first. */
static size_t add_variables(const struct steer *s, struct study_variable *variables,
                            const char *root)
{
    const struct study_model *model = &s->study->model;
    const struct study_variable ours[] = {
        {"PYTHONUNBUFFERED", "1"},        /* otherwise the output of a killed script is lost */
        {"TURBINE_OUTPUT", s->setup.dir}, /* where EMEWS modules leave their files */
        {"EMEWS_PROJECT_ROOT", root},     /* and where they look for others */
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (ours[i].value && !study_variable_value(model, ours[i].name))
            variables[count++] = ours[i];
    for (size_t i = 0; i < model->environment_count; i++)
        variables[count++] = model->environment[i];
    return count;
}

/*
 * R cannot redirect its own output, so a shell does: the queues use descriptors 3 and 4, and what
 * the script prints is its log. The words are arguments, and none of them is evaluated.
 */
static const char REDIRECT[] = "exec \"$@\" 3<&0 4>&1 0</dev/null 1>&2";

static void start(struct steer *s)
{
    enum { VARIABLES = 1100 };
    const struct study *study = s->study;
    const struct study_code *code = &study->steer.code;
    bool is_python = code->language == LANGUAGE_PYTHON;
    char wrapper[PATH_MAX] = "", root[PATH_MAX];
    if (code->language != LANGUAGE_NONE &&
        !installed_find(is_python ? "python/wick_steer.py" : "r/steer.R", wrapper, NULL)) {
        steer_fail(s, "cannot run: %s is not installed with Wick",
                   is_python ? "python/wick_steer.py" : "r/steer.R");
        return;
    }
    const char *const python[] = {code->interpreter, wrapper, code->file, NULL};
    const char *const r[] = {"sh",    "-c",       REDIRECT, "sh", code->interpreter,
                             wrapper, code->file, NULL};
    struct study_variable *variables = memory_new(VARIABLES, sizeof *variables);
    struct program_plan plan = {.folder = study->model.folder,
                                .command = code->language == LANGUAGE_NONE ? study->steer.command
                                           : is_python                     ? python
                                                                           : r,
                                .variables = variables,
                                .variable_count =
                                    add_variables(s, variables, project_root(study, root)),
                                .grace = study->model.grace};
    struct program_observer observer = {s, said, ended};
    s->program = program_start(s->comm, s->setup.helper, s->setup.channel, &plan, &observer);
    s->running = true;
    s->log_timer = comm_after(s->comm, LOG_INTERVAL, look_at_log, s);
    free(variables);
}

struct steer *steer_create(const struct steer_setup *setup)
{
    struct steer *s = memory_new(1, sizeof *s);
    s->setup = *setup;
    s->study = setup->study;
    s->protocol = setup->study->steer.command ? &json_lines_protocol : &queues_protocol;
    s->name = memory_copy(study_steers(setup->study));
    return s;
}

void steer_begin(struct steer *s, struct comm *comm, uint64_t past)
{
    s->comm = comm;
    s->past = past;
    start(s);
    s->protocol->started(s);
}

void steer_free(struct steer *s)
{
    if (!s)
        return;
    if (s->protocol->free)
        s->protocol->free(s);
    program_free(s->program);
    recall_close(&s->recall);
    str_free(&s->input);
    str_free(&s->final);
    str_free(&s->last_words);
    free(s->offered);
    free(s->name);
    free(s);
}

/* ---- suggestions ---- */

uint64_t steer_left(const struct steer *s)
{
    uint64_t left = s->closed ? 0 : steer_look(s).left, offered = search_offered(s->setup.search);
    if (left == UINT64_MAX)
        return left;
    return left > offered ? left - offered : 0;
}

static unsigned put(const struct steer *s)
{
    return s->setup.owner.put(s->setup.owner.self);
}

void steer_offer(struct steer *s, const double *point, uint64_t suggestion)
{
    if (s->offered_next == s->offered_count)
        s->offered_next = s->offered_count = 0;
    s->offered =
        memory_grow(s->offered, &s->offered_capacity, s->offered_count + 1, sizeof *s->offered);
    s->offered[s->offered_count++] = suggestion;
    search_offer(s->setup.search, point);
}

uint64_t steer_assigned(struct steer *s)
{
    return s->offered[s->offered_next++];
}

/* While one is put, balance may say again how many are wanted. */
void steer_feed(struct steer *s)
{
    while (s->shortage > 0) {
        size_t before = s->shortage--;
        if (put(s) == 0) {
            s->shortage = before;
            return;
        }
    }
}

void steer_wanted(struct steer *s, size_t count)
{
    for (size_t ranks; count > 0 && (ranks = put(s)) > 0;)
        count -= ranks < count ? ranks : count;
    s->shortage = count;
    if (count > 0 && s->running && steer_look(s).going)
        s->protocol->wanted(s, count);
}

void steer_told(struct steer *s, const struct steer_trial *trial, const struct outcome *result)
{
    if (s->running && !s->dismissed)
        s->protocol->told(s, trial, result);
}

void steer_close(struct steer *s)
{
    s->closed = true;
    search_close(s->setup.search);
    put(s); /* so that the driver learns of it */
    changed(s);
}

/* ---- its end ---- */

static void out_of_patience(void *argument)
{
    struct steer *s = argument;
    s->patience = 0;
    s->dismissed = true;
    program_stop(s->program);
}

void steer_wait(struct steer *s)
{
    if (!s->patience)
        s->patience = comm_after(s->comm, PATIENCE, out_of_patience, s);
}

bool steer_finish(struct steer *s)
{
    if (s->running && !s->dismissed && (!steer_look(s).going || !s->protocol->is_needed(s)))
        s->protocol->dismiss(s);
    return !s->running;
}
