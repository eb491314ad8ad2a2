/*
 * mpiexec.c - --mpi N, and jobs: starts mpiexec with a command, and stays between it and the user.
 *
 * This process could become mpiexec, but that would break what Wick promises. Open MPI's mpiexec,
 * told to continue when a rank dies, exits with code 0 whatever rank 0 exits with; and on Ctrl-C it
 * kills all ranks a second later, while rank 0 would wait for running trials. So mpiexec gets its
 * own process group, where Ctrl-C does not reach it, and rank 0 finds this process by a socket:
 *
 *   user ── signals ──▶ starter ── signals ──▶ rank 0
 *                         │ ◀── exit code ───── │
 *                         └── starts ──▶ mpiexec ── starts ──▶ all ranks
 *
 * If rank 0 is on another machine, it does not find the socket; then signals go to mpiexec, and its
 * exit code counts.
 */
#include "cli/drive.h"
#include "cli/ranks.h"
#include "launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

struct starter {
    pid_t mpiexec, rank_0; /* rank_0: 0 while it is unknown */
    int listener;          /* where rank 0 connects; -1 when it has */
    int rank_0_socket;     /* the connection to rank 0, -1 while there is none */
    int signals;           /* signalfd */
    sigset_t mask;         /* to be restored */
    bool has_code;         /* rank 0 has sent its code */
    bool lost;             /* rank 0 is gone without sending its code */
    bool terminated;       /* SIGTERM was received, which a scheduler sends to all processes */
    int code;              /* below 0: rank 0 says that the ranks reach only so many nodes */
};

/* ---- the socket: in the abstract name space, so that nothing is left behind ---- */

static socklen_t address_of(const char *name, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "wick-%s", name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen("wick-") + strlen(name));
}

static int listen_for_rank_0(struct err *e)
{
    uint64_t bits = 0;
    char name[32];
    struct sockaddr_un address;
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd >= 0 && getrandom(&bits, sizeof bits, 0) == sizeof bits) {
        snprintf(name, sizeof name, "%016llx", (unsigned long long)bits);
        socklen_t length = address_of(name, &address);
        if (bind(fd, (struct sockaddr *)&address, length) == 0 && listen(fd, 1) == 0 &&
            setenv(MPIEXEC_VARIABLE, name, 1) == 0)
            return fd;
    }
    err_system(e, "cannot create a socket for rank 0");
    if (fd >= 0)
        close(fd);
    return -1;
}

static void accept_rank_0(struct starter *f)
{
    struct ucred peer = {0};
    socklen_t length = sizeof peer;
    int fd = accept4(f->listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 || peer.uid != getuid() ||
        peer.pid <= 0) {
        close(fd);
        return;
    }
    f->rank_0_socket = fd;
    f->rank_0 = peer.pid;
    close(f->listener); /* nobody else is expected */
    f->listener = -1;
}

static void read_code(struct starter *f)
{
    f->has_code |= recv(f->rank_0_socket, &f->code, sizeof f->code, 0) == sizeof f->code;
    f->lost = !f->has_code;
    close(f->rank_0_socket);
    f->rank_0_socket = -1;
    f->rank_0 = 0;
    if (f->lost) /* the other ranks would notice later */
        kill(f->mpiexec, SIGTERM);
}

int mpiexec_find(void)
{
    const char *name = getenv(MPIEXEC_VARIABLE);
    struct sockaddr_un address;
    if (!name || strlen(name) != 16)
        return -1;
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    socklen_t length = address_of(name, &address);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, length) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

int mpiexec_tell(int socket, int code)
{
    if (socket < 0 || send(socket, &code, sizeof code, MSG_NOSIGNAL) != sizeof code)
        return code;
    return 0; /* launchers complain about anything else */
}

/* ---- the layout ---- */

