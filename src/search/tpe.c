/*
 * tpe.c - densities of good and bad points (tree-structured Parzen estimator).
 *
 * J. Bergstra et al., "Algorithms for hyper-parameter optimization", 2011; with a joint density
 * over all parameters as in S. Falkner et al., "BOHB", 2018. S. Watanabe, "Tree-structured Parzen
 * estimator: understanding its algorithm components", 2023, compares the variants of its
 * components.
 *
 * The best results so far make a density l of good points, the others a density g of bad ones. The
 * expected improvement is largest where l(x) / g(x) is. Candidates are drawn from l, and the best
 * of them is suggested. Running points count as bad, so that others look elsewhere.
 *
 * Conditions: a kernel says nothing about parameters that its point does not have (see parzen.h),
 * so parameters that are active together have one joint density, and a parameter that all
 * points have is learned from all of them.
 *
 * As long as no result comes, a few suggestions share one set of candidates, drawn and weighed
 * once: the pool. It depends only on the results told and on k / POOL_ASKS, not on the running
 * trials; these are added to g in the order of the entries. So the cache is a function of the past
 * and k.
 */
#include "num/num.h"
#include "search/algorithm.h"
#include "search/parzen.h"

#include <math.h>

enum {
    POOL_ASKS = 16,     /* number of suggestions from one pool */
    BAD_NUMBERS = 8000, /* limit of kernels times parameters in the bad density... */
    BAD_LEAST = 64,     /* ...but at least this many kernels */
    BAD_MOST = 1000,
};

static const double choice_differs = 0.2; /* probability that a draw changes a kernel's choice */
static const double local_share = 0.1;    /* share of candidates near a good point in most axes */
static const double running_weight = 0.5; /* weight of a running point in the bad density */

enum { OPTION_STARTUP, OPTION_CANDIDATES, OPTION_GAMMA, OPTION_MOST_GOOD, OPTION_PRIOR_WEIGHT };

/* A result, to be sorted: better first; of equal results, the newer first. */
struct ranked {
    double target;
    uint32_t entry;
    uint32_t order; /* position in the order of telling */
};

/* Candidates that no result has made obsolete. */
struct pool {
    bool valid;
    size_t told_count; /* number of results that it is made from */
    uint64_t block;    /* k / POOL_ASKS */
    struct random random;
    size_t count, tries; /* number of candidates, and of draws for them */
    double *points, *codes;
    double *log_good;
    double *log_told; /* the bad density of the results alone */
    double *log_bad;  /* the same with the running points */
    double *running;  /* these points, in the order of their entries */
    size_t running_count, running_capacity;
};

struct tpe {
    struct axes axes;
    struct kernels kernels;
    struct density good, bad;
    struct density one; /* the kernel of a running point */
    struct ranked *ranked;
    double *targets;
    size_t ranked_capacity; /* capacity of both arrays */
    double *widths, *codes; /* scratch space, one per axis */
    size_t startup, candidates;
    struct pool pool;
};

/* ---- good and bad ---- */

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    if (one->target != other->target)
        return one->target < other->target ? -1 : 1;
    return one->order > other->order ? -1 : one->order < other->order;
}

static void rank_results(struct tpe *tpe, const struct past *past, struct random *random)
{
    size_t count = past->told_count, capacity = tpe->ranked_capacity;
    tpe->targets = memory_grow(tpe->targets, &capacity, count, sizeof *tpe->targets);
    tpe->ranked = memory_grow(tpe->ranked, &tpe->ranked_capacity, count, sizeof *tpe->ranked);
    past_targets(past, random, tpe->targets);
    for (size_t i = 0; i < count; i++)
        tpe->ranked[i] = (struct ranked){tpe->targets[i], past->told[i], (uint32_t)i};
    qsort(tpe->ranked, count, sizeof *tpe->ranked, compare_ranked);
}

static size_t count_good(const struct search *search)
{
    const struct past *past = &search->past;
    double share = ceil(algorithm_option(search, OPTION_GAMMA) * (double)past->told_count);
    size_t count = (size_t)fmin(share, algorithm_option(search, OPTION_MOST_GOOD));
    return count < past->good_count ? count : past->good_count;
}

