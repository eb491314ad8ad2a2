/* gauss.c - the normal distribution of CMA-ES: see gauss.h. The names are those of the tutorial. */
#include "search/gauss.h"

#include "num/num.h"

#include <math.h>

/* ---- constants ---- */

/* The weights of the better half sum to 1; the others are negative, and set_rates() scales them. */
static void set_weights(struct gauss *gauss)
{
    double half = ((double)gauss->lambda + 1) / 2, sum = 0, squares = 0;
    for (size_t i = 0; i < gauss->lambda; i++) {
        double weight = gauss->weights[i] = log(half) - log((double)i + 1);
        sum += weight > 0 ? weight : 0;
        squares += weight > 0 ? weight * weight : 0;
    }
    gauss->mu_eff = sum * sum / squares;
    for (size_t i = 0; i < gauss->lambda; i++)
        gauss->weights[i] /= sum;
}

/* Limits the negative weights, as in table 1 of the tutorial. */
static void scale_negative(struct gauss *gauss, double n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < gauss->lambda; i++)
        if (gauss->weights[i] < 0) {
            sum -= gauss->weights[i];
            squares += gauss->weights[i] * gauss->weights[i];
        }
    if (sum == 0)
        return;
    double mu_eff = sum * sum / squares;
    double most = fmin(1 + gauss->c_one / gauss->c_mu, 1 + 2 * mu_eff / (gauss->mu_eff + 2));
    most = fmin(most, (1 - gauss->c_one - gauss->c_mu) / (n * gauss->c_mu));
    for (size_t i = 0; i < gauss->lambda; i++)
        if (gauss->weights[i] < 0)
            gauss->weights[i] *= most / sum;
}

static void set_rates(struct gauss *gauss)
{
    double n = fmax(1, (double)gauss->n), mu = gauss->mu_eff;
    gauss->c_sigma = (mu + 2) / (n + mu + 5);
    gauss->d_sigma = 1 + 2 * fmax(0, sqrt((mu - 1) / (n + 1)) - 1) + gauss->c_sigma;
    gauss->c_covariance = (4 + mu / n) / (n + 4 + 2 * mu / n);
    double faster = gauss->separable ? (n + 2) / 3 : 1;
    gauss->c_one = fmin(0.5, faster * 2 / ((n + 1.3) * (n + 1.3) + mu));
    gauss->c_mu =
        fmin(1 - gauss->c_one, faster * 2 * (0.25 + mu + 1 / mu - 2) / ((n + 2) * (n + 2) + mu));
    gauss->expected_length = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    scale_negative(gauss, n);
}

void gauss_open(struct gauss *gauss, size_t n, size_t lambda, double sigma)
{
    bool separable = n > GAUSS_FULL;
    size_t size = separable ? n : n * n;
    *gauss = (struct gauss){.n = n, .lambda = lambda, .separable = separable, .sigma = sigma};
    gauss->mean = memory_new(n, sizeof(double));
    gauss->covariance = memory_new(size, sizeof(double));
    gauss->vectors = memory_new(size, sizeof(double));
    gauss->roots = memory_new(n, sizeof(double));
    gauss->path_sigma = memory_new(n, sizeof(double));
    gauss->path_covariance = memory_new(n, sizeof(double));
    gauss->weights = memory_new(lambda, sizeof(double));
    gauss->steps = memory_new(lambda * n, sizeof(double));
    gauss->scratch = memory_new(size + 2 * n, sizeof(double));
    for (size_t i = 0; i < n; i++) {
        size_t at = separable ? i : i * n + i;
        gauss->mean[i] = 0.5;
        gauss->roots[i] = gauss->covariance[at] = gauss->vectors[at] = 1;
    }
    set_weights(gauss);
    set_rates(gauss);
}

void gauss_close(struct gauss *gauss)
{
    free(gauss->mean);
    free(gauss->covariance);
    free(gauss->vectors);
    free(gauss->roots);
    free(gauss->path_sigma);
    free(gauss->path_covariance);
    free(gauss->weights);
    free(gauss->steps);
    free(gauss->scratch);
}

