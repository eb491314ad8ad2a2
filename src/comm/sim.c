/*
 * sim.c - ranks in virtual time, on one thread.
 *
 * All future events, messages on their way and timers, are on one agenda, ordered by time. The loop
 * takes the next event, moves the clock to it, and calls its rank. Nothing waits in real time.
 *
 * The seed is the only source of chance: it decides how long each message takes, and the order of
 * events that are due at the same moment. So each seed is one history of the world, and the same
 * seed gives the same history. Messages between two ranks never overtake each other, as comm
 * promises.
 *
 * A handler is called when its rank starts to handle a message, and what it sends leaves at once;
 * the rank is then busy for as long as handling takes. So each rank has a moment from which it is
 * free; handling a message moves it, and so does a fate. What reaches a rank before that moment
 * waits in its queue, and so does everything that arrives while the queue is not empty, which keeps
 * the order. A rank with a queue has exactly one EVENT_WAKE on the agenda, however long the queue
 * is.
 *
 *   agenda ──▶ arrive() ── free, no queue ──▶ happen()
 *                 │                              ▲
 *                 └── queue ── EVENT_WAKE ───────┘
 */
#include "comm/agenda.h"
#include "comm/backend.h"
#include "comm/pairs.h"

#include <math.h>

enum { SMALL = 32 }; /* messages up to this many bytes need no memory of their own */

enum event_kind {
    EVENT_NONE, /* a free slot */
    EVENT_START,
    EVENT_MESSAGE,
    EVENT_TIMER,
    EVENT_CANCELLED, /* a cancelled timer */
    EVENT_WAKE,      /* its rank looks at its queue */
    EVENT_FATE,
};

/* 64 bytes: there are hundreds of thousands of them. */
struct event {
    unsigned char kind; /* enum event_kind */
    bool queued;        /* in the queue of its rank, no longer on the agenda */
    uint32_t uses;      /* uses of this slot so far: a timer's name means one of them */
    uint32_t next;      /* next slot in the queue of its rank, or among the free slots */
    int rank;           /* the rank to which it happens */
    int from, type;     /* sender and type of a message */
    size_t length;
    union {
        unsigned char small[SMALL]; /* a message of at most SMALL bytes */
        unsigned char *large;       /* a longer message; free() it */
        struct {
            comm_handler *handler;
            void *argument;
        } timer;
        double until; /* end of a fate */
    };
};

struct world;

struct sim_rank {
    struct comm comm; /* first: others know the rank by it */
    struct world *world;
    double free_from;     /* it handles nothing before this; INFINITY: it is dead */
    double link_from;     /* until then its link is busy with what it sent */
    uint32_t first, last; /* slots of its queue; first is 0 if the queue is empty */
    bool forgets;         /* it has given up on some rank */
    bool forgotten;       /* some rank has given up on it */
};

struct world {
    const struct comm_world *rules;
    const struct comm_actor *actors;
    struct sim_rank *ranks;
    struct comm_places places;
    int size;
    int running; /* number of ranks that have not stopped and were not forgotten */
    double now;
    struct random random;
    struct agenda agenda; /* an agenda of slots */
    struct pairs pairs;
    struct event *events; /* by slot; slot 0 is never used */
    size_t slots, capacity;
    uint32_t unused;  /* the first free slot, or 0 */
    size_t cancelled; /* number of cancelled timers still on the agenda */
};

static struct sim_rank *rank_of(struct comm *comm)
{
    return (struct sim_rank *)comm;
}

/* ---- slots ---- */

static uint32_t slot_new(struct world *w, enum event_kind kind, int rank)
{
    uint32_t slot = w->unused;
    if (slot != 0) {
        w->unused = w->events[slot].next;
    } else {
        slot = (uint32_t)w->slots++;
        w->events = memory_grow(w->events, &w->capacity, w->slots, sizeof *w->events);
        w->events[slot].uses = 0;
    }
    struct event *event = &w->events[slot];
    event->kind = (unsigned char)kind;
    event->queued = false;
    event->uses++;
    event->rank = rank;
    return slot;
}

