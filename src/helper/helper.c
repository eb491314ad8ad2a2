/* helper.c - fork the helper, and the channels to it. */
#include "helper/helper.h"

#include "comm/comm.h"
#include "helper/leftovers.h"
#include "helper/loop.h"
#include "helper/sockets.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct helper {
    pid_t pid;
    int *channels; /* one per worker, from 0 */
    int *sockets;  /* the same */
    char *folder;  /* that holds the sockets */
    unsigned count;
    struct rlimit descriptors;
    uint64_t started; /* when, in clock ticks: what this process had started before is not ours */
};

/* Each worker needs a few descriptors, and the usual limit is 1024. Programs get the old limit. */
static struct rlimit raise_descriptors(void)
{
    struct rlimit old = {0};
    getrlimit(RLIMIT_NOFILE, &old);
    struct rlimit most = {old.rlim_max, old.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most);
    return old;
}

/*
 * A trial is not a rank of the MPI job that Wick runs in: a program that uses MPI itself, or a
 * framework that looks for a job of several processes, must not mistake it for one.
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

static void close_all(int *channels, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        close(channels[i]);
}

static int make_channels(int *ours, int *theirs, unsigned count, struct err *e)
{
    for (unsigned i = 0; i < count; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
            err_system(e, "cannot make a channel to worker %u", i + 1);
            close_all(ours, i);
            close_all(theirs, i);
            return ERR_SYSTEM;
        }
        ours[i] = pair[0];
        theirs[i] = pair[1];
    }
    return 0;
}

/* ---- the helper ---- */

/* The helper's part of the fork: it never returns. */
static _Noreturn void be_helper(struct helper *s, int *theirs)
{
    close_all(s->channels, s->count);
    close_all(s->sockets, s->count);
    prctl(PR_SET_NAME, "wick-helper");
    if (comm_launched().start == COMM_MPI)
        leave_job();
    loop_run(theirs, s->count);
    sockets_remove_folder(s->folder);
    _exit(0);
}

static int fork_helper(struct helper *s, struct err *e)
{
    int *theirs = memory_new(s->count, sizeof *theirs);
    int failed = make_channels(s->channels, theirs, s->count, e);
    if (!failed) {
        s->pid = fork();
        if (s->pid == 0)
            be_helper(s, theirs);
        if (s->pid < 0) {
            failed = err_system(e, "cannot start a process");
            close_all(s->channels, s->count);
        }
        close_all(theirs, s->count);
    }
    if (!failed) {
        struct process process = {.started = UINT64_MAX};
        processes_read(s->pid, &process);
        s->started = process.started;
        prctl(PR_SET_CHILD_SUBREAPER, 1); /* in case the helper is killed: see leftovers.c */
    }
    free(theirs);
    return failed;
}

static void helper_free(struct helper *s)
{
    free(s->channels);
    free(s->sockets);
    free(s->folder);
    free(s);
}

int helper_start(struct helper **helper, unsigned workers, struct err *e)
{
    struct helper *s = memory_new(1, sizeof *s);
    struct str folder = {0};
    *s = (struct helper){.count = workers,
                         .descriptors = raise_descriptors(),
                         .channels = memory_new(workers, sizeof *s->channels),
                         .sockets = memory_new(workers, sizeof *s->sockets)};
    int failed = sockets_make_folder(&folder, e);
    s->folder = memory_copy(str_text(&folder));
    str_free(&folder);
    if (!failed) {
        failed = sockets_make(s->folder, s->sockets, workers, e);
        if (!failed && (failed = fork_helper(s, e)))
            close_all(s->sockets, workers);
        if (failed)
            sockets_remove_folder(s->folder);
    }
    if (failed)
        helper_free(s);
    else
        *helper = s;
    return failed;
}

struct rlimit helper_descriptors(const struct helper *helper)
{
    return helper->descriptors;
}

unsigned helper_connections(const struct helper *helper)
{
    struct rlimit limit = {0};
    getrlimit(RLIMIT_NOFILE, &limit);
    rlim_t share = limit.rlim_cur / 2 / helper->count;
    return share < 1 ? 1 : share > UINT_MAX ? UINT_MAX : (unsigned)share;
}

int helper_channel(const struct helper *helper, unsigned channel)
{
    return helper->channels[channel - 1];
}

int helper_socket(const struct helper *helper, unsigned channel)
{
    return helper->sockets[channel - 1];
}

const char *helper_run(const struct helper *helper)
{
    return helper->folder;
}

void helper_address(const struct helper *helper, unsigned channel, struct str *path)
{
    sockets_address(helper->folder, channel, path);
}

int helper_send(int channel, const struct str *packet, const int *descriptors, size_t count,
                int flags)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(HELPER_DESCRIPTORS * sizeof(int))];
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
    return sendmsg(channel, &message, MSG_NOSIGNAL | flags) < 0 ? -1 : 0;
}

void helper_tell(int channel, const struct helper_request *request)
{
    while (send(channel, request, sizeof *request, MSG_NOSIGNAL) < 0) {
        if (errno == EINTR)
            continue;
        shutdown(channel, SHUT_RDWR);
        return;
    }
}

void helper_wake(const struct helper *helper)
{
    kill(helper->pid, SIGCONT);
}

void helper_stop(struct helper *helper)
{
    int status = 1; /* it stays so if the caller ignores SIGCHLD: then nobody knows */
    close_all(helper->channels, helper->count);
    close_all(helper->sockets, helper->count);
    helper_wake(helper);
    while (waitpid(helper->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (status != 0) {
        leftovers_end_children(helper->started);
        sockets_remove_folder(helper->folder);
    }
    helper_free(helper);
}
