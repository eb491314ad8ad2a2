/*
 * cholesky.h - inside the room: the triangular factor of a symmetric matrix, and what it solves.
 *
 * Matrices lie column by column, `stride` numbers from one column to the next; only the lower
 * triangle is read and written. There are two ways to work: LAPACK, where the machine has it, and
 * our own code. They agree up to rounding.
 */
#ifndef NUM_CHOLESKY_H
#define NUM_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

struct cholesky {
    const char *name;
    /* A becomes L, where A = L L'; false when A is not positive definite: then it is spoilt. */
    bool (*factor)(double *matrix, size_t size, size_t stride);
    /* L becomes the inverse of A. */
    void (*invert)(double *factor, size_t size, size_t stride);
    /* Solves L X = B, or L' X = B, for `count` columns of `size` numbers, one after another. */
    void (*forward)(const double *factor, size_t size, size_t stride, double *columns,
                    size_t count);
    void (*backward)(const double *factor, size_t size, size_t stride, double *columns,
                     size_t count);
};

extern const struct cholesky cholesky_own;
/* LAPACK, loaded when it is asked for first; NULL: there is none. */
const struct cholesky *cholesky_lapack(void);
/* LAPACK or else our own. */
const struct cholesky *cholesky_best(void);

#endif
