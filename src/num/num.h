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

enum { SOBOL_DIMENSIONS = 64 }; /* the most that num_sobol() knows */

/*
 * Point `index` of the Sobol sequence in [0, 1)^dimensions (direction numbers of Joe and Kuo 2008,
 * in the order of the Gray code), with a digital shift by `seed`, so that every seed has its own
 * sequence and none starts at 0. dimensions <= SOBOL_DIMENSIONS.
 */
void num_sobol(uint64_t index, uint64_t seed, size_t dimensions, double *out);

/* For qsort(): numbers by their size. */
int num_compare(const void *a, const void *b);

/*
 * True when point `a` of so many scores is nowhere worse than `b`; small scores are good, or large
 * ones where maximize[] is true. NULL: all are to be minimised.
 */
bool num_covers(const double *a, const double *b, size_t count, const bool *maximize);
/* Pareto dominance: `a` is nowhere worse than `b` and somewhere better; all are to be minimised. */
bool num_dominates(const double *a, const double *b, size_t count);

/* A number back into [0, 1], from both ends as in a mirror: near an end no heap comes about. */
double num_fold(double number);

/*
 * Value `index` of a random permutation of 0 .. count-1 (a Feistel network: no table is kept);
 * index < count.
 */
uint64_t num_permute(uint64_t index, uint64_t count, uint64_t seed);

/*
 * Eigenvalues and eigenvectors of a symmetric matrix of n rows, which is used up (C. Jacobi's
 * rotations: exact to the last digits, and fast enough for n up to about 100). Column i of
 * `vectors` belongs to values[i]; they are in no order.
 */
void num_eigen(double *matrix, size_t n, double *values, double *vectors);

/*
 * What a test function is given: a number, or the text of a choice with its number (the index of
 * the choice when it is not a number itself); NaN and NULL: not active.
 */
struct function_input {
    double number;
    const char *text;
};

/*
 * A model that is evaluated inside Wick, for demos, tests and benches.
 *
 * A function with `inputs` > 0 takes that many, in the order of `names`: a study's own space has
 * parameters of these names, or exactly as many of other names, which count by their order. One
 * with `inputs` == 0 takes all parameters of the study in their order, `least` or more; what is not
 * active counts as 0. A study without a space gets the function's own.
 */
struct function {
    const char *name;
    const char *about;        /* one line for the user */
    const char *space;        /* its own space, as a YAML block: a parameter a line, not indented */
    size_t inputs;            /* how many it takes; 0: any number, from `least` on */
    size_t least;             /* when `inputs` is 0; else the same as `inputs` */
    const char *const *names; /* of the parameters of `space`, in its order, ended by NULL */
    double optimum;           /* the smallest score in its own space, NaN: not known */
    double (*score)(const struct function_input *in, size_t count);
    /* Names of the scores where it has several, ended by NULL; else NULL. All are minimised. */
    const char *const *scores;
    /* Fills those after the first, which is `score`. */
    void (*others)(const struct function_input *in, size_t count, double *scores);
    /*
     * Seconds that the trial takes, of one with steps each step; NULL: none. The worker waits on a
     * timer, it does not block.
     */
    double (*duration)(const struct function_input *in, size_t count);
    /*
     * Of a function that learns: how many steps a trial makes, and what the score would be after a
     * step, from 1 on; the score is that after the last. NULL: it does not learn.
     */
    uint64_t (*steps)(const struct function_input *in, size_t count);
    double (*curve)(const struct function_input *in, size_t count, uint64_t step);
};

/* Names of all functions, ended by NULL. */
const char *const *function_names(void);
/* The function of this name, or NULL. */
const struct function *function_find(const char *name);

#endif