/*
 * The width of the kernels on an axis follows Scott's rule: it grows with the spread of the good
 * points and falls with their number. It has a floor that falls with the number of results (the
 * "magic clip"): a few good points that happen to agree on a value say little.
 *
 * Both densities have the same widths, so their ratio estimates how likely a point is good, judged
 * by its neighbours. Separate widths, as is usual, make the ratio large wherever the wider density
 * reaches farther, near to points or not.
 */
static double axis_width(const struct tpe *tpe, const struct past *past, size_t i, size_t good)
{
    static const double scott = 0.7, widest = 0.3, narrowest = 0.02, even_spread = 0.2887;
    const struct axis *axis = &tpe->axes.axis[i];
    if (axis->kind == AXIS_CHOICE)
        return choice_differs * (1 - axis->resolution);
    double sum = 0, squares = 0, known = 0;
    for (size_t k = 0; k < good; k++) {
        double value = past_point(past, tpe->ranked[k].entry)[i];
        if (isnan(value))
            continue;
        double place = space_unit(axis->parameter, value);
        sum += place;
        squares += place * place;
        known++;
    }
    double spread = even_spread;
    if (known >= 2)
        spread = sqrt(fmax(0, squares / known - sum / known * (sum / known)));
    double width = scott * spread * pow(fmax(known, 1), -1 / (4 + (double)tpe->axes.varying));
    double least = fmax(narrowest, 0.12 * sqrt(20 / (double)past->told_count));
    least = fmax(least, 0.5 * axis->resolution);
    return fmin(fmax(width, least), fmax(widest, least));
}

static void add_kernel(struct tpe *tpe, struct density *density, const double *point, double weight)
{
    axes_code(&tpe->axes, point, tpe->codes);
    density_add(density, tpe->codes, weight);
}

static void add_prior(struct tpe *tpe, struct density *density, double weight)
{
    for (size_t i = 0; i < tpe->axes.count; i++)
        tpe->codes[i] = NAN;
    density_add(density, tpe->codes, fmax(weight, 1e-9)); /* a density is never 0 */
}

/* The better a point, the more it counts: the weights are like those of CMA-ES. */
static void fit_good(const struct search *search, size_t good)
{
    struct tpe *tpe = search->state;
    density_reset(&tpe->good, good + 1);
    for (size_t k = 0; k < good; k++)
        add_kernel(tpe, &tpe->good, past_point(&search->past, tpe->ranked[k].entry),
                   log(((double)good + 1) / ((double)k + 1)));
    add_prior(tpe, &tpe->good, algorithm_option(search, OPTION_PRIOR_WEIGHT));
}

/* If there are too many bad points, the density takes some of them, evenly over their ranks. */
static void fit_bad(const struct search *search, const struct ranked *ranked, size_t count)
{
    struct tpe *tpe = search->state;
    size_t most = BAD_NUMBERS / (tpe->axes.varying + 1);
    most = most > BAD_MOST ? BAD_MOST : most < BAD_LEAST ? BAD_LEAST : most;
    size_t used = count < most ? count : most;
    density_reset(&tpe->bad, used + 1);
    for (size_t k = 0; k < used; k++)
        add_kernel(tpe, &tpe->bad, past_point(&search->past, ranked[k * count / used].entry),
                   (double)count / (double)used);
    add_prior(tpe, &tpe->bad, algorithm_option(search, OPTION_PRIOR_WEIGHT));
}

static void fit(struct search *search, struct random *random)
{
    struct tpe *tpe = search->state;
    const struct past *past = &search->past;
    rank_results(tpe, past, random);
    size_t good = count_good(search);
    for (size_t i = 0; i < tpe->axes.count; i++)
        tpe->widths[i] = axis_width(tpe, past, i, good);
    kernels_set(&tpe->kernels, tpe->widths);
    fit_good(search, good);
    fit_bad(search, tpe->ranked + good, past->told_count - good);
}

/* ---- the pool ---- */

/* Draws a point from the good density. A local one keeps most values of its kernel's point. */
static void draw_point(const struct search *search, struct random *random, double *point)
{
    struct tpe *tpe = search->state;
    bool local = random_unit(random) < local_share;
    size_t kernel = density_draw_kernel(&tpe->good, random);
    bool is_prior = kernel + 1 == tpe->good.count;
    double change = 2 / (double)(tpe->axes.varying + 1);
    const double *from = past_point(&search->past, tpe->ranked[is_prior ? 0 : kernel].entry);
    for (size_t i = 0; i < tpe->axes.count; i++) {
        double code = density_draw(&tpe->good, kernel, i, random);
        bool keep = local && !is_prior && !isnan(from[i]) && random_unit(random) >= change;
        point[i] = keep ? from[i] : axis_value(&tpe->axes.axis[i], code);
    }
    space_deactivate(search->space, point);
}

