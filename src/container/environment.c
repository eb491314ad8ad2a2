/*
 * environment.c - decides which variables a program in an image gets.
 *
 * By default it gets those of Wick, as without an image, except those that point to software of the
 * machine, which break programs in images. With `inherit: false` it gets only the few that name the
 * user and the locale. What the image sets overrides what is inherited, and what the study and Wick
 * set overrides both.
 */
#include "container/inside.h"

#include <sys/stat.h>
#include <unistd.h>

/* Names; NAME* stands for all names with this prefix. */
static const char *const of_host[] = {
    "LD_*",       "DYLD_*",          "GCONV_PATH",      "LOCPATH",       "PYTHONHOME",
    "PYTHONPATH", "PYTHONUSERBASE",  "CONDA_*",         "_CE_*",         "_CONDA_*",
    "MAMBA_*",    "VIRTUAL_ENV*",    "PYENV_*",         "SPACK_*",       "R_HOME",
    "R_LIBS*",    "R_PROFILE*",      "R_ENVIRON*",      "R_*_DIR",       "PERL5LIB",
    "PERL_*",     "PERLLIB",         "RUBYLIB",         "GEM_*",         "NODE_PATH",
    "JAVA_HOME",  "CLASSPATH",       "JULIA_*",         "TCLLIBPATH",    "TCL_LIBRARY",
    "CPATH",      "C_INCLUDE_PATH",  "CPLUS_INCLUDE_*", "LIBRARY_PATH",  "PKG_CONFIG_*",
    "CMAKE_*",    "MANPATH",         "INFOPATH",        "XDG_DATA_DIRS", "XDG_CONFIG_DIRS",
    "CUDA_HOME",  "CUDA_PATH",       "ROCM_PATH",       "MPI_HOME",      "OPAL_PREFIX",
    "MKLROOT",    "LOADEDMODULES",   "_LMFILES_*",      "MODULE*",       "LMOD_*",
    "__LMOD_*",   "_ModuleTable*",   "BASH_ENV",        "BASH_FUNC_*",   "ENV",
    "SSL_CERT_*", "GI_TYPELIB_PATH", "QT_PLUGIN_PATH",  "GDAL_DATA",     "PROJ_LIB",
};

/* Kept with `inherit: false`: user, folders, locale, and the settings of the runtimes. */
static const char *const always[] = {
    "HOME",
    "USER",
    "LOGNAME",
    "PATH",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    "TERM",
    "TMPDIR",
    "APPTAINER_*",
    "APPTAINERENV_*",
    "SINGULARITY_*",
    "SINGULARITYENV_*",
    "PODMAN_*",
    "CONTAINERS_*",
    "UDOCKER_*",
    "PROOT_*",
    "XDG_RUNTIME_DIR",
    "OMP_NUM_THREADS",
};

/* These concern the machine or the runtime, and are not passed by podman and udocker. */
static const char *const not_named[] = {
    "PATH",   "PWD",      "OLDPWD",   "SHLVL",        "_",         "SHELL",  "XDG_*",
    "DBUS_*", "HOSTNAME", "PODMAN_*", "CONTAINERS_*", "UDOCKER_*", "PROOT_*"};

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(list[i], "*");
        if (list[i][length] ? strncmp(name, list[i], length) == 0 : strcmp(name, list[i]) == 0)
            return true;
    }
    return false;
}

#define IS_ONE_OF(name, list) is_one_of(name, list, sizeof(list) / sizeof *(list))

bool environment_is_delicate(const char *name)
{
    return strcmp(name, "PATH") == 0 || strncmp(name, "LD_", 3) == 0;
}

void environment_prepare(struct container *c)
{
    size_t count = 0, hidden = 0, passed = 0;
    while (environ[count])
        count++;
    c->hidden = arena_new(&c->arena, count + 1, sizeof *c->hidden);
    c->passed = arena_new(&c->arena, count + 1, sizeof *c->passed);
    for (size_t i = 0; i < count; i++) {
        char *name = arena_copy(&c->arena, environ[i], strcspn(environ[i], "="));
        if (IS_ONE_OF(name, of_host) || (c->wish->clean && !IS_ONE_OF(name, always)))
            c->hidden[hidden++] = name;
        else if (!IS_ONE_OF(name, not_named))
            c->passed[passed++] = name;
    }
}

