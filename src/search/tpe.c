/*
 * tpe.c - densities of good and bad points (tree-structured Parzen estimator).
 *
 * J. Bergstra et al., "Algorithms for hyper-parameter optimization", 2011; with a joint density
 * over all parameters as in S. Falkner et al., "BOHB", 2018; its parts are weighed against each
 * other in S. Watanabe, "Tree-structured Parzen estimator: understanding its algorithm components",
 * 2023.
 *
 * The best results so far make a density l of good points, the others a density g of bad ones.
 * Where l(x) / g(x) is largest, the expected improvement is too. Candidates are drawn from l, and
 * the best of them is suggested. Points that run count as bad, so that others look elsewhere.
 *
 * Conditions: a kernel says nothing about parameters that its point does not have (see parzen.h),
 * so parameters that are active together are one joint density, and those that all points have
 * learn from all of them.
 *
 * Candidates are drawn and weighed once for a few suggestions, as long as no result comes: the
 * pool. It depends on the results told and on k / POOL_ASKS alone, not on what runs; what runs is
 * added to g in the order of the entries. So the cache is a function of the past and k.
 */
#include "num/num.h"
#include "search/algorithm.h"
#include "search/parzen.h"

#include <math.h>

double tpe_tune[20] = {0.1, 25, 1, 1.0, 0.02, 0.3, 0.2, 1, 64, 1, 0.25, 1, 2, 0, 0, 0};

enum {
    POOL_ASKS = 8,      /* suggestions from one pool */
    BAD_NUMBERS = 8000, /* kernels times parameters of the bad density, at most... */
    BAD_LEAST = 64,     /* ...but so many kernels in any case */
    BAD_MOST = 1000,
};

enum { OPTION_STARTUP, OPTION_CANDIDATES, OPTION_GAMMA, OPTION_MOST_GOOD, OPTION_PRIOR_WEIGHT };

/* A result, to be sorted: better first, the newer of equals first. */
struct ranked {
    double target;
    uint32_t entry;
    uint32_t order; /* in which it was told */
};

struct tpe {
    struct axes axes;
    struct density good, bad;
    struct density running; /* widths of `bad`, one kernel for the moment */
    struct ranked *ranked;  /* all results, the best first */
    double *targets;
    size_t capacity; /* of the two */
    double *widths, *codes;
    size_t startup, candidates;
    /* The pool. */
    bool valid;
    size_t told_count;
    uint64_t block; /* k / POOL_ASKS */
    double *points; /* of the candidates */
    double *pool_codes;
    double *ratios;  /* log l - log g of the results alone */
    double *log_bad; /* log g with what runs */
    double *log_good;
    size_t pool_count;
    double *added; /* points that run and are in log_bad */
    uint32_t *added_entries;
    size_t added_count, added_capacity, added_entries_capacity;
};

/* ---- the split ---- */

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    if (one->target != other->target)
        return one->target < other->target ? -1 : 1;
    return one->order > other->order ? -1 : one->order < other->order;
}

static void rank_results(const struct past *past, struct tpe *tpe, struct random *random)
{
    if (past->told_count > tpe->capacity) {
        size_t capacity = tpe->capacity;
        tpe->targets = memory_grow(tpe->targets, &capacity, past->told_count, sizeof(double));
        tpe->ranked =
            memory_grow(tpe->ranked, &tpe->capacity, past->told_count, sizeof *tpe->ranked);
    }
    past_targets(past, random, tpe->targets);
    for (size_t i = 0; i < past->told_count; i++)
        tpe->ranked[i] = (struct ranked){tpe->targets[i], past->told[i], (uint32_t)i};
    qsort(tpe->ranked, past->told_count, sizeof *tpe->ranked, compare_ranked);
}

static size_t count_good(const struct search *search)
{
    const struct past *past = &search->past;
    double share = ceil(tpe_tune[0] * (double)past->told_count);
    if (tpe_tune[13] > 0)
        share = ceil(tpe_tune[13] * sqrt((double)past->told_count));
    size_t count = (size_t)fmin(share, tpe_tune[1]);
    if (count < 2)
        count = 2;
    return count < past->good_count ? count : past->good_count;
}

/* ---- the densities ---- */

/*
 * The width of the kernels on an axis by Scott's rule: the spread of the points, less for more of
 * them. It has a floor (the "magic clip"): few points that happen to agree say little.
 */
