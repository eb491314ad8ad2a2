/* runner.h - what the files that run a trial share (private to this room). */
#ifndef TRIAL_RUNNER_H
#define TRIAL_RUNNER_H

#include "trial/output.h"
#include "trial/spawner.h"

/* How Wick is ending a trial, which then is its state whatever the program does. */
enum ending { ENDING_NOT, ENDING_TIMEOUT, ENDING_INTERRUPT, ENDING_STOP };

struct trial_runner {
    struct comm *comm;
    const struct study *study;
    const char *dir;
    const struct trial_slot *slot;
    struct trial_observer observer;

    /* the trial that runs */
    uint64_t id;
    unsigned try;
    uint64_t origin;
    struct trial_group group;
    double *point;
    struct trial_result result;
    enum ending ending;
    double last_value; /* of the steps that it reported; NaN: none */
    uint64_t timer;    /* the time limit, the grace, or the next step of a function; 0: none */

    /* of a program */
    int line; /* to the helper; -1: there is none */
    struct rlimit descriptors;
    bool helper_lost;
    bool running, killed; /* killed: SIGKILL was needed */
    int out, err;         /* read ends of its output; -1: closed */
    struct output output;
    uint64_t peek;       /* timer of the next look at the output; 0: none */
    uint64_t peek_bytes; /* that were there at the last look */

    /* of a function */
    size_t *inputs; /* which parameter is input i */
    size_t input_count;
    struct function_input *values;
    uint64_t step, steps; /* steps: how many it has; 0: it does not learn by steps */
};

/* process.c */
void process_prepare(struct trial_runner *runner, struct spawner *spawner);
void process_run(struct trial_runner *runner);
void process_end(struct trial_runner *runner, enum ending ending);
void process_forget(struct trial_runner *runner);

/* builtin.c */
void builtin_prepare(struct trial_runner *runner);
void builtin_run(struct trial_runner *runner);
void builtin_end(struct trial_runner *runner, enum ending ending);

/* runner.c: the trial has made a step. */
void runner_step(struct trial_runner *runner, const struct trial_step *step);
/* The trial is over; its state, score and reason are in runner->result. */
void runner_finish(struct trial_runner *runner);

#endif
