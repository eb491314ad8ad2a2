/* languages.c - how a program finds the trial library of its language, and `wick` in a shell. */
#include "trial/environment.h"
#include "trial/runner.h"

#include <unistd.h>

void languages_find(struct language_paths *paths)
{
    if (!installed_find(".", paths->library, NULL))
        paths->library[0] = 0;
    if (!installed_find("python", paths->python, NULL))
        paths->python[0] = 0;
    ssize_t length = readlink("/proc/self/exe", paths->program, sizeof paths->program - 1);
    paths->program[length > 0 ? length : 0] = 0;
    char *slash = strrchr(paths->program, '/');
    if (slash)
        *slash = 0;
}

/* A container does not have the machine's folders. */
static const char *users(const struct trial_runner *r, const char *name)
{
    const char *value = r->slot->container ? container_variable(r->slot->container, name)
                                           : study_variable_value(&r->study->model, name);
    return value ? value : "";
}

/* The user's folders come first, so that their files win over ours with the same name. */
static void add_behind(const struct trial_runner *r, const char *name, const char *folder,
                       struct str *s, unsigned *count)
{
    const char *before = users(r, name);
    str_printf(s, "%s=%s%s%s", name, before, before[0] && folder[0] ? ":" : "", folder);
    str_add_char(s, 0);
    (*count)++;
}

void languages_add(const struct trial_runner *r, struct str *s, unsigned *count)
{
    environment_add(s, count, "WICK_LIBRARY", r->languages.library);
    add_behind(r, "PYTHONPATH", r->languages.python, s, count);
    if (users(r, "PATH")[0]) /* without PATH the system uses its own default */
        add_behind(r, "PATH", r->languages.program, s, count);
}
