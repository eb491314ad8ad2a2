/* climb.c - local search on a mixed space. */
#include "search/climb.h"

#include "num/num.h"

#include <math.h>

static const double FIRST_STEP = 0.2, LAST_STEP = 0.002; /* on the unit scale of numbers */

const struct climb climb_default = {.draws = 500, .climbs = 3, .rounds = 12, .crowd = 20};

/* ---- neighbours ---- */

/* Reflects a place outside (0, 1) back into it, like a mirror. */
static double reflect(double unit)
{
    return fmin(num_fold(unit), 1 - 0x1p-53);
}

/* The next level on a random side, or on the only side that has one. */
static double next_level(const struct parameter *parameter, struct random *random, double value)
{
    bool ordered = parameter->kind == PARAMETER_ORDERED;
    double low = ordered ? 0 : parameter->low;
    double high = ordered ? (double)parameter->value_count - 1 : parameter->high;
    double step = !ordered && parameter->step > 0 ? parameter->step : 1;
    double slack = step / 2; /* the last of steps of 0.1 may lie a little beyond the range */
    double next = value + (random_unit(random) < 0.5 ? -step : step);
    if (next < low - slack || next > high + slack)
        next = 2 * value - next;
    return space_at(parameter, space_unit(parameter, next));
}

/* Another value of a parameter. */
static double move(const struct parameter *parameter, struct random *random, double step,
                   double value)
{
    double levels = space_levels(parameter);
    if (parameter->kind == PARAMETER_CHOICE)
        return fmod(value + 1 + (double)random_below(random, (uint64_t)levels - 1), levels);
    double unit = reflect(space_unit(parameter, value) + step * random_normal(random));
    double moved = space_at(parameter, unit);
    return moved == value && isfinite(levels) ? next_level(parameter, random, value) : moved;
}

static bool can_move(const struct parameter *parameter, double value)
{
    return !isnan(value) && parameter->kind != PARAMETER_CONSTANT && space_levels(parameter) > 1;
}

/* Draws values for inactive parameters, then removes those whose conditions do not hold. */
static void settle(const struct space *space, struct random *random, double *point)
{
    bool conditional = false;
    for (size_t i = 0; i < space->count; i++) {
        conditional |= space->parameters[i].when_count > 0;
        if (isnan(point[i]))
            point[i] = space_at(&space->parameters[i], random_unit(random));
    }
    if (conditional)
        space_deactivate(space, point);
}

void climb_neighbour(const struct space *space, struct random *random, double step,
                     const double *point, double *neighbour)
{
    size_t movable = 0, seen = 0;
    for (size_t i = 0; i < space->count; i++)
        movable += can_move(&space->parameters[i], point[i]);
    uint64_t chosen = movable ? random_below(random, movable) : 0;
    memcpy(neighbour, point, space->count * sizeof *point);
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        if (!can_move(parameter, point[i]))
            continue;
        /* The chosen parameter always moves; on average, half of another one does too. */
        if (seen++ == chosen || random_unit(random) < 0.5 / (double)movable)
            neighbour[i] = move(parameter, random, step, point[i]);
    }
    settle(space, random, neighbour);
}

/* ---- the search ---- */

/* The best points so far, best first, without duplicates. */
struct top {
    size_t width, capacity, count;
    double *points, *values;
};

static void top_open(struct top *top, size_t width, size_t capacity)
{
    *top = (struct top){.width = width, .capacity = capacity};
    top->points = memory_new(capacity * width, sizeof *top->points);
    top->values = memory_new(capacity, sizeof *top->values);
}

static void top_close(struct top *top)
{
    free(top->points);
    free(top->values);
}

static bool top_wants(const struct top *top, double value)
{
    if (isnan(value) || top->capacity == 0)
        return false;
    return top->count < top->capacity || value < top->values[top->count - 1];
}

static void top_offer(struct top *top, const double *point, double value)
{
    size_t at = top->count, size = top->width * sizeof *point;
    if (!top_wants(top, value))
        return;
    while (at > 0 && value <= top->values[at - 1]) {
        at--;
        if (value == top->values[at] && memcmp(top->points + at * top->width, point, size) == 0)
            return;
    }
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
    double *points, *values; /* those of a crowd, or of all draws */
    double *here;            /* where the climb is */
    double here_value;
    struct top *found; /* the best points that the climb has found */
    bool only_new;     /* ignore points of the past */
};

static void offer(struct climber *c, const double *point, double value)
{
    if (top_wants(c->found, value) && !(c->only_new && past_has(&c->search->past, point)))
        top_offer(c->found, point, value);
}

/* One round: tries a crowd of points around `here`; false when none of them is better. */
static bool step(struct climber *c, double length)
{
    size_t count = 0, winner = 0;
    for (size_t i = 0; i < c->climb->crowd; i++) {
        double *point = c->points + count * c->width;
        climb_neighbour(c->search->space, c->random, length, c->here, point);
        count += space_allowed(c->search->space, point);
    }
    if (count == 0)
        return false;
    c->climb->values(c->climb->self, c->points, count, c->values);
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
    offer(c, start, value);
    memcpy(c->here, start, c->width * sizeof *start);
    c->here_value = value;
    for (size_t round = 0; round < c->climb->rounds && length > LAST_STEP; round++)
        if (!step(c, length))
            length /= 2;
}

/* Draws points and keeps the best ones as starts of climbs. */
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

static void climb_from_start(struct climber *c, const double *start)
{
    double value;
    c->climb->values(c->climb->self, start, 1, &value);
    climb_from(c, start, value);
}

static void climb_all(struct climber *c)
{
    const struct climb *climb = c->climb;
    size_t most = climb->draws > climb->crowd ? climb->draws : climb->crowd;
    struct top top;
    top_open(&top, c->width, climb->climbs);
    c->points = memory_new(most * c->width, sizeof *c->points);
    c->values = memory_new(most, sizeof *c->values);
    c->here = memory_new(c->width, sizeof *c->here);
    draw(c, &top);
    for (size_t i = 0; i < top.count; i++)
        climb_from(c, top.points + i * c->width, top.values[i]);
    for (size_t i = 0; i < climb->start_count; i++)
        climb_from_start(c, past_point(&c->search->past, climb->starts[i]));
    for (size_t i = 0; i < climb->point_count; i++)
        climb_from_start(c, climb->points + i * c->width);
    top_close(&top);
    free(c->points);
    free(c->values);
    free(c->here);
}

enum search_answer climb_down(struct search *search, const struct climb *climb,
                              struct random *random, double *point, double *value)
{
    struct top found;
    top_open(&found, search->space->count, 1);
    struct climber c = {.search = search,
                        .climb = climb,
                        .random = random,
                        .width = found.width,
                        .found = &found,
                        .only_new = true};
    climb_all(&c);
    bool is_found = found.count > 0;
    if (is_found)
        memcpy(point, found.points, found.width * sizeof *point);
    if (value)
        *value = is_found ? found.values[0] : NAN;
    top_close(&found);
    return is_found ? SEARCH_POINT : algorithm_draw_new(search, random, point);
}

size_t climb_best(struct search *search, const struct climb *climb, struct random *random,
                  double *points, size_t count)
{
    struct top found;
    top_open(&found, search->space->count, count);
    struct climber c = {
        .search = search, .climb = climb, .random = random, .width = found.width, .found = &found};
    climb_all(&c);
    memcpy(points, found.points, found.count * found.width * sizeof *points);
    count = found.count;
    top_close(&found);
    return count;
}
