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
#include "study/study.h"

/* How a trial ended. The names are those of the journal: trial_state_name(). */
enum trial_state {
    TRIAL_RUNNING,       /* not ended */
    TRIAL_DONE,          /* it gave a score */
    TRIAL_FAILED,        /* exit code not 0, a signal, or it could not be started */
    TRIAL_TIMEOUT,       /* over its time limit */
    TRIAL_OUT_OF_MEMORY, /* over its memory limit */
    TRIAL_NO_SCORE,      /* exit code 0, but no score was found */
    TRIAL_NAN,           /* its score is not a number */
    TRIAL_STOPPED,       /* ended by the search or the user because it is not wanted any more */
    TRIAL_INTERRUPTED,   /* Wick was told to end; it runs again on resume */
};

const char *trial_state_name(enum trial_state state);
/* The state of this name; TRIAL_RUNNING when there is none. */
enum trial_state trial_state_find(struct slice name);

enum { TRIAL_LOG_HEAD = 16 << 10, TRIAL_LOG_TAIL = 48 << 10, TRIAL_METRICS = 64 };

struct trial_metric {
    char name[48];
    double value;
};

/* What came of a trial. Start with {0} and trial_result_free() it. */
struct trial_result {
    enum trial_state state;
    double score;          /* of TRIAL_DONE; else NaN */
    double started, ended; /* comm_now() */
    int exit_code;         /* -1: it did not exit */
    int signal;            /* 0: no signal ended it */
    double processor;      /* seconds, user and system */
    uint64_t peak_memory;  /* bytes, of the largest process */
    struct trial_metric metrics[TRIAL_METRICS];
    size_t metric_count;
    char reason[256];     /* one line for the user; "" when done */
    struct str log;       /* the begin and the end of its output; may hold any bytes */
    uint64_t log_dropped; /* bytes left out between them */
};

void trial_result_free(struct trial_result *result);

#endif
