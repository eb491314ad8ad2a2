/*
 * history.h - private to the room: when runs started and ended, the tries of a trial before its
 * last one, and from all of that, how busy the workers were.
 */
#ifndef REPORT_HISTORY_H
#define REPORT_HISTORY_H

#include "report/report.h"

/* From `wick run` or `wick resume` to its end. */
struct history_run {
    double from, to;
    uint64_t workers;
    uint64_t last; /* the largest number of one */
};

/* A try before the last one of its trial, or the part of another rank in any try. */
struct history_try {
    uint32_t index; /* index of the trial */
    uint32_t worker;
    uint8_t state; /* OUTCOME_INTERRUPTED if it is not known how it ended */
    bool part;     /* it ran on several workers, and this is not the first */
    double started, ended;
};

struct history {
    struct history_run *runs;
    size_t run_count, run_capacity;
    struct history_try *tries;
    size_t try_count, try_capacity;
};

/* Collects runs and tries from a journal. */
void history_read(struct history *history, const struct journal *journal);
/* Frees them. */
void history_free(struct history *history);

enum { USAGE_BINS = 1500 };

/* How the workers were used. */
struct usage {
    size_t workers;  /* the largest worker number */
    double *busy;    /* busy share of each worker while it was there, in [0, 1] */
    double total;    /* the same for all of them together */
    double mean;     /* mean number of running trials over the time of all runs */
    double step;     /* seconds of a bin */
    double *running; /* mean number of running trials in each of USAGE_BINS bins */
};

/* Measures the usage. */
void usage_measure(struct usage *usage, const struct journal *journal,
                   const struct history *history);
/* Frees what it owns. */
void usage_free(struct usage *usage);

/*
 * The busy share of each worker in each of `columns` equal parts of the time, row by row: for a
 * page that does not have all trials. free() it.
 */
float *usage_grid(const struct usage *usage, const struct journal *journal,
                  const struct history *history, size_t columns);

#endif
