/*
 * sim.c - ranks in virtual time, on one thread.
 *
 * All that will happen is in one heap, by its time: messages on their way and timers. The loop
 * takes the next one, moves the clock there, and calls its rank. Nothing waits in real time.
 *
 * The seed is the only source of chance: it draws how long each message takes, and in which order
 * things happen that are due at the same moment. So a seed is one history of the world, and the
 * same seed is the same history. Between two ranks messages never overtake each other, as comm
 * promises.
 */
#include "comm/backend.h"

#include <math.h>

struct happening {
    double time;
    uint64_t chance; /* decides between those of the same time */
    uint64_t name;   /* of a timer; 0: a message */
    int rank;        /* to whom it happens */
    int from, type;  /* of a message */
    unsigned char *bytes;
    size_t length;
    comm_handler *handler; /* of a timer; NULL when it was cancelled */
    void *argument;
};

struct world;

struct sim_rank {
    struct comm comm; /* first: the others know a rank by it */
    struct world *world;
};

struct world {
    const struct comm_world *rules;
    const struct comm_actor *actors;
    struct sim_rank *ranks;
    struct comm_places places;
    int size, running; /* running: ranks that have not stopped */
    double now;
    struct random random;
    uint64_t names;          /* of timers, so far */
    double *last;            /* last[from * size + to]: when the last message arrives */
    struct happening **heap; /* the next one first */
    size_t count, capacity;
};

static struct world *world_of(const struct comm *comm)
{
    return ((const struct sim_rank *)comm)->world;
}

/* ---- the heap ---- */

static bool earlier(const struct happening *a, const struct happening *b)
{
    return a->time < b->time || (a->time == b->time && a->chance < b->chance);
}

static void heap_add(struct world *w, const struct happening *what)
{
    struct happening *happening = memory_new(1, sizeof *happening);
    *happening = *what;
    happening->chance = random_bits(&w->random);
    w->heap = memory_grow(w->heap, &w->capacity, w->count + 1, sizeof *w->heap);
    size_t at = w->count++;
    for (; at > 0 && earlier(happening, w->heap[(at - 1) / 2]); at = (at - 1) / 2)
        w->heap[at] = w->heap[(at - 1) / 2];
    w->heap[at] = happening;
}

static struct happening *heap_take(struct world *w)
{
    struct happening *first = w->heap[0], *moved = w->heap[--w->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < w->count && earlier(w->heap[child + 1], w->heap[child]))
            child++;
        if (child >= w->count || !earlier(w->heap[child], moved))
            break;
        w->heap[at] = w->heap[child];
        at = child;
    }
    w->heap[at] = moved;
    return first;
}

static void forget(struct happening *happening)
{
    free(happening->bytes);
    free(happening);
}

/* ---- the back end ---- */

static double sim_now(const struct comm *comm)
{
    return world_of(comm)->now;
}

static void sim_send(struct comm *comm, int to, int type, const void *bytes, size_t length)
{
    struct world *w = world_of(comm);
    double *last = &w->last[(size_t)comm->rank * (size_t)w->size + (size_t)to];
    double arrives = w->now - w->rules->latency * log(1 - random_unit(&w->random));
    /* Just after the one before it: between two ranks nothing overtakes. */
    *last = fmax(arrives, nextafter(*last, INFINITY));
    struct happening message = {
        .time = *last, .rank = to, .from = comm->rank, .type = type, .length = length};
    message.bytes = memory_new(length, 1);
    if (length > 0)
        memcpy(message.bytes, bytes, length);
    heap_add(w, &message);
}

static uint64_t sim_after(struct comm *comm, double seconds, comm_handler *handler, void *argument)
{
    struct world *w = world_of(comm);
    struct happening timer = {.time = w->now + seconds,
                              .name = ++w->names,
                              .rank = comm->rank,
                              .handler = handler,
                              .argument = argument};
    heap_add(w, &timer);
    return timer.name;
}

static void sim_cancel(struct comm *comm, uint64_t name)
{
    struct world *w = world_of(comm);
    for (size_t i = 0; i < w->count; i++)
        if (w->heap[i]->name == name && name != 0)
            w->heap[i]->handler = NULL; /* it stays in the heap, and nothing happens */
}

static void sim_watch(struct comm *comm, int fd, comm_handler *handler, void *argument)
{
    (void)comm;
    (void)fd;
    (void)handler;
    (void)argument;
}

static void sim_unwatch(struct comm *comm, int fd)
{
    (void)comm;
    (void)fd;
}

static void sim_forget(struct comm *comm, int rank)
{
    (void)comm;
    (void)rank;
}

static const struct comm_backend sim_backend = {
    sim_now, sim_send, sim_after, sim_cancel, sim_watch, sim_unwatch, sim_forget,
};

/* ---- the loop ---- */

static void happen(struct world *w, const struct happening *happening)
{
    const struct comm_actor *actor = &w->actors[happening->rank];
    const struct comm *comm = &w->ranks[happening->rank].comm;
    if (comm->stopped)
        return; /* it does not hear any more */
    if (happening->name == 0) {
        struct comm_message message = {happening->from, happening->type, happening->bytes,
                                       happening->length};
        actor->message(actor->self, &message);
    } else if (happening->handler) {
        happening->handler(happening->argument);
    }
    w->running -= comm->stopped;
}

static int first_running(const struct world *w)
{
    int rank = 0;
    while (w->ranks[rank].comm.stopped)
        rank++;
    return rank;
}

static int play(struct world *w, struct err *e)
{
    for (int rank = 0; rank < w->size; rank++) {
        w->actors[rank].start(w->actors[rank].self, &w->ranks[rank].comm);
        w->running += !w->ranks[rank].comm.stopped;
    }
    while (w->count > 0 && w->running > 0) {
        struct happening *next = heap_take(w);
        w->now = next->time;
        happen(w, next);
        forget(next);
        if (w->rules->limit > 0 && w->now > w->rules->limit)
            return err_set(e, ERR_SYSTEM, "with seed %llu it goes on after %g simulated seconds",
                           (unsigned long long)w->rules->seed, w->rules->limit);
    }
    if (w->running > 0)
        return err_set(e, ERR_SYSTEM, "with seed %llu rank %d waits for ever after %g seconds",
                       (unsigned long long)w->rules->seed, first_running(w), w->now);
    return 0;
}

int comm_simulate(int size, const struct comm_actor *actors, const struct comm_world *rules,
                  double *seconds, struct err *e)
{
    struct world world = {.rules = rules, .actors = actors, .size = size};
    size_t count = (size_t)size;
    random_seed(&world.random, rules->seed, 0);
    places_simulated(&world.places, size, rules->ranks_per_node);
    world.ranks = memory_new(count, sizeof *world.ranks);
    world.last = memory_new(count * count, sizeof *world.last);
    for (int rank = 0; rank < size; rank++)
        world.ranks[rank] =
            (struct sim_rank){{&sim_backend, &world.places, rank, size, false}, &world};
    int failed = play(&world, e);
    *seconds = world.now;
    while (world.count > 0)
        forget(world.heap[--world.count]);
    free(world.heap);
    free(world.last);
    free(world.ranks);
    places_free(&world.places);
    return failed;
}
