/* Hyperspace: parts that overlap and share nothing. */
#include "bowl.h"
#include "tap.h"

enum { OVERLAP, INNER, DIMENSIONS, TRIALS = 64 };
enum { GP, FOREST, TPE, RANDOM };

static struct search_settings settings_of(double inner, double dimensions)
{
    struct search_settings settings = {
        .algorithm = "hyperspace", .seed = 1, .trials = TRIALS, .has_options = true};
    for (size_t i = 0; i < SEARCH_OPTIONS; i++)
        settings.options[i] = NAN;
    settings.options[INNER] = inner;
    settings.options[DIMENSIONS] = dimensions;
    return settings;
}

/* The first parameters are cut: of parameter i, trial k lies in the half that bit i of k gives. */
static void test_parts(double inner, const char *name)
{
    struct fixture f;
    fixture_open(&f, build_floats);
    struct search_settings settings = settings_of(inner, 3);
    struct search *search = search_create(&settings, &f.space);
    bool inside = true;
    for (uint64_t k = 0; k < TRIALS; k++) {
        double point[MOST];
        inside = inside && search_ask(search, point) == SEARCH_POINT;
        for (size_t i = 0; i < 3; i++) {
            double unit = space_unit(&f.parameters[i], point[i]);
            inside = inside && (k >> i & 1 ? unit > 0.374 : unit < 0.626);
        }
        struct search_result result = {.good = true, .scores = {bowl(&f.space, point)}};
        search_tell(search, k, &result);
    }
    ok(inside, "%s: trial k lies in part k mod 8", name);
    search_free(search);
    fixture_close(&f);
}

/* Two runs that differ only in the results of part 0 of 2: the other part is not affected. */
static void test_parts_share_nothing(double inner, const char *name)
{
    struct fixture f;
    fixture_open(&f, build_floats);
    struct search_settings settings = settings_of(inner, 1);
    struct search *one = search_create(&settings, &f.space);
    struct search *other = search_create(&settings, &f.space);
    bool same = true, differs = false;
    for (uint64_t k = 0; k < TRIALS; k++) {
        double point[MOST], twin[MOST];
        same = same && search_ask(one, point) == SEARCH_POINT &&
               search_ask(other, twin) == SEARCH_POINT;
        if (k % 2 == 1)
            same = same && space_same(&f.space, point, twin);
        else
            differs = differs || !space_same(&f.space, point, twin);
        struct search_result result = {.good = true, .scores = {bowl(&f.space, point)}};
        search_tell(one, k, &result);
        if (k % 2 == 0)
            result.scores[0] = -bowl(&f.space, twin);
        search_tell(other, k, &result);
    }
    ok(same, "%s: results of one part make no difference in another", name);
    ok(differs == (inner != RANDOM), "%s: and in their own they do if it learns", name);
    search_free(one);
    search_free(other);
    fixture_close(&f);
}

static void test_choice(void)
{
    static const struct {
        uint64_t trials, workers;
        const char *expected;
    } cases[] = {
        {100, 1, "4 parts, each searched by gp"},
        {100, 8, "4 parts, each searched by gp"},
        {200, 8, "8 parts, each searched by gp"},
        {15, 8, "the space is not divided, because the budget is too small; searched by gp"},
        {0, 1000, "16 parts, each searched by gp"},
    };
    struct fixture f;
    fixture_open(&f, build_floats);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct search_settings settings = {
            .algorithm = "hyperspace", .trials = cases[i].trials, .workers = cases[i].workers};
        struct search *search = search_create(&settings, &f.space);
        is_text(search_choice(search), cases[i].expected, "parts by budget and workers");
        search_free(search);
    }
    fixture_close(&f);
}

/* Lists are cut, too, if there is nothing else to cut, and conditions follow the new indexes. */
static void test_small_spaces(void)
{
    for (size_t i = 0; i < FIXTURES; i++) {
        struct fixture f;
        fixture_open(&f, fixture_cases[i].build);
        struct search_settings settings = settings_of(RANDOM, 10);
        struct search *search = search_create(&settings, &f.space);
        static double points[TRIALS][MOST];
        size_t count = 0;
        bool proper = true;
        while (count < TRIALS && search_ask(search, points[count]) == SEARCH_POINT)
            proper = proper && is_proper(&f.space, points[count++]);
        size_t enough = fixture_cases[i].points;
        ok(proper && count == (enough && enough < TRIALS ? enough : TRIALS) &&
               all_differ(&f.space, points, count),
           "%s: all parameters cut", fixture_cases[i].name);
        search_free(search);
        fixture_close(&f);
    }
}

int main(void)
{
    static const char *const names[] = {"gp", "forest", "tpe", "random"};
    for (int inner = GP; inner <= RANDOM; inner++) {
        test_parts(inner, names[inner]);
        if (inner == TPE || inner == RANDOM)
            test_parts_share_nothing(inner, names[inner]);
    }
    test_choice();
    test_small_spaces();
    return tap_end();
}
