/* The genetic algorithm: what it finds, which points it breeds from, and when it waits. */
#include "bowl.h"
#include "tap.h"

/* The number of an option of the algorithm. */
static size_t option_of(const char *algorithm, const char *name)
{
    const struct option *options = search_options(algorithm);
    size_t i = 0;
    while (options[i].name && strcmp(options[i].name, name) != 0)
        i++;
    return i;
}

static struct search_settings settings_of(const char *name, double value)
{
    struct search_settings settings = {
        .algorithm = "genetic", .seed = 1, .trials = 100, .has_options = true};
    for (size_t i = 0; i < SEARCH_OPTIONS; i++)
        settings.options[i] = NAN;
    settings.options[option_of("genetic", name)] = value;
    return settings;
}

static void set_option(struct search_settings *settings, const char *name, double value)
{
    settings->options[option_of("genetic", name)] = value;
}

/* Names and defaults that users know from other programs. */
static void test_options(void)
{
    static const struct {
        const char *name;
        double fallback;
    } cases[] = {
        {"population_size", NAN}, {"offspring_proportion", 0.5},
        {"cx_prob", 0.2},         {"mut_prob", 0.8},
        {"cx_indpb", 0.5},        {"mut_indpb", 0.5},
        {"tournsize", 4},         {"barrier", 0},
    };
    const struct option *options = search_options("genetic");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_near(options[option_of("genetic", cases[i].name)].fallback, cases[i].fallback, 0,
                cases[i].name);
    const char *const *words = options[option_of("genetic", "strategy")].words;
    ok(strcmp(words[0], "simple") == 0 && strcmp(words[1], "mu_plus_lambda") == 0, "strategy");
}

static void test_better_than_random(void)
{
    static const struct {
        const char *name;
        void (*build)(struct fixture *f);
        double ratio; /* regret relative to that of random search */
    } cases[] = {
        {"floats", build_floats, 0.4},
        {"mixed", build_mixed, 0.6},
        {"conditional floats", build_conditional_floats, 0.4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t most = 1; most <= 8; most += 7) {
            struct fixture f;
            fixture_open(&f, cases[i].build);
            double random = mean_best("random", &f.space, most);
            double genetic = mean_best("genetic", &f.space, most);
            ok(genetic < cases[i].ratio * random, "%s, %d at a time: far better than random",
               cases[i].name, (int)most);
            fixture_close(&f);
        }
}

static void test_simple_is_better_than_random(void)
{
    struct fixture f;
    double sum = 0;
    fixture_open(&f, build_floats);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct search_settings settings = settings_of("strategy", 0);
        settings.seed = seed;
        sum += best_of(&settings, &f.space, 100, 1);
    }
    ok(sum / 10 < 0.7 * mean_best("random", &f.space, 1), "simple: better than random");
    fixture_close(&f);
}

/* ---- generations that wait ---- */

enum { TRIALS = 40, GENERATION = 10 };

/* Runs generations, each ending in an order given by the seed; false if one did not wait. */
static bool run_generations(const struct search_settings *settings, const struct space *space,
                            size_t next, uint64_t order, double (*points)[MOST])
{
    struct search *search = search_create(settings, space);
    struct random random;
    bool waited = true;
    random_seed(&random, order, 0);
    for (size_t begin = 0, end = GENERATION; end <= TRIALS; begin = end, end += next) {
        size_t running[GENERATION], count = end - begin;
        double more[MOST];
        for (size_t k = begin; k < end; k++) {
            waited = waited && search_ask(search, points[k]) == SEARCH_POINT;
            running[k - begin] = k;
        }
        while (count > 0) {
            waited = waited && search_ask(search, more) == SEARCH_WAIT;
            size_t at = (size_t)random_below(&random, count), k = running[at];
            struct search_result result = {.good = k % 7 != 3, .scores = {bowl(space, points[k])}};
            search_tell(search, k, &result);
            running[at] = running[--count];
        }
    }
    search_free(search);
    return waited;
}

