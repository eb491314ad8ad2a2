/*
 * merge.c - merges the layers of an image.
 *
 * Each layer is unpacked into a folder of its own first, so that none of its entries can be written
 * through a link that an earlier layer has made. Then its entries are moved over, folder by folder,
 * through descriptors that are opened without following links: nothing leaves the root.
 *
 * Besides what it adds, a layer may contain .wh.NAME, which deletes NAME of the layers below, and
 * .wh..wh..opq, which deletes all that the layers below have in this folder.
 */
#include "container/inside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_LIMIT = 512 }; /* the most nested folders */

static const char WHITEOUT[] = ".wh.", OPAQUE[] = ".wh..wh..opq";

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int open_folder(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Opens a folder. Images have folders that their owner may not change: they are made writable. */
static int enter(int at, const char *name)
{
    int fd = open_folder(at, name);
    if (fd < 0 && errno == EACCES && fchmodat(at, name, 0700, 0) == 0)
        fd = open_folder(at, name);
    struct stat info;
    if (fd >= 0 && fstat(fd, &info) == 0 && (info.st_mode & 0700) != 0700)
        fchmod(fd, (info.st_mode & 07777) | 0700);
    return fd;
}

/* Removes the entry with this name, if there is one; 0, or -1 and errno. */
static int remove_entry(int at, const char *name, int depth)
{
    if (unlinkat(at, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return -1;
    int fd = depth < DEPTH_LIMIT ? enter(at, name) : -1;
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    int failed = folder ? 0 : -1;
    for (struct dirent *entry; folder && !failed && (entry = readdir(folder));)
        if (!is_dots(entry->d_name))
            failed = remove_entry(fd, entry->d_name, depth + 1);
    if (folder)
        closedir(folder);
    return failed ? failed : unlinkat(at, name, AT_REMOVEDIR);
}

int merge_remove(const char *path, struct err *e)
{
    return remove_entry(AT_FDCWD, path, 0) ? err_system(e, "cannot remove %s", path) : 0;
}

/* ---- links to folders ---- */

/* Opens a folder of the root by a path without links and ".."; -1 if there is none. */
static int open_inside(int root, const char *path)
{
    char name[NAME_MAX + 1];
    int at = fcntl(root, F_DUPFD_CLOEXEC, 0);
    while (at >= 0 && *path) {
        size_t length = strcspn(path, "/");
        bool goes_up = length == 2 && strncmp(path, "..", 2) == 0;
        snprintf(name, sizeof name, "%.*s", (int)(length > NAME_MAX ? NAME_MAX : length), path);
        path += length + (path[length] == '/');
        if (length == 0)
            continue;
        int next = goes_up ? -1 : open_folder(at, name);
        close(at);
        at = next;
    }
    return at;
}

/* ---- a layer ---- */

static int merge_folder(int into, int from, int depth);

/*
 * Opens the folder that a link at the top of the root leads to. A layer that was made without
 * regard to /bin -> usr/bin may have a folder bin of its own, which must not replace the link.
 */
static int open_link(int root, const char *name)
{
    char target[PATH_MAX];
    ssize_t got = readlinkat(root, name, target, sizeof target - 1);
    if (got <= 0)
        return -1;
    target[got] = 0;
    return open_inside(root, target);
}

static int merge_into_folder(int into, int from, const char *name, int depth)
{
    int below = enter(into, name);
    if (below < 0 && depth == 0)
        below = open_link(into, name);
    if (below < 0)
        return remove_entry(into, name, 0) || renameat(from, name, into, name) ? -1 : 0;
    int above = enter(from, name);
    int failed = above < 0 || merge_folder(below, above, depth + 1) ? -1 : 0;
    int number = errno;
    if (above >= 0)
        close(above);
    close(below);
    errno = number;
    return failed;
}

static int merge_entry(int into, int from, const char *name, int depth)
{
    struct stat info;
    if (fstatat(from, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return -1;
    if (S_ISDIR(info.st_mode))
        return merge_into_folder(into, from, name, depth);
    return remove_entry(into, name, 0) || renameat(from, name, into, name) ? -1 : 0;
}

static int empty_folder(int at)
{
    int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), failed = 0;
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *entry; folder && !failed && (entry = readdir(folder));)
        if (!is_dots(entry->d_name))
            failed = remove_entry(fd, entry->d_name, 0);
    if (folder)
        closedir(folder);
    return folder ? failed : -1;
}

/* Whiteouts are applied first: they concern the layers below, not this one. */
static int apply_whiteouts(int into, int from)
{
    int fd = openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), failed = 0;
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *entry; folder && !failed && (entry = readdir(folder));) {
        if (strncmp(entry->d_name, WHITEOUT, sizeof WHITEOUT - 1) != 0)
            continue;
        const char *name = entry->d_name + sizeof WHITEOUT - 1;
        if (strcmp(entry->d_name, OPAQUE) == 0)
            failed = empty_folder(into);
        else if (name[0] && !is_dots(name))
            failed = remove_entry(into, name, 0);
        if (!failed)
            failed = remove_entry(from, entry->d_name, 0);
    }
    if (folder)
        closedir(folder);
    return folder ? failed : -1;
}

static int merge_folder(int into, int from, int depth)
{
    if (depth > DEPTH_LIMIT) {
        errno = ELOOP;
        return -1;
    }
    if (apply_whiteouts(into, from))
        return -1;
    int fd = openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), failed = 0;
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *entry; folder && !failed && (entry = readdir(folder));)
        if (!is_dots(entry->d_name))
            failed = merge_entry(into, from, entry->d_name, depth);
    int number = errno;
    if (folder)
        closedir(folder);
    errno = number;
    return folder ? failed : -1;
}

int merge_layer(const char *root, const char *layer, struct err *e)
{
    int into = enter(AT_FDCWD, root), from = enter(AT_FDCWD, layer);
    int failed = into < 0 || from < 0 || merge_folder(into, from, 0);
    if (failed)
        err_system(e, "cannot move a layer of the image into place");
    if (into >= 0)
        close(into);
    if (from >= 0)
        close(from);
    return failed ? e->code : merge_remove(layer, e);
}

/* ---- mount points ---- */

bool merge_make(const char *root, const char *path, bool is_folder)
{
    char name[NAME_MAX + 1];
    int at = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = at >= 0;
    while (good && *path) {
        size_t length = strcspn(path, "/");
        bool last = path[length + strspn(path + length, "/")] == 0;
        snprintf(name, sizeof name, "%.*s", (int)(length > NAME_MAX ? NAME_MAX : length), path);
        path += length + strspn(path + length, "/");
        if (length == 0)
            continue;
        if (last && !is_folder) {
            int fd = openat(at, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
            good = fd >= 0 || faccessat(at, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
            if (fd >= 0)
                close(fd);
            break;
        }
        mkdirat(at, name, 0755);
        int next = open_folder(at, name);
        close(at);
        at = next;
        good = at >= 0;
    }
    if (at >= 0)
        close(at);
    return good;
}
