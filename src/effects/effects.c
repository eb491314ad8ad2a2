/*
 * effects.c - what matters in a study: a forest learns the scores, and its variance is decomposed
 * (num/importance.h).
 *
 * Bad regions have the largest differences and would dominate the result. So scores far on the bad
 * side are clipped to a limit, beyond which few scores lie. With settings.best, the limit is the
 * worst score of the best share of the trials, so only differences between good trials remain.
 */
#include "effects/effects.h"
#include "effects/dimensions.h"
#include "num/num.h"

#include <math.h>
#include <unistd.h>

static const double LITTLE = 0.01; /* a share that is not worth mentioning */

enum {
    TREES = 64,
    MANY = 200, /* number of parameters above which half as many trees are grown */
    LEAST_LEAF = 3,
    TREE_ROWS = 4000,    /* rows that grow a tree; the cost of a pair grows with the square */
    TREE_CELLS = 600000, /* cells of these rows; fewer rows with very many parameters */
    ALL_CELLS = 8000000, /* cells of all rows */
    MOST_THREADS = 8,
    SEED = 1,
};

/* The trials that count, and the forest's view of them. */
struct learner {
    const struct journal *journal;
    size_t objective;
    struct dimensions dimensions;
    struct forest *forest;
    double factor; /* a score is a target times this; targets are in -1 .. 1, smaller is better */
    double limit;  /* worse targets are clipped to this one */
    uint32_t *indexes; /* indexes of the trials */
    double *targets;
    size_t count;
};

/* ---- scores ---- */

static double score_of(const struct journal *journal, size_t index, size_t objective)
{
    bool done = journal->trials[index].state == OUTCOME_DONE;
    return done ? journal_scores(journal, index)[objective] : NAN;
}

static bool is_maximized(const struct journal *journal, size_t objective)
{
    return journal->study.search.maximize[objective];
}

/* The number of rows, limited by rows and by cells. */
static size_t fit_rows(const struct learner *l, size_t rows, size_t cells)
{
    size_t columns = l->dimensions.count ? l->dimensions.count : 1;
    return cells / columns < rows ? cells / columns + 1 : rows;
}

/* Fills the trials with a score; an even selection if there are very many. */
static void choose_scores(struct learner *l)
{
    size_t scored = 0, seen = 0;
    for (size_t i = 0; i < l->journal->count; i++)
        scored += isfinite(score_of(l->journal, i, l->objective)) ? 1 : 0;
    size_t most = fit_rows(l, EFFECTS_ROWS, ALL_CELLS);
    most = scored < most ? scored : most;
    l->indexes = memory_new(most, sizeof *l->indexes);
    l->targets = memory_new(most, sizeof *l->targets);
    for (size_t i = 0; i < l->journal->count && l->count < most; i++) {
        double score = score_of(l->journal, i, l->objective);
        if (!isfinite(score) || seen++ * most / scored < l->count)
            continue;
        l->indexes[l->count] = (uint32_t)i;
        l->targets[l->count++] = score;
    }
}

/* Scores may be extremely large or small; their squares must not overflow or underflow. */
static void scale_targets(struct learner *l)
{
    double largest = 0;
    for (size_t i = 0; i < l->count; i++)
        largest = fmax(largest, fabs(l->targets[i]));
    largest = largest > 0 ? largest : 1;
    l->factor = is_maximized(l->journal, l->objective) ? -largest : largest;
    for (size_t i = 0; i < l->count; i++)
        l->targets[i] /= l->factor;
}

/*
 * The worst target that is not clipped: that of the best share, or the last one within five
 * interquartile ranges above the median. At most a tenth is clipped, and nothing if the worst is
 * near.
 */
static double find_limit(const double *sorted, size_t count, double best)
{
    double last = (double)(count - 1);
    if (best > 0)
        return sorted[(size_t)ceil(fmin(best, 1) * last)];
    double low = sorted[0], worst = sorted[count - 1];
    double between = sorted[(size_t)(0.75 * last)] - sorted[(size_t)(0.25 * last)];
    double reach = fmax(sorted[count / 2] + 5 * between, sorted[(size_t)(0.9 * last)]);
    if (worst - low < 1.5 * (reach - low) || reach == low)
        return worst;
    while (sorted[count - 1] > reach)
        count--;
    return sorted[count - 1];
}

/* Clips the targets; returns the number of those that were worse. */
static size_t limit_targets(struct learner *l, double best)
{
    double *sorted = memory_new(l->count, sizeof *sorted);
    size_t worse = 0;
    memcpy(sorted, l->targets, l->count * sizeof *sorted);
    qsort(sorted, l->count, sizeof *sorted, num_compare);
    l->limit = find_limit(sorted, l->count, best);
    free(sorted);
    for (size_t i = 0; i < l->count; i++)
        if (l->targets[i] > l->limit) {
            l->targets[i] = l->limit;
            worse++;
        }
    return worse;
}

