/* ranks.h - a command as a rank of an MPI job, and starting such a job (private to cli). */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "balance/balance.h"
#include "cli/cli.h"
#include "comm/comm.h"

/* main.c: parses the words after the name of a command, and runs it. */
int cli_run_command(const struct cli_command *command, int count, char **argv, struct comm *mpi,
                    struct helper *helper);

/*
 * Runs a command in a process that mpiexec or srun started several times. Rank 0 runs it; the
 * others read nothing, work for rank 0, and print nothing. Returns the exit code.
 */
int cli_rank(const struct cli_command *command, int count, char **argv);

/* ---- mpiexec.c: the process that starts mpiexec and stays between it and the user ---- */

#define MPIEXEC_VARIABLE "WICK_FRONT" /* name of the socket on which it waits for rank 0 */

/* What to start. */
struct mpiexec_plan {
    const char *const *command;  /* words after the name of the program, ended by NULL */
    uint64_t workers;            /* in total */
    uint64_t nodes;              /* to spread them over evenly; 0: leave it to the launcher */
    const char *const *launcher; /* used instead of mpiexec, ended by NULL; NULL: mpiexec */
    struct balance_rules rules;
};

/*
 * Runs mpiexec with this command on all ranks; returns the exit code of rank 0. The words of a
 * launcher may contain {ranks}, {nodes} and {per_node}; if none does, -n RANKS is added.
 */
int mpiexec_run(const struct mpiexec_plan *plan);

/* On rank 0: the connection to the process that started mpiexec, -1: none. */
int mpiexec_find(void);
/* On rank 0, at the end: sends it the exit code. Returns the exit code for mpiexec. */
int mpiexec_tell(int socket, int code);

#endif
