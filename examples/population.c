/*
 * population.c - fit a line to points, with a population of learning rates.
 *
 *     mpicc population.c -o population $(pkg-config --cflags --libs wick)
 *     mpiexec -n 6 ./population
 *
 * In each round four members train for some steps, each with its own learning rate, from the
 * weights of the member that was best in the round before. A member is a task for two clients: each
 * has half of the points, and MPI adds up their gradients. The weights go through the key-value
 * space; the answer is the loss alone. Client 0 leads, and the others work, so at least 4 processes
 * are needed.
 */
#include <mpi.h>
#include <stdio.h>
#include <wick.h>

enum { ROUNDS = 8, MEMBERS = 4, STEPS = 10, POINTS = 64 };

struct order {
    double rate;
    char from[32], to[32]; /* keys of weights */
};

/* Steps down the gradient of the mean square error of a line; returns the error. */
static double train(MPI_Comm group, unsigned index, double rate, double line[2])
{
    double all[3] = {0};
    for (int step = 0; step <= STEPS; step++) {
        double part[3] = {0};
        for (unsigned i = index; i < POINTS; i += 2) {
            double x = i / (double)POINTS, miss = line[0] + line[1] * x - (2 + 3 * x);
            part[0] += 2 * miss / POINTS;
            part[1] += 2 * miss * x / POINTS;
            part[2] += miss * miss / POINTS;
        }
        MPI_Allreduce(part, all, 3, MPI_DOUBLE, MPI_SUM, group);
        for (int i = 0; step < STEPS && i < 2; i++)
            line[i] -= rate * all[i];
    }
    return all[2];
}

static void work(struct wick *w, const struct wick_assignment *got)
{
    const struct order *order = got->bytes;
    MPI_Comm group;
    struct wick_value start;
    wick_communicator(w, &group, sizeof group);
    wick_store_get(w, order->from, &start);
    double line[2] = {((const double *)start.bytes)[0], ((const double *)start.bytes)[1]};
    double loss = train(group, got->index, order->rate, line);
    if (got->index == 0)
        wick_store_put(w, order->to, line, sizeof line, WICK_ANY, NULL);
    wick_answer(w, &loss, sizeof loss);
}

static void lead(struct wick *w)
{
    char best[32] = "weights/start";
    wick_store_put(w, best, (double[2]){0, 0}, 2 * sizeof(double), WICK_ANY, NULL);
    for (int round = 1; round <= ROUNDS; round++) {
        static const double rates[MEMBERS] = {0.05, 0.2, 0.8, 1.6};
        struct order orders[MEMBERS];
        struct wick_result result;
        uint64_t ids[MEMBERS];
        double least = 1e300;
        int winner = 0;
        for (int i = 0; i < MEMBERS; i++) {
            orders[i].rate = rates[i];
            snprintf(orders[i].from, sizeof orders[i].from, "%s", best);
            snprintf(orders[i].to, sizeof orders[i].to, "weights/%d/%d", round, i);
            struct wick_task task = {&orders[i], sizeof orders[i], .clients = 2, .answer = 1};
            wick_put(w, &task, &ids[i]);
        }
        for (int i = 0; i < MEMBERS; i++) {
            wick_result(w, ids[i], &result);
            double loss = *(const double *)result.bytes;
            winner = loss < least ? i : winner;
            least = loss < least ? loss : least;
        }
        printf("round %d: rate %.2f, loss %.6f\n", round, rates[winner], least);
        snprintf(best, sizeof best, "%s", orders[winner].to);
    }
    struct wick_value line;
    wick_store_get(w, best, &line);
    printf("y = %.3f + %.3f x\n", ((const double *)line.bytes)[0], ((const double *)line.bytes)[1]);
}

int main(void)
{
    struct wick *w;
    struct wick_assignment got;
    if (wick_init(&w, NULL) != 0) {
        fprintf(stderr, "population: %s\n", wick_error(w));
        return 1;
    }
    if (wick_rank(w) == 0)
        lead(w);
    while (wick_get(w, &got) == 0)
        work(w, &got);
    return wick_finalize(w) != 0;
}
