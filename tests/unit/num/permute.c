/* Permutations without a table. */
#include "num/num.h"
#include "tap.h"

static bool is_permutation(uint64_t count, uint64_t seed)
{
    unsigned char *hit = memory_new(count, 1);
    bool once = true;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value = num_permute(i, count, seed);
        once &= value < count && hit[value < count ? value : 0]++ == 0;
    }
    free(hit);
    return once;
}

static void test_every_value_once(void)
{
    bool small = true;
    for (uint64_t count = 1; count <= 200; count++)
        for (uint64_t seed = 0; seed < 5; seed++)
            small &= is_permutation(count, seed);
    ok(small, "every count up to 200: each value comes exactly once");
    static const uint64_t counts[] = {255, 256, 257, 1000, 4095, 4097, 65536, 100003, 1 << 20};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        ok(is_permutation(counts[c], 42), "each of %d values comes exactly once", (int)counts[c]);
}

static void test_huge(void)
{
    static const uint64_t counts[] = {UINT64_MAX, (uint64_t)1 << 63, ((uint64_t)1 << 63) + 1};
    for (size_t c = 0; c < 3; c++) {
        bool below = true, spread = false;
        for (uint64_t i = 0; i < 1000; i++) {
            uint64_t value = num_permute(counts[c] - 1 - i, counts[c], 3);
            below &= value < counts[c];
            spread |= value < counts[c] / 4;
        }
        ok(below && spread, "a count near 2^%d works", c == 0 ? 64 : 63);
    }
}

/* Over many seeds, each index meets each value about equally often: chi-square of the table. */
static void test_uniform(void)
{
    enum { COUNT = 10, SEEDS = 20000 };
    static int table[COUNT][COUNT], next[COUNT][COUNT];
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (uint64_t i = 0; i < COUNT; i++) {
            uint64_t value = num_permute(i, COUNT, seed);
            table[i][value]++;
            next[value][num_permute((i + 1) % COUNT, COUNT, seed)]++;
        }
    double expected = (double)SEEDS / COUNT, single = 0, pairs = 0, pair_expected = SEEDS / 9.0;
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            single += pow(table[i][j] - expected, 2) / expected;
            if (i != j)
                pairs += pow(next[i][j] - pair_expected, 2) / pair_expected;
        }
    printf("# chi squared: %.1f of 81 degrees of freedom, %.1f of pairs\n", single, pairs);
    ok(single < 140, "each place takes each value equally often");
    ok(pairs < 140, "and what follows a value is any other, equally often");
}

static void test_seeds(void)
{
    int moved = 0, other = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        moved += num_permute(i, 1000, 1) != i;
        other += num_permute(i, 1000, 1) != num_permute(i, 1000, 2);
    }
    ok(moved > 980 && other > 980, "it mixes, and another seed mixes otherwise");
}

int main(void)
{
    test_every_value_once();
    test_huge();
    test_uniform();
    test_seeds();
    return tap_end();
}
