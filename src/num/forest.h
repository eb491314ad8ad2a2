/*
 * forest.h - a random forest: regression on columns of numbers and categories, with missing values.
 *
 * A row has one number per column: a number, or the index of a category; NaN if it is missing (a
 * parameter that is not active). Splits use the values as they are, without encoding: a number is
 * below a threshold or not, a category is in a set or not, and a missing value goes to the side
 * that fits it better. What a split has not seen (a category, a missing value) goes to a random
 * side: the trees then disagree, and the variance shows that nothing is known there.
 *
 * A tree sees row r as often as a Poisson draw of (seed, tree, r) says, possibly never: the
 * bootstrap for growing data (N. Oza, S. Russell, "Online bagging and boosting", 2001). Every tree
 * draws from streams of its own, so the same data and seed give the same forest on any number of
 * threads.
 *
 * Two things are kept apart: the structure of a tree, grown from the rows and targets there were at
 * the time, and the values of its leaves, which forest_settle() updates for all rows. So a new
 * result costs growing a few trees, not all, and new targets cost none.
 */
#ifndef NUM_FOREST_H
#define NUM_FOREST_H

#include "base/base.h"

struct forest;

struct forest_settings {
    size_t columns;
    const size_t
        *categories; /* number of categories of each column; 0: it is a number. NULL: all are */
    size_t trees;
    size_t least_leaf;   /* fewest rows in a leaf; 0 counts as 1 */
    double column_share; /* share of the columns considered for each split; 0 counts as 1 */
    size_t most_rows;    /* about the most rows that a tree grows from; 0: all of them */
    bool whole;          /* every tree sees all rows once: no bootstrap */
    uint64_t seed;
    unsigned threads; /* threads to fit with; 0 or 1: only the caller's */
};

/* Creates a forest without rows; forest_free() it. The settings are copied. */
struct forest *forest_create(const struct forest_settings *settings);
/* Frees the forest; NULL is fine. */
void forest_free(struct forest *forest);

/*
 * Adds a row; it counts from the next fit, growth or settling on. False, and nothing is added, if
 * the target or a number of the row is infinite, or the target is NaN. Categories must be valid.
 */
bool forest_add(struct forest *forest, const double *row, double target);
/* How many rows have been added. */
size_t forest_rows(const struct forest *forest);
/* Gives the first `count` rows new targets, all finite, in the order in which they were added. */
void forest_retarget(struct forest *forest, const double *targets, size_t count);

/* Grows all trees anew from all rows, and settles. */
void forest_fit(struct forest *forest);
/*
 * Grows one tree anew, from the first `rows` rows and their current targets. The result depends on
 * these, the seed and the tree's number, not on what was grown before.
 */
void forest_grow(struct forest *forest, size_t tree, size_t rows);
/* Sets the fewest rows in a leaf for trees that are grown from now on. */
void forest_set_least_leaf(struct forest *forest, size_t rows);
/* How many rows the tree was grown from; 0: it has not been grown. */
size_t forest_grown(const struct forest *forest, size_t tree);
/*
 * Recomputes the values of all leaves from all rows that fall there and their current targets. What
 * was pretended is forgotten.
 */
void forest_settle(struct forest *forest);
/* Counts a row, as if it had this target, in the leaves where it falls, until the next settling. */
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
 * The mean squared error of the rows, each predicted by the trees that have not seen it; NaN: there
 * are none. Rows that came after a tree was grown count as unseen.
 */
double forest_error(const struct forest *forest);

#endif
