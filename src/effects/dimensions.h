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
    size_t *parameters; /* of each column */
    size_t *categories; /* for the forest: 0 for numbers */
    struct importance_column *columns;
    struct arena arena;
};

void dimensions_init(struct dimensions *dimensions, const struct space *space);
void dimensions_free(struct dimensions *dimensions);

/* Fills a row of the forest from a point; `random` draws what is not active. */
void dimensions_row(const struct dimensions *dimensions, const double *point, struct random *random,
                    double *row);

/* The columns of the part of the space in which a column is active. Memory is the arena's. */
const struct importance_column *dimensions_active(const struct dimensions *dimensions,
                                                  size_t column, struct arena *arena);

enum { DIMENSIONS_GRID = 33 };
/*
 * The values of a column that its curve is drawn at: all of them where they are few or categories,
 * else DIMENSIONS_GRID from end to end. Fills the values as the forest has them and as a point has
 * them, which are the arena's; returns how many.
 */
size_t dimensions_grid(const struct dimensions *dimensions, size_t column, double **values,
                       double **coded, struct arena *arena);

#endif
