/* narrow.c - halves of ranges and lists, and the conditions on them. */
#include "search/narrow.h"

#include <math.h>

static bool is_list(const struct parameter *parameter)
{
    return parameter->kind == PARAMETER_CHOICE || parameter->kind == PARAMETER_ORDERED;
}

/* ---- halving ---- */

/*
 * The number of levels in a half: never all of them, so that even a list of two is divided, and
 * never so few that one between the halves is lost.
 */
static double levels_of_half(double levels, double overlap)
{
    double count = rint(levels * (1 + overlap) / 2);
    return fmin(fmax(count, ceil(levels / 2)), levels - 1);
}

static void halve_list(struct parameter *parameter, bool upper, double overlap, double *first)
{
    double levels = (double)parameter->value_count;
    double count = levels_of_half(levels, overlap);
    *first = upper ? levels - count : 0;
    parameter->values += (size_t)*first;
    parameter->value_count = (size_t)count;
}

/* Halves a range on its scale, or by its levels if it has levels and is not logarithmic. */
static void halve_range(struct parameter *parameter, bool upper, double overlap)
{
    const struct parameter whole = *parameter;
    double levels = space_levels(&whole);
    double length = (1 + overlap) / 2;
    if (isfinite(levels) && !whole.log) /* up to mid-level, where rounding is harmless */
        length = (levels_of_half(levels, overlap) - 0.5) / levels;
    if (upper)
        parameter->low = space_at(&whole, 1 - length);
    else
        parameter->high = space_at(&whole, length);
}

/* ---- conditions ---- */

/* A copy of clauses in which the indexes of values are those of the part. */
static struct clause *shift(struct narrow *narrow, const struct clause *clauses, size_t count)
{
    struct clause *copy = arena_new(&narrow->arena, count, sizeof *copy);
    for (size_t i = 0; i < count; i++) {
        double *values = arena_new(&narrow->arena, clauses[i].count, sizeof *values);
        for (size_t k = 0; k < clauses[i].count; k++)
            values[k] = clauses[i].values[k] - narrow->first[clauses[i].parameter];
        copy[i] = clauses[i];
        copy[i].values = values;
    }
    return copy;
}

/* A condition on values that are left out simply never holds. */
static void shift_conditions(struct narrow *narrow)
{
    struct space *space = &narrow->space;
    for (size_t i = 0; i < space->count; i++) {
        struct parameter *parameter = &space->parameters[i];
        parameter->when = shift(narrow, parameter->when, parameter->when_count);
    }
    struct forbidden *forbidden =
        arena_new(&narrow->arena, space->forbidden_count, sizeof *forbidden);
    for (size_t i = 0; i < space->forbidden_count; i++) {
        forbidden[i] = space->forbidden[i];
        forbidden[i].clauses = shift(narrow, forbidden[i].clauses, forbidden[i].count);
    }
    space->forbidden = forbidden;
}

/* ---- the part ---- */

void narrow_open(struct narrow *narrow, const struct space *whole, const size_t *cuts,
                 const bool *upper, size_t count, double overlap)
{
    *narrow = (struct narrow){.whole = whole, .space = *whole};
    struct parameter *parameters = arena_new(&narrow->arena, whole->count, sizeof *parameters);
    narrow->first = arena_new(&narrow->arena, whole->count, sizeof *narrow->first);
    narrow->space.parameters = parameters;
    for (size_t i = 0; i < whole->count; i++) {
        parameters[i] = whole->parameters[i];
        parameters[i].fallback = NAN;
        parameters[i].value_index = (struct map){0}; /* only the whole space looks up texts */
    }
    for (size_t i = 0; i < count; i++) {
        struct parameter *parameter = &parameters[cuts[i]];
        if (is_list(parameter))
            halve_list(parameter, upper[i], overlap, &narrow->first[cuts[i]]);
        else
            halve_range(parameter, upper[i], overlap);
    }
    shift_conditions(narrow);
}

void narrow_close(struct narrow *narrow)
{
    arena_free(&narrow->arena);
}

/* The limits of a parameter of the part, in the part's codes. */
static void limits(const struct parameter *parameter, double *low, double *high)
{
    bool list = is_list(parameter) || parameter->kind == PARAMETER_CONSTANT;
    *low = list ? 0 : parameter->low;
    *high = list ? (double)parameter->value_count - 1 : parameter->high;
}

bool narrow_has(const struct narrow *narrow, const double *point)
{
    for (size_t i = 0; i < narrow->space.count; i++) {
        double low, high, value = point[i] - narrow->first[i];
        limits(&narrow->space.parameters[i], &low, &high);
        if (value < low || value > high)
            return false;
    }
    return true;
}

void narrow_point(const struct narrow *narrow, const double *point, double *inner)
{
    for (size_t i = 0; i < narrow->space.count; i++) {
        double low, high, value = point[i] - narrow->first[i];
        limits(&narrow->space.parameters[i], &low, &high);
        inner[i] = isnan(value) ? value : fmin(fmax(value, low), high);
    }
}

/* The steps of a float may be off in the last digit when counted from another end. */
void narrow_back(const struct narrow *narrow, const double *inner, double *point)
{
    for (size_t i = 0; i < narrow->space.count; i++) {
        const struct parameter *parameter = &narrow->whole->parameters[i];
        point[i] = inner[i] + narrow->first[i];
        if (parameter->kind == PARAMETER_FLOAT && parameter->step > 0 && !isnan(inner[i]))
            point[i] = space_at(parameter, space_unit(parameter, inner[i]));
    }
}
