/*
 * threads.c - ranks as threads of one process.
 *
 * A rank's loop takes all messages that have arrived, fires the timers that are due, looks at its
 * descriptors, and sleeps in epoll_wait() when there was nothing. A sender appends to the inbox of
 * the receiver, and writes to its eventfd only if it sleeps: between busy ranks a message costs a
 * lock and a copy, no system call.
 *
 * The race that `sleeping` closes: a receiver that found its inbox empty is about to sleep while a
 * sender appends. Both hold the inbox's mutex for that, so either the receiver sees the message, or
 * the sender sees `sleeping` and wakes it.
 */
#include "comm/comm.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { BUSY_ROUNDS = 16 }; /* rounds with messages after which descriptors get a look as well */

struct envelope {
    int from, type;
    size_t length; /* of the bytes that follow, padded to 8 */
};

struct timer {
    double due;
    uint64_t name;
    comm_handler *handler;
    void *argument;
};

struct watch {
    comm_handler *handler; /* NULL: not watched */
    void *argument;
};

struct comm {
    struct team *team;
    int rank;

    pthread_mutex_t mutex; /* guards inbox and sleeping: other ranks write them */
    struct str inbox;
    bool sleeping;
    int event; /* wakes this rank */

    struct str delivering; /* messages taken from the inbox */
    int epoll;
    bool stopped;
    struct timer *timers; /* a heap, the next one first */
    size_t timer_count, timer_capacity;
    uint64_t timer_names;
    struct watch *watches; /* by descriptor */
    size_t watch_capacity;
};

struct team {
    int size;
    struct comm *ranks;
    const struct comm_actor *actors;
    pthread_mutex_t mutex; /* guards gate */
    pthread_cond_t opened;
    enum { GATE_SHUT, GATE_OPEN, GATE_GIVE_UP } gate;
};

int comm_rank(const struct comm *comm)
{
    return comm->rank;
}

int comm_size(const struct comm *comm)
{
    return comm->team->size;
}

double comm_now(const struct comm *comm)
{
    (void)comm; /* all ranks of a process share one clock */
    return clock_now();
}

void comm_stop(struct comm *comm)
{
    comm->stopped = true;
}

/* ---- messages ---- */

static size_t padded(size_t length)
{
    return (length + 7) & ~(size_t)7;
}

