/* parzen.c - densities over a mixed space: see parzen.h. */
#include "search/parzen.h"

#include <math.h>

/* ---- axes ---- */

static void make_edges(struct axis *axis)
{
    const struct parameter *parameter = axis->parameter;
    double levels = (double)axis->levels;
    axis->edges = memory_new(axis->levels + 1, sizeof *axis->edges);
    for (size_t i = 0; i <= axis->levels; i++) {
        axis->edges[i] = (double)i / levels;
        if (parameter->log) /* an integer owns the half unit on both of its sides */
            axis->edges[i] = log((parameter->low - 0.5 + (double)i) / (parameter->low - 0.5)) /
                             log((parameter->high + 0.5) / (parameter->low - 0.5));
    }
}

static void axis_open(struct axis *axis, const struct parameter *parameter)
{
    double levels = space_levels(parameter);
    *axis = (struct axis){.kind = AXIS_NUMBER, .parameter = parameter};
    if (parameter->kind == PARAMETER_CONSTANT || levels == 1) {
        axis->kind = AXIS_CONSTANT;
        return;
    }
    if (parameter->log && parameter->kind == PARAMETER_FLOAT)
        return;
    axis->resolution = isfinite(levels) ? 1 / levels : 0;
    if (parameter->kind == PARAMETER_CHOICE) {
        axis->kind = AXIS_CHOICE;
        axis->levels = (size_t)levels;
    } else if (levels <= PARZEN_LEVELS) {
        axis->kind = AXIS_LEVELS;
        axis->levels = (size_t)levels;
        make_edges(axis);
    }
}

void axes_open(struct axes *axes, const struct space *space)
{
    *axes = (struct axes){.space = space, .count = space->count};
    axes->axis = memory_new(space->count, sizeof *axes->axis);
    for (size_t i = 0; i < space->count; i++) {
        axis_open(&axes->axis[i], &space->parameters[i]);
        axes->varying += axes->axis[i].kind != AXIS_CONSTANT;
    }
}

void axes_close(struct axes *axes)
{
    for (size_t i = 0; i < axes->count; i++)
        free(axes->axis[i].edges);
    free(axes->axis);
}

double axis_place(const struct axis *axis, double code)
{
    if (axis->kind == AXIS_NUMBER)
        return code;
    if (axis->kind == AXIS_LEVELS)
        return (axis->edges[(size_t)code] + axis->edges[(size_t)code + 1]) / 2;
    return axis->kind == AXIS_CHOICE ? (code + 0.5) * axis->resolution : 0.5;
}

double axis_value(const struct axis *axis, double code)
{
    return space_at(axis->parameter, axis_place(axis, code));
}

static double code_of(const struct axis *axis, double value)
{
    if (isnan(value) || axis->kind == AXIS_CONSTANT)
        return isnan(value) ? NAN : 0;
    double unit = space_unit(axis->parameter, value);
    if (axis->kind == AXIS_NUMBER)
        return unit;
    if (!axis->parameter->log)
        return floor(unit * (double)axis->levels);
    return rint(value - axis->parameter->low);
}

void axes_code(const struct axes *axes, const double *point, double *codes)
{
    for (size_t i = 0; i < axes->count; i++)
        codes[i] = code_of(&axes->axis[i], point[i]);
}

/* ---- a density ---- */

static bool has_table(const struct axis *axis)
{
    return axis->kind == AXIS_LEVELS ||
           (axis->kind == AXIS_CHOICE && axis->levels <= PARZEN_LEVELS);
}

void density_open(struct density *density, const struct axes *axes)
{
    *density = (struct density){.axes = axes};
    density->widths = memory_new(axes->count, sizeof *density->widths);
    density->tables = memory_new(axes->count, sizeof *density->tables);
    for (size_t i = 0; i < axes->count; i++) {
        size_t levels = axes->axis[i].levels;
        if (has_table(&axes->axis[i]))
            density->tables[i] = memory_new(levels * (levels + 1), sizeof **density->tables);
    }
}

