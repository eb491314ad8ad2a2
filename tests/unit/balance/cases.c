/* cases.c - small situations that once went wrong, one at a time, in simulated worlds. */
#include "balance/balance.h"
#include "tap.h"

enum { RANKS = 8, TASKS = 41, PLANS = 2 };

/* Types of tasks that a worker may take. */
enum { PLAIN = 1 << 0, SPECIAL = 1 << 1 };

static const double MESSAGE = 1e-3; /* how long a message travels, in seconds, approximately */
static const double LONG = 1000;    /* duration of a task that is to be ended early, in seconds */

struct stage;

struct actor {
    struct stage *stage;
    struct comm *comm;
    struct balance_server *server;
    struct balance_client *client;
    uint64_t id, timer; /* those of the task that it runs */
};

/* What is to happen in a case, and what happened. The owner is on the first server. */
struct stage {
    int ranks, servers, ranks_per_node;
    uint64_t seed;
    double latency, lost_after;
    const uint64_t *types; /* types that each rank takes; NULL: all take type 0 */
    struct comm_fate fates[2];
    size_t fate_count;
    struct {
        double at;
        comm_handler *act;
    } plan[PLANS];
    void (*wanted)(void *stage, size_t count);
    void (*given)(void *stage, uint64_t id, int worker);
    void (*after)(struct stage *stage, uint64_t id); /* called when a task ended */

    struct actor actors[RANKS];
    struct balance_server *server; /* the first server */
    struct {
        unsigned begun, ended; /* number of times */
        double begun_at, ended_at;
        enum balance_outcome outcome;
        bool interrupted;
    } tasks[TASKS];
    uint64_t put;   /* ID of the last task that was put */
    uint64_t heard; /* number of messages to servers */
    double seconds;
    char wrong[200]; /* what went wrong; "": nothing */
};

/* ---- the owner ---- */

/* Puts a task that keeps a worker busy for this many seconds. */
static void put(struct stage *s, uint64_t id, double seconds, struct balance_task task)
{
    task.id = s->put = id;
    task.bytes = &seconds;
    task.length = sizeof seconds;
    balance_put(s->server, &task);
}

static void ended(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length)
{
    struct stage *s = self;
    (void)worker;
    s->tasks[id].ended++;
    s->tasks[id].ended_at = comm_now(s->actors[0].comm);
    s->tasks[id].outcome = outcome;
    s->tasks[id].interrupted = length == 1 && bytes[0] == 'i';
    if (s->after)
        s->after(s, id);
}

static void owner_finished(void *self, size_t left)
{
    struct stage *s = self;
    (void)left;
    comm_stop(s->actors[0].comm);
}

static void server_finished(void *self, size_t left)
{
    struct actor *a = self;
    (void)left;
    comm_stop(a->comm);
}

static struct balance_rules rules_of(const struct stage *s)
{
    return (struct balance_rules){.servers = s->servers, .lost_after = s->lost_after};
}

static void server_start(void *self, struct comm *comm)
{
    struct actor *a = self;
    struct stage *s = a->stage;
    struct balance_rules rules = rules_of(s);
    struct balance_owner first = {.self = s,
                                  .wanted = s->wanted,
                                  .given = s->given,
                                  .ended = ended,
                                  .finished = owner_finished};
    struct balance_owner other = {.self = a, .finished = server_finished};
    bool is_first = comm_rank(comm) == 0;
    a->comm = comm;
    a->server = balance_create(comm, &rules, is_first ? &first : &other);
    if (!is_first)
        return;
    s->server = a->server;
    for (int i = 0; i < PLANS && s->plan[i].act; i++)
        comm_after(comm, s->plan[i].at, s->plan[i].act, s);
}

static void server_message(void *self, const struct comm_message *message)
{
    struct actor *a = self;
    a->stage->heard++;
    balance_message(a->server, message);
}

/* ---- the workers ---- */

static void end_task(void *self)
{
    struct actor *a = self;
    a->id = 0;
    balance_done(a->client, "d", 1);
}

