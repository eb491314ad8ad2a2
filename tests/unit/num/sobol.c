/* The Sobol sequence: published points, and what makes it a low-discrepancy sequence. */
#include "num/num.h"
#include "tap.h"

enum { ALL = SOBOL_DIMENSIONS };

/* The 53 bits of a coordinate; exclusive or with those of point 0 removes the shift. */
static uint64_t bits_of(double x)
{
    return (uint64_t)(x * 0x1p53);
}

static void unshifted(uint64_t index, uint64_t seed, size_t dimensions, double *out)
{
    double first[ALL];
    num_sobol(0, seed, dimensions, first);
    num_sobol(index, seed, dimensions, out);
    for (size_t d = 0; d < dimensions; d++)
        out[d] = (double)(bits_of(out[d]) ^ bits_of(first[d])) * 0x1p-53;
}

static bool same(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* From the page of Joe and Kuo: the first ten points in three dimensions. */
static void test_published(void)
{
    static const double published[10][3] = {
        {0, 0, 0},
        {0.5, 0.5, 0.5},
        {0.75, 0.25, 0.25},
        {0.25, 0.75, 0.75},
        {0.375, 0.375, 0.625},
        {0.875, 0.875, 0.125},
        {0.625, 0.125, 0.875},
        {0.125, 0.625, 0.375},
        {0.1875, 0.3125, 0.9375},
        {0.6875, 0.8125, 0.4375},
    };
    for (uint64_t i = 0; i < 10; i++) {
        double point[3];
        unshifted(i, 7, 3, point);
        ok(same(point, published[i], 3), "point %d is the published one before the shift", (int)i);
    }
}

/* Any 2^k points that start at a multiple of 2^k hit every k-bit cell of every dimension once. */
static void test_projections(void)
{
    static const struct {
        uint64_t start, seed;
        int bits;
    } cases[] = {{0, 1, 1}, {0, 1, 4}, {0, 2, 10}, {1024, 3, 10}, {3 << 12, 4, 12}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static unsigned char hit[ALL][1 << 12];
        memset(hit, 0, sizeof hit);
        bool once = true;
        for (uint64_t i = 0; i < (uint64_t)1 << cases[c].bits; i++) {
            double point[ALL];
            num_sobol(cases[c].start + i, cases[c].seed, ALL, point);
            for (size_t d = 0; d < ALL; d++) {
                once &= point[d] >= 0 && point[d] < 1;
                once &= hit[d][(size_t)ldexp(point[d], cases[c].bits)]++ == 0;
            }
        }
        ok(once, "2^%d points from %d on are a permutation of the grid in each dimension",
           cases[c].bits, (int)cases[c].start);
    }
}

/* The first two dimensions are a (0, m, 2)-net: each elementary box has exactly one point. */
static void test_net(void)
{
    bool once = true;
    for (int wide = 0; wide <= 10; wide++) {
        unsigned char hit[1024] = {0};
        for (uint64_t i = 0; i < 1024; i++) {
            double point[2];
            num_sobol(i, 5, 2, point);
            size_t box = (size_t)ldexp(point[0], wide) << (10 - wide);
            once &= hit[box + (size_t)ldexp(point[1], 10 - wide)]++ == 0;
        }
    }
    ok(once, "1024 points hit every elementary box of the first two dimensions once");
}

/* Squared L2 star discrepancy of a projection onto two dimensions (Warnock 1972). */
static double discrepancy(double (*points)[ALL], size_t count, size_t a, size_t b)
{
    double n = (double)count, single = 0, pairs = 0;
    for (size_t i = 0; i < count; i++) {
        const double *p = points[i];
        single += (1 - p[a] * p[a]) * (1 - p[b] * p[b]);
        for (size_t j = 0; j < count; j++) {
            const double *q = points[j];
            pairs += (1 - fmax(p[a], q[a])) * (1 - fmax(p[b], q[b]));
        }
    }
    return 1.0 / 9 - single / (2 * n) + pairs / (n * n);
}

/* Few points in very many dimensions cannot be even in every pair; they are in the first 28. */
static void test_discrepancy(void)
{
    enum { POINTS = 256, FIRST = 28 };
    static double points[POINTS][ALL];
    for (uint64_t i = 0; i < POINTS; i++)
        num_sobol(i, 11, ALL, points[i]);
    /* What independent points have on average: (1/4 - 1/9) / n. */
    double independent = (1.0 / 4 - 1.0 / 9) / POINTS, worst = 0, sum = 0;
    for (size_t a = 0; a < ALL; a++)
        for (size_t b = 0; b < a; b++) {
            double ratio = discrepancy(points, POINTS, a, b) / independent;
            sum += ratio;
            if (a < FIRST)
                worst = fmax(worst, ratio);
        }
    double average = sum / (ALL * (ALL - 1) / 2.0);
    printf("# average %.3f, worst %.3f of the discrepancy of random points\n", average, worst);
    ok(average < 0.15, "projections on two dimensions are far more even than random points");
    ok(worst < 1, "and in the first %d dimensions none is less even", FIRST);
}

static void test_seeds(void)
{
    double a[ALL], b[ALL], c[ALL];
    num_sobol(12345, 1, ALL, a);
    num_sobol(12345, 1, ALL, b);
    num_sobol(12345, 2, ALL, c);
    ok(same(a, b, ALL), "the same seed gives the same point");
    bool other = true;
    for (size_t d = 0; d < ALL; d++)
        other &= a[d] != c[d];
    ok(other, "another seed differs in every dimension");
    num_sobol(12345, 1, 3, b);
    ok(same(a, b, 3), "fewer dimensions are the first ones of more");
}

int main(void)
{
    test_published();
    test_projections();
    test_net();
    test_discrepancy();
    test_seeds();
    return tap_end();
}
