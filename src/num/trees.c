/*
 * trees.c - how a tree of a forest grows (L. Breiman, "Random forests", 2001).
 *
 * Each column of numbers is sorted once. Every split divides all sorted lists and keeps their
 * order, so a level of the tree costs one pass over them, and nothing is sorted again. The
 * categories of a column are sorted by their mean targets, and the best set is among the prefixes
 * (W. Fisher, "On grouping for maximum homogeneity", 1958).
 *
 * A threshold is drawn between its two neighbours instead of being their midpoint: the mean of many
 * trees is then nearly linear between two rows, and the trees disagree most where the rows are far
 * apart (F. Hutter et al., "Algorithm runtime prediction", 2014, section 4.3.2).
 */
#include "num/trees.h"

/* The weight and the targets of a row of the sample, or of several rows together. */
struct mass {
    double weight, sum; /* sum: the targets times their weights */
};

struct grower {
    const struct forest *forest;
    struct tree *tree;
    struct random random;
    size_t count; /* number of rows in the sample */
    double least; /* least weight of a leaf */
    struct mass *masses;
    double *targets;
    double *values;   /* values of the sample, column by column */
    uint32_t *orders; /* the sample sorted by value, column by column, and once more in any order */
    uint32_t *scratch;
    uint8_t *lefts;    /* for each row: it goes to the left */
    uint32_t *columns; /* in an order drawn for each node */
    /* The masses of the categories of a column in a node; the last is for missing values. */
    struct mass *groups;
    uint32_t *present;
    uint64_t *set; /* categories on the left side of the best split */
    size_t most_categories;
};

/* A stretch of all sorted lists, which becomes a node. */
struct stretch {
    uint32_t node;
    size_t begin, end;
};

struct split {
    double score; /* larger is better: the reduction of the squared error, up to a constant */
    size_t column;
    double below, above; /* for numbers: the neighbours between which the threshold is drawn */
    int missing_left;    /* -1: no value is missing */
    bool is_set;
};

/* ---- the sorted lists of the forest ---- */

struct keyed {
    double value;
    uint32_t row;
};

/* Sorts by value, missing values last, and rows of the same value in their order. */
static int compare_keyed(const void *a, const void *b)
{
    const struct keyed *one = a, *other = b;
    bool missing_one = isnan(one->value), missing_other = isnan(other->value);
    if (missing_one != missing_other)
        return missing_one ? 1 : -1;
    if (one->value < other->value)
        return -1;
    if (one->value > other->value)
        return 1;
    return one->row < other->row ? -1 : one->row > other->row;
}

/* Merges new, sorted rows into a list, from its end; the list has room for them. */
static void merge(const struct forest *f, size_t column, const struct keyed *fresh, size_t count)
{
    uint32_t *order = f->orders[column];
    size_t old = f->ordered, to = old + count;
    while (count > 0) {
        struct keyed last = {0};
        if (old > 0)
            last = (struct keyed){f->values[order[old - 1] * f->settings.columns + column],
                                  order[old - 1]};
        bool take_old = old > 0 && compare_keyed(&last, &fresh[count - 1]) > 0;
        order[--to] = take_old ? order[--old] : fresh[--count].row;
    }
}

void forest_order(struct forest *f)
{
    size_t count = f->rows - f->ordered, columns = f->settings.columns;
    struct keyed *fresh = memory_new(count, sizeof *fresh);
    for (size_t column = 0; column < columns && count > 0; column++) {
        if (f->categories[column] > 0)
            continue;
        for (size_t i = 0; i < count; i++) {
            size_t row = f->ordered + i;
            fresh[i] = (struct keyed){f->values[row * columns + column], (uint32_t)row};
        }
        qsort(fresh, count, sizeof *fresh, compare_keyed);
        merge(f, column, fresh, count);
    }
    f->ordered = f->rows;
    free(fresh);
}

/* ---- the sample ---- */

/* Draws which of the first rows grow the tree; numbers[row] becomes its number in the sample. */
static void draw_sample(struct grower *g, size_t rows, uint32_t *numbers)
{
    const struct forest *f = g->forest;
    size_t most = f->settings.most_rows;
    double share = most > 0 && rows > most ? (double)most / (double)rows : 1;
    for (size_t row = 0; row < rows; row++) {
        bool taken = g->tree->weights[row] > 0 && (share >= 1 || random_unit(&g->random) < share);
        numbers[row] = taken ? (uint32_t)g->count++ : UINT32_MAX;
    }
}

