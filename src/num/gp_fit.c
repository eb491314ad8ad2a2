/* gp_fit.c - what a Gaussian process learns: the most likely parameters. */
#include "num/gp_inside.h"
#include "num/minimise.h"

#include <math.h>

/*
 * A prior belief about a parameter: a normal distribution, and bounds. The one about lengths is
 * that of Hvarfner et al., written for logarithms, where it is normal as well. The noise may be as
 * small as rounding: most models of a study are noisier, but a function may be exact.
 */
struct belief {
    double middle, spread, low, high;
};

static struct belief belief_of(const struct gp *gp, size_t parameter)
{
    double root = 0.5 * log(fmax(gp->dimension, 1));
    if (parameter < gp->numbers)
        return (struct belief){log(0.2) + root, sqrt(3), log(0.01), log(300)};
    parameter -= gp->numbers;
    if (parameter < gp->categories)
        return (struct belief){log(0.7) - 0.5 * log((double)gp->categories), 1, log(1e-3), log(20)};
    if (parameter < gp->codes)
        return (struct belief){log(0.2), 1, log(1e-3), log(20)};
    switch ((enum gp_tail)(parameter - gp->codes)) {
    case GP_MIX: return (struct belief){-1, 1.5, -5, 5};
    case GP_AMPLITUDE: return (struct belief){0, 1, log(0.01), log(100)};
    default: return (struct belief){log(1e-4), 3, log(1e-8), 0};
    }
}

static bool has_mix(const struct gp *gp)
{
    return gp->numbers > 0 && gp->codes > 0;
}

void gp_use(struct gp *gp, const double *parameters)
{
    const double *tail = parameters + gp->numbers + gp->codes;
    if (parameters != gp->parameters)
        memcpy(gp->parameters, parameters, gp_parameter_count(gp) * sizeof *parameters);
    for (size_t d = 0; d < gp->numbers; d++) {
        gp->lengths[d] = exp(parameters[d]);
        for (size_t i = 0; i < gp->count; i++)
            gp->z[d * gp->capacity + i] = gp->x[d * gp->capacity + i] / gp->lengths[d];
    }
    for (size_t c = 0; c < gp->codes; c++)
        gp->weights[c] = exp(parameters[gp->numbers + c]);
    gp->mix = has_mix(gp) ? 1 / (1 + exp(-tail[GP_MIX])) : 0;
    gp->amplitude = exp(tail[GP_AMPLITUDE]);
    gp->noise = exp(tail[GP_NOISE]);
}

static void fill_plain(const struct gp *gp, double *parameters)
{
    for (size_t i = 0; i < gp_parameter_count(gp); i++)
        parameters[i] = belief_of(gp, i).middle;
    for (size_t d = 0; d < gp->numbers; d++)
        parameters[d] += log(2.0); /* start smooth: wiggles must be earned */
}

void gp_start(struct gp *gp)
{
    fill_plain(gp, gp->parameters);
    gp_use(gp, gp->parameters);
}

/* Minus the log of the prior beliefs. */
static double doubt(const struct gp *gp, const double *parameters, double *gradient)
{
    double sum = gp->mean * gp->mean / 2;
    for (size_t i = 0; i < gp_parameter_count(gp); i++) {
        struct belief belief = belief_of(gp, i);
        double off = (parameters[i] - belief.middle) / belief.spread;
        sum += off * off / 2;
        if (gradient)
            gradient[i] += off / belief.spread;
    }
    return sum;
}

/* ---- the gradient of the likelihood ---- */

/* Scratch space for one row of pairs. */
struct scratch {
    double *m, *e, *slope, *share;
};

static double dot_differing(const uint32_t *code, uint32_t here, const double *share, size_t count)
{
    double sum = 0;
    for (size_t j = 0; j < count; j++)
        sum += code[j] != here ? share[j] : 0;
    return sum;
}

