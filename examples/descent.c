/*
 * descent.c - fit a line to points by 300 steps of gradient descent, each of them a task.
 *
 *     mpicc descent.c -o descent $(pkg-config --cflags --libs wick)
 *     mpiexec -n 8 ./descent
 *
 * Two clients take a step together, as a team: each has half of the points, and MPI adds up what
 * they find. The line is in the key-value space. Several teams may take a step from the same line
 * at once; the version shows it, and a team that comes too late takes its step again from the new
 * line. So no step is lost, in whatever order they are taken. Client 0 leads and the others work:
 * you need at least 4 processes, a server, the leader and two that work.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <wick.h>

enum { STEPS = 300, POINTS = 64 };

/* This half's part of the gradient of the mean square error; the points are on 2 + 3 x. */
static void gradient(unsigned half, const double line[2], double sum[2])
{
    sum[0] = sum[1] = 0;
    for (unsigned i = half; i < POINTS; i += 2) {
        double x = i / (double)POINTS, error = line[0] + line[1] * x - (2 + 3 * x);
        sum[0] += 2 * error / POINTS;
        sum[1] += 2 * error * x / POINTS;
    }
}

static void step(struct wick *w, const struct wick_assignment *got)
{
    const double *rate = got->bytes;
    struct wick_value value = {0};
    double line[2], part[2], sum[2];
    int code = 0;
    MPI_Comm group;
    wick_communicator(w, &group, sizeof group);
    do {
        if (got->index == 0 && wick_store_get(w, "line", &value) == 0)
            memcpy(line, value.bytes, sizeof line);
        MPI_Bcast(line, 2, MPI_DOUBLE, 0, group);
        gradient(got->index, line, part);
        MPI_Allreduce(part, sum, 2, MPI_DOUBLE, MPI_SUM, group);
        for (int i = 0; i < 2; i++)
            line[i] -= *rate * sum[i];
        if (got->index == 0)
            code = wick_store_put(w, "line", line, sizeof line, value.version, NULL);
        MPI_Bcast(&code, 1, MPI_INT, 0, group);
    } while (code == WICK_CONFLICT);
}

static void lead(struct wick *w)
{
    double line[2] = {0, 0}, rate = 0.7;
    struct wick_task task = {.bytes = &rate, .length = sizeof rate, .clients = 2, .answer = 1};
    struct wick_result result;
    struct wick_value value;
    wick_store_put(w, "line", line, sizeof line, WICK_NEW, NULL);
    for (int i = 0; i < STEPS; i++)
        wick_put(w, &task, NULL);
    while (wick_result(w, 0, &result) == 0)
        ;
    wick_store_get(w, "line", &value);
    memcpy(line, value.bytes, sizeof line);
    printf("after %d steps: y = %.3f + %.3f x\n", (int)value.version - 1, line[0], line[1]);
}

int main(void)
{
    struct wick *w;
    struct wick_assignment got;
    if (wick_init(&w, NULL) != 0) {
        fprintf(stderr, "descent: %s\n", wick_error(w));
        return 1;
    }
    if (wick_size(w) < 3) { /* two for a step, and one that waits for the result */
        fprintf(stderr, "descent: start it with at least 4 processes\n");
        return wick_finalize(w) != 0 || 1;
    }
    if (wick_rank(w) == 0)
        lead(w);
    while (wick_get(w, &got) == 0)
        step(w, &got);
    return wick_finalize(w) != 0;
}
