/*
 * problem.h - the problems on which bench/search runs its searches.
 *
 * A problem is a pure function of a point in a space that is written as in a study file, so that
 * everything that a study can express occurs. Scores are minimised. A noisy problem reports a noisy
 * score and is judged by the true one. No problem is made for an algorithm, and none may be changed
 * because an algorithm is bad at it.
 *
 *   classic.c  functions from the literature, off the centre of their range, and similar ones
 *   tuning.c   formulas that behave like the tuning of models
 *   problem.c  opens them, and the tables of real trainings if they exist
 */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#include "study/study.h"

/* A problem that is a formula. */
struct formula {
    const char *name;
    const char *space; /* one parameter per line, not indented; NULL: `floats` from low to high */
    size_t floats;
    double low, high;
    double optimum; /* smallest true score; NaN: that of all points, which are finite in number */
    double noise;   /* standard deviation of what is added to the score */
    /* The point as in space.h; NaN: the trial fails. */
    double (*score)(const double *x, size_t count);
};

/* Ends with an element without a name. */
extern const struct formula classic_formulas[], tuning_formulas[];

struct problem {
    const char *name;
    const struct formula *formula; /* NULL: a table */
    double *cells;                 /* of a table, the last parameter varying fastest */
    struct study study;
    double optimum, noise;
    double scale;         /* regret that random search leaves after 25 trials */
    bool conditional;     /* some parameter is not always active */
    uint64_t fingerprint; /* of its scores: results of another version are not comparable */
};

/* All problems whose names are in `wanted` (separated by commas; NULL: all). free() the array. */
struct problem *problems_open(const char *wanted, size_t *count);
void problems_close(struct problem *problems, size_t count);

/* The true score; NaN: the trial fails. */
double problem_score(const struct problem *problem, const double *point);

/* True if `name` is in a comma-separated list, or there is no list. */
bool name_is_wanted(const char *name, const char *wanted);

#endif
