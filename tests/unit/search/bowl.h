/* bowl.h - a simple function on any space, for tests of what a search finds. */
#ifndef TESTS_SEARCH_BOWL_H
#define TESTS_SEARCH_BOWL_H

#include "search/search.h"
#include "spaces.h"

enum { BOWL_TRIALS = 400 };

/* 0 is the best: numbers near 0.3 of their scale, the second value of a choice. */
static double bowl(const struct space *space, const double *point)
{
    double sum = 0;
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        if (isnan(point[i]) || parameter->kind == PARAMETER_CONSTANT)
            continue;
        double away = space_unit(parameter, point[i]) - 0.3;
        sum += parameter->kind == PARAMETER_CHOICE ? 0.1 * (point[i] != 1) : away * away;
    }
    return sum;
}

/* The best of so many trials with `most` at a time, which end in the order of their start. */
__attribute__((unused)) static double best_of(const struct search_settings *settings,
                                              const struct space *space, size_t trials, size_t most)
{
    static double points[BOWL_TRIALS][MOST];
    struct search *search = search_create(settings, space);
    size_t asked = 0, told = 0;
    double best = INFINITY;
    while (told < trials) {
        while (asked < trials && asked - told < most &&
               search_ask(search, points[asked]) == SEARCH_POINT)
            asked++;
        if (asked == told)
            break;
        struct search_result result = {.good = true, .scores = {bowl(space, points[told])}};
        best = fmin(best, result.scores[0]);
        search_tell(search, told++, &result);
    }
    search_free(search);
    return best;
}

/* The mean of the best of 100 trials over some seeds. */
__attribute__((unused)) static double mean_best(const char *algorithm, const struct space *space,
                                                size_t most)
{
    enum { SEEDS = 10 };
    double sum = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct search_settings settings = {
            .algorithm = algorithm, .seed = seed, .trials = 100, .workers = most};
        sum += best_of(&settings, space, 100, most);
    }
    return sum / SEEDS;
}

#endif
