/* genetic.c - a genetic algorithm: selection, crossover and mutation. */
#include "search/algorithm.h"

static enum search_answer ask(struct search *search, uint64_t k, double *point)
{
    struct random random;
    algorithm_random(search, k, &random);
    return algorithm_draw_new(search, &random, point);
}

const struct algorithm genetic_algorithm = {
    .name = "genetic",
    .about = "a genetic algorithm: selection, crossover and mutation",
    .learns = true,
    .redraws = true,
    .ask = ask,
};
