/* runner.h - what the files that run a trial share (private to this room). */
#ifndef TRIAL_RUNNER_H
#define TRIAL_RUNNER_H

#include "helper/helper.h"
#include "machine/machine.h"
#include "trial/output.h"
#include "trial/socket.h"

#include <limits.h>

/* How Wick is ending a trial; this decides its state, whatever the program does. */
enum ending { ENDING_NOT, ENDING_TIMEOUT, ENDING_INTERRUPT, ENDING_STOP };

/* Where the trial libraries are; "": not found. */
struct language_paths {
    char library[PATH_MAX], python[PATH_MAX]; /* lib/wick, and python in it */
    char program[PATH_MAX];                   /* the folder of wick itself */
};

/* What a program has reported over its trial socket: reported.c. */
struct reported {
    struct outcome_metric metrics[OUTCOME_METRICS]; /* its results */
    size_t metric_count;
    struct outcome_metric step[OUTCOME_METRICS]; /* of its last step */
    size_t step_count;
    bool has_value;     /* a step had the score */
    uint64_t steps;     /* how many steps it has reported */
    uint64_t asked;     /* how often it asked whether to stop */
    double asked_last;  /* when; before the first time, when it started */
    double longest_gap; /* seconds between two of these */
    bool stop;          /* it was told to stop */
    char dropped[160];  /* metrics for which there was no room, as 'a', 'b'; "": none */
    bool dropped_more;  /* and more than have room here */
};

/*
 * How trials of a kind of model are run: process.c has one for programs, builtin.c one for
 * functions. Each run() is followed by one runner_finish(), perhaps before it returns.
 */
struct runner_kind {
    void (*prepare)(struct trial_runner *runner, struct helper *helper);
    void (*run)(struct trial_runner *runner);
    void (*end)(struct trial_runner *runner, enum ending ending);
    void (*forget)(struct trial_runner *runner);
    bool needs_no_checkpoint; /* a try can start at any step */
};

extern const struct runner_kind process_kind, builtin_kind;

struct trial_runner {
    struct comm *comm;
    const struct study *study;
    const struct model_kind *model;
    const struct runner_kind *kind;
    const char *dir;
    const struct machine_slot *slot;
    struct trial_observer observer;

    /* the trial that runs */
    uint64_t id;
    unsigned try;
    uint64_t origin;
    uint64_t step_before;         /* of a function: it goes on after this step */
    struct checkpoint_copy *copy; /* of its origin's checkpoint, under way; else NULL */
    struct trial_team team;
    double *point;
    struct outcome outcome;
    enum ending ending;
    double last_value; /* of the steps that it reported; NaN: none */
    uint64_t timer;    /* the time limit, the grace, or the next step of a function; 0: none */

    /* of a program */
    struct helper *helper;
    int channel; /* to the helper; -1: there is none */
    struct rlimit descriptors;
    bool helper_lost;
    bool running;
    bool signalled, killed; /* SIGTERM was sent; SIGKILL was needed */
    struct output output;
    struct trial_socket *socket; /* to the program itself */
    struct str address;          /* of the socket */
    uint64_t secret;             /* of this try, which its connections must know */
    char *folder;                /* of the study, without links: see helper_end_leftovers() */
    const char *run;             /* what names this run: see helper_run() */
    struct reported reported;
    struct language_paths languages;
    struct machine_energy energy;
    uint64_t care_timer;  /* of take_care() in process.c; 0: no program runs */
    bool may_have_result; /* its result file may exist */
    bool shown;           /* a copy of its output is in the study's tmp folder */

    /* of a function */
    size_t *inputs; /* which parameter is input i */
    size_t input_count;
    struct function_input *values;
    uint64_t step, steps; /* steps: how many it has; 0: it does not learn by steps */
};

/* process.c: the program was started. */
void process_started(struct trial_runner *runner);
/* The answer to the program's question whether to stop. */
void process_answer(struct trial_runner *runner, uint64_t call, enum trial_word word);

/* request.c: runs the trial; a copy of its origin's checkpoint comes first, where it has one. */
void request_run(struct trial_runner *runner);
/* Starts the program, after that. */
void request_start(struct trial_runner *runner);
/* True when what the helper starts is a container runtime that waits for the program. */
bool request_has_monitor(const struct trial_runner *runner);
/* The program that the helper is to start, for messages. */
const char *request_program(const struct trial_runner *runner);

