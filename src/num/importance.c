/* importance.c - which columns matter in a forest: combines the marginals of its trees. */
#include "num/importance.h"
#include "num/marginals.h"

/* ---- over the trees ---- */

/* Sums of what the trees say. */
struct tally {
    double sum, squares;
};

static void tally_add(struct tally *tally, double value)
{
    tally->sum += value;
    tally->squares += value * value;
}

static struct importance_share tally_share(const struct tally *tally, size_t trees)
{
    if (trees == 0)
        return (struct importance_share){0};
    double mean = tally->sum / (double)trees;
    return (struct importance_share){mean,
                                     sqrt(fmax(tally->squares / (double)trees - mean * mean, 0))};
}

static bool is_grown(const struct forest *forest, size_t tree)
{
    return forest->trees[tree].grown > 0;
}

static size_t count_grown(const struct forest *forest)
{
    size_t count = 0;
    for (size_t i = 0; i < forest->settings.trees; i++)
        count += is_grown(forest, i);
    return count;
}

/* ---- columns and pairs ---- */

/* Measures what each column explains alone; fills `gains` with the shares of the splits on it. */
static void measure_columns(struct importance *out, const struct forest *forest,
                            const struct importance_column *columns, double *gains)
{
    size_t trees = count_grown(forest);
    struct tally *tallies = memory_new(out->columns, sizeof *tallies);
    for (size_t tree = 0; tree < forest->settings.trees; tree++) {
        if (!is_grown(forest, tree))
            continue;
        struct marginals m;
        marginals_open(&m, forest, tree, columns);
        for (size_t i = 0; i < out->columns && m.variance > 0; i++) {
            tally_add(&tallies[i], marginals_alone(&m, i) / m.variance);
            gains[i] += m.gains[i] / m.variance;
        }
        out->variance += m.variance * forest->scale * forest->scale / (double)trees;
        marginals_close(&m);
    }
    for (size_t i = 0; i < out->columns; i++)
        out->alone[i] = tally_share(&tallies[i], trees);
    free(tallies);
}

struct ranked {
    double gain;
    size_t column;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    if (one->gain != other->gain)
        return one->gain < other->gain ? 1 : -1;
    return one->column < other->column ? -1 : one->column > other->column;
}

/* Lists the pairs of the `most` columns with the largest gains. */
static void choose_pairs(struct importance *out, const double *gains, size_t most)
{
    struct ranked *ranked = memory_new(out->columns, sizeof *ranked);
    for (size_t i = 0; i < out->columns; i++)
        ranked[i] = (struct ranked){gains[i], i};
    qsort(ranked, out->columns, sizeof *ranked, compare_ranked);
    size_t count = most < out->columns ? most : out->columns;
    while (count > 0 && !(ranked[count - 1].gain > 0))
        count--;
    out->pairs = memory_new(count * count / 2 + 1, sizeof *out->pairs);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            out->pairs[out->pair_count++] =
                (struct importance_pair){.first = ranked[i].column, .second = ranked[k].column};
    free(ranked);
}

static int compare_pairs(const void *a, const void *b)
{
    const struct importance_pair *one = a, *other = b;
    return one->share.mean < other->share.mean ? 1 : -(one->share.mean > other->share.mean);
}

static void measure_pairs(struct importance *out, const struct forest *forest,
                          const struct importance_column *columns)
{
    struct tally *tallies = memory_new(out->pair_count, sizeof *tallies);
    for (size_t tree = 0; tree < forest->settings.trees && out->pair_count > 0; tree++) {
        if (!is_grown(forest, tree))
            continue;
        struct marginals m;
        marginals_open(&m, forest, tree, columns);
        for (size_t i = 0; i < out->pair_count && m.variance > 0; i++) {
            struct pair_cells pair;
            marginals_pair(&m, &pair, out->pairs[i].first, out->pairs[i].second);
            tally_add(&tallies[i], marginals_together(&m, &pair) / m.variance);
            free(pair.means);
        }
        marginals_close(&m);
    }
    for (size_t i = 0; i < out->pair_count; i++)
        out->pairs[i].share = tally_share(&tallies[i], count_grown(forest));
    qsort(out->pairs, out->pair_count, sizeof *out->pairs, compare_pairs);
    free(tallies);
}

void importance_measure(struct importance *out, const struct forest *forest,
                        const struct importance_column *columns, size_t most)
{
    *out = (struct importance){.columns = forest->settings.columns};
    out->alone = memory_new(out->columns, sizeof *out->alone);
    double *gains = memory_new(out->columns, sizeof *gains);
    measure_columns(out, forest, columns, gains);
    choose_pairs(out, gains, most);
    measure_pairs(out, forest, columns);
    free(gains);
}

void importance_free(struct importance *importance)
{
    free(importance->alone);
    free(importance->pairs);
    *importance = (struct importance){0};
}

/* ---- marginals at given values ---- */

void importance_curve(const struct forest *forest, const struct importance_column *columns,
                      size_t column, const double *values, size_t count,
                      struct importance_share *out)
{
    struct tally *tallies = memory_new(count, sizeof *tallies);
    for (size_t tree = 0; tree < forest->settings.trees; tree++) {
        if (!is_grown(forest, tree))
            continue;
        struct marginals m;
        marginals_open(&m, forest, tree, columns);
        for (size_t i = 0; i < count; i++)
            tally_add(&tallies[i], m.axes[column].means[marginals_cell(&m, column, values[i])]);
        marginals_close(&m);
    }
    for (size_t i = 0; i < count; i++) {
        struct importance_share scaled = tally_share(&tallies[i], count_grown(forest));
        out[i] = (struct importance_share){forest->center + forest->scale * scaled.mean,
                                           forest->scale * scaled.spread};
    }
    free(tallies);
}

/* Adds the prediction of one tree, divided by the number of trees. */
static void add_surface(struct marginals *m, struct pair_cells *pair, const double *firsts,
                        size_t first_count, const double *seconds, size_t second_count,
                        double factor, double *out)
{
    for (size_t i = 0; i < first_count; i++) {
        const double *row = pair->means + marginals_cell(m, pair->first, firsts[i]) * pair->stride;
        for (size_t k = 0; k < second_count; k++)
            out[i * second_count + k] += factor * row[marginals_cell(m, pair->second, seconds[k])];
    }
}

void importance_surface(const struct forest *forest, const struct importance_column *columns,
                        size_t first, const double *firsts, size_t first_count, size_t second,
                        const double *seconds, size_t second_count, double *out)
{
    double factor = forest->scale / (double)count_grown(forest);
    for (size_t i = 0; i < first_count * second_count; i++)
        out[i] = forest->center;
    for (size_t tree = 0; tree < forest->settings.trees; tree++) {
        if (!is_grown(forest, tree))
            continue;
        struct marginals m;
        struct pair_cells pair;
        marginals_open(&m, forest, tree, columns);
        marginals_pair(&m, &pair, first, second);
        add_surface(&m, &pair, firsts, first_count, seconds, second_count, factor, out);
        free(pair.means);
        marginals_close(&m);
    }
}
