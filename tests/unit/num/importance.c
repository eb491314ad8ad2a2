/* Importance and marginals: compared with sums over every point and with known answers. */
#include "num/num.h"
#include "tap.h"

/* ---- every point of a small space ---- */

enum { SMALL = 4, MOST_LEVELS = 71 };

/* A number with few levels, a category, an optional number, a category with many values. */
static const size_t small_categories[SMALL] = {0, 3, 0, 70};
static const double places[] = {0.1, 0.3, 0.35, 0.9}, weights[] = {1, 2, 0, 5};
static const double even_places[] = {0.125, 0.375, 0.625, 0.875};
static const double category_weights[] = {3, 1, 1};
static const struct importance_column small[SMALL] = {
    {.levels = 4, .places = places, .weights = weights},
    {.levels = 3, .weights = category_weights},
    {.levels = 4, .places = even_places, .missing = 0.4},
    {.levels = 70},
};

/* Value `k` of a column with its share of the space; the last one stands for a missing value. */
static double small_value(size_t column, size_t k, double *share)
{
    const struct importance_column *c = &small[column];
    double sum = 0;
    for (size_t i = 0; i < c->levels; i++)
        sum += c->weights ? c->weights[i] : 1;
    *share =
        k == c->levels ? c->missing : (1 - c->missing) * (c->weights ? c->weights[k] : 1) / sum;
    return k == c->levels ? NAN : c->places ? c->places[k] : (double)k;
}

static struct forest *make_small(size_t trees)
{
    struct forest *forest = forest_create(&(struct forest_settings){.columns = SMALL,
                                                                    .categories = small_categories,
                                                                    .trees = trees,
                                                                    .least_leaf = 2,
                                                                    .column_share = 0.7,
                                                                    .seed = 5});
    struct random random;
    random_seed(&random, 1, 0);
    for (size_t i = 0; i < 400; i++) {
        double row[SMALL], share;
        for (size_t c = 0; c < SMALL; c++)
            row[c] = small_value(c, random_below(&random, small[c].levels), &share);
        if (random_unit(&random) < 0.4)
            row[2] = NAN;
        double extra = isnan(row[2]) ? 0.5 : row[2] * row[1];
        forest_add(forest, row, 10 * row[0] * row[1] + 5 * extra + 0.1 * fmod(row[3], 7));
    }
    forest_fit(forest);
    return forest;
}

/* Means over the whole space, for each value of a column and for each pair of values. */
struct sums {
    double mean, squares;
    double alone[SMALL][MOST_LEVELS];
    double together[SMALL][SMALL][MOST_LEVELS][MOST_LEVELS];
};

static void count_point(struct sums *sums, const struct forest *forest, const size_t *at)
{
    double row[SMALL], shares[SMALL], share = 1, mean, variance;
    for (size_t c = 0; c < SMALL; c++) {
        row[c] = small_value(c, at[c], &shares[c]);
        share *= shares[c];
    }
    if (share == 0)
        return;
    forest_predict(forest, row, &mean, &variance);
    sums->mean += share * mean;
    sums->squares += share * mean * mean;
    for (size_t a = 0; a < SMALL; a++) {
        sums->alone[a][at[a]] += share / shares[a] * mean;
        for (size_t b = 0; b < SMALL; b++)
            if (a != b)
                sums->together[a][b][at[a]][at[b]] += share / shares[a] / shares[b] * mean;
    }
}

static struct sums sum_all(const struct forest *forest)
{
    struct sums sums = {0};
    size_t at[SMALL];
    for (at[0] = 0; at[0] <= small[0].levels; at[0]++)
        for (at[1] = 0; at[1] <= small[1].levels; at[1]++)
            for (at[2] = 0; at[2] <= small[2].levels; at[2]++)
                for (at[3] = 0; at[3] <= small[3].levels; at[3]++)
                    count_point(&sums, forest, at);
    return sums;
}

