/* The search with a Gaussian process, its model, and expected improvement. */
#include "search/gp_model.h"
#include "spaces.h"
#include "tap.h"

enum { TRIALS = 40, SEEDS = 3 };

/* ---- the model ---- */

static void test_improvement(void)
{
    /* phi(z) + z Phi(z), from 50-digit arithmetic. */
    static const double cases[][2] = {
        {0, -0.918938533204672742},     {1, 0.08002621884930694},       {-1, -2.48512102571264134},
        {-4.999, -16.7389398164127422}, {-5.001, -16.7496634489014363}, {-10, -55.5531220361223559},
        {-1000, -500014.734452091158},  {5, 1.60943792312643139},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_near(gp_model_log_improvement(cases[i][0], NULL, NULL), cases[i][1], 1e-12,
                "the logarithm of the improvement");
    for (double z = -30; z < 3; z += 0.77) {
        double below, density, h = 1e-5;
        double here = gp_model_log_improvement(z, &below, &density);
        double slope = (gp_model_log_improvement(z + h, NULL, NULL) -
                        gp_model_log_improvement(z - h, NULL, NULL)) /
                       (2 * h);
        double whole = density + z * below; /* by the definition of the improvement */
        ok(fabs(slope - below) < 1e-5 * fmax(1, below) && fabs(whole - 1) < 1e-6 && isfinite(here),
           "its slope at %g", z);
    }
}

static void test_shape(void)
{
    static const double skewed[] = {1, 2, 3, 5, 9, 17, 40, 100, 300, 1e30};
    static const double wide[] = {-1e300, 1e300, 0, 1, 2, 3};
    static const double equal[] = {7, 7, 7};
    double shaped[10], plain[10];
    gp_model_shape(skewed, 10, true, shaped);
    gp_model_shape(skewed, 10, false, plain);
    bool ordered = true;
    for (size_t i = 1; i < 10; i++)
        ordered = ordered && shaped[i] >= shaped[i - 1] && plain[i] >= plain[i - 1];
    ok(ordered, "targets keep their order");
    ok(plain[9] < 4 && plain[1] > plain[0], "one that is huge does not hide the others");
    ok(shaped[4] - shaped[0] > plain[4] - plain[0], "skewed ones are drawn in at the large end");
    gp_model_shape(wide, 6, true, shaped);
    bool finite = true;
    for (size_t i = 0; i < 6; i++)
        finite = finite && isfinite(shaped[i]);
    ok(finite && shaped[0] < shaped[2], "targets of any size");
    gp_model_shape(equal, 3, true, shaped);
    ok(shaped[0] == 0 && shaped[2] == 0, "targets that are all the same");
}

/* ---- the search ---- */

/* A bowl with a step per category; its minimum is at 0.3 of each number in the last category. */
static double bowl(const struct space *space, const double *point)
{
    double sum = 0;
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        if (isnan(point[i]))
            continue;
        double unit = space_unit(parameter, point[i]);
        sum += parameter->kind == PARAMETER_CHOICE
                   ? 0.3 * ((double)parameter->value_count - 1 - point[i])
                   : (unit - 0.3) * (unit - 0.3);
    }
    return sum;
}

/* The best of a run with this number of trials at a time, told in turn. */
static double best_of(const struct search_settings *settings, const struct space *space,
                      size_t parallel)
{
    struct search *search = search_create(settings, space);
    double points[TRIALS][MOST], best = INFINITY;
    for (size_t k = 0; k < TRIALS + parallel; k++) {
        if (k >= parallel) {
            double score = bowl(space, points[k - parallel]);
            best = fmin(best, score);
            search_tell(search, k - parallel, &(struct search_result){.good = true, {score}});
        }
        if (k < TRIALS && search_ask(search, points[k]) != SEARCH_POINT)
            break;
    }
    search_free(search);
    return best;
}

static void test_finds(const char *name, void (*build)(struct fixture *f), size_t parallel,
                       double margin)
{
    struct fixture f;
    fixture_open(&f, build);
    double ours = 0, random = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct search_settings settings = {.algorithm = "gp", .seed = seed};
        ours += best_of(&settings, &f.space, parallel);
        settings.algorithm = "random";
        random += best_of(&settings, &f.space, parallel);
    }
    ok(ours < margin * random, "%s, %zu at a time: far better than random", name, parallel);
    printf("# %g against %g\n", ours, random);
    fixture_close(&f);
}

