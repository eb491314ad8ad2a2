/* study_folder.c - find the study folder that is meant, and load its journal. */
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Looks at the journal of a folder; false if there is none. */
static bool find_journal(const char *dir, struct stat *info)
{
    struct str path = {0};
    study_path(&path, dir, STUDY_JOURNAL);
    bool found = stat(path.text, info) == 0 && S_ISREG(info->st_mode);
    str_free(&path);
    return found;
}

/* True for a file, or anything else that cannot have a journal in it. */
static bool is_no_folder(const char *path)
{
    int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd < 0 && errno == ENOTDIR;
}

/* Where the system cannot tell, journal_load() will say why. */
bool cli_is_study(const char *dir)
{
    struct stat info;
    errno = 0;
    return find_journal(dir, &info) || (err_is_outage(errno) && !is_no_folder(dir));
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum { STUDIES_LISTED = 1000 };

/* Where the system cannot tell, journal_load() will say why here, too. */
static bool is_mine(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 ? info.st_uid == geteuid() : err_is_outage(errno);
}

/* In a folder like /tmp, which is root's, anybody can leave a journal. */
static bool is_my_study(const char *dir)
{
    struct str path = {0};
    bool mine = is_mine(dir) && is_mine(study_path(&path, dir, STUDY_JOURNAL));
    str_free(&path);
    return mine;
}

/*
 * The folders NAME.wick of the current folder that hold a study, sorted, ended by NULL. A study can
 * run any program, and in a folder like /tmp anybody can leave one: those of others must be named
 * by the user. *other is one of them, or NULL.
 */
static const char **studies_here(struct arena *arena, size_t *count, const char **other)
{
    const char **names = arena_new(arena, STUDIES_LISTED + 1, sizeof *names);
    DIR *here = opendir(".");
    struct dirent *entry;
    *count = 0;
    *other = NULL;
    while (here && *count < STUDIES_LISTED && (entry = readdir(here))) {
        size_t length = strlen(entry->d_name);
        if (length <= 5 || strcmp(entry->d_name + length - 5, ".wick") != 0 ||
            !cli_is_study(entry->d_name))
            continue;
        const char *name = arena_copy(arena, entry->d_name, length);
        if (is_my_study(name))
            names[(*count)++] = name;
        else
            *other = name;
    }
    if (here)
        closedir(here);
    qsort(names, *count, sizeof *names, compare_names);
    return names;
}

/* The study whose journal changed last. */
static const char *newest(const char **names, size_t count)
{
    const char *best = names[0];
    struct timespec time = {0};
    for (size_t i = 0; i < count; i++) {
        struct stat info;
        if (!find_journal(names[i], &info))
            continue;
        const struct timespec *changed = &info.st_mtim;
        if (changed->tv_sec > time.tv_sec ||
            (changed->tv_sec == time.tv_sec && changed->tv_nsec >= time.tv_nsec)) {
            best = names[i];
            time = *changed;
        }
    }
    return best;
}

static int several_here(const char **names, size_t count, struct err *e)
{
    enum { NAMED = 8 };
    struct str list = {0};
    for (size_t i = 0; i < count && i < NAMED; i++) {
        str_add(&list, i ? ", " : "");
        cli_add_safe(&list, names[i], strlen(names[i]));
    }
    err_set(e, ERR_USER, "there are %zu studies here: name the folder of one: %s%s", count,
            list.text, count > NAMED ? ", ..." : "");
    str_free(&list);
    return e->code;
}

/*
 * The study in the current folder; of several the newest, or an error if it must be the only one.
 */
static int find_here(char **dir, bool only, struct err *e)
{
    bool is_here = cli_is_study(".");
    if (is_here && is_my_study(".")) {
        *dir = memory_copy(".");
        return 0;
    }
    struct arena arena = {0};
    size_t count;
    const char *other, **names = studies_here(&arena, &count, &other);
    int code = 0;
    if (count == 1) {
        *dir = memory_copy(names[0]);
        fprintf(stderr, "wick: using %s\n", names[0]);
    } else if (count == 0 && (is_here || other)) {
        struct str safe = {0};
        other = is_here ? "." : other;
        cli_add_safe(&safe, other, strlen(other));
        code = err_set(e, ERR_USER,
                       "no study of yours here: name the folder of another user's, such as %s, if "
                       "you trust that user",
                       safe.text);
        str_free(&safe);
    } else if (count == 0) {
        code = err_set(e, ERR_USER,
                       "no study here: name a study folder, or start a study with `wick run`");
    } else if (only) {
        code = several_here(names, count, e);
    } else {
        *dir = memory_copy(newest(names, count));
        fprintf(stderr, "wick: using the newest of %zu studies: %s\n", count, *dir);
    }
    arena_free(&arena);
    return code;
}

/* True for a pipe, a folder and the like of that name. */
static bool has_other_journal(const char *dir)
{
    struct stat info = {0};
    return !find_journal(dir, &info) && info.st_mode != 0;
}

/* Says what is wrong with a folder that has no journal. */
static int not_a_study(const char *dir, struct err *e)
{
    struct stat info;
    struct arena arena = {0};
    size_t count;
    const char *other;
    if (stat(dir, &info) != 0) {
        const char *nearest = str_nearest(dir, studies_here(&arena, &count, &other));
        if (nearest)
            err_set(e, ERR_USER, "there is no folder '%s': did you mean '%s'?", dir, nearest);
        else
            err_set(e, ERR_USER, "there is no folder '%s'", dir);
    } else if (S_ISDIR(info.st_mode) && has_other_journal(dir)) {
        err_set(e, ERR_USER, "%s/journal is not a regular file", dir);
    } else if (S_ISDIR(info.st_mode)) {
        err_set(e, ERR_USER, "'%s' is not a study folder: it has no journal", dir);
    } else {
        err_set(e, ERR_USER, "'%s' is a file: name a study folder, as created by `wick run`", dir);
    }
    arena_free(&arena);
    return e->code;
}

int cli_find_folder(const char *given, char **dir, struct err *e)
{
    if (!given)
        return find_here(dir, false, e);
    *dir = memory_copy(given);
    for (size_t length = strlen(*dir); length > 1 && (*dir)[length - 1] == '/'; length--)
        (*dir)[length - 1] = 0; /* shell completion appends a slash to a folder */
    errno = 0;
    if (cli_is_study(*dir) || errno == EACCES) /* journal_load() reports what cannot be read */
        return 0;
    int code = not_a_study(*dir, e);
    free(*dir);
    *dir = NULL;
    return code;
}

static int load(char *dir, struct journal *journal, struct err *e)
{
    int code = journal_load(journal, dir, e);
    if (!code)
        cli_note_damage(journal);
    free(dir);
    return code;
}

int cli_load_journal(const char *given, struct journal *journal, struct err *e)
{
    char *dir = NULL;
    return cli_find_folder(given, &dir, e) ? e->code : load(dir, journal, e);
}

int cli_load_only_journal(const char *given, struct journal *journal, struct err *e)
{
    char *dir = NULL;
    if (given)
        return cli_load_journal(given, journal, e);
    return find_here(&dir, true, e) ? e->code : load(dir, journal, e);
}

/* ---- its secrets ---- */

const struct cli_option cli_secrets_options[] = {
    {.name = "secrets", .help = "show the values of `env:` in the study, too"},
    {0},
};

void cli_show_secrets(const struct cli_arguments *arguments, struct study *study)
{
    study->shows_secrets = cli_flag(arguments, "secrets");
}
