/* The search with a random forest: it learns, in small and in large spaces. */
#include "search/search.h"
#include "spaces.h"
#include "tap.h"

enum { TRIALS = 60, SEEDS = 5 };

/* A bowl on the scale of each parameter; one choice is right, inactive parameters cost nothing. */
static double bowl(const struct space *space, const double *point)
{
    double sum = 0;
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        double unit = isnan(point[i]) ? 0.7 : space_unit(parameter, point[i]);
        if (parameter->kind == PARAMETER_CHOICE)
            sum += point[i] == 1 ? 0 : 0.3;
        else if (parameter->kind != PARAMETER_CONSTANT)
            sum += (unit - 0.7) * (unit - 0.7);
    }
    return sum;
}

struct bend { /* of the scores */
    double scale, noise, huge;
};

static struct search_result judge(const struct space *space, const double *point,
                                  const struct bend *bend, struct random *random)
{
    double score = bowl(space, point);
    struct search_result result = {.good = true};
    score += bend->noise * random_normal(random);
    result.scores[0] = bend->scale * (random_unit(random) < bend->huge ? 1e30 : score);
    return result;
}

/* The minimum of the bowl after this number of trials, one at a time. */
static double search_bowl(const struct search_settings *settings, const struct space *space,
                          const struct bend *bend, double (*points)[MOST])
{
    struct search *search = search_create(settings, space);
    struct random random;
    double best = INFINITY;
    random_seed(&random, settings->seed, 99);
    for (uint64_t k = 0; k < TRIALS; k++) {
        double point[MOST];
        if (search_ask(search, point) != SEARCH_POINT)
            break;
        struct search_result result = judge(space, point, bend, &random);
        search_tell(search, k, &result);
        best = fmin(best, bowl(space, point));
        if (points)
            memcpy(points[k], point, space->count * sizeof *point);
    }
    search_free(search);
    return best;
}

static int compare(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The median over the seeds; infill -1: that of random search. */
static double median_of(const struct space *space, int infill, const struct bend *bend)
{
    double results[SEEDS];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct search_settings settings = {
            .algorithm = infill < 0 ? "random" : "forest", .seed = seed, .trials = TRIALS};
        for (size_t i = 0; i < SEARCH_OPTIONS; i++)
            settings.options[i] = NAN;
        settings.has_options = infill >= 0;
        settings.options[1] = infill;
        results[seed] = search_bowl(&settings, space, bend, NULL);
    }
    qsort(results, SEEDS, sizeof *results, compare);
    return results[SEEDS / 2];
}

static void test_learns(void)
{
    static const struct {
        const char *name;
        void (*build)(struct fixture *f);
        int infill;
        struct bend bend;
        double share; /* of what random search leaves, at most */
    } cases[] = {
        {"floats, qlcb", build_floats, 0, {1, 0, 0}, 0.8},
        {"floats, ei", build_floats, 1, {1, 0, 0}, 0.5},
        {"floats, lcb", build_floats, 2, {1, 0, 0}, 0.8},
        {"mixed, qlcb", build_mixed, 0, {1, 0, 0}, 0.8},
        {"mixed, ei", build_mixed, 1, {1, 0, 0}, 0.4},
        {"mixed, lcb", build_mixed, 2, {1, 0, 0}, 0.8},
        {"conditional", build_conditional_floats, 1, {1, 0, 0}, 0.4},
        {"noisy floats", build_floats, 1, {1, 0.03, 0}, 0.8},
        {"floats with huge scores", build_floats, 1, {1, 0, 0.1}, 0.6},
        {"floats with tiny scores", build_floats, 1, {1e-300, 0, 0}, 0.6},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct fixture f;
        fixture_open(&f, cases[c].build);
        double random = median_of(&f.space, -1, &cases[c].bend);
        double forest = median_of(&f.space, cases[c].infill, &cases[c].bend);
        printf("# %.5f, random %.5f\n", forest, random);
        ok(forest < cases[c].share * random, "%s: far better than random", cases[c].name);
        fixture_close(&f);
    }
}

static void test_scale_does_not_matter(void)
{
    static double points[TRIALS][MOST], scaled[TRIALS][MOST];
    struct fixture f;
    fixture_open(&f, build_mixed);
    struct search_settings settings = {.algorithm = "forest", .seed = 4, .trials = TRIALS};
    search_bowl(&settings, &f.space, &(struct bend){1, 0, 0}, points);
    search_bowl(&settings, &f.space, &(struct bend){0x1p-900, 0, 0}, scaled);
    bool same = true;
    for (size_t i = 0; i < TRIALS; i++)
        same &= space_same(&f.space, points[i], scaled[i]);
    ok(same, "scores of another size: the same points");
    fixture_close(&f);
}

/* ---- results in any order ---- */

/* Tells results of random points, then asks for several points in a row. */
static void ask_after(const struct search_settings *settings, const struct space *space,
                      size_t told, size_t count, double (*points)[MOST])
{
    struct search *search = search_create(settings, space);
    struct random random;
    double units[MOST], point[MOST];
    random_seed(&random, 1, 2);
    for (uint64_t k = 0; k < told; k++) {
        for (size_t i = 0; i < space->count; i++)
            units[i] = random_unit(&random);
        space_point(space, units, point);
        search_replay(search, point);
        struct search_result result = {.good = true, .scores = {bowl(space, point)}};
        search_tell(search, k, &result);
    }
    for (size_t i = 0; i < count; i++)
        search_ask(search, points[i]);
    search_free(search);
}

