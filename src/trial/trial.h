/*
 * trial - run one trial: start the program, watch it, read its score, end it.
 *
 * A trial is a process group of its own, started by the spawner: a helper that was forked before
 * any thread or MPI began, so that fork is cheap and safe and a dead Wick leaves no trial behind.
 * No shell is involved, so no hyperparameter can be a command.
 */
#ifndef TRIAL_TRIAL_H
#define TRIAL_TRIAL_H

#include "base/base.h"
#include "comm/comm.h"
#include "container/container.h"
#include "study/study.h"

#include <sched.h>

/* How a trial ended. The names are those of the journal: trial_state_name(). */
enum trial_state {
    TRIAL_RUNNING,       /* not ended */
    TRIAL_DONE,          /* it gave a score */
    TRIAL_FAILED,        /* exit code not 0, a signal, or it could not be started */
    TRIAL_TIMEOUT,       /* over its time limit */
    TRIAL_OUT_OF_MEMORY, /* over its memory limit */
    TRIAL_NO_SCORE,      /* exit code 0, but no score was found */
    TRIAL_NAN,           /* its score is not a number */
    TRIAL_STOPPED,       /* ended early because it is not wanted any more */
    TRIAL_INTERRUPTED,   /* Wick was told to end; it runs again on resume */
};

const char *trial_state_name(enum trial_state state);
/* The state of this name; TRIAL_RUNNING when there is none. */
enum trial_state trial_state_find(struct slice name);
/* True when it is over for good: it neither runs nor waits to run again. */
bool trial_state_ended(enum trial_state state);
/* True for an end that counts as a failure; what was stopped has not failed. */
bool trial_state_failed(enum trial_state state);

enum { TRIAL_LOG_HEAD = 16 << 10, TRIAL_LOG_TAIL = 48 << 10, TRIAL_METRICS = 64 };

struct trial_metric {
    char name[48];
    double value;
};

/* What came of a trial. Start with {0} and trial_result_free() it. */
struct trial_result {
    enum trial_state state;
    double score;           /* of TRIAL_DONE, and the last value of TRIAL_STOPPED; else NaN */
    double started, ended;  /* comm_now() */
    int exit_code;          /* -1: it did not exit */
    int signal;             /* 0: no signal ended it */
    double processor;       /* seconds, user and system */
    uint64_t peak_memory;   /* bytes, of the largest process */
    uint64_t read, written; /* bytes, by the calls of these names; 0: not known */
    double energy;          /* joules, its share of the machine's; 0: not known */
    struct trial_metric metrics[TRIAL_METRICS];
    size_t metric_count;
    bool can_go_on;       /* stopped, and there is a checkpoint: a later try could go on from it */
    char reason[256];     /* one line for the user; "" when done */
    struct str log;       /* the begin and the end of its output; may hold any bytes */
    uint64_t log_dropped; /* bytes left out between them */
    /* By trial_judge(), and not sent: */
    double scores[SEARCH_OBJECTIVES]; /* of several objectives, `score` is the first of them */
    size_t score_count;               /* 0: there is one objective, or it is not done */
    double violation;                 /* by how much it breaks measured constraints; 0: not */
    bool paused;                      /* by the driver, and not sent: it may go on */
};

void trial_result_free(struct trial_result *result);

/* The result of a trial that was given to a worker, and interrupted before it began. */
struct trial_result trial_not_begun(double now);

/*
 * Completes a result that is done: its scores, and how much it breaks the constraints that are
 * measured. One that lacks a score, or a metric that a constraint names, failed. One that was
 * stopped early is measured by what it has told so far: a metric that it lacks breaks a constraint.
 */
void trial_judge(const struct study *study, const double *point, struct trial_result *result);

/* Appends the measured constraints that a result breaks, with commas between them. */
void trial_add_broken(const struct study *study, const double *point,
                      const struct trial_result *result, struct str *s);

/* A result as bytes for a message, and back (unpacking frees what the result had). */
void trial_result_pack(const struct trial_result *result, struct str *bytes);
void trial_result_unpack(struct trial_result *result, const unsigned char *bytes, size_t length);

/* ---- what a worker has ---- */

enum { TRIAL_CORES = 1024, TRIAL_DEVICES = 128 };

/* The part of the machine that the trials of one worker may use. */
struct trial_slot {
    unsigned worker;                   /* from 1 */
    unsigned line;                     /* which of the spawner's lines is its own, from 1 */
    unsigned cores;                    /* its share, at least 1 */
    cpu_set_t pinned;                  /* the cores; all of them when there are too few to share */
    char devices[TRIAL_DEVICES];       /* for CUDA_VISIBLE_DEVICES; "": the study asks for none */
    const struct container *container; /* that its trials run in; NULL: none */
};