/* ---- the forest ---- */

static int add_rows(struct learner *l, struct err *e)
{
    double *point = memory_new(l->journal->study.space.count, sizeof *point);
    double *row = memory_new(l->dimensions.count, sizeof *row);
    int failed = 0;
    for (size_t i = 0; i < l->count && !failed; i++) {
        struct random random;
        random_seed(&random, SEED, l->indexes[i]);
        failed = journal_point(l->journal, l->indexes[i], point, e);
        if (!failed) {
            dimensions_row(&l->dimensions, point, &random, row);
            forest_add(l->forest, row, l->targets[i]);
        }
    }
    free(point);
    free(row);
    return failed;
}

static int learn(struct learner *l, struct err *e)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    l->forest = forest_create(&(struct forest_settings){
        .columns = l->dimensions.count,
        .categories = l->dimensions.categories,
        .trees = l->dimensions.count > MANY ? TREES / 2 : TREES,
        .least_leaf = LEAST_LEAF,
        .column_share = 5.0 / 6,
        .most_rows = fit_rows(l, TREE_ROWS, TREE_CELLS),
        .seed = SEED,
        .threads = cores < 1              ? 1
                   : cores > MOST_THREADS ? MOST_THREADS
                                          : (unsigned)cores,
    });
    int failed = add_rows(l, e);
    if (!failed)
        forest_fit(l->forest);
    return failed;
}

/* The explained share of the variance, measured for each tree on trials that it has not seen. */
static double find_explained(const struct learner *l)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < l->count; i++)
        mean += l->targets[i];
    mean /= (double)l->count; /* exact if all scores are the same */
    for (size_t i = 0; i < l->count; i++)
        variance += pow(l->targets[i] - mean, 2) / (double)l->count;
    return variance > 0 ? 1 - forest_error(l->forest) / variance : NAN;
}

/* ---- effects ---- */

static int compare_effects(const void *a, const void *b)
{
    const struct effect *one = a, *other = b;
    if (one->share != other->share)
        return one->share < other->share ? 1 : -1;
    return one->parameter < other->parameter ? -1 : one->parameter > other->parameter;
}

/* The share of all pairs of points in which the later one has the larger mean. */
static double rising_share(const struct effect *effect)
{
    size_t rising = 0, all = 0;
    for (size_t i = 0; i < effect->curve_count; i++)
        for (size_t k = i + 1; k < effect->curve_count; k++) {
            all++;
            rising += effect->curve[k].mean > effect->curve[i].mean;
        }
    return all ? (double)rising / (double)all : 0.5;
}

/* Finds where the curve is best, that is, where `sign` times the mean is smallest. */
static void find_direction(struct effect *effect, bool is_choice, double sign)
{
    size_t best = 0, count = effect->curve_count;
    for (size_t i = 1; i < count; i++)
        if (sign * effect->curve[i].mean < sign * effect->curve[best].mean)
            best = i;
    effect->best = effect->curve[best].value;
    double rising = rising_share(effect);
    rising = sign > 0 ? rising : 1 - rising;
    effect->direction = EFFECT_NEAR;
    if (effect->share < LITTLE)
        effect->direction = EFFECT_FLAT;
    else if (effect->share <= effect->spread)
        effect->direction = EFFECT_UNCLEAR;
    else if (!is_choice && rising >= 0.8 && best <= count / 5)
        effect->direction = EFFECT_SMALLER;
    else if (!is_choice && rising <= 0.2 && best + 1 + count / 5 >= count)
        effect->direction = EFFECT_LARGER;
}

static void make_curve(const struct learner *l, struct effect *effect, size_t column,
                       struct arena *arena)
{
    const struct dimensions *d = &l->dimensions;
    double *values, *coded;
    size_t count = dimensions_grid(d, column, &values, &coded, arena);
    struct importance_share *shares = arena_new(arena, count, sizeof *shares);
    importance_curve(l->forest, dimensions_active(d, column, arena), column, values, count, shares);
    effect->curve = arena_new(arena, count, sizeof *effect->curve);
    effect->curve_count = count;
    for (size_t i = 0; i < count; i++)
        effect->curve[i] = (struct effect_place){coded[i], l->factor * shares[i].mean,
                                                 fabs(l->factor) * shares[i].spread};
    find_direction(effect, d->categories[column] > 0, l->factor > 0 ? 1 : -1);
}

static size_t column_of(const struct dimensions *d, size_t parameter)
{
    size_t i = 0;
    while (d->parameters[i] != parameter)
        i++;
    return i;
}

