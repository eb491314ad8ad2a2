/*
 * importance.h - what matters in a forest: functional analysis of variance (F. Hutter, H. Hoos,
 * K. Leyton-Brown, "An efficient approach for assessing hyperparameter importance", 2014).
 *
 * The prediction of a tree is a function on the whole space. Its marginal in a column is its mean
 * over all other columns; the variance of the marginal, as a share of that of the function, is what
 * the column explains alone. The marginal in two columns, less the two alone, is what they explain
 * only together. A tree is constant in boxes, so both are exact: nothing is drawn.
 *
 * Columns of numbers must be on the unit scale, [0, 1]: there every stretch is equally likely.
 */
#ifndef NUM_IMPORTANCE_H
#define NUM_IMPORTANCE_H

#include "num/forest.h"

/* Which values a column has in the space, and how likely each is. Columns do not depend. */
struct importance_column {
    size_t levels;         /* how many values; 0: every number in [0, 1] */
    const double *places;  /* of the levels, rising; of categories NULL */
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
    struct importance_share *alone; /* of each column, shares of the variance of a tree */
    struct importance_pair *pairs;  /* the largest first */
    size_t pair_count;
    double variance; /* of the predictions over the space, mean over the trees */
};

/*
 * Measures a forest that is fitted. Pairs are of the `most` columns that the splits say most of,
 * alone or together with others. A pair costs the product of its numbers of thresholds a tree, so
 * the trees should have hundreds of leaves, not many thousands. Free it with importance_free().
 */
void importance_measure(struct importance *importance, const struct forest *forest,
                        const struct importance_column *columns, size_t most);
void importance_free(struct importance *importance);

/* The marginal of a column, in units of the targets, at values of it (NaN: missing). */
void importance_curve(const struct forest *forest, const struct importance_column *columns,
                      size_t column, const double *values, size_t count,
                      struct importance_share *out);

/* The marginal of two columns, row by row: a row for each value of the first. Means only. */
void importance_surface(const struct forest *forest, const struct importance_column *columns,
                        size_t first, const double *firsts, size_t first_count, size_t second,
                        const double *seconds, size_t second_count, double *out);

#endif
