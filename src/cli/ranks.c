/* ranks.c - a command as a rank of an MPI job, and how such a job is started. */
#include "cli/ranks.h"

#include "run/run.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- being a rank ---- */

/* srun without MPI starts copies that know nothing of each other: all would run the whole study. */
static int refuse_copies(const struct comm_launch *launch)
{
    struct err e = {0};
    err_set(&e, ERR_USER,
            "srun started %d copies of wick that cannot hear each other: add --mpi=pmix to srun "
            "(MPICH: --mpi=pmi2), or start wick once",
            launch->size);
    return launch->rank == 0 ? cli_fail(&e) : 2;
}

/*
 * Rank 0 takes these from a descriptor, and decides when to stop; the launcher sends them to all.
 * Blocked before MPI starts: its threads would take them else, and die of them.
 */
static void block_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

/* A rank other than 0. */
static int follow(struct err *e)
{
    struct spawner *spawner;
    struct comm *comm;
    if (spawner_start(&spawner, 1, e)) /* before MPI, which does not like forks */
        return cli_fail(e);
    if (comm_mpi_open(&comm, e)) {
        spawner_stop(spawner);
        return e->code == ERR_USER ? 2 : 1;
    }
    bool whole = run_rank(comm, spawner);
    spawner_stop(spawner);
    comm_mpi_close(comm);
    return whole ? 0 : 1;
}

int cli_rank(const struct cli_command *command, int count, char **argv)
{
    struct comm_launch launch = comm_launched();
    struct comm *comm;
    struct err e = {0};
    if (launch.start == COMM_COPIES)
        return refuse_copies(&launch);
    block_signals();
    if (launch.rank != 0)
        return follow(&e); /* what is wrong is the same everywhere, and rank 0 says it */
    if (comm_mpi_open(&comm, &e))
        return cli_fail(&e);
    int code = cli_run_command(command, count, argv, comm);
    run_dismiss(comm);
    comm_mpi_close(comm);
    return code;
}

/* ---- starting a job ---- */

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

/* What was typed, but for --mpi itself. */
static void add_typed(const char **words, size_t *count, char **typed)
{
    for (size_t i = 0; typed[i]; i++) {
        if (strcmp(typed[i], "--") == 0) { /* the rest is the model's */
            while (typed[i])
                words[(*count)++] = typed[i++];
            return;
        }
        if (strcmp(typed[i], "--mpi") == 0)
            i++;
        else if (strncmp(typed[i], "--mpi=", 6) != 0)
            words[(*count)++] = typed[i];
    }
}

/*
 * Open MPI counts cores and binds ranks to them, but servers need none, and Wick deals the cores
 * out itself; and it ends a job when one rank dies, but Wick goes on.
 */
static void add_mpiexec(const char **words, size_t *count, const char *program, const char *size)
{
    static const char *const open_mpi[] = {"--oversubscribe", "--bind-to", "none",
                                           "--enable-recovery"};
    words[(*count)++] = program;
    for (size_t i = 0; i < sizeof open_mpi / sizeof *open_mpi && is_open_mpi(program); i++)
        words[(*count)++] = open_mpi[i];
    words[(*count)++] = "-n";
    words[(*count)++] = size;
}

int ranks_launch(const struct cli_arguments *arguments, const struct balance_rules *rules,
                 struct err *e)
{
    uint64_t workers = 0;
    char here[4096], size[16];
    if (arguments->mpi)
        return err_set(e, ERR_USER, "--mpi starts an MPI job, and this is one: leave --mpi out");
    if (cli_whole(arguments, "mpi", 1, 1000000, &workers, e))
        return e->code;
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length < 0)
        return err_system(e, "cannot find my own program");
    here[length] = 0;
    snprintf(size, sizeof size, "%d", job_size(rules, (int)workers));
    size_t count = 0, typed = 0;
    while (arguments->typed[typed])
        typed++;
    const char **words = memory_new(typed + 16, sizeof *words);
    const char *program = getenv("WICK_MPIEXEC");
    add_mpiexec(words, &count, program ? program : "mpiexec", size);
    words[count++] = here;
    words[count++] = arguments->command->name;
    add_typed(words, &count, arguments->typed);
    fflush(NULL);
    execvp(words[0], (char **)words);
    err_set(e, ERR_USER,
            "--mpi needs mpiexec, and cannot start '%s' (%s): install openmpi-bin or mpich, load "
            "the site's module, or name it in WICK_MPIEXEC",
            words[0], strerror(errno));
    free(words);
    return e->code;
}
