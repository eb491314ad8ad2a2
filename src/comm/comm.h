/*
 * comm - messages between ranks, timers and file descriptors: the only source of events.
 *
 * A rank is an actor: its handlers are called one at a time with an event (a message, a timer, a
 * descriptor that became ready), send messages, and return. Handlers never block, and they take the
 * time from comm_now(). So the same actors run on every back end:
 *
 *   threads  ranks are threads of this process; a rank without events sleeps in the kernel
 *   mpi      ranks are processes on many nodes; a rank without events sleeps and polls now and then
 *   sim      one thread and virtual time; a seed decides how long each message travels, so that any
 *            race can be provoked and reproduced
 *
 * Messages from one rank to another arrive in the order in which they were sent; there is no order
 * between different pairs of ranks. A rank may send to itself. Messages are copied, and sending
 * never waits.
 */
#ifndef COMM_COMM_H
#define COMM_COMM_H

#include "base/base.h"

struct comm; /* one rank's view of all ranks; only this rank's handlers use it */

struct comm_message {
    int from;
    int type; /* known to the sender and the receiver only */
    const unsigned char *bytes;
    size_t length;
};

/* The handlers of a rank; each is passed `self`. */
struct comm_actor {
    void *self;
    void (*start)(void *self, struct comm *comm); /* once, before any other event */
    void (*message)(void *self, const struct comm_message *message);
};

/* The number of this rank, from 0. */
int comm_rank(const struct comm *comm);
/* How many ranks there are. */
int comm_size(const struct comm *comm);

/*
 * How many nodes the ranks run on. Nodes are numbered from 0 in the order of their first rank; all
 * ranks agree.
 */
int comm_nodes(const struct comm *comm);
/* The node of a rank. */
int comm_node(const struct comm *comm, int rank);
/* The host name of a node. It lives as long as comm. */
const char *comm_node_name(const struct comm *comm, int node);

enum { COMM_ADDRESSES = 16 };
/*
 * True if a node of an MPI job has this IPv4 address, in network byte order, on one of its first
 * COMM_ADDRESSES interfaces beside loopback.
 */
bool comm_node_has_address(const struct comm *comm, int node, uint32_t address);

/*
 * A fingerprint of the node and the processors that a rank may use: ranks with the same fingerprint
 * share exactly these processors.
 */
uint64_t comm_processors(const struct comm *comm, int rank);

/*
 * Seconds since some moment before the start; never goes back. The clocks of all ranks agree, as
 * far as messages can synchronise them.
 */
double comm_now(const struct comm *comm);

/* Sends a message, whose bytes are copied. */
void comm_send(struct comm *comm, int to, int type, const void *bytes, size_t length);

/*
 * Gives another rank up for dead. From now on, messages to and from it are dropped, and nobody
 * waits for it at the end.
 */
void comm_forget(struct comm *comm, int rank);

/* Ends this rank's loop when the handler returns. Messages that still arrive are dropped. */
void comm_stop(struct comm *comm);

typedef void comm_handler(void *argument);

/*
 * Calls the handler once, `seconds` from now; returns the timer, which is never 0.
 */
uint64_t comm_after(struct comm *comm, double seconds, comm_handler *handler, void *argument);
/* Cancels a timer. If it has fired or been cancelled, nothing happens. */
void comm_cancel(struct comm *comm, uint64_t timer);

/* True if descriptors can be watched. The simulator has none. */
bool comm_watches(const struct comm *comm);
/*
 * Calls the handler whenever fd can be read (or its other end is closed), until comm_unwatch(). The
 * simulator never calls it.
 */
void comm_watch(struct comm *comm, int fd, comm_handler *handler, void *argument);
/* The same whenever fd can be written; a descriptor is watched for one of the two at a time. */
void comm_watch_writable(struct comm *comm, int fd, comm_handler *handler, void *argument);
/* Stops watching fd, which must be watched. The descriptor stays open. */
void comm_unwatch(struct comm *comm, int fd);

