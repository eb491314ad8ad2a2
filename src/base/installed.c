/* installed.c - finds the files that are installed with the program. */
#include "base/installed.h"

#include "base/base.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Cuts a path down to its folder. */
static void cut_name(char path[PATH_MAX])
{
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = 0;
}

/* The folder of the program itself. */
static void own_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[length > 0 ? length : 0] = 0;
    cut_name(folder);
}

/* The folder of the shared library that contains this code, or of the program. */
static void library_folder(char folder[PATH_MAX])
{
    static const char here;
    Dl_info info;
    if (!dladdr(&here, &info) || !info.dli_fname || !realpath(info.dli_fname, folder))
        own_folder(folder);
    else
        cut_name(folder);
}

/* Looks in one folder, whose name may be a pattern. */
static bool look_in(const char *folder, const char *place, const char *name, char path[PATH_MAX],
                    struct str *sought)
{
    struct str pattern = {0};
    glob_t matches = {0};
    if (sought)
        str_printf(sought, "%s%s%s", sought->length ? ", " : "", folder, place);
    str_printf(&pattern, "%s%s/%s", folder, place, name);
    int failed = glob(pattern.text, 0, NULL, &matches);
    if (failed == GLOB_NOSPACE)
        memory_out();
    bool found = failed == 0 && snprintf(path, PATH_MAX, "%s", matches.gl_pathv[0]) < PATH_MAX;
    char *real = found ? realpath(path, NULL) : NULL;
    if (real)
        snprintf(path, PATH_MAX, "%s", real);
    free(real);
    globfree(&matches);
    str_free(&pattern);
    return found;
}

bool installed_find(const char *name, char path[PATH_MAX], struct str *sought)
{
    static const char *const by_program[] = {"/../lib/wick", "/../lib/*/wick", "/lib/wick",
                                             "/../share/wick"};
    static const char *const by_library[] = {"/wick", "/lib/wick"};
    /* For a program with the static library, which may be anywhere; the last is Debian's. */
    static const char *const usual[] = {INSTALLED_FOLDER, "/usr/lib/wick"};
    char program[PATH_MAX], library[PATH_MAX];
    bool found = false;
    own_folder(program);
    library_folder(library);
    for (size_t i = 0; i < sizeof by_program / sizeof *by_program && !found; i++)
        found = look_in(program, by_program[i], name, path, sought);
    bool elsewhere = strcmp(program, library) != 0;
    for (size_t i = 0; i < sizeof by_library / sizeof *by_library && !found && elsewhere; i++)
        found = look_in(library, by_library[i], name, path, sought);
    for (size_t i = 0; i < sizeof usual / sizeof *usual && !found; i++)
        found = look_in(usual[i], "", name, path, sought);
    return found;
}
