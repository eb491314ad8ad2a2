/* random - a known sequence, ranges, no bias, independent streams. */
#include "base/base.h"
#include "tap.h"

/* What the authors' C code of xoshiro256++ gives from the state 1, 2, 3, 4. */
static void the_sequence_is_known(void)
{
    static const uint64_t expected[] = {
        41943041u,           58720359u, 3588806011781223u, 3591011842654386u, 9228616714210784205u,
        9973669472204895162u};
    struct random r = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        ok(random_bits(&r) == expected[i], "number %zu of xoshiro256++", i);
}

static void seeds_and_streams_differ(void)
{
    struct random a, b, c, d;
    random_seed(&a, 1, 0);
    random_seed(&b, 1, 0);
    random_seed(&c, 1, 1);
    random_seed(&d, 2, 0);
    long same = 0, as_stream = 0, as_seed = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t bits = random_bits(&a);
        same += bits == random_bits(&b);
        as_stream += bits == random_bits(&c);
        as_seed += bits == random_bits(&d);
    }
    ok(same == 1000, "the same seed and stream give the same numbers");
    ok(as_stream == 0, "another stream gives others");
    ok(as_seed == 0, "another seed gives others");
    /* First numbers of neighbouring streams must look random, too: the search uses only these. */
    double sum = 0, products = 0, last = 0;
    for (uint64_t stream = 0; stream < 100000; stream++) {
        random_seed(&a, 7, stream);
        double u = random_unit(&a) - 0.5;
        sum += u;
        products += u * last;
        last = u;
    }
    is_near(sum / 100000, 0, 0.005, "first numbers of streams have the mean 1/2");
    is_near(products / 100000, 0, 0.002, "and neighbours do not depend on each other");
}

static void units_are_in_range(void)
{
    struct random r;
    random_seed(&r, 3, 0);
    double low = 1, high = 0, sum = 0;
    for (int i = 0; i < 200000; i++) {
        double u = random_unit(&r);
        low = fmin(low, u);
        high = fmax(high, u);
        sum += u;
    }
    ok(low >= 0 && low < 0.0001 && high < 1 && high > 0.9999, "units fill [0, 1)");
    is_near(sum / 200000, 0.5, 0.004, "their mean is 1/2");
}

static void below_has_no_bias(void)
{
    static const uint64_t limits[] = {1, 2, 3, 7, 10, 1000};
    struct random r;
    random_seed(&r, 4, 0);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        enum { DRAWS = 200000 };
        static long counts[1000];
        memset(counts, 0, sizeof counts);
        bool inside = true;
        for (int k = 0; k < DRAWS; k++) {
            uint64_t value = random_below(&r, limits[i]);
            inside = inside && value < limits[i];
            counts[value % 1000]++;
        }
        double expected = (double)DRAWS / (double)limits[i], square = 0;
        for (uint64_t k = 0; k < limits[i]; k++)
            square += pow((double)counts[k] - expected, 2) / expected;
        /* Chi-square has mean limit - 1 and twice that as variance; five deviations are allowed. */
        double freedom = (double)limits[i] - 1;
        ok(inside, "all values are below %d", (int)limits[i]);
        ok(square <= freedom + 5 * sqrt(2 * freedom), "and all equally frequent");
    }
    /* Here a plain remainder would give the lowest third twice as often as each of the others. */
    uint64_t limit = UINT64_C(3) << 62;
    long lower = 0;
    for (int i = 0; i < 30000; i++)
        lower += random_below(&r, limit) < UINT64_C(1) << 62;
    is_near((double)lower / 30000, 1.0 / 3, 0.02, "a limit above 2^63 has no bias either");
}

static void normals_are_normal(void)
{
    struct random r;
    random_seed(&r, 5, 0);
    double sum = 0, squares = 0, fourths = 0;
    long within = 0;
    bool finite = true;
    for (int i = 0; i < 200000; i++) {
        double z = random_normal(&r);
        finite = finite && isfinite(z);
        sum += z;
        squares += z * z;
        fourths += z * z * z * z;
        within += fabs(z) < 1;
    }
    ok(finite, "all of them are numbers");
    is_near(sum / 200000, 0, 0.012, "mean 0");
    is_near(squares / 200000, 1, 0.02, "variance 1");
    is_near(fourths / 200000, 3, 0.05, "fourth moment 3");
    is_near((double)within / 200000, 0.6827, 0.006, "68 % within one deviation");
}

int main(void)
{
    the_sequence_is_known();
    seeds_and_streams_differ();
    units_are_in_range();
    below_has_no_bias();
    normals_are_normal();
    return tap_end();
}
