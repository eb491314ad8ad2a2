/*
 * crowd - a search on many workers, in the simulator: the share of the time in which they work, and
 * how long the simulation takes.
 *
 * Trials take 60 s on average, log-normal with sigma 1: one in a hundred takes over six minutes.
 * The owner decides on each trial when a worker wants it, as a search does. The share of the time
 * in which workers work is measured twice. Until the last trial begins, it shows the efficiency of
 * the balancer. Over the whole run, it includes the end, when the others wait for the longest
 * trials; this is compared with handing out the same trials without any message or delay.
 */
#include "balance/balance.h"
#include "bench/measure.h"

#include <math.h>

static const double MEAN = 60, SIGMA = 1; /* of the duration of a trial, in seconds */

struct plan {
    int workers, servers; /* servers 0: the default number */
    uint64_t trials;
    double lost_after;
    struct comm_world world;
};

struct hand {
    struct crowd *crowd;
    struct comm *comm;
    struct balance_client *client; /* of a worker ... */
    struct balance_server *server; /* ... or of a server */
    double began;                  /* start of the running trial; 0: there is none */
};

struct crowd {
    const struct plan *plan;
    struct balance_rules rules;
    struct hand *hands; /* by rank */
    int ranks;
    uint64_t put, begun, ended;
    double worked;      /* seconds, over all workers */
    double worked_then; /* the same, until the last trial began ... */
    double then;        /* ... which was at this time */
    double whole;       /* duration of the whole run */
};

static double duration(uint64_t id)
{
    struct random random;
    random_seed(&random, 1, id);
    return MEAN * exp(SIGMA * random_normal(&random) - SIGMA * SIGMA / 2);
}

/* ---- the owner ---- */

static void wanted(void *self, size_t count)
{
    struct hand *h = self;
    struct crowd *c = h->crowd;
    for (; count > 0 && c->put < c->plan->trials; count--) {
        double seconds = duration(++c->put);
        balance_put(h->server, &(struct balance_task){
                                   .id = c->put, .bytes = &seconds, .length = sizeof seconds});
    }
}

static void ended(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length)
{
    struct hand *h = self;
    (void)worker;
    (void)bytes;
    (void)length;
    if (outcome != BALANCE_DONE)
        BUG("trial %llu ended with outcome %d", (unsigned long long)id, (int)outcome);
    if (++h->crowd->ended == h->crowd->plan->trials)
        balance_finish(h->server);
}

static void finished(void *self, size_t left)
{
    struct hand *h = self;
    (void)left;
    comm_stop(h->comm);
}

static void server_start(void *self, struct comm *comm)
{
    struct hand *h = self;
    struct balance_owner owner = {.self = h, .finished = finished};
    if (comm_rank(comm) == 0) {
        owner.wanted = wanted;
        owner.ended = ended;
    }
    h->comm = comm;
    h->server = balance_create(comm, &h->crowd->rules, &owner);
}

static void server_message(void *self, const struct comm_message *m)
{
    struct hand *h = self;
    balance_message(h->server, m);
}

/* ---- the workers ---- */

static void finish_trial(void *self)
{
    struct hand *h = self;
    h->crowd->worked += comm_now(h->comm) - h->began;
    h->began = 0;
    balance_done(h->client, "0.123456", 8);
}

/* The last trial begins: adds up what all workers have done until now. */
static void look_at_all(struct crowd *c, double now)
{
    c->then = now;
    c->worked_then = c->worked;
    for (int rank = 0; rank < c->ranks; rank++)
        c->worked_then += c->hands[rank].began > 0 ? now - c->hands[rank].began : 0;
}

static void begin_trial(void *self, const struct balance_assignment *a)
{
    struct hand *h = self;
    double seconds;
    memcpy(&seconds, a->bytes, sizeof seconds);
    h->began = comm_now(h->comm);
    if (++h->crowd->begun == h->crowd->plan->trials)
        look_at_all(h->crowd, h->began);
    comm_after(h->comm, seconds, finish_trial, h);
}

static void go_home(void *self)
{
    struct hand *h = self;
    balance_leave(h->client);
    comm_stop(h->comm);
}

static void orphaned(void *self)
{
    struct hand *h = self;
    BUG("rank %d was given up", comm_rank(h->comm));
}

