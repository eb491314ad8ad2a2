/*
 * cmaes.c - a normal distribution that moves towards good points and takes their shape (CMA-ES).
 *
 * N. Hansen, "The CMA evolution strategy: a tutorial", 2016; the distribution itself is in gauss.c.
 * Each float, int or ordered parameter is one dimension, on the unit scale. A dimension with levels
 * has a margin: a minimum probability of leaving the level of the mean, as in R. Hamano et al.,
 * "CMA-ES with margin", 2022; here the spread is widened where it is too small, and the mean stays.
 * A choice is drawn by odds that move towards the values of good points, with a margin of their
 * own, as in R. Hamano et al., "CatCMA", 2024. A conditional parameter keeps its dimension; points
 * that lack the parameter say nothing about it.
 *
 * The search learns from results in the order in which they were told, `lambda` at a time, wherever
 * their points come from: an earlier distribution (trials run side by side), or the user. The state
 * is a function of that order, so the search needs no record of when each point was suggested. When
 * the distribution has converged, a new one starts elsewhere with twice as many points (A. Auger
 * and N. Hansen, "A restart CMA evolution strategy with increasing population size", 2005).
 */
#include "num/num.h"
#include "search/algorithm.h"
#include "search/gauss.h"

#include <math.h>

enum { OPTION_SIGMA, OPTION_POPULATION_SIZE, OPTION_RESTARTS };

enum { MOST_POPULATION = 10000 };

/* The probability of each value of a parameter without order. */
struct odds {
    size_t parameter, count;
    double *values;
};

struct cmaes {
    size_t *numbers; /* the parameter of each dimension */
    size_t number_count;
    struct odds *odds;
    size_t odds_count;
    size_t discrete; /* number of parameters with levels */
    struct gauss gauss;
    double first_sigma;
    /* What the search has learned from. */
    bool started;
    size_t taken;    /* number of results in past.told that were taken */
    uint32_t *block; /* entries for the next update */
    size_t block_count;
    size_t restarts;
    uint32_t newest;          /* newest entry that was told */
    uint32_t valid_from;      /* older entries date from before the last restart */
    double best;              /* best score since the restart */
    size_t stalled;           /* number of updates since it last improved */
    double *points, *targets; /* scratch space for an update */
};

/* ---- levels ---- */

/* The interval of the level at a place in [0, 1]; false when the parameter is continuous. */
static bool level_at(const struct parameter *parameter, double place, double *low, double *high)
{
    double levels = space_levels(parameter);
    if (isinf(levels) || (parameter->log && parameter->kind == PARAMETER_FLOAT))
        return false;
    double k = fmin(floor(place * levels), levels - 1);
    *low = k / levels;
    *high = (k + 1) / levels;
    if (parameter->log) {
        double value = space_at(parameter, place), first = log(parameter->low - 0.5);
        double all = log(parameter->high + 0.5) - first;
        *low = (log(value - 0.5) - first) / all;
        *high = (log(value + 0.5) - first) / all;
    }
    return true;
}

/*
 * The place of a point before it was folded: its own place or one of the two images beyond the
 * ends, each drawn with its probability under the distribution. Without this, all folded points
 * would lie on one side of a mean at the end of the range, and teach a shape that is not there.
 */
static double unfold(double place, double mean, double spread, struct random *random)
{
    double images[3] = {place, -place, 2 - place}, weights[3], sum = 0;
    double nearest = INFINITY;
    for (size_t i = 0; i < 3; i++)
        nearest = fmin(nearest, fabs(images[i] - mean));
    for (size_t i = 0; i < 3; i++) {
        double off = images[i] - mean;
        weights[i] = exp(0.5 * (nearest * nearest - off * off) / (spread * spread));
        sum += weights[i];
    }
    double left = sum * random_unit(random);
    for (size_t i = 0; i < 2; i++) {
        left -= weights[i];
        if (left < 0)
            return images[i];
    }
    return images[2];
}

