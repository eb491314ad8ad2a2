/* command.c - the word of a command that is its script. */
#include "script/script.h"

#include <dirent.h>
#include <unistd.h>

/* ---- interpreters ---- */

/* Letters of options: those after which no script follows, and those with a value. */
struct interpreter {
    const char *name, *without_script, *with_value;
    bool has_more; /* it has further options with values */
};

static const struct interpreter interpreters[] = {
    {"python", "cm", "WX", false},   {"pypy", "cm", "WX", false}, {"Rscript", "e", "", false},
    {"perl", "eE", "I", false},      {"bash", "cs", "oO", false}, {"sh", "cs", "o", false},
    {"dash", "cs", "o", false},      {"ksh", "cs", "o", false},   {"zsh", "cs", "o", false},
    {"julia", "eE", "CHJLpt", true}, {"torchrun", "m", "", true}, {"accelerate", "m", "", true},
    {"deepspeed", "", "", true},
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The name may have a version behind it: python3.11. */
static const struct interpreter *find_interpreter(const char *word)
{
    const char *name = base_name(word);
    for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++) {
        size_t length = strlen(interpreters[i].name);
        if (strncmp(name, interpreters[i].name, length) == 0 &&
            strspn(name + length, "0123456789.") == strlen(name + length))
            return &interpreters[i];
    }
    return NULL;
}

enum follows { NO_SCRIPT, NEXT_WORD, VALUE };

/* What follows an option; letters may be joined, as in -uc or -Wignore. */
static enum follows after_option(const struct interpreter *interpreter, const char *word)
{
    static const char *const modules[] = {"-", "--module", "--no_python", "--no-python", NULL};
    for (size_t i = 0; modules[i]; i++)
        if (strcmp(word, modules[i]) == 0)
            return NO_SCRIPT;
    if (word[0] == '-' && word[1] == '-')
        return NEXT_WORD;
    for (const char *p = word + 1; *p; p++) {
        if (strchr(interpreter->without_script, *p))
            return NO_SCRIPT;
        if (strchr(interpreter->with_value, *p))
            return p[1] ? NEXT_WORD : VALUE;
    }
    return NEXT_WORD;
}

size_t script_after(const char *const *command, size_t from)
{
    const struct interpreter *interpreter = find_interpreter(command[from]);
    for (size_t i = from + 1; interpreter && command[i]; i++) {
        if (command[i][0] != '-' && command[i][0] != '+')
            return i;
        enum follows follows = after_option(interpreter, command[i]);
        if (follows == NO_SCRIPT || (follows == VALUE && !command[++i]))
            break;
    }
    return 0;
}

/* ---- the script ---- */

static bool is_script_name(const char *word)
{
    static const char *const endings[] = {".py", ".sh", ".R", ".r", ".jl", ".pl"};
    const char *ending = strrchr(word, '.');
    if (!ending || ending == word || word[0] == '-' || strpbrk(word, " \t\n{}*$=:"))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(ending, endings[i]) == 0)
            return true;
    return false;
}

const char *script_path(struct arena *arena, const char *folder, const char *name)
{
    return name[0] == '/' ? name : arena_printf(arena, "%s/%s", folder, name);
}

static bool exists(const char *folder, const char *name)
{
    struct arena arena = {0};
    bool found = access(script_path(&arena, folder, name), F_OK) == 0;
    arena_free(&arena);
    return found;
}

/*
 * The first word after the options. If some of those may be values, it is the first that exists or
 * has the name of a script: torchrun --nproc_per_node 2 train.py.
 */
static size_t script_behind(const char *const *command, const char *folder, size_t interpreter)
{
    size_t i = script_after(command, interpreter);
    while (i > 0 && find_interpreter(command[interpreter])->has_more && command[i] &&
           !is_script_name(command[i]) && !exists(folder, command[i]))
        i++;
    return i > 0 && command[i] && command[i][0] && !strpbrk(command[i], "{}") ? i : 0;
}

