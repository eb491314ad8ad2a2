/*
 * sobol.c - the Sobol sequence: any point of it, without computing those before it.
 *
 * Dimension d has direction numbers v(1), v(2), ...: fractions of 1, stored as 64-bit fixed point.
 * The first few are given; the rest follow from a primitive polynomial over the field of two
 * elements. A point is the exclusive or of the direction numbers at the set bits of its index in
 * the Gray code. The direction numbers are computed again for each point: a few hundred simple
 * operations cost less than a table of 32 KB that would have to be built once and shared.
 *
 * The polynomials and the first numbers are those published by S. Joe and F. Y. Kuo, "Constructing
 * Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30 (2008).
 */
#include "num/num.h"

enum { DEGREE_LIMIT = 9, BITS = 64 };

struct polynomial {
    uint8_t degree;
    uint8_t coefficients;         /* the inner ones, highest power first; the outer two are 1 */
    uint16_t first[DEGREE_LIMIT]; /* v(i) is first[i - 1] / 2^i */
};

/* From dimension 2 on; dimension 1 is the van der Corput sequence and needs no polynomial. */
static const struct polynomial polynomials[SOBOL_DIMENSIONS - 1] = {
    /* clang-format off */
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
    {7, 50, {1, 3, 1, 3, 5, 53, 69}},
    {7, 55, {1, 1, 5, 5, 23, 33, 13}},
    {7, 56, {1, 1, 7, 7, 1, 61, 123}},
    {7, 59, {1, 1, 7, 9, 13, 61, 49}},
    {7, 62, {1, 3, 3, 5, 3, 55, 33}},
    {8, 14, {1, 3, 1, 15, 31, 13, 49, 245}},
    {8, 21, {1, 3, 5, 15, 31, 59, 63, 97}},
    {8, 22, {1, 3, 1, 11, 11, 11, 77, 249}},
    {8, 38, {1, 3, 1, 11, 27, 43, 71, 9}},
    {8, 47, {1, 1, 7, 15, 21, 11, 81, 45}},
    {8, 49, {1, 3, 7, 3, 25, 31, 65, 79}},
    {8, 50, {1, 3, 1, 1, 19, 11, 3, 205}},
    {8, 52, {1, 1, 5, 9, 19, 21, 29, 157}},
    {8, 56, {1, 3, 7, 11, 1, 33, 89, 185}},
    {8, 67, {1, 3, 3, 3, 15, 9, 79, 71}},
    {8, 70, {1, 3, 7, 11, 15, 39, 119, 27}},
    {8, 84, {1, 1, 3, 1, 11, 31, 97, 225}},
    {8, 97, {1, 1, 1, 3, 23, 43, 57, 177}},
    {8, 103, {1, 3, 7, 7, 17, 17, 37, 71}},
    {8, 115, {1, 3, 1, 5, 27, 63, 123, 213}},
    {8, 122, {1, 1, 3, 5, 11, 43, 53, 133}},
    {9, 8, {1, 3, 5, 5, 29, 17, 47, 173, 479}},
    {9, 13, {1, 3, 3, 11, 3, 1, 109, 9, 69}},
    {9, 16, {1, 1, 1, 5, 17, 39, 23, 5, 343}},
    {9, 22, {1, 3, 1, 5, 25, 15, 31, 103, 499}},
    {9, 25, {1, 1, 1, 11, 11, 17, 63, 105, 183}},
    {9, 44, {1, 1, 5, 11, 9, 29, 97, 231, 363}},
    {9, 47, {1, 1, 5, 15, 19, 45, 41, 7, 383}},
    {9, 52, {1, 3, 7, 7, 31, 19, 83, 137, 221}},
    {9, 55, {1, 1, 1, 3, 23, 15, 111, 223, 83}},
    {9, 59, {1, 1, 5, 13, 31, 15, 55, 25, 161}},
    {9, 62, {1, 1, 3, 13, 25, 47, 39, 87, 257}},
    /* clang-format on */
};

static uint64_t van_der_corput(uint64_t gray)
{
    uint64_t x = 0;
    for (int i = 1; gray != 0; i++, gray >>= 1)
        x ^= (gray & 1) << (BITS - i);
    return x;
}

/* v(i) for i > degree, from the numbers before it: the recurrence of Bratley and Fox (1988). */
static uint64_t next_direction(const struct polynomial *p, const uint64_t *v, int i)
{
    uint64_t next = v[i - p->degree] ^ (v[i - p->degree] >> p->degree);
    for (int k = 1; k < p->degree; k++)
        if (p->coefficients >> (p->degree - 1 - k) & 1)
            next ^= v[i - k];
    return next;
}

static uint64_t coordinate(const struct polynomial *p, uint64_t gray)
{
    uint64_t v[BITS + 1] = {0};
    uint64_t x = 0;
    for (int i = 1; gray != 0; i++, gray >>= 1) {
        v[i] = i <= p->degree ? (uint64_t)p->first[i - 1] << (BITS - i) : next_direction(p, v, i);
        if (gray & 1)
            x ^= v[i];
    }
    return x;
}

void num_sobol(uint64_t index, uint64_t seed, size_t dimensions, double *out)
{
    if (dimensions > SOBOL_DIMENSIONS)
        BUG("%zu dimensions of a Sobol sequence", dimensions);
    struct random shift;
    random_seed(&shift, seed, UINT64_MAX); /* no suggestion draws from this stream */
    uint64_t gray = index ^ index >> 1;
    for (size_t d = 0; d < dimensions; d++) {
        uint64_t x = d == 0 ? van_der_corput(gray) : coordinate(&polynomials[d - 1], gray);
        out[d] = (double)((x ^ random_bits(&shift)) >> 11) * 0x1p-53;
    }
}
