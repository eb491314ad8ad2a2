/*
 * random.h - seeded random numbers, the same on every machine.
 *
 * A stream is named by (seed, stream): suggestion k of a search draws from stream k, so it does
 * not depend on how many numbers earlier suggestions drew, and a resumed search needs no state.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* Starts one of 2^64 independent streams of a seed. */
void random_seed(struct random *r, uint64_t seed, uint64_t stream);
/* 64 random bits. */
uint64_t random_bits(struct random *r);
/* In [0, 1), 53 bits. */
double random_unit(struct random *r);
/* In [0, limit), without bias; limit > 0. */
uint64_t random_below(struct random *r, uint64_t limit);
/* From the standard normal distribution. */
double random_normal(struct random *r);

#endif
