/* threads.c - ranks as threads: order, timers, descriptors, ending. */
#include "comm/comm.h"
#include "tap.h"

#include <unistd.h>

/* ---- every rank sends numbered messages to every other; each pair keeps its order ---- */

enum { RANKS = 5, MESSAGES = 2000 };

struct chatter {
    struct comm *comm;
    int next[RANKS];
    int finished;
    bool in_order;
};

static void chatter_start(void *self, struct comm *comm)
{
    struct chatter *c = self;
    c->comm = comm;
    c->in_order = true;
    for (int i = 0; i < MESSAGES; i++)
        for (int to = 0; to < RANKS; to++)
            comm_send(comm, to, 7, &i, sizeof i);
}

static void chatter_message(void *self, const struct comm_message *m)
{
    struct chatter *c = self;
    int number;
    memcpy(&number, m->bytes, sizeof number);
    c->in_order &= m->type == 7 && m->length == sizeof number && number == c->next[m->from];
    if (++c->next[m->from] == MESSAGES && ++c->finished == RANKS)
        comm_stop(c->comm);
}

static void pairs_keep_their_order(void)
{
    struct chatter chatters[RANKS] = {0};
    struct comm_actor actors[RANKS];
    struct err e = {0};
    for (int i = 0; i < RANKS; i++)
        actors[i] = (struct comm_actor){&chatters[i], chatter_start, chatter_message};
    ok(comm_threads(RANKS, actors, &e) == 0, "ranks run and stop");
    for (int i = 0; i < RANKS; i++)
        ok(chatters[i].in_order && chatters[i].finished == RANKS,
           "rank %d got every message of every rank, in order", i);
}

/* ---- timers and descriptors ---- */

struct clocked {
    struct comm *comm;
    char fired[16];
    size_t count;
    uint64_t cancelled;
    int pipe[2];
    int reads;
};

static void fire(struct clocked *c, char letter)
{
    c->fired[c->count++] = letter;
}

static void fire_a(void *self)
{
    fire(self, 'a');
}

static void fire_b(void *self)
{
    struct clocked *c = self;
    fire(c, 'b');
    comm_cancel(c->comm, c->cancelled);
    (void)!write(c->pipe[1], "xy", 2);
}

static void fire_never(void *self)
{
    fire(self, '!');
}

static void fire_last(void *self)
{
    struct clocked *c = self;
    fire(c, 'z');
    comm_stop(c->comm);
}

static void readable(void *self)
{
    struct clocked *c = self;
    char byte;
    (void)!read(c->pipe[0], &byte, 1);
    fire(c, byte);
    if (++c->reads < 2)
        return;
    comm_unwatch(c->comm, c->pipe[0]);
    comm_after(c->comm, 0.05, fire_last, c); /* later than the cancelled one */
}

static void clocked_start(void *self, struct comm *comm)
{
    struct clocked *c = self;
    c->comm = comm;
    comm_watch(comm, c->pipe[0], readable, c);
    c->cancelled = comm_after(comm, 0.03, fire_never, c);
    comm_after(comm, 0, fire_a, c);
    comm_after(comm, 0.01, fire_b, c);
}

static void no_message(void *self, const struct comm_message *m)
{
    (void)self;
    (void)m;
}

static void timers_fire_in_order(void)
{
    struct clocked c = {0};
    struct err e = {0};
    (void)!pipe(c.pipe);
    struct comm_actor actor = {&c, clocked_start, no_message};
    ok(comm_threads(1, &actor, &e) == 0, "one rank runs alone");
    c.fired[c.count] = 0;
    is_text(c.fired, "abxyz",
            "timers by their time, a cancelled one never, a descriptor each read");
    close(c.pipe[0]);
    close(c.pipe[1]);
}

/* ---- a large message, and messages to a rank that has stopped ---- */

struct sender {
    struct comm *comm;
    size_t got;
    bool whole;
};

static void sender_start(void *self, struct comm *comm)
{
    struct sender *s = self;
    s->comm = comm;
    if (comm_rank(comm) == 1) {
        size_t length = 5 << 20;
        char *bytes = memory_new(length, 1);
        memset(bytes, 'q', length);
        comm_send(comm, 0, 1, bytes, length);
        comm_send(comm, 0, 2, NULL, 0);
        free(bytes);
        comm_stop(comm);
    }
}

static void sender_message(void *self, const struct comm_message *m)
{
    struct sender *s = self;
    if (m->type == 1) {
        s->got = m->length;
        s->whole = m->bytes[0] == 'q' && m->bytes[m->length - 1] == 'q';
        for (int i = 0; i < 1000; i++)
            comm_send(s->comm, 1, 3, "late", 4);
    } else {
        comm_stop(s->comm);
    }
}

static void large_messages_and_late_ones(void)
{
    struct sender senders[2] = {0};
    struct comm_actor actors[2];
    struct err e = {0};
    for (int i = 0; i < 2; i++)
        actors[i] = (struct comm_actor){&senders[i], sender_start, sender_message};
    ok(comm_threads(2, actors, &e) == 0, "messages to a stopped rank are dropped");
    ok(senders[0].got == 5 << 20 && senders[0].whole, "a message of 5 MiB arrives whole");
}

int main(void)
{
    pairs_keep_their_order();
    timers_fire_in_order();
    large_messages_and_late_ones();
    return tap_end();
}