/* The distance, in standard deviations, that a normal draw exceeds with the probability `part`. */
static double reach_of(double part)
{
    double low = 0, high = 10;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        if (0.5 * erfc(middle / 1.4142135623730951) > part)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The minimum probability that a discrete value changes: one change per update over all of them. */
static double margin(const struct cmaes *cmaes)
{
    double each = (double)cmaes->gauss.lambda * fmax(1, (double)cmaes->discrete);
    return fmin(0.25, 1 / each);
}

/* The factor by which the margin requires the spread of a dimension to be widened; 1: no change. */
static double widening(const struct search *search, size_t i, double reach)
{
    const struct cmaes *cmaes = search->state;
    const struct parameter *parameter = &search->space->parameters[cmaes->numbers[i]];
    double mean = cmaes->gauss.mean[i], low, high;
    if (!level_at(parameter, mean, &low, &high))
        return 1;
    /* There is no other level beyond an end of the range. */
    double down = low > 1e-9 ? mean - low : INFINITY, up = high < 1 - 1e-9 ? high - mean : INFINITY;
    double needed = fmin(down, up) / reach;
    return isinf(needed) ? 1 : fmax(1, needed / gauss_spread(&cmaes->gauss, i));
}

/* ---- starting ---- */

static void even_odds(struct cmaes *cmaes)
{
    for (size_t i = 0; i < cmaes->odds_count; i++)
        for (size_t k = 0; k < cmaes->odds[i].count; k++)
            cmaes->odds[i].values[k] = 1 / (double)cmaes->odds[i].count;
}

static void open_gauss(struct cmaes *cmaes, size_t lambda)
{
    gauss_open(&cmaes->gauss, cmaes->number_count, lambda, cmaes->first_sigma);
    cmaes->block = memory_new(lambda, sizeof *cmaes->block);
    cmaes->points = memory_new(lambda * cmaes->number_count, sizeof *cmaes->points);
    cmaes->targets = memory_new(lambda, sizeof *cmaes->targets);
    cmaes->block_count = 0;
    cmaes->best = INFINITY;
    cmaes->stalled = 0;
    even_odds(cmaes);
}

static void close_gauss(struct cmaes *cmaes)
{
    gauss_close(&cmaes->gauss);
    free(cmaes->block);
    free(cmaes->points);
    free(cmaes->targets);
}

struct ranked {
    double target;
    uint32_t entry, order;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    if (one->target != other->target)
        return one->target < other->target ? -1 : 1;
    return one->order < other->order ? -1 : one->order > other->order;
}

/* Sorts entries, best first, and fills in their targets; several objectives get one weighting. */
static void sort_entries(const struct search *search, uint32_t *entries, size_t count,
                         double *targets)
{
    struct cmaes *cmaes = search->state;
    struct ranked *ranked = memory_new(count, sizeof *ranked);
    struct past part = search->past;
    struct random random;
    random_seed(&random, search->settings->seed, UINT64_MAX - cmaes->taken);
    part.told = entries;
    part.told_count = count;
    past_targets(&part, &random, targets);
    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){targets[i], entries[i], (uint32_t)i};
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < count; i++) {
        targets[i] = ranked[i].target;
        entries[i] = ranked[i].entry;
    }
    free(ranked);
}

/* The mean and the spread of the best entries in a dimension. */
static void learn_dimension(const struct search *search, const uint32_t *entries, size_t count,
                            size_t i, double *spread)
{
    struct cmaes *cmaes = search->state;
    size_t at = cmaes->numbers[i];
    double sum = 0, squares = 0, known = 0;
    for (size_t k = 0; k < count; k++) {
        double value = past_point(&search->past, entries[k])[at];
        if (isnan(value))
            continue;
        double place = space_unit(&search->space->parameters[at], value);
        sum += place;
        squares += place * place;
        known++;
    }
    if (known > 0)
        cmaes->gauss.mean[i] = sum / known;
    *spread = 0;
    if (known > 1)
        *spread = fmax(0, squares / known - sum / known * (sum / known));
}

/*
 * Starts where the best tenth of the earlier results lies, with a little more than their spread (M.
 * Nomura et al., "Warm starting CMA-ES", 2021).
 */
