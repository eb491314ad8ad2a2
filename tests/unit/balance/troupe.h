/*
 * troupe.h - an owner, servers and workers that play one history and are watched.
 *
 * What is played follows from a seed: how many ranks, nodes and servers, how long messages and
 * tasks take, which tasks are bound, shared, cancelled, which put others, who hangs and who dies.
 * troupe_play() plays it on the simulator, where all ranks share one troupe. tests/mpi/balance.c
 * has a troupe in each process, and puts together what each of them saw.
 */
#ifndef TESTS_TROUPE_H
#define TESTS_TROUPE_H

#include "balance/balance.h"

#include <math.h>

#ifndef TROUPE_TASKS
#define TROUPE_TASKS 400
#endif
enum { TROUPE_RANKS = 40 };

/* What to play. */
struct script {
    uint64_t seed;
    int ranks, servers, ranks_per_node;
    double latency;
    unsigned tasks;      /* that the owner puts */
    double seconds;      /* a task takes up to this long; a third of them take no time */
    bool types;          /* two types; every other worker takes one of them only */
    bool bound;          /* some are bound to workers or nodes, some prefer them */
    bool shared;         /* some need several workers */
    bool children;       /* some put another one when they run */
    bool cancel;         /* some are cancelled when others end */
    bool lazy;           /* they are put when workers want them, not at the begin */
    double begin_at;     /* seconds after which those are put that are not lazy */
    unsigned last_needs; /* workers that the last task needs; 0: as any */
    unsigned stop_after; /* outcomes, then everything is withdrawn and interrupted; 0: never */
    double lost_after;
    unsigned batch;
    bool broken; /* a server dies: then all others must end, and that is all */
    struct comm_fate fates[8];
    size_t fate_count;
    bool trace; /* print what happens */
};

/* What is known of a task. */
struct act {
    struct balance_task task;
    struct payload {
        uint64_t id;
        double seconds;
        int child; /* the id of one that it puts; 0: none */
    } payload;
    unsigned outcomes, done, begun; /* begun: by each worker of a shared one */
    enum balance_outcome outcome;
    double begun_at;
    bool is_child, was_put, answer;
};

struct hand {
    struct troupe *troupe;
    struct comm *comm;
    struct balance_client *client;
    uint64_t id, timer, types;
    int number;
    bool home; /* it was sent home, or is an orphan */
};

struct keeper {
    struct troupe *troupe;
    struct comm *comm;
    struct balance_server *server;
    bool gone;
};

struct troupe {
    const struct script *script;
    struct balance_rules rules;
    struct random random;
    struct act acts[2 * TROUPE_TASKS + 1]; /* by id; children above the owner's */
    struct hand hands[TROUPE_RANKS];
    struct keeper keepers[TROUPE_RANKS];
    unsigned put, ended, workers_lost;
    bool lost[TROUPE_RANKS]; /* by number */
    bool stopping, finished;
    bool stays; /* who is through goes on to hear messages, and says so in `through` */
    bool through;
    char wrong[200]; /* "": nothing */
    double seconds;
};

static inline void troupe_wrong(struct troupe *t, const char *text, uint64_t id)
{
    if (!t->wrong[0])
        snprintf(t->wrong, sizeof t->wrong, "%s (task %llu)", text, (unsigned long long)id);
}

static inline void troupe_leave(struct troupe *t, struct comm *comm)
{
    t->through = true;
    if (!t->stays)
        comm_stop(comm);
}

/* ---- the owner ---- */

static inline void troupe_put(struct troupe *t)
{
    struct act *act = &t->acts[++t->put];
    act->was_put = true;
    balance_put(t->keepers[0].server, &act->task);
}

static inline void troupe_wanted(void *self, size_t count)
{
    struct troupe *t = self;
    for (; count > 0 && t->put < t->script->tasks && !t->stopping; count--)
        troupe_put(t);
}

static inline void troupe_given(void *self, uint64_t id, int worker)
{
    struct troupe *t = self;
    if (t->acts[id].outcomes > 0)
        troupe_wrong(t, "given after its end", id);
    if (t->lost[worker])
        troupe_wrong(t, "given to a worker that is lost", id);
}

/* Who had it died or, where nobody had, who it was bound to. */
static inline bool troupe_may_lose(const struct troupe *t, const struct act *act, int worker)
{
    const struct balance_task *task = &act->task;
    if (worker)
        return t->lost[worker];
    return !task->prefer && (task->where == BALANCE_NODE ||
                             (task->where == BALANCE_WORKER && t->lost[task->target]));
}

