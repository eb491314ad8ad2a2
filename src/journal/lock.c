/* lock.c - the lock on a study's folder. */
#include "journal/lock.h"

#include "launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* ---- the text of the file: who holds it, for people; then its job as it is called by programs
 * ---- */

static void read_holder(int fd, struct journal_holder *holder)
{
    char text[512];
    ssize_t length = pread(fd, text, sizeof text - 1, 0);
    *holder = (struct journal_holder){.name = "another process"};
    text[length > 0 ? length : 0] = 0;
    sscanf(text, "%255[^\n]\njob %15s %127s %31s", holder->name, holder->scheduler, holder->id,
           holder->task);
    const char *process = strstr(holder->name, "process ");
    if (process)
        sscanf(process, "process %d on %127[^) ]", &holder->pid, holder->host);
}

/*
 * It is synced at once: a network file system may keep it back for half a minute, and then others
 * would neither read who runs the study nor see the time of its begin, which halt.c stands on.
 */
static bool sign(int fd)
{
    struct launch_here here = launch_here();
    char host[128] = "?", job[LAUNCH_ID + 64];
    struct str text = {0};
    gethostname(host, sizeof host - 1);
    launch_here_name(job, sizeof job);
    if (here.scheduler)
        str_printf(&text, "%s (process %d on %s)\njob %s %s%s%s\n", job, (int)getpid(), host,
                   here.scheduler, here.id, here.task[0] ? " " : "", here.task);
    else
        str_printf(&text, "process %d on %s\n", (int)getpid(), host);
    bool good = ftruncate(fd, 0) == 0 &&
                pwrite(fd, text.text, text.length, 0) == (ssize_t)text.length && fsync(fd) == 0;
    str_free(&text);
    return good;
}

/* ---- locks ---- */

enum outcome { LOCK_OURS, LOCK_HELD, LOCK_NONE /* the file system has none */ };

static enum outcome try_lock(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_OFD_SETLK, &whole) == 0)
        return LOCK_OURS;
    return errno == EAGAIN || errno == EACCES ? LOCK_HELD : LOCK_NONE;
}

/* A lock that other nodes do not see keeps out those of this node only. */
static enum outcome try_study(int fd, const char *dir)
{
    struct mount mount;
    enum outcome outcome = try_lock(fd);
    bool is_local = mount_find(dir, &mount) && mount_locks_are_local(&mount);
    return outcome == LOCK_OURS && is_local ? LOCK_NONE : outcome;
}

bool lock_file(int fd)
{
    return try_lock(fd) != LOCK_HELD;
}

static bool is_locked(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

/* Where there are no locks, a job that runs still tells who is at work. */
static bool runs_elsewhere(const struct journal_holder *holder)
{
    struct launch_report report;
    if (!holder->id[0] || launch_is_here(holder->id, holder->task))
        return false;
    launch_ask(holder->scheduler, holder->id, &report);
    return report.state == LAUNCH_RUNNING;
}

int lock_take(const char *dir, int *fd, struct err *e)
{
    struct str path = {0};
    struct journal_holder holder;
    int result = 0;
    str_printf(&path, "%s/lock", dir);
    *fd = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    enum outcome outcome = LOCK_OURS;
    if (*fd < 0) {
        result = err_system(e, "cannot open %s", path.text);
    } else {
        outcome = try_study(*fd, dir);
        read_holder(*fd, &holder);
        if (outcome == LOCK_HELD || (outcome == LOCK_NONE && runs_elsewhere(&holder)))
            result = err_set(e, ERR_USER,
                             "the study in %s is being run by %s: wait for it, or stop it with "
                             "`wick stop %s`",
                             dir, holder.name, dir);
        else if (!sign(*fd))
            result = err_system(e, "cannot write %s", path.text);
    }
    if (result && *fd >= 0)
        close(*fd);
    str_free(&path);
    return result;
}

void lock_release(int fd)
{
    (void)!ftruncate(fd, 0); /* whoever takes it next writes it anew */
    close(fd);
}

/* Opens a file of the folder to read; -1 when that cannot be. */
static int open_in(const char *dir, const char *name)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", dir, name);
    int fd = open(path.text, O_RDONLY | O_CLOEXEC);
    str_free(&path);
    return fd;
}

bool lock_taken(const char *dir)
{
    int fd = open_in(dir, "lock");
    bool taken = fd >= 0 && is_locked(fd);
    if (fd >= 0)
        close(fd);
    return taken;
}

bool journal_is_held(const char *dir, struct journal_holder *holder)
{
    int lock = open_in(dir, "lock"), journal = open_in(dir, "journal");
    bool held = (lock >= 0 && is_locked(lock)) || (journal >= 0 && is_locked(journal));
    read_holder(lock, holder);
    if (lock >= 0)
        close(lock);
    if (journal >= 0)
        close(journal);
    return held;
}
