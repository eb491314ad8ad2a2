/*
 * simulator - how many events per second the simulator handles, with 100,000 ranks.
 *
 * Each rank but 0 sets a timer, then asks rank 0, which answers, and so on. While it waits for the
 * answer, a second timer is set, which is cancelled when the answer comes; a third one is a
 * heartbeat. So about 300,000 events are pending at any moment. A timer that fires and a message
 * that arrives are events; a cancelled timer is not.
 */
#include "bench/measure.h"
#include "comm/comm.h"

enum { ASK, ANSWER, END };

static int ranks = 100000;
static uint64_t event_count = 10000000;

struct asker {
    struct comm *comm;
    struct asker *all; /* rank 0 keeps the count in its own element */
    uint64_t watching, events;
    struct random random;
};

static void ask(void *self);

static void think(struct asker *a)
{
    comm_after(a->comm, 2 * random_unit(&a->random), ask, a);
}

static void too_late(void *self)
{
    struct asker *a = self;
    a->all->events++;
}

static void heartbeat(void *self)
{
    struct asker *a = self;
    a->all->events++;
    comm_after(a->comm, 10, heartbeat, a);
}

static void ask(void *self)
{
    struct asker *a = self;
    unsigned char question[24] = {0};
    a->all->events++;
    comm_send(a->comm, 0, ASK, question, sizeof question);
    a->watching = comm_after(a->comm, 60, too_late, a);
}

static void asker_start(void *self, struct comm *comm)
{
    struct asker *a = self;
    a->comm = comm;
    random_seed(&a->random, 1, (uint64_t)comm_rank(comm));
    if (comm_rank(comm) == 0)
        return;
    think(a);
    comm_after(comm, 10 * random_unit(&a->random), heartbeat, a);
}

static void answer(struct asker *a, const struct comm_message *m)
{
    unsigned char task[100] = {0};
    comm_send(a->comm, m->from, ANSWER, task, sizeof task);
    if (a->events < event_count)
        return;
    for (int rank = 1; rank < ranks; rank++)
        comm_send(a->comm, rank, END, NULL, 0);
    comm_stop(a->comm);
}

static void asker_message(void *self, const struct comm_message *m)
{
    struct asker *a = self;
    a->all->events++;
    if (m->type == END) {
        comm_stop(a->comm);
    } else if (m->type == ASK) {
        answer(a, m);
    } else {
        comm_cancel(a->comm, a->watching);
        think(a);
    }
}

static int measure(const char *name, const struct comm_world *world)
{
    struct asker *askers = memory_new((size_t)ranks, sizeof *askers);
    struct comm_actor *actors = memory_new((size_t)ranks, sizeof *actors);
    for (int rank = 0; rank < ranks; rank++) {
        askers[rank].all = askers;
        actors[rank] = (struct comm_actor){&askers[rank], asker_start, asker_message};
    }
    struct err e = {0};
    double seconds;
    clock_t started = clock();
    int failed = comm_simulate(ranks, actors, world, &seconds, &e);
    double took = (double)(clock() - started) / CLOCKS_PER_SEC;
    if (failed)
        printf("%s: %s\n", name, e.message);
    else
        printf("%-34s %8llu events, %6.1f simulated s in %5.2f s: %.2f million events/s\n", name,
               (unsigned long long)askers[0].events, seconds, took,
               (double)askers[0].events / took / 1e6);
    free(askers);
    free(actors);
    return failed;
}

int main(void)
{
    struct {
        const char *name;
        struct comm_world world;
    } cases[] = {
        {"no delay", {.seed = 1}},
        {"latency", {.seed = 1, .latency = 0.01}},
        {"latency, bandwidth, handling", {.seed = 1, 0.01, .bandwidth = 1e9, .handling = 5e-6}},
        {"the same, rank 0 is overloaded", {.seed = 1, 0.01, .bandwidth = 1e9, .handling = 5e-5}},
    };
    int failed = 0;
    ranks = (int)bench_size((size_t)ranks, 1000);
    event_count = bench_size(event_count, 50000);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        failed |= measure(cases[i].name, &cases[i].world);
    return failed != 0;
}
