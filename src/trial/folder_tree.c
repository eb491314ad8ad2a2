/* folder_tree.c - copy and remove whole folders. */
#include "trial/folder_tree.h"

#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CHUNK = 8 << 20,
    BUFFER = 1 << 16,
    FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
};

struct copying {
    const atomic_bool *cancelled;
    int depth;
};

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Opens a folder to be read; NULL and errno. */
static DIR *open_folder(int in, const char *name)
{
    int fd = openat(in, name, FOLDER);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && !folder) {
        int number = errno;
        close(fd);
        errno = number;
    }
    return folder;
}

/* ---- files ---- */

/* For file systems that cannot copy themselves; 0, 1 at the end, or -1 and errno. */
static int copy_bytes(int from, int to)
{
    char bytes[BUFFER];
    ssize_t got = read(from, bytes, sizeof bytes);
    if (got <= 0)
        return got == 0 ? 1 : -1;
    for (ssize_t done = 0, n; done < got; done += n)
        if ((n = write(to, bytes + done, (size_t)(got - done))) < 0)
            return -1;
    return 0;
}

static int copy_contents(int from, int to, const atomic_bool *cancelled)
{
    bool by_hand = false;
    int end = 0;
    if (ioctl(to, FICLONE, from) == 0)
        return 0;
    while (!end) {
        if (atomic_load(cancelled))
            return ECANCELED;
        ssize_t n = by_hand ? 0 : copy_file_range(from, NULL, to, NULL, CHUNK, 0);
        by_hand = by_hand || n < 0;
        if (by_hand)
            end = copy_bytes(from, to);
        else
            end = n == 0;
    }
    return end < 0 ? errno : 0;
}

static int copy_file(int from, int to, const char *name, const struct stat *info,
                     const atomic_bool *cancelled)
{
    int number = 0, out = -1;
    int in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in >= 0)
        out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (in < 0 || out < 0)
        number = errno;
    else
        number = copy_contents(in, out, cancelled);
    if (!number && (fchmod(out, info->st_mode & 0777) != 0 || fsync(out) != 0))
        number = errno;
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return number;
}

static int copy_link(int from, int to, const char *name)
{
    char target[PATH_MAX];
    ssize_t length = readlinkat(from, name, target, sizeof target - 1);
    if (length < 0)
        return errno;
    target[length] = 0;
    return symlinkat(target, to, name) == 0 ? 0 : errno;
}

/* ---- folders ---- */

static int copy_folder(int from, const char *name, int to, const char *as, struct copying copying);

static int copy_entry(int from, int to, const char *name, struct copying copying)
{
    struct stat info;
    if (atomic_load(copying.cancelled))
        return ECANCELED;
    if (fstatat(from, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return errno;
    if (S_ISDIR(info.st_mode))
        return copy_folder(from, name, to, name, copying);
    if (S_ISREG(info.st_mode))
        return copy_file(from, to, name, &info, copying.cancelled);
    return S_ISLNK(info.st_mode) ? copy_link(from, to, name) : 0;
}

static int copy_folder(int from, const char *name, int to, const char *as, struct copying copying)
{
    if (++copying.depth > FOLDER_TREE_DEPTH)
        return ELOOP;
    DIR *folder = open_folder(from, name);
    if (!folder)
        return errno;
    int number = mkdirat(to, as, 0777) == 0 ? 0 : errno;
    int made = number ? -1 : openat(to, as, FOLDER);
    if (!number && made < 0)
        number = errno;
    for (struct dirent *entry; !number && (entry = readdir(folder));)
        if (!is_dots(entry->d_name))
            number = copy_entry(dirfd(folder), made, entry->d_name, copying);
    if (made >= 0)
        close(made);
    closedir(folder);
    return number;
}

int folder_tree_copy(int from, const char *name, int to, const char *as,
                     const atomic_bool *cancelled)
{
    return copy_folder(from, name, to, as, (struct copying){cancelled, 0});
}

static int remove_at(int in, const char *name, int depth);

/* Removes all that is in a folder; continues after what cannot be removed, and returns why. */
static int empty_folder(int in, const char *name, int depth)
{
    int number = 0;
    DIR *folder = open_folder(in, name);
    if (!folder)
        return errno;
    for (struct dirent *entry; (entry = readdir(folder));) {
        int failed = is_dots(entry->d_name) ? 0 : remove_at(dirfd(folder), entry->d_name, depth);
        number = failed ? failed : number;
    }
    closedir(folder);
    return number;
}

static int remove_at(int in, const char *name, int depth)
{
    if (unlinkat(in, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM) /* POSIX has the second one for a folder */
        return errno;
    if (depth >= FOLDER_TREE_DEPTH)
        return ELOOP;
    int number = empty_folder(in, name, depth + 1);
    return unlinkat(in, name, AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : number ? number : errno;
}

int folder_tree_remove(int in, const char *name)
{
    return remove_at(in, name, 0);
}
