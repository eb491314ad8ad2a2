/* Eigenvalues and eigenvectors. */
#include "num/num.h"
#include "tap.h"

enum { MOST = 40 };

static void test_known(void)
{
    static const struct {
        const char *name;
        size_t n;
        double matrix[9], values[3]; /* values: smallest first */
    } cases[] = {
        {"one number", 1, {-3}, {-3}},
        {"two numbers", 2, {2, 1, 1, 2}, {1, 3}},
        {"what is diagonal", 3, {5, 0, 0, 0, -1, 0, 0, 0, 2}, {-1, 2, 5}},
        {"what is singular", 3, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 3}},
        {"a chain", 3, {2, -1, 0, -1, 2, -1, 0, -1, 2}, {0.5857864376269049, 2, 3.414213562373095}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double matrix[9], values[3], vectors[9];
        size_t n = cases[c].n;
        memcpy(matrix, cases[c].matrix, sizeof matrix);
        num_eigen(matrix, n, values, vectors);
        double worst = 0;
        for (size_t i = 0; i < n; i++) {
            double nearest = INFINITY;
            for (size_t j = 0; j < n; j++)
                nearest = fmin(nearest, fabs(values[j] - cases[c].values[i]));
            worst = fmax(worst, nearest);
        }
        is_near(worst, 0, 1e-14, cases[c].name);
    }
}

/* The largest element of vectors * values * vectors^T - matrix, or of vectors * vectors^T - 1. */
static double largest_error(const double *matrix, size_t n, const double *values,
                            const double *vectors)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double product = 0, unit = 0;
            for (size_t k = 0; k < n; k++) {
                product += vectors[i * n + k] * values[k] * vectors[j * n + k];
                unit += vectors[i * n + k] * vectors[j * n + k];
            }
            worst = fmax(worst, fabs(product - matrix[i * n + j]));
            worst = fmax(worst, fabs(unit - (i == j)));
        }
    return worst;
}

static void test_random(void)
{
    static double matrix[MOST * MOST], copy[MOST * MOST], values[MOST], vectors[MOST * MOST];
    for (size_t n = 1; n <= MOST; n += 13) {
        struct random random;
        random_seed(&random, n, 1);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++)
                matrix[i * n + j] = matrix[j * n + i] = random_normal(&random);
        memcpy(copy, matrix, sizeof copy);
        num_eigen(copy, n, values, vectors);
        ok(largest_error(matrix, n, values, vectors) < 1e-12, "%zu rows come together again", n);
    }
}

/* Values from 1 to 10^12 in a rotated frame: the small ones stay accurate. */
static void test_scales(void)
{
    double cosine = cos(0.5), sine = sin(0.5), large = 1e12, small = 1, values[2], vectors[4];
    double matrix[4] = {large * cosine * cosine + small * sine * sine,
                        (large - small) * cosine * sine, (large - small) * cosine * sine,
                        large * sine * sine + small * cosine * cosine};
    num_eigen(matrix, 2, values, vectors);
    is_near(fmin(values[0], values[1]), 1, 1e-3, "a value that is 10^12 times smaller");
}

int main(void)
{
    test_known();
    test_random();
    test_scales();
    return tap_end();
}