/* Takes the event out of its slot; the caller ends it. */
static struct event slot_take(struct world *w, uint32_t slot)
{
    struct event *event = &w->events[slot], taken = *event;
    w->cancelled -= event->kind == EVENT_CANCELLED && !event->queued;
    event->kind = EVENT_NONE;
    event->next = w->unused;
    w->unused = slot;
    return taken;
}

static const unsigned char *bytes_of(const struct event *event)
{
    return event->length > SMALL ? event->large : event->small;
}

static void event_end(struct event *event)
{
    if (event->kind == EVENT_MESSAGE && event->length > SMALL)
        free(event->large);
}

/* At least `floor`; events that are due at the same moment happen in the order of these numbers. */
static uint32_t chance(struct world *w, uint32_t floor)
{
    uint64_t range = ((uint64_t)1 << 32) - floor;
    return floor + (uint32_t)((random_bits(&w->random) >> 32) * range >> 32);
}

/* ---- the back end ---- */

static double sim_now(const struct comm *comm)
{
    return ((const struct sim_rank *)comm)->world->now;
}

/* When a message that a rank sends now arrives, if it waits for no earlier one. */
static double arrival(struct sim_rank *sender, int to, size_t length)
{
    struct world *w = sender->world;
    double leaves = w->now;
    if (w->rules->bandwidth > 0 && to != sender->comm.rank) {
        leaves = fmax(leaves, sender->link_from) + (double)length / w->rules->bandwidth;
        sender->link_from = leaves;
    }
    if (w->rules->latency > 0)
        leaves -= w->rules->latency * log(1 - random_unit(&w->random));
    return leaves;
}

static void sim_send(struct comm *comm, int to, int type, const void *bytes, size_t length)
{
    struct world *w = rank_of(comm)->world;
    struct pair *pair = pairs_get(&w->pairs, comm->rank, to, w->now);
    if (pair->time == INFINITY)
        return;
    /* Not before the previous one, and after it if at the same time: nothing overtakes. */
    double arrives = arrival(rank_of(comm), to, length);
    pair->chance = chance(w, arrives > pair->time ? 0 : pair->chance);
    pair->time = fmax(arrives, pair->time);

    uint32_t slot = slot_new(w, EVENT_MESSAGE, to);
    struct event *message = &w->events[slot];
    message->from = comm->rank;
    message->type = type;
    message->length = length;
    if (length > SMALL)
        message->large = memory_new(length, 1);
    if (length > 0)
        memcpy(length > SMALL ? message->large : message->small, bytes, length);
    agenda_add(&w->agenda, pair->time, pair->chance, slot);
}

static uint64_t sim_after(struct comm *comm, double seconds, comm_handler *handler, void *argument)
{
    struct world *w = rank_of(comm)->world;
    uint32_t slot = slot_new(w, EVENT_TIMER, comm->rank);
    w->events[slot].timer.handler = handler;
    w->events[slot].timer.argument = argument;
    agenda_add(&w->agenda, w->now + seconds, chance(w, 0), slot);
    return (uint64_t)w->events[slot].uses << 32 | slot;
}

/* For agenda_sift(): false for a cancelled timer, whose slot is then free. */
static bool still_stands(void *world, uint32_t slot)
{
    struct world *w = world;
    if (w->events[slot].kind != EVENT_CANCELLED)
        return true;
    slot_take(w, slot);
    return false;
}

/* A cancelled timer stays on the agenda and does nothing; once most are cancelled, they all go. */
static void sim_cancel(struct comm *comm, uint64_t name)
{
    struct world *w = rank_of(comm)->world;
    uint32_t slot = (uint32_t)name;
    if (slot >= w->slots)
        return;
    struct event *event = &w->events[slot];
    if (event->kind != EVENT_TIMER || event->uses != name >> 32)
        return;
    event->kind = EVENT_CANCELLED;
    w->cancelled += !event->queued;
    if (w->cancelled > w->agenda.count / 2)
        agenda_sift(&w->agenda, still_stands, w);
}

/*
 * Nobody waits for a rank that another has given up on, so the simulation may end without it. But
 * such a rank has no say in this itself: it may have come back and know nothing of the others.
 */
