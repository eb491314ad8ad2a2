/* Numbering the points of a finite space. */
#include "search/lattice.h"
#include "spaces.h"
#include "tap.h"

enum { LIMIT = 1000 };

/* For every index: the points differ, are valid, and map back to their index. */
static void test_numbering(const struct fixture_case *test)
{
    struct fixture f;
    fixture_open(&f, test->build);
    struct lattice lattice;
    lattice_open(&lattice, &f.space, LATTICE_ENDLESS);
    if (test->points == 0) {
        ok(lattice.total == LATTICE_ENDLESS, "%s: endless", test->name);
    } else if (ok(lattice.total < LIMIT, "%s: the total is finite", test->name)) {
        static double points[LIMIT][MOST];
        size_t count = 0;
        bool back = true, proper = true;
        for (uint64_t index = 0; index < lattice.total; index++) {
            if (!lattice_point(&lattice, index, points[count]))
                continue;
            back &= lattice_index(&lattice, points[count]) == index;
            proper &= is_proper(&f.space, points[count++]);
        }
        ok(count == test->points, "%s: all %zu points have an index", test->name, test->points);
        ok(proper, "%s: they are points of the space", test->name);
        ok(all_differ(&f.space, points, count), "%s: no point has two", test->name);
        ok(back, "%s: a point leads back to its index", test->name);
        ok(lattice.gaps == (lattice.total > count), "%s: it says whether there are gaps",
           test->name);
    }
    lattice_close(&lattice);
    fixture_close(&f);
}

static void test_levels(void)
{
    static const struct {
        struct parameter parameter;
        uint64_t levels, expected;
    } cases[] = {
        {{.kind = PARAMETER_FLOAT, .low = 0, .high = 1}, 7, 7},
        {{.kind = PARAMETER_FLOAT, .low = 0, .high = 1}, 0, LATTICE_ENDLESS},
        {{.kind = PARAMETER_FLOAT, .low = 0, .high = 1, .levels = 5}, 7, 5},
        {{.kind = PARAMETER_FLOAT, .low = 0, .high = 1, .levels = 5}, 0, 5},
        {{.kind = PARAMETER_FLOAT, .low = 0, .high = 1, .levels = 5},
         LATTICE_ENDLESS,
         LATTICE_ENDLESS},
        {{.kind = PARAMETER_FLOAT, .low = 1, .high = 1}, 7, 1},
        {{.kind = PARAMETER_FLOAT, .low = 0, .high = 1, .step = 0.1}, 7, 11},
        {{.kind = PARAMETER_INT, .low = -3, .high = 3}, 2, 7},
        {{.kind = PARAMETER_INT, .low = 1, .high = 10, .step = 4}, 2, 3},
        {{.kind = PARAMETER_INT, .low = 16, .high = 1024, .log = true}, 2, 1009},
        {{.kind = PARAMETER_INT, .low = -9e18, .high = 9e18}, 2, LATTICE_ENDLESS},
        {{.kind = PARAMETER_CONSTANT, .value_count = 1}, 2, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        ok(lattice_levels(&cases[c].parameter, cases[c].levels) == cases[c].expected,
           "levels of case %zu", c);
}

static void test_not_on_it(void)
{
    struct fixture f;
    fixture_open(&f, build_conditional_floats);
    struct lattice lattice;
    lattice_open(&lattice, &f.space, 5);
    double on[] = {1, 1e-3, NAN}, off[] = {1, 2e-3, NAN}, far[] = {7, 1e-3, NAN};
    ok(lattice_index(&lattice, on) != LATTICE_NONE, "a level of a float is on the lattice");
    ok(lattice_index(&lattice, off) == LATTICE_NONE, "between the levels is not");
    ok(lattice_index(&lattice, far) == LATTICE_NONE, "a value that does not exist is not");
    ok(lattice.total == 5 * (5 + 1), "a float below a choice has its levels there only");
    lattice_close(&lattice);
    fixture_close(&f);
}

/* 40 parameters of 1000 levels overflow nothing. */
static void test_huge(void)
{
    enum { COUNT = 40 };
    struct parameter parameters[COUNT] = {0};
    struct arena arena = {0};
    for (size_t i = 0; i < COUNT; i++)
        parameters[i] = (struct parameter){.name = arena_printf(&arena, "p%zu", i),
                                           .kind = PARAMETER_INT,
                                           .low = 1,
                                           .high = 1000,
                                           .fallback = NAN};
    struct space space = {.parameters = parameters, .count = COUNT};
    size_t circle;
    struct lattice lattice;
    ok(space_finish(&space, &arena, &circle) == 0, "a space of many parameters");
    lattice_open(&lattice, &space, LATTICE_ENDLESS);
    ok(lattice.total == LATTICE_ENDLESS, "too many points to count are endless");
    lattice_close(&lattice);
    space_free(&space);
    arena_free(&arena);
}

int main(void)
{
    for (size_t i = 0; i < FIXTURES; i++)
        test_numbering(&fixture_cases[i]);
    test_levels();
    test_not_on_it();
    test_huge();
    return tap_end();
}