static void worker_start(void *self, struct comm *comm)
{
    struct hand *h = self;
    struct balance_worker worker = {
        .self = h, .types = 1, .task = begin_trial, .finish = go_home, .orphaned = orphaned};
    h->comm = comm;
    h->client = balance_join(comm, &h->crowd->rules, &worker);
}

static void worker_message(void *self, const struct comm_message *m)
{
    struct hand *h = self;
    balance_client_message(h->client, m);
}

/* ---- the measure ---- */

static int run(struct crowd *c, const struct plan *plan)
{
    struct err e = {0};
    *c = (struct crowd){.plan = plan, .rules = {plan->servers, plan->lost_after, 0, 0}};
    for (c->ranks = plan->workers; balance_workers(&c->rules, c->ranks) < plan->workers;)
        c->ranks++;
    c->hands = memory_new((size_t)c->ranks, sizeof *c->hands);
    struct comm_actor *actors = memory_new((size_t)c->ranks, sizeof *actors);
    for (int rank = 0; rank < c->ranks; rank++) {
        struct hand *h = &c->hands[rank];
        h->crowd = c;
        actors[rank] = balance_serves(&c->rules, c->ranks, rank)
                           ? (struct comm_actor){h, server_start, server_message}
                           : (struct comm_actor){h, worker_start, worker_message};
    }
    int failed = comm_simulate(c->ranks, actors, &plan->world, &c->whole, &e);
    if (failed)
        printf("%s\n", e.message);
    for (int rank = 0; rank < c->ranks; rank++) {
        if (c->hands[rank].server)
            balance_free(c->hands[rank].server);
        if (c->hands[rank].client)
            balance_client_free(c->hands[rank].client);
    }
    free(c->hands);
    free(actors);
    return failed;
}

/* The duration of the run if the first free worker gets the next trial at once. */
static double ideal_seconds(const struct plan *plan)
{
    double *free_from = memory_new((size_t)plan->workers, sizeof *free_from), last = 0;
    for (uint64_t id = 1; id <= plan->trials; id++) {
        double *first = free_from;
        for (int i = 1; i < plan->workers; i++)
            first = free_from[i] < *first ? &free_from[i] : first;
        *first += duration(id);
        last = fmax(last, *first);
    }
    free(free_from);
    return last;
}

static int measure_share(int servers, double latency, double handling)
{
    struct plan plan = {.workers = (int)bench_size(1000, 50),
                        .servers = servers,
                        .trials = bench_size(200000, 5000),
                        .lost_after = 30,
                        .world = {.seed = 1, .latency = latency, .handling = handling}};
    struct crowd c;
    if (run(&c, &plan) != 0)
        return 1;
    double share = c.worked_then / (c.then * plan.workers);
    printf("%d workers, %d server%s, %3.0f us a message: busy %.2f %% until the last trial "
           "begins, wanted 97 %%, ratio %.3f\n",
           plan.workers, servers, servers == 1 ? " " : "s", latency * 1e6, 100 * share,
           share / 0.97);
    double ideal = ideal_seconds(&plan), whole = c.worked / (c.whole * plan.workers);
    printf("    over the whole run, %d trials a worker: busy %.2f %%, without any delay %.2f %%, "
           "ratio %.3f\n",
           (int)plan.trials / plan.workers, 100 * whole, 100 * c.worked / (ideal * plan.workers),
           ideal / c.whole);
    return 0;
}

static int measure_time(const char *name, double lost_after)
{
    struct plan plan = {.workers = (int)bench_size(100000, 1000),
                        .trials = bench_size(1000000, 5000),
                        .lost_after = lost_after,
                        .world = {.seed = 1, .latency = 5e-5, .handling = 2e-6}};
    struct crowd c;
    double since = clock_now();
    if (run(&c, &plan) != 0)
        return 1;
    double seconds = clock_now() - since, share = c.worked_then / (c.then * plan.workers);
    printf("%d workers, %d servers, %d trials, %s: simulated in %.1f s, wanted 300 s, "
           "ratio %.3f; busy %.2f %% until the last begins\n",
           plan.workers, balance_servers(&c.rules, c.ranks), (int)plan.trials, name, seconds,
           seconds / 300, 100 * share);
    return 0;
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* the last ones take minutes */
    return measure_share(1, 1e-5, 1e-6) || measure_share(1, 1e-4, 2e-6) ||
           measure_share(4, 1e-5, 1e-6) || measure_share(4, 1e-4, 2e-6) ||
           measure_time("no heartbeats", 0) || measure_time("heartbeats", 30);
}