static void start_warm(struct search *search)
{
    struct cmaes *cmaes = search->state;
    const struct past *past = &search->past;
    size_t count = past->earlier, best = (count + 9) / 10;
    uint32_t *entries = memory_new(count, sizeof *entries);
    double *targets = memory_new(count, sizeof *targets), all = 0;
    memcpy(entries, past->told, count * sizeof *entries);
    sort_entries(search, entries, count, targets);
    while (best > 0 && past->states[entries[best - 1]] != PAST_GOOD)
        best--;
    for (size_t i = 0; i < cmaes->number_count; i++) {
        double spread;
        learn_dimension(search, entries, best, i, &spread);
        all += spread / (double)cmaes->number_count;
    }
    if (best > 0)
        cmaes->gauss.sigma = fmin(cmaes->first_sigma, sqrt(all + 0.1 * 0.1));
    free(entries);
    free(targets);
}

/* ---- updates ---- */

/* Moves odds towards the values of good points; none falls below the margin. */
static void update_odds(const struct search *search, struct odds *odds)
{
    const struct cmaes *cmaes = search->state;
    const struct gauss *gauss = &cmaes->gauss;
    double count = (double)odds->count, least = fmin(0.5 / count, margin(cmaes) / (count - 1));
    double rate = gauss->mu_eff / (gauss->mu_eff + 2 + sqrt(count)), over = 0;
    for (size_t k = 0; k < gauss->lambda && gauss->weights[k] > 0; k++) {
        double value = past_point(&search->past, cmaes->block[k])[odds->parameter];
        if (isnan(value))
            continue;
        for (size_t v = 0; v < odds->count; v++)
            odds->values[v] *= 1 - rate * gauss->weights[k];
        odds->values[(size_t)value] += rate * gauss->weights[k];
    }
    for (size_t v = 0; v < odds->count; v++) {
        odds->values[v] = fmax(odds->values[v], least);
        over += odds->values[v] - least;
    }
    for (size_t v = 0; v < odds->count; v++) /* scale the sum to 1; none falls below `least` */
        odds->values[v] = least + (odds->values[v] - least) * (1 - count * least) / over;
}

/* True when nothing is left to find: it is narrow everywhere, or has made no progress for long. */
static bool has_converged(const struct search *search)
{
    const struct cmaes *cmaes = search->state;
    const struct gauss *gauss = &cmaes->gauss;
    size_t patience = 10 + 30 * (cmaes->number_count + cmaes->odds_count) / gauss->lambda;
    bool narrow = true;
    for (size_t i = 0; i < gauss->n && narrow; i++) {
        const struct parameter *parameter = &search->space->parameters[cmaes->numbers[i]];
        double low, high;
        bool has_level = level_at(parameter, gauss->mean[i], &low, &high);
        narrow = gauss_spread(gauss, i) < (has_level ? 0.2 * (high - low) : 1e-7);
    }
    for (size_t i = 0; i < cmaes->odds_count && narrow; i++) {
        double most = 0;
        for (size_t v = 0; v < cmaes->odds[i].count; v++)
            most = fmax(most, cmaes->odds[i].values[v]);
        narrow = most > 1 - 2 * margin(cmaes);
    }
    return narrow || cmaes->stalled > patience;
}

static void restart(struct search *search)
{
    struct cmaes *cmaes = search->state;
    size_t lambda = 2 * cmaes->gauss.lambda;
    struct random random;
    random_seed(&random, search->settings->seed, UINT64_MAX / 2 - cmaes->restarts);
    close_gauss(cmaes);
    open_gauss(cmaes, lambda < MOST_POPULATION ? lambda : MOST_POPULATION);
    for (size_t i = 0; i < cmaes->number_count; i++)
        cmaes->gauss.mean[i] = random_unit(&random);
    cmaes->restarts++;
    cmaes->valid_from = cmaes->newest;
}

