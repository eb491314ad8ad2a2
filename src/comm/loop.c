/* loop.c - a heap of timers and a table of descriptors under one epoll. */
#include "comm/loop.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

struct loop_timer {
    double due;
    uint64_t name;
    comm_handler *handler;
    void *argument;
};

struct loop_watch {
    comm_handler *handler; /* NULL: not watched */
    void *argument;
    enum comm_readiness readiness;
    bool polled; /* epoll does not have it */
};

static const double POLL_INTERVAL = 0.02; /* seconds between looks at what epoll does not have */

int loop_create(struct loop *loop, const bool *stopped, struct err *e)
{
    *loop = (struct loop){.stopped = stopped};
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    return loop->epoll >= 0 ? 0 : err_system(e, "cannot watch descriptors");
}

void loop_destroy(struct loop *loop)
{
    if (loop->epoll >= 0)
        close(loop->epoll);
    free(loop->timers);
    free(loop->watches);
}

bool loop_ended(const struct loop *loop)
{
    return *loop->stopped || (loop->done && *loop->done);
}

/* ---- timers ---- */

static void timer_swap(struct loop *loop, size_t a, size_t b)
{
    struct loop_timer swap = loop->timers[a];
    loop->timers[a] = loop->timers[b];
    loop->timers[b] = swap;
}

/* Of timers that are due at the same time, the one that was set first goes first. */
static bool timer_before(const struct loop *loop, size_t a, size_t b)
{
    const struct loop_timer *x = &loop->timers[a], *y = &loop->timers[b];
    return x->due < y->due || (x->due == y->due && x->name < y->name);
}

static void timer_settle(struct loop *loop, size_t at)
{
    while (at > 0 && timer_before(loop, at, (at - 1) / 2)) {
        timer_swap(loop, at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
    for (;;) {
        size_t first = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < loop->timer_count; child++)
            if (timer_before(loop, child, first))
                first = child;
        if (first == at)
            return;
        timer_swap(loop, at, first);
        at = first;
    }
}

static void timer_remove(struct loop *loop, size_t at)
{
    loop->timers[at] = loop->timers[--loop->timer_count];
    if (at < loop->timer_count)
        timer_settle(loop, at);
}

uint64_t loop_after(struct loop *loop, double seconds, comm_handler *handler, void *argument)
{
    loop->timers = memory_grow(loop->timers, &loop->timer_capacity, loop->timer_count + 1,
                               sizeof *loop->timers);
    loop->timers[loop->timer_count] =
        (struct loop_timer){clock_now() + seconds, ++loop->timer_names, handler, argument};
    timer_settle(loop, loop->timer_count++);
    return loop->timer_names;
}

void loop_cancel(struct loop *loop, uint64_t timer)
{
    for (size_t i = 0; i < loop->timer_count; i++) {
        if (loop->timers[i].name == timer) {
            timer_remove(loop, i);
            return;
        }
    }
}

double loop_until_timer(const struct loop *loop)
{
    return loop->timer_count == 0 ? INFINITY : fmax(0, loop->timers[0].due - clock_now());
}

bool loop_fire(struct loop *loop, double now)
{
    bool fired = false;
    while (!loop_ended(loop) && loop->timer_count > 0 && loop->timers[0].due <= now) {
        struct loop_timer timer = loop->timers[0];
        timer_remove(loop, 0);
        timer.handler(timer.argument);
        fired = true;
    }
    return fired;
}

/* ---- descriptors ---- */

static int add_to_epoll(struct loop *loop, int fd, enum comm_readiness readiness)
{
    struct epoll_event event = {.events = readiness == COMM_WRITABLE ? EPOLLOUT : EPOLLIN,
                                .data.fd = fd};
    return epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event);
}

static bool is_ready(int fd, enum comm_readiness readiness)
{
    struct pollfd one = {fd, readiness == COMM_WRITABLE ? POLLOUT : POLLIN, 0};
    return poll(&one, 1, 0) > 0;
}

/* Looks at the descriptors that epoll did not take, and offers them again. */
static void poll_others(void *argument)
{
    struct loop *loop = argument;
    for (size_t i = 0; i < loop->watch_capacity && !loop_ended(loop); i++) {
        struct loop_watch watch = loop->watches[i];
        if (!watch.polled)
            continue;
        if (add_to_epoll(loop, (int)i, watch.readiness) == 0) {
            loop->watches[i].polled = false;
            loop->polled--;
        } else if (is_ready((int)i, watch.readiness)) {
            watch.handler(watch.argument);
        }
    }
    loop->polls = loop->polled > 0;
    if (loop->polls)
        loop_after(loop, POLL_INTERVAL, poll_others, loop);
}

/*
 * The kernel limits how many descriptors a user may watch, and its memory. What epoll does not
 * take, for whatever reason, is looked at with a timer until it does: no trial has to fail for it,
 * and what is wrong with a descriptor itself shows when its handler reads it.
 */
void loop_watch(struct loop *loop, int fd, enum comm_readiness readiness, comm_handler *handler,
                void *argument)
{
    size_t old = loop->watch_capacity, place = (size_t)fd;
    loop->watches =
        memory_grow(loop->watches, &loop->watch_capacity, place + 1, sizeof(struct loop_watch));
    memset(loop->watches + old, 0, (loop->watch_capacity - old) * sizeof(struct loop_watch));
    loop->watches[place] = (struct loop_watch){handler, argument, readiness, false};
    if (add_to_epoll(loop, fd, readiness) == 0)
        return;
    loop->watches[place].polled = true;
    loop->polled++;
    if (!loop->polls)
        loop_after(loop, POLL_INTERVAL, poll_others, loop);
    loop->polls = true;
}

void loop_unwatch(struct loop *loop, int fd)
{
    struct loop_watch *watch = &loop->watches[fd];
    watch->handler = NULL;
    if (watch->polled)
        loop->polled--;
    else
        epoll_ctl(loop->epoll, EPOLL_CTL_DEL, fd, NULL);
    watch->polled = false;
}

bool loop_poll(struct loop *loop, int milliseconds)
{
    struct epoll_event events[64];
    int count = epoll_wait(loop->epoll, events, 64, milliseconds);
    for (int i = 0; i < count && !loop_ended(loop); i++) {
        struct loop_watch watch = loop->watches[events[i].data.fd];
        if (watch.handler) /* else an earlier handler removed it */
            watch.handler(watch.argument);
    }
    return count > 0;
}
