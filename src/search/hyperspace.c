/* hyperspace.c - the space is cut into overlapping parts, each with a search of its own. */
#include "search/algorithm.h"

static enum search_answer ask(struct search *search, uint64_t k, double *point)
{
    struct random random;
    algorithm_random(search, k, &random);
    return algorithm_draw_new(search, &random, point);
}

const struct algorithm hyperspace_algorithm = {
    .name = "hyperspace",
    .about = "the space is cut into overlapping parts, each with a search of its own",
    .learns = true,
    .redraws = true,
    .ask = ask,
};
