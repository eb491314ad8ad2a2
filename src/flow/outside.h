/*
 * outside.h - what a task does outside of Wick's own process: programs, code of other languages,
 * and waiting (private to this room).
 *
 * A worker has one struct outside, which does one job at a time: outside_run(), outside_evaluate()
 * or outside_sleep(). Nothing here blocks, and no callback is called before these return. What the
 * job prints is handed to output(); at last comes done(), which may start the next job or free all.
 *
 *   outside.c            the life of a job, settings, output in whole lines, sleeping
 *   outside_program.c    programs, which the helper starts; retries
 *   outside_language.c   Python and R, in evaluating processes (trial/trial.h)
 *   outside_direct.c     both in the simulator, where comm has no descriptors: processes run for
 *                        real between two virtual events and take no virtual time
 */
#ifndef FLOW_OUTSIDE_H
#define FLOW_OUTSIDE_H

#include "base/base.h"
#include "comm/comm.h"
#include "helper/helper.h"
#include "machine/machine.h"

struct outside;

/* How often and when programs are started. Zeros: once, at once. */
struct outside_settings {
    unsigned retries;       /* how often a program that failed is started again on this worker */
    unsigned other_retries; /* the same on another worker: for whoever hands out the tasks */
    double backoff;         /* seconds, usually 0.1: retry n waits a random part of this * 2^n */
    double delay;           /* seconds: each start waits a random part of this */
    bool logs;              /* log() is told of each start and failure */
    uint64_t seed;          /* of these random numbers */
    const char *python, *r; /* name or path of the interpreter; NULL: python3, Rscript */
};

/*
 * Sets what the environment says: TURBINE_APP_RETRIES_LOCAL, TURBINE_APP_RETRIES_REPUT,
 * TURBINE_APP_BACKOFF, TURBINE_APP_DELAY, TURBINE_APP_DEBUG. The rest stays. ERR_USER for a value
 * that is no number of this range.
 */
int outside_settings_read(struct outside_settings *settings, struct err *e);

/* Where something was printed. Python and R print all to OUTSIDE_OUT. */
enum outside_stream { OUTSIDE_OUT, OUTSIDE_ERR };

/* How a job ended. */
enum outside_state {
    OUTSIDE_GOOD,      /* exit code 0; the expression has a value; the time is over */
    OUTSIDE_EXIT,      /* the program ended with another exit code */
    OUTSIDE_SIGNAL,    /* a signal ended the program */
    OUTSIDE_EXCEPTION, /* the code raised an exception */
    OUTSIDE_FAILED,    /* it could not be run, or has no result */
    OUTSIDE_STOPPED,   /* by outside_stop() */
};

/* What done() is told; valid until done() returns. */
struct outside_end {
    enum outside_state state;
    int exit_code; /* of OUTSIDE_EXIT */
    int signal;    /* of OUTSIDE_SIGNAL */
    int number;    /* errno of OUTSIDE_FAILED, such as ENOENT; 0: it has none */
    /*
     * OUTSIDE_GOOD: the captured output without a final newline, or the value. Otherwise what went
     * wrong, as in "exit code 3", "cannot start foo: ...", "ValueError: bad". A zero byte follows.
     */
    struct slice text;
    struct slice traceback; /* of OUTSIDE_EXCEPTION: all lines of the message; may be empty */
    bool wrote_errors;      /* the program wrote to its standard error, which was no file */
};

struct outside_handler {
    void *self;
    /*
     * What a job prints, as it comes: one or more whole lines. Only the last line of a job may lack
     * its newline, and the parts of a line that is longer than 1 MiB do. A process whose state
     * stays may also print between two jobs.
     */
    void (*output)(void *self, enum outside_stream stream, const char *text, size_t length);
    /* A line about the start or failure of a program, without a newline. */
    void (*log)(void *self, const char *line);
    /* Once for each job. */
    void (*done)(void *self, const struct outside_end *end);
};

/*
 * The handler and settings are copied, the rest must outlive it. Programs use the cores and GPUs of
 * the slot, and its channel to the helper, on which nobody else runs programs meanwhile. helper and
 * slot are not used, and may be NULL, if comm has no descriptors.
 */
struct outside *outside_create(struct comm *comm, struct helper *helper,
                               const struct machine_slot *slot,
                               const struct outside_settings *settings,
                               const struct outside_handler *handler);
/* Kills what runs and frees all; done() is not called. For handlers of comm, and done() itself. */
void outside_free(struct outside *outside);
/* True from the start of a job until done(). */
bool outside_is_busy(const struct outside *outside);
/* Ends what runs, if anything does; done() follows. A program gets a second after SIGTERM. */
void outside_stop(struct outside *outside);

/* A program to run, without a shell, in Wick's working directory. */
struct outside_command {
    const char *const *words;     /* argv, ended by NULL; words[0] is looked up on PATH */
    const char *const *variables; /* NAME=value to set, ended by NULL; or NULL */
    /*
     * Files for its streams. NULL: its input is empty, its output goes to output(). The folders of
     * the outputs are made; both outputs may be the same file.
     */
    const char *in, *out, *err;
    /* Its standard output is the result, at most so many bytes, and there are no retries. 0: no. */
    size_t capture;
};

/* Starts a program; the command is copied. */
void outside_run(struct outside *outside, const struct outside_command *command);

/* Appends a command for a message: cat 'a b' <in.txt >out.txt, shortened if it is very long. */
void outside_describe(const struct outside_command *command, struct str *text);

enum outside_language {
    OUTSIDE_PYTHON,         /* each call has a fresh state */
    OUTSIDE_PYTHON_PERSIST, /* the state stays, for this worker */
    OUTSIDE_R,              /* the same */
    OUTSIDE_LANGUAGES
};

/*
 * Runs the code, then evaluates the expression, which must give a string. Both are copied, and
 * together have at most 16 MiB (EVALUATOR_LIMIT).
 */
void outside_evaluate(struct outside *outside, enum outside_language language, const char *code,
                      const char *expression);

/* Waits in comm's time, which is virtual in the simulator. */
void outside_sleep(struct outside *outside, double seconds);

#endif
