/* random.c - xoshiro256++ (Blackman, Vigna 2019), seeded by splitmix64. */
#include "base/base.h"

#include <math.h>

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void random_seed(struct random *r, uint64_t seed, uint64_t stream)
{
    uint64_t state = seed;
    state = split_mix(&state) ^ stream;
    for (int i = 0; i < 4; i++)
        r->state[i] = split_mix(&state);
}

static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

uint64_t random_bits(struct random *r)
{
    uint64_t *s = r->state;
    uint64_t result = rotate(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double random_unit(struct random *r)
{
    return (double)(random_bits(r) >> 11) * 0x1p-53;
}

uint64_t random_below(struct random *r, uint64_t limit)
{
    /* Bits below this threshold would make the first values slightly more frequent. */
    uint64_t threshold = -limit % limit;
    for (;;) {
        uint64_t bits = random_bits(r);
        if (bits >= threshold)
            return bits % limit;
    }
}

double random_normal(struct random *r)
{
    /* Box and Muller; 1 - u is never 0. */
    double radius = sqrt(-2 * log(1 - random_unit(r)));
    return radius * cos(2 * 3.14159265358979323846 * random_unit(r));
}
