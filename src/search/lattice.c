/* lattice.c - the points of a finite space, numbered. */
#include "search/lattice.h"

#include <math.h>

/*
 * A stretch of levels of a parameter that all have the same number of points below them. A level
 * that some `when` names is a stretch of its own.
 */
struct stretch {
    uint64_t level;  /* the first level */
    uint64_t start;  /* the first place of that level among the places of the parameter */
    uint64_t weight; /* number of places per level */
};

struct axis {
    const struct parameter *parameter;
    const struct clause *hook; /* the clause that attaches it to its parent; NULL: a root */
    uint64_t levels;
    uint64_t weight;  /* number of places: the ways to fill in what is below, over all levels */
    size_t *children; /* in the order of the file */
    size_t child_count;
    struct stretch *stretches;
    size_t stretch_count;
};

/* ---- arithmetic that stops at LATTICE_ENDLESS ---- */

static uint64_t sum(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_add_overflow(a, b, &result) ? LATTICE_ENDLESS : result;
}

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? LATTICE_ENDLESS : result;
}

/* ---- levels of one parameter ---- */

static bool is_continuous(const struct parameter *parameter)
{
    return parameter->kind == PARAMETER_FLOAT && isinf(space_levels(parameter));
}

uint64_t lattice_levels(const struct parameter *parameter, uint64_t levels)
{
    if (is_continuous(parameter)) {
        bool own = parameter->levels > 0 && levels != LATTICE_ENDLESS;
        return own ? parameter->levels : levels > 0 ? levels : LATTICE_ENDLESS;
    }
    double count = space_levels(parameter);
    return count < 0x1p63 ? (uint64_t)count : LATTICE_ENDLESS;
}

static double step_of(const struct parameter *parameter)
{
    return parameter->step > 0 ? parameter->step : 1;
}

static double value_at(const struct axis *axis, uint64_t level)
{
    const struct parameter *parameter = axis->parameter;
    double k = (double)level, levels = (double)axis->levels;
    switch (parameter->kind) {
    case PARAMETER_CHOICE:
    case PARAMETER_ORDERED:
    case PARAMETER_CONSTANT: return k;
    case PARAMETER_INT: return parameter->low + k * step_of(parameter);
    case PARAMETER_FLOAT: break;
    }
    if (!is_continuous(parameter) || levels == 1)
        return space_at(parameter, (k + 0.5) / levels);
    if (level == 0)
        return parameter->low;
    return level == axis->levels - 1 ? parameter->high : space_at(parameter, k / (levels - 1));
}

/* The level that has this value, or LATTICE_NONE. */
static uint64_t level_of(const struct axis *axis, double value)
{
    const struct parameter *parameter = axis->parameter;
    double k = value, levels = (double)axis->levels;
    if (parameter->kind == PARAMETER_INT)
        k = (value - parameter->low) / step_of(parameter);
    else if (is_continuous(parameter))
        k = rint(space_unit(parameter, value) * (levels - 1));
    else if (parameter->kind == PARAMETER_FLOAT)
        k = floor(space_unit(parameter, value) * levels);
    if (!(k >= 0 && k < levels))
        return LATTICE_NONE;
    return value_at(axis, (uint64_t)k) == value ? (uint64_t)k : LATTICE_NONE;
}

/* ---- making it ---- */

static bool holds(const struct clause *clause, double value)
{
    for (size_t i = 0; i < clause->count; i++)
        if (clause->values[i] == value)
            return true;
    return false;
}

/* The clause whose parent comes last in the order: its condition often implies the others. */
static const struct clause *hook_of(const struct parameter *parameter, const size_t *rank)
{
    const struct clause *last = NULL;
    for (size_t i = 0; i < parameter->when_count; i++) {
        const struct clause *clause = &parameter->when[i];
        if (!last || rank[clause->parameter] > rank[last->parameter])
            last = clause;
    }
    return last;
}

static void hang_axes(struct lattice *lattice, uint64_t levels)
{
    const struct space *space = lattice->space;
    size_t *rank = memory_new(space->count, sizeof *rank);
    for (size_t i = 0; i < space->count; i++)
        rank[space->order[i]] = i;
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        const struct clause *hook = hook_of(parameter, rank);
        struct axis *axis = &lattice->axes[i];
        axis->parameter = parameter;
        axis->levels = lattice_levels(parameter, levels);
        axis->hook = hook;
        lattice->gaps |= parameter->when_count > 1;
        if (hook)
            lattice->axes[hook->parameter].child_count++;
    }
    free(rank);
}

