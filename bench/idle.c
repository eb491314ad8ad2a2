/*
 * idle - the cost of an idle balancer, and how soon a task starts on it. Started by idle.sh under
 * mpiexec, all ranks on one machine; heartbeats are on. Rank 0 prints the share of a core that the
 * busiest rank, server or worker, uses, and the time from balance_put() to the start of the task on
 * its worker.
 */
#include "balance/balance.h"
#include "bench/measure.h"

enum { TYPE_SHARE = 1000, MOST_PROBES = 200 }; /* no message of the balancer has this type */

static const double PAUSE = 0.03;           /* seconds without any activity */
static double begin_after = 1, seconds = 5; /* shorter if BENCH_SMALL is set */
static int probes = MOST_PROBES;
static const double SHARE_LIMIT = 0.03, DELAY_LIMIT = 1e-3;
static const struct balance_rules rules = {.servers = 1, .lost_after = 30};

struct bench {
    struct comm *comm;
    struct balance_server *server; /* on rank 0 */
    struct balance_client *client; /* on the others */
    double used;                   /* seconds of a core */
    double *shares, delays[MOST_PROBES];
    int share_count, delay_count;
};

/* ---- every rank ---- */

static void report_share(void *self)
{
    struct bench *b = self;
    double share = (processor_seconds() - b->used) / seconds;
    comm_send(b->comm, 0, TYPE_SHARE, &share, sizeof share);
}

static void begin_idle(void *self)
{
    struct bench *b = self;
    b->used = processor_seconds();
    comm_after(b->comm, seconds, report_share, b);
}

/* ---- the server ---- */

static void probe(void *self)
{
    struct bench *b = self;
    double now = comm_now(b->comm);
    balance_put(b->server,
                &(struct balance_task){.id = (uint64_t)b->delay_count + 1,
                                       .bytes = &now,
                                       .length = sizeof now,
                                       .where = BALANCE_WORKER,
                                       .target = 1 + b->delay_count % (comm_size(b->comm) - 1)});
}

static void got_share(struct bench *b, const struct comm_message *m)
{
    memcpy(&b->shares[b->share_count++], m->bytes, sizeof *b->shares);
    if (b->share_count == comm_size(b->comm))
        comm_after(b->comm, PAUSE, probe, b);
}

static void print(struct bench *b)
{
    size_t ranks = (size_t)comm_size(b->comm);
    qsort(b->shares, ranks, sizeof *b->shares, by_size);
    qsort(b->delays, (size_t)probes, sizeof *b->delays, by_size);
    double share = b->shares[ranks - 1], delay = b->delays[probes / 2];
    printf("%s, %zu ranks that wait: %.2f %% of a core at most, wanted %.0f %%, ratio %.2f\n",
           comm_mpi_version(b->comm), ranks, 100 * share, 100 * SHARE_LIMIT, share / SHARE_LIMIT);
    printf("    from a put to its begin: median %.2f ms (90 %%: %.2f), wanted %.0f ms, ratio "
           "%.2f\n",
           1e3 * delay, 1e3 * b->delays[probes * 9 / 10], 1e3 * DELAY_LIMIT, delay / DELAY_LIMIT);
}

static void ended(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length)
{
    struct bench *b = self;
    (void)id;
    (void)worker;
    if (outcome != BALANCE_DONE || length != sizeof *b->delays)
        BUG("a task ended with outcome %d", (int)outcome);
    memcpy(&b->delays[b->delay_count++], bytes, length);
    if (b->delay_count < probes) {
        comm_after(b->comm, PAUSE, probe, b);
        return;
    }
    print(b);
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
    struct balance_owner owner = {.self = b, .ended = ended, .finished = finished};
    b->comm = comm;
    b->server = balance_create(comm, &rules, &owner);
    comm_after(comm, begin_after, begin_idle, b);
}

static void server_message(void *self, const struct comm_message *m)
{
    struct bench *b = self;
    if (m->type == TYPE_SHARE)
        got_share(b, m);
    else
        balance_message(b->server, m);
}

/* ---- the workers ---- */

static void answer_probe(void *self, const struct balance_assignment *task)
{
    struct bench *b = self;
    double since;
    memcpy(&since, task->bytes, sizeof since);
    since = comm_now(b->comm) - since; /* one machine, one clock */
    balance_done(b->client, &since, sizeof since);
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
    struct balance_worker worker = {.self = b, .types = 1, .task = answer_probe, .finish = go_home};
    b->comm = comm;
    b->client = balance_join(comm, &rules, &worker);
    comm_after(comm, begin_after, begin_idle, b);
}

static void worker_message(void *self, const struct comm_message *m)
{
    struct bench *b = self;
    balance_client_message(b->client, m);
}

int main(void)
{
    struct bench b = {0};
    struct comm *comm;
    struct err e = {0};
    if (bench_size(0, 1)) {
        begin_after = 0.1;
        seconds = 0.5;
        probes = 10;
    }
    if (comm_mpi_open(&comm, &e) != 0) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    b.shares = memory_new((size_t)comm_size(comm), sizeof *b.shares);
    if (comm_rank(comm) == 0)
        comm_mpi_run(comm, &(struct comm_actor){&b, server_start, server_message});
    else
        comm_mpi_run(comm, &(struct comm_actor){&b, worker_start, worker_message});
    comm_mpi_close(comm);
    if (b.server)
        balance_free(b.server);
    if (b.client)
        balance_client_free(b.client);
    free(b.shares);
    return 0;
}