static void make_effects(struct effects *out, const struct learner *l,
                         const struct importance *measured)
{
    const struct dimensions *d = &l->dimensions;
    out->effects = arena_new(&out->arena, d->count, sizeof *out->effects);
    out->effect_count = d->count;
    for (size_t i = 0; i < d->count; i++)
        out->effects[i] = (struct effect){.parameter = d->parameters[i],
                                          .share = measured->alone[i].mean,
                                          .spread = measured->alone[i].spread};
    qsort(out->effects, d->count, sizeof *out->effects, compare_effects);
    for (size_t i = 0; i < d->count && i < EFFECTS_CURVES; i++)
        make_curve(l, &out->effects[i], column_of(d, out->effects[i].parameter), &out->arena);
}

static void make_pairs(struct effects *out, const struct learner *l,
                       const struct importance *measured)
{
    const size_t *parameters = l->dimensions.parameters;
    out->pairs = arena_new(&out->arena, measured->pair_count, sizeof *out->pairs);
    out->pair_count = measured->pair_count;
    for (size_t i = 0; i < measured->pair_count; i++) {
        const struct importance_pair *pair = &measured->pairs[i];
        const struct importance_share *share = &pair->share;
        out->pairs[i] = (struct effect_pair){
            .first = parameters[pair->first],
            .second = parameters[pair->second],
            .share = share->mean,
            .spread = share->spread,
            .clear = share->mean >= LITTLE && share->mean > share->spread,
        };
    }
    out->rest = out->effect_count > 0 ? 1 : 0;
    for (size_t i = 0; i < out->effect_count; i++)
        out->rest -= out->effects[i].share;
    for (size_t i = 0; i < out->pair_count; i++)
        out->rest -= out->pairs[i].share;
    out->rest = fmax(out->rest, 0);
}

/* Computes the surface of the first pair, if it matters and both have few enough values. */
static void make_surface(struct effects *out, const struct learner *l)
{
    const struct dimensions *d = &l->dimensions;
    struct effect_surface *s = &out->surface;
    if (out->pair_count == 0 || !out->pairs[0].clear)
        return;
    size_t first = column_of(d, out->pairs[0].first), second = column_of(d, out->pairs[0].second);
    double *rows, *columns;
    size_t height = dimensions_grid(d, first, &rows, &s->firsts, &out->arena);
    size_t width = dimensions_grid(d, second, &columns, &s->seconds, &out->arena);
    if (height * width > EFFECTS_SURFACE + 100)
        return;
    *s = (struct effect_surface){.first = d->parameters[first],
                                 .second = d->parameters[second],
                                 .firsts = s->firsts,
                                 .seconds = s->seconds,
                                 .first_count = height,
                                 .second_count = width};
    s->means = arena_new(&out->arena, height * width, sizeof *s->means);
    importance_surface(l->forest, d->columns, first, rows, height, second, columns, width,
                       s->means);
    for (size_t i = 0; i < height * width; i++)
        s->means[i] *= l->factor;
}

/* ---- all of it ---- */

static int refuse(const struct learner *l, struct err *e)
{
    if (l->dimensions.count == 0)
        return err_set(e, ERR_USER, "no parameter varies, so none can matter");
    if (l->count < EFFECTS_LEAST)
        return err_set(e, ERR_USER, "%zu %s a score: at least %d are needed to tell what matters",
                       l->count, l->count == 1 ? "trial has" : "trials have", EFFECTS_LEAST);
    return 0;
}

static void fill(struct effects *out, const struct learner *l)
{
    struct importance measured;
    importance_measure(&measured, l->forest, l->dimensions.columns, EFFECTS_PAIRS);
    out->trials = l->count;
    out->wanted = l->dimensions.count > 3 ? 10 * l->dimensions.count : 30;
    out->explained = find_explained(l);
    make_effects(out, l, &measured);
    make_pairs(out, l, &measured);
    make_surface(out, l);
    importance_free(&measured);
}

int effects_measure(struct effects *out, const struct journal *journal,
                    const struct effects_settings *settings, struct err *e)
{
    *out = (struct effects){.journal = journal, .objective = settings->objective};
    out->maximize = is_maximized(journal, settings->objective);
    struct learner l = {.journal = journal, .objective = settings->objective};
    dimensions_init(&l.dimensions, &journal->study.space);
    choose_scores(&l);
    int failed = refuse(&l, e);
    if (!failed) {
        scale_targets(&l);
        out->limited = limit_targets(&l, settings->best);
        out->limit = out->limited > 0 ? l.factor * l.limit : NAN;
        failed = learn(&l, e);
    }
    if (!failed)
        fill(out, &l);
    forest_free(l.forest);
    dimensions_free(&l.dimensions);
    free(l.indexes);
    free(l.targets);
    if (failed)
        effects_free(out);
    return failed;
}

void effects_free(struct effects *importance)
{
    arena_free(&importance->arena);
    *importance = (struct effects){0};
}
