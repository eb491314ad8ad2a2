/* tasks.c - tasks reach workers, each result comes back once, and all ranks go home. */
#include "balance/balance.h"
#include "tap.h"

enum { WORKERS = 4 };

static const double LONG = 100;
static const struct balance_rules rules = {.servers = 1};

/* The owner of the tasks, on rank 0. */
struct owner {
    struct balance_server *server;
    struct comm *comm;
    uint64_t total, put, finished;
    unsigned char *results; /* number of times that each task came back */
    uint64_t given, returned, interrupted, retried;
    uint64_t long_from;    /* passed to the workers */
    double seconds;        /* that the simulated world took */
    bool retry;            /* every 7th task is put a second time */
    uint64_t interrupt_at; /* after this number of results; 0: never */
    bool stopping, gone;
};

/* A worker; a task takes no time, or some microseconds by a timer. */
struct hand {
    struct comm *comm;
    struct balance_client *client;
    uint64_t id;
    uint64_t timer;
    bool slow;
    uint64_t long_from; /* tasks from this id on take LONG seconds; 0: none */
};

static void put(struct owner *o, uint64_t id)
{
    struct balance_task task = {.id = id, .bytes = &id, .length = sizeof id};
    balance_put(o->server, &task);
}

static void wanted(void *self, size_t count)
{
    struct owner *o = self;
    for (; count > 0 && o->put < o->total && !o->stopping; count--) {
        o->put++;
        put(o, o->put);
    }
}

static void given(void *self, uint64_t id, int worker)
{
    struct owner *o = self;
    (void)id;
    (void)worker;
    o->given++;
}

static void ended(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length)
{
    struct owner *o = self;
    (void)worker;
    o->results[id]++;
    if (outcome != BALANCE_DONE) {
        o->returned++; /* it is never given again, so this is its end */
        return;
    }
    if (length == 1 && bytes[0] == 'i')
        o->interrupted++;
    o->finished++;
    if (o->retry && id % 7 == 0 && o->results[id] == 1) {
        o->retried++;
        put(o, id);
    }
    if (o->interrupt_at && o->finished == o->interrupt_at) {
        o->stopping = true;
        balance_withdraw(o->server);
        balance_interrupt(o->server);
    }
}

static void everybody_left(void *self, size_t left)
{
    struct owner *o = self;
    (void)left;
    o->gone = true;
    comm_stop(o->comm);
}

static void owner_start(void *self, struct comm *comm)
{
    struct owner *o = self;
    struct balance_owner handlers = {
        .self = o, .wanted = wanted, .given = given, .ended = ended, .finished = everybody_left};
    o->comm = comm;
    o->server = balance_create(comm, &rules, &handlers);
}

static void owner_message(void *self, const struct comm_message *m)
{
    struct owner *o = self;
    balance_message(o->server, m);
    bool all = o->stopping || o->put == o->total;
    if (all && balance_open(o->server) == 0)
        balance_finish(o->server);
}

static void task_over(void *self)
{
    struct hand *h = self;
    h->timer = 0;
    balance_done(h->client, "d", 1);
}

static void task(void *self, const struct balance_assignment *a)
{
    struct hand *h = self;
    uint64_t payload, id = a->id;
    memcpy(&payload, a->bytes, sizeof payload);
    if (a->length != sizeof payload || payload != id)
        BUG("a task has the payload of another");
    if (h->long_from && id >= h->long_from)
        h->timer = comm_after(h->comm, LONG, task_over, h);
    else if (h->slow || id % 50 == 0)
        h->timer = comm_after(h->comm, 0.0005 * (double)(id % 3), task_over, h);
    else
        balance_done(h->client, "d", 1);
}

static void interrupt(void *self)
{
    struct hand *h = self;
    comm_cancel(h->comm, h->timer);
    balance_done(h->client, "i", 1);
}

static void dropped(void *self, uint64_t id, struct str *out)
{
    (void)self;
    (void)id;
    str_add(out, "i");
}

static void go_home(void *self)
{
    struct hand *h = self;
    balance_leave(h->client);
    balance_client_free(h->client);
    comm_stop(h->comm);
}

static void hand_start(void *self, struct comm *comm)
{
    struct hand *h = self;
    struct balance_worker handlers = {.self = h,
                                      .types = 1,
                                      .task = task,
                                      .interrupt = interrupt,
                                      .dropped = dropped,
                                      .finish = go_home};
    h->comm = comm;
    h->client = balance_join(comm, &rules, &handlers);
}

static void hand_message(void *self, const struct comm_message *m)
{
    struct hand *h = self;
    balance_client_message(h->client, m);
}

