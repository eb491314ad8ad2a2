/* gp_inside.h - private to this room: the parts of a Gaussian process. */
#ifndef NUM_GP_INSIDE_H
#define NUM_GP_INSIDE_H

#include "num/cholesky.h"
#include "num/gp.h"

/*
 * Arrays by row have room for `capacity` rows. What has several numbers per row is stored dimension
 * by dimension, so that inner loops run over rows, whatever the dimension.
 */
struct gp {
    size_t columns;
    size_t *number_columns, numbers; /* columns of numbers */
    size_t *code_columns, codes;     /* columns of categories, then optional ones of numbers */
    size_t categories;               /* of the codes: those that are categories */
    size_t count, capacity;          /* of rows */
    double *x, *z;                   /* numbers, and the same divided by their lengths */
    uint32_t *code;                  /* categories; missing: UINT32_MAX */
    double *targets;
    double *factor; /* of the covariance, by columns with `capacity` as stride */
    double *alpha;  /* inverse covariance times the targets minus their mean */
    double mean;
    double dimension; /* how many numbers a row has on average */
    const struct cholesky *cholesky;
    /* As they are learned: log lengths, log weights, the mix, log amplitude, log noise. */
    double *parameters;
    /* The same, ready for use. */
    double *lengths, *weights, mix, amplitude, noise;
};

enum gp_tail { GP_MIX, GP_AMPLITUDE, GP_NOISE, GP_TAIL }; /* parameters after the weights */

/* The parameters where learning starts. */
void gp_start(struct gp *gp);
/* Puts parameters into use. */
void gp_use(struct gp *gp, const double *parameters);

/* A row: its numbers in lengths and its categories, each `stride` apart. */
struct gp_row {
    const double *z;
    const uint32_t *code;
    size_t stride;
};

/* Covariances, without noise, of a row with the rows from..count. */
void gp_covariances(const struct gp *gp, struct gp_row row, size_t from, double *out);
/*
 * For the same pairs: M and E, as in gp.h, and the slope of the covariance by the squared distance,
 * times -2.
 */
void gp_parts(const struct gp *gp, struct gp_row row, size_t from, double *m, double *e,
              double *slope);
/*
 * Factors the covariance of the rows, with `jitter` added to the noise, and solves for the mean and
 * alpha. False if rounding errors prevent it.
 */
bool gp_solve(struct gp *gp, double *factor, double jitter);

#endif
