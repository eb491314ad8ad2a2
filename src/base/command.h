/*
 * command.h - run another program and hear what it says: a scheduler's, a runtime's, an
 * interpreter's.
 *
 * There is no shell: the words are the program's argv. It is a process group of its own with an
 * empty input, and when command_run() returns all of that group has ended: a program that hangs is
 * told to end at the limit (SIGTERM), and is killed a second later. What it writes beyond a limit
 * is read and dropped, so that no program can fill our memory or wait for us.
 */
#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H

#include "base/str.h"

#include <limits.h>
#include <stdbool.h>

struct err;

enum {
    COMMAND_OUTPUT = 1 << 20, /* bytes that are kept of each output, where nothing else is said */
    COMMAND_LATE = -1,        /* as the status: it had not ended at the limit */
    COMMAND_MISSING = -2      /* it could not be started */
};

/* Zeros are the usual: no limit of time, our folder and environment. */
struct command_options {
    double limit;             /* seconds; 0: as long as it takes */
    size_t most;              /* bytes that are kept of each output; 0: COMMAND_OUTPUT */
    const char *folder;       /* where it runs; NULL: where we are */
    const char *input;        /* a file that it reads as its input; NULL: nothing */
    char *const *environment; /* NAME=value, ended by NULL; NULL: ours. PATH is ours in any case */
};

/*
 * Runs argv (ended by NULL; a program without a slash is sought on PATH) and appends what it wrote
 * to `out` and `err`; both may be the same, and NULL is not kept. *status, which may be NULL, is
 * its exit code, or 128 and the signal that ended it. 0 when it ran and ended by itself, whatever
 * its status; else ERR_USER (it could not be started) or ERR_SYSTEM, with a message that names it.
 */
int command_run(const char *const *argv, const struct command_options *options, struct str *out,
                struct str *err, int *status, struct err *e);

/* The program of this name on PATH, absolute (a name with a slash: itself); false: there is none.
 */
bool command_find(const char *name, char path[PATH_MAX]);

#endif
