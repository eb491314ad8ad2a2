/*
 * machine.c - the machine itself as an image, to try a runtime without another image.
 *
 * Not every runtime accepts "/" as an image, so this is a folder that contains only the targets at
 * which the machine's own folders are bound.
 */
#include "container/inside.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const folders[] = {"usr", "bin", "sbin", "lib", "lib64"};
static const char *const empty[] = {"dev", "proc", "sys", "tmp", "root", "home"};
static const char *const files[] = {"/etc/passwd", "/etc/group", "/etc/hosts", "/etc/resolv.conf"};

enum {
    FOLDERS = sizeof folders / sizeof *folders,
    EMPTY = sizeof empty / sizeof *empty,
    FILES = sizeof files / sizeof *files
};

static bool make(const char *place, const char *name)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", place, name);
    bool made = mkdir(path.text, 0755) == 0;
    str_free(&path);
    return made;
}

/* On most machines, /bin and similar folders are links into /usr. */
static bool copy_link(const char *place, const char *name)
{
    struct str path = {0};
    char from[32], target[256];
    snprintf(from, sizeof from, "/%s", name);
    ssize_t length = readlink(from, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    str_printf(&path, "%s/%s", place, name);
    bool made = length > 0 && symlink(target, path.text) == 0;
    str_free(&path);
    return made;
}

bool machine_root(const char *place)
{
    bool good = true;
    for (size_t i = 0; i < FOLDERS; i++)
        good = good && (copy_link(place, folders[i]) || make(place, folders[i]));
    for (size_t i = 0; i < EMPTY; i++)
        good = good && make(place, empty[i]);
    for (size_t i = 0; i < FILES; i++)
        good = good && merge_make(place, files[i], false);
    return good;
}

/* Removes an entry; false if it is not empty or something is mounted on it. */
static bool take_away(const char *place, const char *name)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", place, name);
    bool gone = unlink(path.text) == 0 || rmdir(path.text) == 0 || errno == ENOENT;
    str_free(&path);
    return gone;
}

void machine_remove(const char *place)
{
    struct err ignored = {0};
    bool gone = true;
    for (size_t i = 0; i < FOLDERS; i++)
        gone &= take_away(place, folders[i]);
    for (size_t i = 0; i < EMPTY; i++)
        gone &= take_away(place, empty[i]);
    if (gone)
        merge_remove(place, &ignored); /* files that runtimes put into /etc */
}

/* No other binds are added, since there are no targets for them. */
void machine_binds(struct container *c)
{
    struct stat info;
    c->wanted.count = 0;
    for (size_t i = 0; i < FOLDERS; i++) {
        const char *path = arena_printf(&c->arena, "/%s", folders[i]);
        if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode))
            binds_add(&c->wanted, &(struct bind){path, path, false, BIND_ANY, false});
    }
}
