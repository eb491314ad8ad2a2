/*
 * container.c - the container of a study: which runtime, which program, and the command line.
 *
 *   container_open()      checks image, binds and runtimes; creates nothing
 *   container_prepare()   creates DIR/image and tries each runtime until one works
 *   container_adopt()     the same on other ranks, from what is written in DIR/image
 */
#include "container/inside.h"

#include "model/model.h"

#include <errno.h>
#include <pwd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const double PULL_SECONDS = 4 * 3600.0, OTHER_SECONDS = 10;

bool container_wanted(const struct study *study)
{
    const struct study_container *wish = &study->container;
    bool is_run = model_kind(&study->model)->starts_programs;
    return wish->image && is_run && !(wish->runtime && strcmp(wish->runtime, "none") == 0);
}

const char *container_runtime(const struct container *c)
{
    return c->runtime ? runtime_name(c->runtime) : "";
}

bool container_has_monitor(const struct container *c)
{
    return c->runtime->has_monitor;
}

char **container_command(const struct container *c, char *const *argv, const struct str *variables,
                         struct arena *arena)
{
    struct words words = {.arena = arena, .variables = variables};
    readonly_add(c, &words);
    words_add(&words, "%s", c->program);
    c->runtime->add(c, &words);
    for (; *argv; argv++)
        words_add(&words, "%s", *argv);
    return words_take(&words);
}

/* ---- which runtimes ---- */

/* Why a runtime cannot bind what must be visible; NULL: it can. */
static const char *bind_refusal(struct container *c, const struct runtime *runtime)
{
    const struct runtime *chosen = c->runtime;
    struct err e = {0};
    c->runtime = runtime;
    binds_settle(c, &e);
    c->runtime = chosen;
    return e.code ? arena_printf(&c->arena, "%s", e.message) : NULL;
}

const char *container_refusal(struct container *c, const struct runtime *runtime)
{
    char path[PATH_MAX];
    if (!container_find(runtime_name(runtime), path))
        return "is not installed";
    if (!runtime_takes(runtime, c->kind))
        return "cannot run this kind of image";
    if (model_kind(&c->study->model)->in_host && !runtime->keeps_hosts)
        return "starts a new container for every command, but a language host (python:, r:, warm) "
               "needs one that stays";
    if (c->wish->offline && !runtime->is_offline)
        return "cannot disable the network";
    if (c->wish->gpu && !runtime->has_gpus)
        return "cannot use GPUs";
    return bind_refusal(c, runtime);
}

/* The runtimes that may be tried, best first; ended by NULL. */
struct candidates {
    const struct runtime *all[16];
    size_t count;
    bool is_choice; /* there are several, and any of them will do */
};

static void list_candidates(const struct container *c, struct candidates *candidates)
{
    const char *wanted = c->wish->runtime, *preferred = getenv("WICK_RUNTIME");
    *candidates = (struct candidates){0};
    if (wanted && strcmp(wanted, "auto") != 0) {
        candidates->all[candidates->count++] = runtime_of(wanted);
        return;
    }
    candidates->is_choice = true;
    if (preferred && runtime_of(preferred))
        candidates->all[candidates->count++] = runtime_of(preferred);
    for (enum study_runtime i = 0; i < RUNTIMES; i++)
        if (!preferred || strcmp(study_runtime_name(i), preferred) != 0)
            candidates->all[candidates->count++] = runtime_at(i);
}

/* True if the runtime works with the image, or with the machine's own files if that is not here. */
static bool is_working(const struct container *c, const struct runtime *runtime)
{
    bool is_here =
        c->is_folder || c->kind == IMAGE_FOLDER || c->kind == IMAGE_SIF || c->kind == IMAGE_SQUASH;
    struct container_question question = {.runtime = runtime_name(runtime),
                                          .image = is_here ? c->root : "/",
                                          .study = c->study,
                                          .limit = OTHER_SECONDS};
    struct err e = {0};
    double seconds;
    return container_try(&question, &seconds, &e) == 0;
}

/*
 * A runtime that can do what is asked, in place of the one that was named; NULL: none is known. It
 * is tried, so that nobody is sent to a runtime that fails, and from there back to this one.
 */
static const char *other_runtime(struct container *c)
{
    for (enum study_runtime i = 0; i < RUNTIMES; i++)
        if (strcmp(study_runtime_name(i), c->wish->runtime) != 0 &&
            !container_refusal(c, runtime_at(i)) && is_working(c, runtime_at(i)))
            return study_runtime_name(i);
    return NULL;
}

