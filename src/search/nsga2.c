/* nsga2.c - a genetic algorithm for several objectives. */
#include "search/algorithm.h"

static enum search_answer ask(struct search *search, uint64_t k, double *point)
{
    struct random random;
    algorithm_random(search, k, &random);
    return algorithm_draw_new(search, &random, point);
}

const struct algorithm nsga2_algorithm = {
    .name = "nsga2",
    .about = "a genetic algorithm for several objectives",
    .learns = true,
    .redraws = true,
    .ask = ask,
};
