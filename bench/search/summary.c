/*
 * summary.c - the tables of a contest.
 *
 * Regret is the true score of the best so far minus the optimum. It is normalised by the regret
 * that random search leaves after 25 evaluations (the median of many tries; a fixed number per
 * problem). Less than a thousandth of that counts as a thousandth, everywhere: nobody tunes
 * further, and otherwise the digits of the easiest problem would decide a geometric mean. More than
 * ten times that counts as ten times (so does a race without a single good trial).
 *
 *   rank     of a contender among all in the table, for each problem and seed (equal ones share
 *            their ranks), then the mean of these
 *   regret   normalised, the mean over the seeds, then the geometric mean over the problems
 *   ratio    that regret after 100 evaluations, divided by that of Optuna's multivariate TPE
 *
 * A contender that rejects a problem is the last on it; its regret is that of the other problems.
 */
#include "bench/search/contest.h"

#include <math.h>

static const double least = 1e-3, most = 10;
static const char *const yardstick = "optuna-mtpe";

struct line {
    const struct contender *contender;
    size_t index; /* of the contender */
    double rank[CHECKPOINTS], regret[CHECKPOINTS];
    double seconds;         /* per race */
    double *problem_regret; /* CHECKPOINTS numbers per problem */
};

/* A table under construction. */
struct board {
    const struct contest *contest;
    size_t mode;
    struct line *lines; /* one for each contender that is not absent */
    size_t count;
};

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns NaN if the problem was rejected. */
static double normalised(const struct board *board, size_t problem, size_t contender, size_t seed,
                         size_t checkpoint)
{
    const struct contest *contest = board->contest;
    const struct problem *on = &contest->problems[problem];
    double best = contest_outcome(contest, board->mode, problem, contender, seed)->best[checkpoint];
    if (isnan(best))
        return NAN;
    return fmin(most, fmax(least, (best - on->optimum) / on->scale));
}

/* Adds the ranks of all contenders in one race to those of their lines. */
static void add_ranks(struct board *board, const double *regrets, size_t checkpoint)
{
    for (size_t i = 0; i < board->count; i++) {
        double rank = 1, mine = isnan(regrets[i]) ? INFINITY : regrets[i];
        for (size_t j = 0; j < board->count; j++) {
            double other = isnan(regrets[j]) ? INFINITY : regrets[j];
            if (j != i)
                rank += other < mine ? 1 : other == mine ? 0.5 : 0;
        }
        board->lines[i].rank[checkpoint] += rank;
    }
}

static void add_problem(struct board *board, size_t problem, size_t checkpoint)
{
    size_t seeds = board->contest->seeds;
    double *regrets = memory_new(board->count, sizeof *regrets);
    for (size_t seed = 0; seed < seeds; seed++) {
        for (size_t i = 0; i < board->count; i++) {
            struct line *line = &board->lines[i];
            regrets[i] = normalised(board, problem, line->index, seed, checkpoint);
            line->problem_regret[problem * CHECKPOINTS + checkpoint] += regrets[i] / (double)seeds;
        }
        add_ranks(board, regrets, checkpoint);
    }
    free(regrets);
}

/* From sums to means. */
static void finish_line(const struct board *board, struct line *line)
{
    const struct contest *contest = board->contest;
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
            line->seconds +=
                contest_outcome(contest, board->mode, problem, line->index, seed)->seconds / races;
}

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return compare_numbers(&x->rank[CHECKPOINTS - 1], &y->rank[CHECKPOINTS - 1]);
}

static void make_lines(struct board *board)
{
    const struct contest *contest = board->contest;
    board->lines = memory_new(contest->contender_count, sizeof *board->lines);
    for (size_t i = 0; i < contest->contender_count; i++)
        if (!contest->contenders[i].is_absent)
            board->lines[board->count++] = (struct line){
                .contender = &contest->contenders[i],
                .index = i,
                .problem_regret = memory_new(contest->problem_count * CHECKPOINTS, sizeof(double)),
            };
    for (size_t problem = 0; problem < contest->problem_count; problem++)
        for (size_t checkpoint = 0; checkpoint < CHECKPOINTS; checkpoint++)
            add_problem(board, problem, checkpoint);
    for (size_t i = 0; i < board->count; i++)
        finish_line(board, &board->lines[i]);
    qsort(board->lines, board->count, sizeof *board->lines, compare_lines);
}

static void print_lines(const struct board *board)
{
    double peer = NAN;
    for (size_t i = 0; i < board->count; i++)
        if (strcmp(board->lines[i].contender->name, yardstick) == 0)
            peer = board->lines[i].regret[CHECKPOINTS - 1];
    printf("%-24s  mean rank at          normalised regret at      of Optuna's   ms of\n", "");
    printf("%-24s  %5zu %5zu %5zu     %6zu %6zu %6zu      mtpe          an ask\n", "algorithm",
           checkpoints[0], checkpoints[1], checkpoints[2], checkpoints[0], checkpoints[1],
           checkpoints[2]);
    for (size_t i = 0; i < board->count; i++) {
        const struct line *line = &board->lines[i];
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

/* One row per problem: the regret of each contender after 100 evaluations. */
static void print_details(const struct board *board)
{
    const struct contest *contest = board->contest;
    printf("\nnormalised regret at %d, by problem\n%-16s", BUDGET, "");
    for (size_t i = 0; i < board->count; i++) {
        const char *name = board->lines[i].contender->name;
        size_t length = strlen(name); /* the end of a name says more than its start */
        printf(" %8s", length > 8 ? name + length - 8 : name);
    }
    printf("\n");
    for (size_t problem = 0; problem < contest->problem_count; problem++) {
        size_t at = problem * CHECKPOINTS + CHECKPOINTS - 1;
        printf("%-16s", contest->problems[problem].name);
        for (size_t i = 0; i < board->count; i++)
            printf(" %8.3f", board->lines[i].problem_regret[at]);
        printf("\n");
    }
}

void summary_print(const struct contest *contest, size_t mode, bool details)
{
    struct board board = {.contest = contest, .mode = mode};
    make_lines(&board);
    if (mode == 0)
        printf("\n== one trial at a time");
    else
        printf("\n== %d trials at a time", PARALLEL);
    printf(": %zu problems, %zu seeds\n", contest->problem_count, contest->seeds);
    print_lines(&board);
    if (details)
        print_details(&board);
    for (size_t i = 0; i < board.count; i++)
        free(board.lines[i].problem_regret);
    free(board.lines);
}
