/* ranks.h - a command as a rank of an MPI job, and starting such a job (private to cli). */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "balance/balance.h"
#include "cli/cli.h"
#include "comm/comm.h"

/* The MPI job that a command drives as its rank 0. */
struct cli_ranks {
    struct comm *comm;
    struct helper *helper;
    unsigned per_node; /* most workers of a node, where there are too many ranks; 0: no limit */
};

/* main.c: parses the words after the name of a command, and runs it. NULL: it is not a rank. */
int cli_run_command(const struct cli_command *command, int count, char **argv,
                    const struct cli_ranks *ranks);

/*
 * Runs a command in a process that mpiexec or srun started several times. Rank 0 runs it; the
 * others read nothing, work for rank 0, and print nothing. Returns the exit code.
 */
int cli_rank(const struct cli_command *command, int count, char **argv);

/* ---- mpiexec.c: the process that starts mpiexec and stays between it and the user ---- */

#define MPIEXEC_VARIABLE "WICK_FRONT"  /* name of the socket on which it waits for rank 0 */
#define MPIEXEC_LAYOUT   "WICK_LAYOUT" /* nodes, workers per node and ranks, as it wants them */

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
 * launcher may contain {ranks}, {nodes} and {per_node}; if none does, -n RANKS is added. If the
 * ranks do not reach all nodes, mpiexec is started again with the names of the nodes; if that does
 * not help, it is an error, and no trial was run.
 */
int mpiexec_run(const struct mpiexec_plan *plan);

/* How the ranks are meant to be placed; rank 0 finds it in its environment. */
struct mpiexec_layout {
    uint64_t nodes;    /* 0: not known */
    uint64_t per_node; /* workers of each node */
    uint64_t ranks;    /* workers, driver and other servers */
};

/* The layout of a plan. */
struct mpiexec_layout mpiexec_layout_of(const struct mpiexec_plan *plan);
/* On rank 0: the layout that the starter wants; takes it out of the environment. */
struct mpiexec_layout mpiexec_layout_here(void);

/* On rank 0: the connection to the process that started mpiexec, -1: none. */
int mpiexec_find(void);
/* On rank 0, at the end: sends it the exit code. Returns the exit code for mpiexec. */
int mpiexec_tell(int socket, int code);
/* On rank 0: tells it that the ranks reach only so many nodes, or fails. Returns as above. */
int mpiexec_tell_nodes(int socket, const struct mpiexec_layout *layout, int nodes);

/* ---- mpiexec_words.c: the command line that starts the ranks ---- */

/* The words of a command line; those created here live in the arena. */
struct mpiexec_words {
    const char **items; /* ended by NULL */
    size_t count, capacity;
    struct arena arena;
};

/* Fills in the command line; `hosts` is a descriptor of mpiexec_hosts(), or -1. */
int mpiexec_words_fill(struct mpiexec_words *words, const struct mpiexec_plan *plan, int hosts,
                       struct err *e);
/* Frees them. */
void mpiexec_words_free(struct mpiexec_words *words);
/* The program that is started: that of the launcher, WICK_MPIEXEC, or mpiexec. */
const char *mpiexec_program(const struct mpiexec_plan *plan);
/* True if that is Slurm's srun. */
bool mpiexec_is_srun(const struct mpiexec_plan *plan);
/* A descriptor of a file with the nodes for the program, -1 if it is no known MPI; close() it. */
int mpiexec_hosts(const struct mpiexec_plan *plan, const char *const *names);

#endif