/*
 * What is kept between suggestions only saves time, however few trees are grown at a time: a search
 * that is told all results one by one suggests the same as one that is told them at once.
 */
static void test_resumes(const struct fixture_case *where)
{
    enum { COUNT = 150, RUNNING = 4 };
    static double points[COUNT][MOST];
    struct fixture f;
    fixture_open(&f, where->build);
    struct search_settings settings = {.algorithm = "forest", .seed = 4};
    struct search *search = search_create(&settings, &f.space);
    size_t same = 0, compared = 0;
    for (uint64_t k = 0; k < COUNT; k++) {
        if (search_ask(search, points[k]) != SEARCH_POINT)
            break;
        if (k >= RUNNING) {
            struct search_result result = {.good = true};
            result.scores[0] = bowl(&f.space, points[k - RUNNING]);
            search_tell(search, k - RUNNING, &result);
        }
        if (k % 37 != 36)
            continue;
        struct search *resumed = search_create(&settings, &f.space);
        double point[MOST];
        for (uint64_t i = 0; i < k; i++)
            search_replay(resumed, points[i]);
        for (uint64_t i = 0; i + RUNNING < k; i++) {
            struct search_result result = {.good = true, .scores = {bowl(&f.space, points[i])}};
            search_tell(resumed, i, &result);
        }
        compared++;
        same +=
            search_ask(resumed, point) == SEARCH_POINT && space_same(&f.space, point, points[k]);
        search_free(resumed);
    }
    ok(compared > 0 && same == compared, "%s: a resumed search goes on as it would have",
       where->name);
    search_free(search);
    fixture_close(&f);
}

/* With eight trials at a time, running ones keep others away. */
static void test_spread(void)
{
    enum { COUNT = 8 };
    struct fixture f;
    double points[COUNT][MOST], least = INFINITY;
    fixture_open(&f, build_floats);
    struct search_settings settings = {.algorithm = "forest", .seed = 4};
    ask_after(&settings, &f.space, 40, COUNT, points);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < i; j++) {
            double sum = 0;
            for (size_t p = 0; p < f.space.count; p++) {
                double gap = space_unit(&f.space.parameters[p], points[i][p]) -
                             space_unit(&f.space.parameters[p], points[j][p]);
                sum += gap * gap;
            }
            least = fmin(least, sqrt(sum));
        }
    printf("# the nearest two of %d are %g apart\n", COUNT, least);
    ok(least > 0.002, "points that run at the same time are not the same in all but name");
    fixture_close(&f);
}

/* ---- odd spaces ---- */

static void build_one(struct fixture *f)
{
    add_range(f, "rate", PARAMETER_FLOAT, 1e-5, 1e-1)->log = true;
}

static void test_one_parameter(void)
{
    struct fixture f;
    fixture_open(&f, build_one);
    struct search_settings settings = {.algorithm = "forest", .seed = 4, .trials = TRIALS};
    double best = search_bowl(&settings, &f.space, &(struct bend){1, 0, 0}, NULL);
    ok(best < 1e-4, "one parameter: %g", best);
    fixture_close(&f);
}

static void build_constants(struct fixture *f)
{
    add_values(f, "epochs", PARAMETER_CONSTANT, 1);
}

static void test_constants(void)
{
    struct fixture f;
    double point[MOST];
    fixture_open(&f, build_constants);
    struct search_settings settings = {.algorithm = "forest", .seed = 4};
    struct search *search = search_create(&settings, &f.space);
    ok(search_ask(search, point) == SEARCH_POINT && point[0] == 0, "constants alone: one point");
    search_tell(search, 0, &(struct search_result){.good = true, .scores = {1}});
    ok(search_ask(search, point) == SEARCH_END, "and then the end");
    search_free(search);
    fixture_close(&f);
}

static void test_thousand_parameters(void)
{
    enum { MANY = 1000 };
    static struct parameter parameters[MANY];
    static double point[MANY];
    struct space space = {.parameters = parameters, .count = MANY};
    struct arena arena = {0};
    size_t circle;
    bool good = true;
    for (size_t i = 0; i < MANY; i++)
        parameters[i] = (struct parameter){.name = arena_printf(&arena, "p%zu", i),
                                           .kind = PARAMETER_FLOAT,
                                           .high = 1,
                                           .fallback = NAN};
    good &= space_finish(&space, &arena, &circle) == 0;
    struct search_settings settings = {.algorithm = "forest", .seed = 4, .trials = 20};
    struct search *search = search_create(&settings, &space);
    for (uint64_t k = 0; k < 12; k++) {
        good &= search_ask(search, point) == SEARCH_POINT;
        struct search_result result = {.good = true, .scores = {bowl(&space, point)}};
        search_tell(search, k, &result);
    }
    ok(good, "a thousand parameters");
    search_free(search);
    space_free(&space);
    arena_free(&arena);
}

int main(void)
{
    test_learns();
    test_scale_does_not_matter();
    for (size_t i = 0; i < FIXTURES; i++)
        if (fixture_cases[i].points == 0 || fixture_cases[i].points > 150)
            test_resumes(&fixture_cases[i]);
    test_spread();
    test_one_parameter();
    test_constants();
    test_thousand_parameters();
    return tap_end();
}
