/*
 * folder.c - the file system of the study folder. The journal needs files that can be appended to,
 * synced and renamed; a lock keeps a second `wick run` away from a study that is running.
 */
#include "doctor/look.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { LOCAL, NETWORK, MEMORY, LAYERS };

/* The numbers of statfs(2), some of which are missing in the headers of the kernel. */
static const struct type {
    unsigned long magic;
    const char *name;
    enum kind kind;
} types[] = {
    {0xef53, "ext", LOCAL},          {0x58465342, "XFS", LOCAL},
    {0x9123683e, "Btrfs", LOCAL},    {0x2fc12fc1, "ZFS", LOCAL},
    {0xf2f52010, "F2FS", LOCAL},     {0x4d44, "FAT", LOCAL},
    {0x6969, "NFS", NETWORK},        {0x0bd00bd0, "Lustre", NETWORK},
    {0x47504653, "GPFS", NETWORK},   {0x19830326, "BeeGFS", NETWORK},
    {0x00c36400, "Ceph", NETWORK},   {0x5346414f, "AFS", NETWORK},
    {0xaad7aaea, "PanFS", NETWORK},  {0x20030528, "OrangeFS", NETWORK},
    {0x01161970, "GFS2", NETWORK},   {0x7461636f, "OCFS2", NETWORK},
    {0xff534d42, "SMB", NETWORK},    {0xfe534d42, "SMB", NETWORK},
    {0x01021997, "9P", NETWORK},     {0x65735546, "FUSE", NETWORK},
    {0x01021994, "tmpfs", MEMORY},   {0x858458f6, "ramfs", MEMORY},
    {0x794c7630, "overlay", LAYERS}, {0x73717368, "squashfs", LAYERS},
};

static const struct type *type_of(const char *dir)
{
    static const struct type unknown = {0, NULL, LOCAL};
    struct statfs info;
    if (statfs(dir, &info) != 0)
        return &unknown;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].magic == ((unsigned long)info.f_type & 0xffffffff))
            return &types[i];
    return &unknown;
}

static void look_type(struct look *look, const char *dir)
{
    static const char *const words[] = {"on this machine", "over the network", "in memory",
                                        "a container layer"};
    struct mount mount;
    const struct type *type = type_of(dir);
    bool known = mount_find(dir, &mount);
    const char *name = known && (!type->name || type->kind == LOCAL) ? mount.type : type->name;
    const char *text =
        look_say(look, "%s, %s: %s", name ? name : "unknown", words[type->kind], dir);
    bool network = type->kind == NETWORK;
    if (known && strncmp(mount.type, "fuse", 4) == 0)
        look_tell(look, "type", DOCTOR_WARNING, look_say(look, "%s (%s)", text, mount.type),
                  "user-space file systems often lose locks and syncs: keep studies on the site's "
                  "own file system");
    else if (type->kind == MEMORY)
        look_tell(look, "type", DOCTOR_WARNING, text,
                  "the study is lost when the machine restarts, and no other node sees it: keep it "
                  "on a disk");
    else if (type->kind == LAYERS)
        look_tell(look, "type", DOCTOR_WARNING, text,
                  "files here disappear with the container: bind a folder of the host");
    else if (!network && look->needs.scheduler)
        look_tell(look, "type", DOCTOR_WARNING, text,
                  "the nodes of a job must see the study: put it on the cluster's shared file "
                  "system, unless this is one");
    else
        look_tell(look, "type", DOCTOR_GOOD, text, NULL);
}

/* ---- trying it ---- */

/* The results of trying a file with a name. The file is removed before they are reported. */
struct trial_file {
    int fd;            /* -1: it could not be created */
    int number;        /* errno of creating it; the numbers below are 0 on success */
    int lock_number;   /* errno of our own lock */
    int elsewhere;     /* what another process saw: see lock_elsewhere() */
    int rename_number; /* errno */
};

static void tell_unwritable(struct look *look, const char *dir, int number)
{
    look_tell(look, "writing", DOCTOR_BAD,
              look_say(look, "cannot create a file in %s: %s", dir, strerror(number)),
              number == EROFS || number == EACCES || number == EPERM
                  ? "start studies in a folder that you can write to, or name one with --dir"
              : number == EDQUOT || number == ENOSPC
                  ? "free some space: the disk or your quota is full"
                  : "name another folder with --dir");
}

/* In a child: tries to lock the file. 0: it can, 1: the file is locked, 2: there are no locks. */
static int lock_elsewhere(const char *path)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    pid_t pid = fork();
    if (pid == 0) {
        alarm(LOOK_ANSWER); /* a lock manager that is gone would block us */
        int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
        int code = fd >= 0 && fcntl(fd, F_OFD_SETLK, &whole) == 0 ? 0 : errno == EAGAIN ? 1 : 2;
        _exit(code);
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return 2;
    return WEXITSTATUS(status);
}

static const char *lock_advice(const char *dir)
{
    struct mount mount;
    mount_find(dir, &mount);
    if (strcmp(mount.type, "lustre") == 0)
        return "mount Lustre with -o flock (ask the site); until then, never start a study twice "
               "at the same time";
    if (strncmp(mount.type, "nfs", 3) == 0)
        return "mount NFS without nolock and with its lock service (ask the site); until then, "
               "never start a study twice at the same time";
    return "ask the site for a file system with locks; until then, never start a study twice at "
           "the same time";
}

/* Tries to replace a file by another one; returns errno, or 0. */
static int try_rename(const char *path)
{
    char other[PATH_MAX + 8];
    snprintf(other, sizeof other, "%s.new", path);
    int fd = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int number = fd >= 0 && rename(other, path) == 0 ? 0 : errno;
    if (number)
        unlink(other);
    if (fd >= 0)
        close(fd);
    return number;
}

