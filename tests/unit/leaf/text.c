/* How values look as text, and text read as numbers. */
#include "leaf/leaf.h"

#include "tap.h"

static const struct {
    double number;
    const char *text;
} floats[] = {
    {0, "0.0"},
    {-0.0, "-0.0"},
    {1, "1.0"},
    {-3, "-3.0"},
    {0.1, "0.1"},
    {0.1 + 0.2, "0.30000000000000004"},
    {1.0 / 3, "0.3333333333333333"},
    {1.5, "1.5"},
    {0.125, "0.125"},
    {100000, "100000.0"},
    {123456789.12345679, "123456789.12345679"},
    {0.0001, "0.0001"},
    {0.00012345, "0.00012345"},
    {0.00099999999999999999, "0.001"},
    {0.00001, "1e-5"},
    {1.5e-7, "1.5e-7"},
    {1e16, "10000000000000000.0"},
    {9007199254740993.0, "9007199254740992.0"},
    {72057594037927936.0, "72057594037927940.0"},
    {99999999999999984.0, "99999999999999980.0"},
    {1e17, "1e+17"},
    {-2.5e20, "-2.5e+20"},
    {1.0 / 0x1p44, "5.684341886080802e-14"}, /* the nearest 16 digits do not read back */
    {0x1p-1022, "2.2250738585072014e-308"},
    {1.7976931348623157e308, "1.7976931348623157e+308"},
    {5e-324, "5e-324"},
    {1e-320, "1e-320"},
    {1e22, "1e+22"},
    {1e23, "1e+23"},
    {6.02214076e23, "6.02214076e+23"},
    {INFINITY, "Inf"},
    {-INFINITY, "-Inf"},
    {NAN, "NaN"},
    {-NAN, "NaN"},
};

static void test_floats(void)
{
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        struct str s = {0};
        leaf_show_number(&s, floats[i].number);
        is_text(s.text, floats[i].text, floats[i].text);
        str_free(&s);
    }
}

/* The shortest text: one digit less does not read back, and the text itself does. */
static void test_shortest(void)
{
    struct random random;
    struct str s = {0};
    int wrong = 0, longer = 0;
    random_seed(&random, 7, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = random_bits(&random);
        double number;
        char less[64];
        if (i % 4 == 0)
            bits &= UINT64_C(0xfff0000000000000); /* a power of two */
        memcpy(&number, &bits, sizeof number);
        if (!isfinite(number) || number == 0)
            continue;
        str_clear(&s);
        leaf_show_number(&s, number);
        wrong += strtod(s.text, NULL) != number;
        int digits = 0;
        for (const char *c = s.text; *c && *c != 'e'; c++)
            digits += *c >= '0' && *c <= '9' && (digits > 0 || *c != '0');
        if (fabs(number) >= 1e-4 && fabs(number) < 1e17)
            continue; /* it may have zeros that are not digits of it */
        snprintf(less, sizeof less, "%.*e", digits > 1 ? digits - 2 : 0, number);
        longer += digits > 1 && strtod(less, NULL) == number;
    }
    ok(wrong == 0, "every float reads back as itself");
    ok(longer == 0, "no float has a digit too many");
    str_free(&s);
}

static const struct {
    const char *text;
    int base;
    bool good;
    int64_t whole;
} wholes[] = {
    {"42", 10, true, 42},
    {"  42\t", 10, true, 42},
    {"-007", 10, true, -7},
    {"+5", 10, true, 5},
    {"0090", 10, true, 90},
    {"9223372036854775807", 10, true, INT64_MAX},
    {"-9223372036854775808", 10, true, INT64_MIN},
    {"9223372036854775808", 10, false, 0},
    {"-9223372036854775809", 10, false, 0},
    {"99999999999999999999999999", 10, false, 0},
    {"", 10, false, 0},
    {" ", 10, false, 0},
    {"-", 10, false, 0},
    {"--1", 10, false, 0},
    {"1 2", 10, false, 0},
    {"12 apples", 10, false, 0},
    {"1.0", 10, false, 0},
    {"0x1f", 10, false, 0},
    {"0x1f", 16, true, 31},
    {"-0X1F", 16, true, -31},
    {"ff", 16, true, 255},
    {"0x", 16, false, 0},
    {"0b", 16, true, 11},
    {"1010", 2, true, 10},
    {"0b1010", 2, true, 10},
    {"2", 2, false, 0},
    {"0o17", 8, true, 15},
    {"zZ", 36, true, 1295},
    {"0x1F", 0, true, 31},
    {"017", 0, true, 17},
    {"-0b11", 0, true, -3},
    {"@", 36, false, 0},
    {"[", 36, false, 0},
};

