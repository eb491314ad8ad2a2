/* lock.c - the lock on a study folder. */
#include "journal/lock.h"

#include "launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* ---- the text of the file: the holder in words, then its job for programs ---- */

static const char FAILED[] = "failed: "; /* instead of that, when there is no holder */

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
 * Synced at once: a network file system may hold the text back for half a minute, and until then
 * others would not know who runs the study, nor when the run started, which a stop request depends
 * on.
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

enum lock_attempt {
    LOCK_OURS,
    LOCK_HELD,
    LOCK_NONE,  /* the file system has no locks */
    LOCK_FAILED /* locking failed, see errno */
};

static enum lock_attempt try_lock(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_OFD_SETLK, &whole) == 0)
        return LOCK_OURS;
    if (errno == EAGAIN || errno == EACCES)
        return LOCK_HELD;
    bool has_none = errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL;
    return has_none ? LOCK_NONE : LOCK_FAILED;
}

/* True if other nodes do not see the lock, so that it keeps out only processes of this node. */
static bool is_local(const char *dir)
{
    struct mount mount;
    return mount_find(dir, &mount) && mount_locks_are_local(&mount);
}

int lock_file(int fd, const char *path, struct err *e)
{
    enum lock_attempt attempt = try_lock(fd);
    if (attempt == LOCK_FAILED)
        return err_system(e, "cannot lock %s", path);
    if (attempt == LOCK_HELD)
        return err_set(e, ERR_USER, "%s is being written by another process", path);
    return 0;
}

static bool is_locked(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

static int is_run_by(const char *dir, const struct journal_holder *holder, struct err *e)
{
    return err_set(
        e, ERR_USER,
        "the study in %s is being run by %s: wait for it, or stop it with `wick stop %s`", dir,
        holder->name, dir);
}

/*
 * Without working locks, the file still names a running job. A run that ends normally removes its
 * name; as long as a run may still be active, nobody else may write the journal.
 */
static int check_elsewhere(const char *dir, const struct journal_holder *holder, struct err *e)
{
    if (!holder->id[0] || launch_is_here(holder->id, holder->task))
        return 0;
    enum launch_state state = launch_ask_earlier(dir, holder->scheduler, holder->id);
    if (state == LAUNCH_RUNNING)
        return is_run_by(dir, holder, e);
    if (state == LAUNCH_UNKNOWN)
        return err_set(
            e, ERR_USER,
            "the study in %s may still be run by %s: its file system has no locks, and the "
            "scheduler gives no answer. Try again; if that job has ended, remove %s/lock",
            dir, holder->name, dir);
    return 0;
}

static int take(const char *dir, int fd, const char *path, struct err *e)
{
    struct journal_holder holder;
    enum lock_attempt attempt = try_lock(fd);
    if (attempt == LOCK_FAILED)
        return err_system(e, "cannot lock %s", path);
    read_holder(fd, &holder);
    if (attempt == LOCK_HELD)
        return is_run_by(dir, &holder, e);
    if ((attempt == LOCK_NONE || is_local(dir)) && check_elsewhere(dir, &holder, e))
        return e->code;
    return sign(fd) ? 0 : err_system(e, "cannot write %s", path);
}

int lock_take(const char *dir, int *fd, struct err *e)
{
    struct str path = {0};
    *fd = str_open_regular(study_path(&path, dir, STUDY_LOCK), O_RDWR | O_CREAT | O_NOFOLLOW);
    int failed = *fd < 0 ? str_not_regular("open", path.text, e) : take(dir, *fd, path.text, e);
    if (failed && *fd >= 0)
        close(*fd);
    str_free(&path);
    return failed;
}

/*
 * The next holder writes its own name. A failure is written over the name, into a block that the
 * file has already: this works when the disk is full.
 */
void lock_release(int fd, const char *failure)
{
    struct str text = {0};
    if (failure[0])
        str_printf(&text, "%s%s\n", FAILED, failure);
    bool kept = text.length > 0 && pwrite(fd, text.text, text.length, 0) == (ssize_t)text.length;
    (void)!ftruncate(fd, kept ? (off_t)text.length : 0);
    if (kept)
        fsync(fd);
    close(fd);
    str_free(&text);
}

/* Opens a file of the folder for reading; -1 if that fails. */
static int open_in(const char *dir, enum study_file file)
{
    struct str path = {0};
    int fd = str_open_regular(study_path(&path, dir, file), O_RDONLY);
    str_free(&path);
    return fd;
}

bool lock_failure(const char *dir, char *failure, size_t size)
{
    char text[512] = "";
    int fd = open_in(dir, STUDY_LOCK);
    ssize_t length = fd >= 0 ? pread(fd, text, sizeof text - 1, 0) : 0;
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = 0;
    text[strcspn(text, "\n")] = 0;
    if (strncmp(text, FAILED, sizeof FAILED - 1) != 0)
        return false;
    snprintf(failure, size, "%s", text + sizeof FAILED - 1);
    return true;
}

/* A run is not declared dead because we cannot look. */
bool lock_taken(const char *dir)
{
    int fd = open_in(dir, STUDY_LOCK);
    bool taken = fd >= 0 ? is_locked(fd) : err_is_outage(errno);
    if (fd >= 0)
        close(fd);
    return taken;
}

bool journal_is_held(const char *dir, struct journal_holder *holder)
{
    int lock = open_in(dir, STUDY_LOCK), journal = open_in(dir, STUDY_JOURNAL);
    bool held = (lock >= 0 && is_locked(lock)) || (journal >= 0 && is_locked(journal));
    read_holder(lock, holder);
    if (lock >= 0)
        close(lock);
    if (journal >= 0)
        close(journal);
    return held;
}
