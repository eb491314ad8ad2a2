/*
 * permute.c - a random permutation that needs no table.
 *
 * A Feistel network permutes the numbers of b bits, where 2^b is the smallest power of two that is
 * not below `count`: each round changes one half of the bits by a function of the other half, so
 * every round can be undone. A value that is not below `count` is sent through again (cycle
 * walking, Black and Rogaway 2002), at most twice on average, so that exactly 0 .. count-1 remains.
 */
#include "num/num.h"

enum { ROUNDS = 10 }; /* 4 suffice for large counts; for 10 values, even 6 favour some orders */

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

static int bits_for(uint64_t count)
{
    return count < 2 ? 0 : 64 - __builtin_clzll(count - 1);
}

static uint64_t low_bits(int bits)
{
    return ((uint64_t)1 << bits) - 1;
}

/* The halves differ by one bit when b is odd, so the rounds change them in turn and never swap. */
static uint64_t feistel(uint64_t x, int bits, uint64_t seed)
{
    int low_width = bits / 2;
    uint64_t low_mask = low_bits(low_width), high_mask = low_bits(bits - low_width);
    uint64_t low = x & low_mask, high = x >> low_width;
    for (uint64_t round = 0; round < ROUNDS; round += 2) {
        high ^= mix(seed + mix(low << 8 | round)) & high_mask;
        low ^= mix(seed + mix(high << 8 | (round + 1))) & low_mask;
    }
    return high << low_width | low;
}

uint64_t num_permute(uint64_t index, uint64_t count, uint64_t seed)
{
    if (index >= count)
        BUG("value %llu of a permutation of %llu", (unsigned long long)index,
            (unsigned long long)count);
    int bits = bits_for(count);
    uint64_t key = mix(seed + 0x9e3779b97f4a7c15u);
    do
        index = feistel(index, bits, key);
    while (index >= count);
    return index;
}