static void free_kernels(struct density *density)
{
    free(density->log_weights);
    free(density->places);
    free(density->sharps);
    free(density->bases);
    free(density->sums);
}

void density_close(struct density *density)
{
    for (size_t i = 0; i < density->axes->count; i++)
        free(density->tables[i]);
    free(density->tables);
    free(density->widths);
    free_kernels(density);
}

/* The part of a normal distribution that lies between two places. */
static double normal_between(double middle, double width, double low, double high)
{
    double scale = 1 / (width * 1.4142135623730951);
    double from = (low - middle) * scale, to = (high - middle) * scale;
    /* Both ends on one side: from the tail, where the difference keeps its digits. */
    if (from > 0)
        return 0.5 * (erfc(from) - erfc(to));
    if (to < 0)
        return 0.5 * (erfc(-to) - erfc(-from));
    return 0.5 * (erf(to) - erf(from));
}

/* The logarithm of a kernel on a choice; `at` may be `levels`: the kernel knows nothing. */
static double choice_log(const struct axis *axis, double differs, double at, double code)
{
    double levels = (double)axis->levels;
    if (at == levels)
        return -log(levels);
    return at == code ? log(1 - differs) : log(differs / (levels - 1));
}

static void fill_levels(const struct axis *axis, double width, double *table)
{
    size_t levels = axis->levels, row = levels + 1;
    for (size_t at = 0; at < levels; at++) {
        double middle = axis_place(axis, (double)at), sum = normal_between(middle, width, 0, 1);
        for (size_t x = 0; x < levels; x++) {
            double part = normal_between(middle, width, axis->edges[x], axis->edges[x + 1]);
            table[x * row + at] = log(fmax(part / sum, 1e-30));
        }
    }
    /* A level is as likely as its stretch is long, as space_at() has it. */
    for (size_t x = 0; x < levels; x++)
        table[x * row + levels] = log(axis->edges[x + 1] - axis->edges[x]);
}

static void fill_choice(const struct axis *axis, double differs, double *table)
{
    for (size_t x = 0; x < axis->levels; x++)
        for (size_t at = 0; at <= axis->levels; at++)
            table[x * (axis->levels + 1) + at] = choice_log(axis, differs, (double)at, (double)x);
}

void density_reset(struct density *density, const double *widths, size_t capacity)
{
    const struct axes *axes = density->axes;
    if (capacity > density->capacity) {
        free_kernels(density);
        density->capacity = capacity + capacity / 2;
        density->log_weights = memory_new(density->capacity, sizeof(double));
        density->sums = memory_new(density->capacity, sizeof(double));
        density->places = memory_new(density->capacity * axes->count, sizeof(double));
        density->sharps = memory_new(density->capacity * axes->count, sizeof(double));
        density->bases = memory_new(density->capacity * axes->count, sizeof(double));
    }
    density->count = 0;
    for (size_t i = 0; i < axes->count; i++) {
        const struct axis *axis = &axes->axis[i];
        density->widths[i] = widths[i];
        if (axis->kind == AXIS_LEVELS)
            fill_levels(axis, widths[i], density->tables[i]);
        else if (density->tables[i])
            fill_choice(axis, widths[i], density->tables[i]);
    }
}

void density_add(struct density *density, const double *codes, double weight)
{
    static const double log_root = 0.91893853320467274; /* log(sqrt(2 pi)) */
    const struct axes *axes = density->axes;
    size_t kernel = density->count++;
    if (kernel >= density->capacity)
        BUG("a density has %zu kernels", density->capacity);
    density->log_weights[kernel] = log(weight);
    for (size_t i = 0; i < axes->count; i++) {
        const struct axis *axis = &axes->axis[i];
        size_t at = i * density->capacity + kernel;
        bool known = !isnan(codes[i]);
        double width = density->widths[i];
        density->places[at] = known ? codes[i] : (double)axis->levels;
        if (axis->kind != AXIS_NUMBER)
            continue;
        density->sharps[at] = known ? 1 / width : 0;
        density->bases[at] = 0;
        if (known)
            density->bases[at] =
                -log_root - log(width) - log(normal_between(codes[i], width, 0, 1));
    }
}

