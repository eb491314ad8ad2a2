/*
 * marginals.h - private to this room: the means of one tree over all but one or two columns.
 *
 * A column is cut into cells at the thresholds of the tree, or has one cell per category; missing
 * values have a cell of their own at the end. Within a cell the tree does not look at the column,
 * so marginals are constant there. Every leaf is a box of cells and adds its value to the cells
 * that it covers, weighted by its share of the other columns. It is added as differences, so that a
 * range of cells costs two sums.
 */
#ifndef NUM_MARGINALS_H
#define NUM_MARGINALS_H

#include "num/importance.h"
#include "num/trees.h"

/* A column as one tree sees it. */
struct axis {
    size_t count;      /* number of cells, without that for missing values, which is cell `count` */
    double *edges;     /* of numbers: cell i ends below edges[i]; the last has no end */
    double *below;     /* count + 2: the share of the space before each cell */
    double *means;     /* count + 2: while walking differences, then the marginal in each cell */
    uint32_t *outside; /* for each cell: number of splits on the way down that exclude it */
    size_t begin, end; /* for numbers: the cells that remain on the way down */
    unsigned splits;   /* on the way down */
    double share;      /* share of the space of the cells that remain */
    double counted;    /* by how much leaves that split on this column add to the mean */
};

/* A marginal of two columns: a row for each cell of the first. */
struct pair_cells {
    size_t first, second;
    size_t stride;
    double *means;
};

struct marginals {
    const struct tree *tree;
    size_t columns;
    const size_t *categories;
    struct axis *axes;
    double mean;             /* of the tree over the whole space */
    double *gains;           /* of each column: the variance between the sides of its splits */
    double variance;         /* the sum of these */
    uint32_t *path;          /* columns that the way down has split on */
    size_t path_length;      /* how many */
    struct run *runs[2];     /* scratch */
    struct pair_cells *pair; /* what the leaves are added to; NULL: each column alone */
    struct arena arena;
};

/* Walks the tree, which must have been grown; marginals_close() it. */
void marginals_open(struct marginals *marginals, const struct forest *forest, size_t tree,
                    const struct importance_column *columns);
/* Frees what marginals_open() has made. */
void marginals_close(struct marginals *marginals);

/* The variance of the marginal in a column. */
double marginals_alone(const struct marginals *marginals, size_t column);
/* The cell of a value of a column. */
size_t marginals_cell(const struct marginals *marginals, size_t column, double value);

/* Fills the marginal in two different columns; free() pair->means. */
void marginals_pair(struct marginals *marginals, struct pair_cells *pair, size_t first,
                    size_t second);
/* The variance of what the two columns explain only together. */
double marginals_together(const struct marginals *marginals, const struct pair_cells *pair);

#endif
