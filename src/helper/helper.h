/*
 * helper - the small process that starts and ends all programs.
 *
 * It is forked before Wick starts any thread or MPI, so that starting a program is cheap and safe,
 * and a Wick that dies leaves no program behind. No shell is involved, so no hyperparameter can
 * become a command. Each worker has a channel to the helper, a SOCK_SEQPACKET socket, so that each
 * message is a packet:
 *
 *   worker                             helper
 *     ── HELPER_START + stdout, stderr ──▶   start this program; a third descriptor is its stdin
 *     ◀── HELPER_FAILED, errno, where ────   it could not be started
 *     ── HELPER_SIGNAL ──────────────────▶   send a signal to the whole process group
 *     ◀─────────── HELPER_ENDED ──────────   how it ended and what it used
 *
 *     ── HELPER_SERVICE + socket, output ▶   start this program, which serves the worker itself
 *     ── HELPER_SERVICE_END ─────────────▶   it is no longer needed
 *
 * A channel has one program at a time, and any number of services beside it.
 */
#ifndef HELPER_HELPER_H
#define HELPER_HELPER_H

#include "base/base.h"

#include <sched.h>
#include <sys/resource.h>

/* The process, seen from Wick: owns the channels, and the sockets that trials connect to. */
struct helper;

/*
 * Forks the helper, with this many channels. Call it before any thread starts. When this process
 * ends, however it ends, the helper ends all programs and then itself. ERR_SYSTEM when it cannot.
 */
int helper_start(struct helper **helper, unsigned channels, struct err *e);
/*
 * Ends what still runs, waits for the helper, and frees all. If the helper was killed, what its
 * programs have left is ended here.
 */
void helper_stop(struct helper *helper);

/*
 * Lets the helper go on, if a trial has stopped it (SIGSTOP): it must hear what ends that trial. A
 * helper that is not stopped notices nothing.
 */
void helper_wake(const struct helper *helper);

/*
 * Ends what trials of an earlier run have left on this node, when that run was killed together with
 * its helper. Nobody else may be running the study in this folder. Returns how many processes.
 */
unsigned helper_end_leftovers(const char *dir);

enum { HELPER_REQUEST_LIMIT = 160 << 10 }; /* bytes: below the kernel's limit for a packet */
enum { HELPER_DESCRIPTORS = 3 };           /* the most that go with a request */

enum {
    HELPER_START = 1,
    HELPER_SIGNAL,
    HELPER_FAILED,
    HELPER_ENDED,
    HELPER_SERVICE,
    HELPER_SERVICE_END
};

/*
 * What a worker asks of the helper. Followed by strings, each ended by zero: the folder, argv,
 * NAME=value to set (NAME alone: to unset), and the command of the language host that is to fork
 * the program, where there is one.
 */
struct helper_request {
    int type;
    int signal;                          /* of HELPER_SIGNAL */
    uint64_t trial;                      /* of a service: its number */
    uint64_t memory;                     /* limit in bytes, 0: none */
    unsigned arguments, variables, host; /* how many strings of each kind */
    bool pin;
    bool has_monitor; /* the program is started by a runtime that would die of its signals */
    bool is_inside;   /* it is in a container, and has started where it should */
    cpu_set_t cores;
    struct rlimit descriptors; /* the limit that the user had, before Wick raised its own */
};

/* What the helper answers. */
struct helper_answer {
    int type;
    int number;     /* of HELPER_FAILED: errno */
    bool in_folder; /* of HELPER_FAILED: entering the folder failed, not the program */
    int status;     /* of HELPER_ENDED: as from wait() */
    double processor;
    uint64_t peak_memory;
    uint64_t read, written; /* bytes; 0 when they are not known */
    uint64_t over_memory;   /* bytes in use when the limit was exceeded; 0: it was not */
    bool signalled;         /* a HELPER_SIGNAL reached it before it had ended */
    char reason[160];       /* of HELPER_FAILED: why, where errno does not tell */
};

/* Our end of a channel, from 1. It stays the helper's. */
int helper_channel(const struct helper *helper, unsigned channel);
/* Sends a request with descriptors over a channel; -1 and errno when that failed. */
int helper_send(int channel, const struct str *request, const int *descriptors, size_t count,
                int flags);
/* The user's own limit of open files, for the programs. */
struct rlimit helper_descriptors(const struct helper *helper);

/*
 * Sends a request without descriptors. If that fails, the channel is shut down, so that its owner
 * reads its end, as when the helper has died: a lost request to end a program would let it run for
 * ever.
 */
void helper_tell(int channel, const struct helper_request *request);

/*
 * How many connections each trial socket may have, so that all of them together use no more than
 * half of the descriptors of this process.
 */
unsigned helper_connections(const struct helper *helper);

/*
 * The trial socket of a channel: it listens for what the program says. It lies in a folder of our
 * own, which is removed when the helper ends, and stays the helper's.
 */
int helper_socket(const struct helper *helper, unsigned channel);
/* The folder of these sockets, whose random name also is the name of this run on this node. */
const char *helper_run(const struct helper *helper);
/* Appends the path of that socket, for the program. */
void helper_address(const struct helper *helper, unsigned channel, struct str *path);

#endif
