/*
 * runtimes.c - the runtimes: for each a row, and a function that knows its options.
 *
 * The order is that of `auto`: first what an administrator has set up for the purpose, then what
 * starts fastest. Paths that a runtime would split at a comma or a colon have been refused earlier.
 * No option carries a hyperparameter: those are in the environment and after the image's name.
 */
#include "container/inside.h"

#include <unistd.h>

void words_add(struct words *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *made = arena_new(words->arena, (size_t)length + 1, 1);
    va_start(arguments, format);
    vsnprintf(made, (size_t)length + 1, format, arguments);
    va_end(arguments);
    words->all = memory_grow(words->all, &words->capacity, words->count + 1, sizeof *words->all);
    words->all[words->count++] = made;
}

char **words_take(struct words *words)
{
    char **all = arena_new(words->arena, words->count + 1, sizeof *all);
    if (words->count > 0)
        memcpy(all, words->all, words->count * sizeof *all);
    free(words->all);
    *words = (struct words){.arena = words->arena};
    return all;
}

static const char *begins_in(const struct container *c)
{
    return c->wish->workdir ? c->wish->workdir : c->study->model.folder;
}

static void add_options(const struct container *c, struct words *w)
{
    for (size_t i = 0; c->wish->options && c->wish->options[i]; i++)
        words_add(w, "%s", c->wish->options[i]);
}

/* ---- apptainer, singularity ---- */

/* Apptainer binds /dev, /proc, /sys, /tmp and the home folder, unless a site has disabled that. */
static void add_apptainer(const struct container *c, struct words *w)
{
    words_add(w, "exec");
    for (size_t i = 0; i < c->binds.count; i++) {
        words_add(w, "--bind");
        words_add(w, "%s:%s%s", c->binds.all[i].source, c->binds.all[i].target,
                  c->binds.all[i].read_only ? ":ro" : "");
    }
    if (c->wish->gpu)
        words_add(w, access("/dev/kfd", F_OK) == 0 ? "--rocm" : "--nv");
    if (c->wish->offline) {
        words_add(w, "--net");
        words_add(w, "--network");
        words_add(w, "none");
    }
    words_add(w, "--pwd");
    words_add(w, "%s", begins_in(c));
    add_options(c, w);
    words_add(w, "%s", c->root);
}

/* ---- charliecloud ---- */

/*
 * Charliecloud provides /dev, /proc, /sys, /tmp, /etc/hosts, resolv.conf and its own passwd. But
 * what it binds as /tmp is TMPDIR, which many clusters set for each job.
 */
static void add_charliecloud(const struct container *c, struct words *w)
{
    if (getenv("TMPDIR"))
        words_add(w, "--bind=/tmp:/tmp");
    for (size_t i = 0; i < c->binds.count; i++)
        words_add(w, "--bind=%s:%s", c->binds.all[i].source, c->binds.all[i].target);
    words_add(w, "--cd=%s", begins_in(c));
    /* Otherwise it would set HOME itself. */
    if (getenv("HOME") && !c->wish->clean) {
        words_add(w, "--env-no-expand");
        words_add(w, "--set-env=HOME=%s", getenv("HOME"));
    }
    add_options(c, w);
    words_add(w, "%s", c->root);
    words_add(w, "--");
}

/* ---- bubblewrap ---- */

static void add_three(struct words *w, const char *option, const char *source, const char *target)
{
    words_add(w, "%s", option);
    words_add(w, "%s", source);
    words_add(w, "%s", target);
}

/*
 * The machine's /proc is bound: the kernel refuses to mount a new one if parts of the old one are
 * covered, as in a container. Processes keep their numbers, so the old one is right.
 */
