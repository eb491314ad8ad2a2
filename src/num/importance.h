/*
 * importance.h - what matters in a forest: functional analysis of variance (F. Hutter, H. Hoos,
 * K. Leyton-Brown, "An efficient approach for assessing hyperparameter importance", 2014).
 *
 * The prediction of a tree is a function on the whole space. Its marginal in a column is its mean
 * over all other columns; the variance of the marginal, as a share of the function's variance, is
 * what the column explains alone. The marginal in two columns, minus the two single ones, is what
 * they explain only together. A tree is constant in boxes, so both are exact: nothing is sampled.
 *
 * Columns of numbers must be on the unit scale, [0, 1]: there every stretch is equally likely.
 */
#ifndef NUM_IMPORTANCE_H
#define NUM_IMPORTANCE_H

#include "num/forest.h"

/* The values of a column in the space, and how likely each is. Columns are independent. */
struct importance_column {
    size_t levels;         /* number of values; 0: every number in [0, 1] */
    const double *places;  /* of the levels, ascending; NULL for categories */
    const double *weights; /* of the levels, not all 0; NULL: they are equally likely */
    double missing;        /* share of the space in which it is missing */
};

/* Mean and standard deviation over the trees. */
struct importance_share {
    double mean, spread;
};

/* What two columns explain only together. */
struct importance_pair {
    size_t first, second;
    struct importance_share share;
};

struct importance {
    size_t columns;
    struct importance_share *alone; /* of each column: its share of the variance of a tree */
    struct importance_pair *pairs;  /* the largest first */
    size_t pair_count;
    double variance; /* of the predictions over the space, mean over the trees */
};

/*
 * Measures a fitted forest; importance_free() the result. Pairs are taken from the `most` columns
 * that matter most in the splits, alone or with others. For each tree, a pair costs the product of
 * its two numbers of thresholds, so trees should have hundreds of leaves, not many thousands.
 */
void importance_measure(struct importance *importance, const struct forest *forest,
                        const struct importance_column *columns, size_t most);
/* Frees what importance_measure() has made. */
void importance_free(struct importance *importance);

/* The marginal of a column at some of its values (NaN: missing), in units of the targets. */
void importance_curve(const struct forest *forest, const struct importance_column *columns,
                      size_t column, const double *values, size_t count,
                      struct importance_share *out);

/* The marginal of two columns, means only, row by row: one row for each value of the first. */
void importance_surface(const struct forest *forest, const struct importance_column *columns,
                        size_t first, const double *firsts, size_t first_count, size_t second,
                        const double *seconds, size_t second_count, double *out);

#endif
