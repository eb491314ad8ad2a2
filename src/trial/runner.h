/* runner.h - what the files that run a trial share (private to this room). */
#ifndef TRIAL_RUNNER_H
#define TRIAL_RUNNER_H

#include "helper/helper.h"
#include "machine/machine.h"
#include "trial/line.h"
#include "trial/output.h"

/* How Wick is ending a trial, which then is its state whatever the program does. */
enum ending { ENDING_NOT, ENDING_TIMEOUT, ENDING_INTERRUPT, ENDING_STOP };

/* What a program has said over its line: told.c. */
struct told {
    struct outcome_metric metrics[OUTCOME_METRICS]; /* its results */
    size_t metric_count;
    struct outcome_metric step[OUTCOME_METRICS]; /* of its last step */
    size_t step_count;
    bool has_value;     /* a step had the score */
    uint64_t asked;     /* how often it asked whether to stop */
    double asked_last;  /* when; before the first time, when it began */
    double longest_gap; /* seconds between two of these */
    bool stop;          /* it was told to stop */
};

struct trial_runner {
    struct comm *comm;
    const struct study *study;
    const char *dir;
    const struct machine_slot *slot;
    struct trial_observer observer;

    /* the trial that runs */
    uint64_t id;
    unsigned try;
    uint64_t origin;
    uint64_t step_before;         /* of a function: it goes on after this step */
    struct checkpoint_copy *copy; /* of its origin's checkpoint, under way; else NULL */
    struct trial_group group;
    double *point;
    struct outcome result;
    enum ending ending;
    double last_value; /* of the steps that it reported; NaN: none */
    uint64_t timer;    /* the time limit, the grace, or the next step of a function; 0: none */

    /* of a program */
    int channel; /* to the helper; -1: there is none */
    struct rlimit descriptors;
    bool helper_lost;
    bool running;
    bool signalled, killed; /* SIGTERM was sent; SIGKILL was needed */
    int out, err;           /* read ends of its output; -1: closed */
    struct output output;
    struct line *talk;  /* to the program itself */
    struct str address; /* of it */
    struct told told;
    struct machine_energy energy;
    uint64_t peek;       /* timer of the next look at the output; 0: none */
    uint64_t peek_bytes; /* that were there at the last look */

    /* of a function */
    size_t *inputs; /* which parameter is input i */
    size_t input_count;
    struct function_input *values;
    uint64_t step, steps; /* steps: how many it has; 0: it does not learn by steps */
};

/* process.c */
void process_prepare(struct trial_runner *runner, struct helper *helper);
void process_run(struct trial_runner *runner);
void process_end(struct trial_runner *runner, enum ending ending);
void process_forget(struct trial_runner *runner);
/* The answer to the program's question whether to stop. */
void process_answer(struct trial_runner *runner, uint64_t call, enum trial_word word);

/* told.c */
void told_prepare(struct trial_runner *runner, struct helper *helper);
void told_forget(struct trial_runner *runner);
/* A program is started; it has ended, and what it said before is heard. */
void told_begin(struct trial_runner *runner);
void told_end(struct trial_runner *runner);
/* Puts the results that it told into runner->result. They count more than what it wrote. */
void told_results(struct trial_runner *runner);
/* Of a program that gave no score: puts its last step there. False when there was none. */
bool told_last_step(struct trial_runner *runner);

/* languages.c: variables by which a program finds the trial libraries. */
void languages_add(const struct trial_runner *runner, struct str *s, unsigned *count);

/* ranks.c: the variables of one of several ranks. */
void ranks_add_environment(const struct trial_runner *runner, struct str *s, unsigned *count);
/* True when this runner starts all ranks, by mpiexec; and then its command, in the arena. */
bool ranks_by_mpi(const struct trial_runner *runner);
/* mpiexec, or what the study has in its place, with its options. */
const char *const *ranks_launcher(const struct study_model *model);
char **ranks_command(const struct trial_runner *runner, char **argv, const struct str *variables,
                     unsigned variable_count, struct arena *arena);

/* Says in the result that the trial could not be started, because of a number of errno. */
void process_not_started(struct trial_runner *runner, int number, const char *what);

/* checkpoint.c: true when the checkpoint of its origin is copied, and the trial runs after that. */
bool checkpoint_begin(struct trial_runner *runner);
/* Ends the trial that waits for the copy. */
void checkpoint_cancel(struct trial_runner *runner, enum ending ending);
void checkpoint_forget(struct trial_runner *runner);
bool checkpoint_exists(const struct trial_runner *runner, uint64_t id);

/* builtin.c */
void builtin_prepare(struct trial_runner *runner);
void builtin_run(struct trial_runner *runner);
void builtin_end(struct trial_runner *runner, enum ending ending);

/* runner.c: the trial has made a step. */
void runner_step(struct trial_runner *runner, const struct outcome_step *step);
/* The trial is over; its state, score and reason are in runner->result. */
void runner_finish(struct trial_runner *runner);

#endif
