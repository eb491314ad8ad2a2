/* gp_acquire.c - the most promising point of a mixed space. */
#include "search/gp_acquire.h"

#include "num/num.h"
#include "search/lattice.h"

#include <math.h>

enum {
    EVERY = 2000,       /* a space of up to this many points is examined as a whole */
    DRAWS = 600,        /* number of random points */
    NEAR = 400,         /* number of points near the best results */
    BEST_RESULTS = 5,   /* number of best results that these points are near */
    STARTS = 3,         /* number of points of each kind that are improved */
    ROUNDS = 4,         /* rounds that improve the numbers and the rest in turn */
    EVALUATIONS = 40,   /* evaluations of the slope per round */
    HOPS = 3,           /* hops to neighbours per round */
    SMOOTH_LEVELS = 12, /* numbers with this many levels or more also follow the slope */
    MOST_NEIGHBOURS = 200
};

struct acquirer {
    struct search *search;
    const struct gp_model *model;
    const struct gp_region *region;
    struct random *random;
    size_t width;
    double *units;                /* one per parameter */
    double *best;                 /* the best new point so far */
    double best_value;            /* NaN: there is none */
    size_t *smooth, smooth_count; /* numbers with a slope, of the point being improved */
    const double *here;
};

static void offer(struct acquirer *a, const double *point, double value)
{
    if ((isnan(a->best_value) || value < a->best_value) && !past_has(&a->search->past, point)) {
        memcpy(a->best, point, a->width * sizeof *point);
        a->best_value = value;
    }
}

static void offer_all(struct acquirer *a, const double *points, size_t count, double *values)
{
    gp_model_promise(a->model, points, count, values);
    for (size_t i = 0; i < count; i++)
        offer(a, points + i * a->width, values[i]);
}

/* ---- candidates ---- */

static bool is_number(const struct parameter *parameter)
{
    return parameter->kind != PARAMETER_CHOICE && parameter->kind != PARAMETER_CONSTANT;
}

/* Reflects a place outside the box back into it, like a mirror. */
static double reflect(double unit, double low, double high)
{
    if (unit < low)
        unit = 2 * low - unit;
    if (unit > high)
        unit = 2 * high - unit;
    return fmin(fmax(unit, low), high);
}

static double low_of(const struct acquirer *a, size_t i)
{
    return a->region->centre ? a->region->low[i] : 0;
}

static double high_of(const struct acquirer *a, size_t i)
{
    return a->region->centre ? a->region->high[i] : 1 - 0x1p-53;
}

/* A random point in the box; in many dimensions it shares most numbers with the centre. */
static void draw_in_box(struct acquirer *a, double *point)
{
    const struct space *space = a->search->space;
    double chance = fmin(1, 20 / (double)space->count);
    uint64_t always = random_below(a->random, space->count);
    for (size_t i = 0; i < space->count; i++) {
        double centre = a->region->centre[i];
        a->units[i] = random_unit(a->random);
        bool moves = random_unit(a->random) < chance || i == always;
        if (!is_number(&space->parameters[i]))
            moves = random_unit(a->random) < 0.3;
        else
            a->units[i] = low_of(a, i) + a->units[i] * (high_of(a, i) - low_of(a, i));
        if (!moves && !isnan(centre))
            a->units[i] = space_unit(&space->parameters[i], centre);
    }
    space_point(space, a->units, point);
}

/* A point near another: all or some of its numbers move by about `step`. */
static void draw_near(struct acquirer *a, const double *centre, double step, double *point)
{
    const struct space *space = a->search->space;
    double chance = random_unit(a->random) < 0.5 ? 1 : random_unit(a->random);
    uint64_t always = random_below(a->random, space->count);
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        bool moves = i == always || random_unit(a->random) < chance;
        double moved = random_normal(a->random) * step, other = random_unit(a->random);
        if (isnan(centre[i])) {
            point[i] = space_at(parameter, other);
        } else if (!is_number(parameter)) {
            bool changes = moves && random_unit(a->random) < 0.15;
            point[i] = changes ? space_at(parameter, other) : centre[i];
        } else if (moves) {
            double unit = space_unit(parameter, centre[i]) + moved;
            point[i] = space_at(parameter, reflect(unit, low_of(a, i), high_of(a, i)));
        } else {
            point[i] = centre[i];
        }
    }
    space_deactivate(space, point);
}

