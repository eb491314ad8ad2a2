/*
 * sim.c - the simulated world: its time, its order, its links, the fates of ranks, its deadlocks,
 * and that a seed determines a history.
 */
#include "comm/comm.h"
#include "tap.h"

enum { RANKS = 4, MESSAGES = 50 };

/* Every rank sends numbered messages to every other rank, at its own times. */
struct chatter {
    struct comm *comm;
    int sent, next[RANKS], finished;
    bool in_order;
    struct str *history; /* what happened, on all ranks */
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

static bool chat(const struct comm_world *world, struct str *history)
{
    struct chatter chatters[RANKS] = {0};
    struct comm_actor actors[RANKS];
    struct err e = {0};
    double seconds;
    for (int i = 0; i < RANKS; i++) {
        chatters[i].history = history;
        actors[i] = (struct comm_actor){&chatters[i], chatter_start, chatter_message};
    }
    bool good = comm_simulate(RANKS, actors, world, &seconds, &e) == 0;
    for (int i = 0; i < RANKS; i++)
        good &= chatters[i].in_order && chatters[i].finished == RANKS;
    return good;
}

static void a_seed_is_a_history(void)
{
    static const struct comm_fate hang = {2, 0.01, 0.5};
    static const struct {
        const char *name;
        struct comm_world world;
    } cases[] = {
        {"no delay", {0}},
        {"latency", {.latency = 0.01}},
        {"bandwidth", {.bandwidth = 1000}},
        {"handling", {.handling = 0.001}},
        {"a hang", {.latency = 0.1, .fates = &hang, .fate_count = 1}},
        {"all of it", {0, 0.01, 1000, 0.001, .fates = &hang, .fate_count = 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str first = {0}, again = {0}, other = {0};
        struct comm_world world = cases[i].world;
        world.seed = 1;
        bool right = chat(&world, &first);
        right &= chat(&world, &again);
        world.seed = 2;
        right &= chat(&world, &other);
        ok(right, "%s: every pair of ranks keeps its order", cases[i].name);
        ok(strcmp(first.text, again.text) == 0, "the same seed is the same history");
        ok(strcmp(first.text, other.text) != 0, "another seed is another");
        str_free(&first);
        str_free(&again);
        str_free(&other);
    }
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

/* ---- scripts: what ranks do, and what happens when ---- */

/*
 * A script has steps "TIME: RANK ACTION ..." for the ranks 0, 1 and 2. Timers that are set at the
 * start run them; they also say what happens to a rank:
 *
 *     send TO COUNT LENGTH   forget OTHER   tick   stop   hang UNTIL   die
 *
 * In the history, 1>0#2@3.5 is message 2 from rank 1, which rank 0 handles at 3.5, and 1@4 is a
 * tick.
 */
static const struct script {
    const char *name;
    struct comm_world world;
    const char *steps, *history;
    double seconds;
} scripts[] = {
    {"bytes leave a rank one after the other",
     {.bandwidth = 100},
     "0: 1 send 0 2 50; 0.75: 1 send 2 1 25; 0.875: 2 send 0 1 50; 9: 0 stop; 9: 1 stop; 9: 2 stop",
     "1>0#0@0.5 1>0#1@1 1>2#0@1.25 2>0#0@1.375 ",
     9},
    {"what a rank sends to itself takes no link",
     {.bandwidth = 100},
     "0: 1 send 0 1 5000; 1: 1 send 1 2 5000; 60: 0 stop; 2: 1 stop; 2: 2 stop",
     "1>1#0@1 1>1#1@1 1>0#0@50 ",
     60},
    {"a rank handles messages one after the other, and timers wait",
     {.handling = 2},
     "1: 1 send 0 3 0; 4: 0 tick; 6: 2 send 0 1 0; 8.5: 0 tick; 8: 2 stop; 8: 1 stop;"
     "20: 0 tick; 21: 0 stop",
     "1>0#0@1 1>0#1@3 1>0#2@5 0@7 2>0#0@7 0@9 0@20 ",
     21},
    {"what comes due in a hang happens at its end, in order",
     {0},
     "1: 0 hang 5; 1: 0 tick; 2: 1 send 0 2 40; 3: 0 tick; 4: 2 send 0 1 0; 4.5: 1 tick;"
     "6: 0 tick; 7: 0 stop; 7: 1 stop; 7: 2 stop",
     "1@4.5 0@5 1>0#0@5 1>0#1@5 0@5 2>0#0@5 0@6 ",
     7},
    {"after a hang a rank still needs its time",
     {.handling = 1},
     "1: 0 hang 5; 5.5: 0 hang 8; 2: 1 send 0 3 0; 3: 0 stop; 7: 1 stop; 7: 2 stop",
     "1>0#0@5 1>0#1@8 1>0#2@9 ",
     10},
    {"hangs overlap, and one at the start puts the start off",
     {0},
     "2: 0 hang 3; 0: 0 hang 1; 2.5: 0 hang 6; 4: 0 hang 5;"
     "0.5: 0 tick; 0.5: 1 send 0 1 0; 2: 0 stop; 2: 1 stop; 2: 2 stop",
     "1>0#0@1 0@1.5 ",
     6},
    {"a short hang within a long one changes nothing",
     {0},
     "1: 0 hang 6; 2: 0 hang 3; 4: 0 stop; 1: 1 stop; 1: 2 stop",
     "",
     6},
    {"the dead are not waited for, and hear nothing",
     {0},
     "3: 0 die; 0: 2 die; 1: 1 send 0 1 40; 1: 1 send 2 1 40; 1: 2 tick; 3: 0 tick;"
     "3.5: 1 send 0 1 40; 4: 1 stop",
     "1>0#0@1 ",
     4},
    {"the last one dies, in a hang", {0}, "3: 0 die; 1: 0 hang 9; 1: 1 stop; 2: 2 stop", "", 3},
    {"who is given up is not heard, gets nothing, and is not waited for",
     {.handling = 2},
     "0.5: 2 send 0 1 0; 1: 0 forget 1; 1.5: 1 send 0 2 40; 2: 2 send 0 1 0; 5: 0 send 1 1 0;"
     "5.5: 0 send 2 1 0; 6: 1 send 0 1 0; 6.5: 1 send 2 1 0; 13: 2 stop; 14: 0 stop",
     "2>0#0@0.5 2>0#0@2.5 0>2#0@5.5 1>2#0@7.5 ",
     14},
    {"who is given up has no say in who is waited for",
     {0},
     "1: 0 forget 1; 2: 1 forget 0; 3: 2 stop; 5: 0 tick; 6: 0 stop; 7: 1 tick",
     "0@5 ",
     6},
};

enum { CAST = 3, STEPS = 12 };

struct step {
    double at;
    int rank;
    char act[8];
    double object; /* another rank, or the end of a hang */
    int count;
    size_t length;
    struct stage *stage;
};

struct stage {
    struct step steps[STEPS];
    int step_count;
    struct comm_fate fates[STEPS];
    size_t fate_count;
    struct comm *comms[CAST];
    struct str history;
};

struct player {
    struct stage *stage;
    int rank;
};

static void read_script(struct stage *stage, const char *text)
{
    for (; text; text = strchr(text, ';') ? strchr(text, ';') + 1 : NULL) {
        struct step step = {.stage = stage};
        sscanf(text, "%lf: %d %7s %lf %d %zu", &step.at, &step.rank, step.act, &step.object,
               &step.count, &step.length);
        step.act[strcspn(step.act, ";")] = '\0';
        bool dies = strcmp(step.act, "die") == 0;
        if (dies || strcmp(step.act, "hang") == 0)
            stage->fates[stage->fate_count++] =
                (struct comm_fate){step.rank, step.at, dies ? INFINITY : step.object};
        else
            stage->steps[stage->step_count++] = step;
    }
}

static void play_step(void *self)
{
    static const unsigned char nothing[5000];
    const struct step *step = self;
    struct comm *comm = step->stage->comms[step->rank];
    if (strcmp(step->act, "tick") == 0)
        str_printf(&step->stage->history, "%d@%.9g ", step->rank, comm_now(comm));
    else if (strcmp(step->act, "forget") == 0)
        comm_forget(comm, (int)step->object);
    else if (strcmp(step->act, "stop") == 0)
        comm_stop(comm);
    for (int i = 0; i < step->count; i++)
        comm_send(comm, (int)step->object, i, nothing, step->length);
}

static void player_start(void *self, struct comm *comm)
{
    const struct player *p = self;
    p->stage->comms[p->rank] = comm;
    for (int i = 0; i < p->stage->step_count; i++)
        if (p->stage->steps[i].rank == p->rank)
            comm_after(comm, p->stage->steps[i].at, play_step, &p->stage->steps[i]);
}

static void player_message(void *self, const struct comm_message *m)
{
    const struct player *p = self;
    str_printf(&p->stage->history, "%d>%d#%d@%.9g ", m->from, p->rank, m->type,
               comm_now(p->stage->comms[p->rank]));
}

static bool follows(const struct script *script, uint64_t seed)
{
    struct stage stage = {0};
    struct player players[CAST];
    struct comm_actor actors[CAST];
    struct comm_world world = script->world;
    struct err e = {0};
    double seconds;
    read_script(&stage, script->steps);
    world.seed = seed;
    world.fates = stage.fates;
    world.fate_count = stage.fate_count;
    for (int i = 0; i < CAST; i++) {
        players[i] = (struct player){&stage, i};
        actors[i] = (struct comm_actor){&players[i], player_start, player_message};
    }
    str_add(&stage.history, "");
    int failed = comm_simulate(CAST, actors, &world, &seconds, &e);
    bool right = failed == 0 && seconds == script->seconds &&
                 strcmp(stage.history.text, script->history) == 0;
    if (!right)
        printf("# seed %d: %s, ends at %g %s\n", (int)seed, stage.history.text, seconds, e.message);
    str_free(&stage.history);
    return right;
}

/* Nothing in a script is left to chance. */
static void scripts_hold_with_every_seed(void)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        const unsigned seeds = (unsigned)tap_seeds(100);
        bool right = true;
        for (uint64_t seed = 1; seed <= seeds; seed++)
            right &= follows(&scripts[i], seed);
        ok(right, "%s", scripts[i].name);
    }
}

/* ---- many things at the same moment ---- */

/* Ranks 1 and up send a burst to rank 0 at the start; it notes the order of arrival. */
struct burst {
    struct comm *comm;
    int count, total;
    int next[RANKS], heard;
    bool in_order;
    double sum; /* sum of the arrival times */
    struct str *history;
};

static void burst_start(void *self, struct comm *comm)
{
    struct burst *b = self;
    b->comm = comm;
    b->in_order = true;
    if (comm_rank(comm) == 0)
        return;
    for (int i = 0; i < b->count; i++)
        comm_send(comm, 0, i, NULL, 0);
    comm_stop(comm);
}

static void burst_message(void *self, const struct comm_message *m)
{
    struct burst *b = self;
    b->in_order &= m->type == b->next[m->from]++;
    b->sum += comm_now(b->comm);
    str_printf(b->history, "%d", m->from);
    if (++b->heard == b->total)
        comm_stop(b->comm);
}

static struct burst burst(int ranks, int count, const struct comm_world *world, struct str *history)
{
    struct burst all[RANKS] = {0};
    struct comm_actor actors[RANKS];
    struct err e = {0};
    double seconds;
    for (int i = 0; i < ranks; i++) {
        all[i] = (struct burst){.count = count, .total = count * (ranks - 1), .history = history};
        actors[i] = (struct comm_actor){&all[i], burst_start, burst_message};
    }
    str_clear(history);
    all[0].in_order &= comm_simulate(ranks, actors, world, &seconds, &e) == 0;
    return all[0];
}

static void chance_decides_between_pairs_only(void)
{
    static const char *const orders[] = {"1122", "1212", "1221", "2112", "2121", "2211"};
    int seen[6] = {0}, kinds = 0;
    bool in_order = true;
    struct str history = {0};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct comm_world world = {.seed = seed};
        in_order &= burst(3, 2, &world, &history).in_order;
        for (int i = 0; i < 6; i++)
            seen[i] += strcmp(history.text, orders[i]) == 0;
    }
    for (int i = 0; i < 6; i++)
        kinds += seen[i] > 0;
    ok(kinds == 6 && in_order, "messages of two senders come in every order that keeps theirs");
    struct comm_world ideal = {.seed = 1}, slow = {.seed = 1, .latency = 0.25};
    struct burst b = burst(4, 1000, &ideal, &history);
    ok(b.in_order && b.sum == 0, "a thousand at the same moment keep their order and their time");
    double sum = 0;
    for (slow.seed = 1; slow.seed <= 4000; slow.seed++)
        sum += burst(2, 1, &slow, &history).sum;
    is_near(sum / 4000, 0.25, 0.01, "the mean latency is what the world says");
    str_free(&history);
}

/* ---- messages of any length, endless timers, a hundred thousand ranks ---- */

static const size_t lengths[] = {0, 1, 31, 32, 33, 64, 100000};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

struct parcel {
    struct comm *comm;
    int heard;
    bool whole;
};

static unsigned char pattern(size_t i)
{
    return (unsigned char)(i * 7 + i / 251);
}

static void parcel_start(void *self, struct comm *comm)
{
    struct parcel *p = self;
    unsigned char *bytes = memory_new(lengths[LENGTHS - 1], 1);
    p->comm = comm;
    p->whole = true;
    for (size_t i = 0; i < lengths[LENGTHS - 1]; i++)
        bytes[i] = pattern(i);
    for (int round = 0; round < 2; round++) /* the second one is still in transit at the end */
        for (int i = 0; i < LENGTHS; i++)
            comm_send(comm, 0, i, bytes, lengths[i]);
    free(bytes);
}

static void parcel_message(void *self, const struct comm_message *m)
{
    struct parcel *p = self;
    comm_send(p->comm, 0, 0, "more events move those that exist", 33);
    p->whole &= m->length == lengths[m->type];
    for (size_t i = 0; i < m->length; i++)
        p->whole &= m->bytes[i] == pattern(i);
    if (++p->heard == LENGTHS)
        comm_stop(p->comm);
}

static void messages_arrive_whole(void)
{
    struct parcel p = {0};
    struct comm_actor actor = {&p, parcel_start, parcel_message};
    struct comm_world world = {.seed = 1};
    struct err e = {0};
    double seconds;
    ok(comm_simulate(1, &actor, &world, &seconds, &e) == 0 && p.whole, "messages arrive whole");
}

/* Each round sets a thousand timers and cancels four fifths of them. */
enum { TIMERS = 1000, ROUNDS = 20 };

struct setter {
    struct comm *comm;
    double began, next;
    uint64_t last;
    int rounds;
    bool right;
};

static void setter_round(void *self);

static void setter_fires(void *self)
{
    struct setter *s = self;
    s->right &= comm_now(s->comm) == s->began + s->next;
    s->next += 5;
    if (s->next < TIMERS)
        return;
    /* The name of a timer that has fired is invalid, even if the next timer has its place. */
    uint64_t next = comm_after(s->comm, 1, setter_round, s);
    comm_cancel(s->comm, s->last);
    s->last = next;
}

static void setter_round(void *self)
{
    static const uint64_t nobody[] = {0, 1, UINT32_MAX, UINT64_MAX};
    struct setter *s = self;
    uint64_t names[TIMERS];
    if (s->rounds++ == ROUNDS)
        comm_stop(s->comm);
    s->began = comm_now(s->comm);
    s->next = 0;
    for (int i = 0; i < TIMERS; i++)
        names[i] = comm_after(s->comm, i * 7919 % TIMERS, setter_fires, s);
    for (int i = 0; i < TIMERS; i++)
        if (i * 7919 % TIMERS % 5 != 0)
            comm_cancel(s->comm, names[i]);
    for (int i = 0; i < 4; i++)
        comm_cancel(s->comm, nobody[i]);
    s->last = names[605]; /* the last one to fire, at 995 */
}

static void setter_start(void *self, struct comm *comm)
{
    struct setter *s = self;
    s->comm = comm;
    s->right = true;
    comm_after(comm, INFINITY, setter_fires, s);
    setter_round(s);
}

static void cancelled_timers_never_fire(void)
{
    struct setter s = {0};
    struct comm_actor actor = {&s, setter_start, no_message};
    struct comm_world world = {.seed = 1};
    struct err e = {0};
    double seconds;
    ok(comm_simulate(1, &actor, &world, &seconds, &e) == 0 && s.right && seconds == 996 * ROUNDS,
       "cancelled timers never fire, the others in their order");
}

/* Each rank sends to two others, in order, and gives up on one that is dead from the start. */
enum { CROWD = 100000, DEAD = 7, EACH = 3 };
static const int strides[] = {1, 1000};

struct face {
    struct comm *comm;
    int next[2], left;
    bool in_order;
};

static void face_start(void *self, struct comm *comm)
{
    struct face *f = self;
    int rank = comm_rank(comm);
    *f = (struct face){.comm = comm, .left = 2 * EACH, .in_order = true};
    comm_forget(comm, DEAD);
    for (int i = 0; i < 2 * EACH; i++)
        comm_send(comm, (rank + strides[i % 2]) % CROWD, i / 2, NULL, 0);
    for (int i = 0; i < 2; i++)
        f->left -= (DEAD + strides[i]) % CROWD == rank ? EACH : 0;
}

static void face_message(void *self, const struct comm_message *m)
{
    struct face *f = self;
    int i = (m->from + strides[0]) % CROWD == comm_rank(f->comm) ? 0 : 1;
    f->in_order &= m->type == f->next[i]++;
    if (--f->left == 0)
        comm_stop(f->comm);
}

static void a_crowd_comes_to_its_end(void)
{
    struct face *faces = memory_new(CROWD, sizeof *faces);
    struct comm_actor *actors = memory_new(CROWD, sizeof *actors);
    struct comm_fate death = {DEAD, 0, INFINITY};
    struct comm_world world = {
        .seed = 1, .latency = 1, .ranks_per_node = 128, .fates = &death, .fate_count = 1};
    struct err e = {0};
    double seconds;
    for (int rank = 0; rank < CROWD; rank++)
        actors[rank] = (struct comm_actor){&faces[rank], face_start, face_message};
    bool right = comm_simulate(CROWD, actors, &world, &seconds, &e) == 0;
    for (int rank = 0; rank < CROWD; rank++)
        right &= rank == DEAD ? !faces[rank].comm : faces[rank].in_order && faces[rank].left == 0;
    ok(right, "a hundred thousand ranks, one of them dead, come to their end");
    free(faces);
    free(actors);
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
    ok(seconds == 100, "and the clock stands there");
    c = (struct clocked){0};
    world.limit = 86400;
    ok(comm_simulate(1, &actor, &world, &seconds, &e) == 0, "at the limit it may still end");
}

int main(void)
{
    a_seed_is_a_history();
    a_day_takes_no_time();
    scripts_hold_with_every_seed();
    chance_decides_between_pairs_only();
    messages_arrive_whole();
    cancelled_timers_never_fire();
    a_crowd_comes_to_its_end();
    what_waits_for_ever_is_found();
    return tap_end();
}