static void pass_layout(const struct mpiexec_plan *plan)
{
    struct mpiexec_layout layout = mpiexec_layout_of(plan);
    char text[80];
    snprintf(text, sizeof text, "%llu %llu %llu", (unsigned long long)layout.nodes,
             (unsigned long long)layout.per_node, (unsigned long long)layout.ranks);
    if (plan->nodes > 1)
        setenv(MPIEXEC_LAYOUT, text, 1);
    else
        unsetenv(MPIEXEC_LAYOUT);
}

struct mpiexec_layout mpiexec_layout_here(void)
{
    const char *text = getenv(MPIEXEC_LAYOUT);
    unsigned long long nodes, per_node, ranks;
    bool is_given = text && sscanf(text, "%llu %llu %llu", &nodes, &per_node, &ranks) == 3;
    unsetenv(MPIEXEC_LAYOUT);
    return is_given ? (struct mpiexec_layout){nodes, per_node, ranks} : (struct mpiexec_layout){0};
}

/* Says how to reach all nodes. */
static int too_few_nodes(uint64_t wanted, int nodes, const char *program, struct err *e)
{
    const char *launcher = launch_here_launcher();
    return err_set(
        e, ERR_USER,
        "the job has %llu nodes, but %s started its ranks on only %d of them, so no trial "
        "was run: %s%s",
        (unsigned long long)wanted, program, nodes,
        launcher ? "name a launcher that uses all nodes, in 'job' or in the site file, "
                   "as in launcher: "
                 : "load an MPI that was built for this scheduler, or name a "
                   "'launcher' in 'job' or in the site file",
        launcher ? launcher : "");
}

int mpiexec_tell_nodes(int socket, const struct mpiexec_layout *layout, int nodes)
{
    struct err e = {0};
    if (socket >= 0 && mpiexec_tell(socket, -nodes) == 0)
        return 0;
    too_few_nodes(layout->nodes, nodes, "the launcher", &e);
    return cli_fail(&e);
}

/* ---- mpiexec ---- */

/*
 * Between vfork() and exec: system calls only. Its input is empty, since it runs in the background.
 */
_Noreturn static void become(const char *const *words, volatile int *number)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGXFSZ, SIG_DFL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    execvp(words[0], (char *const *)words);
    *number = errno;
    _exit(127);
}

static int start_mpiexec(struct starter *f, const char *const *words, struct err *e)
{
    volatile int number = 0; /* errno of a failed exec, written by the child */
    fflush(NULL);
    f->mpiexec = vfork();
    if (f->mpiexec == 0)
        become(words, &number);
    if (f->mpiexec < 0)
        return err_system(e, "cannot start a process");
    if (number == 0)
        return 0;
    waitpid(f->mpiexec, NULL, 0);
    return err_set(e, ERR_USER,
                   "cannot start '%s' (%s), which an MPI job needs: install openmpi-bin or mpich, "
                   "load the site's module, or set WICK_MPIEXEC",
                   words[0], strerror(number));
}

/* Forwards a signal; false if mpiexec has ended, whose exit code counts if rank 0 sent none. */
static bool forward_signal(struct starter *f)
{
    struct signalfd_siginfo info;
    int status;
    if (read(f->signals, &info, sizeof info) != sizeof info)
        return true;
    f->terminated |= info.ssi_signo == SIGTERM;
    if (info.ssi_signo != SIGCHLD) {
        kill(f->rank_0 ? f->rank_0 : f->mpiexec, (int)info.ssi_signo);
        return true;
    }
    if (waitpid(f->mpiexec, &status, WNOHANG) != f->mpiexec)
        return true;
    if (f->rank_0_socket >= 0) /* it may have sent its code at the last moment */
        read_code(f);
    if (!f->has_code)
        f->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return false;
}