static void begin_task(void *self, const struct balance_assignment *task)
{
    struct actor *a = self;
    struct stage *s = a->stage;
    double seconds;
    memcpy(&seconds, task->bytes, sizeof seconds);
    if (a->id)
        snprintf(s->wrong, sizeof s->wrong, "a worker has two tasks at once");
    a->id = task->id;
    a->timer = comm_after(a->comm, seconds, end_task, a);
    s->tasks[task->id].begun++;
    s->tasks[task->id].begun_at = comm_now(a->comm);
}

static void interrupt_task(void *self)
{
    struct actor *a = self;
    comm_cancel(a->comm, a->timer);
    a->id = 0;
    balance_done(a->client, "i", 1);
}

static void drop_task(void *self, uint64_t id, struct str *result)
{
    (void)self;
    (void)id;
    str_add(result, "i");
}

static void leave(void *self)
{
    struct actor *a = self;
    balance_leave(a->client);
    comm_stop(a->comm);
}

static void worker_start(void *self, struct comm *comm)
{
    struct actor *a = self;
    struct balance_rules rules = rules_of(a->stage);
    struct balance_worker worker = {.self = a,
                                    .types =
                                        a->stage->types ? a->stage->types[comm_rank(comm)] : PLAIN,
                                    .task = begin_task,
                                    .interrupt = interrupt_task,
                                    .dropped = drop_task,
                                    .finish = leave,
                                    .orphaned = leave};
    a->comm = comm;
    a->client = balance_join(comm, &rules, &worker);
}

static void worker_message(void *self, const struct comm_message *message)
{
    struct actor *a = self;
    balance_client_message(a->client, message);
}

/* ---- the play ---- */

/* Prints the reason and returns false if not all ranks reached their end. */
static bool play(struct stage *s)
{
    struct comm_actor actors[RANKS];
    struct comm_world world = {.seed = s->seed ? s->seed : 1,
                               .latency = s->latency > 0 ? s->latency : MESSAGE,
                               .limit = 1e5,
                               .ranks_per_node = s->ranks_per_node,
                               .fates = s->fates,
                               .fate_count = s->fate_count};
    struct balance_rules rules = rules_of(s);
    struct err e = {0};
    for (int rank = 0; rank < s->ranks; rank++) {
        struct actor *a = &s->actors[rank];
        a->stage = s;
        actors[rank] = balance_serves(&rules, s->ranks, rank)
                           ? (struct comm_actor){a, server_start, server_message}
                           : (struct comm_actor){a, worker_start, worker_message};
    }
    if (comm_simulate(s->ranks, actors, &world, &s->seconds, &e))
        snprintf(s->wrong, sizeof s->wrong, "%.190s", e.message);
    for (int rank = 0; rank < s->ranks; rank++) {
        if (s->actors[rank].server)
            balance_free(s->actors[rank].server);
        if (s->actors[rank].client)
            balance_client_free(s->actors[rank].client);
    }
    if (s->wrong[0])
        printf("# %s\n", s->wrong);
    return !s->wrong[0];
}

static bool ran_once(const struct stage *s, uint64_t id)
{
    return s->tasks[id].begun == 1 && s->tasks[id].ended == 1 &&
           s->tasks[id].outcome == BALANCE_DONE;
}

static void finish(void *self)
{
    struct stage *s = self;
    balance_finish(s->server);
}

/* ---- who gets a task ---- */

static void put_special_and_finish(void *self)
{
    put(self, 1, 1, (struct balance_task){.type = 1});
    finish(self);
}

/*
 * The second server, rank 3, has one worker that takes special tasks and one that does not. If the
 * latter is idle first, the second server asks for what that worker takes.
 */
static void kinds_of_workers_that_become_idle_later_are_made_known(void)
{
    const unsigned seeds = (unsigned)tap_seeds(100);
    static const uint64_t types[] = {0, PLAIN, PLAIN, 0, PLAIN, PLAIN | SPECIAL};
    unsigned wrong = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct stage s = {.ranks = 6,
                          .servers = 2,
                          .seed = seed,
                          .types = types,
                          .plan = {{1, put_special_and_finish}}};
        wrong += !play(&s) || !ran_once(&s, 1);
    }
    ok(wrong == 0, "a kind of workers that becomes idle later is made known to other servers");
}

static void put_specials_and_finish(void *self)
{
    for (uint64_t id = 1; id <= 3; id++)
        put(self, id, LONG, (struct balance_task){.type = 1});
    finish(self);
}

