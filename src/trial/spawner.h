/*
 * spawner.h - what a worker and the helper say to each other (private to this room).
 *
 * Each worker has a SOCK_SEQPACKET line to the helper, so a message is a packet:
 *
 *   worker                           helper
 *     ── SPAWN + stdout, stderr ────────▶   start this program; a third descriptor is its stdin
 *     ◀── SPAWN_FAILED, errno, where ────   when it could not be started
 *     ── SPAWN_SIGNAL ──────────────────▶   a signal for the whole group
 *     ◀─────────── SPAWN_ENDED ──────────   how it ended and what it used
 *
 *     ── SPAWN_SERVICE + socket, output ▶   start this program, which serves the worker itself
 *     ── SPAWN_SERVICE_END ─────────────▶   it is not needed any more
 *
 * A worker has one program at a time, and any number of services beside it.
 */
#ifndef TRIAL_SPAWNER_H
#define TRIAL_SPAWNER_H

#include "trial/trial.h"

#include <sys/resource.h>

enum { SPAWN_LIMIT = 160 << 10 }; /* bytes of a request: below the kernel's limit for a packet */
enum { SPAWN_DESCRIPTORS = 3 };   /* the most that go with one */

enum { SPAWN = 1, SPAWN_SIGNAL, SPAWN_FAILED, SPAWN_ENDED, SPAWN_SERVICE, SPAWN_SERVICE_END };

/*
 * Followed by strings, each ended by zero: folder, argv, NAME=value to set (NAME: to take away),
 * and the command of the language host that is to fork it, where there is one.
 */
struct spawn_request {
    int type;
    int signal;      /* of SPAWN_SIGNAL */
    uint64_t trial;  /* of a service: its number */
    uint64_t memory; /* bytes, 0: no limit */
    unsigned arguments, variables, host;
    bool pin;
    bool has_monitor; /* the program is started by a runtime that would die of its signals */
    bool is_inside;   /* it is in a container, and has begun where it should */
    cpu_set_t cores;
    struct rlimit descriptors; /* the limit that the user had, before Wick raised its own */
};

struct spawn_answer {
    int type;
    int number;     /* of SPAWN_FAILED: errno */
    bool in_folder; /* of SPAWN_FAILED: entering the folder failed, not the program */
    int status;     /* of SPAWN_ENDED: as from wait() */
    double processor;
    uint64_t peak_memory;
    uint64_t read, written; /* bytes; 0 when that cannot be told */
    uint64_t over_memory;   /* bytes that were in use when the limit was passed; 0: it was not */
    bool signalled;         /* a SPAWN_SIGNAL reached it before it had ended */
    char reason[160];       /* of SPAWN_FAILED: why, where errno does not tell */
};

/* The worker's end of its line. */
int spawner_line(const struct spawner *spawner, unsigned line);
/* Sends a packet with descriptors over a line; -1 and errno when that failed. */
int spawner_send(int line, const struct str *packet, const int *descriptors, size_t count,
                 int flags);
/* The user's own limit of open files, for the programs. */
struct rlimit spawner_descriptors(const struct spawner *spawner);

/*
 * The socket on which a worker listens for what its program says, and its path for the program. It
 * lies in a folder of our own, which goes when the helper ends.
 */
int spawner_socket(const struct spawner *spawner, unsigned line);
void spawner_address(const struct spawner *spawner, unsigned line, struct str *path);

/* The helper itself; returns when all lines are closed. */
void helper_loop(const int *lines, unsigned count);

#endif
