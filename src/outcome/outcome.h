/*
 * outcome - how a trial ended, with what it measured.
 *
 * A worker makes an outcome and sends it, packed, to the driver; the driver judges it by the study
 * and writes it to the journal; reports read it from there. Rooms that only read outcomes need
 * nothing of what runs a trial.
 */
#ifndef OUTCOME_OUTCOME_H
#define OUTCOME_OUTCOME_H

#include "base/base.h"
#include "study/study.h"

#include <math.h>

/* How a trial ended. The journal has the names: outcome_state_name(). */
enum outcome_state {
    OUTCOME_RUNNING,       /* it has not ended */
    OUTCOME_DONE,          /* it gave a score */
    OUTCOME_FAILED,        /* its exit code is not 0, a signal ended it, or it could not start */
    OUTCOME_TIMEOUT,       /* it exceeded its time limit */
    OUTCOME_OUT_OF_MEMORY, /* it exceeded its memory limit */
    OUTCOME_NO_SCORE,      /* its exit code is 0, but no score was found */
    OUTCOME_NAN,           /* its score is not a finite number */
    OUTCOME_STOPPED,       /* ended early because it is not worth its next step */
    OUTCOME_INTERRUPTED,   /* Wick itself was told to end; it runs again on resume */
};

/* The name of a state, as the journal and the user see it: "done", "out of memory", ... */
const char *outcome_state_name(enum outcome_state state);
/* The state with this name; OUTCOME_RUNNING when there is none. */
enum outcome_state outcome_state_find(struct slice name);
/* True when a trial in this state is over for good: it neither runs nor waits to run again. */
bool outcome_state_ended(enum outcome_state state);
/* True when this state counts as a failure; a stopped trial has not failed. */
bool outcome_state_failed(enum outcome_state state);

enum { OUTCOME_METRICS = 64 }; /* the most metrics of an outcome or a step */

/* A number that a trial measured, by name. */
struct outcome_metric {
    char name[48];
    double value;
};

/*
 * Sets a metric in an array of OUTCOME_METRICS, replacing one of the same name; false when the
 * array is full, which stays as it is.
 */
bool outcome_set_metric(struct outcome_metric *metrics, size_t *count, const char *name,
                        size_t length, double value);

/* What a trial reports for one step. The metrics belong to the caller. */
struct outcome_step {
    uint64_t step; /* from 1 */
    double value;  /* the score if the trial ended here; may be NaN */
    const struct outcome_metric *metrics;
    size_t metric_count;
    bool unscored; /* it reported other metrics only: there is no value */
};

/* How a trial ended, with what it measured. Start with {0}; outcome_free() it. */
struct outcome {
    enum outcome_state state;
    double score;           /* of OUTCOME_DONE; of OUTCOME_STOPPED the last value; else NaN */
    double started, ended;  /* comm_now() */
    int exit_code;          /* -1: it did not exit */
    int signal;             /* 0: no signal ended it */
    double processor;       /* seconds, user and system */
    uint64_t peak_memory;   /* bytes, of the largest process */
    uint64_t read, written; /* bytes, by the calls of these names; 0: not known */
    double energy;          /* joules, its share of the machine's; 0: not known */
    struct outcome_metric metrics[OUTCOME_METRICS];
    size_t metric_count;
    bool no_room;         /* interrupted: it was not started, for want of processes or the like */
    bool can_go_on;       /* stopped, with a checkpoint from which a later try could go on */
    char reason[256];     /* one line for the user; when done, usually "" */
    struct str log;       /* the start and the end of its output; may hold any bytes */
    uint64_t log_dropped; /* bytes left out between them */
    /* Set by outcome_judge(), and not packed: */
    double scores[SEARCH_OBJECTIVES]; /* of several objectives; `score` is the first of them */
    size_t score_count;               /* 0: there is one objective, or the trial is not done */
    double violation; /* by how much it breaks measured constraints; 0: not at all */
    bool paused;      /* set by the driver, and not packed: it may go on */
};

/* ---- what is kept of a program's output ---- */

enum {
    OUTCOME_LOG_HEAD = 16 << 10, /* bytes that are kept from its start */
    OUTCOME_LOG_TAIL = 48 << 10, /* and from its end */
};

/* Start with {0}. */
struct outcome_log {
    char head[OUTCOME_LOG_HEAD]; /* the first bytes */
    size_t head_length;
    char tail[OUTCOME_LOG_TAIL]; /* a ring of the last bytes */
    uint64_t tail_bytes;         /* ever written to the ring */
};

/* Forgets everything; costs nothing. */
void outcome_log_clear(struct outcome_log *log);
/* Adds what the program printed. */
void outcome_log_add(struct outcome_log *log, const char *bytes, size_t length);
/* How many bytes were added in all. */
uint64_t outcome_log_bytes(const struct outcome_log *log);
/* Appends what is kept; returns how many bytes are left out. */
uint64_t outcome_log_copy(const struct outcome_log *log, struct str *text);

/* ---- outcomes ---- */

/* Frees what the outcome holds and clears it. */
void outcome_free(struct outcome *outcome);
/* True when it has a score to learn from: done, or stopped early with a last value. */
static inline bool outcome_scored(const struct outcome *outcome)
{
    return (outcome->state == OUTCOME_DONE || outcome->state == OUTCOME_STOPPED) &&
           isfinite(outcome->score);
}

/* The outcome of a trial that was given to a worker and interrupted before it started. */
struct outcome outcome_not_started(double now);

/*
 * Completes an outcome that is done: its scores, and by how much it breaks the measured
 * constraints. One that lacks a score, or a metric that a constraint names, becomes a failure. One
 * that was stopped early is measured by what it has reported so far: a missing metric breaks its
 * constraint.
 */
void outcome_judge(const struct study *study, const double *point, struct outcome *outcome);

/* Appends the measured constraints that an outcome breaks, with commas between them. */
void outcome_add_broken(const struct study *study, const double *point,
                        const struct outcome *outcome, struct str *s);

/* Appends the outcome as bytes for a message. */
void outcome_pack(const struct outcome *outcome, struct str *bytes);
/* Reads such bytes into an outcome that is {0} or was used before; its log's memory is reused. */
void outcome_unpack(struct outcome *outcome, const unsigned char *bytes, size_t length);

#endif
