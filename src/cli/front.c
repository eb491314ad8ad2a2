/*
 * front.c - --mpi N: starts mpiexec with this command, and stays in front of it.
 *
 * It could become mpiexec, but then the user would not get what Wick promises: Open MPI's, told to
 * go on when a rank dies, ends with code 0 whatever rank 0 ended with; and when it gets a Ctrl-C it
 * kills all ranks a second later, which rank 0 would wait for. So mpiexec gets a process group of
 * its own, where Ctrl-C does not reach it, and rank 0 finds this process by a socket:
 *
 *   user ── signals ──▶ front ── signals ──▶ rank 0
 *                         │ ◀── exit code ──── │
 *                         └── starts ──▶ mpiexec ── starts ──▶ all ranks
 *
 * Where rank 0 is on another machine it does not find it; then signals go to mpiexec, and the exit
 * code is that of mpiexec.
 */
#include "cli/drive.h"
#include "cli/ranks.h"

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

struct front {
    pid_t mpiexec, rank_0; /* rank_0: 0 while it is not known */
    int listener, line;    /* line: to rank 0, -1 while there is none */
    int signals;           /* signalfd */
    bool told;             /* rank 0 has told its code */
    bool lost;             /* rank 0 is gone without a word */
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
            setenv(FRONT_VARIABLE, name, 1) == 0)
            return fd;
    }
    err_system(e, "cannot make a socket for rank 0");
    if (fd >= 0)
        close(fd);
    return -1;
}

static void take_line(struct front *f)
{
    struct ucred peer = {0};
    socklen_t length = sizeof peer;
    int fd = accept4(f->listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return;
    if (f->line >= 0 || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 ||
        peer.uid != getuid() || peer.pid <= 0) {
        close(fd);
        return;
    }
    f->line = fd;
    f->rank_0 = peer.pid;
}

static void take_code(struct front *f)
{
    f->told |= recv(f->line, &f->code, sizeof f->code, 0) == sizeof f->code;
    f->lost = !f->told;
    close(f->line);
    f->line = -1;
    f->rank_0 = 0;
    if (f->lost) /* the others would find that out later */
        kill(f->mpiexec, SIGTERM);
}

int front_find(void)
{
    const char *name = getenv(FRONT_VARIABLE);
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

int front_tell(int line, int code)
{
    if (line < 0 || send(line, &code, sizeof code, MSG_NOSIGNAL) != sizeof code)
        return code;
    return 0; /* launchers make a noise about anything else */
}

/* ---- the command line of mpiexec ---- */

/* Whether a program's --version speaks of Open MPI, whose options differ. */
static bool is_open_mpi(const char *program)
{
    int line[2];
    if (pipe(line) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(line[1], STDOUT_FILENO);
        dup2(line[1], STDERR_FILENO);
        execlp(program, program, "--version", (char *)NULL);
        _exit(127);
    }
    close(line[1]);
    struct str text = {0};
    char part[512];
    for (ssize_t got; (got = read(line[0], part, sizeof part)) > 0;)
        str_add_bytes(&text, part, (size_t)got);
    close(line[0]);
    waitpid(pid, NULL, 0);
    bool open = strstr(str_text(&text), "Open MPI") || strstr(str_text(&text), "OpenRTE");
    str_free(&text);
    return open;
}

/* The smallest job that has so many workers beside its servers. */
static int job_size(const struct balance_rules *rules, int workers)
{
    int size = workers + 1;
    while (balance_workers(rules, size) < workers)
        size++;
    return size;
}

/*
 * Open MPI counts cores and binds ranks to them, but servers need none, and Wick deals the cores
 * out itself; and it ends a job when one rank dies, but Wick goes on.
 */
static size_t add_mpiexec(const char **words, const char *program, const char *size)
{
    static const char *const open_mpi[] = {"--oversubscribe", "--bind-to", "none",
                                           "--enable-recovery"};
    size_t count = 0, options = is_open_mpi(program) ? sizeof open_mpi / sizeof *open_mpi : 0;
    words[count++] = program;
    for (size_t i = 0; i < options; i++)
        words[count++] = open_mpi[i];
    words[count++] = "-n";
    words[count++] = size;
    return count;
}

/* What was typed, but for --mpi itself. */
static void add_typed(const char **words, size_t count, char **typed)
{
    for (size_t i = 0; typed[i]; i++) {
        if (strcmp(typed[i], "--") == 0) { /* the rest is the model's */
            while (typed[i])
                words[count++] = typed[i++];
            return;
        }
        if (strcmp(typed[i], "--mpi") == 0)
            i++;
        else if (strncmp(typed[i], "--mpi=", 6) != 0)
            words[count++] = typed[i];
    }
}

/* ---- mpiexec ---- */

/* Between vfork() and exec: system calls only. Its input is empty: it is in the background. */
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

static int start_mpiexec(struct front *f, const char *const *words, struct err *e)
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
                   "--mpi needs mpiexec, and cannot start '%s' (%s): install openmpi-bin or mpich, "
                   "load the site's module, or name it in WICK_MPIEXEC",
                   words[0], strerror(number));
}