static void build_choice_and_floats(struct fixture *f)
{
    add_values(f, "a", PARAMETER_CHOICE, 3);
    add_range(f, "b", PARAMETER_FLOAT, -5, 10);
    add_range(f, "c", PARAMETER_FLOAT, 1e-4, 1)->log = true;
    add_when(f, add_range(f, "d", PARAMETER_FLOAT, 0, 1), 0, 2, 2);
}

static void build_one(struct fixture *f)
{
    add_range(f, "a", PARAMETER_FLOAT, 0, 1);
}

/* Running points keep others away. */
static void test_running_points_differ(void)
{
    struct fixture f;
    fixture_open(&f, build_floats);
    struct search_settings settings = {.algorithm = "gp", .seed = 4};
    struct search *search = search_create(&settings, &f.space);
    double points[20][MOST], nearest = INFINITY;
    for (size_t k = 0; k < 12; k++) {
        search_ask(search, points[k]);
        double score = bowl(&f.space, points[k]);
        search_tell(search, k, &(struct search_result){.good = true, {score}});
    }
    for (size_t k = 12; k < 20; k++) {
        search_ask(search, points[k]);
        for (size_t i = 12; i < k; i++) {
            double distance = 0;
            for (size_t j = 0; j < f.space.count; j++)
                distance = fmax(distance, fabs(space_unit(&f.parameters[j], points[k][j]) -
                                               space_unit(&f.parameters[j], points[i][j])));
            nearest = fmin(nearest, distance);
        }
    }
    ok(nearest > 0.005, "eight points that run lie apart");
    printf("# %g\n", nearest);
    search_free(search);
    fixture_close(&f);
}

/* With a box around the best point, and with more results than one model takes. */
static void test_many(void)
{
    enum { MANY = 1030 };
    struct fixture f;
    fixture_open(&f, build_choice_and_floats);
    double options[SEARCH_OPTIONS] = {8, 1}; /* initial, trust: on */
    struct search_settings settings = {.algorithm = "gp", .seed = 1, .has_options = true};
    memcpy(settings.options, options, sizeof options);
    ok(best_of(&settings, &f.space, 1) < 1e-3, "a box around the best");
    struct search *search = search_create(&settings, &f.space);
    struct random random;
    double point[MOST], units[MOST], best = INFINITY;
    random_seed(&random, 1, 1);
    for (size_t k = 0; k < MANY + 3; k++) {
        for (size_t i = 0; i < f.space.count; i++)
            units[i] = random_unit(&random);
        space_point(&f.space, units, point);
        if (k < MANY)
            search_add(search, point);
        else
            search_ask(search, point);
        double score = bowl(&f.space, point);
        if (k >= MANY)
            best = fmin(best, score);
        search_tell(search, k, &(struct search_result){.good = true, {score}});
    }
    ok(best < 1e-2, "a local model of many results");
    printf("# %g\n", best);
    search_free(search);
    fixture_close(&f);
}

/* More parameters than the low-discrepancy sequence has dimensions. */
static void test_wide(void)
{
    enum { WIDE = 300 };
    static struct parameter parameters[WIDE];
    struct space space = {.parameters = parameters, .count = WIDE};
    struct arena arena = {0};
    size_t circle;
    for (size_t i = 0; i < WIDE; i++)
        parameters[i] =
            (struct parameter){.name = arena_printf(&arena, "x%zu", i), .high = 1, .fallback = NAN};
    space_finish(&space, &arena, &circle);
    struct search_settings settings = {.algorithm = "gp", .seed = 1};
    struct search *search = search_create(&settings, &space);
    double *point = memory_new(WIDE, sizeof *point);
    bool inside = true;
    for (size_t k = 0; k < 16; k++) {
        double score = 0;
        search_ask(search, point);
        for (size_t i = 0; i < WIDE; i++) {
            inside = inside && point[i] >= 0 && point[i] <= 1;
            score += i < 3 ? point[i] : 0;
        }
        search_tell(search, k, &(struct search_result){.good = true, {score}});
    }
    ok(inside, "300 parameters");
    free(point);
    search_free(search);
    space_free(&space);
    arena_free(&arena);
}

int main(void)
{
    test_improvement();
    test_shape();
    test_finds("floats", build_floats, 1, 0.01);
    test_finds("floats", build_floats, 8, 0.05);
    test_finds("numbers with levels", build_mixed, 1, 0.5);
    test_finds("a choice with a float of its own", build_choice_and_floats, 1, 0.01);
    test_finds("a choice with a float of its own", build_choice_and_floats, 8, 0.05);
    test_finds("one float", build_one, 1, 0.01);
    test_running_points_differ();
    test_many();
    test_wide();
    return tap_end();
}