static void test_wholes(void)
{
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        int64_t whole = 0;
        bool good = leaf_read_whole(slice_of(wholes[i].text), wholes[i].base, &whole);
        ok(good == wholes[i].good && whole == wholes[i].whole, "'%s' in base %d", wholes[i].text,
           wholes[i].base);
    }
    int64_t ignored;
    ok(!leaf_read_whole((struct slice){NULL, 0}, 10, &ignored), "no text is no number");
    ok(!leaf_read_whole((struct slice){"1\0", 2}, 10, &ignored), "a zero byte is no white space");
}

static const struct {
    const char *text;
    bool good;
    double number;
} numbers[] = {
    {"1.5", true, 1.5},
    {" 1e3 ", true, 1000},
    {"-.5", true, -0.5},
    {"5.", true, 5},
    {"7", true, 7},
    {"inf", true, INFINITY},
    {"-Inf", true, -INFINITY},
    {"NaN", true, NAN},
    {"1e999", true, INFINITY},
    {"", false, 0},
    {"1.5x", false, 0},
    {"1,5", false, 0},
    {"0x10", false, 0},
    {"1 2", false, 0},
    {"e5", false, 0},
};

static void test_numbers(void)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double number = 0;
        bool good = leaf_read_float(slice_of(numbers[i].text), &number);
        ok(good == numbers[i].good, "'%s' %s a number", numbers[i].text, good ? "is" : "is not");
        if (good)
            is_near(number, numbers[i].number, 0, "and its value is right");
    }
    double number;
    struct str digits = {0};
    for (int i = 0; i < 1000; i++)
        str_add(&digits, "9");
    ok(leaf_read_float((struct slice){digits.text, digits.length}, &number) && isinf(number),
       "a thousand digits are read");
    ok(!leaf_read_float((struct slice){"1\0", 2}, &number), "a zero byte ends no number");
    str_free(&digits);
}

static void test_values(struct arena *arena)
{
    struct leaf_value array, row;
    struct leaf_member *items = leaf_list_start(&row, LEAF_ARRAY, 2, arena);
    items[0].value = leaf_whole(5);
    items[1].value = leaf_truth(true);
    items = leaf_array_start(&array, 2, arena);
    items[0] = (struct leaf_member){leaf_text(slice_of("b")), row};
    items[1] = (struct leaf_member){leaf_text(slice_of("c")), leaf_number(2)};
    struct str s = {0};
    leaf_show(&s, &array);
    is_text(s.text, "b {0 5 1 1} c 2.0", "an array shows its keys and members");
    str_clear(&s);
    row.kind = LEAF_BAG;
    leaf_show(&s, &row);
    is_text(s.text, "5 1", "a bag shows its members");
    str_clear(&s);
    leaf_show(&s, &(struct leaf_value){.kind = LEAF_INT, .whole = INT64_MIN});
    is_text(s.text, "-9223372036854775808", "the smallest int");
    str_free(&s);
}

static void test_excerpts(struct arena *arena)
{
    struct str text = {0};
    is_text(leaf_excerpt((struct slice){NULL, 0}, arena), "", "an empty text");
    is_text(leaf_excerpt(slice_of("short"), arena), "short", "a short text stays whole");
    for (int i = 0; i < 300; i++)
        str_add(&text, "\xc3\xa9");
    str_drop(&text, 1);
    const char *cut = leaf_excerpt((struct slice){text.text, text.length}, arena);
    ok(strlen(cut) == 199 + 3 && strcmp(cut + 199, "...") == 0,
       "a long one is cut between characters");
    str_free(&text);
}

int main(void)
{
    struct arena arena = {0};
    test_floats();
    test_shortest();
    test_wholes();
    test_numbers();
    test_values(&arena);
    test_excerpts(&arena);
    arena_free(&arena);
    return tap_end();
}
