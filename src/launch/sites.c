/*
 * sites.c - finds the site: files NAME.yaml in folders of sites.
 *
 * The folders of WICK_SITES come first, then the user's, then those of the machine and of the
 * installation; a site hides later ones of the same name.
 */
#include "launch/schedulers.h"

#include <ctype.h>
#include <dirent.h>
#include <fnmatch.h>
#include <unistd.h>

enum { FOLDERS = 32, NAMES = 1000 };

/* ---- the folders ---- */

struct folders {
    const char *paths[FOLDERS + 1];
    size_t count;
    struct arena arena;
};

static void add_folder(struct folders *folders, const char *path, size_t length)
{
    if (length > 0 && folders->count < FOLDERS)
        folders->paths[folders->count++] = arena_copy(&folders->arena, path, length);
}

static void add_user_folder(struct folders *folders)
{
    const char *settings = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    struct str path = {0};
    if (settings && settings[0] == '/')
        str_printf(&path, "%s/wick/sites", settings);
    else if (home && *home)
        str_printf(&path, "%s/.config/wick/sites", home);
    add_folder(folders, str_text(&path), path.length);
    str_free(&path);
}

static void find_folders(struct folders *folders)
{
    char installed[PATH_MAX];
    *folders = (struct folders){0};
    for (const char *at = getenv("WICK_SITES"); at && *at;) {
        size_t length = strcspn(at, ":");
        add_folder(folders, at, length);
        at += length + (at[length] == ':');
    }
    add_user_folder(folders);
    add_folder(folders, "/etc/wick/sites", strlen("/etc/wick/sites"));
    if (installed_find("sites", installed, NULL))
        add_folder(folders, installed, strlen(installed));
}

/* ---- the files in them ---- */

/* The names of all sites and their files, in order of precedence; ended by NULL. */
struct files {
    const char *names[NAMES + 1], *paths[NAMES + 1];
    size_t count;
};

static bool is_known(const struct files *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->names[i], name) == 0)
            return true;
    return false;
}

/* The NAME of a file NAME.yaml, if it is a plain word; NULL: it is another file. */
static const char *name_of(const char *file, struct arena *arena)
{
    size_t length = strlen(file);
    if (length <= 5 || strcmp(file + length - 5, ".yaml") != 0 || !isalnum((unsigned char)file[0]))
        return NULL;
    return arena_copy(arena, file, length - 5);
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void list_folder(struct folders *folders, const char *folder, struct files *files)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, compare_names);
    for (int i = 0; i < count; i++) {
        const char *name = name_of(entries[i]->d_name, &folders->arena);
        if (name && files->count < NAMES && !is_known(files, name)) {
            files->names[files->count] = name;
            files->paths[files->count++] =
                arena_printf(&folders->arena, "%s/%s.yaml", folder, name);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* ---- the site that applies ---- */

static int load(struct study_site *site, const char *path, struct err_list *mistakes, struct err *e)
{
    if (study_site_load(site, path, mistakes))
        return err_set(e, ERR_USER, "the site file %s has mistakes", path);
    return 0;
}

static int unknown(const struct folders *folders, const struct files *files, const char *name,
                   struct err *e)
{
    struct str text = {0};
    const char *nearest = str_nearest(name, files->names);
    if (nearest) {
        err_set(e, ERR_USER, "unknown site '%s': did you mean '%s'?", name, nearest);
    } else if (files->count > 0) {
        for (size_t i = 0; i < files->count && i < 10; i++)
            str_printf(&text, "%s%s", i > 0 ? ", " : "", files->names[i]);
        err_set(e, ERR_USER, "unknown site '%s': known sites are %s", name, text.text);
    } else {
        for (size_t i = 0; i < folders->count; i++)
            str_printf(&text, "%s%s", i > 0 ? ", " : "", folders->paths[i]);
        err_set(e, ERR_USER, "unknown site '%s': there are no site files (looked in %s)", name,
                str_text(&text));
    }
    str_free(&text);
    return e->code;
}

/* A pattern matches the whole name of the machine, or its first part. */
static bool matches(const struct study_site *site, const char *host)
{
    char first[256];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(host, "."), host);
    for (size_t i = 0; site->hosts && site->hosts[i]; i++)
        if (fnmatch(site->hosts[i], host, FNM_CASEFOLD) == 0 ||
            fnmatch(site->hosts[i], first, FNM_CASEFOLD) == 0)
            return true;
    return false;
}

/* A file with mistakes is an error here as well: it may be the one that would match. */
static int find_by_host(struct study_site *site, const struct files *files,
                        struct err_list *mistakes, struct err *e)
{
    char host[256];
    if (gethostname(host, sizeof host) != 0)
        host[0] = 0;
    host[sizeof host - 1] = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (load(site, files->paths[i], mistakes, e))
            return e->code;
        if (matches(site, host))
            return 0;
        study_site_free(site);
        *site = (struct study_site){0};
    }
    return 0;
}

int site_find(struct study_site *site, const char *name, struct err_list *mistakes, struct err *e)
{
    struct folders folders;
    const char *said = getenv("WICK_SITE");
    *site = (struct study_site){0};
    if (!name && said && *said)
        name = said;
    if (name && strcmp(name, "none") == 0)
        return 0;
    find_folders(&folders);
    struct files *files = arena_new(&folders.arena, 1, sizeof *files);
    for (size_t i = 0; i < folders.count; i++)
        list_folder(&folders, folders.paths[i], files);
    if (!name) {
        find_by_host(site, files, mistakes, e);
    } else {
        size_t i = 0;
        while (i < files->count && strcmp(files->names[i], name) != 0)
            i++;
        if (i < files->count)
            load(site, files->paths[i], mistakes, e);
        else
            unknown(&folders, files, name, e);
    }
    arena_free(&folders.arena);
    return e->code;
}
