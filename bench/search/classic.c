/*
 * classic.c - test functions from the literature, as in S. Surjanovic and D. Bingham, "Virtual
 * Library of Simulation Experiments". Those whose optimum is the middle of the range are shifted: a
 * search that begins in the middle must not win because of that.
 */
#include "bench/search/problem.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* The distance of the optimum from the middle, as a share of the range. */
static double shift(size_t i)
{
    static const double shares[] = {0.31, -0.22, 0.17, -0.38, 0.09, -0.27, 0.36, 0.12, -0.15, 0.24};
    return shares[i % (sizeof shares / sizeof *shares)];
}

static double square(double x)
{
    return x * x;
}

/* A function of src/num that takes plain numbers. */
static double built_in(const char *name, const double *x, size_t count)
{
    struct function_input in[16] = {{0}};
    for (size_t i = 0; i < count; i++)
        in[i].number = x[i];
    return function_find(name)->score(in, count);
}

static double branin(const double *x, size_t count)
{
    return built_in("branin", x, count);
}

static double hartmann6(const double *x, size_t count)
{
    return built_in("hartmann6", x, count);
}

static double rosenbrock(const double *x, size_t count)
{
    return built_in("rosenbrock", x, count);
}

static double ackley(const double *x, size_t count)
{
    double moved[16];
    for (size_t i = 0; i < count; i++)
        moved[i] = x[i] - 65.536 * shift(i);
    return built_in("ackley", moved, count);
}

static double levy(const double *x, size_t count)
{
    double sum = 0, w = 1;
    for (size_t i = 0; i < count; i++) {
        w = 1 + (x[i] - 20 * shift(i)) / 4;
        if (i == 0)
            sum += square(sin(pi * w));
        if (i + 1 < count)
            sum += square(w - 1) * (1 + 10 * square(sin(pi * w + 1)));
    }
    return sum + square(w - 1) * (1 + square(sin(2 * pi * w)));
}

static double griewank(const double *x, size_t count)
{
    double sum = 0, product = 1;
    for (size_t i = 0; i < count; i++) {
        double moved = x[i] - 1200 * shift(i);
        sum += moved * moved / 4000;
        product *= cos(moved / sqrt((double)i + 1));
    }
    return sum - product + 1;
}

static const double styblinski_least = -39.16616570377142; /* minimum for one input, at -2.903534 */

static double styblinski(const double *x, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double moved = x[i] - 4 * shift(i);
        sum += (square(square(moved)) - 16 * square(moved) + 5 * moved) / 2 - styblinski_least;
    }
    return sum;
}

/* Hartmann's function on six of twenty inputs; the others do nothing. */
static double few_of_20(const double *x, size_t count)
{
    (void)count;
    double six[6] = {x[2], x[5], x[8], x[11], x[12], x[18]};
    return built_in("hartmann6", six, 6);
}

/* Terraces of different heights, and a cliff next to the lowest one. */
static double steps(const double *x, size_t count)
{
    double sum = x[0] - x[1] > 0.55 ? 1 : 0;
    for (size_t i = 0; i < count; i++)
        sum += (1 + 0.5 * (double)i) * floor(fabs(x[i] - 0.5 - shift(i)) * 10) / 10;
    return sum;
}

/* A number in [0, 1) that is determined by these. */
static double lot(uint64_t a, uint64_t b, uint64_t c)
{
    struct random random;
    random_seed(&random, 1000 * a + b, c);
    return random_unit(&random);
}

/* Eight choices of four values: each choice and each pair of neighbours has its own worth. */
static double choices(const double *x, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += lot(i, 0, (uint64_t)x[i]);
        size_t next = (i + 1) % count;
        sum += 0.7 * lot(i, 1 + (uint64_t)x[i], (uint64_t)x[next]);
    }
    return sum;
}

/* Every kind of parameter; the best of the others depends on the choice. All terms are >= 0. */
static double kinds(const double *x, size_t count)
{
    static const double best_x[] = {0.2, 0.8, 0.35, 0.6}, best_rate[] = {-1, -3, -2.2, -1.7},
                        extra[] = {0.3, 0.15, 0, 0.2};
    (void)count;
    size_t mode = (size_t)x[4];
    double rate = log10(x[1]) - best_rate[mode];
    double number = x[2] - 14, size = x[3] - (mode == 2 ? 3 : 1);
    double sum = extra[mode] + 4 * square(x[0] - best_x[mode]) + 0.3 * square(rate);
    sum += 0.004 * square(number + 4 * rate) + 0.08 * square(size);
    return sum + (x[5] == 0 ? 0.1 : 0) + 0.1 * fabs(x[6] - 0.7);
}

const struct formula classic_formulas[] = {
    {
        .name = "branin",
        .space = "x1: {float: [-5, 10]}\n"
                 "x2: {float: [0, 15]}\n",
        .optimum = 0.39788735772973816,
        .score = branin,
    },
    {
        .name = "hartmann6",
        .floats = 6,
        .low = 0,
        .high = 1,
        .optimum = -3.322368011415515,
        .score = hartmann6,
    },
    {.name = "ackley5", .floats = 5, .low = -32.768, .high = 32.768, .score = ackley},
    {.name = "levy6", .floats = 6, .low = -10, .high = 10, .score = levy},
    {.name = "rosenbrock6", .floats = 6, .low = -5, .high = 10, .score = rosenbrock},
    {.name = "griewank8", .floats = 8, .low = -600, .high = 600, .score = griewank},
    {.name = "styblinski10", .floats = 10, .low = -5, .high = 5, .score = styblinski},
    {
        .name = "few-of-20",
        .floats = 20,
        .low = 0,
        .high = 1,
        .optimum = -3.322368011415515,
        .score = few_of_20,
    },
    {
        .name = "hartmann6-noisy",
        .floats = 6,
        .low = 0,
        .high = 1,
        .optimum = -3.322368011415515,
        .noise = 0.2,
        .score = hartmann6,
    },
    {.name = "steps5", .floats = 5, .low = 0, .high = 1, .score = steps},
    {
        .name = "choices8",
        .space = "a: {choice: [p, q, r, s]}\n"
                 "b: {choice: [p, q, r, s]}\n"
                 "c: {choice: [p, q, r, s]}\n"
                 "d: {choice: [p, q, r, s]}\n"
                 "e: {choice: [p, q, r, s]}\n"
                 "f: {choice: [p, q, r, s]}\n"
                 "g: {choice: [p, q, r, s]}\n"
                 "h: {choice: [p, q, r, s]}\n",
        .optimum = NAN,
        .score = choices,
    },
    {
        .name = "kinds",
        .space = "x: {float: [0, 1]}\n"
                 "rate: {log: [1e-5, 1]}\n"
                 "number: {int: [1, 20]}\n"
                 "size: {ordered: [tiny, small, medium, large, huge]}\n"
                 "mode: {choice: [a, b, c, d]}\n"
                 "switch: {choice: [false, true]}\n"
                 "share: {float: [0, 1], step: 0.1}\n",
        .score = kinds,
    },
    {0},
};