/* ---- variables of the image ---- */

static void read_lines(struct container *c, char *text)
{
    size_t lines = 1, count = 0;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    c->own = arena_new(&c->arena, lines + 1, sizeof *c->own);
    for (char *at = text; *at;) {
        size_t length = strcspn(at, "\n");
        char *line = arena_copy(&c->arena, at, length);
        if (strchr(line, '=') && line[0] != '=' && line[0] != '#')
            c->own[count++] = line;
        at += length + (at[length] == '\n');
    }
}

/* Images of Charliecloud also have their variables in a file. */
void environment_read_own(struct container *c)
{
    const char *const paths[] = {
        arena_printf(&c->arena, "%s/environment", c->place),
        c->is_folder ? arena_printf(&c->arena, "%s/ch/environment", c->root) : NULL};
    bool is_unpacked = c->kind == IMAGE_OCI || c->kind == IMAGE_TAR;
    for (size_t i = is_unpacked ? 0 : 1; i < 2 && !c->own && paths[i]; i++) {
        struct str text = {0};
        struct err ignored = {0};
        struct stat info; /* a hostile image may have a pipe there, which would block us */
        if (lstat(paths[i], &info) == 0 && S_ISREG(info.st_mode) &&
            !str_read_file(&text, paths[i], 1 << 20, &ignored) && text.length > 0)
            read_lines(c, text.text);
        str_free(&text);
    }
}

static const char *value_of(const char *variable, const char *name)
{
    size_t length = strlen(name);
    return strncmp(variable, name, length) == 0 && variable[length] == '=' ? variable + length + 1
                                                                           : NULL;
}

static const char *own_value(const struct container *c, const char *name)
{
    const char *value = NULL;
    for (size_t i = 0; c->own && c->own[i] && !value; i++)
        value = value_of(c->own[i], name);
    return value;
}

static const char *study_value(const struct study_variable *variables, size_t count,
                               const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(variables[i].name, name) == 0)
            return variables[i].value;
    return NULL;
}

const char *container_variable(const struct container *c, const char *name)
{
    static const char usual[] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    const struct study_model *model = &c->study->model;
    const char *value = study_value(c->wish->environment, c->wish->environment_count, name);
    if (!value)
        value = study_value(model->environment, model->environment_count, name);
    if (!value)
        value = own_value(c, name);
    if (!value && c->is_folder && c->runtime->passes != PASSES_MOST && strcmp(name, "PATH") == 0)
        value = usual;
    return value;
}

/* ---- the variables of a command ---- */

const char *environment_find(const struct str *variables, const char *name)
{
    const char *value = NULL;
    if (!variables || variables->length == 0)
        return NULL;
    for (const char *at = variables->text; at < variables->text + variables->length && !value;
         at += strlen(at) + 1)
        value = value_of(at, name);
    return value;
}

static void add(struct str *variables, unsigned *count, const char *text)
{
    str_add_bytes(variables, text, strlen(text) + 1);
    (*count)++;
}

static void add_unless_there(struct str *variables, unsigned *count, const char *name,
                             const char *value)
{
    struct str text = {0};
    str_printf(&text, "%s=%s", name, value);
    if (!environment_find(variables, name))
        add(variables, count, text.text);
    str_free(&text);
}

/* Sets a variable inside, whatever the image says, for both Apptainer and Singularity. */
static void add_told(struct str *variables, unsigned *count, const char *variable)
{
    static const char *const prefixes[] = {"APPTAINERENV_", "SINGULARITYENV_"};
    struct str text = {0};
    for (size_t i = 0; i < 2; i++) {
        str_clear(&text);
        str_printf(&text, "%s%s", prefixes[i], variable);
        add(variables, count, text.text);
    }
    str_free(&text);
}