static void add_bubblewrap(const struct container *c, struct words *w)
{
    words_add(w, "--die-with-parent");
    if (geteuid() == 0) { /* root could make read-only binds writable again */
        words_add(w, "--cap-drop");
        words_add(w, "CAP_SYS_ADMIN");
    }
    add_three(w, "--ro-bind", c->root, "/");
    add_three(w, "--dev-bind", "/dev", "/dev");
    add_three(w, "--dev-bind", "/proc", "/proc");
    add_three(w, "--ro-bind", "/sys", "/sys");
    for (size_t i = 0; i < c->binds.count; i++)
        add_three(w, c->binds.all[i].read_only ? "--ro-bind" : "--bind", c->binds.all[i].source,
                  c->binds.all[i].target);
    if (c->wish->offline)
        words_add(w, "--unshare-net");
    words_add(w, "--chdir");
    words_add(w, "%s", begins_in(c));
    add_options(c, w);
    words_add(w, "--");
}

/* ---- podman ---- */

static void add_variable(struct words *w, const char *name, bool with_value)
{
    if (with_value)
        words_add(w, "--env=%s=%s", name, getenv(name));
    else
        words_add(w, "--env=%s", name);
}

/*
 * Passes variables by name, and podman takes the values from its own environment; a delicate
 * variable cannot be in that, so it is passed with its value.
 */
static void add_variables(const struct container *c, struct words *w, bool with_values)
{
    for (size_t i = 0; c->passed[i]; i++)
        if (!environment_find(w->variables, c->passed[i]))
            add_variable(w, c->passed[i], with_values);
    for (size_t i = 0; c->own && c->own[i]; i++)
        words_add(w, "--env=%s", c->own[i]);
    for (const char *at = w->variables ? w->variables->text : NULL;
         at && at < w->variables->text + w->variables->length; at += strlen(at) + 1) {
        char *name = arena_copy(w->arena, at, strcspn(at, "="));
        words_add(w, "--env=%s", with_values || environment_is_delicate(name) ? at : name);
    }
}

static void add_podman(const struct container *c, struct words *w)
{
    static const char *const always[] = {"run",
                                         "--rm",
                                         "--pid=host",
                                         "--read-only",
                                         "--log-driver=none",
                                         "--entrypoint=",
                                         "--security-opt=label=disable"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        words_add(w, "%s", always[i]);
    if (geteuid() != 0) /* an error for root */
        words_add(w, "--userns=keep-id");
    /* Ranks share memory. Some machines lack what --ipc=host binds. */
    words_add(w, access("/dev/mqueue", F_OK) == 0 ? "--ipc=host" : "--volume=/dev/shm:/dev/shm");
    words_add(w, "--network=%s", c->wish->offline ? "none" : "host");
    for (size_t i = 0; i < c->binds.count; i++)
        words_add(w, "--volume=%s:%s%s", c->binds.all[i].source, c->binds.all[i].target,
                  c->binds.all[i].read_only ? ":ro" : "");
    add_variables(c, w, false);
    if (c->wish->gpu && access("/dev/kfd", F_OK) == 0) {
        words_add(w, "--device=/dev/kfd");
        words_add(w, "--device=/dev/dri");
    } else if (c->wish->gpu) {
        words_add(w, "--device=nvidia.com/gpu=all");
    }
    words_add(w, "--workdir=%s", begins_in(c));
    add_options(c, w);
    if (c->kind != IMAGE_NAME)
        words_add(w, "--rootfs");
    words_add(w, "%s", c->root);
}

/* ---- udocker ---- */

static void add_udocker(const struct container *c, struct words *w)
{
    words_add(w, "--quiet");
    words_add(w, "run");
    words_add(w, "--nobanner");
    words_add(w, "--hostauth");
    words_add(w, "--user=%s", c->user);
    for (size_t i = 0; i < c->binds.count; i++)
        words_add(w, "--volume=%s:%s", c->binds.all[i].source, c->binds.all[i].target);
    add_variables(c, w, true);
    words_add(w, "--workdir=%s", begins_in(c));
    words_add(w, "--entrypoint=");
    add_options(c, w);
    words_add(w, "%s", c->root);
}

/* ---- proot ---- */

static void add_proot(const struct container *c, struct words *w)
{
    static const char *const always[] = {"/dev", "/proc", "/sys"};
    words_add(w, "-r");
    words_add(w, "%s", c->root);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        words_add(w, "-b");
        words_add(w, "%s", always[i]);
    }
    for (size_t i = 0; i < c->binds.count; i++) {
        words_add(w, "-b");
        words_add(w, "%s:%s", c->binds.all[i].source, c->binds.all[i].target);
    }
    words_add(w, "-w");
    words_add(w, "%s", begins_in(c));
    add_options(c, w);
}

