/*
 * threads.c - ranks as threads of one process.
 *
 * A rank's loop takes all messages that have arrived, fires the timers that are due, checks its
 * descriptors, and sleeps in epoll_wait() if there was nothing. A sender appends to the inbox of
 * the receiver, and writes to its eventfd only if the receiver sleeps: between busy ranks a message
 * costs a lock and a copy, but no system call.
 *
 * `sleeping` closes this race: a receiver that found its inbox empty is about to sleep while a
 * sender appends. Both hold the inbox's mutex when they do so, so either the receiver sees the
 * message, or the sender sees `sleeping` and wakes the receiver.
 */
#include "comm/backend.h"
#include "comm/loop.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { BUSY_ROUNDS = 16 }; /* rounds with messages after which descriptors are checked, too */

struct envelope {
    int from, type;
    size_t length; /* number of bytes that follow; they are padded to 8 */
};

struct rank {
    struct comm comm; /* first: others know the rank by it */
    struct team *team;

    pthread_mutex_t mutex; /* guards inbox and sleeping: other ranks write them */
    struct str inbox;
    bool sleeping;
    int event; /* eventfd that wakes this rank */

    struct str delivering; /* messages taken from the inbox */
    struct loop loop;
};

struct team {
    int size;
    struct comm_places places;
    struct rank *ranks;
    const struct comm_actor *actors;
    pthread_mutex_t mutex; /* guards gate */
    pthread_cond_t opened;
    enum { GATE_SHUT, GATE_OPEN, GATE_GIVE_UP } gate;
};

static struct rank *rank_of(struct comm *comm)
{
    return (struct rank *)comm;
}

static double threads_now(const struct comm *comm)
{
    (void)comm; /* all ranks of a process share one clock */
    return clock_now();
}

/* ---- messages ---- */

static size_t padded(size_t length)
{
    return (length + 7) & ~(size_t)7;
}

static void threads_send(struct comm *comm, int to, int type, const void *bytes, size_t length)
{
    static const char zeros[8];
    struct rank *other = &rank_of(comm)->team->ranks[to];
    struct envelope envelope = {comm->rank, type, length};
    pthread_mutex_lock(&other->mutex);
    str_add_bytes(&other->inbox, &envelope, sizeof envelope);
    str_add_bytes(&other->inbox, bytes, length);
    str_add_bytes(&other->inbox, zeros, padded(length) - length);
    bool wake = other->sleeping;
    other->sleeping = false;
    pthread_mutex_unlock(&other->mutex);
    if (wake) {
        uint64_t one = 1;
        (void)!write(other->event, &one, sizeof one);
    }
}

/* Delivers what has arrived; false if nothing has. */
static bool deliver(struct rank *r)
{
    pthread_mutex_lock(&r->mutex);
    struct str taken = r->inbox;
    r->inbox = r->delivering;
    pthread_mutex_unlock(&r->mutex);
    r->delivering = taken;
    const struct comm_actor *actor = &r->team->actors[r->comm.rank];
    for (size_t at = 0; at < taken.length && !r->comm.stopped;) {
        struct envelope envelope;
        memcpy(&envelope, taken.text + at, sizeof envelope);
        at += sizeof envelope;
        struct comm_message message = {envelope.from, envelope.type,
                                       (const unsigned char *)taken.text + at, envelope.length};
        actor->message(actor->self, &message);
        at += padded(envelope.length);
    }
    str_clear(&r->delivering);
    return taken.length > 0;
}

/* ---- timers and descriptors ---- */

static uint64_t threads_after(struct comm *comm, double seconds, comm_handler *handler,
                              void *argument)
{
    return loop_after(&rank_of(comm)->loop, seconds, handler, argument);
}

static void threads_cancel(struct comm *comm, uint64_t timer)
{
    loop_cancel(&rank_of(comm)->loop, timer);
}

static void threads_watch(struct comm *comm, int fd, enum comm_readiness readiness,
                          comm_handler *handler, void *argument)
{
    loop_watch(&rank_of(comm)->loop, fd, readiness, handler, argument);
}

static void threads_unwatch(struct comm *comm, int fd)
{
    loop_unwatch(&rank_of(comm)->loop, fd);
}

/* Threads of one process die together. */
static void threads_forget(struct comm *comm, int rank)
{
    (void)comm;
    (void)rank;
}

static const struct comm_backend threads_backend = {
    threads_now,   threads_send,    threads_after,  threads_cancel,
    threads_watch, threads_unwatch, threads_forget,
};

/* ---- the loop ---- */

