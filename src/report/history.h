/*
 * history.h - what the journal says beyond the last try of each trial: when runs began and ended,
 * and the tries before the last one; and from all that, how busy the workers were.
 */
#ifndef REPORT_HISTORY_H
#define REPORT_HISTORY_H

#include "report/report.h"

/* From `wick run` or `wick resume` to its end. */
struct history_run {
    double from, to;
    uint64_t workers;
};

/* A try that was not the last one of its trial, or the part of another rank in any try. */
struct history_try {
    uint32_t index; /* of the trial */
    uint32_t worker;
    uint8_t state; /* OUTCOME_INTERRUPTED when nothing says how it ended */
    bool part;     /* of several workers, this is not the first */
    double started, ended;
};

struct history {
    struct history_run *runs;
    size_t run_count, run_capacity;
    struct history_try *tries;
    size_t try_count, try_capacity;
};

void history_read(struct history *history, const struct journal *journal);
void history_free(struct history *history);

enum { USAGE_BINS = 1500 };

/* How the workers were used. */
struct usage {
    size_t workers;  /* the largest number that a worker had */
    double *busy;    /* share of the time that each worker was there, in [0, 1] */
    double total;    /* the same for all of them together */
    double mean;     /* trials that ran at once, on average over the time of the runs */
    double step;     /* seconds of a bin */
    double *running; /* USAGE_BINS: trials that ran at once, on average in the bin */
};

void usage_measure(struct usage *usage, const struct journal *journal,
                   const struct history *history);
void usage_free(struct usage *usage);

/*
 * Busy shares of each worker in each of `columns` equal parts of the study's time, row by row:
 * what a page shows of workers when it has too few trials for bars. free() it.
 */
float *usage_grid(const struct usage *usage, const struct journal *journal,
                  const struct history *history, size_t columns);

#endif
