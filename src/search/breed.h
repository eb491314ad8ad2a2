/*
 * breed.h - inside the room: points made from points, for the searches that evolve.
 *
 * A child is made as a genome: every parameter has a value, as if all of them were active. What no
 * parent has is drawn. So a choice may switch without a thought for what hangs on it;
 * breed_finish() takes out what is not active and changes what is forbidden.
 *
 * Numbers and ordered values are moved on the scale 0..1 of space_unit(), so that a logarithmic
 * range is bred on its logarithm.
 */
#ifndef SEARCH_BREED_H
#define SEARCH_BREED_H

#include "search/algorithm.h"

/*
 * When generations count. The first has `first` trials, each of the others `next`; all trials of
 * the study are counted, also the default point and the user's own.
 */
struct breed_generations {
    size_t first, next;
    bool wait; /* nothing is bred before all results of the generations before are known */
};

/*
 * The entries of the past that the next suggestion may be bred from are those before this one.
 * Without `wait` these are all.
 */
size_t breed_bound(const struct search *search, const struct breed_generations *generations);
/* True when a result is missing for which the next suggestion has to wait. */
bool breed_must_wait(const struct search *search, const struct breed_generations *generations);
/*
 * True when there are not enough results to breed from: the first generation is not suggested, or
 * less than half of it came back.
 */
bool breed_is_early(const struct search *search, const struct breed_generations *generations);

/*
 * A point of the first generation, trial `k` of `count`: a Latin hypercube, where that gives an
 * allowed and new point, else any.
 */
enum search_answer breed_first(struct search *search, uint64_t k, uint64_t count, double *point);

/*
 * The trials of the first generation when the user does not say, `factor` times the root of the
 * budget: enough to know the space a little, few enough to leave most of it to breeding. It keeps
 * all workers busy, unless that would leave too little for the generations after it.
 */
size_t breed_population(const struct search_settings *settings, double factor);

/*
 * What a parameter's values among the parents differ by, one number a parameter: the standard
 * deviation of numbers on 0..1; of a choice the chance that two parents have different values.
 */
void breed_spread(const struct past *past, const uint32_t *parents, size_t count, double *spread);

/* A genome of a point: what is not active is drawn. */
void breed_copy(const struct space *space, struct random *random, const double *point,
                double *genome);

/*
 * Uniform crossover: each parameter is that of `one`, or with the chance `share` that of `other`;
 * every second number of `other` is not taken as it is but blended with that of `one`.
 */
void breed_cross(const struct space *space, struct random *random, const double *one,
                 const double *other, double share, double *genome);

/*
 * Changes each parameter with the chance `share`: numbers and ordered values by a normal step of
 * about the size of their spread, ordered ones and whole numbers by at least one place; a choice,
 * more rarely the more the parents agree on it, to any other value.
 */
void breed_mutate(const struct space *space, struct random *random, const double *spread,
                  double share, double *genome);

/*
 * Simulated binary crossover of numbers and ordered values, each with the chance 1/2; choices come
 * from either parent. The larger `eta`, the nearer is the child to a parent.
 */
void breed_cross_binary(const struct space *space, struct random *random, const double *one,
                        const double *other, double eta, double *genome);

/* Polynomial mutation of each parameter with the chance `share`; choices to any other value. */
void breed_mutate_polynomial(const struct space *space, struct random *random, double eta,
                             double share, double *genome);

/*
 * Makes a point of a genome, which is changed where the point would be forbidden. False when a few
 * changes do not help.
 */
bool breed_finish(const struct space *space, struct random *random, double *genome, double *point);

#endif