static bool is_running(const struct past *past, const double *point)
{
    for (size_t i = 0; i < past->running_count; i++)
        if (space_same(past->space, point, past_point(past, past->running[i])))
            return true;
    return false;
}

/* Adds the kernel of a running point to the bad density of the candidates from `first` on. */
static void add_running(struct tpe *tpe, const double *point, size_t first)
{
    struct pool *pool = &tpe->pool;
    density_reset(&tpe->one, 1);
    add_kernel(tpe, &tpe->one, point, running_weight);
    for (size_t i = first; i < pool->count; i++) {
        double more = density_log(&tpe->one, pool->codes + i * tpe->axes.count);
        double most = fmax(more, pool->log_bad[i]), least = fmin(more, pool->log_bad[i]);
        pool->log_bad[i] = most + log1p(exp(least - most));
    }
}

/* Draws until there are `wanted` candidates; in a small space it gives up earlier. */
static void fill_pool(struct search *search, size_t wanted)
{
    struct tpe *tpe = search->state;
    struct pool *pool = &tpe->pool;
    const struct past *past = &search->past;
    size_t first = pool->count;
    for (; pool->count < wanted && pool->tries < 4 * wanted; pool->tries++) {
        double *point = pool->points + pool->count * past->width;
        double *codes = pool->codes + pool->count * past->width;
        draw_point(search, &pool->random, point);
        /* Running points stay: it must make no difference when the pool is filled. */
        if (!space_allowed(search->space, point) ||
            (past_has(past, point) && !is_running(past, point)))
            continue;
        axes_code(&tpe->axes, point, codes);
        pool->log_good[pool->count] = density_log(&tpe->good, codes);
        pool->log_told[pool->count] = density_log(&tpe->bad, codes);
        pool->log_bad[pool->count] = pool->log_told[pool->count];
        pool->count++;
    }
    for (size_t i = 0; first < pool->count && i < pool->running_count; i++)
        add_running(tpe, pool->running + i * past->width, first);
}

static void sync_pool(struct search *search, uint64_t k)
{
    struct tpe *tpe = search->state;
    struct pool *pool = &tpe->pool;
    uint64_t told = search->past.told_count, block = k / POOL_ASKS;
    if (!pool->valid || pool->told_count != told || pool->block != block) {
        random_seed(&pool->random, search->settings->seed + told * UINT64_C(0x9e3779b97f4a7c15),
                    block);
        fit(search, &pool->random);
        pool->valid = true;
        pool->told_count = told;
        pool->block = block;
        pool->count = pool->tries = pool->running_count = 0;
    }
    fill_pool(search, tpe->candidates + k % POOL_ASKS);
}

/* ---- running points ---- */

static void sync_running(struct search *search)
{
    struct tpe *tpe = search->state;
    struct pool *pool = &tpe->pool;
    const struct past *past = &search->past;
    size_t size = past->width * sizeof *pool->running, count = past->running_count;
    uint32_t *entries = past_running(past);
    bool extends = count >= pool->running_count;
    for (size_t i = 0; extends && i < pool->running_count; i++)
        extends = memcmp(pool->running + i * past->width, past_point(past, entries[i]), size) == 0;
    if (!extends) { /* a suggestion was taken back */
        pool->running_count = 0;
        memcpy(pool->log_bad, pool->log_told, pool->count * sizeof *pool->log_bad);
    }
    pool->running = memory_grow(pool->running, &pool->running_capacity, count, size);
    for (size_t i = pool->running_count; i < count; i++) {
        memcpy(pool->running + i * past->width, past_point(past, entries[i]), size);
        add_running(tpe, past_point(past, entries[i]), 0);
    }
    pool->running_count = count;
    free(entries);
}

/* ---- suggestions ---- */

/* An even start, as far as the Sobol sequence goes. */
static enum search_answer start(struct search *search, uint64_t k, double *point)
{
    struct random random;
    algorithm_random(search, k, &random);
    return algorithm_even(search, k, &random, point);
}

