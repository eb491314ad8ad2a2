/*
 * ranks.h - a command as a rank of an MPI job, and how such a job is started (private to cli).
 */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "balance/balance.h"
#include "cli/cli.h"
#include "comm/comm.h"

/* main.c: reads the words after a command's name, and runs it. */
int cli_run_command(const struct cli_command *command, int count, char **argv, struct comm *mpi);

/*
 * The command of a process that mpiexec or srun started several times. Rank 0 runs it; the others
 * read nothing, work for it, and say nothing. Returns the exit code.
 */
int cli_rank(const struct cli_command *command, int count, char **argv);

/* --mpi N: becomes mpiexec with N workers of this command. Returns only when it cannot. */
int ranks_launch(const struct cli_arguments *arguments, const struct balance_rules *rules,
                 struct err *e);

#endif
