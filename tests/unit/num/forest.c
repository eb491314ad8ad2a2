/* Random forests: trees checked by hand, missing values, categories, degenerate data. */
#include "num/num.h"
#include "num/trees.h"
#include "tap.h"

enum { WIDTH = 3 };

/* A forest that has been given rows of one column. */
static struct forest *plant(const struct forest_settings *settings, const double *values,
                            const double *targets, size_t count)
{
    struct forest *forest = forest_create(settings);
    for (size_t i = 0; i < count; i++)
        forest_add(forest, values + i * settings->columns, targets[i]);
    forest_fit(forest);
    return forest;
}

static double mean_at(const struct forest *forest, const double *row)
{
    double mean, variance;
    forest_predict(forest, row, &mean, &variance);
    return mean;
}

static double variance_at(const struct forest *forest, const double *row)
{
    double mean, variance;
    forest_predict(forest, row, &mean, &variance);
    return variance;
}

/* ---- known trees ---- */

static void test_one_split(void)
{
    static const double values[] = {1, 2, 5, 6}, targets[] = {10, 10, 20, 20};
    struct forest_settings settings = {.columns = 1, .trees = 1, .whole = true};
    struct forest *forest = plant(&settings, values, targets, 4);
    const struct tree *tree = &forest->trees[0];
    ok(tree->node_count == 3 && tree->leaf_count == 2, "two levels of targets: one split");
    ok(tree->nodes[0].kind == NODE_NUMBER && tree->nodes[0].threshold > 2 &&
           tree->nodes[0].threshold <= 5,
       "its threshold lies between the neighbours");
    is_near(mean_at(forest, &(double){2}), 10, 0, "the left leaf has its mean");
    is_near(mean_at(forest, &(double){100}), 20, 0, "the right leaf as well, far outside too");
    is_near(variance_at(forest, &(double){2}), 0, 0, "one tree of pure leaves has no variance");
    forest_free(forest);
}

static void test_least_leaf(void)
{
    static const double values[] = {1, 2, 3, 4}, targets[] = {0, 4, 8, 100};
    struct forest_settings settings = {.columns = 1, .trees = 1, .least_leaf = 2, .whole = true};
    struct forest *forest = plant(&settings, values, targets, 4);
    is_near(mean_at(forest, &(double){1}), 2, 1e-12, "leaves of two rows: the mean of both");
    is_near(variance_at(forest, &(double){1}), 4, 1e-12, "and their variance");
    is_near(mean_at(forest, &(double){4}), 54, 1e-12, "a leaf of one row was not allowed");
    forest_free(forest);
}

static void test_categories(void)
{
    /* Means 5, 1, 6, 2: the best set is {1, 3} against {0, 2}. */
    static const double values[] = {0, 1, 2, 3}, targets[] = {5, 1, 6, 2};
    static const size_t four = 4;
    struct forest_settings settings = {
        .columns = 1, .categories = &four, .trees = 1, .least_leaf = 2, .whole = true};
    struct forest *forest = plant(&settings, values, targets, 4);
    is_near(mean_at(forest, &(double){1}), 1.5, 1e-12, "categories are grouped by their means");
    is_near(mean_at(forest, &(double){2}), 5.5, 1e-12, "those that are not neighbours, too");
    forest_free(forest);
}

/* `count` categories: those divisible by 3 have target 1, the others 0. */
static void test_many_categories(size_t count)
{
    struct forest_settings settings = {
        .columns = 1, .categories = &count, .trees = 1, .whole = true};
    struct forest *forest = forest_create(&settings);
    for (size_t i = 0; i < count; i++)
        forest_add(forest, &(double){(double)i}, i % 3 == 0);
    forest_fit(forest);
    bool right = true;
    for (size_t i = 0; i < count; i++)
        right &= mean_at(forest, &(double){(double)i}) == (i % 3 == 0);
    ok(right && forest->trees[0].node_count == 3, "one split parts %d categories", (int)count);
    ok(isfinite(mean_at(forest, &(double){NAN})), "and a missing one goes somewhere");
    forest_free(forest);
}

