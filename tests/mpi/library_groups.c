/*
 * library_groups.c - the C library: tasks for several clients, each with a communicator, in a
 * program that uses MPI before, between and after them.
 */
#include "library/wick.h"
#include "tap.h"

#include <mpi.h>

enum { TASKS = 300 };

static struct wick *w;
static int wrong, done;

static void do_task(const struct wick_assignment *got)
{
    MPI_Comm group, same;
    int size, rank, sum, number = *(const int *)got->bytes, mine = number + (int)got->index;
    if (wick_communicator(w, &group, sizeof group) != 0) {
        wrong++;
        return;
    }
    wick_communicator(w, &same, sizeof same);
    MPI_Comm_size(group, &size);
    MPI_Comm_rank(group, &rank);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, group);
    wrong += group != same || size != (int)got->clients || rank != (int)got->index;
    if (number % 5 == 0)
        return; /* not answered */
    if (got->index > 0)
        sum = -1; /* only the answer of the first one counts */
    wick_answer(w, &sum, sizeof sum);
}

static unsigned clients_of(int number)
{
    return 1 + (unsigned)(number * 7 % wick_size(w));
}

static void put_tasks(uint64_t ids[TASKS])
{
    for (int number = 0; number < TASKS; number++) {
        struct wick_task task = {&number, sizeof number, .answer = 1};
        task.clients = clients_of(number);
        task.priority = number % 2;
        task.where = number % 3 == 0 && task.clients > 1 ? WICK_NODE : WICK_ANYWHERE;
        wrong += wick_put(w, &task, &ids[number]) != 0;
    }
}

static void check_answers(const uint64_t ids[TASKS])
{
    for (int number = 0; number < TASKS; number++) {
        struct wick_result result;
        int clients = (int)clients_of(number), sum = number * clients + clients * (clients - 1) / 2;
        wrong += wick_result(w, ids[number], &result) != 0 || result.outcome != WICK_ANSWERED;
        wrong += result.length != (number % 5 ? sizeof sum : 0);
        wrong += result.length > 0 && memcmp(result.bytes, &sum, sizeof sum) != 0;
    }
}

int main(int argc, char **argv)
{
    struct wick_assignment got;
    uint64_t ids[TASKS];
    int all = 0, world;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    if (!ok(wick_init(&w, NULL) == 0, "it begins in a program that has begun MPI"))
        return tap_end();
    if (wick_rank(w) == 0)
        put_tasks(ids);
    for (; wick_get(w, &got) == 0; done++)
        do_task(&got);
    if (wick_rank(w) == 0)
        check_answers(ids);
    ok(wrong == 0, "communicators are right, in %d tasks", done);
    MPI_Allreduce(&done, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    ok(all >= TASKS, "after the work, servers take part in MPI as well");
    ok(wick_finalize(w) == 0, "it ends");
    int rank = -1;
    ok(MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && rank >= 0 && rank < world,
       "and MPI goes on");
    MPI_Finalize();
    return tap_end();
}