/* ---- the table ---- */

enum {
    FOLDER = 1 << IMAGE_FOLDER,
    SIF = 1 << IMAGE_SIF,
    SQUASH = 1 << IMAGE_SQUASH,
    NAME = 1 << IMAGE_NAME,
    TMP = 1 << BIND_TMP,
    HOME = 1 << BIND_HOME,
    ETC = 1 << BIND_ETC
};

/* Apptainer is the later name of Singularity. */
#define LIKE_APPTAINER                                                                             \
    .images = FOLDER | SIF | SQUASH | NAME, .brings = TMP | HOME | ETC, .passes = PASSES_MOST,     \
    .keeps_hosts = true, .is_offline = true, .has_gpus = true, .has_read_only = true,              \
    .separators = ":,", .add = add_apptainer

static const struct runtime runtimes[RUNTIMES] = {
    [RUNTIME_APPTAINER] = {.program = "apptainer", LIKE_APPTAINER},
    [RUNTIME_SINGULARITY] = {.program = "singularity", LIKE_APPTAINER},
    [RUNTIME_CHARLIECLOUD] = {.program = "ch-run",
                              .images = FOLDER | SQUASH,
                              .brings = TMP | ETC,
                              .passes = PASSES_ALL,
                              .keeps_hosts = true,
                              .has_gpus = true,
                              .needs_points = true,
                              .separators = ":",
                              .add = add_charliecloud},
    [RUNTIME_BUBBLEWRAP] = {.program = "bwrap",
                            .images = FOLDER,
                            .passes = PASSES_ALL,
                            .keeps_hosts = true,
                            .has_monitor = true,
                            .is_offline = true,
                            .has_gpus = true,
                            .has_read_only = true,
                            .needs_points = true,
                            .separators = "",
                            .add = add_bubblewrap},
    [RUNTIME_PODMAN] = {.program = "podman",
                        .images = FOLDER | NAME,
                        .brings = ETC,
                        .passes = PASSES_NAMED,
                        .is_offline = true,
                        .has_gpus = true,
                        .has_read_only = true,
                        .separators = ":",
                        .add = add_podman},
    [RUNTIME_PROOT] = {.program = "proot",
                       .images = FOLDER,
                       .passes = PASSES_ALL,
                       .keeps_hosts = true,
                       .has_monitor = true,
                       .has_gpus = true,
                       .separators = ":",
                       .add = add_proot},
    [RUNTIME_UDOCKER] = {.program = "udocker",
                         .images = NAME,
                         .brings = ETC,
                         .passes = PASSES_VALUES,
                         .has_monitor = true,
                         .separators = ":",
                         .add = add_udocker},
};

const char *runtime_name(const struct runtime *runtime)
{
    return study_runtime_name((enum study_runtime)(runtime - runtimes));
}

const struct runtime *runtime_of(const char *name)
{
    for (size_t i = 0; i < RUNTIMES; i++)
        if (strcmp(runtime_name(&runtimes[i]), name) == 0)
            return &runtimes[i];
    return NULL;
}

/* Layouts and tarballs are unpacked into a folder. */
bool runtime_takes(const struct runtime *runtime, enum container_image kind)
{
    if (kind == IMAGE_OCI || kind == IMAGE_TAR)
        kind = IMAGE_FOLDER;
    return runtime->images & 1U << kind;
}

const struct runtime *runtime_at(enum study_runtime runtime)
{
    return &runtimes[runtime];
}

bool container_find(const char *name, char path[PATH_MAX])
{
    const struct runtime *runtime = runtime_of(name);
    return runtime && command_find(runtime->program, path);
}

bool container_keeps_hosts(const char *name)
{
    const struct runtime *runtime = runtime_of(name);
    return runtime && runtime->keeps_hosts;
}
