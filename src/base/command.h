/*
 * command.h - run another program, such as one of a scheduler or a container runtime, and read its
 * output.
 *
 * There is no shell: the words are the argv of the program. It runs in its own process group with
 * an empty input, and when command_run() returns, the whole group has ended: a program that hangs
 * gets SIGTERM at the time limit and is killed a second later. Output beyond a limit is read and
 * dropped, so that no program can fill our memory or wait for us.
 */
#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H

#include "base/str.h"

#include <limits.h>
#include <stdbool.h>

struct err;

enum {
    COMMAND_OUTPUT = 1 << 20, /* bytes kept of each output by default */
    COMMAND_LATE = -1,        /* status: it had not ended at the time limit */
    COMMAND_MISSING = -2      /* status: it could not be started */
};

/* Zero is the default: no time limit, our folder and environment. */
struct command_options {
    double limit;             /* seconds; 0: as long as it takes */
    size_t most;              /* bytes kept of each output; 0: COMMAND_OUTPUT */
    const char *folder;       /* where it runs; NULL: our folder */
    const char *input;        /* a file for its standard input; NULL: empty */
    char *const *environment; /* NAME=value, ended by NULL; NULL: ours. PATH is ours in any case */
};

/*
 * Runs argv (ended by NULL; a program without a slash is looked up on PATH) and appends what it
 * wrote to `out` and `err`; both may be the same, and output for NULL is dropped. *status, which
 * may be NULL, is its exit code, or 128 plus the number of the signal that ended it. Returns 0 if
 * it ran and ended by itself, whatever its status; else ERR_USER (there is no such program) or
 * ERR_SYSTEM (it could not be started, it was late, or what it wrote could not be read), with a
 * message that names it.
 */
int command_run(const char *const *argv, const struct command_options *options, struct str *out,
                struct str *err, int *status, struct err *e);

/*
 * Finds the program with this name on PATH, as an absolute path; a name with a slash is the program
 * itself. False if there is none.
 */
bool command_find(const char *name, char path[PATH_MAX]);

#endif
