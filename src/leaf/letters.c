/*
 * letters.c - upper and lower case of Latin, Greek, Cyrillic and Armenian letters.
 *
 * The functions of C know no letters but those of a locale, which a program started on another
 * machine may not have. Letters that become several (the German sharp s) stay as they are.
 */
#include "leaf/modules.h"

/* The lower case letter minus the upper case one; PAIRS: each upper case letter is followed by its
 * lower case. */
enum { PAIRS = 0 };

static const struct {
    uint32_t first, last; /* of the upper case letters, or of all pairs */
    int distance;
} ranges[] = {
    {0x41, 0x5a, 32},        {0xc0, 0xd6, 32},      {0xd8, 0xde, 32},      {0x100, 0x12f, PAIRS},
    {0x132, 0x137, PAIRS},   {0x139, 0x148, PAIRS}, {0x14a, 0x177, PAIRS}, {0x178, 0x178, -121},
    {0x179, 0x17e, PAIRS},   {0x386, 0x386, 38},    {0x388, 0x38a, 37},    {0x38c, 0x38c, 64},
    {0x38e, 0x38f, 63},      {0x391, 0x3a1, 32},    {0x3a3, 0x3ab, 32},    {0x400, 0x40f, 80},
    {0x410, 0x42f, 32},      {0x460, 0x481, PAIRS}, {0x48a, 0x4bf, PAIRS}, {0x4c0, 0x4c0, 15},
    {0x4c1, 0x4ce, PAIRS},   {0x4d0, 0x52f, PAIRS}, {0x531, 0x556, 48},    {0x1e00, 0x1e95, PAIRS},
    {0x1ea0, 0x1eff, PAIRS},
};
enum { RANGES = sizeof ranges / sizeof *ranges };

/* Letters with a lower or upper case that does not lead back: micro, dotless i, long s, final s. */
static const struct {
    uint32_t from, to;
} uppers[] = {{0xb5, 0x39c}, {0x131, 'I'}, {0x17f, 'S'}, {0x3c2, 0x3a3}},
  lowers[] = {{0x130, 'i'}, {0x1e9e, 0xdf}};

static uint32_t to_upper(uint32_t letter)
{
    for (size_t i = 0; i < sizeof uppers / sizeof *uppers; i++)
        if (uppers[i].from == letter)
            return uppers[i].to;
    for (size_t i = 0; i < RANGES; i++) {
        uint32_t upper = letter - (uint32_t)ranges[i].distance - (ranges[i].distance == PAIRS);
        if (upper < ranges[i].first || upper > ranges[i].last)
            continue;
        if (ranges[i].distance != PAIRS || (upper - ranges[i].first) % 2 == 0)
            return upper;
    }
    return letter;
}

static uint32_t to_lower(uint32_t letter)
{
    for (size_t i = 0; i < sizeof lowers / sizeof *lowers; i++)
        if (lowers[i].from == letter)
            return lowers[i].to;
    for (size_t i = 0; i < RANGES; i++) {
        if (letter < ranges[i].first || letter > ranges[i].last)
            continue;
        if (ranges[i].distance != PAIRS)
            return letter + (uint32_t)ranges[i].distance;
        return letter + ((letter - ranges[i].first) % 2 == 0);
    }
    return letter;
}

struct leaf_value leaf_to_case(struct slice text, bool upper, struct arena *arena)
{
    struct str s = {0};
    str_reserve(&s, text.length);
    for (size_t at = 0; at < text.length;) {
        size_t start = at;
        uint32_t letter = leaf_character(text, &at);
        uint32_t other = upper ? to_upper(letter) : to_lower(letter);
        if (other < 0x80)
            str_add_char(&s, (char)other);
        else if (other == letter || !leaf_add_character(&s, other))
            str_add_bytes(&s, text.text + start, at - start);
    }
    return leaf_take(&s, arena);
}