static inline void troupe_ended(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                                const unsigned char *bytes, size_t length)
{
    struct troupe *t = self;
    struct act *act = &t->acts[id];
    (void)bytes;
    if (act->outcomes++ > 0)
        troupe_wrong(t, "two outcomes", id);
    if (outcome == BALANCE_LOST && act->task.workers <= 1 && !troupe_may_lose(t, act, worker))
        troupe_wrong(t, "lost before its worker was", id);
    if (outcome == BALANCE_DONE && length != 1)
        troupe_wrong(t, "not its result", id);
    act->outcome = outcome;
    t->ended++;
    if (t->script->cancel && id % 5 == 0)
        balance_cancel(t->keepers[0].server, random_below(&t->random, t->script->tasks) + 1);
    if (t->script->stop_after && t->ended == t->script->stop_after) {
        t->stopping = true;
        balance_withdraw(t->keepers[0].server);
        balance_interrupt(t->keepers[0].server);
    }
}

/* Without workers nobody will want what is not put yet. */
static inline void troupe_worker_lost(void *self, int worker)
{
    struct troupe *t = self;
    if (t->lost[worker])
        troupe_wrong(t, "a worker was lost twice", (uint64_t)worker);
    t->lost[worker] = true;
    t->workers_lost++;
    if ((int)t->workers_lost == balance_workers(&t->rules, t->script->ranks)) {
        t->stopping = true;
        balance_finish(t->keepers[0].server);
    }
}

static inline void troupe_finished(void *self, size_t left)
{
    struct keeper *k = self;
    (void)left;
    k->gone = true;
    troupe_leave(k->troupe, k->comm);
}

static inline void troupe_server_lost(void *self, int rank)
{
    struct keeper *k = self;
    (void)rank;
    troupe_leave(k->troupe, k->comm);
}

static inline void troupe_owner_server_lost(void *self, int rank)
{
    struct troupe *t = self;
    troupe_server_lost(&t->keepers[0], rank);
}

static inline void troupe_owner_finished(void *self, size_t left)
{
    struct troupe *t = self;
    bool all_lost = (int)t->workers_lost == balance_workers(&t->rules, t->script->ranks);
    if (left > 0 && !t->script->broken && !all_lost)
        troupe_wrong(t, "tasks were left", left);
    troupe_finished(&t->keepers[0], left);
}

/* It is over when all is done, whoever put it. */
static inline void troupe_begin(void *self)
{
    struct troupe *t = self;
    while (t->put < t->script->tasks)
        troupe_put(t);
    balance_finish(t->keepers[0].server);
}

static inline void keeper_start(void *self, struct comm *comm)
{
    struct keeper *k = self;
    struct troupe *t = k->troupe;
    bool first = comm_rank(comm) == 0;
    struct balance_owner owner = {.self = first ? (void *)t : (void *)k,
                                  .wanted = first && t->script->lazy ? troupe_wanted : NULL,
                                  .given = first ? troupe_given : NULL,
                                  .ended = first ? troupe_ended : NULL,
                                  .worker_lost = first ? troupe_worker_lost : NULL,
                                  .server_lost =
                                      first ? troupe_owner_server_lost : troupe_server_lost,
                                  .finished = first ? troupe_owner_finished : troupe_finished};
    k->comm = comm;
    k->server = balance_create(comm, &t->rules, &owner);
    if (first && !t->script->lazy)
        comm_after(comm, t->script->begin_at, troupe_begin, t);
}

static inline void keeper_message(void *self, const struct comm_message *m)
{
    struct keeper *k = self;
    struct troupe *t = k->troupe;
    balance_message(k->server, m);
    bool all = t->stopping || t->put == t->script->tasks;
    if (comm_rank(k->comm) == 0 && t->script->lazy && all && !t->finished) {
        t->finished = true;
        balance_finish(k->server);
    }
}

/* ---- the workers ---- */

static inline void hand_over(struct hand *h, const char *result)
{
    struct act *act = &h->troupe->acts[h->id];
    act->done++;
    if (act->payload.child && result[0] == 'd' && !h->troupe->stopping) {
        struct act *child = &h->troupe->acts[act->payload.child];
        if (!child->was_put) {
            child->was_put = true;
            balance_client_put(h->client, &child->task, child->answer);
        }
    }
    h->id = 0;
    balance_done(h->client, result, 1);
}

static inline void hand_timer(void *self)
{
    struct hand *h = self;
    h->timer = 0;
    hand_over(h, "d");
}

