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
#include "container/container.h"

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
    int listener;          /* where rank 0 connects */
    int rank_0_socket;     /* the connection to rank 0, -1 while there is none */
    int signals;           /* signalfd */
    sigset_t mask;         /* to be restored */
    bool has_code;         /* rank 0 has sent its code */
    bool lost;             /* rank 0 is gone without sending its code */
    bool terminated;       /* SIGTERM was received, which a scheduler sends to all processes */
    int code;
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
    if (f->rank_0_socket >= 0 || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 ||
        peer.uid != getuid() || peer.pid <= 0) {
        close(fd);
        return;
    }
    f->rank_0_socket = fd;
    f->rank_0 = peer.pid;
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

/* ---- the command line of mpiexec ---- */

/* The smallest number of ranks that includes this many workers besides servers. */
static int job_size(const struct balance_rules *rules, int workers)
{
    int size = workers + 1;
    while (balance_workers(rules, size) < workers)
        size++;
    return size;
}

/* The words of a command line; those created here live in the arena. */
struct words {
    const char **items; /* ended by NULL */
    size_t count, capacity;
    struct arena arena;
};

static void add_word(struct words *words, const char *word)
{
    words->items =
        memory_grow(words->items, &words->capacity, words->count + 2, sizeof *words->items);
    words->items[words->count++] = word;
    words->items[words->count] = NULL;
}

static const char *number_word(struct words *words, uint64_t number)
{
    return arena_printf(&words->arena, "%llu", (unsigned long long)number);
}

/*
 * Open MPI counts cores and binds ranks to them, but servers need none, and Wick assigns the cores
 * itself. It also ends a job when one rank dies, while Wick continues. Over several nodes ranks are
 * placed one by one, so that the first node gets the driver in addition to its workers, whatever
 * the number of slots means on a cluster.
 */
static void add_mpiexec(struct words *words, const char *program, const struct mpiexec_plan *plan,
                        uint64_t ranks)
{
    static const char *const open_mpi[] = {"--oversubscribe", "--bind-to", "none",
                                           "--enable-recovery"};
    struct container_mpi mpi;
    container_mpi_host(program, &mpi);
    bool is_open = mpi.family == MPI_OPEN; /* its options differ */
    add_word(words, program);
    for (size_t i = 0; is_open && i < sizeof open_mpi / sizeof *open_mpi; i++)
        add_word(words, open_mpi[i]);
    if (plan->nodes > 1) {
        add_word(words, is_open ? "--map-by" : "-ppn");
        add_word(words, is_open ? "node" : number_word(words, plan->workers / plan->nodes));
    }
    add_word(words, "-n");
    add_word(words, number_word(words, ranks));
}

/* Appends a word with its placeholders replaced; true if there were any. */
static bool add_filled(struct words *words, const char *word, const struct mpiexec_plan *plan,
                       uint64_t ranks)
{
    uint64_t nodes = plan->nodes > 0 ? plan->nodes : 1;
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {
        {"{ranks}", ranks}, {"{nodes}", nodes}, {"{per_node}", (ranks + nodes - 1) / nodes}};
    struct str text = {0};
    bool any = false;
    for (const char *at = word; *at;) {
        size_t i = 0;
        while (i < 3 && strncmp(at, numbers[i].name, strlen(numbers[i].name)) != 0)
            i++;
        if (i == 3) {
            str_add_char(&text, *at++);
            continue;
        }
        str_printf(&text, "%llu", (unsigned long long)numbers[i].value);
        at += strlen(numbers[i].name);
        any = true;
    }
    add_word(words, arena_copy(&words->arena, str_text(&text), text.length));
    str_free(&text);
    return any;
}

static void add_launcher(struct words *words, const struct mpiexec_plan *plan, uint64_t ranks)
{
    const char *program = plan->launcher[0], *slash = strrchr(program, '/');
    bool filled = false;
    for (size_t i = 0; plan->launcher[i]; i++)
        filled |= add_filled(words, plan->launcher[i], plan, ranks);
    if (filled)
        return;
    if (strcmp(slash ? slash + 1 : program, "srun") == 0)
        add_word(words, "--overcommit"); /* rank 0 does not need its own core */
    add_word(words, "-n");
    add_word(words, number_word(words, ranks));
}

static int fill_words(struct words *words, const struct mpiexec_plan *plan, struct err *e)
{
    char here[4096];
    uint64_t ranks = (uint64_t)job_size(&plan->rules, (int)plan->workers);
    const char *program = getenv("WICK_MPIEXEC");
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length < 0)
        return err_system(e, "cannot find the wick program itself");
    if (plan->launcher && plan->launcher[0])
        add_launcher(words, plan, ranks);
    else
        add_mpiexec(words, program && *program ? program : "mpiexec", plan, ranks);
    add_word(words, arena_copy(&words->arena, here, (size_t)length));
    for (size_t i = 0; plan->command[i]; i++)
        add_word(words, plan->command[i]);
    return 0;
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

/* When a node is lost, Slurm would otherwise kill mpirun's daemons on all other nodes. */
static void set_environment(void)
{
    setenv("OMPI_MCA_plm_slurm_args", "--no-kill", 0);
}

static int start(struct starter *f, const struct mpiexec_plan *plan, struct err *e)
{
    struct words words = {0};
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
    set_environment();
    if (fill_words(&words, plan, e) == 0 && words.count > 0)
        start_mpiexec(f, words.items, e);
    free(words.items);
    arena_free(&words.arena);
    return e->code;
}

int mpiexec_run(const struct mpiexec_plan *plan)
{
    struct starter f = {.listener = -1, .rank_0_socket = -1, .signals = -1};
    struct err e = {0};
    if (!start(&f, plan, &e))
        attend(&f);
    if (f.listener >= 0)
        close(f.listener);
    if (f.signals >= 0)
        drive_signals_end(f.signals, &f.mask);
    if (f.lost)
        err_set(
            &e, ERR_SYSTEM,
            "rank 0 of the job was lost: finished trials are saved; continue with `wick resume`");
    int code = e.code ? cli_fail(&e) : f.code;
    return f.lost && f.terminated ? 128 + SIGTERM : code;
}
