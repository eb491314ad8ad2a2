/* What each algorithm promises individually. */
#include "search/search.h"
#include "spaces.h"
#include "tap.h"

/* ---- grid ---- */

/* Asks for all points and writes them as "1,2 3,4"; "-" stands for an inactive parameter. */
static void list_points(const struct search_settings *settings, const struct space *space,
                        struct str *text)
{
    struct search *search = search_create(settings, space);
    double point[MOST];
    str_clear(text);
    while (search_ask(search, point) == SEARCH_POINT) {
        if (text->length > 0)
            str_add_char(text, ' ');
        for (size_t i = 0; i < space->count; i++) {
            if (i > 0)
                str_add_char(text, ',');
            if (isnan(point[i]))
                str_add_char(text, '-');
            else
                str_add_number(text, point[i]);
        }
    }
    search_free(search);
}

static void build_plain_grid(struct fixture *f)
{
    add_range(f, "a", PARAMETER_INT, 1, 2);
    add_range(f, "b", PARAMETER_FLOAT, 0, 0.3);
}

static void build_log_grid(struct fixture *f)
{
    add_range(f, "a", PARAMETER_FLOAT, 1e-5, 1e-1)->log = true;
}

static void build_long_ends(struct fixture *f)
{
    add_range(f, "a", PARAMETER_FLOAT, 0.12345678901234567, 3.1415926535897931);
}

static void build_steps(struct fixture *f)
{
    add_range(f, "a", PARAMETER_FLOAT, 0, 1)->step = 0.25;
    add_range(f, "b", PARAMETER_INT, 1, 6)->step = 5;
}

static void build_own_levels(struct fixture *f)
{
    add_range(f, "a", PARAMETER_FLOAT, 0, 1)->levels = 2;
    add_range(f, "b", PARAMETER_FLOAT, 0, 1);
}

static void build_point(struct fixture *f)
{
    add_range(f, "a", PARAMETER_FLOAT, 2, 2);
    add_values(f, "b", PARAMETER_CONSTANT, 1);
}

static void build_nested(struct fixture *f)
{
    add_values(f, "a", PARAMETER_CHOICE, 3);
    add_range(f, "b", PARAMETER_INT, 7, 8);
    add_when(f, add_values(f, "c", PARAMETER_CHOICE, 2), 0, 1, 1);
}

static void build_skips(struct fixture *f)
{
    add_range(f, "a", PARAMETER_INT, 0, 1);
    add_range(f, "b", PARAMETER_INT, 0, 2);
    f->parameters[0].fallback = 1;
    add_forbidden(f, clause_of(f, 0, 0, 0), clause_of(f, 1, 1, 1));
}

static void test_grid_points(void)
{
    static const struct {
        void (*build)(struct fixture *f);
        uint64_t levels;
        const char *expected, *name;
    } cases[] = {
        {build_plain_grid, 4, "1,0 1,0.1 1,0.2 1,0.3 2,0 2,0.1 2,0.2 2,0.3",
         "grid: the last parameter goes fastest, both ends are there"},
        {build_plain_grid, 1, "1,0.15 2,0.15", "grid: one level is the middle"},
        {build_log_grid, 5, "1e-05 0.0001 0.001 0.01 0.1", "grid: even on a logarithmic scale"},
        {build_long_ends, 2, "0.12345678901234566 3.141592653589793", "grid: the ends are exact"},
        {build_steps, 2, "0,1 0,6 0.25,1 0.25,6 0.5,1 0.5,6 0.75,1 0.75,6 1,1 1,6",
         "grid: steps are levels"},
        {build_own_levels, 3, "0,0 0,0.5 0,1 1,0 1,0.5 1,1", "grid: own levels go first"},
        {build_point, 9, "2,0", "grid: a range without width is one point"},
        {build_nested, 0, "0,7,- 0,8,- 1,7,0 1,8,0 1,7,1 1,8,1 2,7,- 2,8,-",
         "grid: a conditional parameter counts right after its parent"},
        {build_skips, 0, "1,1 0,0 0,2 1,0 1,2",
         "grid: the default first and not again, forbidden left out"},
    };
    struct str text = {0};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct fixture f;
        fixture_open(&f, cases[c].build);
        struct search_settings settings = {.algorithm = "grid", .levels = cases[c].levels};
        list_points(&settings, &f.space, &text);
        is_text(str_text(&text), cases[c].expected, cases[c].name);
        fixture_close(&f);
    }
    str_free(&text);
}

/* ---- mistakes ---- */