static void test_barrier(double strategy, size_t next, const char *name)
{
    static double points[TRIALS][MOST], others[TRIALS][MOST];
    struct fixture f;
    fixture_open(&f, build_floats);
    struct search_settings settings = settings_of("barrier", 1);
    set_option(&settings, "strategy", strategy);
    set_option(&settings, "population_size", GENERATION);
    ok(run_generations(&settings, &f.space, next, 1, points), "%s: a generation waits", name);
    run_generations(&settings, &f.space, next, 2, others);
    bool same = true;
    for (size_t k = 0; k < TRIALS; k++)
        same = same && space_same(&f.space, points[k], others[k]);
    ok(same, "%s: the order of results in a generation makes no difference", name);
    fixture_close(&f);
}

static void test_barrier_of_reproducible_search(void)
{
    struct fixture f;
    fixture_open(&f, build_floats);
    struct search_settings settings = settings_of("barrier", 1);
    settings.reproducible = true;
    settings.lag = 4;
    double best = best_of(&settings, &f.space, 100, 4);
    ok(best < 0.02, "a reproducible search does not wait for what it holds back");
    fixture_close(&f);
}

/* ---- which points breed ---- */

/* Half of the space fails: no child comes from there, and few land there. */
static void test_failed_do_not_breed(void)
{
    struct fixture f;
    fixture_open(&f, build_floats);
    struct search_settings settings = {.algorithm = "genetic", .seed = 1, .trials = 100};
    struct search *search = search_create(&settings, &f.space);
    size_t late_failures = 0;
    for (uint64_t k = 0; k < 100; k++) {
        double point[MOST];
        search_ask(search, point);
        struct search_result result = {.good = point[3] < 0.5, .scores = {bowl(&f.space, point)}};
        late_failures += k >= 50 && !result.good;
        search_tell(search, k, &result);
    }
    ok(late_failures < 5, "what failed has no children");
    search_free(search);
    fixture_close(&f);
}

/* A result that breaks a constraint is not a parent when there are enough others. */
static void test_constraints(void)
{
    struct fixture f;
    fixture_open(&f, build_floats);
    struct search_settings settings = {.algorithm = "genetic", .seed = 1, .trials = 100};
    struct search *search = search_create(&settings, &f.space);
    size_t late = 0;
    for (uint64_t k = 0; k < 100; k++) {
        double point[MOST];
        search_ask(search, point);
        struct search_result result = {
            .good = true, .scores = {bowl(&f.space, point)}, .violation = fmax(0.6 - point[3], 0)};
        late += k >= 60 && result.violation > 0;
        search_tell(search, k, &result);
    }
    ok(late < 20, "the search goes to where constraints hold, though scores are worse there");
    search_free(search);
    fixture_close(&f);
}

static void test_many_parameters(void)
{
    enum { COUNT = 1000 };
    static struct parameter parameters[COUNT];
    static size_t order[COUNT];
    static double point[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        parameters[i] = (struct parameter){
            .name = "p", .kind = PARAMETER_FLOAT, .low = 0, .high = 1, .fallback = NAN};
        order[i] = i;
    }
    struct space space = {.parameters = parameters, .count = COUNT, .order = order};
    struct search_settings settings = {.algorithm = "genetic", .seed = 1, .trials = 200};
    struct search *search = search_create(&settings, &space);
    double first = 0, last = 0;
    for (uint64_t k = 0; k < 200; k++) {
        search_ask(search, point);
        struct search_result result = {.good = true, .scores = {bowl(&space, point)}};
        first += k < 20 ? result.scores[0] : 0;
        last += k >= 180 ? result.scores[0] : 0;
        search_tell(search, k, &result);
    }
    ok(last < 0.9 * first, "a thousand parameters get better too");
    search_free(search);
}

int main(void)
{
    test_options();
    test_better_than_random();
    test_simple_is_better_than_random();
    test_barrier(0, GENERATION, "simple");
    test_barrier(1, GENERATION / 2, "mu_plus_lambda");
    test_barrier_of_reproducible_search();
    test_failed_do_not_breed();
    test_constraints();
    test_many_parameters();
    return tap_end();
}
