/*
 * summary.c - the tables of a contest.
 *
 * Regret is the true score of the best so far minus the optimum. It is normalised by what random
 * search leaves after 25 evaluations (the median of many tries; a fixed number of each problem).
 * Less than a thousandth of that counts as a thousandth, everywhere: nobody tunes further, and else
 * the digits of the easiest problem would decide a geometric mean. More than ten times of it counts
 * as ten times (so does a race without a single good trial).
 *
 *   rank     of a contender among all in the table, for each problem and seed (those that are equal
 *            share their ranks), then the mean of these
 *   regret   normalised, the mean over the seeds, then the geometric mean over the problems
 *   ratio    that regret after 100 evaluations, divided by the one of Optuna's multivariate TPE
 *
 * A contender that refuses a problem is the last on it; its regret is that of the other problems.
 */
#include "bench/search/contest.h"

#include <math.h>

static const double least = 1e-3, most = 10;
static const char *const yardstick = "optuna-mtpe";

struct line {
    const struct contender *contender;
    double rank[CHECKPOINTS], regret[CHECKPOINTS];
    double seconds; /* of a race */
    double *problem_regret;
};

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* NaN: it was refused. */
static double normalised(const struct contest *contest, size_t mode, size_t problem,
                         size_t contender, size_t seed, size_t checkpoint)
{
    double best = contest_outcome(contest, mode, problem, contender, seed)->best[checkpoint];
    if (isnan(best))
        return NAN;
    const struct problem *on = &contest->problems[problem];
    return fmin(most, fmax(least, (best - on->optimum) / on->scale));
}

/* The ranks of all contenders in one race, added to those of their lines. */
static void add_ranks(const struct contest *contest, const double *regrets, size_t checkpoint,
                      struct line *lines)
{
    size_t count = contest->contender_count;
    for (size_t i = 0; i < count; i++) {
        double rank = 1, mine = isnan(regrets[i]) ? INFINITY : regrets[i];
        for (size_t j = 0; j < count; j++) {
            double other = isnan(regrets[j]) ? INFINITY : regrets[j];
            if (j != i)
                rank += other < mine ? 1 : other == mine ? 0.5 : 0;
        }
        lines[i].rank[checkpoint] += rank;
    }
}

/* Adds a problem to all lines; the regrets of the lines are sums of logarithms until the end. */
static void add_problem(const struct contest *contest, size_t mode, size_t problem,
                        size_t checkpoint, struct line *lines)
{
    size_t count = contest->contender_count;
    double *regrets = memory_new(2 * count, sizeof *regrets), *sums = regrets + count;
    for (size_t seed = 0; seed < contest->seeds; seed++) {
        for (size_t i = 0; i < count; i++) {
            regrets[i] = normalised(contest, mode, problem, i, seed, checkpoint);
            sums[i] += regrets[i];
        }
        add_ranks(contest, regrets, checkpoint, lines);
    }
    for (size_t i = 0; i < count; i++)
        lines[i].problem_regret[problem * CHECKPOINTS + checkpoint] =
            sums[i] / (double)contest->seeds;
    free(regrets);
}

static void finish_line(const struct contest *contest, size_t mode, size_t index, struct line *line)
{
    double races = (double)(contest->problem_count * contest->seeds);
    for (size_t checkpoint = 0; checkpoint < CHECKPOINTS; checkpoint++) {
        double sum = 0, taken = 0;
        for (size_t problem = 0; problem < contest->problem_count; problem++) {
            double regret = line->problem_regret[problem * CHECKPOINTS + checkpoint];
            sum += isnan(regret) ? 0 : log(regret);
            taken += !isnan(regret);
        }
        line->regret[checkpoint] = exp(sum / taken);
        line->rank[checkpoint] /= races;
    }
    for (size_t problem = 0; problem < contest->problem_count; problem++)
        for (size_t seed = 0; seed < contest->seeds; seed++)
            line->seconds += contest_outcome(contest, mode, problem, index, seed)->seconds / races;
}

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return compare_numbers(&x->rank[CHECKPOINTS - 1], &y->rank[CHECKPOINTS - 1]);
}

static struct line *make_lines(const struct contest *contest, size_t mode)
{
    struct line *lines = memory_new(contest->contender_count, sizeof *lines);
    for (size_t i = 0; i < contest->contender_count; i++) {
        lines[i].contender = &contest->contenders[i];
        lines[i].problem_regret = memory_new(contest->problem_count * CHECKPOINTS, sizeof(double));
    }
    for (size_t problem = 0; problem < contest->problem_count; problem++)
        for (size_t checkpoint = 0; checkpoint < CHECKPOINTS; checkpoint++)
            add_problem(contest, mode, problem, checkpoint, lines);
    for (size_t i = 0; i < contest->contender_count; i++)
        finish_line(contest, mode, i, &lines[i]);
    qsort(lines, contest->contender_count, sizeof *lines, compare_lines);
    return lines;
}

static void print_lines(const struct contest *contest, const struct line *lines)
{
    double peer = NAN;
    for (size_t i = 0; i < contest->contender_count; i++)
        if (strcmp(lines[i].contender->name, yardstick) == 0)
            peer = lines[i].regret[CHECKPOINTS - 1];
    printf("%-24s  mean rank at          normalised regret at      of Optuna's   ms of\n", "");
    printf("%-24s  %5zu %5zu %5zu     %6zu %6zu %6zu      mtpe          an ask\n", "algorithm",
           checkpoints[0], checkpoints[1], checkpoints[2], checkpoints[0], checkpoints[1],
           checkpoints[2]);
    for (size_t i = 0; i < contest->contender_count; i++) {
        const struct line *line = &lines[i];
        printf("%-24s  %5.2f %5.2f %5.2f     %6.3f %6.3f %6.3f      ", line->contender->name,
               line->rank[0], line->rank[1], line->rank[2], line->regret[0], line->regret[1],
               line->regret[2]);
        if (isnan(peer))
            printf("%-12s", "-");
        else
            printf("%-12.2f", line->regret[2] / peer);
        printf("%8.2f\n", 1e3 * line->seconds / BUDGET);
    }
}

/* A row a problem: the regret of each contender after 100 evaluations. */
static void print_details(const struct contest *contest, const struct line *lines)
{
    printf("\nnormalised regret at %d, by problem\n%-16s", BUDGET, "");
    for (size_t i = 0; i < contest->contender_count; i++) {
        const char *name = lines[i].contender->name;
        const char *short_name = strncmp(name, "optuna-", 7) == 0 ? name + 5 : name;
        printf(" %8.8s", short_name);
    }
    printf("\n");
    for (size_t problem = 0; problem < contest->problem_count; problem++) {
        printf("%-16s", contest->problems[problem].name);
        for (size_t i = 0; i < contest->contender_count; i++)
            printf(" %8.3f", lines[i].problem_regret[problem * CHECKPOINTS + CHECKPOINTS - 1]);
        printf("\n");
    }
}

void summary_print(const struct contest *contest, size_t mode, bool details)
{
    struct line *lines = make_lines(contest, mode);
    if (mode == 0)
        printf("\n== one trial at a time");
    else
        printf("\n== %d trials at a time", PARALLEL);
    printf(": %zu problems, %zu seeds\n", contest->problem_count, contest->seeds);
    print_lines(contest, lines);
    if (details)
        print_details(contest, lines);
    for (size_t i = 0; i < contest->contender_count; i++)
        free(lines[i].problem_regret);
    free(lines);
}