static void build_huge(struct fixture *f)
{
    build_floats(f);
    add_range(f, "units", PARAMETER_INT, 1, 100000);
}

static void build_huge_floats(struct fixture *f)
{
    build_floats(f);
    add_values(f, "e", PARAMETER_CHOICE, 3);
}

/* Two branches of three parameters: 2 * 10^12 combinations, but only 2 * 10^6 different ones. */
static void build_branches(struct fixture *f)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    add_values(f, "branch", PARAMETER_CHOICE, 2);
    for (size_t i = 0; i < 6; i++) {
        double branch = i < 3 ? 0 : 1;
        add_when(f, add_range(f, names[i], PARAMETER_INT, 1, 100), 0, branch, branch);
    }
}

static void test_mistakes(void)
{
    static const struct {
        struct search_settings settings;
        void (*build)(struct fixture *f);
        const char *expected; /* NULL: no mistake */
    } cases[] = {
        {{.algorithm = "grid", .levels = 10}, build_huge, NULL}, /* 10^9 exactly */
        {{.algorithm = "grid", .levels = 11},
         build_huge,
         "a grid over this space has 1.46e+09 points, more than the limit of 10^9: 'units' alone "
         "has "
         "100000 levels; give it a larger `step`, or use the algorithm random or sobol"},
        {{.algorithm = "grid", .levels = 1000},
         build_huge_floats,
         "a grid over this space has 3e+12 points, more than the limit of 10^9: 'a' alone has 1000 "
         "levels; lower `levels`, or use the algorithm random or sobol"},
        {{.algorithm = "grid", .levels = 100000000},
         build_floats,
         "a grid over this space has more than 1.84e+19 points, more than the limit of 10^9: 'a' "
         "alone has 100000000 levels; lower `levels`, or use the algorithm random or sobol"},
        {{.algorithm = "grid"},
         build_floats,
         "a grid needs `levels`, the number of points on a range such as 'a': give 1 or more"},
        {{.algorithm = "grid"}, build_branches, NULL},
        {{.algorithm = "grid"}, build_finite, NULL},
        {{.algorithm = "lhs"},
         build_floats,
         "the algorithm lhs must know the number of trials: set `trials`, or use sobol"},
        {{.algorithm = "lhs", .trials = 1}, build_floats, NULL},
        {{.algorithm = "list"}, build_floats, "the list has no points: give at least one"},
        {{.algorithm = "sobol"}, build_mixed, NULL},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct fixture f;
        struct err e = {0};
        fixture_open(&f, cases[c].build);
        int code = search_check(&cases[c].settings, &f.space, &e);
        ok(code == (cases[c].expected ? ERR_USER : 0), "mistake %zu: %s", c,
           cases[c].settings.algorithm);
        is_text(e.message, cases[c].expected ? cases[c].expected : "", "and its message");
        fixture_close(&f);
    }
}

static void test_sobol_limit(void)
{
    enum { COUNT = 66 };
    struct parameter parameters[COUNT] = {0};
    size_t order[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        parameters[i] = (struct parameter){
            .name = "p", .kind = PARAMETER_FLOAT, .low = 0, .high = 1, .fallback = NAN};
        order[i] = i;
    }
    struct space space = {.parameters = parameters, .count = COUNT, .order = order};
    struct search_settings settings = {.algorithm = "sobol", .seed = 3};
    struct err e = {0};
    ok(search_check(&settings, &space, &e) == ERR_USER, "sobol: 66 parameters are too many");
    is_text(
        e.message,
        "the algorithm sobol takes at most 64 parameters, but this space has 66: use random or lhs",
        "and the user is told what to do");
    parameters[5].kind = parameters[50].kind = PARAMETER_CONSTANT;
    ok(search_check(&settings, &space, &e) == 0, "sobol: constants do not count");
    double point[COUNT];
    struct search *search = search_create(&settings, &space);
    ok(search_ask(search, point) == SEARCH_POINT && point[50] == 0 && point[65] != point[64],
       "sobol: 64 parameters work");
    search_free(search);
}

/* ---- even points ---- */

/* The number of cells of each parameter's range that hold exactly one of the next points. */
static size_t cells_hit_once(struct search *search, const struct space *space, size_t cells)
{
    size_t once = 0;
    unsigned char hit[MOST][256] = {{0}};
    for (size_t k = 0; k < cells; k++) {
        double point[MOST];
        if (search_ask(search, point) != SEARCH_POINT)
            return 0;
        for (size_t i = 0; i < space->count; i++) {
            double unit = space_unit(&space->parameters[i], point[i]);
            hit[i][(size_t)(unit * (double)cells)]++;
        }
    }
    for (size_t i = 0; i < space->count; i++)
        for (size_t cell = 0; cell < cells; cell++)
            once += hit[i][cell] == 1;
    return once;
}

