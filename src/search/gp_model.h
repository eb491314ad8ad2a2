/*
 * gp_model.h - inside the room: a Gaussian process of the past, and how promising points are.
 *
 * The model is a function of the past alone: its parameters are learnt at certain numbers of
 * results, each time from those learnt before, whether or not anybody asked in between. So what is
 * kept from one suggestion to the next only saves time.
 */
#ifndef SEARCH_GP_MODEL_H
#define SEARCH_GP_MODEL_H

#include "search/algorithm.h"

struct gp_model;

/* `draws_in` is that of gp_model_shape(). */
struct gp_model *gp_model_create(const struct search *search, bool draws_in);
void gp_model_free(struct gp_model *model);

/*
 * Brings it up to date with all results and with the trials that run, which count as if their
 * results were what the model expects. Points promise what they improve on the best by more than
 * `least`, in spreads of the targets; mostly 0. `random` is drawn from with several objectives
 * only. Beyond 1000 results it is a model of the 500 that are nearest to the best. False, and no
 * model, with fewer than four results, or than two that are not failures.
 */
bool gp_model_sync(struct gp_model *model, const struct search *search, double least,
                   struct random *random);

/* Mean and variance of the model's targets at points; smaller is better. */
void gp_model_predict(const struct gp_model *model, const double *points, size_t count,
                      double *means, double *variances);

/*
 * Minus the logarithm of the improvement that points promise, in the model's targets. The second
 * takes the places of one point's parameters in [0, 1], whose numbers need not lie on a level, and
 * gives the slope by each (S. Ament et al., "Unexpected improvements to expected improvement for
 * Bayesian optimization", 2023).
 */
void gp_model_promise(const struct gp_model *model, const double *points, size_t count,
                      double *values);
double gp_model_promise_slope(const struct gp_model *model, const double *point,
                              const double *units, double *slope);

/* How well each result is foretold by the others: the share of the variance that is explained. */
double gp_model_quality(const struct gp_model *model);
/* gp.c: the same for a search with gp, brought up to date; 0 before there is a model. */
double gp_quality(struct search *search);
/* The entry of the past where the model expects the best. */
size_t gp_model_best(const struct gp_model *model);
/* The length on which a parameter matters, 1 on average; 1 of what is no number. */
double gp_model_length(const struct gp_model *model, size_t parameter);

/*
 * Fills targets, to be minimised, with mean 0 and spread 1; what is far worse than most counts as
 * just as bad. Where they should be drawn in, a power is applied that makes them most normal.
 */
void gp_model_shape(const double *targets, size_t count, bool draw_in, double *shaped);
/* The logarithm of the expected improvement of a standard normal over z, and, unless NULL, the
 * normal's distribution and density over that improvement. */
double gp_model_log_improvement(double z, double *distribution, double *density);

#endif