static void test_missing(void)
{
    static const double values[] = {1, 2, 3, NAN, NAN}, targets[] = {0, 0, 9, 9, 9};
    struct forest_settings settings = {.columns = 1, .trees = 1, .whole = true};
    struct forest *forest = plant(&settings, values, targets, 5);
    is_near(mean_at(forest, &(double){NAN}), 9, 0, "what is missing goes to the side that fits");
    ok(forest->trees[0].node_count == 3, "with a single split");
    forest_free(forest);
    static const double other[] = {0, 0, 5, 0, 0};
    forest = plant(&settings, values, other, 5);
    is_near(mean_at(forest, &(double){NAN}), 0, 0, "to the left as well");
    is_near(mean_at(forest, &(double){3}), 5, 0, "and numbers stay apart from it");
    forest_free(forest);
    static const double apart[] = {1, 1, 1, 7, 7};
    forest = plant(&settings, values, apart, 5);
    is_near(mean_at(forest, &(double){NAN}), 7, 0, "a split may be on being missing alone");
    is_near(mean_at(forest, &(double){1e300}), 1, 0, "then all numbers are on the other side");
    forest_free(forest);
}

static void test_missing_category(void)
{
    static const double values[] = {0, 1, 2, NAN}, targets[] = {1, 5, 1, 5};
    static const size_t three = 3;
    struct forest_settings settings = {
        .columns = 1, .categories = &three, .trees = 1, .whole = true};
    struct forest *forest = plant(&settings, values, targets, 4);
    is_near(mean_at(forest, &(double){NAN}), 5, 0, "a missing category is one more category");
    is_near(mean_at(forest, &(double){2}), 1, 0, "and parts the others");
    forest_free(forest);
}

/* ---- larger forests ---- */

static double truth(const double *row)
{
    double sum = (row[0] - 0.4) * (row[0] - 0.4) + (row[1] == 2 ? 0 : 0.3);
    return sum + (isnan(row[2]) ? 0.1 : row[2] * row[2] / 4);
}

static const size_t mixed[WIDTH] = {0, 4, 0};

/* The third column is missing unless the second is 1. */
static void draw_row(struct random *random, double *row)
{
    row[0] = random_unit(random);
    row[1] = (double)random_below(random, 4);
    row[2] = row[1] == 1 ? random_unit(random) : NAN;
}

static struct forest *plant_mixed(size_t rows, unsigned threads, size_t most_rows)
{
    struct random random;
    struct forest_settings settings = {.columns = WIDTH,
                                       .categories = mixed,
                                       .trees = 30,
                                       .most_rows = most_rows,
                                       .seed = 7,
                                       .threads = threads};
    struct forest *forest = forest_create(&settings);
    random_seed(&random, 3, 0);
    for (size_t i = 0; i < rows; i++) {
        double row[WIDTH];
        draw_row(&random, row);
        forest_add(forest, row, truth(row));
    }
    return forest;
}

/* The mean squared error on rows that the forest has not seen. */
static double true_error(const struct forest *forest)
{
    enum { COUNT = 1000 };
    struct random random;
    double sum = 0;
    random_seed(&random, 4, 0);
    for (int i = 0; i < COUNT; i++) {
        double row[WIDTH];
        draw_row(&random, row);
        double error = mean_at(forest, row) - truth(row);
        sum += error * error;
    }
    return sum / COUNT;
}

static void test_learns(void)
{
    struct forest *forest = plant_mixed(300, 1, 0);
    forest_fit(forest);
    double error = true_error(forest), estimate = forest_error(forest);
    printf("# error %g, out of bag %g\n", error, estimate);
    ok(error < 0.001, "it learns numbers, categories and missing values together");
    ok(estimate > error / 3 && estimate < error * 3, "the error out of bag is near the true one");
    forest_free(forest);
    forest = plant_mixed(5000, 1, 500);
    forest_fit(forest);
    ok(true_error(forest) < 0.001, "a part of the rows grows good trees");
    forest_free(forest);
}