/* Reports that the runtime that was named cannot be used. */
static int named_fails(struct container *c, const struct str *reasons, struct err *e)
{
    const char *other = other_runtime(c);
    if (other)
        return err_set(e, ERR_USER,
                       "cannot use the image %s: %s; %s works here: write `runtime: auto`",
                       c->wish->image, str_text(reasons), other);
    return err_set(e, ERR_USER, "cannot use the image %s: %s", c->wish->image, str_text(reasons));
}

static int none_left(struct container *c, const struct candidates *candidates,
                     const struct str *reasons, struct err *e)
{
    if (!candidates->is_choice)
        return named_fails(c, reasons, e);
    return err_set(e, ERR_USER,
                   "no runtime here can run the image %s (%s): %s. Ask for one of them to be "
                   "installed, or use an image that one of them can run; see also `wick doctor`",
                   c->wish->image, container_image_name(c->kind), str_text(reasons));
}

static void add_reason(struct str *reasons, const struct runtime *runtime, const char *reason)
{
    str_printf(reasons, "%s%s %s", reasons->length ? "; " : "", runtime_name(runtime), reason);
}

/* ERR_USER if there is no runtime to try. */
static int check_candidates(struct container *c, struct err *e)
{
    struct candidates candidates;
    struct str reasons = {0};
    bool any = false;
    list_candidates(c, &candidates);
    for (size_t i = 0; i < candidates.count && !any; i++) {
        const char *reason = container_refusal(c, candidates.all[i]);
        any = !reason;
        if (reason)
            add_reason(&reasons, candidates.all[i], reason);
    }
    if (!any)
        none_left(c, &candidates, &reasons, e);
    str_free(&reasons);
    return e->code;
}

/* ---- opening ---- */

static void find_tools(struct container *c)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    c->self = arena_copy(&c->arena, path, strlen(path));
    char *slash = strrchr(path, '/');
    if (slash && slash != path)
        c->tools = arena_copy(&c->arena, path, (size_t)(slash - path));
}

static void find_user(struct container *c)
{
    struct passwd *entry = getpwuid(geteuid());
    const char *name = entry ? entry->pw_name : getenv("USER");
    if (name)
        snprintf(c->user, sizeof c->user, "%s", name);
    else
        snprintf(c->user, sizeof c->user, "user%u", (unsigned)geteuid());
}

struct container *container_new(const struct study *study, const char *dir)
{
    struct container *c = memory_new(1, sizeof *c);
    c->study = study;
    c->wish = &study->container;
    c->dir = dir;
    struct str place = {0};
    study_path(&place, dir, STUDY_IMAGE);
    c->place = arena_copy(&c->arena, place.text, place.length);
    str_free(&place);
    c->root = c->wish->image;
    find_tools(c);
    find_user(c);
    environment_prepare(c);
    return c;
}

int container_open(struct container **container, const struct study *study, const char *dir,
                   struct err *e)
{
    struct container *c = container_new(study, dir);
    if (container_image_kind(c->wish->image, &c->kind, e) || binds_collect(c, e) ||
        check_candidates(c, e)) {
        container_close(c);
        return e->code;
    }
    *container = c;
    return 0;
}

void container_close(struct container *c)
{
    if (!c)
        return;
    binds_free(c);
    arena_free(&c->arena);
    free(c);
}

/* ---- files of the container ---- */

void container_use_root(struct container *c)
{
    bool is_unpacked = c->kind == IMAGE_OCI || c->kind == IMAGE_TAR;
    c->is_folder = is_unpacked || c->kind == IMAGE_FOLDER;
    if (is_unpacked)
        c->root = arena_printf(&c->arena, "%s/root", c->place);
    environment_read_own(c);
}

/* bubblewrap and proot provide no passwd and group, and the machine's may lack the user. */
static int write_names(const struct container *c, struct err *e)
{
    struct str text = {0}, path = {0};
    const char *home = getenv("HOME");
    str_printf(&path, "%s/passwd", c->place);
    if (geteuid() != 0)
        str_printf(&text, "%s:x:%u:%u::%s:/bin/sh\n", c->user, (unsigned)geteuid(),
                   (unsigned)getegid(), home ? home : "/");
    str_printf(&text, "root:x:0:0:root:%s:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n",
               geteuid() == 0 && home ? home : "/root");
    int failed = str_write_file(path.text, text.text, text.length, e);
    str_clear(&text);
    str_clear(&path);
    str_printf(&path, "%s/group", c->place);
    if (getegid() != 0)
        str_printf(&text, "%s:x:%u:\n", c->user, (unsigned)getegid());
    str_add(&text, "root:x:0:\nnogroup:x:65534:\n");
    if (!failed)
        failed = str_write_file(path.text, text.text, text.length, e);
    str_free(&text);
    str_free(&path);
    return failed;
}

