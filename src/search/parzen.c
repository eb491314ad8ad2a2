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
        if (parameter->log) /* an integer covers half a unit on both sides */
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

/* ---- kernels ---- */

static bool has_table(const struct axis *axis)
{
    return axis->kind == AXIS_LEVELS ||
           (axis->kind == AXIS_CHOICE && axis->levels <= PARZEN_LEVELS);
}

void kernels_open(struct kernels *kernels, const struct axes *axes)
{
    *kernels = (struct kernels){.axes = axes};
    kernels->widths = memory_new(axes->count, sizeof *kernels->widths);
    kernels->tables = memory_new(axes->count, sizeof *kernels->tables);
    for (size_t i = 0; i < axes->count; i++) {
        size_t levels = axes->axis[i].levels;
        if (has_table(&axes->axis[i]))
            kernels->tables[i] = memory_new(levels * (levels + 1), sizeof **kernels->tables);
    }
}

void kernels_close(struct kernels *kernels)
{
    for (size_t i = 0; i < kernels->axes->count; i++)
        free(kernels->tables[i]);
    free(kernels->tables);
    free(kernels->widths);
}

/* The share of a normal distribution below a place. */
static double normal_below(double middle, double width, double place)
{
    return 0.5 * erfc((middle - place) / (width * 1.4142135623730951));
}

/* The logarithm of a kernel on a choice; if `at` is `levels`, the kernel's point has no value. */
static double choice_log(const struct axis *axis, double differs, double at, double code)
{
    double levels = (double)axis->levels;
    if (at == levels)
        return -log(levels);
    return at == code ? log(1 - differs) : log(differs / (levels - 1));
}

static void fill_levels(const struct axis *axis, double width, double *table)
{
    static const double least = 1e-12; /* smaller differences of parts near 1 are rounding */
    size_t levels = axis->levels, row = levels + 1;
    for (size_t at = 0; at < levels; at++) {
        double middle = axis_place(axis, (double)at), below = normal_below(middle, width, 0);
        double all = normal_below(middle, width, 1) - below;
        for (size_t x = 0; x < levels; x++) {
            double next = normal_below(middle, width, axis->edges[x + 1]);
            table[x * row + at] = log(fmax((next - below) / all, least));
            below = next;
        }
    }
    /* The probability of a level is the length of its interval, as in space_at(). */
    for (size_t x = 0; x < levels; x++)
        table[x * row + levels] = log(axis->edges[x + 1] - axis->edges[x]);
}

static void fill_choice(const struct axis *axis, double differs, double *table)
{
    for (size_t x = 0; x < axis->levels; x++)
        for (size_t at = 0; at <= axis->levels; at++)
            table[x * (axis->levels + 1) + at] = choice_log(axis, differs, (double)at, (double)x);
}

void kernels_set(struct kernels *kernels, const double *widths)
{
    for (size_t i = 0; i < kernels->axes->count; i++) {
        const struct axis *axis = &kernels->axes->axis[i];
        kernels->widths[i] = widths[i];
        if (axis->kind == AXIS_LEVELS)
            fill_levels(axis, widths[i], kernels->tables[i]);
        else if (kernels->tables[i])
            fill_choice(axis, widths[i], kernels->tables[i]);
    }
}

/* ---- a density ---- */

void density_open(struct density *density, const struct kernels *kernels)
{
    *density = (struct density){.kernels = kernels};
}

void density_close(struct density *density)
{
    free(density->log_weights);
    free(density->places);
    free(density->sharps);
    free(density->bases);
    free(density->sums);
}

void density_reset(struct density *density, size_t capacity)
{
    density->count = 0;
    if (capacity <= density->capacity)
        return;
    density_close(density);
    capacity += capacity / 2;
    size_t numbers = capacity * density->kernels->axes->count;
    *density = (struct density){
        .kernels = density->kernels,
        .capacity = capacity,
        .log_weights = memory_new(capacity, sizeof(double)),
        .places = memory_new(numbers, sizeof(double)),
        .sharps = memory_new(numbers, sizeof(double)),
        .bases = memory_new(numbers, sizeof(double)),
        .sums = memory_new(capacity, sizeof(double)),
    };
}

