/*
 * gauss.h - private to this room: the normal distribution that CMA-ES moves and shapes.
 *
 * N. Hansen, "The CMA evolution strategy: a tutorial", 2016, with negative weights (active CMA). In
 * more than GAUSS_FULL dimensions the covariance is diagonal and is learned faster (R. Ros and N.
 * Hansen, "A simple modification in CMA-ES achieving linear time and space complexity", 2008).
 * Points need not come from the current distribution: steps that are too long are shortened, as in
 * N. Hansen, "Injecting external solutions into CMA-ES", 2011.
 */
#ifndef SEARCH_GAUSS_H
#define SEARCH_GAUSS_H

#include "base/base.h"

enum { GAUSS_FULL = 64 };

struct gauss {
    size_t n;       /* dimensions; may be 0 */
    size_t lambda;  /* points per update */
    bool separable; /* the covariance is diagonal */
    double sigma;
    double *mean;
    double *covariance; /* n * n, or n when it is separable */
    double *vectors;    /* of the covariance, as num_eigen() gives them */
    double *roots;      /* of its values */
    double *path_sigma, *path_covariance;
    double *weights; /* of the ranks, the best first; the last are negative */
    double mu_eff, c_sigma, d_sigma, c_covariance, c_one, c_mu, expected_length;
    double updates;
    double *steps;   /* scratch: lambda steps */
    double *scratch; /* 2 * n * n */
};

/* Starts with mean 0.5 in every dimension; gauss_close() it. */
void gauss_open(struct gauss *gauss, size_t n, size_t lambda, double sigma);
/* Frees what gauss_open() has made. */
void gauss_close(struct gauss *gauss);
/* Draws a step from the mean, in units of sigma. */
void gauss_draw(const struct gauss *gauss, struct random *random, double *step);
/*
 * Learns from lambda points, which lie one after another, the best first; NaN: the point does not
 * have this dimension and says nothing about it.
 */
void gauss_update(struct gauss *gauss, const double *points);
/* The standard deviation of a dimension. */
double gauss_spread(const struct gauss *gauss, size_t i);

#endif
