/* auto.c - chooses by the space, the budget and the workers. */
#include "search/algorithm.h"

static enum search_answer ask(struct search *search, uint64_t k, double *point)
{
    struct random random;
    algorithm_random(search, k, &random);
    return algorithm_draw_new(search, &random, point);
}

const struct algorithm auto_algorithm = {
    .name = "auto",
    .about = "chooses by the space, the budget and the workers",
    .learns = true,
    .redraws = true,
    .ask = ask,
};
