/* outside_parts.h - what the files outside_*.c share (private to them). */
#ifndef FLOW_OUTSIDE_PARTS_H
#define FLOW_OUTSIDE_PARTS_H

#include "flow/outside.h"
#include "trial/trial.h"

#include <sys/types.h>

enum outside_job { JOB_NONE, JOB_PROGRAM, JOB_CODE, JOB_SLEEP };

/* A pipe that something prints to. */
struct outside_pipe {
    struct outside *outside;
    enum outside_stream stream;
    int fd;          /* our end; -1: closed */
    size_t most;     /* keep all of it, but no more than this; 0: hand on whole lines */
    struct str text; /* what is kept, or the start of a line */
    bool has_any;    /* something came */
    bool is_over;    /* it was more than is kept */
};

/* The program that runs. */
struct outside_program {
    bool running;
    uint64_t id;                  /* counts all starts */
    pid_t pid;                    /* in the simulator; otherwise it is the helper's child */
    struct outside_pipe pipes[2]; /* by enum outside_stream */
};

/* A process that evaluates code. */
struct outside_host {
    struct study_code code;
    struct evaluator *evaluator; /* NULL: none yet */
    pid_t pid;                   /* in the simulator, instead of the evaluator; 0: none */
    int socket;                  /* the same */
    struct outside_pipe printed; /* what the code prints */
    int print;                   /* the end of this pipe that is the process's; -1: not open */
};

struct outside {
    struct comm *comm;
    struct helper *helper;
    const struct machine_slot *slot;
    struct outside_settings settings;
    struct outside_handler handler;
    struct random random;
    bool is_direct; /* comm has no descriptors: see outside_direct.c */

    enum outside_job job;
    bool stopping;
    uint64_t timer;     /* of its next step; 0: none */
    struct arena arena; /* holds the command */

    struct outside_command command; /* JOB_PROGRAM */
    unsigned tries;                 /* how often it was started */
    struct outside_program program;

    enum outside_language language; /* JOB_CODE */
    struct str code, expression;    /* as its host gets them */
    struct outside_host hosts[OUTSIDE_LANGUAGES];
};

/* ---- outside.c ---- */

/* Takes the next step of the job after some seconds, instead of one that was to come. */
void outside_schedule(struct outside *outside, double seconds, comm_handler *step);
/* The job has ended: calls done(). After this, `outside` may have been freed. */
void outside_finish(struct outside *outside, const struct outside_end *end);

/* Opens a pipe and watches it; returns the end to print to, or -1 and errno. */
int outside_pipe_open(struct outside_pipe *pipe);
/* Reads what is there, but hardly more than `limit` bytes; at its end, closes the pipe. */
void outside_pipe_read(struct outside_pipe *pipe, size_t limit);
/* Nobody should print any more: reads what is left, and hands on a line that has no end. */
void outside_pipe_drain(struct outside_pipe *pipe);
/* Closes it, if it is open. */
void outside_pipe_close(struct outside_pipe *pipe);

/* ---- outside_program.c ---- */

/* Starts the program of the job: a step. */
void outside_program_begin(void *outside);
/* Sends a signal to the program and its whole group, if it runs. */
void outside_program_signal(struct outside *outside, int number);
/* Kills it if it runs, and frees what belongs to it. */
void outside_program_free(struct outside *outside);

/* ---- outside_language.c ---- */

/* Keeps the code of a job in the form in which its host gets it. */
void outside_language_prepare(struct outside *outside, const char *code, const char *expression);
/* Evaluates the code of the job: a step. */
void outside_language_begin(void *outside);
/* Ends the process of this language. */
void outside_language_stop(struct outside *outside, enum outside_language language);
/* Ends the processes of all languages, and frees what belongs to them. */
void outside_language_free(struct outside *outside);

/* ---- outside_direct.c ---- */

/*
 * Runs the program of the job with these streams to its end, reading what it prints. Returns its
 * status as from wait(), or -1 and errno if it cannot be started.
 */
int outside_direct_run(struct outside *outside, const int streams[3]);
/*
 * Evaluates the code of the job, reading what it prints, and appends the answer. `words` is the
 * command of its host; NULL when that runs.
 */
enum evaluator_state outside_direct_evaluate(struct outside *outside, const char *const *words,
                                             struct str *answer);
/* Ends the process of a host, if it runs. */
void outside_direct_end(struct outside_host *host);

#endif