/* ---- the shape ---- */

static double variance(const struct gauss *gauss, size_t i)
{
    return gauss->covariance[gauss->separable ? i : i * gauss->n + i];
}

double gauss_spread(const struct gauss *gauss, size_t i)
{
    return gauss->sigma * sqrt(variance(gauss, i));
}

/* out = B D in: a step from a point of the standard normal distribution. */
static void stretch(const struct gauss *gauss, const double *in, double *out)
{
    size_t n = gauss->n;
    for (size_t i = 0; i < n; i++) {
        out[i] = gauss->separable ? gauss->roots[i] * in[i] : 0;
        for (size_t j = 0; j < n && !gauss->separable; j++)
            out[i] += gauss->vectors[i * n + j] * gauss->roots[j] * in[j];
    }
}

/* out = B D^-1 B^T in: the step as if the covariance were the identity; uses the scratch space. */
static void whiten(const struct gauss *gauss, const double *in, double *out)
{
    size_t n = gauss->n;
    double *turned = gauss->scratch;
    if (gauss->separable) {
        for (size_t i = 0; i < n; i++)
            out[i] = in[i] / gauss->roots[i];
        return;
    }
    for (size_t j = 0; j < n; j++) {
        turned[j] = 0;
        for (size_t i = 0; i < n; i++)
            turned[j] += gauss->vectors[i * n + j] * in[i];
        turned[j] /= gauss->roots[j];
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        for (size_t j = 0; j < n; j++)
            out[i] += gauss->vectors[i * n + j] * turned[j];
    }
}

/* Eigenvalues that rounding or negative weights made too small are raised. */
static void decompose(struct gauss *gauss)
{
    size_t n = gauss->n;
    double largest = 0;
    if (gauss->separable) {
        memcpy(gauss->roots, gauss->covariance, n * sizeof *gauss->roots);
    } else {
        memcpy(gauss->scratch, gauss->covariance, n * n * sizeof *gauss->scratch);
        num_eigen(gauss->scratch, n, gauss->roots, gauss->vectors);
    }
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, gauss->roots[i]);
    for (size_t i = 0; i < n; i++)
        gauss->roots[i] = sqrt(fmax(gauss->roots[i], 1e-14 * largest));
}

void gauss_draw(const struct gauss *gauss, struct random *random, double *step)
{
    double *normal = gauss->scratch;
    for (size_t i = 0; i < gauss->n; i++)
        normal[i] = random_normal(random);
    stretch(gauss, normal, step);
}

/* ---- an update ---- */

static double length(const double *vector, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += vector[i] * vector[i];
    return sqrt(sum);
}

/* Fills in the steps from the mean in units of sigma, none much longer than a drawn step. */
static void take_steps(struct gauss *gauss, const double *points, double *lengths)
{
    size_t n = gauss->n;
    double size = (double)n, most = sqrt(size) + 2 * size / (size + 2);
    double *white = gauss->scratch + (gauss->separable ? n : n * n);
    for (size_t k = 0; k < gauss->lambda; k++) {
        double *step = gauss->steps + k * n;
        for (size_t i = 0; i < n; i++) {
            double off = points[k * n + i] - gauss->mean[i];
            step[i] = isnan(off) ? 0 : off / gauss->sigma;
        }
        whiten(gauss, step, white);
        lengths[k] = length(white, n);
        for (size_t i = 0; i < n && lengths[k] > most; i++)
            step[i] *= most / lengths[k];
        lengths[k] = fmin(lengths[k], most);
    }
}

/* Adds weight * step * step^T to the covariance. */
static void add_product(struct gauss *gauss, const double *step, double weight)
{
    size_t n = gauss->n;
    for (size_t i = 0; i < n && gauss->separable; i++)
        gauss->covariance[i] += weight * step[i] * step[i];
    for (size_t i = 0; i < n && !gauss->separable; i++)
        for (size_t j = 0; j < n; j++)
            gauss->covariance[i * n + j] += weight * step[i] * step[j];
}