/* Copies what the tree is grown from, so that growing it touches little memory. */
static void copy_sample(struct grower *g, size_t rows, const uint32_t *numbers)
{
    const struct forest *f = g->forest;
    size_t columns = f->settings.columns, count = g->count;
    for (size_t row = 0; row < rows; row++) {
        size_t at = numbers[row];
        if (at == UINT32_MAX)
            continue;
        double weight = g->tree->weights[row];
        g->masses[at] = (struct mass){weight, weight * f->scaled[row]};
        g->targets[at] = f->scaled[row];
        g->orders[columns * count + at] = (uint32_t)at;
        for (size_t column = 0; column < columns; column++)
            g->values[column * count + at] = f->values[row * columns + column];
    }
    for (size_t column = 0; column < columns; column++) {
        uint32_t *order = g->orders + column * count;
        for (size_t i = 0; f->categories[column] == 0 && i < f->rows; i++) {
            uint32_t row = f->orders[column][i];
            if (row < rows && numbers[row] != UINT32_MAX)
                *order++ = numbers[row];
        }
    }
}

static void grower_open(struct grower *g, struct forest *forest, size_t number, size_t rows)
{
    size_t columns = forest->settings.columns, categories = 0;
    *g = (struct grower){.forest = forest, .tree = &forest->trees[number]};
    g->least = (double)(forest->settings.least_leaf ? forest->settings.least_leaf : 1);
    random_seed(&g->random, forest->settings.seed + number, rows);
    uint32_t *numbers = memory_new(rows, sizeof *numbers);
    draw_sample(g, rows, numbers);
    for (size_t i = 0; i < columns; i++)
        categories = forest->categories[i] > categories ? forest->categories[i] : categories;
    g->most_categories = categories;
    g->masses = memory_new(g->count, sizeof *g->masses);
    g->targets = memory_new(g->count, sizeof *g->targets);
    g->values = memory_new(columns * g->count, sizeof *g->values);
    g->orders = memory_new((columns + 1) * g->count, sizeof *g->orders);
    g->scratch = memory_new(g->count, sizeof *g->scratch);
    g->lefts = memory_new(g->count, sizeof *g->lefts);
    g->columns = memory_new(columns, sizeof *g->columns);
    g->groups = memory_new(categories + 1, sizeof *g->groups);
    g->present = memory_new(categories + 1, sizeof *g->present);
    g->set = memory_new(categories / 64 + 1, sizeof *g->set);
    for (size_t i = 0; i < columns; i++)
        g->columns[i] = (uint32_t)i;
    copy_sample(g, rows, numbers);
    free(numbers);
}

static void grower_close(struct grower *g)
{
    free(g->masses);
    free(g->targets);
    free(g->values);
    free(g->orders);
    free(g->scratch);
    free(g->lefts);
    free(g->columns);
    free(g->groups);
    free(g->present);
    free(g->set);
}

/* ---- splits ---- */

/* The score of a split with `left` on its left side; below all others when a side is too small. */
static inline double score_of(const struct grower *g, struct mass all, struct mass left)
{
    struct mass right = {all.weight - left.weight, all.sum - left.sum};
    if (left.weight < g->least || right.weight < g->least)
        return -1;
    return left.sum * left.sum / left.weight + right.sum * right.sum / right.weight;
}

static inline struct mass mass_of_both(struct mass a, struct mass b)
{
    return (struct mass){a.weight + b.weight, a.sum + b.sum};
}

/* The end of the known values in a stretch of a sorted list, and the mass of the missing ones. */
static size_t known_end(const struct grower *g, const uint32_t *order, const double *values,
                        struct stretch s, struct mass *missing)
{
    size_t end = s.end;
    *missing = (struct mass){0};
    while (end > s.begin && isnan(values[order[end - 1]])) {
        end--;
        *missing = mass_of_both(*missing, g->masses[order[end]]);
    }
    return end;
}

/* Looks for a better split on a column of numbers; false when all its values are the same. */
static bool try_number(const struct grower *g, size_t column, struct stretch s, struct mass all,
                       struct split *best)
{
    const uint32_t *order = g->orders + column * g->count;
    const double *values = g->values + column * g->count;
    struct mass missing, left = {0};
    size_t end = known_end(g, order, values, s, &missing);
    bool is_missing = missing.weight > 0;
    if (end == s.begin || (!is_missing && values[order[s.begin]] == values[order[end - 1]]))
        return false;
    for (size_t i = s.begin; i < end; i++) {
        left = mass_of_both(left, g->masses[order[i]]);
        double here = values[order[i]], next = i + 1 < end ? values[order[i + 1]] : INFINITY;
        if (here == next || (i + 1 == end && !is_missing))
            continue;
        double score = score_of(g, all, left);
        if (score > best->score)
            *best = (struct split){score, column, here, next, is_missing ? 0 : -1, false};
        if (!is_missing || i + 1 == end)
            continue;
        score = score_of(g, all, mass_of_both(left, missing));
        if (score > best->score)
            *best = (struct split){score, column, here, next, 1, false};
    }
    return true;
}

