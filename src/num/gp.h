/*
 * gp.h - a Gaussian process: regression with a measure of what is not known.
 *
 * A row has one number per column: a number in [0, 1], or the index of a category; NaN if it is
 * missing (a parameter that is not active). The covariance of two rows is
 *
 *     amplitude * ((1 - mix) M E + mix (M + E) / 2)
 *
 * where M is a Matern 5/2 function of the numbers, each with a length of its own, and E falls by a
 * factor of its own for each category in which the rows differ (B. Ru et al., "Bayesian
 * optimisation over multiple continuous and categorical inputs", 2020). A missing number counts as
 * the middle, and that it is missing as a category. On top comes noise, alike for all rows.
 *
 * All of these parameters are learned: the most likely ones, given priors, of which that on lengths
 * grows with the square root of the dimension (C. Hvarfner et al., "Vanilla Bayesian optimization
 * performs great in high dimensions", 2024). Targets should have a mean near 0 and a spread near 1.
 */
#ifndef NUM_GP_H
#define NUM_GP_H

#include "base/base.h"

struct gp;

struct gp_settings {
    size_t columns;
    const size_t *categories; /* number of categories of each column; 0: it is a number */
    const bool *optional;     /* the column may be missing; NULL: none is */
};

/* Creates a process without rows; gp_free() it. The settings are copied. */
struct gp *gp_create(const struct gp_settings *settings);
/* Frees the process; NULL is fine. */
void gp_free(struct gp *gp);

/* Replaces all rows, which lie one after another, and their targets. Call gp_fit() or gp_factor()
 * next. */
void gp_data(struct gp *gp, const double *rows, const double *targets, size_t count);

enum gp_start {
    GP_HERE,  /* where the parameters are */
    GP_PLAIN, /* a standard start: what was learned before makes no difference */
    GP_BOTH   /* from both, and the better result counts */
};

/* Learns the parameters, with at most `evaluations` from each start, and factors. */
void gp_fit(struct gp *gp, size_t evaluations, enum gp_start start);
/* Makes predictions possible with the parameters as they are. */
void gp_factor(struct gp *gp);

/* How many parameters there are. */
size_t gp_parameter_count(const struct gp *gp);
/* Gets the parameters, in the form in which they are learned (logarithms, ...), to be kept. */
void gp_parameters(const struct gp *gp, double *parameters);
/* Sets the parameters. Call gp_factor() next. */
void gp_set_parameters(struct gp *gp, const double *parameters);
/* What gp_fit() minimises: minus the log of the posterior; with its gradient, unless that is NULL.
 */
double gp_loss(struct gp *gp, const double *parameters, double *gradient);

/* Adds a row without learning again: only the predictions change. */
void gp_extend(struct gp *gp, const double *row, double target);
/* Removes the last rows, so that `count` remain. */
void gp_shrink(struct gp *gp, size_t count);
/* How many rows there are. */
size_t gp_count(const struct gp *gp);
/* The target of a row. */
double gp_target(const struct gp *gp, size_t row);

/* Mean and variance, without the noise, at each of `count` rows. */
void gp_predict(const struct gp *gp, const double *rows, size_t count, double *means,
                double *variances);
/* The same at one row, with their slopes by column; 0 for categories and missing numbers. */
void gp_slope(const struct gp *gp, const double *row, double *mean, double *variance,
              double *mean_slope, double *variance_slope);
/*
 * Mean and variance, with noise, that the other rows predict for each of the first `count` targets,
 * as if there were no further rows.
 */
void gp_leave_one_out(const struct gp *gp, size_t count, double *means, double *variances);

/* The variance of the noise. */
double gp_noise(const struct gp *gp);
/* The length of a column of numbers; NaN for other columns. */
double gp_length(const struct gp *gp, size_t column);

#endif
