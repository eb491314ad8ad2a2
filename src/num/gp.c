/* gp.c - the rows of a Gaussian process, and its predictions for other rows. */
#include "num/gp.h"

#include "num/gp_inside.h"

#include <math.h>

enum { BLOCK = 64 }; /* number of rows that are predicted at a time */

/* ---- life cycle ---- */

static void find_columns(struct gp *gp, const struct gp_settings *settings)
{
    for (size_t i = 0; i < gp->columns; i++) {
        if (settings->categories[i] > 0)
            gp->code_columns[gp->codes++] = i;
        else
            gp->number_columns[gp->numbers++] = i;
    }
    gp->categories = gp->codes;
    for (size_t i = 0; i < gp->columns && settings->optional; i++)
        if (settings->categories[i] == 0 && settings->optional[i])
            gp->code_columns[gp->codes++] = i;
}

struct gp *gp_create(const struct gp_settings *settings)
{
    struct gp *gp = memory_new(1, sizeof *gp);
    gp->columns = settings->columns;
    gp->number_columns = memory_new(gp->columns, sizeof *gp->number_columns);
    gp->code_columns = memory_new(gp->columns, sizeof *gp->code_columns);
    find_columns(gp, settings);
    gp->lengths = memory_new(gp->numbers, sizeof *gp->lengths);
    gp->weights = memory_new(gp->codes, sizeof *gp->weights);
    gp->parameters = memory_new(gp_parameter_count(gp), sizeof *gp->parameters);
    return gp;
}

static void free_rows(struct gp *gp)
{
    free(gp->x);
    free(gp->z);
    free(gp->code);
    free(gp->targets);
    free(gp->alpha);
    free(gp->factor);
}

void gp_free(struct gp *gp)
{
    if (!gp)
        return;
    free_rows(gp);
    free(gp->number_columns);
    free(gp->code_columns);
    free(gp->lengths);
    free(gp->weights);
    free(gp->parameters);
    free(gp);
}

/*
 * All columns have the same alignment. Otherwise BLAS kernels may sum in another order, and a model
 * that has grown would differ from one built at once from the same rows.
 */
static void make_room(struct gp *gp, size_t capacity)
{
    capacity = (capacity + 7) / 8 * 8;
    gp->capacity = capacity;
    gp->cholesky = cholesky_best(); /* only now: it loads LAPACK, which most commands never need */
    gp->x = memory_new(gp->numbers * capacity, sizeof *gp->x);
    gp->z = memory_new(gp->numbers * capacity, sizeof *gp->z);
    gp->code = memory_new(gp->codes * capacity, sizeof *gp->code);
    gp->targets = memory_new(capacity, sizeof *gp->targets);
    gp->alpha = memory_new(capacity, sizeof *gp->alpha);
    gp->factor = memory_new(capacity * capacity, sizeof *gp->factor);
}

/* Moves all rows to larger arrays. */
static void grow(struct gp *gp)
{
    struct gp old = *gp;
    make_room(gp, old.capacity + old.capacity / 4 + 16);
    for (size_t i = 0; i < old.count; i++) {
        for (size_t d = 0; d < gp->numbers; d++) {
            gp->x[d * gp->capacity + i] = old.x[d * old.capacity + i];
            gp->z[d * gp->capacity + i] = old.z[d * old.capacity + i];
        }
        for (size_t c = 0; c < gp->codes; c++)
            gp->code[c * gp->capacity + i] = old.code[c * old.capacity + i];
        memcpy(gp->factor + i * gp->capacity, old.factor + i * old.capacity,
               old.count * sizeof *gp->factor);
    }
    memcpy(gp->targets, old.targets, old.count * sizeof *gp->targets);
    memcpy(gp->alpha, old.alpha, old.count * sizeof *gp->alpha);
    free_rows(&old);
}

/* ---- rows ---- */

/* Encodes a row: its numbers in units of the lengths, and its categories, `stride` apart. */
static void encode(const struct gp *gp, const double *row, double *x, double *z, uint32_t *code,
                   size_t stride)
{
    for (size_t d = 0; d < gp->numbers; d++) {
        double value = row[gp->number_columns[d]];
        x[d * stride] = isnan(value) ? 0.5 : value;
        z[d * stride] = x[d * stride] / gp->lengths[d];
    }
    for (size_t c = 0; c < gp->codes; c++) {
        double value = row[gp->code_columns[c]];
        uint32_t present = c < gp->categories && !isnan(value) ? (uint32_t)value : 0;
        code[c * stride] = isnan(value) ? UINT32_MAX : present;
    }
}

/* The average number of numeric values in a row. */
static double mean_dimension(const struct gp *gp, const double *rows, size_t count)
{
    size_t present = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t d = 0; d < gp->numbers; d++)
            present += isnan(rows[i * gp->columns + gp->number_columns[d]]) ? 0 : 1;
    return count > 0 ? (double)present / (double)count : 0;
}

