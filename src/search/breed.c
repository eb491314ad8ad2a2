/* breed.c - crossover and mutation of every kind of parameter. */
#include "search/breed.h"

#include "num/num.h"

#include <math.h>

enum { REPAIRS = 20 };

/*
 * The step of a mutation: `reach` makes it wider than the parents' spread, since selecting the best
 * children narrows the spread again. The limits of a step are on the scale 0..1.
 */
static const double reach = 1.5;
static const double least_step = 0.02, most_step = 0.3;
/* A choice that all parents agree on still mutates, at this fraction of the usual rate. */
static const double least_doubt = 0.1;

/* ---- generations ---- */

size_t breed_bound(const struct search *search, const struct breed_generations *generations)
{
    const struct past *past = &search->past;
    size_t trials = past->count - past->earlier;
    if (!generations->wait)
        return past->count;
    if (trials < generations->first)
        return past->earlier;
    size_t since = (trials - generations->first) % generations->next;
    return past->count - since;
}

/*
 * A search that is reproducible or has rounds holds back the results of the last trials, so there
 * is no point in waiting for them here. It does its own waiting: it asks only after it has handed
 * on all other results.
 */
bool breed_must_wait(const struct search *search, const struct breed_generations *generations)
{
    const struct past *past = &search->past;
    if (!generations->wait || algorithm_holds_back(search->settings))
        return false;
    size_t bound = breed_bound(search, generations);
    for (size_t i = 0; i < past->running_count; i++)
        if (past->running[i] < bound)
            return true;
    return false;
}

bool breed_is_early(const struct search *search, const struct breed_generations *generations)
{
    const struct past *past = &search->past;
    if (past->good_count == 0)
        return true;
    size_t known = generations->wait ? past->earlier : past->told_count;
    if (known >= generations->first)
        return false;
    if (generations->wait)
        return past->count - past->earlier < generations->first;
    return past->count < generations->first || 2 * past->told_count < generations->first;
}

enum search_answer breed_first(struct search *search, uint64_t k, uint64_t count, double *point)
{
    struct random random, strata;
    algorithm_random(search, k, &random);
    random_seed(&strata, search->settings->seed, UINT64_MAX - k / count);
    for (size_t i = 0; i < search->space->count; i++) {
        double stratum = (double)num_permute(k % count, count, random_bits(&strata));
        search->units[i] = (stratum + random_unit(&random)) / (double)count;
    }
    space_point(search->space, search->units, point);
    if (space_allowed(search->space, point) && !past_has(&search->past, point))
        return SEARCH_POINT;
    return algorithm_draw_new(search, &random, point);
}

size_t breed_population(const struct search_settings *settings, double factor)
{
    double trials = settings->trials ? (double)settings->trials : 400;
    double size = fmin(fmax(factor * sqrt(trials), 8), 100);
    return (size_t)rint(fmin(fmax(size, (double)settings->workers), fmax(size, trials / 4)));
}

/* ---- how parents differ ---- */

static double spread_of_number(const struct past *past, const uint32_t *parents, size_t count,
                               size_t at)
{
    double sum = 0, squares = 0, active = 0;
    for (size_t i = 0; i < count; i++) {
        double value = past_point(past, parents[i])[at];
        if (isnan(value))
            continue;
        double unit = space_unit(&past->space->parameters[at], value);
        active++;
        sum += unit;
        squares += unit * unit;
    }
    double mean = sum / fmax(active, 1);
    return active > 1 ? sqrt(fmax(squares / active - mean * mean, 0)) : most_step;
}

static double spread_of_choice(const struct past *past, const uint32_t *parents, size_t count,
                               size_t at)
{
    size_t values = past->space->parameters[at].value_count;
    double *seen = memory_new(values, sizeof *seen), active = 0, same = 0;
    for (size_t i = 0; i < count; i++) {
        double value = past_point(past, parents[i])[at];
        if (isnan(value))
            continue;
        seen[(size_t)value]++;
        active++;
    }
    for (size_t i = 0; i < values; i++)
        same += seen[i] * seen[i];
    free(seen);
    return active > 1 ? 1 - same / (active * active) : 1;
}

void breed_spread(const struct past *past, const uint32_t *parents, size_t count, double *spread)
{
    for (size_t at = 0; at < past->width; at++) {
        enum parameter_kind kind = past->space->parameters[at].kind;
        if (kind == PARAMETER_CONSTANT)
            spread[at] = 0;
        else if (kind == PARAMETER_CHOICE)
            spread[at] = spread_of_choice(past, parents, count, at);
        else
            spread[at] = spread_of_number(past, parents, count, at);
    }
}

/* ---- genomes ---- */

static double value_or_draw(const struct parameter *parameter, struct random *random, double value)
{
    return isnan(value) ? space_at(parameter, random_unit(random)) : value;
}

void breed_copy(const struct space *space, struct random *random, const double *point,
                double *genome)
{
    for (size_t i = 0; i < space->count; i++)
        genome[i] = value_or_draw(&space->parameters[i], random, point[i]);
}

/* Any value of a choice except this one. */
static double other_value(const struct parameter *parameter, struct random *random, double value)
{
    double drawn = (double)random_below(random, parameter->value_count - 1);
    return drawn + (drawn >= value);
}

static bool is_fixed(const struct parameter *parameter)
{
    return space_levels(parameter) < 2;
}

/* ---- crossover ---- */

/* Takes the first parent's value, or else the other's; true when both have one and they differ. */
static bool pick(double one, double other, double *value)
{
    *value = isnan(one) ? other : one;
    return !isnan(one) && !isnan(other) && one != other;
}

