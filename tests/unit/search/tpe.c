/* tpe: what it finds, and how it handles conditions, failures and running trials. */
#include "search/search.h"
#include "spaces.h"
#include "tap.h"

enum { TRIALS = 100, SEEDS = 8, WIDE = 1000 };

/* Numbers near 0.3 of their scale and the second value of a choice are best. */
static double bowl(const struct space *space, const double *point)
{
    double sum = 0;
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        if (isnan(point[i]) || parameter->kind == PARAMETER_CONSTANT)
            continue;
        double off = space_unit(parameter, point[i]) - 0.3;
        sum += parameter->kind == PARAMETER_CHOICE ? 0.1 * (point[i] != 1) : off * off;
    }
    return sum;
}

/* The median of the best scores over some seeds, with `most` trials at a time. */
static double typical_best(const char *algorithm, const struct space *space, size_t most)
{
    double sum = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        static double points[TRIALS][MOST];
        struct search_settings settings = {.algorithm = algorithm, .seed = seed};
        struct search *search = search_create(&settings, space);
        double best = INFINITY;
        size_t asked = 0;
        for (size_t told = 0; told < TRIALS; told++) {
            for (; asked < TRIALS && asked < told + most; asked++)
                search_ask(search, points[asked]);
            struct search_result result = {.good = true, .scores = {bowl(space, points[told])}};
            best = fmin(best, result.scores[0]);
            search_tell(search, told, &result);
        }
        search_free(search);
        sum += log(best + 1e-9) / SEEDS;
    }
    return exp(sum);
}

static void test_finds(void)
{
    static const struct {
        const char *name;
        void (*build)(struct fixture *f);
    } cases[] = {
        {"floats", build_floats},
        {"mixed", build_mixed},
        {"conditional floats", build_conditional_floats},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct fixture f;
        fixture_open(&f, cases[c].build);
        double random = typical_best("random", &f.space, 1);
        ok(typical_best("tpe", &f.space, 1) < 0.3 * random, "%s: far better than random",
           cases[c].name);
        ok(typical_best("tpe", &f.space, 8) < 0.6 * random, "%s: with 8 at a time too",
           cases[c].name);
        fixture_close(&f);
    }
}

/* Tells a search this number of results of random points, as those of an earlier study. */
static void teach(struct search *search, const struct space *space, size_t count, bool fail_above)
{
    struct random random;
    double units[MOST], point[MOST];
    random_seed(&random, 11, 1);
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < space->count; i++)
            units[i] = random_unit(&random);
        space_point(space, units, point);
        struct search_result result = {.good = !fail_above || units[0] < 0.5,
                                       .scores = {bowl(space, point)}};
        search_learn(search, point, &result);
    }
}

static void test_start(void)
{
    struct fixture f;
    double point[MOST], even[MOST];
    fixture_open(&f, build_floats);
    struct search_settings settings = {.algorithm = "tpe", .seed = 4, .has_options = true};
    for (size_t i = 0; i < SEARCH_OPTIONS; i++)
        settings.options[i] = NAN;
    settings.options[0] = 15; /* startup */
    struct search_settings even_settings = {.algorithm = "sobol", .seed = 4};
    struct search *search = search_create(&settings, &f.space);
    struct search *sobol = search_create(&even_settings, &f.space);
    size_t same = 0;
    for (uint64_t k = 0; k < 30; k++) {
        search_ask(search, point);
        search_ask(sobol, even);
        same += space_same(&f.space, point, even);
        struct search_result result = {.good = true, .scores = {bowl(&f.space, point)}};
        search_tell(search, k, &result);
    }
    ok(same == 15, "as many even points as `startup` says");
    search_free(search);
    search_free(sobol);
    search = search_create(&settings, &f.space);
    teach(search, &f.space, 60, false);
    search_ask(search, point);
    ok(bowl(&f.space, point) < 0.15, "earlier results spare the start");
    search_free(search);
    fixture_close(&f);
}