static void test_strata(void)
{
    static const struct {
        const char *algorithm, *name;
        uint64_t trials;
        bool fallback;
        size_t cells;
    } cases[] = {
        {"lhs", "lhs: every stratum is hit once in every dimension", 100, false, 100},
        {"lhs", "lhs: of an odd number too", 37, false, 37},
        {"lhs", "lhs: of a single one too", 1, false, 1},
        {"lhs", "lhs: the default takes one trial, the hypercube the others", 51, true, 50},
        {"lhs", "lhs: the default alone leaves no room", 1, true, 1},
        {"sobol", "sobol: 64 points hit every 64th of every range", 0, false, 64},
        {"sobol", "sobol: the default comes before the sequence", 0, true, 128},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct fixture f;
        double point[MOST];
        fixture_open(&f, build_floats);
        f.parameters[1].fallback = cases[c].fallback ? 0.25 : NAN;
        struct search_settings settings = {
            .algorithm = cases[c].algorithm, .seed = 5, .trials = cases[c].trials};
        struct search *search = search_create(&settings, &f.space);
        if (cases[c].fallback)
            search_ask(search, point);
        size_t all = f.space.count * cases[c].cells;
        ok(cells_hit_once(search, &f.space, cases[c].cells) == all, "%s", cases[c].name);
        ok(cells_hit_once(search, &f.space, cases[c].cells) == all, "and the next ones again");
        search_free(search);
        fixture_close(&f);
    }
}

static void test_lhs_cubes_differ(void)
{
    struct fixture f;
    double points[20][MOST];
    fixture_open(&f, build_floats);
    struct search_settings settings = {.algorithm = "lhs", .seed = 5, .trials = 10};
    struct search *search = search_create(&settings, &f.space);
    int same_order = 0;
    for (size_t k = 0; k < 20; k++)
        search_ask(search, points[k]);
    for (size_t k = 0; k < 10; k++)
        same_order += (int)(points[k][3] * 10) == (int)(points[k + 10][3] * 10);
    ok(same_order < 6, "lhs: the next hypercube has its strata in another order");
    bool diagonal = true;
    for (size_t k = 0; k < 10; k++)
        diagonal &= (int)(points[k][1] * 20) == (int)(points[k][3] * 10);
    ok(!diagonal, "lhs: dimensions have orders of their own");
    search_free(search);
    fixture_close(&f);
}

/* ---- random ---- */

/* `a` has 2 values; one of them has 50 points below it. */
static void build_lopsided(struct fixture *f)
{
    add_values(f, "a", PARAMETER_CHOICE, 2);
    add_range(f, "b", PARAMETER_INT, 1, 100);
    add_when(f, add_range(f, "c", PARAMETER_INT, 1, 50), 0, 1, 1);
}

static void test_random_is_fair(void)
{
    struct fixture f;
    fixture_open(&f, build_lopsided);
    int with_child = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct search_settings settings = {.algorithm = "random", .seed = seed};
        struct search *search = search_create(&settings, &f.space);
        for (int k = 0; k < 10; k++) {
            double point[MOST];
            search_ask(search, point);
            with_child += point[0] == 1;
        }
        search_free(search);
    }
    ok(with_child > 440 && with_child < 600,
       "random: a value with many points below it is not preferred");
    fixture_close(&f);
}

static void test_random_gives_all(void)
{
    struct fixture f;
    fixture_open(&f, build_lopsided);
    struct search_settings settings = {.algorithm = "random", .seed = 9};
    struct search *search = search_create(&settings, &f.space);
    static bool seen[101][51];
    double point[MOST];
    size_t count = 0, repeats = 0;
    while (search_ask(search, point) == SEARCH_POINT) {
        bool *here = &seen[(size_t)point[1]][isnan(point[2]) ? 0 : (size_t)point[2]];
        repeats += *here;
        *here = true;
        count++;
    }
    ok(count == 100 + 100 * 50 && repeats == 0, "random: a small space is given once, all of it");
    search_free(search);
    fixture_close(&f);
}

int main(void)
{
    test_grid_points();
    test_mistakes();
    test_sobol_limit();
    test_strata();
    test_lhs_cubes_differ();
    test_random_is_fair();
    test_random_gives_all();
    return tap_end();
}