static void note_progress(struct search *search)
{
    struct cmaes *cmaes = search->state;
    const struct past *past = &search->past;
    double score = past->scores[cmaes->block[0] * past->objectives];
    cmaes->stalled++;
    if (past->objectives > 1 || score < cmaes->best) {
        cmaes->best = score;
        cmaes->stalled = 0;
    }
}

/* The places of an entry's point, one per dimension. */
static void place_entry(const struct search *search, uint32_t entry, double *places)
{
    const struct cmaes *cmaes = search->state;
    const struct gauss *gauss = &cmaes->gauss;
    struct random random;
    random_seed(&random, search->settings->seed, UINT64_MAX / 4 - entry);
    for (size_t i = 0; i < gauss->n; i++) {
        const struct parameter *parameter = &search->space->parameters[cmaes->numbers[i]];
        double value = past_point(&search->past, entry)[cmaes->numbers[i]], low, high;
        double place = isnan(value) ? NAN : space_unit(parameter, value);
        if (isnan(place))
            places[i] = NAN;
        else if (level_at(parameter, place, &low, &high)) /* the place nearest to the mean */
            places[i] = fmin(fmax(gauss->mean[i], low), high);
        else
            places[i] = unfold(place, gauss->mean[i], gauss_spread(gauss, i), &random);
    }
}

/* A spread larger than at the start exceeds the range, and would only draw the ends. */
static void limit_spread(struct cmaes *cmaes)
{
    double widest = 0;
    for (size_t i = 0; i < cmaes->gauss.n; i++)
        widest = fmax(widest, gauss_spread(&cmaes->gauss, i));
    double most = fmax(cmaes->first_sigma, 0.3);
    if (widest > most)
        cmaes->gauss.sigma *= most / widest;
}

static void update(struct search *search)
{
    struct cmaes *cmaes = search->state;
    struct gauss *gauss = &cmaes->gauss;
    sort_entries(search, cmaes->block, gauss->lambda, cmaes->targets);
    note_progress(search);
    cmaes->block_count = 0;
    if (cmaes->targets[0] == cmaes->targets[gauss->lambda - 1]) {
        gauss->sigma = fmin(cmaes->first_sigma, 1.2 * gauss->sigma); /* a plateau: look farther */
        return;
    }
    for (size_t k = 0; k < gauss->lambda; k++)
        place_entry(search, cmaes->block[k], cmaes->points + k * gauss->n);
    gauss_update(gauss, cmaes->points);
    limit_spread(cmaes);
    for (size_t i = 0; i < cmaes->odds_count; i++)
        update_odds(search, &cmaes->odds[i]);
    if (cmaes->restarts < (size_t)algorithm_option(search, OPTION_RESTARTS) &&
        has_converged(search))
        restart(search);
}

static void sync(struct search *search)
{
    struct cmaes *cmaes = search->state;
    const struct past *past = &search->past;
    if (!cmaes->started && past->earlier > 0) {
        start_warm(search);
        cmaes->taken = past->earlier;
    }
    cmaes->started = true;
    while (cmaes->taken < past->told_count) {
        uint32_t entry = past->told[cmaes->taken++];
        cmaes->newest = entry > cmaes->newest ? entry : cmaes->newest;
        if (entry >= cmaes->valid_from)
            cmaes->block[cmaes->block_count++] = entry;
        if (cmaes->block_count == cmaes->gauss.lambda)
            update(search);
    }
}

/* ---- suggestions ---- */

static double draw_value(const struct odds *odds, struct random *random)
{
    double left = random_unit(random);
    for (size_t v = 0; v + 1 < odds->count; v++) {
        left -= odds->values[v];
        if (left < 0)
            return (double)v;
    }
    return (double)(odds->count - 1);
}

/* Fills `units`; `wider` is 1, or more when points drawn before were not new. */
static void draw_units(struct search *search, const double *widenings, double wider,
                       struct random *random, double *step)
{
    const struct cmaes *cmaes = search->state;
    const struct gauss *gauss = &cmaes->gauss;
    for (size_t i = 0; i < search->space->count; i++)
        search->units[i] = 0;
    gauss_draw(gauss, random, step);
    for (size_t i = 0; i < gauss->n; i++)
        search->units[cmaes->numbers[i]] =
            num_fold(gauss->mean[i] + gauss->sigma * step[i] * widenings[i] * wider);
    for (size_t i = 0; i < cmaes->odds_count; i++) {
        const struct odds *odds = &cmaes->odds[i];
        double value = draw_value(odds, random);
        if (random_unit(random) * wider > 1)
            value = (double)random_below(random, odds->count);
        search->units[odds->parameter] = (value + 0.5) / (double)odds->count;
    }
}