static void group(const struct grower *g, size_t column, struct stretch s)
{
    const uint32_t *rows = g->orders + g->forest->settings.columns * g->count;
    const double *values = g->values + column * g->count;
    size_t categories = g->forest->categories[column];
    memset(g->groups, 0, (categories + 1) * sizeof *g->groups);
    for (size_t i = s.begin; i < s.end; i++) {
        double value = values[rows[i]];
        size_t at = isnan(value) ? categories : (size_t)value;
        g->groups[at] = mass_of_both(g->groups[at], g->masses[rows[i]]);
    }
}

static double mean_of(const struct mass *mass)
{
    return mass->sum / mass->weight;
}

static int compare_groups(const void *a, const void *b, void *groups)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    double mean_one = mean_of((struct mass *)groups + one);
    double mean_other = mean_of((struct mass *)groups + other);
    if (mean_one != mean_other)
        return mean_one < mean_other ? -1 : 1;
    return one < other ? -1 : one > other;
}

/* Fills in the categories of the left side, as bits; those not seen in the node are drawn. */
static void fill_set(struct grower *g, size_t categories, size_t count, size_t lefts)
{
    for (size_t i = 0; i < categories; i += 64)
        g->set[i / 64] = random_bits(&g->random);
    for (size_t i = 0; i < count; i++) {
        size_t category = g->present[i];
        uint64_t bit = UINT64_C(1) << (category % 64), *word = &g->set[category / 64];
        if (category < categories)
            *word = i < lefts ? *word | bit : *word & ~bit;
    }
}

/* Looks for a better split on a column of categories; false when only one is present. */
static bool try_set(struct grower *g, size_t column, struct stretch s, struct mass all,
                    struct split *best)
{
    size_t categories = g->forest->categories[column], count = 0, lefts = 0;
    group(g, column, s);
    for (size_t i = 0; i <= categories; i++)
        if (g->groups[i].weight > 0)
            g->present[count++] = (uint32_t)i;
    if (count < 2)
        return false;
    qsort_r(g->present, count, sizeof *g->present, compare_groups, g->groups);
    struct mass left = {0};
    int missing_left = g->groups[categories].weight > 0 ? 0 : -1;
    for (size_t i = 0; i + 1 < count; i++) {
        left = mass_of_both(left, g->groups[g->present[i]]);
        if (g->present[i] == categories)
            missing_left = 1;
        double score = score_of(g, all, left);
        if (score <= best->score)
            continue;
        *best = (struct split){score, column, 0, 0, missing_left, true};
        lefts = i + 1;
    }
    if (lefts > 0)
        fill_set(g, categories, count, lefts);
    return true;
}

/* Finds the best split of a stretch over some columns, drawn among those not constant in it. */
static bool find_split(struct grower *g, struct stretch s, struct mass all, struct split *best)
{
    size_t columns = g->forest->settings.columns;
    double share = g->forest->settings.column_share;
    double wanted = share > 0 ? ceil(share * (double)columns) : (double)columns;
    *best = (struct split){.score = -1};
    for (size_t i = 0; i < columns && wanted > 0; i++) {
        size_t at = i + random_below(&g->random, columns - i);
        uint32_t column = g->columns[at];
        g->columns[at] = g->columns[i];
        g->columns[i] = column;
        bool is_set = g->forest->categories[column] > 0;
        wanted -= is_set ? try_set(g, column, s, all, best) : try_number(g, column, s, all, best);
    }
    return best->score >= 0;
}

/* ---- the tree ---- */

/* Draws from (below, above], so that `below` itself goes to the left. */
static double draw_threshold(struct grower *g, double below, double above)
{
    double part = 1 - random_unit(&g->random);
    if (isinf(above)) /* all known values go to the left */
        return above;
    double threshold = below + part * (above - below);
    return threshold > below ? threshold : above;
}

static void make_leaf(struct grower *g, struct node *node)
{
    struct tree *tree = g->tree;
    tree->leaves =
        memory_grow(tree->leaves, &tree->leaf_capacity, tree->leaf_count + 1, sizeof *tree->leaves);
    *node = (struct node){.kind = NODE_LEAF, .below = (uint32_t)tree->leaf_count++};
}