static double axis_width(const struct search *search, const struct axis *axis,
                         const struct ranked *ranked, size_t count, double factor)
{
    const struct past *past = &search->past;
    struct tpe *tpe = search->state;
    size_t i = (size_t)(axis - tpe->axes.axis);
    double sum = 0, squares = 0, known = 0;
    if (axis->kind == AXIS_CHOICE)
        return tpe_tune[6] * (1 - axis->resolution);
    for (size_t k = 0; k < count; k++) {
        double value = past_point(past, ranked[k].entry)[i];
        if (isnan(value))
            continue;
        double place = space_unit(axis->parameter, value);
        sum += place;
        squares += place * place;
        known++;
    }
    double dims = (double)tpe->axes.varying;
    double n = fmax(known, 1);
    double spread = sqrt(fmax(0, squares / n - sum / n * sum / n));
    /* The prior's spread counts as one point */
    if (tpe_tune[14] > 0)
        spread = sqrt((squares - sum * sum / n + tpe_tune[14] / 12) / (n + tpe_tune[14]));
    if (known < 2)
        spread = 0.2887;
    double width = factor * spread * pow(n, -1 / (4 + dims));
    double least = fmax(tpe_tune[4], 1 / fmin(100, tpe_tune[15] * (1 + n)));
    least = fmax(least, 0.5 * axis->resolution);
    return fmin(fmax(width, least), fmax(tpe_tune[5], least));
}

static void set_widths(const struct search *search, const struct ranked *ranked, size_t count,
                       double factor)
{
    struct tpe *tpe = search->state;
    for (size_t i = 0; i < tpe->axes.count; i++)
        tpe->widths[i] = axis_width(search, &tpe->axes.axis[i], ranked, count, factor);
}

static void add_entry(struct tpe *tpe, struct density *density, const double *point, double weight)
{
    axes_code(&tpe->axes, point, tpe->codes);
    density_add(density, tpe->codes, weight);
}

static void add_prior(struct tpe *tpe, struct density *density, double weight)
{
    for (size_t i = 0; i < tpe->axes.count; i++)
        tpe->codes[i] = NAN;
    density_add(density, tpe->codes, fmax(weight, 1e-12));
}

static void fit_good(const struct search *search, size_t count)
{
    struct tpe *tpe = search->state;
    set_widths(search, tpe->ranked, count, tpe_tune[3]);
    density_reset(&tpe->good, tpe->widths, count + 1);
    double n = (double)count;
    for (size_t k = 0; k < count; k++) {
        double weight = 1;
        if (tpe_tune[9] == 1)
            weight = log(n + 1) - log((double)k + 1);
        else if (tpe_tune[9] == 2)
            weight = (n - (double)k) / n;
        add_entry(tpe, &tpe->good, past_point(&search->past, tpe->ranked[k].entry), weight);
    }
    add_prior(tpe, &tpe->good, tpe_tune[2]);
}

/* Of many bad points the density takes some, evenly over their ranks. */
static void fit_bad(const struct search *search, const struct ranked *ranked, size_t count)
{
    struct tpe *tpe = search->state;
    size_t most = BAD_NUMBERS / (tpe->axes.varying + 1);
    most = most > BAD_MOST ? BAD_MOST : most < BAD_LEAST ? BAD_LEAST : most;
    size_t used = count < most ? count : most;
    set_widths(search, ranked, count, tpe_tune[7]);
    density_reset(&tpe->bad, tpe->widths, used + 1);
    density_reset(&tpe->running, tpe->widths, 1);
    for (size_t k = 0; k < used; k++)
        add_entry(tpe, &tpe->bad, past_point(&search->past, ranked[k * count / used].entry),
                  (double)count / (double)used);
    add_prior(tpe, &tpe->bad, tpe_tune[2]);
}

/* ---- the pool ---- */

static size_t draw_kernel(const struct density *density, struct random *random)
{
    double sum = 0;
    for (size_t k = 0; k < density->count; k++)
        sum += exp(density->log_weights[k]);
    double left = sum * random_unit(random);
    for (size_t k = 0; k + 1 < density->count; k++) {
        left -= exp(density->log_weights[k]);
        if (left < 0)
            return k;
    }
    return density->count - 1;
}