/* Fills in the entries with the best results, best first. */
static size_t best_results(const struct acquirer *a, uint32_t *entries)
{
    const struct past *past = &a->search->past;
    size_t count = past->told_count, kept = 0;
    struct random random;
    double *targets = memory_new(count, sizeof *targets), values[BEST_RESULTS];
    random_seed(&random, 0, 0);
    past_targets(past, &random, targets);
    for (size_t i = 0; i < count; i++) {
        size_t at = kept < BEST_RESULTS ? kept++ : BEST_RESULTS;
        for (; at > 0 && targets[i] < values[at - 1]; at--)
            if (at < BEST_RESULTS) {
                values[at] = values[at - 1];
                entries[at] = entries[at - 1];
            }
        if (at < BEST_RESULTS) {
            values[at] = targets[i];
            entries[at] = past->told[i];
        }
    }
    free(targets);
    return kept;
}

static size_t fill_random(struct acquirer *a, double *points)
{
    size_t count = 0;
    for (size_t i = 0; i < DRAWS; i++) {
        double *point = points + count * a->width;
        if (!a->region->centre) {
            if (algorithm_draw(a->search, a->random, point) == SEARCH_END)
                break;
            count++;
        } else {
            draw_in_box(a, point);
            count += space_allowed(a->search->space, point) ? 1 : 0;
        }
    }
    return count;
}

/* The steps go from a fifth of the range to a ten-thousandth, evenly on a logarithmic scale. */
static size_t fill_near(struct acquirer *a, double *points)
{
    uint32_t entries[BEST_RESULTS];
    size_t results = best_results(a, entries), count = 0;
    entries[0] = (uint32_t)gp_model_best(a->model);
    for (size_t i = 0; i < NEAR; i++) {
        double *point = points + count * a->width;
        double step = 0.2 * pow(5e-4, random_unit(a->random));
        uint32_t entry = entries[i % 2 ? 0 : random_below(a->random, results)];
        draw_near(a, past_point(&a->search->past, entry), step, point);
        count += space_allowed(a->search->space, point) ? 1 : 0;
    }
    return count;
}

/* ---- improving a point ---- */

static double along_slope(void *self, const double *x, double *gradient)
{
    struct acquirer *a = self;
    double *slope = memory_new(a->width, sizeof *slope);
    for (size_t i = 0; i < a->smooth_count; i++)
        a->units[a->smooth[i]] = x[i];
    double value = gp_model_promise_slope(a->model, a->here, a->units, slope);
    for (size_t i = 0; i < a->smooth_count; i++)
        gradient[i] = slope[a->smooth[i]];
    free(slope);
    return value;
}

/* Finds the numbers of the point that have a slope, and the places of all parameters. */
static void find_smooth(struct acquirer *a, const double *point)
{
    const struct space *space = a->search->space;
    a->smooth_count = 0;
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        a->units[i] = isnan(point[i]) ? 0.5 : space_unit(parameter, point[i]);
        if (!isnan(point[i]) && is_number(parameter) && space_levels(parameter) >= SMOOTH_LEVELS)
            a->smooth[a->smooth_count++] = i;
    }
}

/* Moves the numbers of a point along the slope, if that gains anything. */
static void slide(struct acquirer *a, double *point, double *value)
{
    find_smooth(a, point);
    size_t count = a->smooth_count;
    if (count == 0)
        return;
    double *memory = memory_new(3 * count + a->width, sizeof *memory);
    double *x = memory, *low = memory + count, *high = memory + 2 * count;
    double *moved = memory + 3 * count;
    for (size_t i = 0; i < count; i++) {
        low[i] = low_of(a, a->smooth[i]);
        high[i] = high_of(a, a->smooth[i]);
        x[i] = fmin(fmax(a->units[a->smooth[i]], low[i]), high[i]);
    }
    a->here = point;
    minimise(&(struct minimise){.count = count,
                                .low = low,
                                .high = high,
                                .evaluations = EVALUATIONS,
                                .first_step = 0.01,
                                .tolerance = 1e-7,
                                .self = a,
                                .value = along_slope},
             x);
    memcpy(moved, point, a->width * sizeof *moved);
    for (size_t i = 0; i < count; i++)
        moved[a->smooth[i]] = space_at(&a->search->space->parameters[a->smooth[i]], x[i]);
    space_deactivate(a->search->space, moved);
    double reached = INFINITY;
    if (space_allowed(a->search->space, moved))
        offer_all(a, moved, 1, &reached);
    if (reached < *value) {
        memcpy(point, moved, a->width * sizeof *point);
        *value = reached;
    }
    free(memory);
}

/* The point with another value of one parameter; children that become active get random values. */
static void change(struct acquirer *a, const double *from, size_t parameter, double value,
                   double *point)
{
    const struct space *space = a->search->space;
    for (size_t i = 0; i < space->count; i++)
        point[i] =
            isnan(from[i]) ? space_at(&space->parameters[i], random_unit(a->random)) : from[i];
    point[parameter] = value;
    space_deactivate(space, point);
}