/* The logarithm of a truncated normal at its middle. */
static double base_of(double middle, double width)
{
    static const double log_root = 0.91893853320467274; /* log(sqrt(2 pi)) */
    double inside = normal_below(middle, width, 1) - normal_below(middle, width, 0);
    return -log_root - log(width * inside);
}

void density_add(struct density *density, const double *codes, double weight)
{
    const struct axes *axes = density->kernels->axes;
    size_t kernel = density->count++;
    if (kernel >= density->capacity)
        BUG("a density has room for %zu kernels", density->capacity);
    density->log_weights[kernel] = log(weight);
    for (size_t i = 0; i < axes->count; i++) {
        size_t at = i * density->capacity + kernel;
        bool known = !isnan(codes[i]);
        double width = density->kernels->widths[i];
        density->places[at] = known ? codes[i] : (double)axes->axis[i].levels;
        if (axes->axis[i].kind == AXIS_NUMBER) {
            density->sharps[at] = known ? 1 / width : 0;
            density->bases[at] = known ? base_of(codes[i], width) : 0;
        }
    }
}

/* Adds the logarithms for one axis to the sums of the kernels. */
static void add_axis(const struct density *density, size_t i, double code)
{
    const struct kernels *kernels = density->kernels;
    const struct axis *axis = &kernels->axes->axis[i];
    const double *restrict places = density->places + i * density->capacity;
    double *restrict sums = density->sums;
    size_t count = density->count;
    if (axis->kind == AXIS_NUMBER) {
        const double *restrict sharps = density->sharps + i * density->capacity;
        const double *restrict bases = density->bases + i * density->capacity;
        for (size_t k = 0; k < count; k++) {
            double off = (code - places[k]) * sharps[k];
            sums[k] += bases[k] - 0.5 * off * off;
        }
    } else if (kernels->tables[i]) {
        const double *restrict row = kernels->tables[i] + (size_t)code * (axis->levels + 1);
        for (size_t k = 0; k < count; k++)
            sums[k] += row[(size_t)places[k]];
    } else {
        for (size_t k = 0; k < count; k++)
            sums[k] += choice_log(axis, kernels->widths[i], places[k], code);
    }
}

double density_log(const struct density *density, const double *codes)
{
    static const double nothing = -32; /* below this, a kernel adds less than one part in 10^13 */
    const struct axes *axes = density->kernels->axes;
    double largest = -INFINITY, sum = 0;
    memcpy(density->sums, density->log_weights, density->count * sizeof *density->sums);
    for (size_t i = 0; i < axes->count; i++)
        if (axes->axis[i].kind != AXIS_CONSTANT && !isnan(codes[i]))
            add_axis(density, i, codes[i]);
    if (density->count == 1)
        return density->sums[0];
    for (size_t k = 0; k < density->count; k++)
        largest = density->sums[k] > largest ? density->sums[k] : largest;
    for (size_t k = 0; k < density->count; k++)
        if (density->sums[k] - largest > nothing)
            sum += exp(density->sums[k] - largest);
    return largest + log(sum);
}

/* ---- drawing ---- */

size_t density_draw_kernel(const struct density *density, struct random *random)
{
    double all = 0;
    for (size_t k = 0; k < density->count; k++)
        all += exp(density->log_weights[k]);
    double left = all * random_unit(random);
    for (size_t k = 0; k + 1 < density->count; k++) {
        left -= exp(density->log_weights[k]);
        if (left < 0)
            return k;
    }
    return density->count - 1;
}

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
    size_t levels = density->kernels->axes->axis[i].levels;
    double left = random_unit(random);
    for (size_t x = 0; x + 1 < levels; x++) {
        left -= exp(density->kernels->tables[i][x * (levels + 1) + at]);
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
    const struct axis *axis = &density->kernels->axes->axis[i];
    size_t at = i * density->capacity + kernel;
    switch (axis->kind) {
    case AXIS_CONSTANT: return 0;
    case AXIS_LEVELS: return draw_level(density, i, (size_t)density->places[at], random);
    case AXIS_CHOICE:
        return draw_choice(axis, density->kernels->widths[i], (size_t)density->places[at], random);
    case AXIS_NUMBER: break;
    }
    if (density->sharps[at] == 0)
        return random_unit(random);
    return draw_number(density->places[at], density->kernels->widths[i], random);
}
