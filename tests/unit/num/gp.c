/* A Gaussian process: known values, gradients, both ways of factoring. */
#include "num/cholesky.h"
#include "num/num.h"
#include "tap.h"

enum { ROWS = 40, COLUMNS = 5 };

/* Three numbers, one of them optional, and two categories. */
static const size_t categories[COLUMNS] = {0, 3, 0, 0, 2};
static const bool optional[COLUMNS] = {false, false, true, false, true};
static const struct gp_settings mixed = {COLUMNS, categories, optional};

struct data {
    double rows[ROWS * COLUMNS], targets[ROWS];
};

static void make_data(struct data *data, uint64_t seed)
{
    struct random random;
    random_seed(&random, seed, 0);
    for (size_t i = 0; i < ROWS; i++) {
        double *row = data->rows + i * COLUMNS;
        for (size_t c = 0; c < COLUMNS; c++)
            row[c] =
                categories[c] ? (double)random_below(&random, categories[c]) : random_unit(&random);
        if (row[1] == 2)
            row[2] = row[4] = NAN;
        double extra = row[1] == 2 ? 0.3 : row[2] + 0.2 * row[4];
        data->targets[i] = sin(5 * row[0]) + extra + 0.5 * row[1] + 0.01 * random_normal(&random);
    }
}

/* ---- factors ---- */

static void fill_matrix(double *matrix, size_t size, size_t stride)
{
    for (size_t i = 0; i < size; i++)
        for (size_t j = i; j < size; j++)
            matrix[i * stride + j] = exp(-0.1 * fabs((double)i - (double)j)) + (i == j ? 0.1 : 0);
}

static double largest_difference(const double *a, const double *b, size_t size, size_t stride)
{
    double largest = 0;
    for (size_t i = 0; i < size; i++)
        for (size_t j = i; j < size; j++)
            largest = fmax(largest, fabs(a[i * stride + j] - b[i * stride + j]));
    return largest;
}

static void test_factors(void)
{
    static const size_t sizes[] = {1, 2, 5, 64, 150};
    const struct cholesky *lapack = cholesky_lapack();
    const struct cholesky *other = lapack ? lapack : &cholesky_own;
    enum { STRIDE = 160 };
    static double a[STRIDE * STRIDE], b[STRIDE * STRIDE], x[2 * STRIDE], y[2 * STRIDE];
    printf("# the other way is %s\n", other->name);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k];
        fill_matrix(a, n, STRIDE);
        fill_matrix(b, n, STRIDE);
        ok(cholesky_own.factor(a, n, STRIDE) && other->factor(b, n, STRIDE), "%zu: factored", n);
        is_near(largest_difference(a, b, n, STRIDE), 0, 1e-12, "both factors are the same");
        for (size_t i = 0; i < 2 * n; i++)
            x[i] = y[i] = sin((double)i);
        cholesky_own.forward(a, n, STRIDE, x, 2);
        cholesky_own.backward(a, n, STRIDE, x, 2);
        other->forward(b, n, STRIDE, y, 2);
        other->backward(b, n, STRIDE, y, 2);
        is_near(x[2 * n - 1], y[2 * n - 1], 1e-10, "both solve the same");
        cholesky_own.invert(a, n, STRIDE);
        other->invert(b, n, STRIDE);
        is_near(largest_difference(a, b, n, STRIDE), 0, 1e-10, "both inverses are the same");
    }
    a[0] = 1;
    a[1] = 2;
    a[STRIDE + 1] = 1;
    memcpy(b, a, sizeof b);
    ok(!cholesky_own.factor(a, 2, STRIDE) && !other->factor(b, 2, STRIDE),
       "a matrix that is not positive definite is refused");
}

/* ---- minimise ---- */

static double rosenbrock(void *self, const double *x, double *gradient)
{
    size_t *calls = self;
    double a = 1 - x[0], b = x[1] - x[0] * x[0];
    gradient[0] = -2 * a - 400 * x[0] * b;
    gradient[1] = 200 * b;
    ++*calls;
    return a * a + 100 * b * b;
}

static void test_minimise(void)
{
    size_t calls = 0;
    double low[] = {-2, -2}, high[] = {2, 2}, x[] = {-1.2, 1};
    struct minimise problem = {.count = 2,
                               .low = low,
                               .high = high,
                               .evaluations = 200,
                               .first_step = 0.1,
                               .tolerance = 1e-14,
                               .self = &calls,
                               .value = rosenbrock};
    ok(minimise(&problem, x) < 1e-9 && calls < 100, "minimise: through a bent valley");
    is_near(x[0], 1, 1e-4, "to its end");
    high[0] = 0.5;
    x[0] = -1.2;
    x[1] = 1;
    minimise(&problem, x);
    ok(x[0] == 0.5 && fabs(x[1] - 0.25) < 1e-5, "minimise: along a bound");
    calls = 0;
    problem.evaluations = 7;
    minimise(&problem, x);
    ok(calls <= 7, "minimise: no more evaluations than it may");
}