/* Draws a point from the good density. A local one keeps most of what its kernel's point has. */
static void draw_point(const struct search *search, bool local, struct random *random,
                       double *point)
{
    struct tpe *tpe = search->state;
    const struct space *space = search->space;
    size_t kernel = draw_kernel(&tpe->good, random);
    local = local && kernel + 1 < tpe->good.count;
    double change = 2.0 / (double)(tpe->axes.varying + 1);
    const double *from = local ? past_point(&search->past, tpe->ranked[kernel].entry) : NULL;
    for (size_t i = 0; i < space->count; i++) {
        const struct axis *axis = &tpe->axes.axis[i];
        point[i] = axis_value(axis, density_draw(&tpe->good, kernel, i, random));
        if (local && random_unit(random) >= change && !isnan(from[i]))
            point[i] = from[i];
    }
    space_deactivate(space, point);
}

static bool is_running(const struct past *past, const double *point)
{
    for (size_t i = 0; i < past->running_count; i++)
        if (space_same(past->space, point, past_point(past, past->running[i])))
            return true;
    return false;
}

static void fill_pool(struct search *search, struct random *random)
{
    struct tpe *tpe = search->state;
    size_t width = search->space->count;
    tpe->pool_count = 0;
    for (size_t i = 0; i < 2 * tpe->candidates && tpe->pool_count < tpe->candidates; i++) {
        double *point = tpe->points + tpe->pool_count * width;
        draw_point(search, random_unit(random) < tpe_tune[10], random, point);
        /* What runs stays: whether it does at this moment must make no difference to the pool. */
        if (!space_allowed(search->space, point) ||
            (past_has(&search->past, point) && !is_running(&search->past, point)))
            continue;
        double *codes = tpe->pool_codes + tpe->pool_count * width;
        axes_code(&tpe->axes, point, codes);
        tpe->log_good[tpe->pool_count] = density_log(&tpe->good, codes);
        tpe->ratios[tpe->pool_count] = density_log(&tpe->bad, codes);
        tpe->pool_count++;
    }
}

static void make_pool(struct search *search, uint64_t block)
{
    struct tpe *tpe = search->state;
    const struct past *past = &search->past;
    struct random random;
    random_seed(&random, search->settings->seed + past->told_count * UINT64_C(0x9e3779b97f4a7c15),
                block);
    rank_results(past, tpe, &random);
    size_t good = count_good(search);
    fit_good(search, good);
    fit_bad(search, tpe->ranked + good, past->told_count - good);
    fill_pool(search, &random);
    tpe->valid = true;
    tpe->told_count = past->told_count;
    tpe->block = block;
    tpe->added_count = 0;
    memcpy(tpe->log_bad, tpe->ratios, tpe->pool_count * sizeof *tpe->log_bad);
}

/* ---- what runs ---- */

static int compare_entries(const void *a, const void *b)
{
    const uint32_t *one = a, *other = b;
    return *one < *other ? -1 : *one > *other;
}

static void add_running(struct search *search, const double *point)
{
    struct tpe *tpe = search->state;
    size_t width = search->space->count;
    tpe->running.count = 0;
    add_entry(tpe, &tpe->running, point, tpe_tune[11]);
    for (size_t i = 0; i < tpe->pool_count; i++) {
        double more = density_log_one(&tpe->running, 0, tpe->pool_codes + i * width);
        double less = tpe->log_bad[i], most = fmax(more, less);
        tpe->log_bad[i] = most + log(exp(more - most) + exp(less - most));
    }
}

static void sync_running(struct search *search)
{
    struct tpe *tpe = search->state;
    const struct past *past = &search->past;
    size_t width = search->space->count, count = past->running_count;
    uint32_t *entries = memory_new(count, sizeof *entries);
    memcpy(entries, past->running, count * sizeof *entries);
    qsort(entries, count, sizeof *entries, compare_entries);
    bool extends = count >= tpe->added_count;
    for (size_t i = 0; i < tpe->added_count && extends; i++)
        extends = memcmp(tpe->added + i * width, past_point(past, entries[i]),
                         width * sizeof *tpe->added) == 0;
    if (!extends) { /* a suggestion was taken back */
        tpe->added_count = 0;
        memcpy(tpe->log_bad, tpe->ratios, tpe->pool_count * sizeof *tpe->log_bad);
    }
    tpe->added = memory_grow(tpe->added, &tpe->added_capacity, count, width * sizeof *tpe->added);
    for (; tpe->added_count < count; tpe->added_count++) {
        const double *point = past_point(past, entries[tpe->added_count]);
        memcpy(tpe->added + tpe->added_count * width, point, width * sizeof *point);
        add_running(search, point);
    }
    free(entries);
}

/* ---- the algorithm ---- */

