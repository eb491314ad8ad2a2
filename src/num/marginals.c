/* marginals.c - the means of one tree over all columns but one or two. */
#include "num/marginals.h"
#include "num/num.h"

/* A stretch of cells, excluding `end`. */
struct run {
    size_t begin, end;
};

/* ---- cells ---- */

/* Gives every column of numbers the thresholds of the tree, sorted, each once. */
static void find_edges(struct marginals *m)
{
    const struct tree *tree = m->tree;
    size_t *counts = memory_new(m->columns, sizeof *counts);
    for (size_t i = 0; i < tree->node_count; i++)
        counts[tree->nodes[i].column] += tree->nodes[i].kind == NODE_NUMBER;
    for (size_t i = 0; i < m->columns; i++)
        m->axes[i].edges = arena_new(&m->arena, counts[i] + 1, sizeof(double));
    for (size_t i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].kind == NODE_NUMBER) {
            struct axis *axis = &m->axes[tree->nodes[i].column];
            axis->edges[axis->count++] = tree->nodes[i].threshold;
        }
    for (size_t i = 0; i < m->columns; i++) {
        struct axis *axis = &m->axes[i];
        size_t kept = 0;
        qsort(axis->edges, axis->count, sizeof *axis->edges, num_compare);
        for (size_t k = 0; k < axis->count; k++)
            if (kept == 0 || axis->edges[k] > axis->edges[kept - 1])
                axis->edges[kept++] = axis->edges[k];
        axis->count = kept + 1;
    }
    free(counts);
}

static double level_weight(const struct importance_column *column, size_t level)
{
    return column->weights ? column->weights[level] : 1;
}

/* Sums up the shares of the cells of a column of numbers: levels, or lengths, up to each edge. */
static void weigh_numbers(struct axis *axis, const struct importance_column *column)
{
    double sum = 0;
    size_t level = 0;
    for (size_t i = 0; i < axis->count; i++) {
        double edge = i + 1 < axis->count ? axis->edges[i] : INFINITY;
        if (column->levels == 0)
            sum = fmin(fmax(edge, 0), 1);
        for (; level < column->levels && column->places[level] < edge; level++)
            sum += level_weight(column, level);
        axis->below[i + 1] = sum;
    }
}

static void weigh_categories(struct axis *axis, const struct importance_column *column)
{
    for (size_t i = 0; i < axis->count; i++)
        axis->below[i + 1] = axis->below[i] + level_weight(column, i);
}

static void make_axis(struct marginals *m, size_t number, const struct importance_column *column)
{
    struct axis *axis = &m->axes[number];
    if (m->categories[number] > 0)
        axis->count = m->categories[number];
    axis->below = arena_new(&m->arena, axis->count + 2, sizeof *axis->below);
    axis->means = arena_new(&m->arena, axis->count + 2, sizeof *axis->means);
    axis->outside = arena_new(&m->arena, axis->count + 1, sizeof *axis->outside);
    if (m->categories[number] > 0)
        weigh_categories(axis, column);
    else
        weigh_numbers(axis, column);
    double scale = (1 - column->missing) / axis->below[axis->count];
    for (size_t i = 1; i <= axis->count; i++)
        axis->below[i] *= scale;
    axis->below[axis->count + 1] = axis->below[axis->count] + column->missing;
    axis->end = axis->count;
    axis->share = 1;
}

