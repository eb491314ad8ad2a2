/* space.c - levels, units and conditions: everything about a space except text. */
#include "space/space.h"

#include "space/value.h"

#include <math.h>

/* ---- completing a space ---- */

/* True if every parent of the parameter is in the order already. */
static bool parents_placed(const struct parameter *parameter, const bool *placed)
{
    for (size_t i = 0; i < parameter->when_count; i++)
        if (!placed[parameter->when[i].parameter])
            return false;
    return true;
}

/*
 * Finds a parameter of a circle: starts at any parameter that is not in the order and goes up, from
 * each to a parent that is not in the order, often enough to be in the circle.
 */
static size_t find_circle(const struct space *space, const bool *placed)
{
    size_t at = 0;
    while (placed[at])
        at++;
    for (size_t steps = 0; steps < space->count; steps++) {
        const struct clause *when = space->parameters[at].when;
        while (placed[when->parameter])
            when++;
        at = when->parameter;
    }
    return at;
}

/* Puts parents before children, else keeps the order of the file. Usually one pass is enough. */
static int make_order(struct space *space, struct arena *arena, size_t *circle)
{
    bool *placed = memory_new(space->count, sizeof *placed);
    size_t done = 0, before;
    space->order = arena_new(arena, space->count, sizeof *space->order);
    do {
        before = done;
        for (size_t i = 0; i < space->count; i++) {
            if (placed[i] || !parents_placed(&space->parameters[i], placed))
                continue;
            placed[i] = true;
            space->order[done++] = i;
        }
    } while (done > before && done < space->count);
    if (done < space->count)
        *circle = find_circle(space, placed);
    free(placed);
    return done < space->count ? ERR_USER : 0;
}

int space_finish(struct space *space, struct arena *arena, size_t *circle)
{
    for (size_t i = 0; i < space->count; i++)
        if (!space->parameters[i].key)
            value_json_make(&space->parameters[i], arena);
    return make_order(space, arena, circle);
}

void space_free(struct space *space)
{
    for (size_t i = 0; i < space->count; i++)
        map_free(&space->parameters[i].value_index);
}

const struct parameter *space_find(const struct space *space, const char *name)
{
    for (size_t i = 0; i < space->count; i++)
        if (strcmp(space->parameters[i].name, name) == 0)
            return &space->parameters[i];
    return NULL;
}

/* ---- numbers ---- */

/*
 * Rounds x to this many significant digits of `magnitude`. The result is the double nearest to a
 * short decimal text, because a whole number below 2^53 divided by a power of ten up to 10^22 is
 * rounded only once; so the text that a program gets is short and reads back as exactly this
 * number.
 */
static double round_digits(double x, double magnitude, int digits)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (x == 0)
        return 0;
    int decimals = digits - 1 - (int)floor(log10(magnitude));
    if (decimals >= 0 && decimals <= 22)
        return rint(x * powers[decimals]) / powers[decimals];
    if (decimals < 0 && decimals >= -22)
        return rint(x / powers[-decimals]) * powers[-decimals];
    char text[40];
    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    return strtod(text, NULL);
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double step_of(const struct parameter *parameter)
{
    return parameter->step > 0 || parameter->kind == PARAMETER_FLOAT ? parameter->step : 1;
}

double space_levels(const struct parameter *parameter)
{
    switch (parameter->kind) {
    case PARAMETER_CHOICE:
    case PARAMETER_ORDERED: return (double)parameter->value_count;
    case PARAMETER_CONSTANT: return 1;
    case PARAMETER_FLOAT:
    case PARAMETER_INT: break;
    }
    double step = step_of(parameter);
    if (parameter->low == parameter->high)
        return 1;
    if (step == 0)
        return INFINITY;
    double range = parameter->high - parameter->low;
    if (parameter->kind == PARAMETER_INT) { /* exact: a rounded quotient may be a level too high */
        double count = step == 1 ? range : floor(range / step);
        return count * step > range ? count : count + 1;
    }
    /* 1 / 0.1 may be slightly below 10: the end of the range must not be lost. */
    return floor(range / step + fmin(range / step * 1e-12, 1e-3) + 1e-9) + 1;
}

/* Level k of a range with steps. Fourteen digits cannot tell very fine steps apart. */
static double level(const struct parameter *parameter, double k)
{
    static const double finest = 1e-11; /* of the magnitude */
    double magnitude = fmax(fabs(parameter->low), fabs(parameter->high));
    double value = parameter->low + k * step_of(parameter);
    if (parameter->kind == PARAMETER_FLOAT && parameter->step >= magnitude * finest)
        value = round_digits(value, magnitude, 14);
    return clamp(value, parameter->low, parameter->high);
}