static void make_split(struct grower *g, struct node *node, const struct split *split)
{
    struct tree *tree = g->tree;
    bool missing_left =
        split->missing_left < 0 ? random_bits(&g->random) >> 63 : split->missing_left == 1;
    size_t words = (g->forest->categories[split->column] + 63) / 64;
    *node = (struct node){.below = (uint32_t)tree->node_count,
                          .column = (uint32_t)split->column & 0x1fffffff,
                          .missing_left = missing_left};
    if (!split->is_set) {
        node->kind = NODE_NUMBER;
        node->threshold = draw_threshold(g, split->below, split->above);
    } else if (g->forest->categories[split->column] <= SET_CATEGORIES) {
        static const uint64_t last = UINT64_C(1) << 63;
        node->kind = NODE_SET;
        node->set = missing_left ? g->set[0] | last : g->set[0] & ~last;
    } else {
        node->kind = NODE_WORDS;
        node->set = tree->word_count;
        tree->words = memory_grow(tree->words, &tree->word_capacity, tree->word_count + words,
                                  sizeof *tree->words);
        memcpy(tree->words + tree->word_count, g->set, words * sizeof *tree->words);
        tree->word_count += words;
    }
    tree->node_count += 2;
}

/* Divides a stretch of one list, each side in its order; returns where the right side starts. */
static size_t part(const struct grower *g, uint32_t *list, struct stretch s)
{
    size_t left = s.begin, right = 0;
    for (size_t i = s.begin; i < s.end; i++) {
        uint32_t row = list[i];
        bool is_left = g->lefts[row];
        list[left] = row; /* one of the two writes is overwritten: cheaper than a branch */
        g->scratch[right] = row;
        left += is_left;
        right += !is_left;
    }
    memcpy(list + left, g->scratch, right * sizeof *list);
    return left;
}

static size_t part_all(struct grower *g, const struct node *node, struct stretch s)
{
    size_t columns = g->forest->settings.columns;
    uint32_t *rows = g->orders + columns * g->count;
    const double *values = g->values + node->column * g->count;
    for (size_t i = s.begin; i < s.end; i++)
        g->lefts[rows[i]] = node_is_left(g->tree, node, values[rows[i]]);
    for (size_t column = 0; column < columns; column++)
        if (g->forest->categories[column] == 0)
            part(g, g->orders + column * g->count, s);
    return part(g, rows, s);
}

/* The mass of a stretch; false when all its targets are the same. */
static bool weigh(const struct grower *g, struct stretch s, struct mass *all)
{
    const uint32_t *rows = g->orders + g->forest->settings.columns * g->count;
    double low = INFINITY, high = -INFINITY;
    *all = (struct mass){0};
    for (size_t i = s.begin; i < s.end; i++) {
        *all = mass_of_both(*all, g->masses[rows[i]]);
        low = fmin(low, g->targets[rows[i]]);
        high = fmax(high, g->targets[rows[i]]);
    }
    return low < high;
}

/* Makes a node from a stretch; true when it is split, at *middle. */
static bool make_node(struct grower *g, struct stretch s, size_t *middle)
{
    struct tree *tree = g->tree;
    struct mass all;
    struct split split;
    tree->nodes =
        memory_grow(tree->nodes, &tree->node_capacity, tree->node_count + 2, sizeof *tree->nodes);
    if (!weigh(g, s, &all) || all.weight < 2 * g->least || !find_split(g, s, all, &split)) {
        make_leaf(g, &tree->nodes[s.node]);
        return false;
    }
    make_split(g, &tree->nodes[s.node], &split);
    *middle = part_all(g, &tree->nodes[s.node], s);
    return true;
}

void tree_grow(struct forest *forest, size_t number, size_t rows)
{
    struct grower g;
    struct tree *tree = &forest->trees[number];
    grower_open(&g, forest, number, rows);
    tree->node_count = 1;
    tree->leaf_count = tree->word_count = tree->placed = 0;
    tree->grown = rows;
    size_t capacity = 0, waiting = 1, middle;
    struct stretch *stack = memory_grow(NULL, &capacity, 2, sizeof *stack);
    stack[0] = (struct stretch){0, 0, g.count};
    while (waiting > 0) {
        struct stretch s = stack[--waiting];
        if (!make_node(&g, s, &middle))
            continue;
        uint32_t below = tree->nodes[s.node].below;
        stack = memory_grow(stack, &capacity, waiting + 2, sizeof *stack);
        stack[waiting++] = (struct stretch){below + 1, middle, s.end};
        stack[waiting++] = (struct stretch){below, s.begin, middle};
    }
    free(stack);
    grower_close(&g);
}
