/*
 * minimise.h - the smallest value of a smooth function in a box.
 *
 * L-BFGS with the gradient projected on the box (D. C. Liu and J. Nocedal, "On the limited memory
 * BFGS method for large scale optimization", 1989; the treatment of bounds is the simple one of
 * D. P. Bertsekas, "Projected Newton methods", 1982). It finds a local minimum.
 */
#ifndef NUM_MINIMISE_H
#define NUM_MINIMISE_H

#include <stddef.h>

struct minimise {
    size_t count;             /* number of variables */
    const double *low, *high; /* their bounds */
    size_t evaluations;       /* most evaluations; at least 1 is made */
    double first_step;        /* the length of the first step */
    double tolerance;         /* it ends when a step gains less than this */
    void *self;
    /* The value at x and its gradient; NaN or INFINITY: x has none and is avoided. */
    double (*value)(void *self, const double *x, double *gradient);
};

/* Moves x, which lies in the box, to where the function is smaller, and returns its value there. */
double minimise(const struct minimise *problem, double *x);

#endif
