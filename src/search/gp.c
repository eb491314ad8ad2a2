/* gp.c - a Gaussian process learns the surface: best for few numbers. */
#include "search/algorithm.h"

static enum search_answer ask(struct search *search, uint64_t k, double *point)
{
    struct random random;
    algorithm_random(search, k, &random);
    return algorithm_draw_new(search, &random, point);
}

const struct algorithm gp_algorithm = {
    .name = "gp",
    .about = "a Gaussian process learns the surface: best for few numbers",
    .learns = true,
    .redraws = true,
    .ask = ask,
};
