/* sim.c - the simulated world: its time, its order, its deadlocks, and that a seed is a history. */
#include "comm/comm.h"
#include "tap.h"

enum { RANKS = 4, MESSAGES = 50 };

/* Every rank sends numbered messages to every other, at moments of its own. */
struct chatter {
    struct comm *comm;
    int sent, next[RANKS], finished;
    bool in_order;
    struct str *history; /* what happened, of all ranks */
};

static void send_one(void *self)
{
    struct chatter *c = self;
    for (int to = 0; to < RANKS; to++)
        comm_send(c->comm, to, 7, &c->sent, sizeof c->sent);
    if (++c->sent < MESSAGES)
        comm_after(c->comm, 0.001, send_one, c);
}

static void chatter_start(void *self, struct comm *comm)
{
    struct chatter *c = self;
    c->comm = comm;
    c->in_order = true;
    send_one(c);
}

static void chatter_message(void *self, const struct comm_message *m)
{
    struct chatter *c = self;
    int number;
    memcpy(&number, m->bytes, sizeof number);
    str_printf(c->history, "%d>%d:%d ", m->from, comm_rank(c->comm), number);
    c->in_order &= number == c->next[m->from];
    if (++c->next[m->from] == MESSAGES && ++c->finished == RANKS)
        comm_stop(c->comm);
}

static bool chat(uint64_t seed, struct str *history)
{
    struct chatter chatters[RANKS] = {0};
    struct comm_actor actors[RANKS];
    struct comm_world world = {.seed = seed, .latency = 0.01};
    struct err e = {0};
    double seconds;
    for (int i = 0; i < RANKS; i++) {
        chatters[i].history = history;
        actors[i] = (struct comm_actor){&chatters[i], chatter_start, chatter_message};
    }
    bool good = comm_simulate(RANKS, actors, &world, &seconds, &e) == 0 && seconds > 0;
    for (int i = 0; i < RANKS; i++)
        good &= chatters[i].in_order && chatters[i].finished == RANKS;
    return good;
}

static void a_seed_is_a_history(void)
{
    struct str first = {0}, again = {0}, other = {0};
    ok(chat(1, &first) && chat(1, &again) && chat(2, &other),
       "every pair of ranks keeps its order, with any seed");
    ok(strcmp(first.text, again.text) == 0, "the same seed is the same history");
    ok(strcmp(first.text, other.text) != 0, "another seed is another");
    str_free(&first);
    str_free(&again);
    str_free(&other);
}

/* ---- timers, in virtual time ---- */

struct clocked {
    struct comm *comm;
    double fired[3];
    int count;
    uint64_t cancelled;
};

static void fire(void *self)
{
    struct clocked *c = self;
    c->fired[c->count++] = comm_now(c->comm);
    if (c->count == 1)
        comm_cancel(c->comm, c->cancelled);
    if (c->count == 2)
        comm_stop(c->comm);
}

static void clocked_start(void *self, struct comm *comm)
{
    struct clocked *c = self;
    c->comm = comm;
    comm_after(comm, 86400, fire, c);
    comm_after(comm, 1, fire, c);
    c->cancelled = comm_after(comm, 2, fire, c);
}

static void silent(void *self, struct comm *comm)
{
    (void)self;
    (void)comm;
}

static void no_message(void *self, const struct comm_message *m)
{
    (void)self;
    (void)m;
}

static void a_day_takes_no_time(void)
{
    struct clocked c = {0};
    struct comm_actor actor = {&c, clocked_start, no_message};
    struct comm_world world = {.seed = 1};
    struct err e = {0};
    double seconds;
    ok(comm_simulate(1, &actor, &world, &seconds, &e) == 0 && seconds == 86400, "a simulated day");
    ok(c.count == 2 && c.fired[0] == 1 && c.fired[1] == 86400,
       "timers fire at their time, a cancelled one never");
}

static void what_waits_for_ever_is_found(void)
{
    struct comm_actor actors[2] = {{NULL, silent, no_message}, {NULL, silent, no_message}};
    struct comm_world world = {.seed = 42};
    struct err e = {0};
    double seconds;
    ok(comm_simulate(2, actors, &world, &seconds, &e) == ERR_SYSTEM, "a deadlock is an error");
    is_text(e.message, "with seed 42 rank 0 waits for ever after 0 seconds", "it says who waits");
    struct clocked c = {0};
    struct comm_actor actor = {&c, clocked_start, no_message};
    world.limit = 100;
    ok(comm_simulate(1, &actor, &world, &seconds, &e) == ERR_SYSTEM, "so is the limit");
    is_text(e.message, "with seed 42 it goes on after 100 simulated seconds", "it says so");
}

int main(void)
{
    a_seed_is_a_history();
    a_day_takes_no_time();
    what_waits_for_ever_is_found();
    return tap_end();
}