static void list_children(struct lattice *lattice)
{
    size_t count = lattice->space->count;
    for (size_t i = 0; i < count; i++) {
        struct axis *axis = &lattice->axes[i];
        axis->children = arena_new(&lattice->memory, axis->child_count, sizeof *axis->children);
        axis->child_count = 0;
    }
    for (size_t i = 0; i < count; i++)
        if (lattice->axes[i].hook) {
            struct axis *parent = &lattice->axes[lattice->axes[i].hook->parameter];
            parent->children[parent->child_count++] = i;
        }
}

static int compare_levels(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

/* Lists the levels that the children's hooks name, in order, each once; returns their number. */
static size_t named_levels(const struct lattice *lattice, const struct axis *axis, uint64_t **out)
{
    size_t count = 0, capacity = 0, kept = 0;
    uint64_t *levels = NULL;
    for (size_t i = 0; i < axis->child_count; i++) {
        const struct clause *hook = lattice->axes[axis->children[i]].hook;
        for (size_t j = 0; j < hook->count; j++) {
            uint64_t level = level_of(axis, hook->values[j]);
            if (level == LATTICE_NONE)
                continue;
            levels = memory_grow(levels, &capacity, count + 1, sizeof *levels);
            levels[count++] = level;
        }
    }
    if (count > 1)
        qsort(levels, count, sizeof *levels, compare_levels);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || levels[kept - 1] != levels[i])
            levels[kept++] = levels[i];
    *out = levels;
    return kept;
}

/* The number of ways to fill in what is attached below this value. */
static uint64_t weight_below(const struct lattice *lattice, const struct axis *axis, double value)
{
    uint64_t weight = 1;
    for (size_t i = 0; i < axis->child_count; i++) {
        const struct axis *child = &lattice->axes[axis->children[i]];
        if (holds(child->hook, value))
            weight = product(weight, child->weight);
    }
    return weight;
}

static void add_stretch(struct axis *axis, uint64_t level, uint64_t levels, uint64_t weight)
{
    if (levels == 0)
        return;
    axis->stretches[axis->stretch_count++] = (struct stretch){level, axis->weight, weight};
    axis->weight = sum(axis->weight, product(levels, weight));
}

/* The weights of the children must be known. */
static void measure_axis(struct lattice *lattice, struct axis *axis)
{
    if (axis->levels == LATTICE_ENDLESS) {
        axis->weight = LATTICE_ENDLESS;
        return;
    }
    uint64_t *named, next = 0;
    size_t count = named_levels(lattice, axis, &named);
    axis->stretches = arena_new(&lattice->memory, 2 * count + 1, sizeof *axis->stretches);
    for (size_t i = 0; i < count; i++) {
        add_stretch(axis, next, named[i] - next, 1);
        add_stretch(axis, named[i], 1, weight_below(lattice, axis, value_at(axis, named[i])));
        next = named[i] + 1;
    }
    add_stretch(axis, next, axis->levels - next, 1);
    free(named);
}

void lattice_open(struct lattice *lattice, const struct space *space, uint64_t levels)
{
    bool gaps = space->forbidden_count > 0 || space->constraint_count > 0;
    *lattice = (struct lattice){.space = space, .total = 1, .gaps = gaps};
    lattice->axes = arena_new(&lattice->memory, space->count, sizeof *lattice->axes);
    lattice->places = arena_new(&lattice->memory, space->count, sizeof *lattice->places);
    hang_axes(lattice, levels);
    list_children(lattice);
    for (size_t i = space->count; i-- > 0;) {
        struct axis *axis = &lattice->axes[space->order[i]];
        measure_axis(lattice, axis);
        if (!axis->hook)
            lattice->total = product(lattice->total, axis->weight);
    }
}

void lattice_close(struct lattice *lattice)
{
    arena_free(&lattice->memory);
}

/* ---- from an index to a point ---- */

static const struct stretch *stretch_of_place(const struct axis *axis, uint64_t place)
{
    size_t i = axis->stretch_count - 1;
    while (axis->stretches[i].start > place)
        i--;
    return &axis->stretches[i];
}

