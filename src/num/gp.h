/*
 * gp.h - a Gaussian process: regression with a measure of what is not known.
 *
 * A row has one number a column: a number in [0, 1], or the index of a category; NaN where it is
 * missing (a parameter that is not active). The covariance of two rows is
 *
 *     amplitude * ((1 - mix) M E + mix (M + E) / 2)
 *
 * where M is a Matern 5/2 function of the numbers, each with a length of its own, and E falls by a
 * factor of its own for each category in which the rows differ (B. Ru et al., "Bayesian
 * optimisation over multiple continuous and categorical inputs", 2020). A missing number counts as
 * the middle, and that it is missing as a category. On top comes noise, alike for all rows.
 *
 * All of these are learnt: the most likely ones, given prior beliefs of which the one on lengths
 * grows with the square root of the dimension (C. Hvarfner et al., "Vanilla Bayesian optimization
 * performs great in high dimensions", 2024). Targets should have a mean near 0 and a spread near 1.
 */
#ifndef NUM_GP_H
#define NUM_GP_H

#include "base/base.h"

struct gp;

struct gp_settings {
    size_t columns;
    const size_t *categories; /* of each column; 0: it is a number */
    const bool *optional;     /* the column may be missing; NULL: none is */
};

struct gp *gp_create(const struct gp_settings *settings);
void gp_free(struct gp *gp);

/* Replaces all rows, one after another, and their targets. gp_fit() or gp_factor() come next. */
void gp_data(struct gp *gp, const double *rows, const double *targets, size_t count);

enum gp_start {
    GP_HERE,  /* where the parameters are */
    GP_PLAIN, /* a plain start: what was learnt before makes no difference */
    GP_BOTH   /* from both, and the better end counts */
};

/* Learns the parameters, by at most so many evaluations from each start, and factors. */
void gp_fit(struct gp *gp, size_t evaluations, enum gp_start start);
/* Makes predictions possible with the parameters as they are. */
void gp_factor(struct gp *gp);

/* The parameters, as logarithms and the like: to be kept and put back. */
size_t gp_parameter_count(const struct gp *gp);
void gp_parameters(const struct gp *gp, double *parameters);
void gp_set_parameters(struct gp *gp, const double *parameters);
/* What gp_fit() makes small: minus the log of the posterior; its gradient, unless that is NULL. */
double gp_loss(struct gp *gp, const double *parameters, double *gradient);

/* One more row without learning anew: nothing but the predictions changes. */
void gp_extend(struct gp *gp, const double *row, double target);
/* Takes the last rows back, down to so many. */
void gp_shrink(struct gp *gp, size_t count);
size_t gp_count(const struct gp *gp);
double gp_target(const struct gp *gp, size_t row);

/* Mean and variance, without the noise, at each of `count` rows. */
void gp_predict(const struct gp *gp, const double *rows, size_t count, double *means,
                double *variances);
/* The same at one row, and their slopes by column; those of categories and missing ones are 0. */
void gp_slope(const struct gp *gp, const double *row, double *mean, double *variance,
              double *mean_slope, double *variance_slope);
/*
 * Mean and variance of each target of the first `count` rows, with the noise, if it had been left
 * out, and as if there were no further rows.
 */
void gp_leave_one_out(const struct gp *gp, size_t count, double *means, double *variances);

/* The variance of the noise, and the length of a column of numbers; NaN of another. */
double gp_noise(const struct gp *gp);
double gp_length(const struct gp *gp, size_t column);

#endif