/*
 * Runs `size` ranks as threads of this process, rank 0 on the calling thread, until every rank has
 * stopped.
 */
int comm_threads(int size, const struct comm_actor *actors, struct err *e);

/* ---- the simulator ---- */

/* What happens to a rank: from `from` to `until` it does nothing. INFINITY: it is dead. */
struct comm_fate {
    int rank;
    double from, until; /* virtual seconds */
};

/* A world to simulate. Zeros are an ideal one: a single node, no delay, nobody dies. */
struct comm_world {
    uint64_t seed;
    double latency;     /* mean seconds that a message travels, exponentially distributed */
    double bandwidth;   /* bytes per second that a rank can send; 0: no limit */
    double handling;    /* seconds that a rank needs for each message it receives */
    double limit;       /* virtual seconds after which the simulation is given up; 0: never */
    int ranks_per_node; /* 0: all ranks are on one node */
    const struct comm_fate *fates;
    size_t fate_count;
};

/*
 * Runs `size` ranks in virtual time until every living rank has stopped; *seconds is how long that
 * took. ERR_SYSTEM when ranks wait and nothing can happen any more (a deadlock), or at the limit;
 * the message names the seed that reproduces it.
 */
int comm_simulate(int size, const struct comm_actor *actors, const struct comm_world *world,
                  double *seconds, struct err *e);

/* ---- MPI ---- */

/* How this process was started, judging by its environment; MPI is not touched. */
enum comm_start {
    COMM_ALONE,  /* by a user or a script, or as the only rank of a job */
    COMM_MPI,    /* as one of several ranks, by mpiexec or srun */
    COMM_COPIES, /* by srun, several times, but without MPI: they cannot reach each other */
};

struct comm_launch {
    enum comm_start start;
    int rank, size;
    const char
        *mpi; /* the family of MPI that started it, "openmpi" or "mpich"; "" unless COMM_MPI */
};

/* Reads the environment to tell how this process was started. */
struct comm_launch comm_launched(void);

/*
 * Loads the plug-in for the MPI that started this process and initialises MPI. Fork the processes
 * that must be forked before. *comm is this rank's; comm_mpi_close() it.
 */
int comm_mpi_open(struct comm **comm, struct err *e);

/* The families of MPI for which there can be a plug-in, ended by NULL. */
const char *const *comm_mpi_families(void);

/*
 * Whether the plug-in for a family exists (else ERR_USER, and `path` is "") and can be loaded, and
 * the version of its MPI. Another process tries it, because what MPI loads cannot be unloaded.
 */
int comm_mpi_probe(const char *family, char path[PATH_MAX], struct str *version, struct err *e);

/* The version of MPI in one line: "Open MPI v4.1.4". */
const char *comm_mpi_version(const struct comm *comm);

/* Runs this rank's actor until it has stopped. */
void comm_mpi_run(struct comm *comm, const struct comm_actor *actor);

/*
 * Makes `actor` this rank's. For code that waits inside a call, as the C library does, and calls
 * comm_mpi_wait() instead of comm_mpi_run().
 */
void comm_mpi_begin(struct comm *comm, const struct comm_actor *actor);
/* Handles events until *done is true. */
void comm_mpi_wait(struct comm *comm, const bool *done);

/*
 * Makes a communicator of these ranks, in this order; all of them must call it with the same ranks
 * and tag. `communicator` points to an MPI_Comm.
 */
int comm_mpi_group(struct comm *comm, const int *ranks, int count, int tag, void *communicator,
                   struct err *e);
/* Frees such a communicator; all its ranks must call it. */
void comm_mpi_ungroup(struct comm *comm, void *communicator);

/*
 * Waits until every living rank has come here; messages that still arrive are dropped. After this
 * nobody needs this process any more.
 */
void comm_mpi_end(struct comm *comm);

/*
 * Calls comm_mpi_end() unless that was done, then finalises MPI. If ranks have died, MPI cannot be
 * finalised in order and is left as it is: the process should exit soon.
 */
void comm_mpi_close(struct comm *comm);

#endif
