/* cmaes.c - evolution with a learnt covariance: best for many numbers and many trials. */
#include "search/algorithm.h"

static enum search_answer ask(struct search *search, uint64_t k, double *point)
{
    struct random random;
    algorithm_random(search, k, &random);
    return algorithm_draw_new(search, &random, point);
}

const struct algorithm cmaes_algorithm = {
    .name = "cmaes",
    .about = "evolution with a learnt covariance: best for many numbers and many trials",
    .learns = true,
    .redraws = true,
    .ask = ask,
};
