/* cmaes: the distribution, what it finds, and how it handles levels, choices and conditions. */
#include "search/gauss.h"
#include "search/search.h"
#include "spaces.h"
#include "tap.h"

enum { WIDE = 1000 };

/* ---- the distribution ---- */

/* From table 1 of the tutorial and the numbers of its reference implementation. */
static void test_constants(void)
{
    struct gauss gauss;
    gauss_open(&gauss, 10, 10, 0.3);
    double sum = 0, all = 0;
    for (size_t i = 0; i < 10; i++) {
        sum += gauss.weights[i] > 0 ? gauss.weights[i] : 0;
        all += gauss.weights[i];
    }
    is_near(sum, 1, 1e-12, "the better half has the weight 1");
    is_near(gauss.mu_eff, 3.1672992814107017, 1e-9, "mu_eff of 10 points");
    is_near(gauss.c_sigma, (gauss.mu_eff + 2) / (15 + gauss.mu_eff), 1e-12, "c_sigma");
    is_near(gauss.expected_length, 3.084726565, 1e-6, "the length of a normal vector");
    ok(all < 0 && gauss.c_one + gauss.c_mu < 1, "the worse half counts against");
    gauss_close(&gauss);
}

/* The farther along one axis, the better; the points lack the other axis. */
static void test_update(void)
{
    enum { LAMBDA = 8, N = 2 };
    struct gauss gauss;
    gauss_open(&gauss, N, LAMBDA, 0.3);
    for (uint64_t round = 0; round < 30; round++) {
        double points[LAMBDA * N];
        struct random random;
        random_seed(&random, 5, round);
        for (size_t k = 0; k < LAMBDA; k++) {
            double step[N];
            gauss_draw(&gauss, &random, step);
            points[k * N] = gauss.mean[0] + gauss.sigma * step[0];
            points[k * N + 1] = NAN;
        }
        for (size_t k = 0; k < LAMBDA; k++) /* the best first: the largest */
            for (size_t j = k + 1; j < LAMBDA; j++)
                if (points[j * N] > points[k * N]) {
                    double larger = points[j * N];
                    points[j * N] = points[k * N];
                    points[k * N] = larger;
                }
        gauss_update(&gauss, points);
    }
    ok(gauss.mean[0] > 2, "the mean goes where points are good");
    ok(gauss.mean[1] == 0.5, "and stays where no point says anything");
    ok(gauss.sigma > 3, "steps grow on the way");
    gauss_close(&gauss);
}

/* ---- what it finds ---- */

static double sphere(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - 0.3) * (x[i] - 0.3);
    return sum;
}

/* A long and narrow valley, aligned with no axis. */
static double cigar(const double *x, size_t n)
{
    double along = 0;
    for (size_t i = 0; i < n; i++)
        along += (x[i] - 0.4) / sqrt((double)n);
    double sum = along * along;
    for (size_t i = 0; i < n; i++)
        sum += 1e4 * pow(x[i] - 0.4 - along / sqrt((double)n), 2);
    return sum;
}

static double rosenbrock(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        double a = 4 * x[i] - 2, b = 4 * x[i + 1] - 2;
        sum += 100 * pow(b - a * a, 2) + pow(1 - a, 2);
    }
    return sum;
}

/* Many local minima: the nearest is hardly ever the deepest. */
static double waves(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double a = 8 * (x[i] - 0.6);
        sum += a * a + 5 * (1 - cos(6.283185307179586 * a));
    }
    return sum;
}

