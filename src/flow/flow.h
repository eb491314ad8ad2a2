/*
 * flow - the runtime of the dataflow language: runs the intermediate form on the ranks of comm.
 *
 * Rank 0 serves: it hands out tasks, keeps the data (both are balance's), prints what the script
 * prints, and says what went wrong. All other ranks are workers, numbered from 0 in the script;
 * each runs one task at a time (task.h). What must wait for data becomes a task that the store of
 * balance releases.
 *
 *   worker                                rank 0
 *     ── operations on data, tasks ─────▶   balance
 *     ◀───────────── tasks, answers ─────
 *     ── FLOW_PRINT ────────────────────▶   stdout, in the order in which it comes
 *     ── FLOW_FAIL ─────────────────────▶   the message; everybody is told to end
 *     ◀────────────────── FLOW_ABORT ────
 */
#ifndef FLOW_FLOW_H
#define FLOW_FLOW_H

#include "base/base.h"
#include "code/code.h"
#include "comm/comm.h"
#include "helper/helper.h"
#include "machine/machine.h"

/* A run; all of it must outlive the run. */
struct flow_options {
    const struct code *code;
    const char *program;          /* the script's name: argp(0) */
    const char *const *arguments; /* of the script, ended by NULL */
    int workers;
    bool labels_lines; /* each line of output starts with the rank that printed it */
    uint64_t memory;   /* bytes that this process may use before the run is given up; 0: no limit */
    double time;       /* seconds after which the run is given up; 0: no limit */
    void *self;
    void (*print)(void *self, const char *text, size_t length);       /* on the calling thread */
    void (*print_error)(void *self, const char *text, size_t length); /* what programs complain */
    void (*complain)(void *self, const char *text); /* a line for stderr, likewise */
};

/* How a run ended. */
enum flow_end {
    FLOW_GOOD,
    FLOW_FAILED, /* a function or program failed, or a variable was assigned twice */
    FLOW_STUCK,  /* something waits for a variable that nothing assigns */
};

/* Checks the environment variables that a run reads: ERR_USER if one cannot be understood. */
int flow_check(struct err *e);

/*
 * Runs a script on threads of this process. The helper, forked before, starts programs and
 * interpreters; it has a channel for each worker. ERR_SYSTEM if the run cannot start.
 */
int flow_run_threads(const struct flow_options *options, struct helper *helper, enum flow_end *end,
                     struct err *e);

/* The same as rank 0 of an MPI job, whose other ranks call flow_follow(). */
enum flow_end flow_run_mpi(const struct flow_options *options, struct comm *comm);
/* What a rank other than 0 does, until rank 0 lets it go. Returns true. */
bool flow_follow(struct comm *comm, struct helper *helper);
/* On rank 0: lets the other ranks go when there is no script to run. */
void flow_dismiss(struct comm *comm);

/* The same in the simulator, where a script has no helper. */
int flow_simulate(const struct flow_options *options, const struct comm_world *world,
                  enum flow_end *end, struct err *e);

#endif