/* Each server has a busy worker that takes special tasks, and an idle one that does not. */
static void a_task_that_waits_does_not_wander(void)
{
    static const uint64_t types[] = {0, PLAIN, PLAIN | SPECIAL, 0, PLAIN, PLAIN | SPECIAL};
    struct stage s = {
        .ranks = 6, .servers = 2, .types = types, .plan = {{1, put_specials_and_finish}}};
    ok(play(&s) && ran_once(&s, 1) && ran_once(&s, 2) && ran_once(&s, 3) && s.heard < 200,
       "a task for which all are busy does not go from server to server meanwhile");
}

static void put_one(void *self)
{
    put(self, 1, 1, (struct balance_task){0});
}

static void a_put_from_a_timer_begins_at_once(void)
{
    struct stage s = {.ranks = 3, .servers = 1, .plan = {{1, put_one}, {100, finish}}};
    ok(play(&s) && ran_once(&s, 1) && s.tasks[1].begun_at < 1.1,
       "a task that is put from a timer does not wait for the next message");
}

static void put_bound_then_free(void *self, size_t count)
{
    struct stage *s = self;
    for (; count > 0 && s->put < 40; count--) {
        bool bound = s->put < 20;
        put(s, s->put + 1, 1,
            (struct balance_task){.where = bound ? BALANCE_WORKER : BALANCE_ANYWHERE, .target = 1});
    }
    if (s->put == 40)
        finish(s);
}

static void tasks_bound_to_one_worker_do_not_keep_others_idle(void)
{
    struct stage s = {.ranks = 5, .servers = 1, .wanted = put_bound_then_free};
    bool right = play(&s);
    double first = s.seconds;
    for (uint64_t id = 1; id <= 40; id++)
        right = right && ran_once(&s, id);
    for (uint64_t id = 21; id <= 40; id++)
        first = fmin(first, s.tasks[id].begun_at);
    ok(right && first < 10, "the owner is asked for more while 20 s of tasks wait for one worker");
}

/* ---- from within given() ---- */

static void put_one_and_finish(void *self)
{
    put_one(self);
    finish(self);
}

static void put_long_and_finish(void *self)
{
    put(self, 1, LONG, (struct balance_task){0});
    finish(self);
}

static void put_for_the_other(void *self, uint64_t id, int worker)
{
    if (id == 1)
        put(self, 2, 1, (struct balance_task){.where = BALANCE_WORKER, .target = 3 - worker});
}

static void the_owner_may_put_when_a_task_is_given(void)
{
    struct stage s = {
        .ranks = 3, .servers = 1, .given = put_for_the_other, .plan = {{1, put_one_and_finish}}};
    ok(play(&s) && ran_once(&s, 1) && ran_once(&s, 2), "the owner puts a task inside of given()");
}

static void cancel_it(void *self, uint64_t id, int worker)
{
    struct stage *s = self;
    if (worker)
        balance_cancel(s->server, id);
}

static void the_owner_may_cancel_a_task_when_it_is_given(void)
{
    struct stage s = {
        .ranks = 3, .servers = 1, .given = cancel_it, .plan = {{1, put_long_and_finish}}};
    ok(play(&s) && s.tasks[1].ended == 1 && s.tasks[1].interrupted && s.tasks[1].ended_at < 10,
       "the owner cancels a task inside of given(), and it is interrupted");
}

/* ---- tasks that need several workers ---- */

static void put_long_for_four(void *self)
{
    put(self, 1, LONG, (struct balance_task){.workers = 4});
}

static void cancel_and_finish(void *self)
{
    struct stage *s = self;
    balance_cancel(s->server, 1);
    finish(s);
}

static void stop_and_finish(void *self)
{
    struct stage *s = self;
    balance_withdraw(s->server);
    balance_interrupt(s->server);
    finish(s);
}

/* The order to end a task must not overtake the order to begin it, whichever server receives it. */
static unsigned teams_that_run_on(comm_handler *stop)
{
    const unsigned seeds = (unsigned)tap_seeds(3000);
    unsigned wrong = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        double later = 0.2 * MESSAGE * (double)(1 + seed % 30);
        struct stage s = {.ranks = 6,
                          .servers = 2,
                          .seed = seed,
                          .plan = {{1, put_long_for_four}, {1 + later, stop}}};
        wrong += !play(&s) || s.tasks[1].ended != 1 || s.seconds > LONG / 2;
    }
    return wrong;
}

