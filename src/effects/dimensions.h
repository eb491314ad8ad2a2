/*
 * dimensions.h - private to the room: a space as the columns of a forest.
 *
 * Parameters that vary are columns: numbers and ordered values on the unit scale, on which a random
 * search draws uniformly, and choices as categories. Inactive parameters get a random value: they
 * have no effect there, which is what the forest learns. (As missing values, trees would split on
 * "is momentum active" where they mean "is the optimizer sgd", and the child would get the parent's
 * importance.)
 */
#ifndef EFFECTS_DIMENSIONS_H
#define EFFECTS_DIMENSIONS_H

#include "num/num.h"
#include "space/space.h"

struct dimensions {
    const struct space *space;
    size_t count;
    size_t *parameters; /* parameter of each column */
    size_t *categories; /* for the forest: 0 for numbers */
    struct importance_column *columns;
    struct arena arena;
};

void dimensions_init(struct dimensions *dimensions, const struct space *space);
void dimensions_free(struct dimensions *dimensions);

/* Fills a row of the forest from a point; inactive parameters get random values. */
void dimensions_row(const struct dimensions *dimensions, const double *point, struct random *random,
                    double *row);

/* The columns of the part of the space in which a column is active, in the arena. */
const struct importance_column *dimensions_active(const struct dimensions *dimensions,
                                                  size_t column, struct arena *arena);

enum { DIMENSIONS_GRID = 33 };
/*
 * The values of a column at which its curve is drawn: all of them if they are few or categories,
 * else DIMENSIONS_GRID over the whole range. Fills them as values of the forest and as coded in a
 * point, in the arena; returns how many there are.
 */
size_t dimensions_grid(const struct dimensions *dimensions, size_t column, double **values,
                       double **coded, struct arena *arena);

#endif
