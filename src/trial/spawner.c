/* spawner.c - fork the helper that starts the trials. */
#include "trial/spawner.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BACKLOG = 128,      /* connections that wait to be accepted */
    DESERTED_AFTER = 60 /* seconds that a folder without a listener is left alone */
};

static const char FOLDER_NAME[] = "wick-line-";

struct spawner {
    pid_t pid;
    int *lines;   /* by worker, from 0 */
    int *sockets; /* the same */
    char *folder; /* of the sockets */
    unsigned count;
    struct rlimit descriptors;
};

/* Each worker needs a handful of descriptors, and the usual limit is 1024; programs keep theirs. */
static struct rlimit raise_descriptors(void)
{
    struct rlimit old = {0};
    getrlimit(RLIMIT_NOFILE, &old);
    struct rlimit most = {old.rlim_max, old.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most);
    return old;
}

/*
 * A trial is no rank of the MPI job that Wick runs in: a program that uses MPI itself, or a
 * framework that looks for a job of several processes, must not take it for one.
 */
static void leave_job(void)
{
    static const char *const prefixes[] = {
        "OMPI_",        "PMIX_",         "PMI_",         "ORTE_",        "HYDI_",
        "HYDRA_",       "MPI_LOCAL",     "SLURM_STEP",   "SLURM_PMIX",   "MPIR_CVAR_CH3",
        "SLURM_PROCID", "SLURM_LOCALID", "SLURM_NTASKS", "SLURM_NPROCS", "SLURM_TASKS_PER_NODE",
        "SLURM_GTIDS"};
    for (size_t i = 0; environ[i];) {
        const char *variable = environ[i];
        size_t p = 0;
        while (p < sizeof prefixes / sizeof *prefixes &&
               strncmp(variable, prefixes[p], strlen(prefixes[p])) != 0)
            p++;
        if (p == sizeof prefixes / sizeof *prefixes) {
            i++;
            continue;
        }
        char *name = memory_copy(variable);
        name[strcspn(name, "=")] = 0;
        unsetenv(name); /* the rest moves down */
        free(name);
    }
}

static void close_all(int *lines, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        close(lines[i]);
}

static int make_lines(int *ours, int *theirs, unsigned count, struct err *e)
{
    for (unsigned i = 0; i < count; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
            err_system(e, "cannot make a line to worker %u", i + 1);
            close_all(ours, i);
            close_all(theirs, i);
            return ERR_SYSTEM;
        }
        ours[i] = pair[0];
        theirs[i] = pair[1];
    }
    return 0;
}

/* ---- the sockets ---- */

/* Whether nobody listens in a folder any more. One that is young may not listen yet. */
static bool is_deserted(const char *folder)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat info;
    if (lstat(folder, &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
        time(NULL) - info.st_mtime < DESERTED_AFTER ||
        (size_t)snprintf(address.sun_path, sizeof address.sun_path, "%s/1", folder) >=
            sizeof address.sun_path)
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool deserted = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) != 0 &&
                    errno == ECONNREFUSED;
    if (fd >= 0)
        close(fd);
    return deserted;
}

static void remove_all(const char *folder)
{
    struct str path = {0};
    DIR *files = opendir(folder);
    for (struct dirent *file; files && (file = readdir(files));) {
        str_clear(&path);
        str_printf(&path, "%s/%s", folder, file->d_name);
        unlink(path.text);
    }
    if (files)
        closedir(files);
    rmdir(folder);
    str_free(&path);
}

/* Removes what was left by those whose helper was killed, too, as the end of a batch job does. */
static void remove_deserted(const char *place)
{
    struct str path = {0};
    DIR *folders = opendir(place);
    for (struct dirent *folder; folders && (folder = readdir(folders));) {
        if (strncmp(folder->d_name, FOLDER_NAME, sizeof FOLDER_NAME - 1) != 0)
            continue;
        str_clear(&path);
        str_printf(&path, "%s/%s", place, folder->d_name);
        if (is_deserted(path.text))
            remove_all(path.text);
    }
    if (folders)
        closedir(folders);
    str_free(&path);
}

