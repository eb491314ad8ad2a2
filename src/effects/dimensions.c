/* dimensions.c - a space as the columns of a forest. */
#include "effects/dimensions.h"

#include <math.h>

enum { FEW_LEVELS = 1000 }; /* with more levels, a parameter is treated as continuous */

/* ---- columns ---- */

static double step_of(const struct parameter *parameter)
{
    return parameter->step > 0 ? parameter->step : 1;
}

/* Level k of a parameter, coded as in a point. */
static double level_value(const struct parameter *parameter, size_t k)
{
    double levels = space_levels(parameter);
    if (parameter->log)
        return parameter->low + (double)k * step_of(parameter);
    return space_at(parameter, ((double)k + 0.5) / levels);
}

static size_t level_of(const struct parameter *parameter, double value)
{
    if (parameter->kind == PARAMETER_CHOICE || parameter->kind == PARAMETER_ORDERED)
        return (size_t)value;
    return (size_t)rint((value - parameter->low) / step_of(parameter));
}

/* The levels on the unit scale. Each is in the middle of its interval, so the widths follow. */
static void make_levels(struct importance_column *column, const struct parameter *parameter,
                        size_t levels, struct arena *arena)
{
    double *places = arena_new(arena, levels, sizeof *places), end = 0;
    double *weights = arena_new(arena, levels, sizeof *weights);
    for (size_t k = 0; k < levels; k++) {
        places[k] = space_unit(parameter, level_value(parameter, k));
        weights[k] = parameter->log ? fmax(2 * (places[k] - end), 0) : 1;
        end += weights[k];
    }
    *column = (struct importance_column){.levels = levels, .places = places, .weights = weights};
}

static void add_column(struct dimensions *d, size_t number)
{
    const struct parameter *parameter = &d->space->parameters[number];
    double levels = space_levels(parameter);
    size_t at = d->count;
    if (levels <= 1)
        return;
    d->count++;
    d->parameters[at] = number;
    if (parameter->kind == PARAMETER_CHOICE)
        d->columns[at].levels = d->categories[at] = parameter->value_count;
    else if (levels <= FEW_LEVELS)
        make_levels(&d->columns[at], parameter, (size_t)levels, &d->arena);
}

void dimensions_init(struct dimensions *d, const struct space *space)
{
    *d = (struct dimensions){.space = space};
    d->parameters = arena_new(&d->arena, space->count, sizeof *d->parameters);
    d->categories = arena_new(&d->arena, space->count, sizeof *d->categories);
    d->columns = arena_new(&d->arena, space->count, sizeof *d->columns);
    for (size_t i = 0; i < space->count; i++)
        add_column(d, i);
}

void dimensions_free(struct dimensions *d)
{
    arena_free(&d->arena);
}

void dimensions_row(const struct dimensions *d, const double *point, struct random *random,
                    double *row)
{
    for (size_t i = 0; i < d->count; i++) {
        const struct parameter *parameter = &d->space->parameters[d->parameters[i]];
        double value = point[d->parameters[i]];
        if (isnan(value))
            value = space_at(parameter, random_unit(random));
        row[i] = d->categories[i] > 0 ? value : space_unit(parameter, value);
    }
}

/* ---- where a parameter is active ---- */

static size_t find_column(const struct dimensions *d, size_t parameter)
{
    size_t i = 0;
    while (i < d->count && d->parameters[i] != parameter)
        i++;
    return i;
}

/* Keeps the levels of a column that a clause names; without a clause, all of them. */
static void restrict_column(struct importance_column *column, const struct parameter *parameter,
                            const struct clause *clause, struct arena *arena)
{
    double *weights = arena_new(arena, column->levels, sizeof *weights), sum = 0;
    for (size_t i = 0; i < clause->count; i++) {
        size_t level = level_of(parameter, clause->values[i]);
        if (level >= column->levels)
            continue;
        weights[level] = column->weights ? column->weights[level] : 1;
        sum += weights[level];
    }
    if (sum > 0)
        column->weights = weights;
}

static void restrict_parents(const struct dimensions *d, size_t parameter,
                             struct importance_column *columns, struct arena *arena)
{
    const struct parameter *child = &d->space->parameters[parameter];
    for (size_t i = 0; i < child->when_count; i++) {
        size_t parent = child->when[i].parameter, column = find_column(d, parent);
        if (column < d->count && columns[column].levels > 0)
            restrict_column(&columns[column], &d->space->parameters[parent], &child->when[i],
                            arena);
        restrict_parents(d, parent, columns, arena);
    }
}

const struct importance_column *dimensions_active(const struct dimensions *d, size_t column,
                                                  struct arena *arena)
{
    struct importance_column *columns = arena_new(arena, d->count, sizeof *columns);
    memcpy(columns, d->columns, d->count * sizeof *columns);
    restrict_parents(d, d->parameters[column], columns, arena);
    return columns;
}

/* ---- values to draw at ---- */

size_t dimensions_grid(const struct dimensions *d, size_t column, double **values, double **coded,
                       struct arena *arena)
{
    const struct parameter *parameter = &d->space->parameters[d->parameters[column]];
    size_t levels = d->columns[column].levels;
    bool all = d->categories[column] > 0 || (levels > 0 && levels <= DIMENSIONS_GRID);
    size_t wanted = all ? levels : DIMENSIONS_GRID, count = 0;
    *values = arena_new(arena, wanted, sizeof **values);
    *coded = arena_new(arena, wanted, sizeof **coded);
    for (size_t i = 0; i < wanted; i++) {
        double unit = (double)i / (double)(wanted - 1);
        double value = all ? level_value(parameter, i) : space_at(parameter, unit);
        if (count > 0 && (*coded)[count - 1] == value)
            continue;
        (*coded)[count] = value;
        (*values)[count++] = d->categories[column] > 0 ? value : space_unit(parameter, value);
    }
    return count;
}