static int until_next_timer(const struct rank *r)
{
    double milliseconds = ceil(loop_until_timer(&r->loop) * 1e3);
    return milliseconds == INFINITY ? -1 : milliseconds > 1e6 ? 1000000 : (int)milliseconds;
}

static void sleep_for_events(struct rank *r)
{
    pthread_mutex_lock(&r->mutex);
    bool empty = r->inbox.length == 0;
    r->sleeping = empty;
    pthread_mutex_unlock(&r->mutex);
    loop_poll(&r->loop, empty ? until_next_timer(r) : 0);
    pthread_mutex_lock(&r->mutex);
    r->sleeping = false;
    pthread_mutex_unlock(&r->mutex);
}

static void rank_loop(struct rank *r)
{
    const struct comm_actor *actor = &r->team->actors[r->comm.rank];
    actor->start(actor->self, &r->comm);
    for (unsigned busy = 0; !r->comm.stopped;) {
        busy = deliver(r) ? busy + 1 : 0;
        loop_fire(&r->loop, clock_now());
        if (r->comm.stopped)
            break;
        if (busy == 0)
            sleep_for_events(r);
        else if (busy % BUSY_ROUNDS == 0)
            loop_poll(&r->loop, 0);
    }
}

static void *rank_thread(void *argument)
{
    struct rank *r = argument;
    struct team *team = r->team;
    pthread_mutex_lock(&team->mutex);
    while (team->gate == GATE_SHUT)
        pthread_cond_wait(&team->opened, &team->mutex);
    bool go = team->gate == GATE_OPEN;
    pthread_mutex_unlock(&team->mutex);
    if (go)
        rank_loop(r);
    return NULL;
}

static void woken(void *self)
{
    uint64_t ignored;
    (void)!read(((struct rank *)self)->event, &ignored, sizeof ignored);
}

static int rank_create(struct rank *r, struct team *team, int rank, struct err *e)
{
    *r = (struct rank){.comm = {.backend = &threads_backend,
                                .places = &team->places,
                                .rank = rank,
                                .size = team->size},
                       .team = team};
    pthread_mutex_init(&r->mutex, NULL);
    r->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (loop_create(&r->loop, &r->comm.stopped, e) != 0)
        return err_wrap(e, "cannot set up worker %d", rank);
    if (r->event < 0)
        return err_system(e, "cannot set up worker %d", rank);
    loop_watch(&r->loop, r->event, COMM_READABLE, woken, r);
    return 0;
}

static void rank_destroy(struct rank *r)
{
    pthread_mutex_destroy(&r->mutex);
    loop_destroy(&r->loop);
    if (r->event >= 0)
        close(r->event);
    str_free(&r->inbox);
    str_free(&r->delivering);
}

/* Starts ranks 1 and up, opens the gate, and runs rank 0 here. */
static int run_ranks(struct team *team, struct err *e)
{
    pthread_t *threads = memory_new((size_t)team->size, sizeof *threads);
    int started = 1, number = 0;
    while (started < team->size && number == 0) {
        number = pthread_create(&threads[started], NULL, rank_thread, &team->ranks[started]);
        started += number == 0;
    }
    pthread_mutex_lock(&team->mutex);
    team->gate = number == 0 ? GATE_OPEN : GATE_GIVE_UP;
    pthread_cond_broadcast(&team->opened);
    pthread_mutex_unlock(&team->mutex);
    if (number == 0)
        rank_loop(&team->ranks[0]);
    for (int rank = 1; rank < started; rank++)
        pthread_join(threads[rank], NULL);
    free(threads);
    errno = number;
    return number == 0
               ? 0
               : err_thread(e, "cannot start a thread for each of %d workers", team->size - 1);
}

int comm_threads(int size, const struct comm_actor *actors, struct err *e)
{
    struct team team = {.size = size, .actors = actors, .gate = GATE_SHUT};
    team.ranks = memory_new((size_t)size, sizeof *team.ranks);
    places_one(&team.places, size);
    pthread_mutex_init(&team.mutex, NULL);
    pthread_cond_init(&team.opened, NULL);
    int failed = 0, created = 0;
    while (created < size && !failed) {
        failed = rank_create(&team.ranks[created], &team, created, e);
        created++;
    }
    if (!failed)
        failed = run_ranks(&team, e);
    while (created > 0)
        rank_destroy(&team.ranks[--created]);
    pthread_cond_destroy(&team.opened);
    pthread_mutex_destroy(&team.mutex);
    free(team.ranks);
    places_free(&team.places);
    return failed;
}
