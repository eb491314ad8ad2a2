/*
 * num - numerics: models of data, low-discrepancy sequences, test functions.
 *
 *   forest.h      a random forest: regression on mixed columns
 *   gp.h          a Gaussian process
 *   importance.h  what matters in a forest
 *   minimise.h    the smallest value of a smooth function in a box
 *
 * Most are pure functions of their arguments, without allocation. Forests and Gaussian processes
 * are objects with a life of their own; each header says who frees them. LAPACK is looked for once.
 */
#ifndef NUM_NUM_H
#define NUM_NUM_H

#include "base/base.h"
#include "num/forest.h"
#include "num/gp.h"
#include "num/importance.h"
#include "num/minimise.h"

enum { SOBOL_DIMENSIONS = 64 }; /* most dimensions of num_sobol() */

/*
 * Point `index` of the Sobol sequence in [0, 1)^dimensions (direction numbers of Joe and Kuo 2008,
 * in the order of the Gray code), with a digital shift by `seed`, so that every seed has its own
 * sequence and none starts at 0. dimensions <= SOBOL_DIMENSIONS.
 */
void num_sobol(uint64_t index, uint64_t seed, size_t dimensions, double *out);

/* Compares two doubles, for qsort(). */
int num_compare(const void *a, const void *b);

/*
 * True when point `a` of so many scores is nowhere worse than `b`; small scores are good, or large
 * ones where maximize[] is true. NULL: all are to be minimised.
 */
bool num_covers(const double *a, const double *b, size_t count, const bool *maximize);
/* Pareto dominance: `a` is nowhere worse than `b` and somewhere better; all are to be minimised. */
bool num_dominates(const double *a, const double *b, size_t count);

/* Reflects a number at the ends of [0, 1] until it lies inside, so that none pile up at an end. */
double num_fold(double number);

/*
 * Value `index` of a random permutation of 0 .. count-1 (a Feistel network: no table is kept);
 * index < count.
 */
uint64_t num_permute(uint64_t index, uint64_t count, uint64_t seed);

/*
 * Eigenvalues and eigenvectors of a symmetric matrix of n rows, which is overwritten (C. Jacobi's
 * rotations: exact to the last digits, and fast enough for n up to about 100). Column i of
 * `vectors` belongs to values[i]; they are in no order.
 */
void num_eigen(double *matrix, size_t n, double *values, double *vectors);

/*
 * An input of a test function: a number, or the text of a choice with its number (the index of the
 * choice if it is not a number itself); NaN and NULL: not active.
 */
struct function_input {
    double number;
    const char *text;
};

/*
 * A model that is evaluated inside Wick, for demos, tests and benchmarks.
 *
 * A function with `inputs` > 0 takes that many, in the order of `names`: the space of a study has
 * parameters of these names, or exactly as many with other names, which count in their order. A
 * function with `inputs` == 0 takes all parameters of the study in their order, at least `least`;
 * one that is not active counts as 0. A study without a space gets the function's own.
 */
struct function {
    const char *name;
    const char *about; /* one line for the user */
    const char *space; /* its own space as a YAML block: one parameter per line, not indented */
    size_t inputs;     /* how many it takes; 0: any number, at least `least` */
    size_t least;      /* if `inputs` is 0; otherwise the same as `inputs` */
    const char *const *names; /* of the parameters of `space`, in its order, ended by NULL */
    double optimum;           /* the smallest score in its own space, NaN: not known */
    double (*score)(const struct function_input *in, size_t count);
    /* Names of the scores if it has several, ended by NULL; otherwise NULL. All are minimised. */
    const char *const *scores;
    /* Fills in the scores after the first, which is `score`. */
    void (*others)(const struct function_input *in, size_t count, double *scores);
    /*
     * Seconds that a trial takes, or each of its steps if it has steps; NULL: none. The worker
     * waits on a timer; it does not block.
     */
    double (*duration)(const struct function_input *in, size_t count);
    /*
     * For a function that learns: how many steps a trial makes, and the score after a step, counted
     * from 1; the score of the trial is that after the last. NULL: it does not learn.
     */
    uint64_t (*steps)(const struct function_input *in, size_t count);
    double (*curve)(const struct function_input *in, size_t count, uint64_t step);
};

/* Names of all functions, ended by NULL. */
const char *const *function_names(void);
/* The function of this name, or NULL. */
const struct function *function_find(const char *name);

#endif
