/*
 * output.h - what a program prints: read it, keep a bounded part, find the score (private to this
 * room).
 */
#ifndef TRIAL_OUTPUT_H
#define TRIAL_OUTPUT_H

#include "trial/trial.h"

enum { OUTPUT_LINE = 4096 }; /* a line is searched up to this length */

struct output {
    struct comm *comm;
    int out, err; /* read ends of its standard output and error; -1: closed */
    int number;   /* errno, when a part of it could not be read */
    const struct study_model *model;
    struct outcome_log log;
    char line[OUTPUT_LINE + 1];
    size_t line_length;
    bool has_score;
    double score;
    char other[48]; /* the last other name that had a number, for a hint; "": none */
    struct outcome_metric metrics[OUTCOME_METRICS];
    size_t metric_count;
};

/* A trial starts: forgets what was there. */
void output_begin(struct output *output, const struct study_model *model);
/* Reads two pipes from now on, without blocking; they are its own. */
void output_watch(struct output *output, struct comm *comm, int out, int err);
/* The program has ended: reads what it left in its pipes, and closes them. */
void output_close(struct output *output);
/* Bytes of stdout are searched for the score, those of stderr only kept. */
void output_add(struct output *output, const char *bytes, size_t length, bool is_stdout);
/* True, and the number, if a line of standard output would give the score. */
bool output_find_score(const struct study_model *model, const char *line, double *score);
/* Removes colours and zero bytes from a line, and ends it with a zero. */
void output_clean(char *line, size_t *length);
/* Searches a last line without a newline, and copies what was found into the outcome. */
void output_end(struct output *output, struct outcome *outcome);

/* ---- near_miss.c ---- */

/* A line that was meant to be the score, but is not found as one. */
struct near_miss {
    char line[72];
    const char *advice; /* what would be right; NULL: it was printed on standard error */
};

/* Finds the last such line in the output of a trial that has printed no score. */
bool output_near_miss(const struct study_model *model, struct slice log, struct near_miss *miss);

#endif