/* Passes a signal on; false when mpiexec has ended, whose code counts if rank 0 told none. */
static bool take_signal(struct front *f)
{
    struct signalfd_siginfo info;
    int status;
    if (read(f->signals, &info, sizeof info) != sizeof info)
        return true;
    if (info.ssi_signo != SIGCHLD) {
        kill(f->rank_0 ? f->rank_0 : f->mpiexec, (int)info.ssi_signo);
        return true;
    }
    if (waitpid(f->mpiexec, &status, WNOHANG) != f->mpiexec)
        return true;
    if (f->line >= 0) /* it may have told its code in the last moment */
        take_code(f);
    if (!f->told)
        f->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return false;
}

static void attend(struct front *f)
{
    enum { PATIENCE = 30000 }; /* milliseconds that mpiexec has after the end of rank 0 */
    for (bool runs = true; runs;) {
        struct pollfd polls[] = {{f->signals, POLLIN, 0},
                                 {f->line >= 0 ? f->line : f->listener, POLLIN, 0}};
        int ready = poll(polls, 2, f->told ? PATIENCE : -1);
        if (ready == 0)
            kill(f->mpiexec, SIGTERM);
        if (ready <= 0)
            continue;
        if (polls[1].revents && f->line >= 0)
            take_code(f);
        else if (polls[1].revents)
            take_line(f);
        if (polls[0].revents)
            runs = take_signal(f);
    }
}

/* ---- all together ---- */

static int start(struct front *f, const struct cli_arguments *arguments,
                 const struct balance_rules *rules, struct err *e)
{
    uint64_t workers = 0;
    char here[4096], size[16];
    size_t typed = 0;
    if (arguments->mpi)
        return err_set(e, ERR_USER, "--mpi starts an MPI job, and this is one: leave --mpi out");
    if (cli_whole(arguments, "mpi", 1, 1000000, &workers, e))
        return e->code;
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length < 0)
        return err_system(e, "cannot find my own program");
    here[length] = 0;
    f->listener = listen_for_rank_0(e);
    if (f->listener < 0)
        return e->code;
    sigset_t child, old;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    f->signals = drive_signals(child, &old, e);
    if (f->signals < 0)
        return e->code;
    while (arguments->typed[typed])
        typed++;
    const char **words = memory_new(typed + 16, sizeof *words);
    const char *program = getenv("WICK_MPIEXEC");
    snprintf(size, sizeof size, "%d", job_size(rules, (int)workers));
    size_t count = add_mpiexec(words, program && *program ? program : "mpiexec", size);
    words[count++] = here;
    words[count++] = arguments->command->name;
    add_typed(words, count, arguments->typed);
    start_mpiexec(f, words, e);
    free(words);
    return e->code;
}

int front_run(const struct cli_arguments *arguments, const struct balance_rules *rules)
{
    struct front f = {.listener = -1, .line = -1, .signals = -1};
    struct err e = {0};
    if (!start(&f, arguments, rules, &e))
        attend(&f);
    if (f.listener >= 0)
        close(f.listener);
    if (f.signals >= 0)
        close(f.signals);
    if (f.lost)
        err_set(&e, ERR_SYSTEM,
                "rank 0 of the job was lost: what had ended is saved, go on with `wick resume`");
    return e.code ? cli_fail(&e) : f.code;
}
