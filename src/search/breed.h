/*
 * breed.h - private to this room: points made from points, for evolutionary searches.
 *
 * A child is made as a genome: every parameter has a value, as if all of them were active. Values
 * that no parent has are drawn. So a choice may change regardless of what depends on it;
 * breed_finish() removes what is not active and changes what is forbidden.
 *
 * Numbers and ordered values move on the scale 0..1 of space_unit(), so that a logarithmic range is
 * bred on its logarithm.
 */
#ifndef SEARCH_BREED_H
#define SEARCH_BREED_H

#include "search/algorithm.h"

/*
 * The sizes of generations. The first has `first` trials, each of the others `next`; all trials of
 * the study count, including the default point and the user's own.
 */
struct breed_generations {
    size_t first, next;
    bool wait; /* breed only when all results of the previous generations are known */
};

/*
 * The next suggestion may be bred from the entries of the past before this one; without `wait`
 * these are all.
 */
size_t breed_bound(const struct search *search, const struct breed_generations *generations);
/* True when the next suggestion has to wait for a result. */
bool breed_must_wait(const struct search *search, const struct breed_generations *generations);
/*
 * True when there are too few results to breed from: the first generation is not complete, or fewer
 * than half of its results have come back.
 */
bool breed_is_early(const struct search *search, const struct breed_generations *generations);

/*
 * A point of the first generation, trial `k` of `count`: from a Latin hypercube if that gives an
 * allowed and new point, otherwise any.
 */
enum search_answer breed_first(struct search *search, uint64_t k, uint64_t count, double *point);

/*
 * The default size of the first generation, `factor` times the square root of the budget: enough to
 * get to know the space, few enough to leave most of the budget to breeding. It keeps all workers
 * busy, unless that would leave too little for later generations.
 */
size_t breed_population(const struct search_settings *settings, double factor);

/*
 * How much the values of each parameter differ among the parents: for numbers the standard
 * deviation on 0..1, for a choice the probability that two parents have different values.
 */
void breed_spread(const struct past *past, const uint32_t *parents, size_t count, double *spread);

/* Makes a genome of a point: values of parameters that are not active are drawn. */
void breed_copy(const struct space *space, struct random *random, const double *point,
                double *genome);

/*
 * Uniform crossover: each parameter comes from `one`, or with probability `share` from `other`;
 * every second number of `other` is blended with that of `one`.
 */
void breed_cross(const struct space *space, struct random *random, const double *one,
                 const double *other, double share, double *genome);

/*
 * Changes each parameter with probability `share`: numbers and ordered values by a normal step of
 * about the size of their spread, ordered values and whole numbers by at least one place; a choice
 * to any other value, but less often the more the parents agree on it.
 */
void breed_mutate(const struct space *space, struct random *random, const double *spread,
                  double share, double *genome);

/*
 * Simulated binary crossover of numbers and ordered values, each with probability 1/2; choices come
 * from either parent. The larger `eta`, the closer the child is to a parent.
 */
void breed_cross_binary(const struct space *space, struct random *random, const double *one,
                        const double *other, double eta, double *genome);

/* Polynomial mutation of each parameter with probability `share`; choices become any other value.
 */
void breed_mutate_polynomial(const struct space *space, struct random *random, double eta,
                             double share, double *genome);

/*
 * Makes a point of a genome, which is changed if the point would be forbidden. False if a few
 * changes do not help.
 */
bool breed_finish(const struct space *space, struct random *random, double *genome, double *point);

#endif