void breed_cross(const struct space *space, struct random *random, const double *one,
                 const double *other, double share, double *genome)
{
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        bool differ = pick(one[i], other[i], &genome[i]);
        if (differ && random_unit(random) < share) {
            genome[i] = other[i];
            if (parameter->kind != PARAMETER_CHOICE && random_unit(random) < 0.5) {
                double from = space_unit(parameter, one[i]), to = space_unit(parameter, other[i]);
                double part = 1.5 * random_unit(random) - 0.25; /* or a little beyond either */
                genome[i] = space_at(parameter, num_fold(from + part * (to - from)));
            }
        }
        genome[i] = value_or_draw(parameter, random, genome[i]);
    }
}

/* K. Deb and R. Agrawal, "Simulated Binary Crossover for Continuous Search Space", 1995. */
static double cross_units(struct random *random, double one, double other, double eta)
{
    double u = random_unit(random), power = 1 / (eta + 1);
    double beta = u <= 0.5 ? pow(2 * u, power) : pow(1 / (2 * (1 - u)), power);
    if (random_unit(random) < 0.5)
        beta = -beta; /* the second of the two children */
    return num_fold(0.5 * ((1 + beta) * one + (1 - beta) * other));
}

void breed_cross_binary(const struct space *space, struct random *random, const double *one,
                        const double *other, double eta, double *genome)
{
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        bool differ = pick(one[i], other[i], &genome[i]);
        if (differ && random_unit(random) < 0.5) {
            if (parameter->kind == PARAMETER_CHOICE)
                genome[i] = other[i];
            else
                genome[i] = space_at(parameter, cross_units(random, space_unit(parameter, one[i]),
                                                            space_unit(parameter, other[i]), eta));
        }
        genome[i] = value_or_draw(parameter, random, genome[i]);
    }
}

/* ---- mutation ---- */

/*
 * The value that is `step` away on the scale 0..1; if the parameter has levels, at least one level
 * away.
 */
static double moved(const struct parameter *parameter, double value, double step)
{
    double to = space_at(parameter, num_fold(space_unit(parameter, value) + step));
    if (to != value || !isfinite(space_levels(parameter)))
        return to;
    bool numeric = parameter->kind == PARAMETER_INT || parameter->kind == PARAMETER_FLOAT;
    double low = numeric ? parameter->low : 0;
    double high = numeric ? parameter->high : (double)parameter->value_count - 1;
    double place = numeric && parameter->step > 0 ? parameter->step : 1;
    to = step < 0 ? value - place : value + place;
    if (to < low || to > high)
        to = step < 0 ? value + place : value - place;
    /* space_at() decides where the steps of a float lie. */
    return space_at(parameter, space_unit(parameter, fmin(fmax(to, low), high)));
}

void breed_mutate(const struct space *space, struct random *random, const double *spread,
                  double share, double *genome)
{
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        bool choice = parameter->kind == PARAMETER_CHOICE;
        double chance = choice ? share * fmax(spread[i], least_doubt) : share;
        if (is_fixed(parameter) || random_unit(random) >= chance)
            continue;
        double size = fmin(fmax(reach * spread[i], least_step), most_step);
        genome[i] = choice ? other_value(parameter, random, genome[i])
                           : moved(parameter, genome[i], size * random_normal(random));
    }
}

/* K. Deb and M. Goyal, "A Combined Genetic Adaptive Search (GeneAS)", 1996. */
static double polynomial_step(struct random *random, double eta)
{
    double u = random_unit(random), power = 1 / (eta + 1);
    return u < 0.5 ? pow(2 * u, power) - 1 : 1 - pow(2 * (1 - u), power);
}

void breed_mutate_polynomial(const struct space *space, struct random *random, double eta,
                             double share, double *genome)
{
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        if (is_fixed(parameter) || random_unit(random) >= share)
            continue;
        genome[i] = parameter->kind == PARAMETER_CHOICE
                        ? other_value(parameter, random, genome[i])
                        : moved(parameter, genome[i], polynomial_step(random, eta));
    }
}

/* ---- from a genome to a point ---- */

static bool holds(const struct clause *clause, const double *point)
{
    for (size_t i = 0; i < clause->count; i++)
        if (clause->values[i] == point[clause->parameter])
            return true;
    return false;
}

/* The forbidden combination that the point matches, or NULL. */
static const struct forbidden *find_forbidden(const struct space *space, const double *point)
{
    for (size_t i = 0; i < space->forbidden_count; i++) {
        const struct forbidden *forbidden = &space->forbidden[i];
        size_t count = 0;
        while (count < forbidden->count && holds(&forbidden->clauses[count], point))
            count++;
        if (count == forbidden->count)
            return forbidden;
    }
    return NULL;
}

/* Draws the clause's parameter again so that the clause no longer holds, if that is possible. */
static void leave(const struct space *space, struct random *random, const struct clause *clause,
                  double *genome)
{
    for (int i = 0; i < REPAIRS && holds(clause, genome); i++)
        genome[clause->parameter] =
            space_at(&space->parameters[clause->parameter], random_unit(random));
}

bool breed_finish(const struct space *space, struct random *random, double *genome, double *point)
{
    for (int i = 0; i < REPAIRS; i++) {
        memcpy(point, genome, space->count * sizeof *point);
        space_deactivate(space, point);
        const struct forbidden *forbidden = find_forbidden(space, point);
        if (!forbidden)
            return space_allowed(space, point); /* a constraint does not say what to change */
        if (forbidden->count == 0)
            return false;
        leave(space, random, &forbidden->clauses[random_below(random, forbidden->count)], genome);
    }
    return false;
}