static double dot_squares(const double *z, double here, const double *share, size_t count)
{
    double sums[4] = {0};
    size_t j = 0;
    for (; j + 4 <= count; j += 4)
        for (size_t k = 0; k < 4; k++)
            sums[k] += share[j + k] * (z[j + k] - here) * (z[j + k] - here);
    for (; j < count; j++)
        sums[0] += share[j] * (z[j] - here) * (z[j] - here);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* Adds the contribution of row i paired with the rows after it; `g` is dL/dK of these pairs. */
static void add_pairs(const struct gp *gp, size_t i, const double *g, struct scratch *s,
                      double *gradient)
{
    size_t from = i + 1, count = gp->count - from, stride = gp->capacity;
    struct gp_row row = {gp->z + i, gp->code + i, stride};
    double *tail = gradient + gp->numbers + gp->codes;
    gp_parts(gp, row, from, s->m, s->e, s->slope);
    for (size_t j = 0; j < count; j++)
        s->share[j] = g[j] * s->slope[j];
    for (size_t d = 0; d < gp->numbers; d++)
        gradient[d] += dot_squares(gp->z + d * stride + from, row.z[d * stride], s->share, count);
    for (size_t j = 0; j < count; j++)
        s->share[j] = g[j] * gp->amplitude * s->e[j] * ((1 - gp->mix) * s->m[j] + gp->mix / 2);
    for (size_t c = 0; c < gp->codes; c++)
        gradient[gp->numbers + c] -=
            gp->weights[c] *
            dot_differing(gp->code + c * stride + from, row.code[c * stride], s->share, count);
    for (size_t j = 0; j < count; j++) {
        double both = s->m[j] * s->e[j], half = (s->m[j] + s->e[j]) / 2;
        tail[GP_AMPLITUDE] += g[j] * gp->amplitude * ((1 - gp->mix) * both + gp->mix * half);
        tail[GP_MIX] += g[j] * gp->amplitude * gp->mix * (1 - gp->mix) * (half - both);
    }
}

/* `inverse` is the inverse covariance; it is overwritten by dL/dK, with each pair counted once. */
static void add_gradient(const struct gp *gp, double *inverse, double *gradient)
{
    size_t n = gp->count;
    double *tail = gradient + gp->numbers + gp->codes;
    double *memory = memory_new(4 * n, sizeof *memory);
    struct scratch scratch = {memory, memory + n, memory + 2 * n, memory + 3 * n};
    for (size_t i = 0; i < n; i++) {
        double *column = inverse + i * gp->capacity;
        for (size_t j = i; j < n; j++)
            column[j] -= gp->alpha[i] * gp->alpha[j];
        tail[GP_AMPLITUDE] += column[i] / 2 * gp->amplitude;
        tail[GP_NOISE] += column[i] / 2 * gp->noise;
        add_pairs(gp, i, column + i + 1, &scratch, gradient);
    }
    free(memory);
}

double gp_loss(struct gp *gp, const double *parameters, double *gradient)
{
    size_t n = gp->count;
    gp_use(gp, parameters);
    if (!gp_solve(gp, gp->factor, 0))
        return INFINITY;
    double loss = 0.5 * (double)n * log(2 * acos(-1.0));
    for (size_t i = 0; i < n; i++)
        loss += 0.5 * (gp->targets[i] - gp->mean) * gp->alpha[i] +
                log(gp->factor[i * gp->capacity + i]);
    if (gradient) {
        memset(gradient, 0, gp_parameter_count(gp) * sizeof *gradient);
        gp->cholesky->invert(gp->factor, n, gp->capacity);
        add_gradient(gp, gp->factor, gradient);
    }
    return loss + doubt(gp, gp->parameters, gradient);
}

static double loss_of(void *self, const double *x, double *gradient)
{
    return gp_loss(self, x, gradient);
}

void gp_fit(struct gp *gp, size_t evaluations, enum gp_start start)
{
    size_t all = gp_parameter_count(gp);
    double *memory = memory_new(4 * all, sizeof *memory);
    double *low = memory, *high = memory + all, *kept = memory + 2 * all, *fresh = memory + 3 * all;
    for (size_t i = 0; i < all; i++) {
        struct belief belief = belief_of(gp, i);
        low[i] = belief.low;
        high[i] = belief.high;
        kept[i] = fmin(fmax(gp->parameters[i], low[i]), high[i]);
    }
    struct minimise problem = {.count = all,
                               .low = low,
                               .high = high,
                               .evaluations = evaluations,
                               .first_step = 0.5,
                               .tolerance = 1e-3,
                               .self = gp,
                               .value = loss_of};
    double loss = start == GP_PLAIN ? INFINITY : minimise(&problem, kept);
    if (start != GP_HERE) {
        fill_plain(gp, fresh);
        if (!(loss <= minimise(&problem, fresh)))
            memcpy(kept, fresh, all * sizeof *kept);
    }
    gp_use(gp, kept);
    gp_factor(gp);
    free(memory);
}