/* Moves the mean and both paths; false: sigma's path is long, so the covariance's must wait. */
static bool move(struct gauss *gauss)
{
    size_t n = gauss->n;
    double *mean_step = gauss->scratch + (gauss->separable ? n : n * n), *white = mean_step + n;
    for (size_t i = 0; i < n; i++) {
        mean_step[i] = 0;
        for (size_t k = 0; k < gauss->lambda && gauss->weights[k] > 0; k++)
            mean_step[i] += gauss->weights[k] * gauss->steps[k * n + i];
        gauss->mean[i] += gauss->sigma * mean_step[i];
    }
    whiten(gauss, mean_step, white);
    /* The path must not grow too fast from points that do not come from the distribution. */
    double size = (double)n, most = (sqrt(size) + 2 * size / (size + 2)) / sqrt(gauss->mu_eff);
    double shorter = fmin(1, most / (length(white, n) + 1e-300));
    double keep = 1 - gauss->c_sigma, gain = sqrt(gauss->c_sigma * (1 + keep) * gauss->mu_eff);
    for (size_t i = 0; i < n; i++)
        gauss->path_sigma[i] = keep * gauss->path_sigma[i] + gain * shorter * white[i];
    gauss->updates++;
    double full = sqrt(1 - pow(keep, 2 * gauss->updates));
    bool calm =
        length(gauss->path_sigma, n) / full / gauss->expected_length < 1.4 + 2 / ((double)n + 1);
    double rest = 1 - gauss->c_covariance;
    gain = calm ? sqrt(gauss->c_covariance * (1 + rest) * gauss->mu_eff) : 0;
    for (size_t i = 0; i < n; i++)
        gauss->path_covariance[i] = rest * gauss->path_covariance[i] + gain * mean_step[i];
    return calm;
}

static void reshape(struct gauss *gauss, const double *points, const double *lengths, bool calm)
{
    size_t n = gauss->n, size = gauss->separable ? n : n * n;
    double lost = calm ? 0 : gauss->c_covariance * (2 - gauss->c_covariance);
    double sum = 0;
    for (size_t k = 0; k < gauss->lambda; k++)
        sum += gauss->weights[k];
    double *before = gauss->scratch; /* the variances before the update */
    for (size_t i = 0; i < n; i++)
        before[i] = variance(gauss, i);
    for (size_t i = 0; i < size; i++)
        gauss->covariance[i] *= 1 + gauss->c_one * lost - gauss->c_one - gauss->c_mu * sum;
    add_product(gauss, gauss->path_covariance, gauss->c_one);
    for (size_t k = 0; k < gauss->lambda; k++) {
        double weight = gauss->weights[k];
        if (weight < 0) /* bad points count by their direction, not by their distance */
            weight *= (double)n / (lengths[k] * lengths[k] + 1e-12);
        add_product(gauss, gauss->steps + k * n, gauss->c_mu * weight);
        /* Where a point says nothing, the variance stays as it is. */
        for (size_t i = 0; i < n; i++)
            if (isnan(points[k * n + i]))
                gauss->covariance[gauss->separable ? i : i * n + i] +=
                    gauss->c_mu * gauss->weights[k] * before[i];
    }
}

void gauss_update(struct gauss *gauss, const double *points)
{
    if (gauss->n == 0)
        return;
    double *lengths = memory_new(gauss->lambda, sizeof *lengths);
    take_steps(gauss, points, lengths);
    bool calm = move(gauss);
    reshape(gauss, points, lengths, calm);
    double along = length(gauss->path_sigma, gauss->n) / gauss->expected_length - 1;
    gauss->sigma *= exp(fmin(1, gauss->c_sigma / gauss->d_sigma * along));
    decompose(gauss);
    free(lengths);
}