static void a_team_that_is_about_to_begin_can_be_stopped(void)
{
    ok(teams_that_run_on(stop_and_finish) == 0, "a team that is about to begin is interrupted");
    ok(teams_that_run_on(cancel_and_finish) == 0, "a team that is about to begin is cancelled");
}

static void put_impossible_team_and_another(void *self)
{
    put(self, 1, 1,
        (struct balance_task){.workers = 2, .type = 1, .where = BALANCE_NODE, .target = 0});
    put(self, 2, 1, (struct balance_task){.workers = 2});
    finish(self);
}

/* The first node has two workers, but only one of them takes special tasks. */
static void a_team_for_a_node_of_other_workers_is_refused(void)
{
    static const uint64_t types[] = {0,    PLAIN | SPECIAL, PLAIN, PLAIN | SPECIAL, PLAIN | SPECIAL,
                                     PLAIN};
    struct stage s = {.ranks = 6,
                      .servers = 1,
                      .ranks_per_node = 3,
                      .types = types,
                      .plan = {{1, put_impossible_team_and_another}}};
    bool ends = play(&s);
    ok(ends && s.tasks[1].ended == 1 && s.tasks[1].outcome == BALANCE_REFUSED,
       "a team is refused when its node has too few workers of its type");
    ok(s.tasks[2].ended == 1 && s.tasks[2].outcome == BALANCE_DONE, "and holds up no other");
}

static void put_for_three(void *self)
{
    put(self, 1, 1, (struct balance_task){.workers = 3});
    finish(self);
}

static void dead_workers_that_took_nothing_are_not_missed(void)
{
    static const uint64_t types[] = {0, 0, 0, PLAIN, PLAIN, PLAIN};
    struct stage s = {.ranks = 6,
                      .servers = 1,
                      .lost_after = 2,
                      .types = types,
                      .fates = {{1, 5, INFINITY}, {2, 5, INFINITY}},
                      .fate_count = 2,
                      .plan = {{30, put_for_three}}};
    ok(play(&s) && s.tasks[1].ended == 1 && s.tasks[1].outcome == BALANCE_DONE,
       "three workers get a task for three after two died that took no tasks");
}

static void put_special(void *self)
{
    put(self, 1, 10, (struct balance_task){.type = 1});
}

static void put_special_for_two(void *self)
{
    put(self, 3, 1, (struct balance_task){.type = 1, .workers = 2});
}

static void put_urgent_then_finish(struct stage *s, uint64_t id)
{
    if (id == 1)
        put(s, 2, 1, (struct balance_task){.priority = 5});
    if (id == 3)
        finish(s);
}

/*
 * Two workers take special tasks. One waits for the other, which becomes idle just when an urgent
 * plain task is there. It is then not held but left for that task, which a third worker gets.
 */
static void who_was_left_for_a_task_of_another_is_held_after_all(void)
{
    static const uint64_t types[] = {0, PLAIN, PLAIN | SPECIAL, PLAIN | SPECIAL};
    const unsigned seeds = (unsigned)tap_seeds(100);
    unsigned wrong = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct stage s = {.ranks = 4,
                          .servers = 1,
                          .seed = seed,
                          .types = types,
                          .after = put_urgent_then_finish,
                          .plan = {{0, put_special}, {1, put_special_for_two}}};
        wrong += !play(&s) || !ran_once(&s, 2) || s.tasks[3].begun != 2;
    }
    ok(wrong == 0, "an idle worker is held for a team when another took what it was left for");
}

/* ---- workers that die ---- */

static void put_two_for_the_last(void *self)
{
    struct stage *s = self;
    struct balance_task task = {.where = BALANCE_WORKER, .target = s->ranks - s->servers};
    put(s, 1, LONG, task);
    put(s, 2, 1, task);
}

static void put_late_for_the_last(void *self)
{
    struct stage *s = self;
    struct balance_task task = {.where = BALANCE_WORKER, .target = s->ranks - s->servers};
    put(s, 3, 1, task);
    task.prefer = true;
    put(s, 4, 1, task);
    finish(s);
}