static void sim_forget(struct comm *comm, int rank)
{
    struct sim_rank *self = rank_of(comm), *other = &self->world->ranks[rank];
    struct world *w = self->world;
    pairs_get(&w->pairs, comm->rank, rank, w->now)->time = INFINITY;
    self->forgets = true;
    if (self->forgotten || other->forgotten)
        return;
    other->forgotten = true;
    w->running -= !other->comm.stopped;
}

static bool gave_up(const struct sim_rank *rank, int other)
{
    if (!rank->forgets)
        return false;
    const struct pair *pair = pairs_find(&rank->world->pairs, rank->comm.rank, other);
    return pair && pair->time == INFINITY;
}

static const struct comm_backend sim_backend = {
    .now = sim_now,
    .send = sim_send,
    .after = sim_after,
    .cancel = sim_cancel,
    .forget = sim_forget,
};

/* ---- what happens ---- */

static void rank_ends(struct world *w, struct sim_rank *rank)
{
    rank->comm.stopped = true;
    w->running -= !rank->forgotten;
}

static void hear(struct sim_rank *rank, const struct comm_actor *actor, const struct event *event)
{
    if (gave_up(rank, event->from))
        return;
    struct comm_message message = {event->from, event->type, bytes_of(event), event->length};
    rank->free_from = rank->world->now + rank->world->rules->handling;
    actor->message(actor->self, &message);
}

/* Calls a rank that is free. The event leaves its slot first: the handler makes new ones. */
static void happen(struct world *w, uint32_t slot)
{
    struct event event = slot_take(w, slot);
    struct sim_rank *rank = &w->ranks[event.rank];
    const struct comm_actor *actor = &w->actors[event.rank];
    if (event.kind == EVENT_START)
        actor->start(actor->self, &rank->comm);
    else if (event.kind == EVENT_MESSAGE)
        hear(rank, actor, &event);
    else if (event.kind == EVENT_TIMER)
        event.timer.handler(event.timer.argument);
    if (rank->comm.stopped)
        rank_ends(w, rank);
    event_end(&event);
}

static void plan_to_wake(struct world *w, const struct sim_rank *rank)
{
    uint32_t slot = slot_new(w, EVENT_WAKE, rank->comm.rank);
    agenda_add(&w->agenda, rank->free_from, chance(w, 0), slot);
}

/* Handles queued events until one takes time. */
static void wake(struct world *w, struct sim_rank *rank)
{
    while (rank->first != 0 && rank->free_from <= w->now && !rank->comm.stopped) {
        uint32_t slot = rank->first;
        rank->first = w->events[slot].next;
        happen(w, slot);
    }
    if (rank->first != 0 && !rank->comm.stopped)
        plan_to_wake(w, rank);
}

static void queue(struct world *w, struct sim_rank *rank, uint32_t slot)
{
    w->events[slot].queued = true;
    w->events[slot].next = 0;
    if (rank->first != 0) {
        w->events[rank->last].next = slot;
    } else {
        rank->first = slot;
        plan_to_wake(w, rank);
    }
    rank->last = slot;
}

static void befall(struct world *w, struct sim_rank *rank, double until)
{
    rank->free_from = fmax(rank->free_from, until);
    if (rank->free_from == INFINITY)
        rank_ends(w, rank);
}

/* An event is due, and its rank has not stopped. */
static void arrive(struct world *w, uint32_t slot)
{
    const struct event *event = &w->events[slot];
    struct sim_rank *rank = &w->ranks[event->rank];
    if (event->kind == EVENT_FATE) {
        befall(w, rank, slot_take(w, slot).until);
    } else if (event->kind == EVENT_WAKE) {
        slot_take(w, slot);
        wake(w, rank);
    } else if (rank->first != 0 || rank->free_from > w->now) {
        queue(w, rank, slot);
    } else {
        happen(w, slot);
    }
}

/* ---- the loop ---- */

/*
 * A fate goes on the agenda before everything else and with the lowest chance, so it befalls its
 * rank before anything that is due at the same moment.
 */
