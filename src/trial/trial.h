/*
 * trial - run one trial: start the program, watch it, read its score, end it.
 *
 * A trial is a process group of its own, started by the helper.
 */
#ifndef TRIAL_TRIAL_H
#define TRIAL_TRIAL_H

#include "base/base.h"
#include "comm/comm.h"
#include "container/container.h"
#include "helper/helper.h"
#include "machine/machine.h"
#include "meeting/meeting.h"
#include "model/model.h"
#include "outcome/outcome.h"
#include "study/study.h"

/* ---- running ---- */

struct trial_runner;

/* What a program wants of the key-value space that all trials share. */
enum trial_operation { TRIAL_PUT, TRIAL_GET, TRIAL_WAIT, TRIAL_DELETE, TRIAL_LIST };

struct trial_question {
    enum trial_operation operation;
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
    TRIAL_ENOUGH, /* it is not worth its next step: its state will be OUTCOME_STOPPED */
    TRIAL_LEAVE,  /* the machine is taken away: OUTCOME_INTERRUPTED, it goes on from its checkpoint
                   */
};

/* What a runner tells; all may be called before trial_run() returns. */
struct trial_observer {
    void *self;
    void (*step)(void *self, const struct outcome_step *step);
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
    void (*done)(void *self, const struct outcome *result); /* once for each trial_run() */
};

/* The processes of a trial of several ranks; zeros: it has one. */
struct trial_team {
    unsigned ranks, rank;             /* how many, and which of them this is, from 0 */
    unsigned local_ranks, local_rank; /* the same, of those on this node */
    unsigned cross_ranks, cross_rank; /* of those with this local_rank, one a node */
    struct meeting_place place;
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
    struct trial_team team;
};

/*
 * Runs the trials of one worker, one at a time. All arguments must outlive it; dir is the study's
 * folder; helper may be NULL for a function.
 */
struct trial_runner *trial_runner_create(struct comm *comm, const struct study *study,
                                         const char *dir, const struct machine_slot *slot,
                                         struct helper *helper,
                                         const struct trial_observer *observer);
void trial_runner_free(struct trial_runner *runner);
void trial_run(struct trial_runner *runner, const struct trial_task *task);
/* What the program is to do: the answer to asked(). */
void trial_answer(struct trial_runner *runner, uint64_t call, enum trial_word word);
void trial_reply(struct trial_runner *runner, uint64_t number, const struct trial_reply *reply);
/* Ends the running trial; its state will be OUTCOME_INTERRUPTED. */
void trial_interrupt(struct trial_runner *runner);
/*
 * The same; its state will be OUTCOME_STOPPED, and its score the last value that it reported. A
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
struct evaluator *evaluator_open(struct comm *comm, struct helper *helper,
                                 const struct machine_slot *slot, const struct study_code *code,
                                 const char *folder, int output,
                                 const struct evaluator_handler *handler);
/* Runs the code ("": none), then gives the value of the expression as text ("": none). */
void evaluator_evaluate(struct evaluator *evaluator, const char *code, const char *expression);
/* Ends it; an evaluation that is under way is not answered then. Its handler may call this. */
void evaluator_close(struct evaluator *evaluator);

/* ---- checkpoints ---- */

/*
 * Removes a folder by its name in an open one, and all in it; links are not followed. It may take
 * long. Returns 0, or a number of errno.
 */
int trial_checkpoint_remove(int folder, const char *name);

#endif