/* The last worker runs the first task and dies; its server is the last one. */
static void what_is_bound_to_a_dead_worker_is_lost(void)
{
    for (int servers = 1; servers <= 2; servers++) {
        struct stage s = {.ranks = 6,
                          .servers = servers,
                          .lost_after = 2,
                          .fates = {{5, 5, INFINITY}},
                          .fate_count = 1,
                          .plan = {{1, put_two_for_the_last}, {30, put_late_for_the_last}}};
        bool lost = play(&s);
        for (uint64_t id = 1; id <= 3; id++)
            lost = lost && s.tasks[id].ended == 1 && s.tasks[id].outcome == BALANCE_LOST;
        ok(lost && s.tasks[1].ended_at < 30 && s.tasks[2].ended_at < 30,
           "servers: %d, what is bound to a worker is lost when it dies, and afterwards", servers);
        ok(ran_once(&s, 4), "servers: %d, what just prefers it runs elsewhere", servers);
    }
}

static void put_three_for_a_node(void *self)
{
    for (uint64_t id = 1; id <= 3; id++)
        put(self, id, LONG, (struct balance_task){.where = BALANCE_NODE, .target = 1});
}

static void put_late_for_a_node(void *self)
{
    put(self, 4, 1, (struct balance_task){.where = BALANCE_NODE, .target = 1});
}

static void finish_after_four(struct stage *s, uint64_t id)
{
    if (id == 4)
        finish(s);
}

/* Ranks 3, 4 and 5 form a node: a worker of the first server, the second server, and its worker. */
static void what_is_bound_to_a_node_of_the_dead_is_lost(void)
{
    struct stage s = {.ranks = 8,
                      .servers = 2,
                      .ranks_per_node = 3,
                      .lost_after = 2,
                      .fates = {{3, 5, INFINITY}, {5, 6, INFINITY}},
                      .fate_count = 2,
                      .after = finish_after_four,
                      .plan = {{1, put_three_for_a_node}, {30, put_late_for_a_node}}};
    bool lost = play(&s);
    for (uint64_t id = 1; id <= 4; id++)
        lost = lost && s.tasks[id].ended == 1 && s.tasks[id].outcome == BALANCE_LOST;
    ok(lost && s.tasks[3].ended_at < 30,
       "what is bound to a node is lost when its workers die, of whatever servers");
}

static void put_for_two(void *self)
{
    put(self, 1, 1, (struct balance_task){.workers = 2});
    finish(self);
}

/* The worker dies at 5.2, is given up at about 7.5, and is requested just before that. */
static void a_dead_worker_that_is_held_when_it_is_given_up_is_replaced(void)
{
    const unsigned seeds = (unsigned)tap_seeds(4000);
    unsigned wrong = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct stage s = {.ranks = 5,
                          .servers = 1,
                          .seed = seed,
                          .latency = 10 * MESSAGE,
                          .lost_after = 2,
                          .fates = {{1, 5.2, INFINITY}},
                          .fate_count = 1,
                          .plan = {{7.5 - MESSAGE * (double)(seed % 40), put_for_two}}};
        wrong += !play(&s) || s.tasks[1].ended != 1;
    }
    ok(wrong == 0, "a worker that is given up while it is held for a team holds up nobody");
}

int main(void)
{
    kinds_of_workers_that_become_idle_later_are_made_known();
    a_task_that_waits_does_not_wander();
    a_put_from_a_timer_begins_at_once();
    tasks_bound_to_one_worker_do_not_keep_others_idle();
    the_owner_may_put_when_a_task_is_given();
    the_owner_may_cancel_a_task_when_it_is_given();
    a_team_that_is_about_to_begin_can_be_stopped();
    a_team_for_a_node_of_other_workers_is_refused();
    dead_workers_that_took_nothing_are_not_missed();
    who_was_left_for_a_task_of_another_is_held_after_all();
    what_is_bound_to_a_dead_worker_is_lost();
    what_is_bound_to_a_node_of_the_dead_is_lost();
    a_dead_worker_that_is_held_when_it_is_given_up_is_replaced();
    return tap_end();
}
