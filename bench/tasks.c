/*
 * tasks - how many tasks that do nothing pass through the servers and their workers per second,
 * over MPI. Started by tasks.sh under mpiexec. The owner on rank 0 puts them when they are wanted,
 * as a search does, and the last nine tenths count. Rank 0 prints the rate.
 *
 *   bench-tasks COUNT BATCH SERVERS
 */
#include "balance/balance.h"

enum { PAYLOAD = 16 };

struct bench {
    struct comm *comm;
    struct balance_rules rules;
    struct balance_server *server; /* of a server ... */
    struct balance_client *client; /* ... or of a worker */
    uint64_t count, put, ended;
    double since;
};

/* ---- servers ---- */

static void wanted(void *self, size_t count)
{
    struct bench *b = self;
    unsigned char bytes[PAYLOAD] = {0};
    for (; count > 0 && b->put < b->count; count--)
        balance_put(b->server,
                    &(struct balance_task){.id = ++b->put, .bytes = bytes, .length = PAYLOAD});
}

static void ended(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length)
{
    struct bench *b = self;
    (void)id;
    (void)worker;
    (void)bytes;
    (void)length;
    if (outcome != BALANCE_DONE)
        BUG("a task ended with outcome %d", (int)outcome);
    if (++b->ended == b->count / 10)
        b->since = comm_now(b->comm);
    if (b->ended < b->count)
        return;
    printf("%.0f\n", (double)(b->count - b->count / 10) / (comm_now(b->comm) - b->since));
    balance_finish(b->server);
}

static void finished(void *self, size_t left)
{
    struct bench *b = self;
    (void)left;
    comm_stop(b->comm);
}

static void server_start(void *self, struct comm *comm)
{
    struct bench *b = self;
    struct balance_owner owner = {.self = b, .finished = finished};
    if (comm_rank(comm) == 0) {
        owner.wanted = wanted;
        owner.ended = ended;
    }
    b->comm = comm;
    b->server = balance_create(comm, &b->rules, &owner);
}

static void server_message(void *self, const struct comm_message *m)
{
    struct bench *b = self;
    balance_message(b->server, m);
}

/* ---- workers ---- */

static void do_nothing(void *self, const struct balance_assignment *task)
{
    struct bench *b = self;
    (void)task;
    balance_done(b->client, "0.123456", 8);
}

static void go_home(void *self)
{
    struct bench *b = self;
    balance_leave(b->client);
    comm_stop(b->comm);
}

static void worker_start(void *self, struct comm *comm)
{
    struct bench *b = self;
    struct balance_worker worker = {.self = b, .types = 1, .task = do_nothing, .finish = go_home};
    b->comm = comm;
    b->client = balance_join(comm, &b->rules, &worker);
}

static void worker_message(void *self, const struct comm_message *m)
{
    struct bench *b = self;
    balance_client_message(b->client, m);
}

int main(int argc, char **argv)
{
    struct comm *comm;
    struct err e = {0};
    if (argc != 4 || comm_mpi_open(&comm, &e) != 0) {
        fprintf(stderr, "%s\n", argc == 4 ? e.message : "usage: bench-tasks COUNT BATCH SERVERS");
        return 1;
    }
    struct bench b = {.count = strtoull(argv[1], NULL, 10),
                      .rules = {.servers = (int)strtol(argv[3], NULL, 10),
                                .lost_after = 30,
                                .batch = (unsigned)strtoul(argv[2], NULL, 10)}};
    if (balance_serves(&b.rules, comm_size(comm), comm_rank(comm)))
        comm_mpi_run(comm, &(struct comm_actor){&b, server_start, server_message});
    else
        comm_mpi_run(comm, &(struct comm_actor){&b, worker_start, worker_message});
    comm_mpi_close(comm);
    if (b.server)
        balance_free(b.server);
    if (b.client)
        balance_client_free(b.client);
    return 0;
}
