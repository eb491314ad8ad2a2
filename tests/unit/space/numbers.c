/* Levels of a parameter, and the mapping from [0, 1) to its values and back. */
#include "space/space.h"

#include "tap.h"

static struct value letters[] = {
    {.kind = VALUE_STRING, .text = "a"},
    {.kind = VALUE_STRING, .text = "b"},
    {.kind = VALUE_STRING, .text = "c"},
};

static const struct parameter ranges[] = {
    {.name = "float", .kind = PARAMETER_FLOAT, .low = 0, .high = 0.5},
    {.name = "float below 0", .kind = PARAMETER_FLOAT, .low = -3, .high = 7},
    {.name = "float of one value", .kind = PARAMETER_FLOAT, .low = 2.5, .high = 2.5},
    {.name = "huge float", .kind = PARAMETER_FLOAT, .low = -1e300, .high = 1e300},
    {.name = "tiny float", .kind = PARAMETER_FLOAT, .low = 1e-300, .high = 2e-300},
    {.name = "log float", .kind = PARAMETER_FLOAT, .log = true, .low = 1e-5, .high = 1e-1},
    {.name = "float of 17 digits",
     .kind = PARAMETER_FLOAT,
     .low = 0.12345678901234567,
     .high = 0.12345678901234569},
    {.name = "step 0.1", .kind = PARAMETER_FLOAT, .low = 0, .high = 1, .step = 0.1},
    {.name = "step 0.1 across 0", .kind = PARAMETER_FLOAT, .low = -100, .high = 100, .step = 0.1},
    {.name = "step that misses the end", .kind = PARAMETER_FLOAT, .low = 1, .high = 2, .step = 0.3},
    {.name = "int", .kind = PARAMETER_INT, .low = 1, .high = 5},
    {.name = "int below 0", .kind = PARAMETER_INT, .low = -7, .high = -7},
    {.name = "int with step", .kind = PARAMETER_INT, .low = 16, .high = 128, .step = 16},
    {.name = "log int", .kind = PARAMETER_INT, .log = true, .low = 1, .high = 1000},
    {.name = "choice", .kind = PARAMETER_CHOICE, .values = letters, .value_count = 3},
    {.name = "ordered", .kind = PARAMETER_ORDERED, .values = letters, .value_count = 3},
    {.name = "constant", .kind = PARAMETER_CONSTANT, .values = letters, .value_count = 1},
    {.name = "many steps", .kind = PARAMETER_INT, .low = 0, .high = 1e15, .step = 7},
    {.name = "many float steps", .kind = PARAMETER_FLOAT, .low = 0, .high = 1e15, .step = 7},
};
enum { RANGES = sizeof ranges / sizeof *ranges };

static void units_give_values_and_back(void)
{
    for (size_t i = 0; i < RANGES; i++) {
        const struct parameter *p = &ranges[i];
        bool inside = true, inverse = true, rising = true, reads_back = true;
        bool numeric = p->kind == PARAMETER_FLOAT || p->kind == PARAMETER_INT;
        double before = -INFINITY;
        struct str text = {0};
        for (int k = 0; k < 4001; k++) {
            double value = space_at(p, k / 4001.0), number;
            inside = inside && (!numeric || (value >= p->low && value <= p->high));
            inverse = inverse && space_at(p, space_unit(p, value)) == value;
            rising = rising && value >= before;
            before = value;
            str_clear(&text);
            str_add_number(&text, value);
            reads_back = reads_back && str_number(text.text, &number) && number == value;
        }
        ok(inside, "%s: every value is in the range", p->name);
        ok(inverse, "%s: a value's unit gives the value again", p->name);
        ok(rising, "%s: values rise with the unit", p->name);
        ok(reads_back, "%s: the text of a value reads back exactly", p->name);
        ok(space_at(p, -1) == space_at(p, 0), "%s: a unit below 0 is as 0", p->name);
        ok(space_unit(p, space_at(p, 1)) < 1, "%s: no unit is 1", p->name);
        str_free(&text);
    }
}

static void texts_are_short(void)
{
    size_t longest = 0;
    struct str text = {0};
    for (int k = 0; k < 1000; k++) {
        str_clear(&text);
        str_add_number(&text, space_at(&ranges[5], k / 1000.0));
        longest = text.length > longest ? text.length : longest;
    }
    ok(longest <= 17, "a float has at most 12 digits, a point, zeros or an exponent: %zu", longest);
    str_free(&text);
}

static void levels_are_counted(void)
{
    static const struct {
        const char *name;
        double levels, first, last;
    } cases[] = {
        {"step 0.1", 11, 0, 1},
        {"step 0.1 across 0", 2001, -100, 100},
        {"step that misses the end", 4, 1, 1.9},
        {"int", 5, 1, 5},
        {"int with step", 8, 16, 128},
        {"many steps", 142857142857143, 0, 999999999999994},
        {"many float steps", 142857142857143, 0, 999999999999994},
        {"log int", 1000, 1, 1000},
        {"choice", 3, 0, 2},
        {"ordered", 3, 0, 2},
        {"constant", 1, 0, 0},
        {"float of one value", 1, 2.5, 2.5},
        {"float", INFINITY, 0, 0.5},
        {"log float", INFINITY, 1e-5, 1e-1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct parameter *p = ranges;
        while (strcmp(p->name, cases[i].name) != 0)
            p++;
        ok(space_levels(p) == cases[i].levels, "%s: %g levels", p->name, cases[i].levels);
        ok(space_at(p, 0) == cases[i].first, "%s: 0 gives the first", p->name);
        ok(space_at(p, 1 - 1e-15) == cases[i].last, "%s: nearly 1 gives the last", p->name);
    }
}

static void steps_are_exact(void)
{
    const struct parameter *p = &ranges[8];
    bool exact = true;
    for (int k = 0; k <= 2000; k++)
        exact = exact && space_at(p, (k + 0.5) / 2001) == (k - 1000) / 10.0;
    ok(exact, "each of 2001 steps of 0.1 is the number that a person would write");
}

/* Far from 0, too: fourteen digits would round these to hundreds. */
static void fine_steps_stay_on_their_grid(void)
{
    for (size_t i = RANGES - 2; i < RANGES; i++) {
        bool exact = true;
        for (int k = 0; k < 1000; k++)
            exact = exact && fmod(space_at(&ranges[i], k / 1000.0), 7) == 0;
        ok(exact, "%s: each value is a whole number of steps", ranges[i].name);
    }
}

/* Each level of a linear scale is equally likely, and a log scale reaches every integer. */
static void levels_are_fair(void)
{
    int counts[5] = {0}, seen[1001] = {0}, reached = 0;
    for (int k = 0; k < 1000; k++)
        counts[(int)space_at(&ranges[10], k / 1000.0) - 1]++;
    bool fair = true;
    for (int i = 0; i < 5; i++)
        fair = fair && counts[i] == 200;
    ok(fair, "5 integers share the units evenly");
    for (int k = 0; k < 100000; k++)
        seen[(int)space_at(&ranges[13], k / 100000.0)] = 1;
    for (int i = 1; i <= 1000; i++)
        reached += seen[i];
    ok(reached == 1000, "a log scale reaches all of 1000 integers: %d", reached);
    is_near(space_at(&ranges[5], 0.5), 1e-3, 1e-12, "half of a log range is its geometric middle");
}

int main(void)
{
    units_give_values_and_back();
    texts_are_short();
    levels_are_counted();
    steps_are_exact();
    fine_steps_stay_on_their_grid();
    levels_are_fair();
    return tap_end();
}
