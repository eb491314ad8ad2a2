/* Halves of a space: their ranges, their conditions, and the mapping of points to the whole. */
#include "search/narrow.h"
#include "spaces.h"
#include "tap.h"

static void build_lists(struct fixture *f)
{
    add_values(f, "two", PARAMETER_CHOICE, 2);
    add_values(f, "three", PARAMETER_ORDERED, 3);
    add_values(f, "eight", PARAMETER_ORDERED, 8);
}

static void build_ranges(struct fixture *f)
{
    add_range(f, "float", PARAMETER_FLOAT, -4, 4);
    add_range(f, "log", PARAMETER_FLOAT, 1e-8, 1)->log = true;
    add_range(f, "int", PARAMETER_INT, 1, 8);
    add_range(f, "bit", PARAMETER_INT, 0, 1);
    add_range(f, "step", PARAMETER_FLOAT, 0, 1)->step = 0.25;
    add_range(f, "logint", PARAMETER_INT, 1, 1024)->log = true;
}

static void test_lists(void)
{
    static const struct {
        size_t parameter;
        double overlap, count, first; /* of the upper half */
    } cases[] = {
        {0, 0.25, 1, 1}, {0, 0, 1, 1},    {1, 0.25, 2, 1}, {1, 0, 2, 1},
        {2, 0, 4, 4},    {2, 0.25, 5, 3}, {2, 0.9, 7, 1},
    };
    struct fixture f;
    fixture_open(&f, build_lists);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int side = 0; side < 2; side++) {
            struct narrow narrow;
            bool upper = side == 1;
            size_t at = cases[i].parameter;
            narrow_open(&narrow, &f.space, &at, &upper, 1, cases[i].overlap);
            const struct parameter *half = &narrow.space.parameters[at];
            double first = upper ? cases[i].first : 0;
            ok((double)half->value_count == cases[i].count && narrow.first[at] == first &&
                   half->values == f.parameters[at].values + (size_t)first,
               "%s, overlap %g: the %s half", f.parameters[at].name, cases[i].overlap,
               upper ? "upper" : "lower");
            narrow_close(&narrow);
        }
    fixture_close(&f);
}

static void test_ranges(void)
{
    static const struct {
        size_t parameter;
        double overlap, low, high; /* of the upper half, and of the lower */
    } cases[] = {
        {0, 0, 0, 0},        {0, 0.25, -1, 1},     {1, 0.25, 1e-5, 1e-3},
        {2, 0, 5, 4},        {2, 0.25, 4, 5},      {3, 0.25, 1, 0},
        {4, 0.25, 0.5, 0.5}, {4, 0.9, 0.25, 0.75}, {5, 0.2, 11, 49},
    };
    struct fixture f;
    fixture_open(&f, build_ranges);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct narrow lower, upper;
        size_t at = cases[i].parameter;
        narrow_open(&lower, &f.space, &at, &(bool){false}, 1, cases[i].overlap);
        narrow_open(&upper, &f.space, &at, &(bool){true}, 1, cases[i].overlap);
        const struct parameter *whole = &f.parameters[at];
        double low = upper.space.parameters[at].low, high = lower.space.parameters[at].high;
        ok(fabs(low - cases[i].low) <= 1e-9 * fabs(low) &&
               fabs(high - cases[i].high) <= 1e-9 * fabs(high),
           "%s, overlap %g: from %g and up to %g", whole->name, cases[i].overlap, low, high);
        ok(lower.space.parameters[at].low == whole->low &&
               upper.space.parameters[at].high == whole->high,
           "and the other ends stay");
        narrow_close(&lower);
        narrow_close(&upper);
    }
    fixture_close(&f);
}

/* All points of a part are points of the whole space, and map back unchanged. */
static void test_points(const struct fixture_case *where)
{
    struct fixture f;
    struct random random;
    bool proper = true, back = true, inside = true, covered = true;
    size_t cuts[] = {0, 1};
    fixture_open(&f, where->build);
    random_seed(&random, 1, 1);
    for (int i = 0; i < 400; i++) {
        struct narrow narrow;
        double units[MOST], inner[MOST], point[MOST], again[MOST];
        bool upper[] = {i & 1, i & 2};
        narrow_open(&narrow, &f.space, cuts, upper, 2, 0.25);
        for (size_t k = 0; k < f.space.count; k++)
            units[k] = random_unit(&random);
        space_point(&narrow.space, units, inner);
        narrow_back(&narrow, inner, point);
        narrow_point(&narrow, point, again);
        if (space_allowed(&narrow.space, inner))
            proper = proper && is_proper(&f.space, point);
        else
            proper = proper && !space_allowed(&f.space, point);
        inside = inside && narrow_has(&narrow, point);
        for (size_t k = 0; k < f.space.count; k++)
            back = back && (isnan(inner[k]) ? isnan(again[k]) : fabs(again[k] - inner[k]) < 1e-9);
        narrow_close(&narrow);
        space_point(&f.space, units, point);
        int homes = 0;
        for (int side = 0; side < 4; side++) {
            bool sides[] = {side & 1, side & 2};
            narrow_open(&narrow, &f.space, cuts, sides, 2, 0.25);
            homes += narrow_has(&narrow, point);
            narrow_close(&narrow);
        }
        covered = covered && homes > 0;
    }
    ok(proper, "%s: points of a part are points of the whole", where->name);
    ok(inside, "%s: they lie in the part", where->name);
    ok(back, "%s: they come back as they were", where->name);
    ok(covered, "%s: every point lies in a part", where->name);
    fixture_close(&f);
}

int main(void)
{
    test_lists();
    test_ranges();
    for (size_t i = 0; i < FIXTURES; i++)
        test_points(&fixture_cases[i]);
    return tap_end();
}
