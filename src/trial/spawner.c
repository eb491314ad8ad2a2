/* spawner.c - fork the helper that starts the trials. */
#include "trial/spawner.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct spawner {
    pid_t pid;
    int *lines; /* by worker, from 0 */
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

int spawner_start(struct spawner **spawner, unsigned workers, struct err *e)
{
    struct rlimit descriptors = raise_descriptors();
    int *ours = memory_new(workers, sizeof *ours);
    int *theirs = memory_new(workers, sizeof *theirs);
    int failed = make_lines(ours, theirs, workers, e);
    pid_t pid = failed ? -1 : fork();
    if (pid == 0) {
        close_all(ours, workers);
        prctl(PR_SET_NAME, "wick-helper");
        if (comm_launched().start == COMM_MPI)
            leave_job();
        helper_loop(theirs, workers);
        _exit(0);
    }
    if (!failed) {
        int number = errno;
        close_all(theirs, workers);
        errno = number;
        if (pid < 0) {
            failed = err_system(e, "cannot start a process");
            close_all(ours, workers);
        }
    }
    free(theirs);
    if (failed) {
        free(ours);
        return failed;
    }
    *spawner = memory_new(1, sizeof **spawner);
    **spawner = (struct spawner){pid, ours, workers, descriptors};
    return 0;
}

struct rlimit spawner_descriptors(const struct spawner *spawner)
{
    return spawner->descriptors;
}

int spawner_line(const struct spawner *spawner, unsigned line)
{
    return spawner->lines[line - 1];
}

void spawner_stop(struct spawner *spawner)
{
    close_all(spawner->lines, spawner->count);
    while (waitpid(spawner->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    free(spawner->lines);
    free(spawner);
}