/* Without results between them, suggestions keep their distance from each other. */
static void test_spreads(void)
{
    enum { AT_ONCE = 40 };
    static double points[AT_ONCE][MOST];
    struct fixture f;
    fixture_open(&f, build_floats);
    struct search_settings settings = {.algorithm = "tpe", .seed = 4};
    struct search *search = search_create(&settings, &f.space);
    teach(search, &f.space, 60, false);
    double nearest = INFINITY, sum = 0;
    for (size_t k = 0; k < AT_ONCE; k++) {
        search_ask(search, points[k]);
        sum += bowl(&f.space, points[k]) / AT_ONCE;
        for (size_t j = 0; j < k; j++) {
            double distance = 0;
            for (size_t i = 0; i < f.space.count; i++) {
                const struct parameter *parameter = &f.space.parameters[i];
                distance = fmax(distance, fabs(space_unit(parameter, points[k][i]) -
                                               space_unit(parameter, points[j][i])));
            }
            nearest = fmin(nearest, distance);
        }
    }
    ok(all_differ(&f.space, points, AT_ONCE) && nearest > 0.005, "40 at once are all elsewhere");
    ok(sum < 0.35, "and most of them near good ones"); /* even points have 0.49 */
    search_free(search);
    fixture_close(&f);
}

static void test_failures(void)
{
    struct fixture f;
    fixture_open(&f, build_floats);
    struct search_settings settings = {.algorithm = "tpe", .seed = 4};
    struct search *search = search_create(&settings, &f.space);
    teach(search, &f.space, 60, true);
    size_t bad = 0;
    double point[MOST];
    for (uint64_t k = 0; k < 40; k++) {
        search_ask(search, point);
        bool fails = space_unit(&f.space.parameters[0], point[0]) >= 0.5;
        bad += fails;
        struct search_result result = {.good = !fails, .scores = {bowl(&f.space, point)}};
        search_tell(search, k, &result);
    }
    ok(bad <= 10, "where trials fail few are suggested");
    search_free(search);
    fixture_close(&f);
}

/* Two objectives pull to 0.2 and to 0.8: suggestions lie on both sides and between. */
static void test_objectives(void)
{
    struct fixture f;
    fixture_open(&f, build_forbidden_floats);
    struct search_settings settings = {.algorithm = "tpe", .seed = 4, .objectives = 2};
    struct search *search = search_create(&settings, &f.space);
    size_t low = 0, high = 0, outside = 0;
    for (uint64_t k = 0; k < 100; k++) {
        double point[MOST];
        search_ask(search, point);
        struct search_result result = {.good = true,
                                       .scores = {pow(point[0] - 0.2, 2), pow(point[0] - 0.8, 2)}};
        search_tell(search, k, &result);
        low += k >= 40 && point[0] > 0.1 && point[0] < 0.5;
        high += k >= 40 && point[0] >= 0.5 && point[0] < 0.9;
        outside += k >= 40 && (point[0] <= 0.1 || point[0] >= 0.9);
    }
    ok(low >= 12 && high >= 12 && outside <= 15,
       "several objectives: all of the front is searched");
    search_free(search);
    fixture_close(&f);
}

static void test_odd_spaces(void)
{
    static struct parameter parameters[WIDE];
    static size_t order[WIDE];
    static double point[WIDE];
    for (size_t i = 0; i < WIDE; i++) {
        parameters[i] = (struct parameter){
            .name = "p", .kind = PARAMETER_FLOAT, .low = 0, .high = 1, .fallback = NAN};
        order[i] = i;
    }
    struct space space = {.parameters = parameters, .count = WIDE, .order = order};
    struct search_settings settings = {.algorithm = "tpe", .seed = 3};
    struct search *search = search_create(&settings, &space);
    bool right = true;
    for (uint64_t k = 0; k < 40; k++) {
        right = right && search_ask(search, point) == SEARCH_POINT;
        struct search_result result = {.good = true, .scores = {point[3] + point[999]}};
        search_tell(search, k, &result);
        for (size_t i = 0; i < WIDE; i++)
            right = right && point[i] >= 0 && point[i] <= 1;
    }
    ok(right, "a thousand parameters");
    search_free(search);
    parameters[0].kind = PARAMETER_CONSTANT;
    parameters[1].low = parameters[1].high = 0.5;
    space.count = 2;
    search = search_create(&settings, &space);
    ok(search_ask(search, point) == SEARCH_POINT && point[0] == 0 && point[1] == 0.5 &&
           search_ask(search, point) == SEARCH_END,
       "a space of one point");
    search_free(search);
}

int main(void)
{
    test_finds();
    test_start();
    test_spreads();
    test_failures();
    test_objectives();
    test_odd_spaces();
    return tap_end();
}