/*
 * How many workers this machine has room for: by cores, and by GPUs where the study asks for them.
 * ERR_USER when it asks for GPUs and there are none.
 */
int trial_workers(const struct study *study, unsigned *workers, struct err *e);

/* Deals the machine out; ERR_USER when there are not GPUs enough for so many workers. */
int trial_slots(const struct study *study, unsigned workers, struct trial_slot *slots,
                struct err *e);

/* ---- the spawner ---- */

struct spawner;

/*
 * Forks the helper, with one line to each worker. Call it before any thread starts. When this
 * process ends, however it ends, the helper ends all trials and itself.
 */
int spawner_start(struct spawner **spawner, unsigned workers, struct err *e);
/* Ends what still runs, and waits for the helper. */
void spawner_stop(struct spawner *spawner);

/* ---- a program beside the trials ---- */

/*
 * One of the user's own that is no trial: an algorithm that steers the search, say. It is started,
 * ended and cleaned up after as trials are, and we talk with it through its standard input and
 * output. What it writes on its standard error is its log, of which begin and end are kept.
 */
struct program;

struct program_plan {
    const char *folder;         /* where it runs */
    const char *const *command; /* argv, ended by NULL */
    const struct study_variable *variables;
    size_t variable_count;
    double grace; /* seconds from SIGTERM to SIGKILL */
};

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

/* Starts it by a line of the spawner that nobody else uses. The plan is copied as far as needed. */
struct program *program_start(struct comm *comm, struct spawner *spawner, unsigned line,
                              const struct program_plan *plan,
                              const struct program_observer *observer);
/* Frees it in any state; the spawner ends what still runs. */
void program_free(struct program *program);
/* Sends bytes to its standard input; never waits: what it does not read yet is kept. */
void program_tell(struct program *program, const void *bytes, size_t length);
/* How many bytes it has not read yet, as far as is known. */
size_t program_backlog(const struct program *program);
/* Closes its standard input, after all that it was told. */
void program_hang_up(struct program *program);
/* SIGTERM now, SIGKILL after the grace; ended() follows. */
void program_stop(struct program *program);
/* Appends the begin and the end of its log; returns how many bytes it has written in all. */
uint64_t program_log(const struct program *program, struct str *log);

/* ---- running ---- */

struct trial_runner;

/* What a trial that learns by steps reports of one. */
struct trial_step {
    uint64_t step; /* from 1 */
    double value;  /* the score if it ended here; may be NaN */
    const struct trial_metric *metrics;
    size_t metric_count;
    bool unscored; /* it told other metrics only: there is no value */
};

/* What a program wants of the key-value space that all trials share. */
enum trial_wish { TRIAL_PUT, TRIAL_GET, TRIAL_WAIT, TRIAL_DELETE, TRIAL_LIST };

struct trial_question {
    enum trial_wish wish;
    struct slice key;  /* TRIAL_LIST: a prefix */
    const void *bytes; /* TRIAL_PUT */
    size_t length;
    uint64_t known; /* TRIAL_WAIT: for a version above this */
};

struct trial_reply {
    const char *error; /* NULL: none */
    uint64_t version;  /* 0: there is no value */
    const void *bytes; /* of TRIAL_GET and TRIAL_WAIT */
    size_t length;
    const struct slice *keys; /* of TRIAL_LIST */
    size_t key_count;
};

/* What a program hears that asks whether to stop. */
enum trial_word {
    TRIAL_GO_ON,
    TRIAL_ENOUGH, /* it is not worth its next step: its state will be TRIAL_STOPPED */
    TRIAL_LEAVE,  /* the machine is taken away: TRIAL_INTERRUPTED, it goes on from its checkpoint */
};

/* What a runner tells; all may be called before trial_run() returns. */
struct trial_observer {
    void *self;
    void (*step)(void *self, const struct trial_step *step);
    /*
     * The program asks whether it is to stop, for the call-th time (from 1; 0: it does not count):
     * trial_answer() it, now or later. All ranks of a trial must get the same answer to the same
     * call.
     */
    void (*asked)(void *self, uint64_t call);
    /* A question to the key-value space: trial_reply() to this number, now or later. */
    void (*question)(void *self, uint64_t number, const struct trial_question *question);
    /* Nobody waits for this reply any more; what is to be put or deleted is so all the same. */
    void (*forget)(void *self, uint64_t number);
    void (*done)(void *self, const struct trial_result *result); /* once for each trial_run() */
};

enum { TRIAL_ADDRESS = 64 };

/* Where the ranks of a trial meet; it goes to all of them as bytes. */
struct trial_place {
    char address[TRIAL_ADDRESS]; /* of the node of rank 0 */
    unsigned port;               /* that is free there */
    unsigned store;              /* another one, of the key-value store for Horovod; 0: none */
};

