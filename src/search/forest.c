/* forest.c - a random forest learns which regions are promising. */
#include "search/algorithm.h"

static enum search_answer ask(struct search *search, uint64_t k, double *point)
{
    struct random random;
    algorithm_random(search, k, &random);
    return algorithm_draw_new(search, &random, point);
}

const struct algorithm forest_algorithm = {
    .name = "forest",
    .about = "a random forest learns which regions are promising",
    .learns = true,
    .redraws = true,
    .ask = ask,
};