static bool same_forest(const struct forest *a, const struct forest *b)
{
    bool same = true;
    struct random random;
    random_seed(&random, 5, 0);
    for (int i = 0; i < 200; i++) {
        double row[WIDTH];
        draw_row(&random, row);
        same &= mean_at(a, row) == mean_at(b, row) && variance_at(a, row) == variance_at(b, row);
    }
    return same;
}

static void test_threads(void)
{
    struct forest *one = plant_mixed(200, 1, 0), *two = plant_mixed(200, 2, 0);
    forest_fit(one);
    forest_fit(two);
    ok(same_forest(one, two), "one thread or two: the same forest");
    forest_fit(two);
    ok(same_forest(one, two), "a second fit changes nothing");
    forest_free(two);
    two = plant_mixed(200, 100, 0);
    forest_fit(two);
    ok(same_forest(one, two), "more threads than trees: the same forest");
    forest_free(one);
    forest_free(two);
}

static void test_many(void)
{
    enum { COUNT = 21 };
    struct forest *forest = plant_mixed(200, 1, 0);
    struct random random;
    double rows[COUNT * WIDTH], means[COUNT], variances[COUNT];
    bool same = true;
    forest_fit(forest);
    random_seed(&random, 6, 0);
    for (size_t i = 0; i < COUNT; i++)
        draw_row(&random, rows + i * WIDTH);
    forest_predict_many(forest, rows, COUNT, means, variances);
    for (size_t i = 0; i < COUNT; i++) {
        double sum = 0;
        for (size_t t = 0; t < 30; t++) {
            const struct tree *tree = &forest->trees[t];
            sum += tree->leaves[tree_leaf(tree, rows + i * WIDTH)].mean;
        }
        same &= fabs(forest->center + forest->scale * sum / 30 - means[i]) < 1e-12;
        same &= mean_at(forest, rows + i * WIDTH) == means[i];
        same &= variance_at(forest, rows + i * WIDTH) == variances[i];
    }
    ok(same, "many rows at once: the same as one by one, and as going down the trees");
    forest_free(forest);
}

static void test_variance(void)
{
    struct forest_settings settings = {.columns = 1, .trees = 100, .seed = 1};
    struct forest *forest = forest_create(&settings);
    for (int i = 0; i <= 20; i++) {
        double x = i <= 10 ? i / 50.0 : 1 - (20 - i) / 50.0; /* none in 0.2 .. 0.8 */
        forest_add(forest, &x, x);
    }
    forest_fit(forest);
    double near = variance_at(forest, &(double){0.1}), far = variance_at(forest, &(double){0.5});
    printf("# variance %g near rows, %g far from them\n", near, far);
    ok(far > 10 * near, "the variance is larger away from the rows");
    is_near(mean_at(forest, &(double){0.5}), 0.5, 0.15, "between two rows the mean is between");
    forest_free(forest);
}

/* ---- growing further ---- */

static void test_leaves_follow(void)
{
    static const double values[] = {1, 2, 5, 6}, targets[] = {10, 10, 20, 20};
    struct forest_settings settings = {.columns = 1, .trees = 1, .whole = true};
    struct forest *forest = plant(&settings, values, targets, 4);
    forest_add(forest, &(double){0}, 40);
    forest_settle(forest);
    is_near(mean_at(forest, &(double){1}), 20, 1e-12,
            "a new row counts in the leaf where it falls");
    ok(forest->trees[0].node_count == 3, "without a new tree");
    forest_retarget(forest, (double[]){1, 2, 5, 7, 3}, 5);
    forest_settle(forest);
    is_near(mean_at(forest, &(double){1}), 2, 1e-12, "new targets count in the leaves");
    is_near(variance_at(forest, &(double){5}), 1, 1e-12, "and in their variance");
    forest_pretend(forest, &(double){5}, 12);
    is_near(mean_at(forest, &(double){6}), 8, 1e-12, "what is pretended counts");
    forest_settle(forest);
    is_near(mean_at(forest, &(double){6}), 6, 1e-12, "until the next settling");
    forest_grow(forest, 0, 5);
    forest_settle(forest);
    is_near(mean_at(forest, &(double){0}), 3, 1e-12, "a tree that is grown anew fits the new rows");
    ok(forest_grown(forest, 0) == 5 && forest_rows(forest) == 5, "and knows how many there were");
    forest_free(forest);
}

