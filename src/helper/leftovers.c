/*
 * leftovers.c - end the processes of trials whose helper is gone.
 *
 * The programs themselves die with their helper (PR_SET_PDEATHSIG); what they have started does
 * not.
 *
 * While Wick lives, all of that becomes its child, since Wick is a "subreaper", too: a child keeps
 * its number until Wick has waited for it, so nobody else can be hit.
 *
 * When Wick was killed as well, nobody is their parent. The next run of the study on this node
 * knows them by two variables in their environment: WICK_FOLDER is its study folder, and at
 * WICK_RUN nobody listens any more. So neither another study nor another rank of this run can be
 * hit, and with a descriptor of the process (pidfd) neither can one that got its number meanwhile.
 * What has cleared its environment is not found.
 */
#include "helper/leftovers.h"

#include "helper/helper.h"
#include "helper/sockets.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ROUNDS = 200,    /* how often to look again */
    PAUSE = 10,      /* milliseconds before that */
    KILL_TIME = 1000 /* milliseconds until a killed process is gone, or hangs in the kernel */
};

static const double PATIENCE = 10; /* seconds for all that an earlier run has left */

/* ---- of this run ---- */

struct children {
    uint64_t since;
    unsigned found;
};

static void end_child(void *self, pid_t pid, const struct process *process)
{
    struct children *children = self;
    if (process->parent != getpid() || process->started <= children->since)
        return;
    children->found++;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, WNOHANG);
}

void leftovers_end_children(uint64_t since)
{
    if (!processes_are_ours())
        return;
    for (int round = 0; round < ROUNDS; round++) {
        struct children children = {.since = since};
        processes_visit(end_child, &children);
        if (children.found == 0)
            return;
        poll(NULL, 0, PAUSE);
    }
}

/* ---- of an earlier run ---- */

struct search {
    const char *folder; /* of the study */
    struct str text;    /* an environment */
    unsigned found;
};

/* True for this process, and those that it descends from: a trial may have started it. */
static bool is_above_us(pid_t pid)
{
    struct process process;
    for (pid_t at = getpid(); at > 1; at = process.parent) {
        if (at == pid)
            return true;
        if (!processes_read(at, &process))
            return false;
    }
    return false;
}

static bool is_ours(pid_t pid)
{
    char path[32];
    struct stat info;
    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    return stat(path, &info) == 0 && info.st_uid == geteuid();
}

static bool is_marked(struct search *search, pid_t pid)
{
    if (!processes_environment(pid, &search->text))
        return false;
    const char *folder = processes_variable(&search->text, "WICK_FOLDER");
    const char *run = processes_variable(&search->text, "WICK_RUN");
    return folder && run && strcmp(folder, search->folder) == 0 && sockets_are_deserted(run);
}

/* Without pidfd (Linux 5.3) there is a moment in which the number could become another's. */
static void end_process(pid_t pid, int descriptor)
{
    if (descriptor < 0) {
        kill(pid, SIGKILL);
        return;
    }
    struct pollfd poller = {descriptor, POLLIN, 0};
    (void)syscall(SYS_pidfd_send_signal, descriptor, SIGKILL, NULL, 0);
    poll(&poller, 1, KILL_TIME);
}

static void end_if_marked(void *self, pid_t pid, const struct process *process)
{
    struct search *search = self;
    (void)process;
    int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
    bool is_gone = descriptor < 0 && errno == ESRCH;
    if (!is_gone && is_ours(pid) && !is_above_us(pid) && is_marked(search, pid)) {
        search->found++;
        end_process(pid, descriptor);
    }
    if (descriptor >= 0)
        close(descriptor);
}

unsigned helper_end_leftovers(const char *dir)
{
    char *folder = realpath(dir, NULL); /* as in the environment of trials */
    struct search search = {.folder = folder};
    unsigned ended = 0;
    double until = clock_now() + PATIENCE;
    if (!folder || !processes_are_ours()) {
        free(folder);
        return 0;
    }
    do { /* until they have left nothing behind either */
        search.found = 0;
        processes_visit(end_if_marked, &search);
        ended += search.found;
    } while (search.found > 0 && clock_now() < until);
    str_free(&search.text);
    free(folder);
    return ended;
}