static double edge(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static void open_floats(struct fixture *f, size_t n)
{
    size_t circle;
    *f = (struct fixture){0};
    f->space.parameters = f->parameters;
    for (size_t i = 0; i < n; i++)
        add_range(f, "x", PARAMETER_FLOAT, 0, 1);
    space_finish(&f->space, &f->arena, &circle);
}

/* The best of this number of trials, with `most` at a time. */
static double best_of(const struct search_settings *settings, const struct space *space,
                      double (*score)(const double *x, size_t n), size_t trials, size_t most)
{
    double points[16][MOST], best = INFINITY;
    struct search *search = search_create(settings, space);
    uint64_t asked = 0;
    for (uint64_t told = 0; told < trials; told++) {
        for (; asked < told + most; asked++)
            search_ask(search, points[asked % 16]);
        struct search_result result = {.good = true,
                                       .scores = {score(points[told % 16], space->count)}};
        best = fmin(best, result.scores[0]);
        search_tell(search, told, &result);
    }
    search_free(search);
    return best;
}

static void test_finds(void)
{
    static const struct {
        const char *name;
        double (*score)(const double *x, size_t n);
        size_t n, trials, most;
        double limit;
    } cases[] = {
        {"a sphere", sphere, 5, 1000, 1, 1e-8},
        {"a sphere, 8 at a time", sphere, 5, 1500, 8, 1e-8},
        {"one dimension", sphere, 1, 300, 1, 1e-8},
        {"a turned cigar", cigar, 4, 3000, 1, 1e-6},
        {"a bent valley", rosenbrock, 4, 4000, 1, 1e-6},
        {"many hollows, with restarts", waves, 2, 4000, 1, 1e-4},
        {"a corner", edge, 5, 1000, 1, 1e-3},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct fixture f;
        open_floats(&f, cases[c].n);
        size_t found = 0;
        for (uint64_t seed = 1; seed <= 5; seed++) {
            struct search_settings settings = {.algorithm = "cmaes", .seed = seed};
            found += best_of(&settings, &f.space, cases[c].score, cases[c].trials, cases[c].most) <
                     cases[c].limit;
        }
        ok(found >= 4, "%s", cases[c].name);
        fixture_close(&f);
    }
}

/* ---- levels, choices, conditions ---- */

static void build_discrete(struct fixture *f)
{
    add_range(f, "a", PARAMETER_INT, 0, 100);
    add_range(f, "b", PARAMETER_INT, 1, 1000)->log = true;
    add_values(f, "c", PARAMETER_ORDERED, 6);
    add_values(f, "d", PARAMETER_CHOICE, 5);
    add_values(f, "e", PARAMETER_CHOICE, 5);
    add_range(f, "f", PARAMETER_FLOAT, 0, 1);
    add_when(f, add_range(f, "g", PARAMETER_FLOAT, 0, 1), 3, 2, 4);
}

static double discrete(const double *x, size_t n)
{
    (void)n;
    double sum = pow((x[0] - 37) / 100, 2) + pow(log10(x[1] / 80), 2) + 0.01 * fabs(x[2] - 4);
    sum += 0.1 * (x[3] != 2) + 0.1 * (x[4] != 3) + pow(x[5] - 0.9, 2);
    return sum + (isnan(x[6]) ? 0 : pow(x[6] - 0.1, 2));
}

static void test_discrete(void)
{
    struct fixture f;
    fixture_open(&f, build_discrete);
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct search_settings settings = {.algorithm = "cmaes", .seed = seed};
        found += best_of(&settings, &f.space, discrete, 1500, 4) < 0.003;
    }
    ok(found >= 4, "ints, ordered values, choices and a condition");
    fixture_close(&f);
}

/* The best int is one level away from where the floats pull the mean: the margin reaches it. */
static double stuck(const double *x, size_t n)
{
    (void)n;
    return fabs(x[0] - 2) * 0.001 + pow(x[1] - 0.3, 2) + pow(x[2] - 0.7, 2);
}

static void build_stuck(struct fixture *f)
{
    add_range(f, "a", PARAMETER_INT, 0, 9);
    add_range(f, "b", PARAMETER_FLOAT, 0, 1);
    add_range(f, "c", PARAMETER_FLOAT, 0, 1);
}

static void test_margin(void)
{
    struct fixture f;
    fixture_open(&f, build_stuck);
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct search_settings settings = {.algorithm = "cmaes", .seed = seed};
        found += best_of(&settings, &f.space, stuck, 600, 1) < 0.0009;
    }
    ok(found >= 9, "an int that hardly matters is found as well");
    fixture_close(&f);
}

static void test_warm_start(void)
{
    struct fixture f;
    open_floats(&f, 4);
    struct search_settings settings = {.algorithm = "cmaes", .seed = 2};
    struct search *search = search_create(&settings, &f.space);
    struct random random;
    random_seed(&random, 4, 4);
    double point[MOST], sum = 0;
    for (int k = 0; k < 100; k++) {
        for (size_t i = 0; i < 4; i++)
            point[i] = random_unit(&random);
        struct search_result result = {.good = true, .scores = {sphere(point, 4)}};
        search_learn(search, point, &result);
    }
    for (int k = 0; k < 20; k++) {
        search_ask(search, point);
        sum += sphere(point, 4) / 20;
    }
    ok(sum < 0.3, "earlier results say where it starts"); /* even points have 0.49 */
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
    struct search_settings settings = {.algorithm = "cmaes", .seed = 3};
    struct search *search = search_create(&settings, &space);
    double first = 0, last = 0;
    for (uint64_t k = 0; k < 6000; k++) {
        search_ask(search, point);
        struct search_result result = {.good = true, .scores = {sphere(point, WIDE)}};
        first += k < 20 ? result.scores[0] / 20 : 0;
        last += k >= 5980 ? result.scores[0] / 20 : 0;
        search_tell(search, k, &result);
    }
    ok(last < 0.6 * first, "a thousand parameters: it gets better");
    search_free(search);
    parameters[0].kind = PARAMETER_CONSTANT;
    space.count = 1;
    search = search_create(&settings, &space);
    ok(search_ask(search, point) == SEARCH_POINT && search_ask(search, point) == SEARCH_END,
       "a space of one point");
    search_free(search);
}

int main(void)
{
    test_constants();
    test_update();
    test_finds();
    test_discrete();
    test_margin();
    test_warm_start();
    test_odd_spaces();
    return tap_end();
}
