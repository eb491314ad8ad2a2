/* climb.c - local search on a mixed space. */
#include "search/climb.h"

#include <math.h>

static const double FIRST_STEP = 0.2, LAST_STEP = 0.002; /* in the unit scale of numbers */

const struct climb climb_default = {.draws = 500, .climbs = 3, .rounds = 12, .crowd = 20};

/* ---- neighbours ---- */

/* Back into (0, 1) from where it was left, as from a mirror. */
static double reflect(double unit)
{
    unit = fabs(fmod(unit, 2));
    unit = unit > 1 ? 2 - unit : unit;
    return fmin(unit, 1 - 0x1p-53);
}

/* Another value of a parameter, as its place in [0, 1). */
static double move(const struct parameter *parameter, struct random *random, double step,
                   double unit)
{
    double levels = space_levels(parameter);
    if (parameter->kind == PARAMETER_CHOICE) {
        double others = (double)random_below(random, (uint64_t)levels - 1) + 1;
        return fmod(unit + others / levels, 1);
    }
    double moved = reflect(unit + step * random_normal(random));
    bool same = isfinite(levels) && floor(moved * levels) == floor(unit * levels);
    if (same) /* a step that is shorter than a level */
        moved = reflect(unit + (random_unit(random) < 0.5 ? -1 : 1) / levels);
    return moved;
}

static bool can_move(const struct parameter *parameter, double value)
{
    return !isnan(value) && parameter->kind != PARAMETER_CONSTANT && space_levels(parameter) > 1;
}

/* The places of all parameters; those that are not active are drawn, in case that they become so.
 */
static void places(const struct space *space, struct random *random, const double *point,
                   double *units)
{
    for (size_t i = 0; i < space->count; i++)
        units[i] =
            isnan(point[i]) ? random_unit(random) : space_unit(&space->parameters[i], point[i]);
}

/* Values that are not moved keep all their bits: the way through units would round them. */
static void settle(const struct space *space, const double *units, const double *from,
                   const bool *moved, double *point)
{
    for (size_t i = 0; i < space->count; i++) {
        bool keep = !moved[i] && !isnan(from[i]);
        point[i] = keep ? from[i] : space_at(&space->parameters[i], units[i]);
    }
    space_deactivate(space, point);
}

void climb_neighbour(const struct space *space, struct random *random, double step,
                     const double *point, double *neighbour)
{
    double *units = memory_new(space->count, sizeof *units);
    bool *moved = memory_new(space->count, sizeof *moved);
    size_t movable = 0, seen = 0;
    places(space, random, point, units);
    for (size_t i = 0; i < space->count; i++)
        movable += can_move(&space->parameters[i], point[i]);
    uint64_t chosen = movable ? random_below(random, movable) : 0;
    for (size_t i = 0; i < space->count; i++) {
        if (!can_move(&space->parameters[i], point[i]))
            continue;
        /* The chosen one always; on average, half of another. */
        if (seen++ == chosen || random_unit(random) < 0.5 / (double)movable) {
            units[i] = move(&space->parameters[i], random, step, units[i]);
            moved[i] = true;
        }
    }
    settle(space, units, point, moved, neighbour);
    free(units);
    free(moved);
}

/* ---- the search ---- */

/* The best points so far, best first. */
struct top {
    size_t width, capacity, count;
    double *points, *values;
};

static void top_offer(struct top *top, const double *point, double value)
{
    size_t at = top->count, size = top->width * sizeof *point;
    while (at > 0 && value < top->values[at - 1])
        at--;
    if (at == top->capacity || isnan(value))
        return;
    size_t kept = top->count < top->capacity ? top->count : top->capacity - 1;
    memmove(top->values + at + 1, top->values + at, (kept - at) * sizeof value);
    memmove(top->points + (at + 1) * top->width, top->points + at * top->width, (kept - at) * size);
    memcpy(top->points + at * top->width, point, size);
    top->values[at] = value;
    top->count = kept + 1;
}

struct climber {
    struct search *search;
    const struct climb *climb;
    struct random *random;
    size_t width;
    double *points, *values;       /* of a crowd, or of all draws */
    double *here, *best;           /* where a climb is; the best new point so far */
    double here_value, best_value; /* best_value is NaN before there is one */
};

static void offer(struct climber *c, const double *point, double value)
{
    if ((isnan(c->best_value) || value < c->best_value) && !past_has(&c->search->past, point)) {
        memcpy(c->best, point, c->width * sizeof *point);
        c->best_value = value;
    }
}

/* A round: the crowd around `here`; false when nobody in it is better. */
static bool step(struct climber *c, double length)
{
    size_t count = 0;
    for (size_t i = 0; i < c->climb->crowd; i++) {
        double *point = c->points + count * c->width;
        climb_neighbour(c->search->space, c->random, length, c->here, point);
        count += space_allowed(c->search->space, point);
    }
    if (count == 0)
        return false;
    c->climb->values(c->climb->self, c->points, count, c->values);
    size_t winner = 0;
    for (size_t i = 0; i < count; i++) {
        offer(c, c->points + i * c->width, c->values[i]);
        if (c->values[i] < c->values[winner])
            winner = i;
    }
    if (!(c->values[winner] < c->here_value))
        return false;
    memcpy(c->here, c->points + winner * c->width, c->width * sizeof *c->here);
    c->here_value = c->values[winner];
    return true;
}

static void climb_from(struct climber *c, const double *start, double value)
{
    double length = FIRST_STEP;
    memcpy(c->here, start, c->width * sizeof *start);
    c->here_value = value;
    for (size_t round = 0; round < c->climb->rounds && length > LAST_STEP; round++)
        if (!step(c, length))
            length /= 2;
}

/* Draws points and keeps the best ones to climb from. */
static void draw(struct climber *c, struct top *top)
{
    size_t count = 0;
    while (count < c->climb->draws &&
           algorithm_draw(c->search, c->random, c->points + count * c->width) == SEARCH_POINT)
        count++;
    if (count > 0)
        c->climb->values(c->climb->self, c->points, count, c->values);
    for (size_t i = 0; i < count; i++) {
        offer(c, c->points + i * c->width, c->values[i]);
        top_offer(top, c->points + i * c->width, c->values[i]);
    }
}

enum search_answer climb_down(struct search *search, const struct climb *climb,
                              struct random *random, double *point, double *value)
{
    size_t width = search->space->count;
    size_t most = climb->draws > climb->crowd ? climb->draws : climb->crowd;
    struct climber c = {.search = search,
                        .climb = climb,
                        .random = random,
                        .width = width,
                        .points = memory_new(most * width, sizeof(double)),
                        .values = memory_new(most, sizeof(double)),
                        .here = memory_new(width, sizeof(double)),
                        .best = point,
                        .best_value = NAN};
    struct top top = {.width = width, .capacity = climb->climbs};
    top.points = memory_new(climb->climbs * width, sizeof(double));
    top.values = memory_new(climb->climbs, sizeof(double));
    draw(&c, &top);
    for (size_t i = 0; i < top.count; i++)
        climb_from(&c, top.points + i * width, top.values[i]);
    for (size_t i = 0; i < climb->start_count; i++) {
        const double *start = past_point(&search->past, climb->starts[i]);
        double start_value;
        climb->values(climb->self, start, 1, &start_value);
        climb_from(&c, start, start_value);
    }
    free(top.points);
    free(top.values);
    free(c.points);
    free(c.values);
    free(c.here);
    if (value)
        *value = c.best_value;
    return isnan(c.best_value) ? algorithm_draw_new(search, random, point) : SEARCH_POINT;
}