void gp_data(struct gp *gp, const double *rows, const double *targets, size_t count)
{
    if (count > gp->capacity || gp->capacity == 0) {
        free_rows(gp);
        make_room(gp, count + count / 4 + 16);
    }
    gp->count = count;
    gp->dimension = mean_dimension(gp, rows, count);
    if (gp->amplitude == 0)
        gp_start(gp);
    for (size_t i = 0; i < count; i++)
        encode(gp, rows + i * gp->columns, gp->x + i, gp->z + i, gp->code + i, gp->capacity);
    memcpy(gp->targets, targets, count * sizeof *targets);
}

size_t gp_count(const struct gp *gp)
{
    return gp->count;
}

double gp_target(const struct gp *gp, size_t row)
{
    return gp->targets[row];
}

size_t gp_parameter_count(const struct gp *gp)
{
    return gp->numbers + gp->codes + GP_TAIL;
}

void gp_parameters(const struct gp *gp, double *parameters)
{
    memcpy(parameters, gp->parameters, gp_parameter_count(gp) * sizeof *parameters);
}

void gp_set_parameters(struct gp *gp, const double *parameters)
{
    gp_use(gp, parameters);
}

double gp_noise(const struct gp *gp)
{
    return gp->noise;
}

double gp_length(const struct gp *gp, size_t column)
{
    for (size_t d = 0; d < gp->numbers; d++)
        if (gp->number_columns[d] == column)
            return gp->lengths[d];
    return NAN;
}

/* ---- the factor ---- */

/* Computes alpha from the factor and the mean. */
static void solve_alpha(struct gp *gp, const double *factor)
{
    for (size_t i = 0; i < gp->count; i++)
        gp->alpha[i] = gp->targets[i] - gp->mean;
    gp->cholesky->forward(factor, gp->count, gp->capacity, gp->alpha, 1);
    gp->cholesky->backward(factor, gp->count, gp->capacity, gp->alpha, 1);
}

/* The most likely mean, given the prior belief that it is 0, give or take 1. */
static double best_mean(const struct gp *gp, const double *factor)
{
    double *ones = memory_new(gp->count, sizeof *ones);
    double weight = 1, sum = 0;
    for (size_t i = 0; i < gp->count; i++)
        ones[i] = 1;
    gp->cholesky->forward(factor, gp->count, gp->capacity, ones, 1);
    gp->cholesky->backward(factor, gp->count, gp->capacity, ones, 1);
    for (size_t i = 0; i < gp->count; i++) {
        weight += ones[i];
        sum += ones[i] * gp->targets[i];
    }
    free(ones);
    return sum / weight;
}

static void fill_covariance(const struct gp *gp, double *matrix, double jitter)
{
    for (size_t i = 0; i < gp->count; i++) {
        double *column = matrix + i * gp->capacity;
        struct gp_row row = {gp->z + i, gp->code + i, gp->capacity};
        gp_covariances(gp, row, i, column + i);
        column[i] = gp->amplitude + gp->noise + jitter;
    }
}

bool gp_solve(struct gp *gp, double *factor, double jitter)
{
    fill_covariance(gp, factor, jitter);
    if (!gp->cholesky->factor(factor, gp->count, gp->capacity))
        return false;
    gp->mean = best_mean(gp, factor);
    solve_alpha(gp, factor);
    return true;
}

/* Nearly identical rows may need more noise than there is. */
void gp_factor(struct gp *gp)
{
    double jitter = 0;
    while (!gp_solve(gp, gp->factor, jitter)) {
        jitter = jitter > 0 ? 10 * jitter : 1e-10 * gp->amplitude;
        if (!(jitter < 1e6 * gp->amplitude))
            BUG("the covariance of %zu rows has no factor", gp->count);
    }
}

void gp_extend(struct gp *gp, const double *row, double target)
{
    if (gp->count == gp->capacity)
        grow(gp);
    size_t n = gp->count;
    double *line = memory_new(n + 1, sizeof *line);
    encode(gp, row, gp->x + n, gp->z + n, gp->code + n, gp->capacity);
    gp_covariances(gp, (struct gp_row){gp->z + n, gp->code + n, gp->capacity}, 0, line);
    gp->cholesky->forward(gp->factor, n, gp->capacity, line, 1);
    double left = gp->amplitude + gp->noise;
    for (size_t i = 0; i < n; i++) {
        gp->factor[i * gp->capacity + n] = line[i];
        left -= line[i] * line[i];
    }
    gp->factor[n * gp->capacity + n] = sqrt(fmax(left, 1e-10 * gp->amplitude));
    gp->targets[n] = target;
    gp->count++;
    solve_alpha(gp, gp->factor);
    free(line);
}

void gp_shrink(struct gp *gp, size_t count)
{
    if (count >= gp->count)
        return;
    gp->count = count;
    solve_alpha(gp, gp->factor);
}

/* ---- predictions ---- */

struct probe {
    double *x, *z;
    uint32_t *code;
};