static int make_place(struct container *c, struct err *e)
{
    if ((c->kind == IMAGE_OCI || c->kind == IMAGE_TAR) &&
        unpack_image(c->wish->image, c->kind, c->place, e))
        return e->code;
    int folder = study_make_folder(c->place, e);
    if (folder < 0)
        return e->code;
    close(folder);
    container_use_root(c);
    return readonly_make_place(c, e) ? e->code : write_names(c, e);
}

/* ---- images from a registry ---- */

static int run_for_image(const struct container *c, char *const *argv, struct err *e)
{
    struct str said = {0};
    int code = container_run_program(argv, NULL, PULL_SECONDS, &said);
    struct slice line = slice_last_line((struct slice){str_text(&said), said.length});
    if (code != 0)
        err_set(e, ERR_USER, "cannot fetch the image %s: %.*s", c->wish->image, (int)line.length,
                line.text);
    str_free(&said);
    return e->code;
}

/* Apptainer converts the image to a SIF once; otherwise each worker would do it. */
static int pull_sif(struct container *c, bool prepares, struct err *e)
{
    char *path = arena_printf(&c->arena, "%s/image.sif", c->place);
    char *made = arena_printf(&c->arena, "%s/new.sif", c->place);
    char *argv[] = {c->program, "pull", "--force", made, (char *)c->wish->image, NULL};
    c->root = path;
    if (!prepares || access(path, F_OK) == 0)
        return 0;
    unlink(made); /* a killed run's, or a link */
    if (run_for_image(c, argv, e))
        return e->code;
    return rename(made, path) != 0 ? err_system(e, "cannot rename %s", made) : 0;
}

