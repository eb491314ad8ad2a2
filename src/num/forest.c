/* forest.c - a forest: its rows, the values of its leaves, and its predictions. */
#include "num/forest.h"

#include "num/trees.h"

#include <pthread.h>

struct forest *forest_create(const struct forest_settings *settings)
{
    struct forest *f = memory_new(1, sizeof *f);
    f->settings = *settings;
    f->settings.categories = NULL;
    f->categories = memory_new(settings->columns, sizeof *f->categories);
    if (settings->categories)
        memcpy(f->categories, settings->categories, settings->columns * sizeof *f->categories);
    f->orders = memory_new(settings->columns, sizeof *f->orders);
    f->trees = memory_new(settings->trees, sizeof *f->trees);
    f->scale = 1;
    return f;
}

void forest_free(struct forest *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->settings.trees; i++) {
        free(f->trees[i].nodes);
        free(f->trees[i].leaves);
        free(f->trees[i].words);
        free(f->trees[i].places);
        free(f->trees[i].weights);
    }
    for (size_t i = 0; i < f->settings.columns; i++)
        free(f->orders[i]);
    free(f->trees);
    free(f->orders);
    free(f->categories);
    free(f->values);
    free(f->targets);
    free(f->scaled);
    free(f);
}

/* ---- rows ---- */

/* Makes room for one more row; all arrays with one item per row have the same capacity. */
static void make_room(struct forest *f)
{
    size_t old = f->row_capacity, columns = f->settings.columns, capacity = old;
    if (f->rows < old)
        return;
    f->values = memory_grow(f->values, &capacity, old + 1, columns * sizeof *f->values);
    f->row_capacity = capacity;
    capacity = old;
    f->targets = memory_grow(f->targets, &capacity, old + 1, sizeof *f->targets);
    capacity = old;
    f->scaled = memory_grow(f->scaled, &capacity, old + 1, sizeof *f->scaled);
    for (size_t i = 0; i < columns; i++) {
        capacity = old;
        if (f->categories[i] == 0)
            f->orders[i] = memory_grow(f->orders[i], &capacity, old + 1, sizeof *f->orders[i]);
    }
    for (size_t i = 0; i < f->settings.trees; i++) {
        struct tree *tree = &f->trees[i];
        capacity = old;
        tree->places = memory_grow(tree->places, &capacity, old + 1, sizeof *tree->places);
        capacity = old;
        tree->weights = memory_grow(tree->weights, &capacity, old + 1, sizeof *tree->weights);
    }
}

/* How often a tree sees a row: a draw from the Poisson distribution with mean 1. */
static uint8_t draw_weight(const struct forest *f, size_t tree, size_t row)
{
    static const double up_to[] = {0.36787944, 0.73575888, 0.91969860, 0.98101184, 0.99634015};
    if (f->settings.whole)
        return 1;
    struct random random;
    random_seed(&random, f->settings.seed ^ (tree + 1) * UINT64_C(0x9e3779b97f4a7c15), row);
    double unit = random_unit(&random);
    uint8_t weight = 0;
    while (weight < 5 && unit >= up_to[weight])
        weight++;
    return row == 0 && weight == 0 ? 1 : weight; /* no tree is empty */
}

bool forest_add(struct forest *f, const double *row, double target)
{
    size_t columns = f->settings.columns;
    for (size_t i = 0; i < columns; i++) {
        if (isinf(row[i]))
            return false;
        if (f->categories[i] > 0 && !isnan(row[i]) && !(row[i] < (double)f->categories[i]))
            BUG("column %zu has no category %g", i, row[i]);
    }
    if (!isfinite(target))
        return false;
    make_room(f);
    memcpy(f->values + f->rows * columns, row, columns * sizeof *row);
    f->targets[f->rows] = target;
    for (size_t i = 0; i < f->settings.trees; i++)
        f->trees[i].weights[f->rows] = draw_weight(f, i, f->rows);
    f->rows++;
    return true;
}

size_t forest_rows(const struct forest *f)
{
    return f->rows;
}

void forest_retarget(struct forest *f, const double *targets, size_t count)
{
    memcpy(f->targets, targets, count * sizeof *targets);
}

/* Scales the targets of the first `rows` rows to -1 .. 1. */
static void scale_targets(struct forest *f, size_t rows)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < rows; i++) {
        low = fmin(low, f->targets[i]);
        high = fmax(high, f->targets[i]);
    }
    f->center = rows > 0 ? low / 2 + high / 2 : 0;
    f->scale = high > low ? high / 2 - low / 2 : 1;
    if (!(f->scale > 0)) /* halves of the smallest doubles are 0 */
        f->scale = high - low;
    for (size_t i = 0; i < rows; i++)
        f->scaled[i] = (f->targets[i] - f->center) / f->scale;
}

