/* sobol.c - points of the Sobol sequence, which are more even than random points. */
#include "num/num.h"
#include "search/algorithm.h"

static bool varies(const struct parameter *parameter)
{
    return parameter->kind != PARAMETER_CONSTANT;
}

static int check_sobol(const struct search_settings *settings, const struct space *space,
                       struct err *e)
{
    (void)settings;
    size_t dimensions = 0;
    for (size_t i = 0; i < space->count; i++)
        dimensions += varies(&space->parameters[i]);
    if (dimensions <= SOBOL_DIMENSIONS)
        return 0;
    return err_set(e, ERR_USER,
                   "the algorithm sobol takes at most %d parameters, but this space has %zu: use "
                   "random or lhs",
                   SOBOL_DIMENSIONS, dimensions);
}

static enum search_answer ask_sobol(struct search *search, uint64_t k, double *point)
{
    const struct space *space = search->space;
    double coordinates[SOBOL_DIMENSIONS];
    size_t dimensions = 0;
    for (size_t i = 0; i < space->count; i++)
        dimensions += varies(&space->parameters[i]);
    num_sobol(k, search->settings->seed, dimensions, coordinates);
    size_t next = 0;
    for (size_t i = 0; i < space->count; i++)
        search->units[i] = varies(&space->parameters[i]) ? coordinates[next++] : 0;
    struct random random;
    random_seed(&random, search->settings->seed, k);
    return algorithm_place(search, &random, point);
}

const struct algorithm sobol_algorithm = {
    .about = "an even sequence: fewer holes than random points",
    .check = check_sobol,
    .ask = ask_sobol,
};