/* Programs that start another one in the same folder. */
static bool starts_another(const char *program)
{
    static const char *const names[] = {"env",     "ionice",  "mpiexec", "mpirun", "nice",
                                        "nohup",   "numactl", "setsid",  "srun",   "stdbuf",
                                        "taskset", "time",    "timeout"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(base_name(program), names[i]) == 0)
            return true;
    return false;
}

/* True for env -C DIR, srun --chdir=DIR, mpirun --wdir DIR and the like. */
static bool changes_folder(const char *option)
{
    return option[0] == '-' && (strstr(option, "dir") || strncmp(option, "-C", 2) == 0 ||
                                strncmp(option, "-D", 2) == 0 || strcmp(option, "-wd") == 0);
}

/* The interpreter that the command starts, possibly by way of others; SIZE_MAX: not known. */
static size_t interpreter_of(const char *const *command)
{
    if (find_interpreter(command[0]))
        return 0;
    for (size_t i = 1; starts_another(command[0]) && command[i] && !changes_folder(command[i]); i++)
        if (find_interpreter(command[i]))
            return i;
    return SIZE_MAX;
}

enum script_sight script_find(const char *const *command, const char *folder, size_t *index)
{
    size_t interpreter = interpreter_of(command);
    *index = 0;
    if (interpreter != SIZE_MAX)
        *index = script_behind(command, folder, interpreter);
    if (interpreter != SIZE_MAX)
        return *index ? SCRIPT_SURE : SCRIPT_NONE;
    for (size_t i = 1; command[i] && !starts_another(command[0]); i++)
        if (is_script_name(command[i]) && command[i][0] != '/') {
            *index = i;
            return SCRIPT_LIKELY;
        }
    return SCRIPT_NONE;
}

/* ---- the text of a shell ---- */

/* The word after -c, possibly joined with other letters; 0: there is none. */
static size_t shell_text(const char *const *command)
{
    size_t shell = interpreter_of(command);
    if (shell == SIZE_MAX || strcmp(find_interpreter(command[shell])->without_script, "cs") != 0)
        return 0;
    for (size_t i = shell + 1; command[i] && command[i][0] == '-'; i++)
        if (command[i][1] != '-' && strchr(command[i], 'c'))
            return command[i + 1] ? i + 1 : 0;
    return 0;
}

/* True for $1, ${1}, $# and the like; *all for $@ and $*. */
static bool uses_arguments(const char *text, bool *all)
{
    bool any = strstr(text, "WICK") || strstr(text, "shift") || strstr(text, "getopts");
    *all = false;
    for (const char *p = text; (p = strchr(p, '$')); p++) {
        char c = p[1] == '{' ? p[2] : p[1];
        *all = *all || c == '@' || c == '*';
        any = any || (c && strchr("@*#0123456789", c));
    }
    return any;
}

enum script_use script_shell_text(const char *const *command, size_t *index)
{
    bool all;
    *index = shell_text(command);
    if (*index == 0)
        return SCRIPT_USES;
    if (!uses_arguments(command[*index], &all))
        return SCRIPT_IGNORES;
    return all && !command[*index + 1] ? SCRIPT_SKIPS_ONE : SCRIPT_USES;
}

/* ---- a file that is not there ---- */

const char *script_nearest(struct arena *arena, const char *path)
{
    enum { MOST = 1000 };
    const char **names = arena_new(arena, MOST + 1, sizeof *names);
    const char *name = base_name(path);
    size_t count = 0, length = (size_t)(name - path);
    DIR *folder = opendir(length ? arena_copy(arena, path, length) : ".");
    struct dirent *entry;
    while (folder && count < MOST && (entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            names[count++] = arena_copy(arena, entry->d_name, strlen(entry->d_name));
    if (folder)
        closedir(folder);
    return str_nearest(name, names);
}