/* A folder that only this user may enter, with a name short enough for sockets in it. */
static int make_folder(struct str *folder, struct err *e)
{
    const char *own = getenv("TMPDIR");
    const char *const places[] = {"/tmp", own ? own : "/var/tmp"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        str_clear(folder);
        str_printf(folder, "%s/%sXXXXXX", places[i], FOLDER_NAME);
        bool fits =
            folder->length + sizeof "/4294967295" <= sizeof((struct sockaddr_un *)0)->sun_path;
        if (fits && mkdtemp(folder->text)) {
            remove_deserted(places[i]);
            return 0;
        }
    }
    return err_system(e, "cannot make a folder for sockets in /tmp, nor in $TMPDIR");
}

static void add_address(const char *folder, unsigned line, struct str *path)
{
    str_printf(path, "%s/%u", folder, line);
}

static int listen_at(const char *path, int *fd)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd >= 0 && bind(*fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
        listen(*fd, BACKLOG) == 0)
        return 0;
    if (*fd >= 0)
        close(*fd);
    return -1;
}

static int make_sockets(const char *folder, int *sockets, unsigned count, struct err *e)
{
    struct str path = {0};
    int failed = 0;
    for (unsigned i = 0; i < count && !failed; i++) {
        str_clear(&path);
        add_address(folder, i + 1, &path);
        if (listen_at(path.text, &sockets[i]) != 0) {
            failed = err_system(e, "cannot listen at %s", path.text);
            close_all(sockets, i);
        }
    }
    str_free(&path);
    return failed;
}

/* ---- the helper ---- */

/* The helper's part of the fork: it never returns. */
static _Noreturn void be_helper(struct spawner *s, int *theirs)
{
    close_all(s->lines, s->count);
    close_all(s->sockets, s->count);
    prctl(PR_SET_NAME, "wick-helper");
    if (comm_launched().start == COMM_MPI)
        leave_job();
    helper_loop(theirs, s->count);
    remove_all(s->folder);
    _exit(0);
}

static int fork_helper(struct spawner *s, struct err *e)
{
    int *theirs = memory_new(s->count, sizeof *theirs);
    int failed = make_lines(s->lines, theirs, s->count, e);
    if (!failed) {
        s->pid = fork();
        if (s->pid == 0)
            be_helper(s, theirs);
        if (s->pid < 0) {
            failed = err_system(e, "cannot start a process");
            close_all(s->lines, s->count);
        }
        close_all(theirs, s->count);
    }
    free(theirs);
    return failed;
}

static void spawner_free(struct spawner *s)
{
    free(s->lines);
    free(s->sockets);
    free(s->folder);
    free(s);
}

int spawner_start(struct spawner **spawner, unsigned workers, struct err *e)
{
    struct spawner *s = memory_new(1, sizeof *s);
    struct str folder = {0};
    *s = (struct spawner){.count = workers,
                          .descriptors = raise_descriptors(),
                          .lines = memory_new(workers, sizeof *s->lines),
                          .sockets = memory_new(workers, sizeof *s->sockets)};
    int failed = make_folder(&folder, e);
    s->folder = memory_copy(str_text(&folder));
    str_free(&folder);
    if (!failed) {
        failed = make_sockets(s->folder, s->sockets, workers, e);
        if (!failed && (failed = fork_helper(s, e)))
            close_all(s->sockets, workers);
        if (failed)
            remove_all(s->folder);
    }
    if (failed)
        spawner_free(s);
    else
        *spawner = s;
    return failed;
}

struct rlimit spawner_descriptors(const struct spawner *spawner)
{
    return spawner->descriptors;
}

int spawner_line(const struct spawner *spawner, unsigned line)
{
    return spawner->lines[line - 1];
}

int spawner_socket(const struct spawner *spawner, unsigned line)
{
    return spawner->sockets[line - 1];
}

void spawner_address(const struct spawner *spawner, unsigned line, struct str *path)
{
    add_address(spawner->folder, line, path);
}

int spawner_send(int line, const struct str *packet, const int *descriptors, size_t count,
                 int flags)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(SPAWN_DESCRIPTORS * sizeof(int))];
    } control = {0};
    struct iovec vector = {packet->text, packet->length};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = CMSG_SPACE(count * sizeof(int))};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    return sendmsg(line, &message, MSG_NOSIGNAL | flags) < 0 ? -1 : 0;
}

void spawner_stop(struct spawner *spawner)
{
    close_all(spawner->lines, spawner->count);
    close_all(spawner->sockets, spawner->count);
    while (waitpid(spawner->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    remove_all(spawner->folder); /* should the helper have been killed */
    spawner_free(spawner);
}