/* The index of the new candidate with the largest ratio, or -1. */
static int64_t best_candidate(const struct search *search)
{
    const struct tpe *tpe = search->state;
    const struct pool *pool = &tpe->pool;
    int64_t best = -1;
    double best_ratio = 0;
    for (size_t i = 0; i < pool->count; i++) {
        double ratio = pool->log_good[i] - pool->log_bad[i];
        if ((best >= 0 && ratio <= best_ratio) ||
            past_has(&search->past, pool->points + i * tpe->axes.count))
            continue;
        best = (int64_t)i;
        best_ratio = ratio;
    }
    return best;
}

static enum search_answer ask_tpe(struct search *search, uint64_t k, double *point)
{
    struct tpe *tpe = search->state;
    const struct past *past = &search->past;
    if (past->count < tpe->startup || past->told_count < (tpe->startup + 1) / 2 ||
        past->good_count == 0)
        return start(search, k, point);
    sync_pool(search, k);
    sync_running(search);
    int64_t best = best_candidate(search);
    if (best < 0) {
        struct random random;
        algorithm_random(search, k, &random);
        return algorithm_draw_new(search, &random, point);
    }
    memcpy(point, tpe->pool.points + (size_t)best * past->width, past->width * sizeof *point);
    return SEARCH_POINT;
}

static void create_tpe(struct search *search)
{
    struct tpe *tpe = search->state = memory_new(1, sizeof *tpe);
    struct pool *pool = &tpe->pool;
    size_t width = search->space->count;
    axes_open(&tpe->axes, search->space);
    kernels_open(&tpe->kernels, &tpe->axes);
    density_open(&tpe->good, &tpe->kernels);
    density_open(&tpe->bad, &tpe->kernels);
    density_open(&tpe->one, &tpe->kernels);
    double startup = algorithm_option(search, OPTION_STARTUP);
    tpe->startup =
        (size_t)(isnan(startup) ? fmin(20, 8 + 0.5 * (double)tpe->axes.varying) : startup);
    tpe->candidates = (size_t)algorithm_option(search, OPTION_CANDIDATES);
    tpe->widths = memory_new(width, sizeof(double));
    tpe->codes = memory_new(width, sizeof(double));
    size_t most = tpe->candidates + POOL_ASKS;
    pool->points = memory_new(most * width, sizeof(double));
    pool->codes = memory_new(most * width, sizeof(double));
    pool->log_good = memory_new(most, sizeof(double));
    pool->log_told = memory_new(most, sizeof(double));
    pool->log_bad = memory_new(most, sizeof(double));
}

static void destroy_tpe(struct search *search)
{
    struct tpe *tpe = search->state;
    density_close(&tpe->good);
    density_close(&tpe->bad);
    density_close(&tpe->one);
    kernels_close(&tpe->kernels);
    axes_close(&tpe->axes);
    free(tpe->ranked);
    free(tpe->targets);
    free(tpe->widths);
    free(tpe->codes);
    free(tpe->pool.points);
    free(tpe->pool.codes);
    free(tpe->pool.log_good);
    free(tpe->pool.log_told);
    free(tpe->pool.log_bad);
    free(tpe->pool.running);
    free(tpe);
}

static const struct option options[] = {
    [OPTION_STARTUP] = OPTION_WHOLE("startup", 1, 1e6, NAN,
                                    "results of even points before it learns; default: 8 plus half "
                                    "the number of parameters, at most 20"),
    [OPTION_CANDIDATES] =
        OPTION_WHOLE("candidates", 1, 1e4, 32,
                     "number of points of which the best is suggested; more are greedier"),
    [OPTION_GAMMA] =
        OPTION_NUMBER("gamma", 0.001, 0.9, 0.15, "share of the results that count as good"),
    [OPTION_MOST_GOOD] =
        OPTION_WHOLE("most_good", 1, 1000, 25, "largest number of results that count as good"),
    [OPTION_PRIOR_WEIGHT] = OPTION_NUMBER(
        "prior_weight", 0, 1000, 2, "weight of the uniform density; the best result has about 3"),
    {0},
};

const struct algorithm tpe_algorithm = {
    .about = "densities of good and bad points (tree-structured Parzen estimator)",
    .learns = true,
    .redraws = true,
    .options = options,
    .create = create_tpe,
    .free = destroy_tpe,
    .ask = ask_tpe,
};
