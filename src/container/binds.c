/* binds.c - decides which parts of the machine are visible inside an image. */
#include "container/inside.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

void binds_add(struct binds *binds, const struct bind *bind)
{
    binds->all = memory_grow(binds->all, &binds->capacity, binds->count + 1, sizeof *binds->all);
    binds->all[binds->count++] = *bind;
}

void binds_free(struct container *c)
{
    free(c->wanted.all);
    free(c->binds.all);
    free(c->read_only.all);
}

bool binds_is_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* ---- what must be visible ---- */

static int add_users(struct container *c, struct err *e)
{
    static const char *const taken[] = {"/", "/dev", "/proc", "/sys", "/tmp"};
    for (size_t i = 0; i < c->wish->bind_count; i++) {
        const struct study_bind *bind = &c->wish->binds[i];
        if (access(bind->source, F_OK) != 0)
            return err_set(e, ERR_USER, "container.binds: cannot find %s (%s)", bind->source,
                           strerror(errno));
        for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
            if (strcmp(bind->target, taken[k]) == 0)
                return err_set(
                    e, ERR_USER,
                    "cannot bind anything at %s, which is the machine's own: choose another target",
                    taken[k]);
        binds_add(&c->wanted,
                  &(struct bind){bind->source, bind->target, bind->read_only, BIND_ANY, false});
    }
    return 0;
}

static void add_folder(struct container *c, const char *path, enum bind_role role)
{
    struct stat info;
    if (path && path[0] == '/' && path[1] && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        binds_add(&c->wanted, &(struct bind){path, path, false, role, false});
}

static void add_file(struct container *c, const char *source, const char *target)
{
    binds_add(&c->wanted, &(struct bind){source, target, true, BIND_ETC, false});
}

/* If Wick is not installed, its folders may be links to others. */
static void add_own_files(struct container *c)
{
    static const char *const names[] = {".", "python", "r"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (installed_find(names[i], path, NULL))
            add_folder(c, arena_copy(&c->arena, path, strlen(path)), BIND_ANY);
    add_folder(c, c->tools, BIND_ANY);
}

/* The user's own binds come last, so that they cover the others. */
int binds_collect(struct container *c, struct err *e)
{
    add_folder(c, "/tmp", BIND_TMP);
    add_folder(c, getenv("HOME"), BIND_HOME);
    add_folder(c, getenv("TMPDIR"), BIND_ANY);
    add_folder(c, c->study->model.folder, BIND_ANY);
    add_folder(c, c->dir, BIND_ANY);
    add_own_files(c);
    add_file(c, "/etc/hosts", "/etc/hosts");
    add_file(c, "/etc/resolv.conf", "/etc/resolv.conf");
    add_file(c, arena_printf(&c->arena, "%s/passwd", c->place), "/etc/passwd");
    add_file(c, arena_printf(&c->arena, "%s/group", c->place), "/etc/group");
    return add_users(c, e);
}

/* ---- the binds for a runtime ---- */

/* The last of the binds that contain a path: what is bound later covers what was bound before. */
static const struct bind *outermost(const struct binds *binds, const char *path)
{
    for (size_t i = binds->count; i-- > 0;)
        if (binds_is_in(path, binds->all[i].target))
            return &binds->all[i];
    return NULL;
}

static bool is_wanted(const struct container *c, const struct bind *bind)
{
    struct stat info;
    if (c->runtime->brings & 1U << bind->role)
        return false;
    if (bind->role == BIND_ETC) { /* replaced only in an image that has this file */
        struct str path = {0};
        str_printf(&path, "%s%s", c->root, bind->target);
        bool is_there = c->is_folder && lstat(path.text, &info) == 0 && S_ISREG(info.st_mode) &&
                        access(bind->source, R_OK) == 0;
        str_free(&path);
        return is_there;
    }
    if (strcmp(bind->source, bind->target) != 0 || bind->read_only)
        return true;
    const struct bind *other = outermost(&c->binds, bind->target);
    if (other)
        return strcmp(other->source, other->target) != 0 || other->read_only;
    return !(c->runtime->needs_points && c->runtime->brings & 1U << BIND_TMP &&
             binds_is_in(bind->target, "/tmp"));
}

static int settle_one(struct container *c, struct bind bind, struct err *e)
{
    struct stat info;
    bind.is_file = stat(bind.source, &info) == 0 && !S_ISDIR(info.st_mode);
    if (readonly_needed(c->runtime, &bind)) {
        binds_add(&c->read_only, &bind);
        bind.source = readonly_place(c, c->read_only.count - 1);
    }
    const char *const paths[] = {bind.source, bind.target};
    for (size_t k = 0; k < 2; k++)
        if (strpbrk(paths[k], c->runtime->separators))
            return err_set(e, ERR_USER, "cannot bind %s: no path may contain any of '%s'", paths[k],
                           c->runtime->separators);
    binds_add(&c->binds, &bind);
    return 0;
}

int binds_settle(struct container *c, struct err *e)
{
    c->binds.count = c->read_only.count = 0;
    for (size_t i = 0; i < c->wanted.count; i++)
        if (is_wanted(c, &c->wanted.all[i]) && settle_one(c, c->wanted.all[i], e))
            return e->code;
    return 0;
}

bool binds_cover(const struct container *c, const char *path)
{
    for (size_t i = 0; i < c->wanted.count; i++)
        if (binds_is_in(path, c->wanted.all[i].target))
            return true;
    return false;
}

/* ---- mount points in the image ---- */

bool binds_has(const struct container *c, const char *path)
{
    struct str whole = {0};
    struct stat info;
    str_printf(&whole, "%s%s", c->root, path);
    bool found = lstat(whole.text, &info) == 0;
    str_free(&whole);
    return found;
}

static int make_point(const struct container *c, const char *target, bool is_folder, struct err *e)
{
    if (binds_has(c, target) || merge_make(c->root, target, is_folder))
        return 0;
    return err_set(e, ERR_USER,
                   "cannot bind %s: it does not exist in the image %s and cannot be created there "
                   "(create it:  mkdir -p %s%s)",
                   target, c->root, c->root, target);
}

int binds_make_points(const struct container *c, struct err *e)
{
    static const char *const always[] = {"/dev", "/proc", "/sys", "/tmp"};
    static const char *const files[] = {"/etc/passwd", "/etc/group", "/etc/hosts",
                                        "/etc/resolv.conf"};
    int failed = 0;
    if (!c->runtime->needs_points || !c->is_folder)
        return 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        merge_make(c->root, files[i], false); /* Charliecloud warns if they are missing */
    for (size_t i = 0; i < sizeof always / sizeof *always && !failed; i++)
        failed = make_point(c, always[i], true, e);
    for (size_t i = 0; i < c->binds.count && !failed; i++) {
        const struct bind *bind = &c->binds.all[i];
        bool inside_other = false;
        for (size_t k = 0; k < i; k++)
            inside_other = inside_other || binds_is_in(bind->target, c->binds.all[k].target);
        if (!inside_other)
            failed = make_point(c, bind->target, !bind->is_file, e);
    }
    return failed;
}
