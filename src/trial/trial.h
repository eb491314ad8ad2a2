/*
 * trial - run one trial: start the program, watch it, read its score, end it.
 *
 * A runner runs the trials of one worker, one at a time, as runner.c shows. A trial of a program is
 * a process group of its own, started by the helper; a built-in function is evaluated in place. The
 * worker observes the runner, answers its program's questions, and gets one outcome for each trial.
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

/* What a program does in the key-value space that all trials share. */
enum trial_operation { TRIAL_PUT, TRIAL_GET, TRIAL_WAIT, TRIAL_DELETE, TRIAL_LIST };

/* A question of a program to the key-value space. */
struct trial_question {
    enum trial_operation operation;
    struct slice key;  /* TRIAL_LIST: a prefix */
    const void *bytes; /* TRIAL_PUT */
    size_t length;
    uint64_t known; /* TRIAL_WAIT: wait for a version above this */
};

/* The reply to it. */
struct trial_reply {
    const char *error; /* NULL: none */
    uint64_t version;  /* 0: there is no value */
    const void *bytes; /* of TRIAL_GET and TRIAL_WAIT */
    size_t length;
    const struct slice *keys; /* of TRIAL_LIST */
    size_t key_count;
};

/* The answer to a program that asks whether to stop. */
enum trial_word {
    TRIAL_GO_ON,
    TRIAL_ENOUGH, /* stop: the next step is not worth it; its state will be OUTCOME_STOPPED */
    TRIAL_LEAVE,  /* stop: the machine is taken away; OUTCOME_INTERRUPTED, it will go on later */
};

/* What a runner reports; all may be called before trial_run() returns. */
struct trial_observer {
    void *self;
    void (*step)(void *self, const struct outcome_step *step);
    /*
     * The program asks whether to stop, for the call-th time (from 1; 0: it does not count its
     * questions). Answer with trial_answer(), now or later. All ranks of a trial must get the same
     * answer to the same call.
     */
    void (*asked)(void *self, uint64_t call);
    /* A question to the key-value space: answer this number with trial_reply(), now or later. */
    void (*question)(void *self, uint64_t number, const struct trial_question *question);
    /* Nobody waits for this reply any more; a put or delete happens all the same. */
    void (*forget)(void *self, uint64_t number);
    void (*done)(void *self, const struct outcome *outcome); /* once for each trial_run() */
};

/* The processes of a trial of several ranks; zeros: it has one. */
struct trial_team {
    unsigned ranks, rank;             /* how many, and which of them this is, from 0 */
    unsigned local_ranks, local_rank; /* the same, of those on this node */
    unsigned cross_ranks, cross_rank; /* of those with this local_rank, one per node */
    struct meeting_place place;
    const char *node;  /* its name; valid until done(), like the next */
    const char *hosts; /* of `launch: mpi`: n1:2,n2:2 */
};

/* One try of a trial. */
struct trial_task {
    uint64_t id;
    unsigned try;
    const double *point; /* copied */
    uint64_t origin;     /* the trial whose checkpoint it starts from; 0: none */
    uint64_t step;       /* it goes on after this step; a program learns that from its checkpoint */
    struct trial_team team;
};

struct trial_runner;

/* All arguments must outlive the runner. dir is the study's folder; helper is NULL for a function.
 */
struct trial_runner *trial_runner_create(struct comm *comm, const struct study *study,
                                         const char *dir, const struct machine_slot *slot,
                                         struct helper *helper,
                                         const struct trial_observer *observer);
/* Frees it in any state; the helper ends a program that still runs. */
void trial_runner_free(struct trial_runner *runner);
/* Starts a trial; done() follows. One must have ended before the next is run. */
void trial_run(struct trial_runner *runner, const struct trial_task *task);
/* Answers asked(): what the program is to do. */
void trial_answer(struct trial_runner *runner, uint64_t call, enum trial_word word);
/* Answers question(); the reply is copied. */
void trial_reply(struct trial_runner *runner, uint64_t number, const struct trial_reply *reply);
/* Ends the running trial; its state will be OUTCOME_INTERRUPTED. */
void trial_interrupt(struct trial_runner *runner);
/*
 * The same, but its state will be OUTCOME_STOPPED, and its score the last value that it reported. A
 * program that asks whether to stop is told so when it asks next, and ends itself.
 */
void trial_stop(struct trial_runner *runner);
/* Copies what the running program has printed so far to DIR/tmp/ID.log, for whoever asked. */
void trial_show(struct trial_runner *runner);

/* ---- code of other languages ---- */

/*
 * Evaluates pieces of code in a process that keeps its state. The first evaluation starts the
 * process, which imports what code->preload names; when it has died, the next one starts it again.
 */
struct evaluator;

enum { EVALUATOR_LIMIT = 16 << 20 }; /* bytes of a question, and of an answer */

/* How an evaluation went. */
enum evaluator_state {
    EVALUATOR_GOOD,  /* the text is the value of the expression */
    EVALUATOR_ERROR, /* the text is the error with its traceback; the state stays */
    EVALUATOR_LOST,  /* the process has died, and its state with it */
};

/* Who gets the answers. */
struct evaluator_handler {
    void *self;
    /* Once for each evaluation, perhaps before evaluator_evaluate() returns. */
    void (*done)(void *self, enum evaluator_state outcome, const char *text, size_t length);
};

/*
 * All arguments must outlive it. Of `code`, language, interpreter and preload count. `folder` is
 * where it runs, and `output` a descriptor for what the code prints.
 */
struct evaluator *evaluator_open(struct comm *comm, struct helper *helper,
                                 const struct machine_slot *slot, const struct study_code *code,
                                 const char *folder, int output,
                                 const struct evaluator_handler *handler);
/* Runs the code ("": none), then evaluates the expression to a text ("": none). done() follows. */
void evaluator_evaluate(struct evaluator *evaluator, const char *code, const char *expression);
/* Ends the process and frees all; an evaluation under way is not answered. Handlers may call it. */
void evaluator_close(struct evaluator *evaluator);

/* ---- checkpoints ---- */

/*
 * Removes a checkpoint, or whatever has this name in the open folder, with all that is in it; links
 * are not followed. It may take long. Returns 0 or an errno.
 */
int trial_checkpoint_remove(int folder, const char *name);

#endif