/* A worker has what it may have, and nobody else has it. */
static inline void hand_check(struct hand *h, const struct balance_assignment *a)
{
    const struct balance_task *task = &h->troupe->acts[a->id].task;
    int node = comm_node(h->comm, comm_rank(h->comm));
    if (h->id)
        troupe_wrong(h->troupe, "a worker has two tasks at once", a->id);
    if (!(h->types >> a->type & 1))
        troupe_wrong(h->troupe, "a worker got a type that it does not take", a->id);
    if (task->where == BALANCE_WORKER && !task->prefer && task->target != h->number)
        troupe_wrong(h->troupe, "bound to another worker", a->id);
    if (task->where == BALANCE_NODE && !task->prefer && task->target != node)
        troupe_wrong(h->troupe, "bound to another node", a->id);
    if (a->workers != (task->workers ? task->workers : 1))
        troupe_wrong(h->troupe, "not as many workers as it needs", a->id);
    if (a->workers > 1 && a->ranks[a->index] != comm_rank(h->comm))
        troupe_wrong(h->troupe, "a worker is not where the team has it", a->id);
}

static inline void hand_task(void *self, const struct balance_assignment *a)
{
    struct hand *h = self;
    struct act *act = &h->troupe->acts[a->id];
    struct payload payload;
    memcpy(&payload, a->bytes, sizeof payload);
    if (a->length != sizeof payload || payload.id != a->id)
        troupe_wrong(h->troupe, "the payload of another", a->id);
    hand_check(h, a);
    h->id = a->id;
    act->begun++;
    act->begun_at = comm_now(h->comm);
    if (h->troupe->script->trace)
        printf("# %.6f worker %d has %llu\n", comm_now(h->comm), h->number,
               (unsigned long long)a->id);
    if (payload.seconds > 0)
        h->timer = comm_after(h->comm, payload.seconds, hand_timer, h);
    else
        hand_over(h, "d");
}

static inline void hand_interrupt(void *self)
{
    struct hand *h = self;
    comm_cancel(h->comm, h->timer);
    hand_over(h, "i");
}

static inline void hand_dropped(void *self, uint64_t id, struct str *result)
{
    (void)self;
    (void)id;
    str_add(result, "i");
}

static inline void hand_ended(void *self, uint64_t id, enum balance_outcome outcome,
                              const unsigned char *bytes, size_t length)
{
    struct hand *h = self;
    (void)bytes;
    (void)length;
    h->troupe->acts[id].outcome = outcome;
    if (h->troupe->acts[id].outcomes++ > 0)
        troupe_wrong(h->troupe, "two outcomes of a child", id);
}

static inline void hand_finish(void *self)
{
    struct hand *h = self;
    if (h->id)
        troupe_wrong(h->troupe, "sent home while it works", h->id);
    h->home = true;
    balance_leave(h->client);
    troupe_leave(h->troupe, h->comm);
}

static inline void hand_orphaned(void *self)
{
    struct hand *h = self;
    h->id = 0;
    hand_finish(h);
}

static inline void hand_start(void *self, struct comm *comm)
{
    struct hand *h = self;
    struct balance_worker worker = {.self = h,
                                    .types = h->types,
                                    .task = hand_task,
                                    .interrupt = hand_interrupt,
                                    .dropped = hand_dropped,
                                    .ended = hand_ended,
                                    .finish = hand_finish,
                                    .orphaned = hand_orphaned};
    h->comm = comm;
    h->client = balance_join(comm, &h->troupe->rules, &worker);
}

static inline void hand_message(void *self, const struct comm_message *m)
{
    struct hand *h = self;
    balance_client_message(h->client, m);
}

/* ---- the play ---- */

/* Workers on a node. */
static inline int troupe_node_size(const struct troupe *t, int node)
{
    int size = t->script->ranks, each = t->script->ranks_per_node, count = 0;
    for (int rank = 0; rank < size; rank++)
        count += (each ? rank / each : 0) == node && !balance_serves(&t->rules, size, rank);
    return count;
}

/* To a worker or a node that can have it, or preferring one. */
static inline void troupe_bind(struct troupe *t, struct balance_task *task, int workers, int nodes)
{
    uint64_t dice = random_below(&t->random, 8);
    if (dice < 2 && task->workers <= 1) {
        task->where = BALANCE_WORKER;
        task->target = (int)random_below(&t->random, (uint64_t)workers) + 1;
        task->prefer = dice == 1;
    } else if (dice == 2 || dice == 3) {
        int need = task->workers > 1 ? (int)task->workers : 1;
        task->where = BALANCE_NODE;
        task->target = (int)random_below(&t->random, (uint64_t)nodes);
        task->prefer = dice == 3 || troupe_node_size(t, task->target) < need;
    }
    if (task->where != BALANCE_ANYWHERE) /* one that all workers take */
        task->type = 0;
}

