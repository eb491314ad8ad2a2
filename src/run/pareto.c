/* pareto.c - the Pareto front of the results so far. */
#include "run/pareto.h"

void pareto_init(struct pareto *front, size_t objectives, const bool *maximize)
{
    *front = (struct pareto){.objectives = objectives, .maximize = maximize};
}

void pareto_free(struct pareto *front)
{
    free(front->scores);
}

static bool is_as_good(const struct pareto *front, const double *a, const double *b)
{
    for (size_t i = 0; i < front->objectives; i++)
        if (front->maximize[i] ? a[i] < b[i] : a[i] > b[i])
            return false;
    return true;
}

bool pareto_add(struct pareto *front, const double *scores)
{
    size_t width = front->objectives, kept = 0;
    for (size_t i = 0; i < front->count; i++)
        if (is_as_good(front, front->scores + i * width, scores))
            return false;
    for (size_t i = 0; i < front->count; i++)
        if (!is_as_good(front, scores, front->scores + i * width))
            memmove(front->scores + kept++ * width, front->scores + i * width,
                    width * sizeof *scores);
    front->scores = memory_grow(front->scores, &front->capacity, kept + 1, width * sizeof *scores);
    memcpy(front->scores + kept * width, scores, width * sizeof *scores);
    front->count = kept + 1;
    return true;
}
