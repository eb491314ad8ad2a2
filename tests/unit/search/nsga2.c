/* NSGA-II: known fronts, constraints, and a population that does not grow with the results. */
#include "bowl.h"
#include "tap.h"

static void build_unit_cube(struct fixture *f)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    for (size_t i = 0; i < 6; i++)
        add_range(f, names[i], PARAMETER_FLOAT, 0, 1);
}

/* E. Zitzler, K. Deb and L. Thiele, 2000: g is 1 on the front, where all but the first are 0. */
static double distance_function(const double *x, size_t count)
{
    double sum = 0;
    for (size_t i = 1; i < count; i++)
        sum += x[i];
    return 1 + 9 * sum / (double)(count - 1);
}

static void zdt1(const double *x, size_t count, double *scores)
{
    double g = distance_function(x, count);
    scores[0] = x[0];
    scores[1] = g * (1 - sqrt(x[0] / g));
}

static void zdt2(const double *x, size_t count, double *scores)
{
    double g = distance_function(x, count);
    scores[0] = x[0];
    scores[1] = g * (1 - x[0] / g * (x[0] / g));
}

enum { TRIALS = 300 };

static int compare_first(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (a[0] > b[0]) - (a[0] < b[0]);
}

/* The area that the results dominate below (1.1, 3). */
static double area(double (*scores)[2], size_t count)
{
    double sum = 0, low = 3;
    qsort(scores, count, sizeof *scores, compare_first);
    for (size_t i = 0; i < count; i++)
        if (scores[i][0] < 1.1 && scores[i][1] < low) {
            sum += (1.1 - scores[i][0]) * (low - scores[i][1]);
            low = scores[i][1];
        }
    return sum;
}

static double area_of(const char *algorithm, const struct space *space, uint64_t seed,
                      void (*function)(const double *x, size_t count, double *scores))
{
    static double scores[TRIALS][2];
    struct search_settings settings = {
        .algorithm = algorithm, .seed = seed, .trials = TRIALS, .objectives = 2};
    struct search *search = search_create(&settings, space);
    for (uint64_t k = 0; k < TRIALS; k++) {
        double point[MOST];
        search_ask(search, point);
        function(point, space->count, scores[k]);
        struct search_result result = {.good = true, .scores = {scores[k][0], scores[k][1]}};
        search_tell(search, k, &result);
    }
    search_free(search);
    return area(scores, TRIALS);
}

static void test_known_fronts(void)
{
    static const struct {
        const char *name;
        void (*function)(const double *x, size_t count, double *scores);
        double whole, share; /* area of the front itself, and the share of it that must be found */
    } cases[] = {
        {"ZDT1", zdt1, 3.3 - 1.0 / 3, 0.8},
        {"ZDT2", zdt2, 3.3 - 2.0 / 3, 0.65},
    };
    struct fixture f;
    fixture_open(&f, build_unit_cube);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double found = 0, random = 0;
        for (uint64_t seed = 1; seed <= 5; seed++) {
            found += area_of("nsga2", &f.space, seed, cases[i].function) / 5;
            random += area_of("random", &f.space, seed, cases[i].function) / 5;
        }
        ok(found < cases[i].whole && found > cases[i].share * cases[i].whole,
           "%s: most of the front is found (%.2f of %.2f)", cases[i].name, found, cases[i].whole);
        ok(cases[i].whole - found < 0.4 * (cases[i].whole - random),
           "%s: far better than random (%.2f)", cases[i].name, random);
    }
    fixture_close(&f);
}

static void test_one_objective(void)
{
    struct fixture f;
    fixture_open(&f, build_floats);
    ok(mean_best("nsga2", &f.space, 1) < 0.6 * mean_best("random", &f.space, 1),
       "one objective works too");
    fixture_close(&f);
}

/* The objectives pull towards points that break a constraint; the search must not follow. */
static void test_constraints(void)
{
    struct fixture f;
    fixture_open(&f, build_unit_cube);
    struct search_settings settings = {
        .algorithm = "nsga2", .seed = 1, .trials = TRIALS, .objectives = 2};
    struct search *search = search_create(&settings, &f.space);
    size_t early = 0, late = 0;
    for (uint64_t k = 0; k < TRIALS; k++) {
        double point[MOST], scores[2];
        search_ask(search, point);
        zdt1(point, f.space.count, scores);
        struct search_result result = {
            .good = true, .scores = {scores[0], scores[1]}, .violation = fmax(0.7 - point[2], 0)};
        early += k < 20 && result.violation > 0;
        late += k >= TRIALS - 100 && result.violation > 0;
        search_tell(search, k, &result);
    }
    ok(early >= 10 && late < 45, "what breaks constraints is left behind (%d of 20, %d of 100)",
       (int)early, (int)late);
    search_free(search);
    fixture_close(&f);
}

/* However results are spread between questions, the same results give the same suggestion. */
static void test_no_memory_of_questions(void)
{
    struct fixture f;
    fixture_open(&f, build_unit_cube);
    struct search_settings settings = {
        .algorithm = "nsga2", .seed = 1, .trials = TRIALS, .objectives = 8};
    struct search *asked = search_create(&settings, &f.space);
    struct search *replayed = search_create(&settings, &f.space);
    double point[MOST], other[MOST];
    for (uint64_t k = 0; k < 200; k++) {
        search_ask(asked, point);
        search_replay(replayed, point);
        struct search_result result = {.good = k % 9 != 4};
        for (size_t i = 0; i < 8; i++)
            result.scores[i] = fabs(point[i % 6] - (double)i / 8);
        search_tell(asked, k, &result);
        search_tell(replayed, k, &result);
    }
    ok(search_ask(asked, point) == SEARCH_POINT && search_ask(replayed, other) == SEARCH_POINT &&
           space_same(&f.space, point, other),
       "eight objectives: a replay suggests the same");
    search_free(asked);
    search_free(replayed);
    fixture_close(&f);
}

int main(void)
{
    test_known_fronts();
    test_one_objective();
    test_constraints();
    test_no_memory_of_questions();
    return tap_end();
}
