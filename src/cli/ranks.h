/*
 * ranks.h - a command as a rank of an MPI job, and how such a job is started (private to cli).
 */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "balance/balance.h"
#include "cli/cli.h"
#include "comm/comm.h"

/* main.c: reads the words after a command's name, and runs it. */
int cli_run_command(const struct cli_command *command, int count, char **argv, struct comm *mpi,
                    struct helper *helper);

/*
 * The command of a process that mpiexec or srun started several times. Rank 0 runs it; the others
 * read nothing, work for it, and say nothing. Returns the exit code.
 */
int cli_rank(const struct cli_command *command, int count, char **argv);

/* ---- mpiexec.c: the process that starts mpiexec and stays between it and the user ---- */

#define MPIEXEC_VARIABLE "WICK_FRONT" /* names the socket on which it waits for rank 0 */

struct mpiexec_plan {
    const char *const *command;  /* words after the program's own name, ended by NULL */
    uint64_t workers;            /* in all */
    uint64_t nodes;              /* over which they are spread evenly; 0: as the launcher does */
    const char *const *launcher; /* in place of mpiexec, ended by NULL; NULL: mpiexec */
    struct balance_rules rules;
};

/*
 * Runs mpiexec with this command on all ranks; returns the exit code of rank 0. The words of a
 * launcher may have {ranks}, {nodes} and {per_node} in them; where none has, -n RANKS follows.
 */
int mpiexec_run(const struct mpiexec_plan *plan);

/* On rank 0: the connection to the process that started mpiexec, -1: none. */
int mpiexec_find(void);
/* On rank 0, at the end: tells it the exit code. Returns the code that is left for mpiexec. */
int mpiexec_tell(int socket, int code);

#endif
