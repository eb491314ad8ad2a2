/* tpe.c - densities of good and bad points (tree-structured Parzen estimator). */
#include "search/algorithm.h"

static enum search_answer ask(struct search *search, uint64_t k, double *point)
{
    struct random random;
    algorithm_random(search, k, &random);
    return algorithm_draw_new(search, &random, point);
}

const struct algorithm tpe_algorithm = {
    .name = "tpe",
    .about = "densities of good and bad points (tree-structured Parzen estimator)",
    .learns = true,
    .redraws = true,
    .ask = ask,
};
