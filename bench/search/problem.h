/*
 * problem.h - what the searches of bench/search are let loose on.
 *
 * A problem is a pure function of a point in a space that is written as in a study file, so that
 * all that a study can say occurs. Scores are minimised. A noisy problem tells a noisy score and is
 * judged by the true one. None of them is made for an algorithm, and none is to be changed because
 * one is bad at it.
 *
 *   classic.c  functions of the literature, off the centre of their range, and others of their kind
 *   tuning.c   formulas that behave as the tuning of models does
 *   problem.c  opens them, and the tables of real trainings where they are there
 */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#include "study/study.h"

/* A problem that is a formula. */
struct formula {
    const char *name;
    const char *space; /* a parameter a line, not indented; NULL: `floats` from low to high */
    size_t floats;
    double low, high;
    double optimum; /* the smallest true score; NaN: that of all points, which are finite */
    double noise;   /* standard deviation of what is added to the score */
    /* The point as in space.h; NaN: the trial fails. */
    double (*score)(const double *x, size_t count);
};

/* Ended by one without a name. */
extern const struct formula classic_formulas[], tuning_formulas[];

struct problem {
    const char *name;
    const struct formula *formula; /* NULL: a table */
    double *cells;                 /* of a table, the last parameter fastest */
    struct study study;
    double optimum, noise;
    double scale;         /* the regret that random search leaves after 25 trials */
    bool conditional;     /* some parameter is not always there */
    uint64_t fingerprint; /* of its scores: results of another version are not comparable */
};

/* All problems whose names are in `wanted` (separated by commas; NULL: all). free() the array. */
struct problem *problems_open(const char *wanted, size_t *count);
void problems_close(struct problem *problems, size_t count);

/* The true score; NaN: the trial fails. */
double problem_score(const struct problem *problem, const double *point);

/* True when `name` is in a list that is separated by commas, or there is no list. */
bool name_is_wanted(const char *name, const char *wanted);

#endif
