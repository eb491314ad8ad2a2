/*
 * stop.c - a request to stop that lies in the study folder.
 *
 * Whoever writes it may be on another node, and only the file system connects them. The driver
 * removes it when it obeys. It may also come too late, for a run that ends by itself. So that it
 * does not end the next run, a request counts only when it is younger than DIR/lock, which each run
 * writes when it starts. Both times are the file system's; no node's clock is read.
 */
#include "inbox/inbox.h"

#include "study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char NOW[] = "now\n", SOFTLY[] = "softly\n";

int inbox_stop_request(const char *dir, bool now, struct err *e)
{
    struct str path = {0};
    const char *word = now ? NOW : SOFTLY;
    study_path(&path, dir, STUDY_STOP);
    int failed = str_write_file(path.text, word, strlen(word), e);
    str_free(&path);
    return failed;
}

/* It is opened, because that is when NFS looks again. */
struct timespec inbox_run_started(const char *dir)
{
    struct str path = {0};
    struct stat lock = {0};
    study_path(&path, dir, STUDY_LOCK);
    int fd = open(path.text, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) {
        fstat(fd, &lock);
        close(fd);
    }
    str_free(&path);
    return lock.st_mtim;
}

bool inbox_stop_waits(const char *dir)
{
    struct str path = {0};
    study_path(&path, dir, STUDY_STOP);
    bool waits = access(path.text, F_OK) == 0;
    str_free(&path);
    return waits;
}

void inbox_stop_withdraw(const char *dir)
{
    struct str path = {0};
    study_path(&path, dir, STUDY_STOP);
    unlink(path.text);
    str_free(&path);
}

static bool is_younger(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec > b->st_mtim.tv_sec ||
           (a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec >= b->st_mtim.tv_nsec);
}

/*
 * The folder is opened first: that is when NFS looks again at which files it has. A pipe of that
 * name must not block us.
 */
bool inbox_stop_obey(const char *dir, bool *now)
{
    const char *name = study_file_name(STUDY_STOP);
    struct stat request, lock;
    char word[sizeof SOFTLY] = "";
    int folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = folder < 0 ? -1 : openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool taken = fd >= 0 && fstat(fd, &request) == 0 && S_ISREG(request.st_mode) &&
                 unlinkat(folder, name, 0) == 0;
    if (taken) {
        bool counts = fstatat(folder, study_file_name(STUDY_LOCK), &lock, 0) != 0 ||
                      is_younger(&request, &lock);
        ssize_t length = pread(fd, word, sizeof word - 1, 0);
        *now = length > 0 && strcmp(word, NOW) == 0;
        taken = counts && length > 0;
    }
    if (fd >= 0)
        close(fd);
    if (folder >= 0)
        close(folder);
    return taken;
}
