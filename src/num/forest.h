/*
 * forest.h - a random forest: regression on columns of numbers and categories, with missing values.
 *
 * A row has one number a column: a number, or the index of a category; NaN where it is missing (a
 * parameter that is not active). Splits are on the values as they stand, so nothing is encoded: a
 * number is below a threshold or not, a category is in a set or not, and what is missing goes to
 * the side that fits it better. Trees see bootstrap samples and draw from streams of their own, so
 * the same data and seed give the same forest on any number of threads.
 */
#ifndef NUM_FOREST_H
#define NUM_FOREST_H

#include "base/base.h"

struct forest;

struct forest_settings {
    size_t columns;
    const size_t *categories; /* of each column; 0: it is a number */
    size_t trees;
    size_t least_leaf;   /* rows of a leaf, at least */
    double column_share; /* of the columns, looked at for each split */
    size_t most_rows;    /* a tree's sample has at most so many; 0: as many as there are rows */
    uint64_t seed;
    unsigned threads; /* to fit with; 0 or 1: the caller's alone */
};

struct forest *forest_create(const struct forest_settings *settings);
void forest_free(struct forest *forest);

/* Adds a row; it counts from the next forest_fit() on. */
void forest_add(struct forest *forest, const double *row, double target);
/* Gives all rows new targets, in the order in which they were added. */
void forest_retarget(struct forest *forest, const double *targets);
/*
 * Brings the forest up to date: at most `trees` trees are grown anew (those that are oldest), and
 * in the others new rows and targets count in the leaves where they fall. SIZE_MAX: all trees.
 */
void forest_fit(struct forest *forest, size_t trees);

/* Mean and variance at a row: the variance is between the trees and within their leaves. */
void forest_predict(const struct forest *forest, const double *row, double *mean, double *variance);
/* The mean squared error of the rows, each by the trees that did not see it; NaN: none is left. */
double forest_error(const struct forest *forest);

#endif