/* What the worker of rank 0 keeps while they run: the ports, and the store. */
struct trial_meeting;

/* `node` is the name of this one, by which others may know it. */
struct trial_meeting *trial_meeting_open(struct comm *comm, const char *node, bool is_one_node,
                                         bool with_store, struct trial_place *place);
/* NULL is fine. The second is for when comm may be gone. */
void trial_meeting_close(struct trial_meeting *meeting);
void trial_meeting_drop(struct trial_meeting *meeting);

/* The processes of a trial of several ranks; zeros: it has one. */
struct trial_group {
    unsigned ranks, rank;             /* how many, and which of them this is, from 0 */
    unsigned local_ranks, local_rank; /* the same, of those on this node */
    unsigned cross_ranks, cross_rank; /* of those with this local_rank, one a node */
    struct trial_place place;
    const char *node;  /* the name of this one; good until done(), as the next */
    const char *hosts; /* of `launch: mpi`: n1:2,n2:2; good until done() */
};

/* One try of a trial. */
struct trial_task {
    uint64_t id;
    unsigned try;
    const double *point; /* copied */
    uint64_t origin;     /* the trial whose checkpoint it begins with; 0: none */
    uint64_t step;       /* it goes on after this step; a program knows that by its checkpoint */
    struct trial_group group;
};

/*
 * Runs the trials of one worker, one at a time. All arguments must outlive it; dir is the study's
 * folder; spawner may be NULL for a function.
 */
struct trial_runner *trial_runner_create(struct comm *comm, const struct study *study,
                                         const char *dir, const struct trial_slot *slot,
                                         struct spawner *spawner,
                                         const struct trial_observer *observer);
void trial_runner_free(struct trial_runner *runner);
void trial_run(struct trial_runner *runner, const struct trial_task *task);
/* What the program is to do: the answer to asked(). */
void trial_answer(struct trial_runner *runner, uint64_t call, enum trial_word word);
void trial_reply(struct trial_runner *runner, uint64_t number, const struct trial_reply *reply);
/* Ends the running trial; its state will be TRIAL_INTERRUPTED. */
void trial_interrupt(struct trial_runner *runner);
/*
 * The same; its state will be TRIAL_STOPPED, and its score the last value that it reported. A
 * program that asks whether to stop is told so when it asks next, and ends by itself.
 */
void trial_stop(struct trial_runner *runner);

/* ---- code of other languages ---- */

/*
 * Evaluates code of a language, one piece after another, in a process that keeps its state. It is
 * started by the first evaluation, with what code->preload names imported, and again by the next
 * one when it has died.
 */
struct evaluator;

enum { EVALUATOR_LIMIT = 16 << 20 }; /* bytes of a question, and of an answer */

enum evaluator_outcome {
    EVALUATOR_GOOD,  /* the text is the value of the expression */
    EVALUATOR_ERROR, /* the text is the error with its traceback; the state stays */
    EVALUATOR_LOST,  /* the process has died, and its state with it */
};

struct evaluator_handler {
    void *self;
    /* Once for each evaluation, perhaps before evaluator_evaluate() returns. */
    void (*done)(void *self, enum evaluator_outcome outcome, const char *text, size_t length);
};

/*
 * All arguments must outlive it. Of `code` language, interpreter and preload count. `folder` is
 * where it runs, and `output` a descriptor for what the code prints.
 */
struct evaluator *evaluator_open(struct comm *comm, struct spawner *spawner,
                                 const struct trial_slot *slot, const struct study_code *code,
                                 const char *folder, int output,
                                 const struct evaluator_handler *handler);
/* Runs the code ("": none), then gives the value of the expression as text ("": none). */
void evaluator_evaluate(struct evaluator *evaluator, const char *code, const char *expression);
/* Ends it; an evaluation that is under way is not answered then. Its handler may call this. */
void evaluator_close(struct evaluator *evaluator);

/* ---- checkpoints ---- */

/* DIR/checkpoints/ID, which the program makes when it has something to keep. */
void trial_checkpoint_path(const char *dir, uint64_t id, struct str *path);
/*
 * Removes a folder by its name in an open one, and all in it; links are not followed. It may take
 * long. Returns 0, or a number of errno.
 */
int trial_checkpoint_remove(int folder, const char *name);

/* The seed that a trial is given as {seed}: the same for all its tries. */
uint64_t trial_seed(const struct study *study, uint64_t id);

/* What {params}, {result}, {dir} and {checkpoint} in a command stand for. */
struct trial_paths {
    const char *params, *result, *dir, *checkpoint;
};

/* The command of a trial: argv with the hyperparameters in it, ended by NULL, in the arena. */
char **trial_command(const struct study *study, const struct trial_paths *paths, uint64_t id,
                     const double *point, struct arena *arena);

#endif