static void plan_fates(struct world *w)
{
    for (size_t i = 0; i < w->rules->fate_count; i++) {
        const struct comm_fate *fate = &w->rules->fates[i];
        if (fate->rank < 0 || fate->rank >= w->size)
            BUG("a fate for rank %d of %d", fate->rank, w->size);
        if (fate->from <= 0 && !w->ranks[fate->rank].comm.stopped) {
            befall(w, &w->ranks[fate->rank], fate->until);
        } else if (fate->from > 0) {
            uint32_t slot = slot_new(w, EVENT_FATE, fate->rank);
            w->events[slot].until = fate->until;
            agenda_add(&w->agenda, fate->from, 0, slot);
        }
    }
}

/* All ranks start at 0, before any message; a rank that is not free has its start queued first. */
static void start(struct world *w)
{
    for (int rank = 0; rank < w->size; rank++)
        if (!w->ranks[rank].comm.stopped)
            arrive(w, slot_new(w, EVENT_START, rank));
}

/* False for an event that no longer makes a difference: the clock does not move for it. */
static bool matters(const struct world *w, uint32_t slot)
{
    const struct event *event = &w->events[slot];
    return event->kind != EVENT_CANCELLED && !w->ranks[event->rank].comm.stopped;
}

static int first_running(const struct world *w)
{
    int rank = 0;
    while (w->ranks[rank].comm.stopped || w->ranks[rank].forgotten)
        rank++;
    return rank;
}

/*
 * Takes the next entry, and meanwhile fetches what it refers to: the events and ranks of a large
 * world lie far from the processor, and waiting for them would be most of the work.
 */
static struct agenda_entry take_next(struct world *w)
{
    int rank = w->events[w->agenda.entries[0].item].rank; /* fetched when it became first */
    __builtin_prefetch(&w->ranks[rank]);
    __builtin_prefetch(&w->actors[rank]);
    struct agenda_entry next = agenda_take(&w->agenda);
    if (w->agenda.count > 0)
        __builtin_prefetch(&w->events[w->agenda.entries[0].item]);
    return next;
}

static int play(struct world *w, struct err *e)
{
    double limit = w->rules->limit > 0 ? w->rules->limit : INFINITY;
    plan_fates(w);
    start(w);
    while (w->running > 0 && agenda_next_time(&w->agenda) < INFINITY) {
        struct agenda_entry next = take_next(w);
        if (!matters(w, next.item)) {
            struct event event = slot_take(w, next.item);
            event_end(&event);
            continue;
        }
        w->now = fmin(next.time, limit);
        if (next.time > limit)
            return err_set(e, ERR_SYSTEM, "with seed %llu it goes on after %g simulated seconds",
                           (unsigned long long)w->rules->seed, limit);
        arrive(w, next.item);
    }
    if (w->running > 0)
        return err_set(e, ERR_SYSTEM, "with seed %llu rank %d waits for ever after %g seconds",
                       (unsigned long long)w->rules->seed, first_running(w), w->now);
    return 0;
}

static void world_free(struct world *w)
{
    for (size_t slot = 1; slot < w->slots; slot++)
        event_end(&w->events[slot]);
    free(w->events);
    agenda_free(&w->agenda);
    pairs_free(&w->pairs);
    free(w->ranks);
    places_free(&w->places);
}

int comm_simulate(int size, const struct comm_actor *actors, const struct comm_world *rules,
                  double *seconds, struct err *e)
{
    struct world world = {
        .rules = rules, .actors = actors, .size = size, .running = size, .slots = 1};
    random_seed(&world.random, rules->seed, 0);
    places_simulated(&world.places, size, rules->ranks_per_node);
    world.ranks = memory_new((size_t)size, sizeof *world.ranks);
    for (int rank = 0; rank < size; rank++)
        world.ranks[rank] = (struct sim_rank){
            .comm = {.backend = &sim_backend, .places = &world.places, .rank = rank, .size = size},
            .world = &world};
    int failed = play(&world, e);
    *seconds = world.now;
    world_free(&world);
    return failed;
}
