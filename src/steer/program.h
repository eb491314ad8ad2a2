/*
 * program.h - the process of a steering program (private to this room).
 *
 * The helper starts it, ends it and cleans up after it, as it does for trials. We talk to it
 * through its standard input and output; what it writes to its standard error is its log, of which
 * the start and the end are kept.
 */
#ifndef STEER_PROGRAM_H
#define STEER_PROGRAM_H

#include "base/base.h"
#include "comm/comm.h"
#include "helper/helper.h"
#include "study/study.h"

struct program;

/* What is started. */
struct program_plan {
    const char *folder;         /* where it runs */
    const char *const *command; /* argv, ended by NULL */
    const struct study_variable *variables;
    size_t variable_count;
    double grace; /* seconds from SIGTERM to SIGKILL */
};

/* How a program ended. */
struct program_end {
    int exit_code;    /* -1: it did not exit */
    int signal;       /* 0: no signal ended it */
    char reason[200]; /* why it could not be started, or was lost; "": it ran */
};

/* What a program does; none is called before program_start() returns. */
struct program_observer {
    void *self;
    void (*said)(void *self, const char *bytes, size_t length); /* on its standard output */
    void (*ended)(void *self, const struct program_end *end);   /* once, after all that it said */
};

/* Starts it over a channel that nobody else uses. The plan is copied as far as needed. */
struct program *program_start(struct comm *comm, struct helper *helper, unsigned channel,
                              const struct program_plan *plan,
                              const struct program_observer *observer);
/* Frees it in any state; the helper ends what still runs. NULL is fine. */
void program_free(struct program *program);
/* Sends bytes to its standard input. Never waits: what it does not read yet is kept. */
void program_tell(struct program *program, const void *bytes, size_t length);
/* How many bytes it has not read yet, as far as is known. */
size_t program_backlog(const struct program *program);
/* Closes its standard input, after all that it was told. */
void program_hang_up(struct program *program);
/* Sends SIGTERM now and SIGKILL after the grace; ended() follows. */
void program_stop(struct program *program);
/* Appends the start and the end of its log; returns how many bytes it has written in all. */
uint64_t program_log(const struct program *program, struct str *log);

#endif