/* ---- growing ---- */

void forest_grow(struct forest *f, size_t tree, size_t rows)
{
    forest_order(f);
    scale_targets(f, rows);
    tree_grow(f, tree, rows);
}

void forest_set_least_leaf(struct forest *f, size_t rows)
{
    f->settings.least_leaf = rows;
}

size_t forest_grown(const struct forest *f, size_t tree)
{
    return f->trees[tree].grown;
}

/* The work of one thread: every n-th tree, where n is the number of threads. */
struct part {
    struct forest *forest;
    size_t first, step;
};

static void *grow_part(void *argument)
{
    const struct part *part = argument;
    struct forest *f = part->forest;
    for (size_t i = part->first; i < f->settings.trees; i += part->step)
        tree_grow(f, i, f->rows);
    return NULL;
}

void forest_fit(struct forest *f)
{
    enum { MOST = 64 };
    pthread_t threads[MOST];
    size_t count = f->settings.threads < 1 ? 1 : f->settings.threads, started = 1;
    count = count > MOST ? MOST : count;
    struct part parts[MOST] = {{f, 0, count}}; /* the first belongs to this thread */
    forest_order(f);
    scale_targets(f, f->rows);
    for (size_t i = 1; i < count; i++)
        parts[i] = (struct part){f, i, count};
    while (started < count &&
           pthread_create(&threads[started], NULL, grow_part, &parts[started]) == 0)
        started++;
    grow_part(&parts[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = started; i < count; i++) /* no more threads could be started */
        grow_part(&parts[i]);
    forest_settle(f);
}

/* ---- the leaves ---- */

static void leaf_count(struct leaf *leaf, double weight, double target)
{
    leaf->weight += weight;
    leaf->sum += weight * target;
    leaf->squares += weight * target * target;
}

static void leaf_finish(struct leaf *leaf)
{
    leaf->mean = leaf->weight > 0 ? leaf->sum / leaf->weight : 0;
    double variance = leaf->weight > 0 ? leaf->squares / leaf->weight - leaf->mean * leaf->mean : 0;
    leaf->variance = fmax(variance, 0);
}

static void settle_tree(struct forest *f, struct tree *tree)
{
    for (; tree->placed < f->rows; tree->placed++)
        tree->places[tree->placed] =
            tree_leaf(tree, f->values + tree->placed * f->settings.columns);
    memset(tree->leaves, 0, tree->leaf_count * sizeof *tree->leaves);
    for (size_t row = 0; row < f->rows; row++)
        leaf_count(&tree->leaves[tree->places[row]], tree->weights[row], f->scaled[row]);
    for (size_t i = 0; i < tree->leaf_count; i++)
        leaf_finish(&tree->leaves[i]);
}

void forest_settle(struct forest *f)
{
    scale_targets(f, f->rows);
    for (size_t i = 0; i < f->settings.trees; i++)
        if (f->trees[i].grown > 0)
            settle_tree(f, &f->trees[i]);
}

void forest_pretend(struct forest *f, const double *row, double target)
{
    double scaled = (target - f->center) / f->scale;
    for (size_t i = 0; i < f->settings.trees; i++) {
        if (f->trees[i].grown == 0)
            continue;
        struct leaf *leaf = &f->trees[i].leaves[tree_leaf(&f->trees[i], row)];
        leaf_count(leaf, 1, scaled);
        leaf_finish(leaf);
    }
}

/* ---- predictions ---- */

enum { LANES = 8 }; /* number of rows that go down a tree at a time */

/*
 * One value of a row, prepared for the nodes. A number has two queries: one for nodes that send a
 * missing value to the right, one for nodes that send it to the left. A category is the number of
 * its bit. So a step has no branch: the processor would mispredict it half of the time, and that
 * would be most of the cost of descending a tree.
 */
union query {
    double number;
    uint64_t category;
};

static void make_queries(const struct forest *f, const double *row, union query *queries)
{
    for (size_t i = 0; i < f->settings.columns; i++) {
        bool missing = isnan(row[i]), large = f->categories[i] > SET_CATEGORIES;
        union query *pair = queries + 2 * i;
        if (f->categories[i] > 0) {
            uint64_t none = large ? UINT64_MAX : SET_CATEGORIES;
            pair[0].category = pair[1].category = missing ? none : (uint64_t)row[i];
        } else {
            pair[0].number = missing ? INFINITY : row[i];
            pair[1].number = missing ? -INFINITY : row[i];
        }
    }
}

/* True when a category goes to the left; for columns with more categories than a word has bits. */
static uint64_t is_member(const struct tree *tree, const struct node *node, uint64_t category)
{
    if (category == UINT64_MAX)
        return node->missing_left;
    return tree->words[node->set + category / 64] >> (category % 64) & 1;
}

/* The node after this one, or this one if it is a leaf. */
static inline uint32_t next_node(const struct tree *tree, uint32_t at, const union query *queries)
{
    const struct node *node = &tree->nodes[at];
    uint32_t bits = node->bits;
    union query query = queries[bits >> 2]; /* 2 * column + missing_left */
    uint32_t below = query.number < node->threshold;
    uint32_t member = node->set >> (query.category & 63) & 1;
    uint32_t left = member ^ ((member ^ below) & (bits & 1)); /* numbers have the odd kind */
    if ((bits & 3) == NODE_WORDS)
        left = (uint32_t)is_member(tree, node, query.category);
    uint32_t inner = -(uint32_t)((bits & 3) != NODE_LEAF);
    return ((node->below + 1 - left) & inner) | (at & ~inner);
}

/*
 * Adds one tree's predictions for LANES rows: means, and means of the squares. The rows descend one
 * step each in turn: a step waits for memory and for the step before it, but not for the other
 * rows.
 */
static void add_tree(const struct tree *tree, const union query *queries, size_t width,
                     double *means, double *squares)
{
    uint32_t at[LANES] = {0}, moved = 1;
    while (moved) {
        moved = 0;
        for (size_t lane = 0; lane < LANES; lane++) {
            uint32_t next = next_node(tree, at[lane], queries + lane * width);
            moved |= next ^ at[lane];
            at[lane] = next;
        }
    }
    for (size_t lane = 0; lane < LANES; lane++) {
        const struct leaf *leaf = &tree->leaves[tree->nodes[at[lane]].below];
        means[lane] += leaf->mean;
        squares[lane] += leaf->variance + leaf->mean * leaf->mean;
    }
}

/* Predicts up to LANES rows; unused lanes repeat the first row. */
static void predict_lanes(const struct forest *f, const double *rows, size_t count,
                          union query *queries, double *means, double *variances)
{
    size_t width = 2 * f->settings.columns, trees = 0;
    double sums[LANES] = {0}, squares[LANES] = {0};
    for (size_t lane = 0; lane < LANES; lane++)
        make_queries(f, rows + (lane < count ? lane : 0) * f->settings.columns,
                     queries + lane * width);
    for (size_t i = 0; i < f->settings.trees; i++)
        if (f->trees[i].grown > 0) {
            add_tree(&f->trees[i], queries, width, sums, squares);
            trees++;
        }
    for (size_t i = 0; i < count; i++) {
        double mean = trees ? sums[i] / (double)trees : 0;
        double variance = trees ? fmax(squares[i] / (double)trees - mean * mean, 0) : 0;
        means[i] = f->center + f->scale * mean;
        variances[i] = f->scale * f->scale * variance;
    }
}

void forest_predict_many(const struct forest *f, const double *rows, size_t count, double *means,
                         double *variances)
{
    size_t columns = f->settings.columns;
    union query *queries = memory_new(LANES * 2 * columns, sizeof *queries);
    for (size_t i = 0; i < count; i += LANES)
        predict_lanes(f, rows + i * columns, count - i < LANES ? count - i : LANES, queries,
                      means + i, variances + i);
    free(queries);
}

void forest_predict(const struct forest *f, const double *row, double *mean, double *variance)
{
    forest_predict_many(f, row, 1, mean, variance);
}

double forest_error(const struct forest *f)
{
    double sum = 0;
    size_t counted = 0;
    for (size_t row = 0; row < f->rows; row++) {
        double mean = 0;
        size_t trees = 0;
        for (size_t i = 0; i < f->settings.trees; i++) {
            const struct tree *tree = &f->trees[i];
            if (row >= tree->placed || tree->weights[row] > 0)
                continue;
            mean += tree->leaves[tree->places[row]].mean;
            trees++;
        }
        if (trees == 0)
            continue;
        double error = f->scaled[row] - mean / (double)trees;
        sum += error * error;
        counted++;
    }
    return counted > 0 ? f->scale * f->scale * sum / (double)counted : NAN;
}
