/*
 * gp_model.h - private to this room: a Gaussian process of the past, and how promising points are.
 *
 * The model is a function of the past alone: its parameters are learned at certain numbers of
 * results, each time starting from those learned before, whether or not anybody asked in between.
 * So what is kept from one suggestion to the next only saves time.
 */
#ifndef SEARCH_GP_MODEL_H
#define SEARCH_GP_MODEL_H

#include "search/algorithm.h"

struct gp_model;

/* Creates a model without results; gp_model_free() it. `draws_in`: see gp_model_shape(). */
struct gp_model *gp_model_create(const struct search *search, bool draws_in);
/* Frees the model; NULL is fine. */
void gp_model_free(struct gp_model *model);

/*
 * Updates the model with all results and with the running trials, which count as if their results
 * were what the model expects. What a point promises is its improvement over the best beyond
 * `least`, which is in spreads of the targets and mostly 0. `random` is used only with several
 * objectives. Beyond 1000 results it is a model of the 500 nearest to the best. False, and there is
 * no model, with fewer than four results or fewer than two that did not fail.
 */
bool gp_model_sync(struct gp_model *model, const struct search *search, double least,
                   struct random *random);

/* Mean and variance of the model's targets at points; smaller is better. */
void gp_model_predict(const struct gp_model *model, const double *points, size_t count,
                      double *means, double *variances);

/*
 * Minus the logarithm of the improvement that points promise, in the model's targets (S. Ament et
 * al., "Unexpected improvements to expected improvement for Bayesian optimization", 2023).
 */
void gp_model_promise(const struct gp_model *model, const double *points, size_t count,
                      double *values);
/*
 * The same for one point whose parameters are at these places in [0, 1], where numbers need not lie
 * on a level, with the slope by each place.
 */
double gp_model_promise_slope(const struct gp_model *model, const double *point,
                              const double *units, double *slope);

/* How well the others predict each result: the share of the variance that is explained. */
double gp_model_quality(const struct gp_model *model);
/* gp.c: the same for a search with gp, whose model is updated first; 0: there is none yet. */
double gp_quality(struct search *search);
/* The entry of the past where the model expects the best. */
size_t gp_model_best(const struct gp_model *model);
/* The length scale of a parameter, 1 on average; 1 for what is not a number. */
double gp_model_length(const struct gp_model *model, size_t parameter);

/*
 * Scales targets, which are minimised, to mean 0 and spread 1; one that is far worse than most is
 * cut to a limit. With `draw_in`, the power that makes them most normal is applied.
 */
void gp_model_shape(const double *targets, size_t count, bool draw_in, double *shaped);
/*
 * The logarithm of the expected improvement of a standard normal over z, and, unless NULL, the
 * normal's distribution and density divided by that improvement.
 */
double gp_model_log_improvement(double z, double *distribution, double *density);

#endif
