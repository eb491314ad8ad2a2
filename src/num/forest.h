/*
 * forest.h - a random forest: regression on columns of numbers and categories, with missing values.
 *
 * A row has one number a column: a number, or the index of a category; NaN where it is missing (a
 * parameter that is not active). Splits are on the values as they stand, so nothing is encoded: a
 * number is below a threshold or not, a category is in a set or not, and what is missing goes to
 * the side that fits it better. What a split has not seen (a category, a missing value) goes to a
 * side drawn for it: the trees then disagree, and the variance says that nothing is known there.
 *
 * A tree sees row r as often as a Poisson draw of (seed, tree, r) says, 0 included: the bootstrap
 * for data that grows (N. Oza, S. Russell, "Online bagging and boosting", 2001). Every tree draws
 * from streams of its own, so the same data and seed give the same forest on any number of threads.
 *
 * Two things are kept apart: the structure of a tree, grown from the rows and targets there were,
 * and the values of its leaves, which forest_settle() brings up to date for all rows. So a new
 * result costs the growing of a few trees, not of all, and new targets cost none.
 */
#ifndef NUM_FOREST_H
#define NUM_FOREST_H

#include "base/base.h"

struct forest;

struct forest_settings {
    size_t columns;
    const size_t *categories; /* of each column; 0: it is a number. NULL: all are */
    size_t trees;
    size_t least_leaf;   /* rows of a leaf, at least; 0 counts as 1 */
    double column_share; /* of the columns, looked at for each split; 0 counts as 1 */
    size_t most_rows;    /* about as many grow a tree at most; 0: all of them */
    bool whole;          /* every tree sees all rows, once: no bootstrap */
    uint64_t seed;
    unsigned threads; /* to fit with; 0 or 1: the caller's alone */
};

/* The categories are copied. */
struct forest *forest_create(const struct forest_settings *settings);
void forest_free(struct forest *forest);

/*
 * Adds a row; it counts from the next fit, growth or settling on. False, and nothing is added, when
 * the target or a number of the row is infinite, or the target is NaN. A category must be one.
 */
bool forest_add(struct forest *forest, const double *row, double target);
/* How many rows were added. */
size_t forest_rows(const struct forest *forest);
/* Gives the first `count` rows new targets, all finite, in the order in which they were added. */
void forest_retarget(struct forest *forest, const double *targets, size_t count);

/* Grows all trees from all rows and settles: the forest is new. */
void forest_fit(struct forest *forest);
/*
 * Grows one tree anew, from the first `rows` rows and their present targets. It is a function of
 * these, the seed and the tree's number, not of what was grown before.
 */
void forest_grow(struct forest *forest, size_t tree, size_t rows);
/* How many rows a leaf has at least, in trees that are grown from now on. */
void forest_set_least_leaf(struct forest *forest, size_t rows);
/* The rows that the tree was grown from; 0: it has not been. */
size_t forest_grown(const struct forest *forest, size_t tree);
/*
 * Gives the leaves of all trees their values: those of all rows that fall there, with their
 * present targets. What was pretended is forgotten.
 */
void forest_settle(struct forest *forest);
/* Counts a row in the leaves where it falls, as if it had this target, until the next settling. */
void forest_pretend(struct forest *forest, const double *row, double target);

/*
 * Mean and variance at a row: the variance is between the trees and within their leaves (the law of
 * total variance). Without rows both are 0.
 */
void forest_predict(const struct forest *forest, const double *row, double *mean, double *variance);
/* The same for many rows, one after another; several times faster than one by one. */
void forest_predict_many(const struct forest *forest, const double *rows, size_t count,
                         double *means, double *variances);
/*
 * The mean squared error of the rows, each by the trees that do not see it; NaN: none is left.
 * Rows that came after a tree was grown count as well.
 */
double forest_error(const struct forest *forest);

#endif