static void attend(struct starter *f)
{
    enum { PATIENCE = 30000 }; /* milliseconds that mpiexec gets after the end of rank 0 */
    for (bool runs = true; runs;) {
        struct pollfd polls[] = {
            {f->signals, POLLIN, 0},
            {f->rank_0_socket >= 0 ? f->rank_0_socket : f->listener, POLLIN, 0}};
        int ready = poll(polls, 2, f->has_code ? PATIENCE : -1);
        if (ready == 0)
            kill(f->mpiexec, SIGTERM);
        if (ready <= 0)
            continue;
        if (polls[1].revents && f->rank_0_socket >= 0)
            read_code(f);
        else if (polls[1].revents)
            accept_rank_0(f);
        if (polls[0].revents)
            runs = forward_signal(f);
    }
}

/* ---- all together ---- */

/*
 * When a node is lost, Slurm would otherwise kill mpirun's daemons on all other nodes. The number
 * of tasks that the job was submitted with is not that of the ranks.
 */
static void set_environment(const struct mpiexec_plan *plan)
{
    setenv("OMPI_MCA_plm_slurm_args", "--no-kill", 0);
    if (mpiexec_is_srun(plan))
        unsetenv("SLURM_NTASKS_PER_NODE");
    pass_layout(plan);
}

static int start(struct starter *f, const struct mpiexec_plan *plan, int hosts, struct err *e)
{
    struct mpiexec_words words = {0};
    sigset_t more;
    f->listener = listen_for_rank_0(e);
    if (f->listener < 0)
        return e->code;
    sigemptyset(&more);
    sigaddset(&more, SIGCHLD);
    drive_add_notices(&more);
    f->signals = drive_signals(more, &f->mask, e);
    if (f->signals < 0)
        return e->code;
    set_environment(plan);
    if (mpiexec_words_fill(&words, plan, hosts, e) == 0 && words.count > 0)
        start_mpiexec(f, words.items, e);
    mpiexec_words_free(&words);
    return e->code;
}

/* Starts the ranks and waits for their end; returns the exit code. */
static int run_ranks(struct starter *f, const struct mpiexec_plan *plan, int hosts)
{
    struct err e = {0};
    *f = (struct starter){.listener = -1, .rank_0_socket = -1, .signals = -1};
    if (!start(f, plan, hosts, &e))
        attend(f);
    if (f->listener >= 0)
        close(f->listener);
    if (f->signals >= 0)
        drive_signals_end(f->signals, &f->mask);
    if (f->lost)
        err_set(
            &e, ERR_SYSTEM,
            "rank 0 of the job was lost: finished trials are saved; continue with `wick resume`");
    int code = e.code ? cli_fail(&e) : f->code;
    return f->lost && f->terminated ? 128 + SIGTERM : code;
}

/*
 * The ranks reach too few nodes: this MPI does not know the scheduler. It is told the names of the
 * nodes, if they are known.
 */
static int run_again(struct starter *f, const struct mpiexec_plan *plan)
{
    struct arena arena = {0};
    struct err e = {0};
    size_t count = 0;
    int nodes = -f->code, code = 0;
    const char *const *names = launch_here_nodes(&arena, &count);
    int hosts = names && count == plan->nodes ? mpiexec_hosts(plan, names) : -1;
    if (hosts >= 0) {
        cli_note("%s started its ranks on only %d of %llu nodes: it is started again with the "
                 "names of the nodes",
                 mpiexec_program(plan), nodes, (unsigned long long)plan->nodes);
        code = run_ranks(f, plan, hosts);
        close(hosts);
    }
    bool failed = f->has_code ? f->code < 0 : code != 0 && !f->terminated;
    if (failed) {
        too_few_nodes(plan->nodes, f->code < 0 ? -f->code : nodes, mpiexec_program(plan), &e);
        code = cli_fail(&e);
    }
    arena_free(&arena);
    return code;
}

int mpiexec_run(const struct mpiexec_plan *plan)
{
    struct starter f;
    int code = run_ranks(&f, plan, -1);
    return f.has_code && f.code < 0 ? run_again(&f, plan) : code;
}
