/*
 * output.h - what a program prints: keep a bounded part, find the score (private to this room).
 */
#ifndef TRIAL_OUTPUT_H
#define TRIAL_OUTPUT_H

#include "trial/trial.h"

enum {
    OUTPUT_LINE = 4096,     /* a line is looked at up to this length */
    OUTPUT_HEAD = 16 << 10, /* bytes of the log that are kept from its start */
    OUTPUT_TAIL = 48 << 10, /* and from its end */
};

struct output {
    const struct study_model *model;
    char head[OUTPUT_HEAD]; /* the first bytes */
    size_t head_length;
    char tail[OUTPUT_TAIL]; /* a ring of the last bytes */
    uint64_t tail_bytes;    /* ever written to the ring */
    char line[OUTPUT_LINE + 1];
    size_t line_length;
    bool has_score;
    double score;
    char other[48]; /* the last other name that had a number, for a hint; "": none */
    struct outcome_metric metrics[OUTCOME_METRICS];
    size_t metric_count;
};

void output_begin(struct output *output, const struct study_model *model);
/* Bytes of stdout are searched for the score, those of stderr only kept. */
void output_add(struct output *output, const char *bytes, size_t length, bool is_stdout);
/* Looks at a last line without a newline, and moves what was found into the result. */
void output_end(struct output *output, struct outcome *result);
/* Appends what is kept so far; returns how many bytes are left out. */
uint64_t output_copy(const struct output *output, struct str *log);
/* How many bytes were printed so far. */
uint64_t output_bytes(const struct output *output);

/* Sets a metric of a result, replacing one of the same name. */
void output_metric(struct outcome_metric *metrics, size_t *count, const char *name, size_t length,
                   double value);

#endif