static double variance_alone(const struct sums *sums, size_t column)
{
    double sum = 0, share;
    for (size_t k = 0; k <= small[column].levels; k++) {
        small_value(column, k, &share);
        double apart = share > 0 ? sums->alone[column][k] - sums->mean : 0;
        sum += share * apart * apart;
    }
    return sum;
}

static double variance_together(const struct sums *sums, size_t a, size_t b)
{
    double sum = 0, share_a, share_b;
    for (size_t i = 0; i <= small[a].levels; i++)
        for (size_t k = 0; k <= small[b].levels; k++) {
            small_value(a, i, &share_a);
            small_value(b, k, &share_b);
            double apart =
                sums->together[a][b][i][k] - sums->alone[a][i] - sums->alone[b][k] + sums->mean;
            if (share_a * share_b > 0)
                sum += share_a * share_b * apart * apart;
        }
    return sum;
}

static void test_shares_are_exact(void)
{
    struct forest *forest = make_small(1);
    static struct sums sums;
    sums = sum_all(forest);
    double variance = sums.squares - sums.mean * sums.mean;
    struct importance importance;
    importance_measure(&importance, forest, small, SMALL);
    is_near(importance.variance, variance, 1e-9, "the variance of a tree over the space");
    for (size_t i = 0; i < SMALL; i++)
        is_near(importance.alone[i].mean, variance_alone(&sums, i) / variance, 1e-9,
                "what a column explains alone");
    ok(importance.pair_count == SMALL * (SMALL - 1) / 2, "every pair is measured");
    for (size_t i = 0; i < importance.pair_count; i++) {
        const struct importance_pair *pair = &importance.pairs[i];
        is_near(pair->share.mean, variance_together(&sums, pair->first, pair->second) / variance,
                1e-9, "what two columns explain only together");
        ok(i == 0 || pair->share.mean <= pair[-1].share.mean, "the largest first");
    }
    importance_free(&importance);
    forest_free(forest);
}

static void test_curves_are_exact(void)
{
    struct forest *forest = make_small(7);
    static struct sums sums;
    sums = sum_all(forest);
    double largest = 0, spread = 0, share;
    for (size_t c = 0; c < SMALL; c++)
        for (size_t k = 0; k <= small[c].levels; k++) {
            struct importance_share at;
            double value = small_value(c, k, &share);
            if (share == 0)
                continue;
            importance_curve(forest, small, c, &value, 1, &at);
            largest = fmax(largest, fabs(at.mean - sums.alone[c][k]));
            spread = fmax(spread, at.spread);
        }
    is_near(largest, 0, 1e-9, "the curve of a column is the mean over all others");
    ok(spread > 0, "trees differ");
    double values[4], surface[4 * 3];
    for (size_t k = 0; k < 4; k++)
        values[k] = small_value(2, k, &share);
    importance_surface(forest, small, 2, values, 4, 1, (double[]){0, 1, 2}, 3, surface);
    largest = 0;
    for (size_t i = 0; i < 4 * 3; i++)
        largest = fmax(largest, fabs(surface[i] - sums.together[2][1][i / 3][i % 3]));
    is_near(largest, 0, 1e-9, "so is the surface of two");
    forest_free(forest);
}

/* ---- known functions ---- */

enum { COLUMNS = 4, ROWS = 3000 };

/* The last column is a category; the function may declare others missing. */
typedef double known_function(double *row);

static double additive(double *row)
{
    return 3 * row[0] + row[1];
}

static double product(double *row)
{
    return (row[0] - 0.5) * (row[1] - 0.5);
}

static double by_category(double *row)
{
    return row[3] == 1 ? 1 : 0;
}

static double constant(double *row)
{
    return 0 * row[0];
}

/* Column 2 is active where the category is 1, a third of the space, and matters only there. */
static double conditional(double *row)
{
    if (row[3] != 1)
        row[2] = NAN;
    return row[3] == 1 ? row[2] : 0.5;
}