static struct probe probe_new(const struct gp *gp)
{
    return (struct probe){memory_new(gp->numbers, sizeof(double)),
                          memory_new(gp->numbers, sizeof(double)),
                          memory_new(gp->codes, sizeof(uint32_t))};
}

static void probe_free(struct probe *probe)
{
    free(probe->x);
    free(probe->z);
    free(probe->code);
}

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Rounding must not make a variance negative or 0, since its logarithm is needed. */
static double positive(const struct gp *gp, double variance)
{
    return fmax(variance, 1e-14 * gp->amplitude);
}

void gp_predict(const struct gp *gp, const double *rows, size_t count, double *means,
                double *variances)
{
    size_t n = gp->count;
    struct probe probe = probe_new(gp);
    double *block = memory_new(BLOCK * n, sizeof *block);
    for (size_t done = 0; done < count; done += BLOCK) {
        size_t width = count - done < BLOCK ? count - done : BLOCK;
        for (size_t i = 0; i < width; i++) {
            encode(gp, rows + (done + i) * gp->columns, probe.x, probe.z, probe.code, 1);
            gp_covariances(gp, (struct gp_row){probe.z, probe.code, 1}, 0, block + i * n);
            means[done + i] = gp->mean + dot(block + i * n, gp->alpha, n);
        }
        gp->cholesky->forward(gp->factor, n, gp->capacity, block, width);
        for (size_t i = 0; i < width; i++)
            variances[done + i] =
                positive(gp, gp->amplitude - dot(block + i * n, block + i * n, n));
    }
    free(block);
    probe_free(&probe);
}

/* Adds the slopes along the numbers, from the covariances' slopes along the squared distance. */
static void add_slopes(const struct gp *gp, const struct probe *probe, const double *row,
                       const double *slope, const double *solved, double *mean_slope,
                       double *variance_slope)
{
    for (size_t d = 0; d < gp->numbers; d++) {
        const double *z = gp->z + d * gp->capacity;
        double mean = 0, variance = 0;
        if (isnan(row[gp->number_columns[d]]))
            continue;
        for (size_t j = 0; j < gp->count; j++) {
            double change = -slope[j] * (probe->z[d] - z[j]);
            mean += gp->alpha[j] * change;
            variance -= 2 * solved[j] * change;
        }
        mean_slope[gp->number_columns[d]] = mean / gp->lengths[d];
        variance_slope[gp->number_columns[d]] = variance / gp->lengths[d];
    }
}

void gp_slope(const struct gp *gp, const double *row, double *mean, double *variance,
              double *mean_slope, double *variance_slope)
{
    size_t n = gp->count;
    struct probe probe = probe_new(gp);
    double *memory = memory_new(4 * n, sizeof *memory);
    double *m = memory, *e = memory + n, *slope = memory + 2 * n, *solved = memory + 3 * n;
    encode(gp, row, probe.x, probe.z, probe.code, 1);
    gp_parts(gp, (struct gp_row){probe.z, probe.code, 1}, 0, m, e, slope);
    for (size_t j = 0; j < n; j++)
        m[j] = gp->amplitude *
               ((1 - gp->mix) * m[j] * e[j] + (gp->codes ? gp->mix / 2 * (m[j] + e[j]) : 0));
    *mean = gp->mean + dot(m, gp->alpha, n);
    memcpy(solved, m, n * sizeof *solved);
    gp->cholesky->forward(gp->factor, n, gp->capacity, solved, 1);
    *variance = positive(gp, gp->amplitude - dot(solved, solved, n));
    gp->cholesky->backward(gp->factor, n, gp->capacity, solved, 1);
    memset(mean_slope, 0, gp->columns * sizeof *mean_slope);
    memset(variance_slope, 0, gp->columns * sizeof *variance_slope);
    add_slopes(gp, &probe, row, slope, solved, mean_slope, variance_slope);
    free(memory);
    probe_free(&probe);
}

/* In closed form: S. Sundararajan and S. S. Keerthi, "Predictive approaches for choosing
 * hyperparameters in Gaussian processes", 2001. */
void gp_leave_one_out(const struct gp *gp, size_t count, double *means, double *variances)
{
    double *inverse = memory_new(count * (count + 1), sizeof *inverse);
    double *alpha = inverse + count * count;
    for (size_t i = 0; i < count; i++) {
        memcpy(inverse + i * count, gp->factor + i * gp->capacity, count * sizeof *inverse);
        alpha[i] = gp->targets[i] - gp->mean;
    }
    gp->cholesky->forward(inverse, count, count, alpha, 1);
    gp->cholesky->backward(inverse, count, count, alpha, 1);
    gp->cholesky->invert(inverse, count, count);
    for (size_t i = 0; i < count; i++) {
        variances[i] = 1 / inverse[i * count + i];
        means[i] = gp->targets[i] - alpha[i] * variances[i];
    }
    free(inverse);
}
