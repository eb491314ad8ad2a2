/* forecast.c - see forecast.h. */
#include "run/forecast.h"

#include "num/num.h"

#include <math.h>

enum {
    FEW = 5,         /* fewer durations than this are too few for a forest */
    TREES = 20,      /* in the forest */
    MOST_ROWS = 2000 /* rows that a tree sees */
};
static const double GROWTH = 1.2; /* with this many times the durations the trees are grown again */
static const double SHORTEST = 1e-3; /* seconds; differences below that do not matter */

struct forecast {
    struct forest *forest;
    size_t *categories;
    size_t count, settled,
        grown; /* durations: all, those in the leaves, those the trees grew from */
    double longest;
};

struct forecast *forecast_create(const struct space *space, uint64_t seed)
{
    struct forecast *forecast = memory_new(1, sizeof *forecast);
    forecast->categories = memory_new(space->count, sizeof *forecast->categories);
    for (size_t i = 0; i < space->count; i++)
        if (space->parameters[i].kind == PARAMETER_CHOICE)
            forecast->categories[i] = space->parameters[i].value_count;
    struct forest_settings settings = {.columns = space->count,
                                       .categories = forecast->categories,
                                       .trees = TREES,
                                       .least_leaf = 1,
                                       .column_share = 0.7,
                                       .most_rows = MOST_ROWS,
                                       .seed = seed};
    forecast->forest = forest_create(&settings);
    return forecast;
}

void forecast_free(struct forecast *forecast)
{
    if (!forecast)
        return;
    forest_free(forecast->forest);
    free(forecast->categories);
    free(forecast);
}

void forecast_note(struct forecast *forecast, const double *point, double seconds)
{
    if (forest_add(forecast->forest, point, log(fmax(seconds, SHORTEST))))
        forecast->count++;
    forecast->longest = fmax(forecast->longest, seconds);
}

/* Learns new durations: mostly in the leaves alone, which costs little. */
static void learn(struct forecast *forecast)
{
    if ((double)forecast->count > GROWTH * (double)forecast->grown) {
        forest_fit(forecast->forest);
        forecast->grown = forecast->count;
    } else {
        forest_settle(forecast->forest);
    }
    forecast->settled = forecast->count;
}

double forecast_seconds(struct forecast *forecast, const double *point)
{
    if (forecast->count < FEW)
        return forecast->longest;
    if (forecast->settled < forecast->count)
        learn(forecast);
    double mean, variance;
    forest_predict(forecast->forest, point, &mean, &variance);
    return exp(mean + sqrt(variance));
}