/* Fills in all points that differ in one category, or in one number by one level. */
static size_t fill_neighbours(struct acquirer *a, const double *from, double *points)
{
    const struct space *space = a->search->space;
    size_t count = 0, first = (size_t)random_below(a->random, space->count);
    for (size_t k = 0; k < space->count; k++) {
        size_t i = (first + k) % space->count; /* if there are too many, any may be left out */
        const struct parameter *parameter = &space->parameters[i];
        double levels = space_levels(parameter);
        bool number = is_number(parameter);
        if (isnan(from[i]) || parameter->kind == PARAMETER_CONSTANT || isinf(levels))
            continue;
        double unit = space_unit(parameter, from[i]);
        size_t ways = number ? 2 : (size_t)levels - 1;
        for (size_t way = 0; way < ways && count < MOST_NEIGHBOURS; way++) {
            double to = number ? unit + (way ? 1 : -1) / levels
                               : fmod(unit + (double)(way + 1) / levels, 1);
            double *point = points + count * a->width;
            double value = space_at(parameter, fmin(fmax(to, low_of(a, i)), high_of(a, i)));
            change(a, from, i, value, point);
            count += value != from[i] && space_allowed(space, point) ? 1 : 0;
        }
    }
    return count;
}

/* Moves to the best neighbour; false when none is better. */
static bool hop(struct acquirer *a, double *point, double *value)
{
    double *points = memory_new(MOST_NEIGHBOURS * (a->width + 1), sizeof *points);
    double *values = points + MOST_NEIGHBOURS * a->width;
    size_t count = fill_neighbours(a, point, points), best = 0;
    offer_all(a, points, count, values);
    for (size_t i = 1; i < count; i++)
        best = values[i] < values[best] ? i : best;
    bool better = count > 0 && values[best] < *value;
    if (better) {
        memcpy(point, points + best * a->width, a->width * sizeof *point);
        *value = values[best];
    }
    free(points);
    return better;
}

static void improve(struct acquirer *a, double *point, double value)
{
    bool hopped = true;
    for (size_t round = 0; round < ROUNDS && hopped; round++) {
        size_t hops = 0;
        slide(a, point, &value);
        while (hops < HOPS && hop(a, point, &value))
            hops++;
        hopped = hops > 0;
    }
}

/* Improves the best of the given points. */
static void improve_best(struct acquirer *a, double *points, double *values, size_t count)
{
    for (size_t k = 0; k < STARTS && k < count; k++) {
        size_t best = 0;
        for (size_t i = 1; i < count; i++)
            best = values[i] < values[best] ? i : best;
        if (isinf(values[best]))
            return;
        improve(a, points + best * a->width, values[best]);
        values[best] = INFINITY;
    }
}

/* ---- the whole search ---- */

/* True when the space is so small that all of its points were examined. */
static bool look_at_all(struct acquirer *a)
{
    struct lattice lattice;
    lattice_open(&lattice, a->search->space, LATTICE_ENDLESS);
    bool small = lattice.total <= EVERY;
    if (small) {
        double *points = memory_new(lattice.total * (a->width + 1), sizeof *points);
        double *values = points + lattice.total * a->width;
        size_t count = 0;
        for (uint64_t i = 0; i < lattice.total; i++) {
            double *point = points + count * a->width;
            bool is_new = lattice_point(&lattice, i, point) && !past_has(&a->search->past, point);
            count += is_new ? 1 : 0;
        }
        offer_all(a, points, count, values);
        free(points);
    }
    lattice_close(&lattice);
    return small;
}

static void look_around(struct acquirer *a)
{
    double *points = memory_new((DRAWS + NEAR) * (a->width + 1), sizeof *points);
    double *values = points + (DRAWS + NEAR) * a->width;
    size_t drawn = fill_random(a, points);
    size_t near = fill_near(a, points + drawn * a->width);
    offer_all(a, points, drawn + near, values);
    improve_best(a, points, values, drawn);
    improve_best(a, points + drawn * a->width, values + drawn, near);
    free(points);
}

enum search_answer gp_acquire(struct search *search, const struct gp_model *model,
                              const struct gp_region *region, struct random *random, double *point)
{
    size_t width = search->space->count;
    struct acquirer a = {.search = search,
                         .model = model,
                         .region = region,
                         .random = random,
                         .width = width,
                         .units = memory_new(width, sizeof(double)),
                         .best = point,
                         .best_value = NAN,
                         .smooth = memory_new(width, sizeof(size_t))};
    if (!look_at_all(&a))
        look_around(&a);
    free(a.units);
    free(a.smooth);
    return isnan(a.best_value) ? algorithm_draw_new(search, random, point) : SEARCH_POINT;
}