/* All tests that need a file name. They must be quick: if we are killed, the file remains. */
static struct trial_file try_file(const char *dir)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct trial_file file = {.fd = -1, .number = ENAMETOOLONG};
    char path[PATH_MAX];
    if (snprintf(path, PATH_MAX, "%s/.wick-doctor-XXXXXX", dir) >= PATH_MAX)
        return file;
    file.fd = mkostemp(path, O_CLOEXEC);
    file.number = errno;
    if (file.fd < 0)
        return file;
    file.lock_number = fcntl(file.fd, F_OFD_SETLK, &whole) == 0 ? 0 : errno;
    file.elsewhere = lock_elsewhere(path);
    file.rename_number = try_rename(path);
    unlink(path);
    return file;
}

static void tell_locks(struct look *look, const char *dir, const struct trial_file *file)
{
    struct mount mount;
    mount_find(dir, &mount);
    if (file->lock_number)
        look_tell(look, "locks", DOCTOR_WARNING,
                  look_say(look,
                           "none: %s; nothing prevents a second `wick resume` of the same study",
                           strerror(file->lock_number)),
                  lock_advice(dir));
    else if (file->elsewhere != 1)
        look_tell(look, "locks", DOCTOR_WARNING,
                  file->elsewhere == 0 ? "two processes got the same lock"
                                       : "another process cannot query a lock",
                  lock_advice(dir));
    else if (mount_locks_are_local(&mount))
        look_tell(look, "locks", DOCTOR_WARNING,
                  look_say(look, "work on this node only, as mounted (%s)", mount.type),
                  lock_advice(dir));
    else
        look_tell(look, "locks", DOCTOR_GOOD, "a second process is kept out", NULL);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The journal is synced before a result is shown, so a slow sync delays results. */
static void look_sync(struct look *look, int fd)
{
    enum { TIMES = 5 };
    double took[TIMES];
    for (size_t i = 0; i < TIMES; i++) {
        double start = clock_now();
        if (pwrite(fd, "0123456789abcdef", 16, (off_t)i * 16) != 16 || fsync(fd) != 0) {
            look_tell(look, "sync", DOCTOR_BAD, look_say(look, "fails: %s", strerror(errno)),
                      "results would not be safe here: choose another folder");
            return;
        }
        took[i] = clock_now() - start;
    }
    qsort(took, TIMES, sizeof *took, compare);
    double median = took[TIMES / 2];
    bool slow = median > 0.25;
    look_tell(look, "sync", slow ? DOCTOR_WARNING : DOCTOR_GOOD,
              look_say(look, "%s (the slowest of %d: %s)", look_duration(look, median), TIMES,
                       look_duration(look, took[TIMES - 1])),
              slow ? "the disk is busy or slow: studies with very short trials will wait for it"
                   : NULL);
}

/* The times of files, which the server sets, help to judge whether a study is running. */
static void look_clock(struct look *look, int fd)
{
    struct stat info;
    double before = clock_wall();
    if (pwrite(fd, "x", 1, 0) != 1 || fsync(fd) != 0 || fstat(fd, &info) != 0)
        return;
    double after = clock_wall(),
           time = (double)info.st_mtim.tv_sec + (double)info.st_mtim.tv_nsec * 1e-9;
    double skew = time < before - 1 ? before - time : time > after + 1 ? time - after : 0;
    if (skew > 2)
        look_tell(look, "clock", DOCTOR_WARNING,
                  look_say(look, "files are %s %s the clock of this machine",
                           look_duration(look, skew), time < before ? "behind" : "ahead of"),
                  "synchronise both clocks (chrony, NTP): the ages of files mislead "
                  "else");
    else
        look_tell(look, "clock", DOCTOR_GOOD, "file times agree with the clock of this machine",
                  NULL);
}

static void look_free(struct look *look, const char *dir)
{
    struct statvfs info;
    if (statvfs(dir, &info) != 0)
        return;
    double left = (double)info.f_bavail * (double)info.f_frsize;
    double all = (double)info.f_blocks * (double)info.f_frsize;
    bool few_files = info.f_files > 0 && info.f_favail < 1000;
    bool little = left < 1e9;
    look_tell(look, "space", little || few_files ? DOCTOR_WARNING : DOCTOR_GOOD,
              look_say(look, "%s of %s free%s", look_bytes(look, left), look_bytes(look, all),
                       few_files ? ", but almost no free inodes" : ""),
              little || few_files
                  ? "free some space: a journal is small, but outputs and checkpoints "
                    "of trials are not"
                  : NULL);
}

void look_folder(struct look *look)
{
    const char *given = look->question->dir ? look->question->dir : ".";
    char dir[PATH_MAX];
    if (!realpath(given, dir)) {
        look_tell(look, "writing", DOCTOR_BAD, look_say(look, "%s: %s", given, strerror(errno)),
                  "name an existing folder");
        return;
    }
    struct trial_file file = try_file(dir);
    look_type(look, dir);
    look_free(look, dir);
    if (file.fd < 0) {
        tell_unwritable(look, dir, file.number);
        return;
    }
    if (file.rename_number)
        look_tell(look, "writing", DOCTOR_BAD,
                  look_say(look, "cannot replace a file: %s", strerror(file.rename_number)),
                  "choose another folder");
    else
        look_tell(look, "writing", DOCTOR_GOOD, "files can be created and replaced", NULL);
    look_nodes(look, dir);
    tell_locks(look, dir, &file);
    look_sync(look, file.fd);
    look_clock(look, file.fd);
    close(file.fd);
}