static struct forest *learn(known_function *function)
{
    static const size_t categories[COLUMNS] = {0, 0, 0, 3};
    struct forest *forest = forest_create(&(struct forest_settings){
        .columns = COLUMNS, .categories = categories, .trees = 20, .least_leaf = 3, .seed = 2});
    struct random random;
    random_seed(&random, 9, 0);
    for (size_t i = 0; i < ROWS; i++) {
        double row[COLUMNS];
        for (size_t c = 0; c + 1 < COLUMNS; c++)
            row[c] = random_unit(&random);
        row[3] = (double)random_below(&random, 3);
        double target = function(row);
        forest_add(forest, row, target);
    }
    forest_fit(forest);
    return forest;
}

static void test_known_functions(void)
{
    static const struct {
        const char *name;
        known_function *function;
        double alone[COLUMNS];
        size_t first, second; /* columns of the pair, if there is one */
        double together;
    } cases[] = {
        {"a sum", additive, {0.9, 0.1, 0, 0}, 0, 0, 0},
        {"a product", product, {0, 0, 0, 0}, 0, 1, 1},
        {"a category", by_category, {0, 0, 0, 1}, 0, 0, 0},
        {"nothing", constant, {0, 0, 0, 0}, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct forest *forest = learn(cases[i].function);
        struct importance_column columns[COLUMNS] = {[3] = {.levels = 3}};
        struct importance importance;
        importance_measure(&importance, forest, columns, COLUMNS);
        for (size_t c = 0; c < COLUMNS; c++)
            ok(fabs(importance.alone[c].mean - cases[i].alone[c]) < 0.03, "%s: column %zu has %.3f",
               cases[i].name, c, importance.alone[c].mean);
        const struct importance_pair *top = importance.pairs;
        if (cases[i].together > 0)
            ok(top->first + top->second == cases[i].first + cases[i].second &&
                   fabs(top->share.mean - cases[i].together) < 0.03,
               "%s: columns %zu and %zu have %.3f together", cases[i].name, top->first, top->second,
               top->share.mean);
        else
            ok(importance.pair_count == 0 || top->share.mean < 0.03, "%s: no pair", cases[i].name);
        importance_free(&importance);
        forest_free(forest);
    }
}

static void test_missing_has_its_share(void)
{
    struct forest *forest = learn(conditional);
    struct importance_column columns[COLUMNS] = {[2] = {.missing = 2.0 / 3}, [3] = {.levels = 3}};
    struct importance_share at[3];
    static const double low_high_none[] = {0.02, 0.98, NAN};
    importance_curve(forest, columns, 2, low_high_none, 3, at);
    ok(at[0].mean < 0.4 && at[1].mean > 0.6, "where it is active it rises");
    is_near(at[2].mean, 0.5, 0.05, "where it is missing it does not");
    columns[3].weights = (const double[]){0, 1, 0};
    columns[2].missing = 0;
    importance_curve(forest, columns, 2, low_high_none, 2, at);
    ok(at[0].mean < 0.06 && at[1].mean > 0.94, "in the part of the space where it is active: all");
    forest_free(forest);
}

static void test_against_draws(void)
{
    struct forest *forest = learn(additive);
    struct importance_column columns[COLUMNS] = {[3] = {.levels = 3}};
    struct random random;
    random_seed(&random, 4, 0);
    double at = 0.7, sum = 0, mean, variance;
    enum { DRAWS = 20000 };
    for (size_t i = 0; i < DRAWS; i++) {
        double row[COLUMNS] = {at, random_unit(&random), random_unit(&random),
                               (double)random_below(&random, 3)};
        forest_predict(forest, row, &mean, &variance);
        sum += mean;
    }
    struct importance_share share;
    importance_curve(forest, columns, 0, &at, 1, &share);
    is_near(share.mean, sum / DRAWS, 0.01, "a marginal is the mean of many draws");
    forest_free(forest);
}

int main(void)
{
    test_shares_are_exact();
    test_curves_are_exact();
    test_known_functions();
    test_missing_has_its_share();
    test_against_draws();
    return tap_end();
}
