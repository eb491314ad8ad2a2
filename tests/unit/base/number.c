/* number - the shortest text that reads back unchanged, inside and outside the fast range. */
#include "base/base.h"
#include "tap.h"

static void numbers_look_as_people_write_them(void)
{
    static const struct {
        double number;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "0"},
        {1, "1"},
        {-17, "-17"},
        {100, "100"},
        {1e15, "1000000000000000"},
        {123456789012345680.0, "123456789012345680"},
        {9007199254740992.0, "9007199254740992"},
        {1e18, "1e+18"},
        {-2.5e300, "-2.5e+300"},
        {0.1, "0.1"},
        {0.5, "0.5"},
        {-0.25, "-0.25"},
        {0.001, "0.001"},
        {0.0001, "0.0001"},
        {0.00015, "0.00015"},
        {0.00001, "1e-05"},
        {0.000015, "1.5e-05"},
        {1e-10, "1e-10"},
        {1.25e-11, "1.25e-11"},
        {9.5e-12, "9.5e-12"},
        {12.5, "12.5"},
        {123456.789, "123456.789"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {2.0 / 3, "0.6666666666666666"},
        {0.9999999999999999, "0.9999999999999999"},
        {5e-324, "4.94065645841247e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {562949953421311.25, "562949953421311.25"},
        {9.313225746154785e-10, "9.313225746154785e-10"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
    };
    struct str s = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        str_clear(&s);
        str_add_number(&s, cases[i].number);
        is_text(s.text, cases[i].text, cases[i].text);
    }
    str_free(&s);
}

enum { KINDS = 8 };

/* Numbers that occur in studies, and hard ones: near powers of two and ten, and random bits. */
static double random_number(struct random *r, int kind)
{
    uint64_t bits = random_bits(r);
    double any;
    memcpy(&any, &bits, sizeof any);
    double ten = pow(10, (double)random_below(r, 30) - 13);
    double two = ldexp(1, (int)random_below(r, 100) - 60);
    double towards = random_below(r, 2) ? 0 : 1e300;
    switch (kind) {
    case 0: return random_unit(r);
    case 1: return exp((random_unit(r) - 0.5) * 60);
    case 2: return isfinite(any) ? any : 1;
    case 3: return (double)random_below(r, 2000000000) / ten;
    case 4: return nextafter(ten, towards);
    case 5: return nextafter(two, towards);
    case 6: return two;
    default: return random_normal(r) * 1000;
    }
}

static bool is_shortest(const char *text, double number)
{
    char expected[40];
    if (number == floor(number) && fabs(number) < 1e18)
        return true; /* written in full */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(expected, sizeof expected, "%.*g", digits, number);
        if (strtod(expected, NULL) == number)
            break;
    }
    return strcmp(text, expected) == 0;
}

static void texts_read_back(void)
{
    struct random r;
    struct str s = {0};
    random_seed(&r, 3, 0);
    for (int kind = 0; kind < KINDS; kind++) {
        long lost = 0, longer = 0;
        for (int i = 0; i < 20000; i++) {
            double number = random_number(&r, kind);
            str_clear(&s);
            str_add_number(&s, number);
            lost += strtod(s.text, NULL) != number;
            longer += !is_shortest(s.text, number);
        }
        ok(lost == 0, "20000 numbers of kind %d read back exactly", kind);
        ok(longer == 0, "and none of them has a shorter text");
    }
    str_free(&s);
}

/* Decimals of 19 digits and ties, compared with strtod. */
static void decimals_are_rounded_to_the_nearest(void)
{
    struct random r;
    long wrong = 0;
    random_seed(&r, 4, 0);
    for (int i = 0; i < 100000; i++) {
        uint64_t digits = random_bits(&r) >> random_below(&r, 64);
        int decimals = (int)random_below(&r, 28);
        if (i % 4 == 0) { /* halfway between two doubles: an odd number of 54 bits */
            digits = (UINT64_C(1) << 53) + 1 + 2 * random_below(&r, UINT64_C(1) << 52);
            decimals = 0;
        }
        char text[64];
        snprintf(text, sizeof text, "%llue-%d", (unsigned long long)digits, decimals);
        double number = -1;
        wrong += !number_from_decimal(digits, decimals, &number) || number != strtod(text, NULL);
    }
    ok(wrong == 0, "100000 decimals become the nearest double");
    double number = 7;
    ok(!number_from_decimal(1, 28, &number) && !number_from_decimal(1, -1, &number) && number == 7,
       "decimals outside of the range are left to strtod");
}

static void whole_texts_are_numbers(void)
{
    static const struct {
        const char *text;
        bool good;
        double number;
    } cases[] = {
        {"1", true, 1},          {"-2.5e3", true, -2500},
        {"+3", true, 3},         {".5", true, 0.5},
        {"5.", true, 5},         {"1e400", true, INFINITY},
        {"nan", true, NAN},      {"NaN", true, NAN},
        {"inf", true, INFINITY}, {"-Infinity", true, -INFINITY},
        {"", false, 0},          {" 1", false, 0},
        {"1 ", false, 0},        {"1\n", false, 0},
        {"1a", false, 0},        {"abc", false, 0},
        {"1,5", false, 0},       {"0x10", false, 0},
        {"nan(1)", false, 0},    {"1e", false, 0},
        {"--1", false, 0},       {"-", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double number = 0;
        bool good = str_number(cases[i].text, &number);
        ok(good == cases[i].good, "text %zu is %sa number", i, good ? "" : "not ");
        if (good)
            is_near(number, cases[i].number, 0, "  of this value");
    }
}

/* Numbers with a few decimals have the same text either way. */
static void test_put_decimal(void)
{
    struct random random;
    size_t different = 0;
    random_seed(&random, 9, 1);
    for (int i = 0; i < 100000; i++) {
        uint64_t digits = random_below(&random, i < 1000 ? (uint64_t)i + 1 : 1000000000000000);
        digits >>= random_below(&random, 50);
        char fast[NUMBER_LENGTH], slow[NUMBER_LENGTH];
        size_t length = number_put_decimal(fast, digits, 6);
        different +=
            length != number_put(slow, (double)digits / 1e6) || memcmp(fast, slow, length) != 0;
    }
    ok(different == 0, "decimals are written as numbers are: %zu differ", different);
}

int main(void)
{
    test_put_decimal();
    numbers_look_as_people_write_them();
    texts_read_back();
    decimals_are_rounded_to_the_nearest();
    whole_texts_are_numbers();
    return tap_end();
}