static size_t find_cell(const struct axis *axis, double value)
{
    size_t low = 0, high = axis->count - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (axis->edges[middle] <= value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t marginals_cell(const struct marginals *m, size_t column, double value)
{
    const struct axis *axis = &m->axes[column];
    if (isnan(value))
        return axis->count;
    return m->categories[column] > 0 ? (size_t)value : find_cell(axis, value);
}

/* ---- descending the tree ---- */

static double cell_weight(const struct axis *axis, size_t cell)
{
    return axis->below[cell + 1] - axis->below[cell];
}

/* Excludes (by 1) or restores (by -1) the categories and missing values of the other side. */
static void mark_outside(struct marginals *m, const struct node *node, bool left, uint32_t by)
{
    struct axis *axis = &m->axes[node->column];
    if (node->kind != NODE_NUMBER)
        for (size_t i = 0; i < axis->count; i++)
            if (node_is_left(m->tree, node, (double)i) != left)
                axis->outside[i] += by;
    if (node->missing_left != left)
        axis->outside[axis->count] += by;
}

static double share_left(const struct marginals *m, size_t column)
{
    const struct axis *axis = &m->axes[column];
    double sum = 0;
    if (axis->outside[axis->count] == 0)
        sum = cell_weight(axis, axis->count);
    if (m->categories[column] == 0)
        return axis->end > axis->begin ? sum + axis->below[axis->end] - axis->below[axis->begin]
                                       : sum;
    for (size_t i = 0; i < axis->count; i++)
        if (axis->outside[i] == 0)
            sum += cell_weight(axis, i);
    return sum;
}

/* Descends to one side of a node. */
static void enter(struct marginals *m, const struct node *node, bool left)
{
    struct axis *axis = &m->axes[node->column];
    if (node->kind == NODE_NUMBER) {
        size_t edge = find_cell(axis, node->threshold); /* the first cell of the right side */
        if (left && axis->end > edge)
            axis->end = edge;
        else if (!left && axis->begin < edge)
            axis->begin = edge;
    }
    mark_outside(m, node, left, 1);
    if (axis->splits++ == 0)
        m->path[m->path_length++] = node->column;
    axis->share = share_left(m, node->column);
}

static void leave(struct marginals *m, const struct node *node, bool left,
                  const struct axis *before)
{
    struct axis *axis = &m->axes[node->column];
    mark_outside(m, node, left, (uint32_t)-1);
    axis->begin = before->begin;
    axis->end = before->end;
    axis->share = before->share;
    if (--axis->splits == 0)
        m->path_length--;
}

/* Lists the stretches of cells that are left on the way down; returns their number. */
static size_t list_runs(const struct marginals *m, size_t column, struct run *runs)
{
    const struct axis *axis = &m->axes[column];
    bool is_number = m->categories[column] == 0;
    size_t count = 0;
    if (is_number && axis->begin < axis->end)
        runs[count++] = (struct run){axis->begin, axis->end};
    for (size_t i = is_number ? axis->count : 0; i <= axis->count; i++) {
        if (axis->outside[i] > 0)
            continue;
        if (count > 0 && runs[count - 1].end == i)
            runs[count - 1].end++;
        else
            runs[count++] = (struct run){i, i + 1};
    }
    return count;
}

static void add_alone(struct marginals *m, double part)
{
    for (size_t i = 0; i < m->path_length; i++) {
        struct axis *axis = &m->axes[m->path[i]];
        size_t count = list_runs(m, m->path[i], m->runs[0]);
        for (size_t k = 0; k < count; k++) {
            axis->means[m->runs[0][k].begin] += part / axis->share;
            axis->means[m->runs[0][k].end] -= part / axis->share;
        }
        axis->counted += part;
    }
}

static void add_together(struct marginals *m, double part)
{
    const struct pair_cells *pair = m->pair;
    double value = part / m->axes[pair->first].share / m->axes[pair->second].share;
    size_t rows = list_runs(m, pair->first, m->runs[0]);
    size_t columns = list_runs(m, pair->second, m->runs[1]);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++) {
            struct run row = m->runs[0][i], column = m->runs[1][k];
            pair->means[row.begin * pair->stride + column.begin] += value;
            pair->means[row.begin * pair->stride + column.end] -= value;
            pair->means[row.end * pair->stride + column.begin] -= value;
            pair->means[row.end * pair->stride + column.end] += value;
        }
}

/*
 * Adds all leaves below a node that has this share of the space; returns their mean. Leaves that no
 * point of the space reaches are left out.
 */
static double walk(struct marginals *m, uint32_t at, double volume)
{
    const struct node *node = &m->tree->nodes[at];
    if (node->kind == NODE_LEAF) {
        double mean = m->tree->leaves[node->below].mean;
        if (m->pair)
            add_together(m, mean * volume);
        else
            add_alone(m, mean * volume);
        return mean;
    }
    struct axis *axis = &m->axes[node->column], before = *axis;
    double means[2] = {0}, parts[2] = {0};
    for (uint32_t side = 0; side < 2; side++) {
        enter(m, node, side == 0);
        parts[side] = axis->share / before.share;
        if (axis->share > 0)
            means[side] = walk(m, node->below + side, volume * parts[side]);
        leave(m, node, side == 0, &before);
    }
    double apart = means[0] - means[1];
    if (!m->pair)
        m->gains[node->column] += volume * parts[0] * parts[1] * apart * apart;
    return parts[0] * means[0] + parts[1] * means[1];
}

/* ---- marginals ---- */

/* Turns differences into means. Leaves that do not split on the column are the same everywhere. */
static void finish_axis(struct marginals *m, struct axis *axis)
{
    double sum = m->mean - axis->counted;
    for (size_t i = 0; i <= axis->count; i++) {
        sum += axis->means[i];
        axis->means[i] = sum;
    }
}

void marginals_open(struct marginals *m, const struct forest *forest, size_t tree,
                    const struct importance_column *columns)
{
    size_t count = forest->settings.columns, most = 1;
    *m = (struct marginals){
        .tree = &forest->trees[tree], .columns = count, .categories = forest->categories};
    m->axes = arena_new(&m->arena, count, sizeof *m->axes);
    m->gains = arena_new(&m->arena, count, sizeof *m->gains);
    m->path = arena_new(&m->arena, count, sizeof *m->path);
    find_edges(m);
    for (size_t i = 0; i < count; i++) {
        make_axis(m, i, &columns[i]);
        most = forest->categories[i] > most ? forest->categories[i] : most;
    }
    for (size_t i = 0; i < 2; i++)
        m->runs[i] = arena_new(&m->arena, most / 2 + 2, sizeof *m->runs[i]);
    m->mean = walk(m, 0, 1);
    for (size_t i = 0; i < count; i++) {
        finish_axis(m, &m->axes[i]);
        m->variance += m->gains[i];
    }
}

void marginals_close(struct marginals *m)
{
    arena_free(&m->arena);
}

double marginals_alone(const struct marginals *m, size_t column)
{
    const struct axis *axis = &m->axes[column];
    double sum = 0;
    for (size_t i = 0; i <= axis->count; i++) {
        double apart = axis->means[i] - m->mean;
        sum += cell_weight(axis, i) * apart * apart;
    }
    return sum;
}

void marginals_pair(struct marginals *m, struct pair_cells *pair, size_t first, size_t second)
{
    size_t rows = m->axes[first].count + 1;
    *pair = (struct pair_cells){.first = first, .second = second};
    pair->stride = m->axes[second].count + 2;
    pair->means = memory_new((rows + 1) * pair->stride, sizeof *pair->means);
    m->pair = pair;
    walk(m, 0, 1);
    m->pair = NULL;
    for (size_t i = 0; i < rows; i++) {
        double *row = pair->means + i * pair->stride, sum = 0;
        for (size_t k = 0; k + 1 < pair->stride; k++) {
            double above = i > 0 ? pair->means[(i - 1) * pair->stride + k] : 0;
            sum += row[k];
            row[k] = above + sum;
        }
    }
}

double marginals_together(const struct marginals *m, const struct pair_cells *pair)
{
    const struct axis *first = &m->axes[pair->first], *second = &m->axes[pair->second];
    double sum = 0;
    for (size_t i = 0; i <= first->count; i++) {
        const double *row = pair->means + i * pair->stride;
        double alone = first->means[i] - m->mean, of_row = 0;
        for (size_t k = 0; k <= second->count; k++) {
            double apart = row[k] - second->means[k] - alone;
            of_row += cell_weight(second, k) * apart * apart;
        }
        sum += cell_weight(first, i) * of_row;
    }
    return sum;
}
