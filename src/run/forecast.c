/* forecast.c - see forecast.h. */
#include "run/forecast.h"

#include "num/num.h"

#include <math.h>

enum {
    FEW = 5,         /* durations, too few for a forest */
    TREES = 20,      /* of the forest */
    RENEWED = 2,     /* trees that are grown anew when there are new durations */
    MOST_ROWS = 2000 /* of a tree */
};
static const double SHORTEST = 1e-3; /* seconds: below that, differences do not matter */

struct forecast {
    struct forest *forest;
    size_t *categories;
    size_t count, fitted; /* durations, and how many the forest has learnt from */
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
    forest_add(forecast->forest, point, log(fmax(seconds, SHORTEST)));
    forecast->longest = fmax(forecast->longest, seconds);
    forecast->count++;
}

double forecast_seconds(struct forecast *forecast, const double *point)
{
    if (forecast->count < FEW)
        return forecast->longest;
    if (forecast->fitted < forecast->count)
        forest_fit(forecast->forest, forecast->fitted == 0 ? SIZE_MAX : RENEWED);
    forecast->fitted = forecast->count;
    double mean, variance;
    forest_predict(forecast->forest, point, &mean, &variance);
    return exp(mean + sqrt(variance));
}