/*
 * Apptainer passes its environment on, except PATH and the like, and except what the image sets.
 * Such a value is passed in a variable with a prefix. Apptainer would evaluate that in a shell, so
 * evaluation is turned off.
 */
static void rename_delicate(const struct container *c, struct str *variables, unsigned *count)
{
    struct str old = *variables, text = {0};
    *variables = (struct str){0};
    *count = 0;
    for (const char *at = str_text(&old); at < str_text(&old) + old.length; at += strlen(at) + 1) {
        str_clear(&text);
        str_add_bytes(&text, at, strcspn(at, "="));
        bool is_delicate = environment_is_delicate(text.text);
        if (is_delicate || strcmp(text.text, "PYTHONPATH") == 0)
            add_told(variables, count, at);
        if (!is_delicate)
            add(variables, count, at);
    }
    if (!environment_find(&old, "PATH") && c->tools) {
        str_clear(&text);
        str_printf(&text, "APPEND_PATH=%s", c->tools);
        add_told(variables, count, text.text);
    }
    add(variables, count, "APPTAINER_NO_EVAL=1");
    add(variables, count, "SINGULARITY_NO_EVAL=1");
    str_free(&old);
    str_free(&text);
}

static void drop_delicate(struct str *variables, unsigned *count)
{
    struct str old = *variables;
    *variables = (struct str){0};
    *count = 0;
    for (const char *at = str_text(&old); at < str_text(&old) + old.length; at += strlen(at) + 1)
        if (strncmp(at, "PATH=", 5) != 0 && strncmp(at, "LD_", 3) != 0)
            add(variables, count, at);
    str_free(&old);
}

static void add_own(const struct container *c, struct str *variables, unsigned *count)
{
    for (size_t i = 0; c->own && c->own[i]; i++) {
        char *name = memory_copy(c->own[i]);
        name[strcspn(name, "=")] = 0;
        add_unless_there(variables, count, name, strchr(c->own[i], '=') + 1);
        free(name);
    }
    const char *path = container_variable(c, "PATH");
    if (path)
        add_unless_there(variables, count, "PATH", path);
}

void container_environment(const struct container *c, struct str *variables, unsigned *count)
{
    add_unless_there(variables, count, "PYTHONNOUSERSITE",
                     "1"); /* packages in HOME are the machine's */
    if (!getenv("USER"))
        add_unless_there(variables, count, "USER", c->user); /* ch-run needs it */
    if (c->runtime->passes == PASSES_ALL)
        add_own(c, variables, count);
    else if (c->runtime->passes == PASSES_MOST)
        rename_delicate(c, variables, count);
    else
        drop_delicate(variables, count);
    bool hides = c->runtime->passes == PASSES_ALL || c->runtime->passes == PASSES_MOST;
    for (size_t i = 0; hides && c->hidden[i]; i++)
        if (!environment_find(variables, c->hidden[i]))
            add(variables, count, c->hidden[i]);
}

char **environment_merge(struct arena *arena, const struct str *variables)
{
    size_t own = 0, used = 0, count = 0;
    const char *end = str_text(variables) + variables->length;
    while (environ[own])
        own++;
    for (const char *at = str_text(variables); at < end; at += strlen(at) + 1)
        count++;
    char **merged = arena_new(arena, own + count + 1, sizeof *merged);
    for (size_t i = 0; i < own; i++) {
        size_t length = strcspn(environ[i], "=");
        bool replaced = false;
        for (const char *at = str_text(variables); at < end && !replaced; at += strlen(at) + 1)
            replaced = strcspn(at, "=") == length && strncmp(at, environ[i], length) == 0;
        if (!replaced)
            merged[used++] = environ[i];
    }
    for (const char *at = str_text(variables); at < end; at += strlen(at) + 1)
        if (strchr(at, '='))
            merged[used++] = arena_copy(arena, at, strlen(at));
    return merged;
}