/* A forest grown tree by tree, with rows added in between, equals one that is made at once. */
static void test_order_of_growth(void)
{
    struct forest *slow = plant_mixed(100, 1, 0), *fast = plant_mixed(160, 1, 0);
    struct random random;
    random_seed(&random, 3, 0);
    for (size_t t = 0; t < 30; t++)
        forest_grow(slow, t, 100);
    for (size_t i = 0; i < 160; i++) {
        double row[WIDTH];
        draw_row(&random, row);
        if (i >= 100)
            forest_add(slow, row, truth(row));
    }
    for (size_t t = 0; t < 30; t += 2)
        forest_grow(slow, t, 160);
    for (size_t t = 30; t-- > 0;)
        forest_grow(fast, t, t % 2 == 0 ? 160 : 100);
    forest_settle(slow);
    forest_settle(fast);
    ok(same_forest(slow, fast), "only the rows of a tree matter, not when it was grown");
    ok(true_error(slow) < 0.002, "a forest that is half old predicts well");
    forest_free(slow);
    forest_free(fast);
}

/* ---- degenerate data ---- */

static void test_degenerate(void)
{
    struct forest_settings settings = {.columns = 2, .trees = 5};
    struct forest *forest = forest_create(&settings);
    static const double row[] = {1, NAN};
    forest_fit(forest);
    is_near(mean_at(forest, row), 0, 0, "no rows: the mean is 0");
    is_near(variance_at(forest, row), 0, 0, "and so is the variance");
    is_near(forest_error(forest), NAN, 0, "and there is no error");
    ok(!forest_add(forest, (double[]){INFINITY, 0}, 1), "an infinite number is refused");
    ok(!forest_add(forest, row, INFINITY), "an infinite target as well");
    ok(!forest_add(forest, row, NAN), "and one that is missing");
    ok(forest_rows(forest) == 0, "nothing was added");
    forest_add(forest, row, 3);
    forest_fit(forest);
    is_near(mean_at(forest, row), 3, 0, "one row: its target everywhere");
    for (int i = 0; i < 10; i++)
        forest_add(forest, row, i);
    forest_fit(forest);
    ok(isfinite(mean_at(forest, row)), "rows that are the same make one leaf");
    ok(variance_at(forest, row) > 0, "with the variance of their targets");
    forest_free(forest);
}

static void test_extreme_targets(void)
{
    static const double values[] = {1, 2}, huge[] = {-1.7e308, 1.7e308}, tiny[] = {0, 5e-324};
    struct forest_settings settings = {.columns = 1, .trees = 1, .whole = true};
    struct forest *forest = plant(&settings, values, huge, 2);
    is_near(mean_at(forest, &(double){1}), -1.7e308, 1e-12, "the largest targets that there are");
    forest_free(forest);
    forest = plant(&settings, values, tiny, 2);
    is_near(mean_at(forest, &(double){2}), 5e-324, 0, "and the smallest");
    forest_free(forest);
    static const double same[] = {4, 4};
    forest = plant(&settings, values, same, 2);
    ok(forest->trees[0].node_count == 1 && mean_at(forest, &(double){1}) == 4,
       "equal targets: a single leaf");
    forest_free(forest);
}

int main(void)
{
    test_one_split();
    test_least_leaf();
    test_categories();
    static const size_t counts[] = {2, 62, 63, 64, 65, 128, 300};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        test_many_categories(counts[i]);
    test_missing();
    test_missing_category();
    test_learns();
    test_threads();
    test_many();
    test_variance();
    test_leaves_follow();
    test_order_of_growth();
    test_degenerate();
    test_extreme_targets();
    return tap_end();
}
