/* The scale of targets: sharp where trials repeat, soft where they do not. */
#include "search/bend.h"
#include "tap.h"

enum { COUNT = 80 };

static const size_t numbers[2];

/* Rows that converge to 0.5, and their distance from it, with noise. */
static void fill(double noise, double *values, double *targets)
{
    struct random random;
    random_seed(&random, 1, 0);
    for (size_t i = 0; i < COUNT; i++) {
        double reach = 1 / (1 + (double)i / 10);
        double one = reach * (random_unit(&random) - 0.5),
               other = reach * (random_unit(&random) - 0.5);
        values[2 * i] = 0.5 + one;
        values[2 * i + 1] = 0.5 + other;
        targets[i] = one * one + other * other + noise * random_normal(&random);
    }
}

static void test_noise(void)
{
    double values[2 * COUNT], targets[COUNT];
    struct bend_rows rows = {values, 2, numbers};
    fill(0, values, targets);
    ok(bend_noise(targets, COUNT, &rows) < 1e-4, "neighbours are alike: no noise");
    fill(0.02, values, targets);
    double noise = bend_noise(targets, COUNT, &rows);
    printf("# noise %g\n", noise);
    ok(noise > 0.001 && noise < 0.02, "neighbours differ as all do: noise");
    ok(bend_targets(targets, COUNT, &rows) > 0.1, "then the scale is soft");
    fill(0, values, targets);
    ok(bend_targets(targets, COUNT, &rows) < 0.05, "and else it is sharp");
}

static void test_order(void)
{
    double values[2 * COUNT], targets[COUNT], bent[COUNT];
    struct bend_rows rows = {values, 2, numbers};
    fill(0.01, values, targets);
    targets[7] = 1e300;
    memcpy(bent, targets, sizeof bent);
    bend_targets(bent, COUNT, &rows);
    bool ordered = true;
    double high = -INFINITY, low = INFINITY;
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++)
            ordered &= !(targets[i] < targets[j]) || bent[i] <= bent[j];
        high = fmax(high, bent[i]);
        low = fmin(low, bent[i]);
    }
    ok(ordered, "what is better stays better");
    ok(high < 2 && low > -4, "and one huge value is not far from the others");
}

static void test_degenerate(void)
{
    double values[] = {0.1, NAN, 0.2, 0.3, 0.1, NAN};
    struct bend_rows rows = {values, 2, numbers};
    double same[] = {3, 3, 3}, one[] = {7}, wide[] = {-1.7e308, 0, 1.7e308};
    bend_targets(same, 3, &rows);
    ok(same[0] == same[1] && same[1] == same[2] && isfinite(same[0]), "equal targets stay equal");
    bend_targets(one, 1, &rows);
    ok(isfinite(one[0]), "a single one");
    bend_targets(wide, 3, &rows);
    ok(isfinite(wide[0]) && wide[0] < wide[1] && wide[1] < wide[2], "the widest range there is");
    double noisy_values[2 * COUNT], noisy[COUNT];
    struct bend_rows many = {noisy_values, 2, numbers};
    fill(0.02, noisy_values, noisy);
    double soft = bend_targets(noisy, COUNT, &many), none = bend_targets(NULL, 0, &rows);
    ok(none >= soft && isfinite(none), "without any the scale is softer (%g) than with noise (%g)",
       none, soft);
}

int main(void)
{
    test_noise();
    test_order();
    test_degenerate();
    return tap_end();
}