/* udocker creates a new container for each command unless there is one with a name. */
static int create_udocker(struct container *c, bool prepares, struct err *e)
{
    char *image = arena_printf(&c->arena, "%s", strstr(c->wish->image, "://") + 3);
    char *name = arena_printf(&c->arena, "wick-%s", image);
    struct str ignored = {0};
    for (char *at = name; *at; at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", *at))
            *at = '-';
    char *look[] = {c->program, "inspect", "-p", name, NULL};
    char *pull[] = {c->program, "pull", image, NULL};
    char *option = arena_printf(&c->arena, "--name=%s", name);
    char *create[] = {c->program, "create", option, image, NULL};
    c->root = name;
    bool is_there = !prepares || container_run_program(look, NULL, CONTAINER_TRY, &ignored) == 0;
    str_free(&ignored);
    return is_there ? 0 : run_for_image(c, pull, e) || run_for_image(c, create, e) ? e->code : 0;
}

static int get_named(struct container *c, bool prepares, struct err *e)
{
    if (c->kind != IMAGE_NAME)
        return 0;
    if (c->runtime->passes == PASSES_MOST)
        return pull_sif(c, prepares, e);
    if (c->runtime->passes == PASSES_VALUES)
        return create_udocker(c, prepares, e);
    c->root = c->wish->image;
    return 0;
}

/* ---- trying a runtime ---- */

bool container_lacks_true(const struct str *said)
{
    return strstr(str_text(said), "true") &&
           (strstr(str_text(said), "No such file") || strstr(str_text(said), "not found"));
}

int container_run_inside(const struct container *c, char *const *argv, double limit,
                         struct str *said)
{
    struct arena arena = {0};
    struct str variables = {0};
    unsigned count = 0;
    char **words = container_command(c, argv, &variables, &arena);
    container_environment(c, &variables, &count);
    int code = container_run_program(words, environment_merge(&arena, &variables), limit, said);
    str_free(&variables);
    arena_free(&arena);
    return code;
}

/* Runs `true`; if that fails, *said is what the runtime printed. */
static int try_runtime(const struct container *c, double limit, struct str *said)
{
    char *argv[] = {"true", NULL};
    int code = container_run_inside(c, argv, limit, said);
    return code > 0 && container_lacks_true(said) ? 0 : code;
}

/*
 * The same, but twice if mount points were created in the image: on a network file system, a new
 * one may not be visible at once.
 */
static int try_patiently(const struct container *c, double limit, struct str *said)
{
    int code = try_runtime(c, limit, said);
    if (code <= 0 || !c->runtime->needs_points || !c->is_folder)
        return code;
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    str_clear(said);
    return try_runtime(c, limit, said);
}

/* Selects the runtime if it works; otherwise says why it does not. */
static int use_runtime(struct container *c, const struct runtime *runtime, bool prepares,
                       struct str *reasons, struct err *e)
{
    struct str said = {0};
    c->runtime = runtime;
    int failed = !container_find(runtime_name(runtime), c->program) ? ERR_USER : 0;
    if (failed)
        add_reason(reasons, runtime, "is not installed");
    else if (get_named(c, prepares, e) || binds_settle(c, e) ||
             (prepares && binds_make_points(c, e))) {
        add_reason(reasons, runtime, e->message);
        failed = e->code;
        *e = (struct err){0};
    } else if (prepares && try_patiently(c, CONTAINER_TRY, &said) != 0) {
        struct slice line = slice_last_line((struct slice){str_text(&said), said.length});
        str_printf(reasons, "%s%s does not work: %.*s", reasons->length ? "; " : "",
                   runtime_name(runtime), (int)(line.length < 200 ? line.length : 200), line.text);
        failed = ERR_USER;
    }
    str_free(&said);
    return failed;
}

static int choose(struct container *c, struct err *e)
{
    struct candidates candidates;
    struct str reasons = {0};
    list_candidates(c, &candidates);
    int failed = ERR_USER;
    for (size_t i = 0; i < candidates.count && failed; i++) {
        const char *reason = container_refusal(c, candidates.all[i]);
        if (reason)
            add_reason(&reasons, candidates.all[i], reason);
        else
            failed = use_runtime(c, candidates.all[i], true, &reasons, e);
    }
    if (failed)
        none_left(c, &candidates, &reasons, e);
    str_free(&reasons);
    return failed ? e->code : 0;
}

/* ---- what the study needs in the image ---- */

static bool is_on_path(const struct container *c, const char *name, const char *path)
{
    bool found = false;
    while (*path && !found) {
        size_t length = strcspn(path, ":");
        struct str whole = {0};
        str_printf(&whole, "%.*s/%s", (int)length, path, name);
        found = binds_has(c, whole.text) ||
                (binds_cover(c, whole.text) && access(whole.text, X_OK) == 0);
        str_free(&whole);
        path += length + (path[length] == ':');
    }
    return found;
}

static int check_inside(const struct container *c, struct err *e)
{
    const char *program = model_kind(&c->study->model)->program(&c->study->model),
               *workdir = c->wish->workdir;
    const char *path = container_variable(c, "PATH");
    if (!c->is_folder)
        return 0; /* only the runtime can see into the image */
    if (workdir && !binds_has(c, workdir) && !binds_cover(c, workdir))
        return err_set(e, ERR_USER,
                       "container.workdir: there is no folder %s in the image, and none is bound "
                       "there",
                       workdir);
    if (!program || strchr(program, '{'))
        return 0;
    if (program[0] == '/' && !binds_has(c, program) && !binds_cover(c, program))
        return err_set(e, ERR_USER,
                       "there is no program %s in the image, and its folder is not bound", program);
    if (!strchr(program, '/') && path && !is_on_path(c, program, path))
        return err_set(e, ERR_USER, "there is no program '%s' in the image; its PATH is %s",
                       program, path);
    return 0;
}

/* ---- preparing ---- */

static int write_choice(const struct container *c, struct err *e)
{
    struct str path = {0};
    str_printf(&path, "%s/runtime", c->place);
    int failed =
        str_write_file(path.text, runtime_name(c->runtime), strlen(runtime_name(c->runtime)), e);
    str_free(&path);
    return failed;
}

int container_prepare(struct container *c, struct err *e)
{
    if (make_place(c, e) || choose(c, e) || check_inside(c, e) || container_check_mpi(c, e))
        return e->code;
    return write_choice(c, e);
}

int container_adopt(struct container *c, struct err *e)
{
    struct str path = {0}, name = {0}, reasons = {0};
    str_printf(&path, "%s/runtime", c->place);
    int failed = str_read_file(&name, path.text, 64, e);
    const struct runtime *runtime = failed ? NULL : runtime_of(str_text(&name));
    if (!failed && !runtime)
        failed = err_set(e, ERR_USER, "%s does not name a runtime", path.text);
    container_use_root(c);
    if (runtime && use_runtime(c, runtime, false, &reasons, e))
        failed = err_set(e, ERR_USER, "cannot use the image %s on this node: %s", c->wish->image,
                         str_text(&reasons));
    str_free(&path);
    str_free(&name);
    str_free(&reasons);
    return failed;
}