/* Adds the logarithms of an axis to the sums of kernels from `first` to `last`. */
static void add_axis(const struct density *density, size_t i, double code, size_t first,
                     size_t last)
{
    const struct axis *axis = &density->axes->axis[i];
    const double *restrict places = density->places + i * density->capacity;
    double *restrict sums = density->sums;
    if (axis->kind == AXIS_NUMBER) {
        const double *restrict sharps = density->sharps + i * density->capacity;
        const double *restrict bases = density->bases + i * density->capacity;
        for (size_t k = first; k < last; k++) {
            double off = (code - places[k]) * sharps[k];
            sums[k] += bases[k] - 0.5 * off * off;
        }
    } else if (density->tables[i]) {
        const double *restrict row = density->tables[i] + (size_t)code * (axis->levels + 1);
        for (size_t k = first; k < last; k++)
            sums[k] += row[(size_t)places[k]];
    } else {
        for (size_t k = first; k < last; k++)
            sums[k] += choice_log(axis, density->widths[i], places[k], code);
    }
}

static void sum_axes(const struct density *density, const double *codes, size_t first, size_t last)
{
    const struct axes *axes = density->axes;
    for (size_t k = first; k < last; k++)
        density->sums[k] = density->log_weights[k];
    for (size_t i = 0; i < axes->count; i++)
        if (axes->axis[i].kind != AXIS_CONSTANT && !isnan(codes[i]))
            add_axis(density, i, codes[i], first, last);
}

double density_log(const struct density *density, const double *codes)
{
    static const double nothing = -32; /* below it a kernel adds less than a 10^13th */
    double largest = -INFINITY, sum = 0;
    sum_axes(density, codes, 0, density->count);
    for (size_t k = 0; k < density->count; k++)
        largest = fmax(largest, density->sums[k]);
    for (size_t k = 0; k < density->count; k++)
        if (density->sums[k] - largest > nothing)
            sum += exp(density->sums[k] - largest);
    return largest + log(sum);
}

double density_log_one(const struct density *density, size_t kernel, const double *codes)
{
    sum_axes(density, codes, kernel, kernel + 1);
    return density->sums[kernel];
}

/* ---- drawing ---- */

static double draw_number(double middle, double width, struct random *random)
{
    enum { TRIES = 100 };
    for (int i = 0; i < TRIES; i++) {
        double place = middle + width * random_normal(random);
        if (place >= 0 && place < 1)
            return place;
    }
    return middle;
}

static double draw_level(const struct density *density, size_t i, size_t at, struct random *random)
{
    size_t levels = density->axes->axis[i].levels;
    double left = random_unit(random);
    for (size_t x = 0; x + 1 < levels; x++) {
        left -= exp(density->tables[i][x * (levels + 1) + at]);
        if (left < 0)
            return (double)x;
    }
    return (double)(levels - 1);
}

static double draw_choice(const struct axis *axis, double differs, size_t at, struct random *random)
{
    if (at == axis->levels)
        return (double)random_below(random, axis->levels);
    if (random_unit(random) >= differs)
        return (double)at;
    size_t other = random_below(random, axis->levels - 1);
    return (double)(other + (other >= at));
}

double density_draw(const struct density *density, size_t kernel, size_t i, struct random *random)
{
    const struct axis *axis = &density->axes->axis[i];
    size_t at = i * density->capacity + kernel;
    switch (axis->kind) {
    case AXIS_CONSTANT: return 0;
    case AXIS_LEVELS: return draw_level(density, i, (size_t)density->places[at], random);
    case AXIS_CHOICE:
        return draw_choice(axis, density->widths[i], (size_t)density->places[at], random);
    case AXIS_NUMBER: break;
    }
    if (density->sharps[at] == 0)
        return random_unit(random);
    return draw_number(density->places[at], density->widths[i], random);
}