static enum search_answer ask_cmaes(struct search *search, uint64_t k, double *point)
{
    enum { TRIES = 50 };
    struct cmaes *cmaes = search->state;
    struct random random;
    sync(search);
    algorithm_random(search, k, &random);
    size_t n = cmaes->number_count;
    double *widenings = memory_new(2 * n, sizeof *widenings);
    double reach = reach_of(margin(cmaes));
    bool found = false;
    for (size_t i = 0; i < n; i++)
        widenings[i] = widening(search, i, reach);
    for (int i = 0; i < TRIES && !found; i++) {
        draw_units(search, widenings, 1 + i / 25.0, &random, widenings + n);
        space_point(search->space, search->units, point);
        found = space_allowed(search->space, point) && !past_has(&search->past, point);
    }
    free(widenings);
    return found ? SEARCH_POINT : algorithm_draw_new(search, &random, point);
}

/* ---- the algorithm ---- */

static void add_parameter(struct cmaes *cmaes, const struct space *space, size_t i)
{
    const struct parameter *parameter = &space->parameters[i];
    double levels = space_levels(parameter);
    if (parameter->kind == PARAMETER_CONSTANT || levels == 1)
        return;
    cmaes->discrete += isfinite(levels) ? 1 : 0;
    if (parameter->kind != PARAMETER_CHOICE) {
        cmaes->numbers[cmaes->number_count++] = i;
        return;
    }
    cmaes->odds[cmaes->odds_count++] = (struct odds){
        i, parameter->value_count, memory_new(parameter->value_count, sizeof(double))};
}

static void create_cmaes(struct search *search)
{
    struct cmaes *cmaes = search->state = memory_new(1, sizeof *cmaes);
    const struct space *space = search->space;
    cmaes->numbers = memory_new(space->count, sizeof *cmaes->numbers);
    cmaes->odds = memory_new(space->count, sizeof *cmaes->odds);
    for (size_t i = 0; i < space->count; i++)
        add_parameter(cmaes, space, i);
    double n = fmax(1, (double)(cmaes->number_count + cmaes->odds_count));
    double lambda = algorithm_option(search, OPTION_POPULATION_SIZE);
    cmaes->first_sigma = algorithm_option(search, OPTION_SIGMA);
    open_gauss(cmaes, (size_t)(isnan(lambda) ? 4 + floor(3 * log(n)) : lambda));
}

static void destroy_cmaes(struct search *search)
{
    struct cmaes *cmaes = search->state;
    close_gauss(cmaes);
    for (size_t i = 0; i < cmaes->odds_count; i++)
        free(cmaes->odds[i].values);
    free(cmaes->odds);
    free(cmaes->numbers);
    free(cmaes);
}

static const struct option options[] = {
    [OPTION_SIGMA] = OPTION_NUMBER("sigma", 1e-6, 1, 0.2,
                                   "initial spread, as a fraction of each parameter's range"),
    [OPTION_POPULATION_SIZE] = OPTION_WHOLE("population_size", 3, MOST_POPULATION, NAN,
                                            "results per update; default: 4 + 3 ln(parameters)"),
    [OPTION_RESTARTS] =
        OPTION_WHOLE("restarts", 0, 1000, 9,
                     "restarts after convergence, each with twice as many results per update"),
    {0},
};

const struct algorithm cmaes_algorithm = {
    .about = "evolution with a learned covariance: best for many numbers and many trials",
    .learns = true,
    .redraws = true,
    .options = options,
    .create = create_cmaes,
    .free = destroy_cmaes,
    .ask = ask_cmaes,
};