/* ---- the process ---- */

/* Two rows, by hand: K = [[1.01, k], [k, 1.01]] with k the Matern function of one length. */
static void test_known_values(void)
{
    size_t none = 0;
    struct gp *gp = gp_create(&(struct gp_settings){1, &none, NULL});
    double rows[] = {0.2, 0.7}, targets[] = {1, -1}, mean, variance;
    double parameters[] = {log(0.5), 0, log(1), log(0.01)};
    gp_data(gp, rows, targets, 2);
    gp_set_parameters(gp, parameters);
    gp_factor(gp);
    double r = sqrt(5), k = (1 + r + r * r / 3) * exp(-r);
    gp_predict(gp, rows, 1, &mean, &variance);
    /* The targets are opposite: the mean is 0, and alpha is the targets times 1 / (1.01 - k). */
    is_near(mean, (1 - k) / (1.01 - k), 1e-12, "the mean at a row");
    double determinant = 1.01 * 1.01 - k * k;
    is_near(variance, 1 - (1.01 - 2 * k * k + 1.01 * k * k) / determinant, 1e-12,
            "the variance at a row");
    double loss = gp_loss(gp, parameters, NULL);
    double off = (log(0.5) - log(0.2)) / sqrt(3), noise = (log(0.01) - log(1e-4)) / 3;
    double mix = 1 / 1.5;
    is_near(loss,
            log(2 * acos(-1.0)) + 1 / (1.01 - k) + 0.5 * log(determinant) +
                0.5 * (off * off + noise * noise + mix * mix),
            1e-12, "the loss of two rows");
    gp_free(gp);
}

static void test_gradient(void)
{
    struct data data;
    make_data(&data, 1);
    struct gp *gp = gp_create(&mixed);
    gp_data(gp, data.rows, data.targets, ROWS);
    size_t count = gp_parameter_count(gp);
    double at[32], gradient[32];
    gp_parameters(gp, at);
    gp_loss(gp, at, gradient);
    bool right = true;
    for (size_t i = 0; i < count; i++) {
        double kept = at[i], h = 1e-5;
        at[i] = kept + h;
        double up = gp_loss(gp, at, NULL);
        at[i] = kept - h;
        double down = gp_loss(gp, at, NULL);
        at[i] = kept;
        double slope = (up - down) / (2 * h);
        if (fabs(slope - gradient[i]) > 1e-5 * fmax(1, fabs(slope))) {
            printf("# parameter %zu: %g, by differences %g\n", i, gradient[i], slope);
            right = false;
        }
    }
    ok(right, "the gradient of the loss agrees with differences");
    gp_free(gp);
}

static void test_fit(void)
{
    struct data data, other;
    double means[ROWS], variances[ROWS], parameters[32], error = 0, spread = 0;
    make_data(&data, 1);
    make_data(&other, 2);
    struct gp *gp = gp_create(&mixed);
    gp_data(gp, data.rows, data.targets, ROWS);
    gp_parameters(gp, parameters);
    double before = gp_loss(gp, parameters, NULL);
    gp_fit(gp, 100, GP_BOTH);
    gp_parameters(gp, parameters);
    ok(gp_loss(gp, parameters, NULL) < before, "fitting makes the loss smaller");
    gp_factor(gp);
    gp_predict(gp, other.rows, ROWS, means, variances);
    for (size_t i = 0; i < ROWS; i++) {
        error += (means[i] - other.targets[i]) * (means[i] - other.targets[i]) / ROWS;
        spread += other.targets[i] * other.targets[i] / ROWS;
    }
    printf("# error %g of %g\n", error, spread);
    ok(error < 0.02 * spread, "it predicts rows that it has not seen");
    gp_free(gp);
}