/* verdict.c: sets state and reason of the outcome. */
void verdict_say(struct trial_runner *runner, enum outcome_state state, const char *format, ...)
    ERR_FORMAT(3, 4);
/*
 * The trial could not be started, or not be heard, because of this errno. When the machine has no
 * room (descriptors, processes, memory, disk) that is not the trial's failure: as an interruption
 * it stops the study, and the trial runs again on resume; one that was not started for want of what
 * others may give back is tried again before that (no_room).
 */
void verdict_cannot(struct trial_runner *runner, int number, const char *what);
/* The program was not started: state and reason are there, and the trial is over. */
void verdict_never_ran(struct trial_runner *runner);
/* The helper has answered: the program has ended, or could not be started. A handler of comm. */
void verdict_hear(void *argument);

/*
 * files.c: the path of a file of the running trial. It is in the study's tmp folder, because a
 * command may start processes on other nodes; for code in a language host, which does not, it is
 * beside the worker's socket, on this node.
 */
char *files_path(const struct trial_runner *runner, const char *name, struct str *path);
/* The paths that a command may name, in the arena. */
struct model_paths files_paths(const struct trial_runner *runner, struct arena *arena);
/* Writes what the program needs; false, and the verdict is given, when that failed. */
bool files_write(struct trial_runner *runner, const char *params, size_t length);
/*
 * Adds the result file, if there is one, to the outcome. Returns what is wrong with it, or NULL;
 * *number is the errno if it cannot be read.
 */
const char *files_read_result(struct trial_runner *runner, int *number);
/* Removes what was there for the running trial only. */
void files_remove(struct trial_runner *runner);
/* Copies the output so far to where `wick show` finds it. */
void files_show_output(struct trial_runner *runner);

/* reported.c: opens the trial socket for this worker. */
void reported_prepare(struct trial_runner *runner, struct helper *helper);
/* Closes it. */
void reported_forget(struct trial_runner *runner);
/* A program is started. */
void reported_begin(struct trial_runner *runner);
/* It has ended, and all that it sent before is read. */
void reported_end(struct trial_runner *runner);
/* Adds the results that it reported to the outcome. They count more than what it printed. */
void reported_results(struct trial_runner *runner);
/*
 * Sets a metric as outcome_set_metric() does, except that a full array makes room for one that the
 * study names: it drops a metric that it does not name. What is dropped is named in the log of the
 * trial, and as its reason when it is done.
 */
void reported_set(struct trial_runner *runner, struct outcome_metric *metrics, size_t *count,
                  struct slice name, double value);
/* Appends which metrics were dropped, in a sentence; nothing if none were. */
void reported_dropped(const struct trial_runner *runner, struct str *text);
/*
 * Adds the metrics of its last step that its results lack, and, if it gave no score, that of its
 * steps. False when there is still none.
 */
bool reported_last_step(struct trial_runner *runner);

/* languages.c: finds the trial libraries, once for each worker. */
void languages_find(struct language_paths *paths);
/* Appends the variables by which a program finds them. */
void languages_add(const struct trial_runner *runner, struct str *s, unsigned *count);

/* ranks.c: appends the variables of one of several ranks. */
void ranks_add_environment(const struct trial_runner *runner, struct str *s, unsigned *count);
/* True when this runner starts all ranks, with mpiexec. */
bool ranks_by_mpi(const struct trial_runner *runner);
/* The launcher with its options: mpiexec, or the study's own. */
const char *const *ranks_launcher(const struct study_model *model);
/* The command that starts all ranks, in the arena. */
char **ranks_command(const struct trial_runner *runner, char **argv, const struct str *variables,
                     unsigned variable_count, struct arena *arena);

/* checkpoint.c: true when the origin's checkpoint is being copied; the trial runs after that. */
bool checkpoint_begin(struct trial_runner *runner);
/* Ends a trial that waits for its copy. */
void checkpoint_cancel(struct trial_runner *runner, enum ending ending);
/* Waits for the copying thread, if there is one, and frees all. */
void checkpoint_forget(struct trial_runner *runner);
/* True when this trial has a checkpoint. */
bool checkpoint_exists(const struct trial_runner *runner, uint64_t id);

/* runner.c: the trial has reported a step. */
void runner_step(struct trial_runner *runner, const struct outcome_step *step);
/* The trial is over; its state, score and reason are in runner->outcome. */
void runner_finish(struct trial_runner *runner);

#endif
