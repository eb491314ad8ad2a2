/* ranks.c - a command as a rank of an MPI job. */
#include "cli/ranks.h"
#include "cli/drive.h"

#include "helper/helper.h"
#include "run/run.h"

#include <signal.h>
#include <unistd.h>

/* srun without MPI starts copies that do not know of each other: each would run the whole study. */
static int refuse_copies(const struct comm_launch *launch)
{
    struct err e = {0};
    err_set(&e, ERR_USER,
            "srun started %d copies of wick that cannot communicate: add --mpi=pmix to srun "
            "(MPICH: --mpi=pmi2), or start wick once",
            launch->size);
    return launch->rank == 0 ? cli_fail(&e) : 2;
}

/*
 * Rank 0 reads these from a descriptor and decides when to stop; the launcher sends them to all
 * ranks. They are blocked before MPI starts, or its threads would receive them and die.
 */
static void block_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    drive_add_notices(&signals);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

/* ---- leaving ---- */

static volatile sig_atomic_t last_code;

static void leave_now(int signal)
{
    (void)signal;
    _exit(last_code);
}

/*
 * MPI_Finalize() can hang: MPICH 4.0 does over several nodes, in one of six jobs. By then
 * everything is done and on disk, so the wait for it is short.
 */
static void close_mpi(struct comm *comm, int code)
{
    enum { PATIENCE = 10 }; /* seconds */
    struct sigaction action = {.sa_handler = leave_now};
    comm_mpi_end(comm);
    fflush(NULL);
    last_code = code;
    sigaction(SIGALRM, &action, NULL);
    alarm(PATIENCE);
    comm_mpi_close(comm);
    alarm(0);
}

/* ---- being a rank ---- */

static const struct cli_followers trials = {.follow = run_rank, .dismiss = run_dismiss};

/* A rank other than 0. */
static int follow(const struct cli_followers *followers, struct err *e)
{
    struct helper *helper;
    struct comm *comm;
    if (helper_start(&helper, 1, e)) /* before MPI, which does not tolerate forks */
        return cli_fail(e);
    if (comm_mpi_open(&comm, e)) {
        helper_stop(helper);
        sleep(
            1); /* mpirun ends all ranks with the first one: rank 0 must first say what is wrong */
        return e->code == ERR_USER ? 2 : 1;
    }
    bool whole = followers->follow(comm, helper);
    helper_stop(helper);
    comm_mpi_close(comm);
    return whole ? 0 : 1;
}

/* Runs the command on rank 0. Some launchers can only start the same number of ranks on each node.
 */
static int drive_ranks(const struct cli_command *command, int count, char **argv,
                       const struct mpiexec_layout *layout, struct comm *comm,
                       struct helper *helper)
{
    struct cli_ranks ranks = {.comm = comm, .helper = helper};
    if (layout->nodes > 0 && (uint64_t)comm_size(comm) > layout->ranks)
        ranks.per_node = (unsigned)layout->per_node;
    return cli_run_command(command, count, argv, &ranks);
}

int cli_rank(const struct cli_command *command, int count, char **argv)
{
    struct comm_launch launch = comm_launched();
    struct helper *helper;
    struct comm *comm;
    struct err e = {0};
    const struct cli_followers *followers = command->followers ? command->followers : &trials;
    if (launch.start == COMM_COPIES)
        return refuse_copies(&launch);
    block_signals();
    int front = launch.rank == 0 ? mpiexec_find() : -1;
    struct mpiexec_layout layout = mpiexec_layout_here();
    unsetenv(MPIEXEC_VARIABLE); /* not meant for trials that run wick themselves */
    if (launch.rank != 0)
        return follow(followers, &e); /* the error is the same everywhere, and rank 0 reports it */
    if (helper_start(&helper, 1, &e)) /* for a steering program */
        return mpiexec_tell(front, cli_fail(&e));
    if (comm_mpi_open(&comm, &e)) {
        helper_stop(helper);
        return mpiexec_tell(front, cli_fail(&e));
    }
    bool reaches_all = (uint64_t)comm_nodes(comm) >= layout.nodes;
    int code = 0;
    if (reaches_all)
        code = drive_ranks(command, count, argv, &layout, comm, helper);
    followers->dismiss(comm);
    helper_stop(helper);
    code = reaches_all ? mpiexec_tell(front, cli_finish(code))
                       : mpiexec_tell_nodes(front, &layout, comm_nodes(comm));
    close_mpi(comm, code);
    return code;
}