static void test_slope(void)
{
    struct data data, other;
    make_data(&data, 1);
    make_data(&other, 2);
    struct gp *gp = gp_create(&mixed);
    gp_data(gp, data.rows, data.targets, ROWS);
    gp_fit(gp, 50, GP_BOTH);
    bool right = true, same = true;
    for (size_t i = 0; i < ROWS; i++) {
        double *row = other.rows + i * COLUMNS, mean, variance, m[2], v[2];
        double mean_slope[COLUMNS], variance_slope[COLUMNS], h = 1e-6;
        gp_slope(gp, row, &mean, &variance, mean_slope, variance_slope);
        gp_predict(gp, row, 1, m, v);
        same &= fabs(m[0] - mean) < 1e-10 && fabs(v[0] - variance) < 1e-10;
        for (size_t c = 0; c < COLUMNS; c++) {
            if (categories[c] || isnan(row[c])) {
                right &= mean_slope[c] == 0 && variance_slope[c] == 0;
                continue;
            }
            for (size_t side = 0; side < 2; side++) {
                row[c] += side ? -2 * h : h;
                gp_predict(gp, row, 1, &m[side], &v[side]);
            }
            row[c] += h;
            right &= fabs((m[0] - m[1]) / (2 * h) - mean_slope[c]) < 1e-4;
            right &= fabs((v[0] - v[1]) / (2 * h) - variance_slope[c]) < 1e-4;
        }
    }
    ok(same, "one row is predicted as many are");
    ok(right, "slopes agree with differences");
    gp_free(gp);
}

/* Extending by a row, with mean and parameters unchanged, gives the same as factoring again. */
static void test_extend(void)
{
    struct data data, other;
    make_data(&data, 1);
    make_data(&other, 2);
    double parameters[32], means[2][ROWS], variances[2][ROWS];
    struct gp *gp = gp_create(&mixed);
    gp_data(gp, data.rows, data.targets, ROWS);
    gp_fit(gp, 50, GP_BOTH);
    gp_parameters(gp, parameters);
    gp_predict(gp, other.rows, ROWS, means[0], variances[0]);
    for (size_t i = 0; i < ROWS; i++)
        gp_extend(gp, other.rows + i * COLUMNS, means[0][i]);
    gp_predict(gp, other.rows, ROWS, means[1], variances[1]);
    bool same = true, smaller = true;
    for (size_t i = 0; i < ROWS; i++) {
        same &= fabs(means[0][i] - means[1][i]) < 1e-6;
        smaller &= variances[1][i] < variances[0][i] && variances[1][i] < 2 * gp_noise(gp);
    }
    ok(same, "rows that are believed change no mean");
    ok(smaller, "but little is left to be learnt there");
    gp_shrink(gp, ROWS);
    gp_predict(gp, other.rows, ROWS, means[1], variances[1]);
    ok(memcmp(means[0], means[1], sizeof means[0]) == 0 &&
           memcmp(variances[0], variances[1], sizeof variances[0]) == 0,
       "and they can be taken back");
    gp_free(gp);
}

/* The closed form compared with leaving rows out. */
static void test_leave_one_out(void)
{
    struct data data;
    make_data(&data, 1);
    double parameters[32], means[ROWS], variances[ROWS], mean, variance;
    struct gp *gp = gp_create(&mixed);
    gp_data(gp, data.rows, data.targets, ROWS);
    gp_fit(gp, 50, GP_BOTH);
    gp_parameters(gp, parameters);
    gp_leave_one_out(gp, ROWS, means, variances);
    bool right = true;
    for (size_t i = 0; i < ROWS; i++) {
        struct data less = data;
        size_t after = ROWS - i - 1;
        memmove(less.rows + i * COLUMNS, data.rows + (i + 1) * COLUMNS,
                after * COLUMNS * sizeof(double));
        memmove(less.targets + i, data.targets + i + 1, after * sizeof(double));
        struct gp *other = gp_create(&mixed);
        gp_data(other, less.rows, less.targets, ROWS - 1);
        gp_set_parameters(other, parameters);
        gp_factor(other);
        gp_predict(other, data.rows + i * COLUMNS, 1, &mean, &variance);
        right &= fabs(variance + gp_noise(other) - variances[i]) < 1e-6;
        /* The mean is learned from one row fewer, so it may change a little. */
        right &= fabs(mean - means[i]) < 0.1 * sqrt(variances[i]);
        gp_free(other);
    }
    ok(right, "leaving one out in closed form is leaving one out");
    gp_free(gp);
}

static void test_odd_data(void)
{
    size_t none[2] = {0};
    double rows[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, targets[] = {0, 0, 0}, mean, variance;
    struct gp *gp = gp_create(&(struct gp_settings){2, none, NULL});
    gp_data(gp, rows, targets, 3);
    gp_fit(gp, 50, GP_BOTH);
    gp_predict(gp, rows, 1, &mean, &variance);
    ok(mean == 0 && variance > 0, "three times the same row");
    gp_data(gp, rows, targets, 1);
    gp_fit(gp, 50, GP_BOTH);
    gp_predict(gp, rows, 1, &mean, &variance);
    ok(mean == 0 && variance > 0, "a single row");
    gp_free(gp);
}

int main(void)
{
    test_factors();
    test_minimise();
    test_known_values();
    test_gradient();
    test_fit();
    test_slope();
    test_extend();
    test_leave_one_out();
    test_odd_data();
    return tap_end();
}