static void create(struct search *search)
{
    struct tpe *tpe = search->state = memory_new(1, sizeof *tpe);
    size_t width = search->space->count;
    axes_open(&tpe->axes, search->space);
    density_open(&tpe->good, &tpe->axes);
    density_open(&tpe->bad, &tpe->axes);
    density_open(&tpe->running, &tpe->axes);
    double startup = algorithm_option(search, OPTION_STARTUP);
    double dims = (double)tpe->axes.varying;
    tpe->startup = (size_t)(isnan(startup) ? fmin(20, 5 + tpe_tune[12] * dims) : startup);
    tpe->candidates = (size_t)tpe_tune[8];
    tpe->widths = memory_new(width, sizeof(double));
    tpe->codes = memory_new(width, sizeof(double));
    tpe->points = memory_new(tpe->candidates * width, sizeof(double));
    tpe->pool_codes = memory_new(tpe->candidates * width, sizeof(double));
    tpe->ratios = memory_new(tpe->candidates, sizeof(double));
    tpe->log_good = memory_new(tpe->candidates, sizeof(double));
    tpe->log_bad = memory_new(tpe->candidates, sizeof(double));
}

static void destroy(struct search *search)
{
    struct tpe *tpe = search->state;
    density_close(&tpe->good);
    density_close(&tpe->bad);
    density_close(&tpe->running);
    axes_close(&tpe->axes);
    free(tpe->ranked);
    free(tpe->targets);
    free(tpe->widths);
    free(tpe->codes);
    free(tpe->points);
    free(tpe->pool_codes);
    free(tpe->ratios);
    free(tpe->log_good);
    free(tpe->log_bad);
    free(tpe->added);
    free(tpe);
}

/* An even start, as far as Sobol's sequence goes. */
static enum search_answer start(struct search *search, uint64_t k, double *point)
{
    const struct tpe *tpe = search->state;
    struct random random;
    algorithm_random(search, k, &random);
    if (tpe->axes.varying > SOBOL_DIMENSIONS)
        return algorithm_draw_new(search, &random, point);
    double even[SOBOL_DIMENSIONS];
    num_sobol(k, search->settings->seed, tpe->axes.varying, even);
    for (size_t i = 0, next = 0; i < search->space->count; i++)
        search->units[i] = tpe->axes.axis[i].kind != AXIS_CONSTANT ? even[next++] : 0;
    space_point(search->space, search->units, point);
    if (space_allowed(search->space, point) && !past_has(&search->past, point))
        return SEARCH_POINT;
    return algorithm_draw_new(search, &random, point);
}

static enum search_answer ask(struct search *search, uint64_t k, double *point)
{
    struct tpe *tpe = search->state;
    const struct past *past = &search->past;
    size_t width = search->space->count, best = SIZE_MAX;
    if (past->told_count < tpe->startup || past->good_count < 2)
        return start(search, k, point);
    if (!tpe->valid || tpe->told_count != past->told_count || tpe->block != k / POOL_ASKS)
        make_pool(search, k / POOL_ASKS);
    sync_running(search);
    for (size_t i = 0; i < tpe->pool_count; i++)
        if (!past_has(past, tpe->points + i * width) &&
            (best == SIZE_MAX ||
             tpe->log_good[i] - tpe->log_bad[i] > tpe->log_good[best] - tpe->log_bad[best]))
            best = i;
    if (best == SIZE_MAX) {
        struct random random;
        algorithm_random(search, k, &random);
        return algorithm_draw_new(search, &random, point);
    }
    memcpy(point, tpe->points + best * width, width * sizeof *point);
    return SEARCH_POINT;
}

static const struct search_option options[] = {
    {"startup", "even points before the first that is learnt; about 5 + 2 a parameter, at most 20",
     NULL, 1, 100000, NAN, true},
    {"candidates", "points that are drawn for a suggestion", NULL, 1, 10000, 64, true},
    {"gamma", "the share of the results that counts as good", NULL, 0.001, 0.9, 0.1, false},
    {"most_good", "results that count as good, at most", NULL, 1, 1000, 25, true},
    {"prior_weight", "how much an even density counts beside the best result", NULL, 0, 1000, 1,
     false},
    {0},
};

const struct algorithm tpe_algorithm = {
    .name = "tpe",
    .about = "densities of good and bad points (tree-structured Parzen estimator)",
    .learns = true,
    .redraws = true,
    .options = options,
    .create = create,
    .free = destroy,
    .ask = ask,
};
