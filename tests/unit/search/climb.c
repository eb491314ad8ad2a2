/* Local search in mixed spaces: neighbours, and the smallest value of a function. */
#include "search/climb.h"
#include "spaces.h"
#include "tap.h"

/* The distance of a point from the corner of small values, over the active parameters. */
struct target {
    const struct space *space;
    double at;
    size_t evaluations;
};

static void distances(void *self, const double *points, size_t count, double *values)
{
    struct target *target = self;
    size_t width = target->space->count;
    target->evaluations += count;
    for (size_t k = 0; k < count; k++) {
        values[k] = 0;
        for (size_t i = 0; i < width; i++) {
            double value = points[k * width + i];
            double unit = isnan(value) ? 1 : space_unit(&target->space->parameters[i], value);
            values[k] += (unit - target->at) * (unit - target->at);
        }
    }
}

/* Which parameters differ. */
static size_t changes(const struct space *space, const double *a, const double *b)
{
    size_t count = 0;
    for (size_t i = 0; i < space->count; i++)
        count += !(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])));
    return count;
}

static void test_neighbours(const struct fixture_case *where)
{
    struct fixture f;
    struct random random;
    fixture_open(&f, where->build);
    struct search_settings settings = {.algorithm = "forest", .seed = 1};
    struct search *search = search_create(&settings, &f.space);
    bool proper = true, moved = true;
    size_t total = 0;
    random_seed(&random, 1, 0);
    for (int k = 0; k < 200; k++) {
        double point[MOST], neighbour[MOST];
        algorithm_draw(search, &random, point);
        climb_neighbour(&f.space, &random, 0.1, point, neighbour);
        size_t changed = changes(&f.space, point, neighbour);
        moved &= changed > 0;
        total += changed;
        proper &= !space_allowed(&f.space, neighbour) || is_proper(&f.space, neighbour);
    }
    ok(moved, "%s: a neighbour is another point", where->name);
    ok(proper, "%s: and one of the space", where->name);
    ok(total < 200 * 3, "%s: only a few parameters change", where->name);
    search_free(search);
    fixture_close(&f);
}

static void test_descent(const struct fixture_case *where)
{
    struct fixture f;
    struct random random;
    fixture_open(&f, where->build);
    struct search_settings settings = {.algorithm = "forest", .seed = 1};
    struct search *search = search_create(&settings, &f.space);
    struct target target = {&f.space, 0.3, 0};
    struct climb climb = climb_default;
    climb.self = &target;
    climb.values = distances;
    double point[MOST], best = INFINITY, value, again;
    random_seed(&random, 2, 0);
    for (int k = 0; k < 5000; k++) {
        algorithm_draw(search, &random, point);
        distances(&target, point, 1, &value);
        best = fmin(best, value);
    }
    target.evaluations = 0;
    enum search_answer answer = climb_down(search, &climb, &random, point, &value);
    distances(&target, point, 1, &again);
    ok(answer == SEARCH_POINT && is_proper(&f.space, point), "%s: a point of the space",
       where->name);
    ok(value == again && value <= best + 1e-6, "%s: as good as the best of 5000 random ones",
       where->name);
    ok(target.evaluations < 2500, "%s: with fewer evaluations", where->name);
    search_free(search);
    fixture_close(&f);
}

/* In a finite space, climbing continues to the remaining points until none is left. */
static void test_exhaustion(void)
{
    struct fixture f;
    struct random random;
    fixture_open(&f, build_forbidden);
    struct search_settings settings = {.algorithm = "forest", .seed = 1};
    struct search *search = search_create(&settings, &f.space);
    struct target target = {&f.space, 0, 0};
    struct climb climb = climb_default;
    climb.self = &target;
    climb.values = distances;
    double points[40][MOST];
    size_t count = 0;
    random_seed(&random, 3, 0);
    while (count < 40 && climb_down(search, &climb, &random, points[count], NULL) == SEARCH_POINT) {
        past_add(&search->past, points[count]);
        count++;
    }
    ok(count == 22, "every point is found");
    ok(all_differ(&f.space, points, count), "and none twice");
    search_free(search);
    fixture_close(&f);
}

static void test_best(void)
{
    enum { COUNT = 10 };
    struct fixture f;
    struct random random;
    fixture_open(&f, build_mixed);
    struct search_settings settings = {.algorithm = "forest", .seed = 1};
    struct search *search = search_create(&settings, &f.space);
    struct target target = {&f.space, 0.3, 0};
    struct climb climb = climb_default;
    climb.self = &target;
    climb.values = distances;
    double points[COUNT * MOST], again[COUNT * MOST], values[COUNT], rows[COUNT][MOST];
    random_seed(&random, 4, 0);
    size_t width = f.space.count, count = climb_best(search, &climb, &random, points, COUNT);
    distances(&target, points, COUNT, values);
    bool sorted = true;
    for (size_t i = 0; i < COUNT; i++) {
        sorted &= i == 0 || values[i - 1] <= values[i];
        memcpy(rows[i], points + i * width, width * sizeof *points);
    }
    ok(count == COUNT && sorted, "as many points as wanted, best first");
    ok(all_differ(&f.space, rows, COUNT), "none of them twice");
    past_add(&search->past, points);
    random_seed(&random, 4, 0);
    climb_best(search, &climb, &random, again, COUNT);
    ok(memcmp(points, again, COUNT * width * sizeof *points) == 0,
       "the same ones when they are in the past");
    climb =
        (struct climb){.self = &target, .values = distances, .points = points, .point_count = 1};
    double point[MOST];
    ok(climb_best(search, &climb, &random, point, 1) == 1 && space_same(&f.space, point, points),
       "a climb of no rounds finds where it begins");
    search_free(search);
    fixture_close(&f);
}

int main(void)
{
    for (size_t i = 0; i < FIXTURES; i++) {
        test_neighbours(&fixture_cases[i]);
        test_descent(&fixture_cases[i]);
    }
    test_exhaustion();
    test_best();
    return tap_end();
}
