/*
 * cholesky.h - private to this room: the triangular factor of a symmetric matrix, and solving with
 * it.
 *
 * Matrices are stored by columns, `stride` numbers apart; only the lower triangle is read and
 * written. There are two implementations: LAPACK, if the machine has it, and our own. They agree up
 * to rounding.
 */
#ifndef NUM_CHOLESKY_H
#define NUM_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

struct cholesky {
    const char *name;
    /* Turns A into L, where A = L L'; false if A is not positive definite: it is then destroyed. */
    bool (*factor)(double *matrix, size_t size, size_t stride);
    /* Turns L into the inverse of A. */
    void (*invert)(double *factor, size_t size, size_t stride);
    /* Solves L X = B, or L' X = B, for `count` columns of `size` numbers, one after another. */
    void (*forward)(const double *factor, size_t size, size_t stride, double *columns,
                    size_t count);
    void (*backward)(const double *factor, size_t size, size_t stride, double *columns,
                     size_t count);
};

extern const struct cholesky cholesky_own;
/* LAPACK, loaded on the first call; NULL: the machine has none. */
const struct cholesky *cholesky_lapack(void);
/* LAPACK if the machine has it, otherwise our own. */
const struct cholesky *cholesky_best(void);

#endif
