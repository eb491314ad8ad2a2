/*
 * memory - the memory that a waiting task costs a server, beyond its own bytes: a million tasks of
 * the owner that no worker takes. The highest value on the way counts: an array that has just grown
 * is half empty.
 */
#include "balance/balance.h"
#include "bench/measure.h"

#include <malloc.h>
#include <math.h>

enum { PAYLOAD = 16, LIMIT = 200 };

static size_t tasks = 1000000;

struct rank {
    struct comm *comm;
    struct balance_server *server; /* rank 0 */
    struct balance_client *client; /* rank 1 */
    double most;                   /* bytes per task */
    size_t left;
};

static const struct balance_rules rules;

static double memory_now(void)
{
    struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd);
}

static void finished(void *self, size_t left)
{
    struct rank *r = self;
    r->left = left;
    comm_stop(r->comm);
}

static void go_home(void *self)
{
    struct rank *r = self;
    balance_leave(r->client);
    comm_stop(r->comm);
}

static void server_start(void *self, struct comm *comm)
{
    struct rank *r = self;
    struct balance_owner owner = {.self = r, .finished = finished};
    unsigned char bytes[PAYLOAD] = {0};
    r->comm = comm;
    r->server = balance_create(comm, &rules, &owner);
    double before = memory_now();
    for (uint64_t id = 1; id <= tasks; id++) {
        balance_put(r->server,
                    &(struct balance_task){.id = id, .bytes = bytes, .length = PAYLOAD, .type = 1});
        if (id >= tasks / 2 && id % 1000 == 0)
            r->most = fmax(r->most, (memory_now() - before) / (double)id - PAYLOAD);
    }
    balance_finish(r->server);
}

static void server_message(void *self, const struct comm_message *m)
{
    struct rank *r = self;
    balance_message(r->server, m);
}

static void worker_start(void *self, struct comm *comm)
{
    struct rank *r = self;
    struct balance_worker worker = {.self = r, .types = 1, .finish = go_home}; /* type 0 only */
    r->comm = comm;
    r->client = balance_join(comm, &rules, &worker);
}

static void worker_message(void *self, const struct comm_message *m)
{
    struct rank *r = self;
    balance_client_message(r->client, m);
}

int main(void)
{
    struct rank ranks[2] = {{0}, {0}};
    struct comm_actor actors[2] = {{&ranks[0], server_start, server_message},
                                   {&ranks[1], worker_start, worker_message}};
    struct comm_world world = {0};
    struct err e = {0};
    double seconds;
    tasks = bench_size(tasks, 10000);
    if (comm_simulate(2, actors, &world, &seconds, &e) != 0 || ranks[0].left != tasks) {
        printf("it failed: %s\n", e.message);
        return 1;
    }
    printf("a task that waits on a server: %.0f bytes beyond its own %d, wanted %d, ratio %.2f\n",
           ranks[0].most, PAYLOAD, LIMIT, ranks[0].most / LIMIT);
    balance_free(ranks[0].server);
    balance_client_free(ranks[1].client);
    return 0;
}