/* The bounds of u on a logarithmic scale; an integer owns the half unit on both of its sides. */
static void log_bounds(const struct parameter *parameter, double *low, double *high)
{
    double margin = parameter->kind == PARAMETER_INT ? 0.5 : 0;
    *low = log(parameter->low - margin);
    *high = log(parameter->high + margin);
}

static double log_at(const struct parameter *parameter, double u)
{
    double low, high;
    log_bounds(parameter, &low, &high);
    double value = exp(low * (1 - u) + high * u);
    return parameter->kind == PARAMETER_INT ? rint(value) : round_digits(value, value, 12);
}

double space_at(const struct parameter *parameter, double u)
{
    static const double below_one = 1 - 0x1p-53;
    if (parameter->kind == PARAMETER_CONSTANT)
        return 0;
    u = u >= 0 ? fmin(u, below_one) : 0;
    if (parameter->log)
        return clamp(log_at(parameter, u), parameter->low, parameter->high);
    double levels = space_levels(parameter);
    if (isfinite(levels)) {
        double k = fmin(floor(u * levels), levels - 1);
        bool numeric = parameter->kind == PARAMETER_FLOAT || parameter->kind == PARAMETER_INT;
        return numeric ? level(parameter, k) : k;
    }
    double value = parameter->low * (1 - u) + parameter->high * u;
    return clamp(round_digits(value, fabs(value), 12), parameter->low, parameter->high);
}

static double log_unit(const struct parameter *parameter, double value)
{
    double low, high;
    log_bounds(parameter, &low, &high);
    double place =
        parameter->kind == PARAMETER_INT ? (log(value - 0.5) + log(value + 0.5)) / 2 : log(value);
    return high > low ? (place - low) / (high - low) : 0.5;
}

double space_unit(const struct parameter *parameter, double value)
{
    double u, levels = space_levels(parameter);
    if (parameter->log)
        u = log_unit(parameter, value);
    else if (parameter->kind == PARAMETER_CHOICE || parameter->kind == PARAMETER_ORDERED)
        u = (value + 0.5) / levels;
    else if (levels == 1)
        u = 0.5;
    else if (isfinite(levels))
        u = (rint((value - parameter->low) / step_of(parameter)) + 0.5) / levels;
    else
        u = (value - parameter->low) / (parameter->high - parameter->low);
    return clamp(u, 0, 1 - 0x1p-53);
}

bool value_fits(const struct parameter *parameter, double number, double *value)
{
    if (!(number >= parameter->low && number <= parameter->high))
        return false;
    double step = step_of(parameter);
    if (step == 0) {
        *value = number;
        return true;
    }
    double k = rint((number - parameter->low) / step);
    *value = level(parameter, k);
    return k < space_levels(parameter) && fabs(*value - number) <= 1e-6 * step;
}

/* ---- points ---- */

static bool clause_holds(const struct clause *clause, const double *point)
{
    double value = point[clause->parameter];
    for (size_t i = 0; i < clause->count; i++)
        if (clause->values[i] == value)
            return true;
    return false;
}

static bool all_hold(const struct clause *clauses, size_t count, const double *point)
{
    for (size_t i = 0; i < count; i++)
        if (!clause_holds(&clauses[i], point))
            return false;
    return true;
}

void space_point(const struct space *space, const double *units, double *point)
{
    for (size_t i = 0; i < space->count; i++) {
        size_t at = space->order[i];
        const struct parameter *parameter = &space->parameters[at];
        bool active = all_hold(parameter->when, parameter->when_count, point);
        point[at] = active ? space_at(parameter, units[at]) : NAN;
    }
}

double space_fallback(const struct parameter *parameter)
{
    bool numeric = parameter->kind == PARAMETER_FLOAT || parameter->kind == PARAMETER_INT;
    if (!isnan(parameter->fallback))
        return parameter->fallback;
    return numeric ? space_at(parameter, 0.5) : 0;
}

void space_deactivate(const struct space *space, double *point)
{
    for (size_t i = 0; i < space->count; i++) {
        size_t at = space->order[i];
        const struct parameter *parameter = &space->parameters[at];
        if (!all_hold(parameter->when, parameter->when_count, point))
            point[at] = NAN;
    }
}

bool space_allowed(const struct space *space, const double *point)
{
    for (size_t i = 0; i < space->forbidden_count; i++)
        if (all_hold(space->forbidden[i].clauses, space->forbidden[i].count, point))
            return false;
    for (size_t i = 0; i < space->constraint_count; i++)
        if (expression_broken(space->constraints[i], point, NULL) > 0)
            return false;
    return true;
}

bool space_same(const struct space *space, const double *a, const double *b)
{
    for (size_t i = 0; i < space->count; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

bool space_default(const struct space *space, double *point)
{
    bool given = false;
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        point[i] = space_fallback(parameter);
        given = given || !isnan(parameter->fallback);
    }
    space_deactivate(space, point);
    return given && space_allowed(space, point);
}