/* On threads, or in a simulated world; true if all ranks went home and none is waiting. */
static bool play(struct owner *o, bool slow, const struct comm_world *world)
{
    struct hand hands[WORKERS] = {0};
    struct comm_actor actors[WORKERS + 1] = {{o, owner_start, owner_message}};
    struct err e = {0};
    o->results = memory_new(o->total + 1, 1);
    for (int i = 0; i < WORKERS; i++) {
        hands[i].slow = slow;
        hands[i].long_from = o->long_from;
        actors[i + 1] = (struct comm_actor){&hands[i], hand_start, hand_message};
    }
    int failed = world ? comm_simulate(WORKERS + 1, actors, world, &o->seconds, &e)
                       : comm_threads(WORKERS + 1, actors, &e);
    if (failed)
        printf("# %s\n", e.message);
    balance_free(o->server);
    return failed == 0 && o->gone;
}

static bool each_came_back(const struct owner *o, unsigned times)
{
    for (uint64_t id = 1; id <= o->total; id++)
        if (o->results[id] != times)
            return false;
    return true;
}

static void counts(const char *name, uint64_t total, bool slow)
{
    struct owner o = {.total = total};
    bool home = play(&o, slow, NULL);
    ok(home && each_came_back(&o, 1) && o.given >= total, "%s: each task came back exactly once",
       name);
    free(o.results);
}

static void a_task_put_again_runs_again(void)
{
    struct owner o = {.total = 700, .retry = true};
    bool right = play(&o, false, NULL) && o.retried == 100;
    for (uint64_t id = 1; id <= o.total; id++)
        right &= o.results[id] == (id % 7 == 0 ? 2 : 1);
    ok(right, "tasks that were put again came back twice, the others once");
    free(o.results);
}

static void an_interrupt_ends_all_that_runs(void)
{
    struct owner o = {.total = 100000, .interrupt_at = 40};
    bool once = play(&o, true, NULL);
    for (uint64_t id = 1; id <= o.put; id++)
        once &= o.results[id] == 1;
    ok(once && o.finished == o.put && o.put < o.total,
       "after an interrupt every task that was given came back once, and no more were given");
    ok(o.finished - o.interrupted >= 40, "what had ended before is not interrupted");
    free(o.results);
}

/*
 * Thousands of histories: messages take from no time to much longer than a task, tasks end at once
 * or late, some are put again, and some histories have an interrupt in the middle.
 */
static void on_every_seed(void)
{
    const unsigned seeds = (unsigned)tap_seeds(15000);
    uint64_t wrong = 0, first = 0, came_back = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct comm_world world = {.seed = seed,
                                   .latency = seed % 3 == 0   ? 1e-6
                                              : seed % 3 == 1 ? 1e-3
                                                              : 1,
                                   .limit = 1e6};
        struct owner o = {.total = seed % 90,
                          .retry = seed % 5 == 0,
                          .long_from = seed % 3 == 0 ? seed % 60 + 1 : 0,
                          .interrupt_at = seed % 4 == 0 ? seed % 40 + 1 : 0};
        bool right = play(&o, seed % 7 < 3, &world);
        for (uint64_t id = 1; id <= o.put && right; id++) {
            unsigned expected = o.retry && id % 7 == 0 && !o.interrupt_at ? 2 : 1;
            right = o.results[id] == expected || (o.retry && o.interrupt_at && o.results[id] <= 2);
        }
        right &= o.interrupt_at > 0 || o.put == o.total;
        came_back += o.given > o.put + o.retried ? o.given - o.put - o.retried : 0;
        if (!right && wrong++ == 0)
            first = seed;
        free(o.results);
    }
    ok(wrong == 0, "each task comes back once in every one of %d simulated histories", (int)seeds);
    ok(came_back > seeds, "in many of them tasks went back and were given again");
    if (wrong)
        printf("# %llu are wrong, the first with seed %llu\n", (unsigned long long)wrong,
               (unsigned long long)first);
}

/* Sixty tasks that end at once suggest a large batch; then come eight long ones. */
static void no_task_waits_behind_a_long_one(void)
{
    struct comm_world world = {.seed = 1, .latency = 1e-4, .limit = 1e6};
    struct owner o = {.total = 68, .long_from = 61};
    ok(play(&o, false, &world) && each_came_back(&o, 1), "short tasks, then long ones");
    ok(o.seconds < 2 * LONG + 1, "eight long tasks on four workers take as long as two");
    free(o.results);
}

int main(void)
{
    counts("no task at all", 0, false);
    counts("fewer tasks than workers", 2, false);
    counts("short tasks", 100000, false);
    counts("tasks by timers", 300, true);
    a_task_put_again_runs_again();
    an_interrupt_ends_all_that_runs();
    no_task_waits_behind_a_long_one();
    on_every_seed();
    return tap_end();
}
