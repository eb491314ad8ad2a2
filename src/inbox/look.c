/*
 * look.c - requests to see the output of running trials.
 *
 * DIR/look has the number of a trial in each line; each viewer appends its own. The driver removes
 * the file before it reads it, so a viewer that was just appending may lose its request, and asks
 * again when no answer comes. The answer is a new file each time: it is told from an older one by
 * its inode and time, both the file system's.
 */
#include "inbox/inbox.h"

#include "study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder is opened first: that is when NFS looks again at which files it has. */
static bool find_copy(const char *dir, uint64_t id, struct stat *copy)
{
    struct str path = {0}, name = {0};
    int folder = open(study_path(&path, dir, STUDY_TMP), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    str_printf(&name, "%llu.log", (unsigned long long)id);
    bool found = folder >= 0 && fstatat(folder, name.text, copy, AT_SYMLINK_NOFOLLOW) == 0;
    if (folder >= 0)
        close(folder);
    str_free(&path);
    str_free(&name);
    return found;
}

int inbox_look_request(const char *dir, uint64_t id, struct inbox_look *look, struct err *e)
{
    struct stat copy;
    struct str path = {0};
    char line[24];
    *look = (struct inbox_look){0};
    if (find_copy(dir, id, &copy))
        *look = (struct inbox_look){copy.st_mtim, copy.st_ino};
    int length = snprintf(line, sizeof line, "%llu\n", (unsigned long long)id), failed = 0;
    int fd = open(study_path(&path, dir, STUDY_LOOK),
                  O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, line, (size_t)length) != length)
        failed = err_system(e, "cannot write %s", path.text);
    if (fd >= 0)
        close(fd);
    str_free(&path);
    return failed;
}

bool inbox_look_answered(const char *dir, uint64_t id, const struct inbox_look *look)
{
    struct stat copy;
    return find_copy(dir, id, &copy) &&
           (copy.st_ino != look->inode || copy.st_mtim.tv_sec != look->seen.tv_sec ||
            copy.st_mtim.tv_nsec != look->seen.tv_nsec);
}

/* Fills the numbers of the lines, each once; what is no number, and a torn line, is left out. */
static size_t read_ids(char *text, uint64_t *ids)
{
    size_t count = 0;
    for (char *newline; count < INBOX_LOOKS && (newline = strchr(text, '\n')); text = newline + 1) {
        uint64_t id = strtoull(text, NULL, 10);
        bool known = id == 0;
        for (size_t i = 0; i < count; i++)
            known = known || ids[i] == id;
        if (!known)
            ids[count++] = id;
    }
    return count;
}

/* Nearly always nobody looks: then this costs one lookup of a name, and nothing is opened. */
size_t inbox_look_take(const char *dir, uint64_t ids[static INBOX_LOOKS])
{
    char text[4096];
    struct stat info;
    struct str path = {0};
    study_path(&path, dir, STUDY_LOOK);
    int fd = lstat(path.text, &info) == 0 && S_ISREG(info.st_mode)
                 ? open(path.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                 : -1;
    ssize_t length = fd >= 0 && unlink(path.text) == 0 ? pread(fd, text, sizeof text - 1, 0) : 0;
    text[length > 0 ? length : 0] = 0;
    if (fd >= 0)
        close(fd);
    str_free(&path);
    return read_ids(text, ids);
}