static const struct stretch *stretch_of_level(const struct axis *axis, uint64_t level)
{
    size_t i = axis->stretch_count - 1;
    while (axis->stretches[i].level > level)
        i--;
    return &axis->stretches[i];
}

/* The value at a place; also sets the places of the children that it makes active. */
static double fill_axis(struct lattice *lattice, const struct axis *axis, uint64_t place)
{
    const struct stretch *stretch = stretch_of_place(axis, place);
    uint64_t offset = place - stretch->start, rest = offset % stretch->weight;
    double value = value_at(axis, stretch->level + offset / stretch->weight);
    for (size_t i = axis->child_count; i-- > 0;) {
        size_t at = axis->children[i];
        const struct axis *child = &lattice->axes[at];
        if (!holds(child->hook, value))
            continue;
        lattice->places[at] = rest % child->weight;
        rest /= child->weight;
    }
    return value;
}

bool lattice_point(struct lattice *lattice, uint64_t index, double *point)
{
    const struct space *space = lattice->space;
    for (size_t at = space->count; at-- > 0;) {
        const struct axis *axis = &lattice->axes[at];
        lattice->places[at] = LATTICE_NONE;
        if (axis->hook)
            continue;
        lattice->places[at] = index % axis->weight;
        index /= axis->weight;
    }
    for (size_t i = 0; i < space->count; i++) {
        size_t at = space->order[i];
        uint64_t place = lattice->places[at];
        point[at] = place == LATTICE_NONE ? NAN : fill_axis(lattice, &lattice->axes[at], place);
    }
    if (!lattice->gaps)
        return true;
    space_deactivate(space, point);
    /* Of all the places that an inactive parameter could have, only the first counts. */
    for (size_t at = 0; at < space->count; at++)
        if (isnan(point[at]) && lattice->places[at] != LATTICE_NONE && lattice->places[at] != 0)
            return false;
    return space_allowed(space, point);
}

/* ---- counting ---- */

/* The work for one index: its parameters, the forbidden combinations and the constraints. */
static uint64_t work_of_index(const struct space *space)
{
    uint64_t work = space->count;
    for (size_t i = 0; i < space->forbidden_count; i++)
        for (size_t k = 0; k < space->forbidden[i].count; k++)
            work += space->forbidden[i].clauses[k].count;
    for (size_t i = 0; i < space->constraint_count; i++)
        work += expression_length(space->constraints[i]);
    return work;
}

bool lattice_is_small(const struct lattice *lattice)
{
    enum { INDEXES = 1000000, WORK = 200000000 };
    return lattice->total <= INDEXES && work_of_index(lattice->space) * lattice->total <= WORK;
}

uint64_t lattice_count(struct lattice *lattice, uint64_t most)
{
    if (!lattice->gaps || !lattice_is_small(lattice))
        return lattice->total;
    double *point = memory_new(lattice->space->count, sizeof *point);
    uint64_t count = 0;
    for (uint64_t index = 0; index < lattice->total && count < most; index++)
        count += lattice_point(lattice, index, point);
    free(point);
    return count;
}

/* ---- from a point to its index ---- */

/* The place of a parameter, from the places of its children. */
static uint64_t place_of(const struct lattice *lattice, const struct axis *axis, double value)
{
    if (isnan(value))
        return 0;
    uint64_t level = level_of(axis, value), rest = 0;
    if (level == LATTICE_NONE)
        return LATTICE_NONE;
    for (size_t i = 0; i < axis->child_count; i++) {
        const struct axis *child = &lattice->axes[axis->children[i]];
        if (holds(child->hook, value))
            rest = rest * child->weight + lattice->places[axis->children[i]];
    }
    const struct stretch *stretch = stretch_of_level(axis, level);
    return stretch->start + (level - stretch->level) * stretch->weight + rest;
}

uint64_t lattice_index(struct lattice *lattice, const double *point)
{
    const struct space *space = lattice->space;
    for (size_t i = space->count; i-- > 0;) {
        size_t at = space->order[i];
        lattice->places[at] = place_of(lattice, &lattice->axes[at], point[at]);
        if (lattice->places[at] == LATTICE_NONE)
            return LATTICE_NONE;
    }
    uint64_t index = 0;
    for (size_t at = 0; at < space->count; at++)
        if (!lattice->axes[at].hook)
            index = index * lattice->axes[at].weight + lattice->places[at];
    return index;
}
