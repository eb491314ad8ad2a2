/* lock.c - the lock on a study's folder. */
#include "journal/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static void describe(int fd, char *text, size_t size)
{
    ssize_t length = pread(fd, text, size - 1, 0);
    text[length > 0 ? length : 0] = 0;
    text[strcspn(text, "\n")] = 0;
}

static bool sign(int fd)
{
    char host[128] = "?", text[192];
    gethostname(host, sizeof host - 1);
    int length = snprintf(text, sizeof text, "process %d on %s\n", (int)getpid(), host);
    return ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)length, 0) == length;
}

bool lock_file(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

int lock_take(const char *dir, int *fd, struct err *e)
{
    struct str path = {0};
    int result = 0;
    str_printf(&path, "%s/lock", dir);
    *fd = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*fd < 0) {
        result = err_system(e, "cannot open %s", path.text);
    } else if (!lock_file(*fd)) {
        char holder[192] = "";
        describe(*fd, holder, sizeof holder);
        result = err_set(e, ERR_USER, "the study in %s is being run by %s: wait for it, or stop it",
                         dir, holder[0] ? holder : "another process");
    } else if (!sign(*fd)) {
        result = err_system(e, "cannot write %s", path.text);
    }
    if (result && *fd >= 0)
        close(*fd);
    str_free(&path);
    return result;
}

bool lock_taken(const char *dir)
{
    struct str path = {0};
    str_printf(&path, "%s/lock", dir);
    int fd = open(path.text, O_RDONLY | O_CLOEXEC);
    str_free(&path);
    if (fd < 0)
        return false;
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool taken = fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
    close(fd);
    return taken;
}
