/* minimise.c - L-BFGS in a box. */
#include "num/minimise.h"

#include "base/base.h"

#include <math.h>

enum { MEMORY = 8, SHORTEST = 20 }; /* number of pairs kept; limit of steps in a line search */

struct state {
    const struct minimise *problem;
    size_t count, left;           /* number of variables; number of evaluations left */
    double *x, value, *gradient;  /* where the search is */
    double *next, *next_gradient; /* where the step leads */
    double *direction;
    bool *held;              /* at a bound, with the way down leading out of the box */
    double *moves, *turns;   /* changes of x and of the gradient in the last steps: MEMORY rows */
    double products[MEMORY]; /* move times turn */
    size_t kept;             /* number of steps remembered so far */
};

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Determines which variables stay where they are; returns the largest slope of the others. */
static double hold(struct state *s)
{
    double largest = 0;
    for (size_t i = 0; i < s->count; i++) {
        s->held[i] = (s->x[i] <= s->problem->low[i] && s->gradient[i] > 0) ||
                     (s->x[i] >= s->problem->high[i] && s->gradient[i] < 0);
        if (!s->held[i])
            largest = fmax(largest, fabs(s->gradient[i]));
    }
    return largest;
}

static void mask(struct state *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->held[i])
            s->direction[i] = 0;
}

/* The two loops of L-BFGS, on the free variables. */
static void choose_direction(struct state *s)
{
    double weights[MEMORY] = {0};
    size_t known = s->kept < MEMORY ? s->kept : MEMORY, n = s->count;
    for (size_t i = 0; i < n; i++)
        s->direction[i] = -s->gradient[i];
    mask(s);
    for (size_t k = 0; k < known; k++) {
        size_t at = (s->kept - 1 - k) % MEMORY;
        weights[at] = dot(s->moves + at * n, s->direction, n) / s->products[at];
        for (size_t i = 0; i < n; i++)
            s->direction[i] -= weights[at] * s->turns[at * n + i];
    }
    if (known > 0) {
        size_t at = (s->kept - 1) % MEMORY;
        double scale = s->products[at] / dot(s->turns + at * n, s->turns + at * n, n);
        for (size_t i = 0; i < n; i++)
            s->direction[i] *= scale;
    }
    for (size_t k = known; k-- > 0;) {
        size_t at = (s->kept - 1 - k) % MEMORY;
        double more = weights[at] - dot(s->turns + at * n, s->direction, n) / s->products[at];
        for (size_t i = 0; i < n; i++)
            s->direction[i] += more * s->moves[at * n + i];
    }
    mask(s);
}

/* Goes straight down by the first step's length: at the start, and when the memory misleads. */
static void start_anew(struct state *s)
{
    s->kept = 0;
    choose_direction(s);
    double length = sqrt(dot(s->direction, s->direction, s->count));
    for (size_t i = 0; i < s->count; i++)
        s->direction[i] *= s->problem->first_step / length;
}

/* Moves along the direction, at most to the bounds; returns the gain that the slope promises. */
static double place(struct state *s, double length)
{
    double promise = 0;
    for (size_t i = 0; i < s->count; i++) {
        double x = s->x[i] + length * s->direction[i];
        s->next[i] = fmin(fmax(x, s->problem->low[i]), s->problem->high[i]);
        promise -= s->gradient[i] * (s->next[i] - s->x[i]);
    }
    return promise;
}

static void remember(struct state *s)
{
    size_t at = s->kept % MEMORY, n = s->count;
    double *move = s->moves + at * n, *turn = s->turns + at * n;
    for (size_t i = 0; i < n; i++) {
        move[i] = s->next[i] - s->x[i];
        turn[i] = s->next_gradient[i] - s->gradient[i];
    }
    double product = dot(move, turn, n);
    if (product > 1e-10 * sqrt(dot(move, move, n) * dot(turn, turn, n))) {
        s->products[at] = product;
        s->kept++;
    }
}

static void swap(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

/* Takes a step with a sufficient gain (Armijo); returns the gain, or 0 if there is no such step. */
static double step(struct state *s)
{
    double length = 1;
    for (size_t tries = 0; tries < SHORTEST && s->left > 0; tries++, s->left--) {
        double promise = place(s, length);
        if (!(promise > 0))
            return 0;
        double value = s->problem->value(s->problem->self, s->next, s->next_gradient);
        double gain = s->value - value;
        if (isfinite(value) && gain >= 1e-4 * promise) {
            s->left--;
            remember(s);
            swap(&s->x, &s->next);
            swap(&s->gradient, &s->next_gradient);
            s->value = value;
            return gain;
        }
        /* Go to the lowest point of the parabola through the known values. */
        double shorter = isfinite(value) ? promise / (2 * (promise - gain)) : 0.1;
        length *= fmin(fmax(shorter, 0.1), 0.5);
    }
    return 0;
}

static void descend(struct state *s)
{
    bool fresh = true;
    while (s->left > 0 && hold(s) > 0) {
        if (fresh)
            start_anew(s);
        else
            choose_direction(s);
        if (dot(s->direction, s->gradient, s->count) >= 0)
            start_anew(s);
        double gain = step(s);
        bool was_fresh = fresh;
        fresh = gain <= 0;
        if (gain < s->problem->tolerance && (was_fresh || gain > 0))
            return;
    }
}

double minimise(const struct minimise *problem, double *x)
{
    size_t n = problem->count;
    double *memory = memory_new((5 + 2 * MEMORY) * n, sizeof *memory);
    struct state s = {.problem = problem,
                      .count = n,
                      .left = problem->evaluations,
                      .x = memory,
                      .gradient = memory + n,
                      .next = memory + 2 * n,
                      .next_gradient = memory + 3 * n,
                      .direction = memory + 4 * n,
                      .moves = memory + 5 * n,
                      .turns = memory + (5 + MEMORY) * n,
                      .held = memory_new(n, sizeof(bool))};
    memcpy(s.x, x, n * sizeof *x);
    s.value = problem->value(problem->self, s.x, s.gradient);
    s.left -= s.left > 0;
    if (isfinite(s.value))
        descend(&s);
    memcpy(x, s.x, n * sizeof *x);
    free(memory);
    free(s.held);
    return s.value;
}