void comm_send(struct comm *comm, int to, int type, const void *bytes, size_t length)
{
    if (to < 0 || to >= comm->team->size)
        BUG("rank %d sends to rank %d of %d", comm->rank, to, comm->team->size);
    static const char zeros[8];
    struct comm *other = &comm->team->ranks[to];
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

/* Delivers what has arrived; false when nothing had. */
static bool deliver(struct comm *comm)
{
    pthread_mutex_lock(&comm->mutex);
    struct str taken = comm->inbox;
    comm->inbox = comm->delivering;
    pthread_mutex_unlock(&comm->mutex);
    comm->delivering = taken;
    const struct comm_actor *actor = &comm->team->actors[comm->rank];
    for (size_t at = 0; at < taken.length && !comm->stopped;) {
        struct envelope envelope;
        memcpy(&envelope, taken.text + at, sizeof envelope);
        at += sizeof envelope;
        struct comm_message message = {envelope.from, envelope.type,
                                       (const unsigned char *)taken.text + at, envelope.length};
        actor->message(actor->self, &message);
        at += padded(envelope.length);
    }
    str_clear(&comm->delivering);
    return taken.length > 0;
}

/* ---- timers ---- */

static void timer_swap(struct comm *comm, size_t a, size_t b)
{
    struct timer swap = comm->timers[a];
    comm->timers[a] = comm->timers[b];
    comm->timers[b] = swap;
}

/* Of timers that are due at the same time, the one that was set first goes first. */
static bool timer_before(const struct comm *comm, size_t a, size_t b)
{
    const struct timer *x = &comm->timers[a], *y = &comm->timers[b];
    return x->due < y->due || (x->due == y->due && x->name < y->name);
}

static void timer_settle(struct comm *comm, size_t at)
{
    while (at > 0 && timer_before(comm, at, (at - 1) / 2)) {
        timer_swap(comm, at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
    for (;;) {
        size_t first = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < comm->timer_count; child++)
            if (timer_before(comm, child, first))
                first = child;
        if (first == at)
            return;
        timer_swap(comm, at, first);
        at = first;
    }
}

static void timer_remove(struct comm *comm, size_t at)
{
    comm->timers[at] = comm->timers[--comm->timer_count];
    if (at < comm->timer_count)
        timer_settle(comm, at);
}

uint64_t comm_after(struct comm *comm, double seconds, comm_handler *handler, void *argument)
{
    comm->timers = memory_grow(comm->timers, &comm->timer_capacity, comm->timer_count + 1,
                               sizeof *comm->timers);
    comm->timers[comm->timer_count] =
        (struct timer){clock_now() + fmax(seconds, 0), ++comm->timer_names, handler, argument};
    timer_settle(comm, comm->timer_count++);
    return comm->timer_names;
}

void comm_cancel(struct comm *comm, uint64_t timer)
{
    for (size_t i = 0; i < comm->timer_count; i++) {
        if (comm->timers[i].name == timer) {
            timer_remove(comm, i);
            return;
        }
    }
}

static void fire_timers(struct comm *comm)
{
    if (comm->timer_count == 0)
        return;
    double now = clock_now();
    while (!comm->stopped && comm->timer_count > 0 && comm->timers[0].due <= now) {
        struct timer timer = comm->timers[0];
        timer_remove(comm, 0);
        timer.handler(timer.argument);
    }
}

/* ---- descriptors ---- */

void comm_watch(struct comm *comm, int fd, comm_handler *handler, void *argument)
{
    size_t old = comm->watch_capacity, place = (size_t)fd;
    comm->watches =
        memory_grow(comm->watches, &comm->watch_capacity, place + 1, sizeof(struct watch));
    memset(comm->watches + old, 0, (comm->watch_capacity - old) * sizeof(struct watch));
    comm->watches[place] = (struct watch){handler, argument};
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(comm->epoll, EPOLL_CTL_ADD, fd, &event) != 0)
        BUG("descriptor %d cannot be watched: %s", fd, strerror(errno));
}

void comm_unwatch(struct comm *comm, int fd)
{
    comm->watches[fd].handler = NULL;
    epoll_ctl(comm->epoll, EPOLL_CTL_DEL, fd, NULL);
}

/* Waits at most `milliseconds` (-1: for ever) and calls the handlers of what is ready. */
static void poll_descriptors(struct comm *comm, int milliseconds)
{
    struct epoll_event events[64];
    int count = epoll_wait(comm->epoll, events, 64, milliseconds);
    for (int i = 0; i < count && !comm->stopped; i++) {
        int fd = events[i].data.fd;
        uint64_t ignored;
        if (fd == comm->event)
            (void)!read(fd, &ignored, sizeof ignored);
        else if (comm->watches[fd].handler) /* else a handler before it took it off */
            comm->watches[fd].handler(comm->watches[fd].argument);
    }
}

/* ---- the loop ---- */

static int until_next_timer(const struct comm *comm)
{
    if (comm->timer_count == 0)
        return -1;
    double milliseconds = ceil((comm->timers[0].due - clock_now()) * 1e3);
    return milliseconds <= 0 ? 0 : milliseconds > 1e6 ? 1000000 : (int)milliseconds;
}

static void sleep_for_events(struct comm *comm)
{
    pthread_mutex_lock(&comm->mutex);
    bool empty = comm->inbox.length == 0;
    comm->sleeping = empty;
    pthread_mutex_unlock(&comm->mutex);
    poll_descriptors(comm, empty ? until_next_timer(comm) : 0);
    pthread_mutex_lock(&comm->mutex);
    comm->sleeping = false;
    pthread_mutex_unlock(&comm->mutex);
}

static void rank_loop(struct comm *comm)
{
    const struct comm_actor *actor = &comm->team->actors[comm->rank];
    actor->start(actor->self, comm);
    for (unsigned busy = 0; !comm->stopped;) {
        busy = deliver(comm) ? busy + 1 : 0;
        fire_timers(comm);
        if (comm->stopped)
            break;
        if (busy == 0)
            sleep_for_events(comm);
        else if (busy % BUSY_ROUNDS == 0)
            poll_descriptors(comm, 0);
    }
}

static void *rank_thread(void *argument)
{
    struct comm *comm = argument;
    struct team *team = comm->team;
    pthread_mutex_lock(&team->mutex);
    while (team->gate == GATE_SHUT)
        pthread_cond_wait(&team->opened, &team->mutex);
    bool go = team->gate == GATE_OPEN;
    pthread_mutex_unlock(&team->mutex);
    if (go)
        rank_loop(comm);
    return NULL;
}

static int rank_create(struct comm *comm, struct team *team, int rank, struct err *e)
{
    *comm = (struct comm){.team = team, .rank = rank};
    pthread_mutex_init(&comm->mutex, NULL);
    comm->epoll = epoll_create1(EPOLL_CLOEXEC);
    comm->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = comm->event};
    if (comm->epoll < 0 || comm->event < 0 ||
        epoll_ctl(comm->epoll, EPOLL_CTL_ADD, comm->event, &event) != 0)
        return err_system(e, "cannot set up worker %d", rank);
    return 0;
}

static void rank_destroy(struct comm *comm)
{
    pthread_mutex_destroy(&comm->mutex);
    if (comm->epoll >= 0)
        close(comm->epoll);
    if (comm->event >= 0)
        close(comm->event);
    str_free(&comm->inbox);
    str_free(&comm->delivering);
    free(comm->timers);
    free(comm->watches);
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
               : err_system(e, "cannot start a thread for each of %d workers", team->size - 1);
}

int comm_threads(int size, const struct comm_actor *actors, struct err *e)
{
    struct team team = {.size = size, .actors = actors, .gate = GATE_SHUT};
    team.ranks = memory_new((size_t)size, sizeof *team.ranks);
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
    return failed;
}