static inline void troupe_write(struct troupe *t, uint64_t id, int workers, int nodes)
{
    const struct script *s = t->script;
    struct act *act = &t->acts[id];
    bool child = id > s->tasks;
    act->is_child = child;
    act->answer = id % 2 == 0;
    act->payload.id = id;
    if (random_below(&t->random, 3) > 0)
        act->payload.seconds = s->seconds * random_unit(&t->random);
    if (s->children && !child && random_below(&t->random, 3) == 0)
        act->payload.child = (int)(id + s->tasks);
    act->task = (struct balance_task){.id = id,
                                      .bytes = &act->payload,
                                      .length = sizeof act->payload,
                                      .priority = (int)random_below(&t->random, 3) - 1};
    if (s->types)
        act->task.type = (int)random_below(&t->random, 2);
    if (s->last_needs && id == s->tasks)
        act->task = (struct balance_task){.id = id,
                                          .bytes = &act->payload,
                                          .length = sizeof act->payload,
                                          .workers = s->last_needs};
    else if (s->last_needs)
        act->task.priority = 0;
    if (s->shared && !s->types && random_below(&t->random, 4) == 0)
        act->task.workers = (unsigned)random_below(&t->random, (uint64_t)workers) + 1;
    if (act->task.workers > 1)
        act->payload.child = 0; /* each member would put it */
    if (s->bound)
        troupe_bind(t, &act->task, workers, nodes);
}

static inline void troupe_judge(struct troupe *t)
{
    const struct script *s = t->script;
    bool calm = s->fate_count == 0 && !s->stop_after && !s->cancel;
    if (s->broken)
        return;
    for (uint64_t id = 1; id <= 2 * s->tasks; id++) {
        const struct act *act = &t->acts[id];
        unsigned each = act->task.workers > 1 ? act->task.workers : 1;
        if (!act->was_put)
            continue;
        if (!act->is_child && act->outcomes != 1)
            troupe_wrong(t, act->outcomes ? "two outcomes" : "no outcome", id);
        if (act->begun > each)
            troupe_wrong(t, "it ran on more workers than it needs", id);
        if (calm && act->done != each)
            troupe_wrong(t, "it did not run just once", id);
        if (calm && act->outcomes && act->outcome != BALANCE_DONE)
            troupe_wrong(t, "not done", id);
        if (s->fate_count == 0 && act->is_child && act->answer && act->outcomes != 1)
            troupe_wrong(t, "who put it was not told", id);
    }
    if (calm && t->put != s->tasks)
        troupe_wrong(t, "not all were put", t->put);
}

/* Writes the roles and tasks of a script. */
static inline void troupe_prepare(struct troupe *t, const struct script *script)
{
    memset(t, 0, sizeof *t);
    t->script = script;
    t->rules = (struct balance_rules){
        .servers = script->servers, .lost_after = script->lost_after, .batch = script->batch};
    random_seed(&t->random, script->seed, 99);
    int workers = balance_workers(&t->rules, script->ranks);
    int each = script->ranks_per_node ? script->ranks_per_node : script->ranks;
    for (uint64_t id = 1; id <= 2 * script->tasks; id++)
        troupe_write(t, id, workers, (script->ranks + each - 1) / each);
}

/* What a rank plays. */
static inline struct comm_actor troupe_actor(struct troupe *t, int rank)
{
    struct keeper *keeper = &t->keepers[rank];
    struct hand *hand = &t->hands[rank];
    keeper->troupe = hand->troupe = t;
    if (balance_serves(&t->rules, t->script->ranks, rank))
        return (struct comm_actor){keeper, keeper_start, keeper_message};
    hand->number = balance_worker_number(&t->rules, t->script->ranks, rank);
    hand->types = t->script->types && hand->number % 2 == 0 ? 1 : 3;
    return (struct comm_actor){hand, hand_start, hand_message};
}

static inline void troupe_dismiss(struct troupe *t, int rank)
{
    if (t->keepers[rank].server)
        balance_free(t->keepers[rank].server);
    if (t->hands[rank].client)
        balance_client_free(t->hands[rank].client);
}

/* Plays it; what went wrong is in t->wrong. The caller frees nothing. */
static inline void troupe_play(struct troupe *t, const struct script *script)
{
    struct comm_actor actors[TROUPE_RANKS];
    struct comm_world world = {.seed = script->seed,
                               .latency = script->latency,
                               .limit = 1e7,
                               .ranks_per_node = script->ranks_per_node,
                               .fates = script->fates,
                               .fate_count = script->fate_count};
    struct err e = {0};
    troupe_prepare(t, script);
    for (int rank = 0; rank < script->ranks; rank++)
        actors[rank] = troupe_actor(t, rank);
    if (comm_simulate(script->ranks, actors, &world, &t->seconds, &e))
        snprintf(t->wrong, sizeof t->wrong, "%.190s", e.message);
    else
        troupe_judge(t);
    for (int rank = 0; rank < script->ranks; rank++)
        troupe_dismiss(t, rank);
}

#endif
