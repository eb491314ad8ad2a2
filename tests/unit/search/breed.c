/* Children of points: what crossover and mutation do to every kind of parameter. */
#include "search/breed.h"
#include "spaces.h"
#include "tap.h"

enum { TIMES = 500 };

static void draw(const struct space *space, struct random *random, double *point)
{
    double units[MOST];
    do {
        for (size_t i = 0; i < space->count; i++)
            units[i] = random_unit(random);
        space_point(space, units, point);
    } while (!space_allowed(space, point));
}

static bool is_complete(const struct space *space, const double *genome)
{
    for (size_t i = 0; i < space->count; i++)
        if (isnan(genome[i]))
            return false;
    return true;
}

/* Every operator in every kind of space: the genome is complete and the child is a point. */
static void children_are_points(const struct fixture_case *where)
{
    struct fixture f;
    struct random random;
    double one[MOST], other[MOST], genome[MOST], point[MOST], spread[MOST];
    bool complete = true, proper = true;
    fixture_open(&f, where->build);
    random_seed(&random, 1, 1);
    for (size_t i = 0; i < f.space.count; i++)
        spread[i] = 0.2;
    for (int i = 0; i < TIMES; i++) {
        draw(&f.space, &random, one);
        draw(&f.space, &random, other);
        if (i % 3 == 0)
            breed_copy(&f.space, &random, one, genome);
        else if (i % 3 == 1)
            breed_cross(&f.space, &random, one, other, 0.5, genome);
        else
            breed_cross_binary(&f.space, &random, one, other, 2, genome);
        if (i % 2)
            breed_mutate(&f.space, &random, spread, 1, genome);
        else
            breed_mutate_polynomial(&f.space, &random, 2, 1, genome);
        complete = complete && is_complete(&f.space, genome);
        proper =
            proper && breed_finish(&f.space, &random, genome, point) && is_proper(&f.space, point);
    }
    ok(complete, "%s: a genome has a value for every parameter", where->name);
    ok(proper, "%s: a child is a point, and none is forbidden", where->name);
    fixture_close(&f);
}

static void build_all_kinds(struct fixture *f)
{
    add_range(f, "float", PARAMETER_FLOAT, -5, 10);
    add_range(f, "log", PARAMETER_FLOAT, 1e-6, 1)->log = true;
    add_range(f, "int", PARAMETER_INT, 1, 1000);
    add_values(f, "ordered", PARAMETER_ORDERED, 9);
    add_values(f, "choice", PARAMETER_CHOICE, 4);
    add_range(f, "steps", PARAMETER_FLOAT, 0, 1)->step = 0.1;
    add_values(f, "constant", PARAMETER_CONSTANT, 1);
}

static void small_mutations_are_steps(void)
{
    static const double start[] = {1, 1e-3, 500, 4, 2, 0.3, 0};
    struct fixture f;
    struct random random;
    double genome[MOST], spread[MOST] = {0};
    bool near = true, step = true, others[4] = {false};
    fixture_open(&f, build_all_kinds);
    random_seed(&random, 1, 1);
    for (int i = 0; i < TIMES; i++) {
        memcpy(genome, start, sizeof start);
        breed_mutate(&f.space, &random, spread, 1, genome);
        near = near && fabs(genome[0] - 1) < 2 && fabs(log10(genome[1]) + 3) < 0.8 &&
               fabs(genome[2] - 500) < 130 && genome[2] != 500 && genome[0] != 1;
        step = step && fabs(genome[3] - 4) == 1 && fabs(fabs(genome[5] - 0.3) - 0.1) < 1e-9;
        others[(size_t)genome[4]] = true;
        step = step && genome[6] == 0;
    }
    ok(near, "where parents agree numbers make small steps, on their own scale");
    ok(step, "ordered values and steps go to a neighbour");
    ok(others[0] && others[1] && others[3], "a choice may become any other");
    fixture_close(&f);
}

static void shares_hold(void)
{
    static const double one[] = {0, 1e-4, 100, 1, 1, 0.1, 0}, other[] = {9, 0.5, 900, 8, 3, 0.9, 0};
    struct fixture f;
    struct random random;
    double genome[MOST], spread[MOST] = {0};
    int crossed = 0, mutated = 0, doubted = 0;
    fixture_open(&f, build_all_kinds);
    random_seed(&random, 1, 1);
    for (int i = 0; i < TIMES; i++) {
        breed_cross(&f.space, &random, one, other, 0.3, genome);
        crossed += genome[4] == 3;
        memcpy(genome, one, sizeof one);
        breed_mutate(&f.space, &random, spread, 0.6, genome);
        mutated += genome[0] != 0;
        doubted += genome[4] != 1;
    }
    ok(abs(crossed - 150) < 50, "crossover takes its share of the other parent");
    ok(abs(mutated - 300) < 60, "mutation changes its share");
    ok(doubted > 5 && doubted < 80, "a choice on which all parents agree changes rarely");
    fixture_close(&f);
}

static void spread_is_known(void)
{
    static const double points[4][MOST] = {{-5, 1e-6, 500, 0, 0, 0, 0},
                                           {10, 1, 500, 8, 0, 0.5, 0},
                                           {-5, 1e-6, 500, 0, 1, 1, 0},
                                           {10, 1, 500, 8, 1, 0.5, 0}};
    static const uint32_t parents[] = {0, 1, 2, 3};
    struct fixture f;
    struct past past;
    double spread[MOST];
    fixture_open(&f, build_all_kinds);
    past_init(&past, &f.space, 1);
    for (size_t i = 0; i < 4; i++)
        past_add(&past, points[i]);
    breed_spread(&past, parents, 4, spread);
    is_near(spread[0], 0.5, 1e-9, "the spread of a float is that on its scale");
    is_near(spread[1], 0.5, 1e-9, "that of a logarithmic range on its logarithm");
    is_near(spread[2], 0, 1e-7, "equal numbers have none");
    is_near(spread[3], 4 / 9.0, 1e-9, "that of ordered values is that of their places");
    is_near(spread[4], 0.5, 1e-9, "that of a choice is the chance of different values");
    past_free(&past);
    fixture_close(&f);
}

/* Simulated binary crossover keeps the middle of the parents, and a large eta keeps near them. */
static void binary_crossover_keeps_the_middle(void)
{
    static const double one[] = {1, 1e-4, 400, 3, 1, 0.3, 0},
                        other[] = {4, 1e-2, 600, 5, 1, 0.7, 0};
    struct fixture f;
    struct random random;
    double genome[MOST], sum = 0, farthest = 0;
    fixture_open(&f, build_all_kinds);
    random_seed(&random, 1, 1);
    for (int i = 0; i < TIMES; i++) {
        breed_cross_binary(&f.space, &random, one, other, 100, genome);
        sum += genome[2];
        farthest = fmax(farthest, fmin(fabs(genome[0] - 1), fabs(genome[0] - 4)));
    }
    ok(farthest < 0.5, "with a large eta a child is near a parent");
    ok(sum / TIMES > 400 && sum / TIMES < 500, "a parameter that is not crossed is the first's");
    fixture_close(&f);
}

int main(void)
{
    for (size_t i = 0; i < FIXTURES; i++)
        children_are_points(&fixture_cases[i]);
    small_mutations_are_steps();
    shares_hold();
    spread_is_known();
    binary_crossover_keeps_the_middle();
    return tap_end();
}
