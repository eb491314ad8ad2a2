/* cholesky.c - our own code, for machines without LAPACK: plain loops, four columns at a time. */
#include "num/cholesky.h"

#include "base/base.h"

#include <math.h>

/* Subtracts multiples of four columns from one, in a single pass over memory. */
static void take_four(double *restrict to, const double *restrict from, size_t stride, size_t count,
                      const double *f)
{
    const double *b = from + stride, *c = b + stride, *d = c + stride;
    for (size_t i = 0; i < count; i++)
        to[i] -= f[0] * from[i] + f[1] * b[i] + f[2] * c[i] + f[3] * d[i];
}

static void take_one(double *restrict to, const double *restrict from, size_t count, double f)
{
    for (size_t i = 0; i < count; i++)
        to[i] -= f * from[i];
}

static bool factor(double *matrix, size_t size, size_t stride)
{
    for (size_t j = 0; j < size; j++) {
        double *column = matrix + j * stride + j;
        const double *before = matrix + j; /* row j */
        size_t k = 0;
        for (; k + 4 <= j; k += 4) {
            double f[4];
            for (size_t i = 0; i < 4; i++)
                f[i] = before[(k + i) * stride];
            take_four(column, before + k * stride, stride, size - j, f);
        }
        for (; k < j; k++)
            take_one(column, before + k * stride, size - j, before[k * stride]);
        if (!(column[0] > 0) || !isfinite(column[0]))
            return false;
        double root = sqrt(column[0]);
        for (size_t i = 0; i < size - j; i++)
            column[i] /= root;
    }
    return true;
}

/* The sum is in four parts, so that no addition waits for another. */
static double dot(const double *a, const double *b, size_t count)
{
    double sums[4] = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t k = 0; k < 4; k++)
            sums[k] += a[i + k] * b[i + k];
    for (; i < count; i++)
        sums[0] += a[i] * b[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static void forward_one(const double *factor, size_t size, size_t stride, double *x, size_t from)
{
    for (size_t j = from; j < size; j++) {
        const double *column = factor + j * stride;
        x[j] /= column[j];
        take_one(x + j + 1, column + j + 1, size - j - 1, x[j]);
    }
}

static void forward(const double *factor, size_t size, size_t stride, double *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        forward_one(factor, size, stride, columns + i * size, 0);
}

static void backward(const double *factor, size_t size, size_t stride, double *columns,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double *x = columns + i * size;
        for (size_t j = size; j-- > 0;) {
            const double *column = factor + j * stride;
            x[j] = (x[j] - dot(column + j + 1, x + j + 1, size - j - 1)) / column[j];
        }
    }
}

static void invert(double *factor, size_t size, size_t stride)
{
    double *inverse = memory_new(size * size, sizeof *inverse); /* the inverse of the factor */
    for (size_t j = 0; j < size; j++) {
        inverse[j * size + j] = 1;
        forward_one(factor, size, stride, inverse + j * size, j);
    }
    for (size_t j = 0; j < size; j++)
        for (size_t i = j; i < size; i++)
            factor[j * stride + i] = dot(inverse + i * size + i, inverse + j * size + i, size - i);
    free(inverse);
}

const struct cholesky cholesky_own = {
    .name = "own", .factor = factor, .invert = invert, .forward = forward, .backward = backward};

const struct cholesky *cholesky_best(void)
{
    const struct cholesky *lapack = cholesky_lapack();
    return lapack ? lapack : &cholesky_own;
}
