/* watch.c - descriptors that the kernel has no room to watch. */
#include "comm/comm.h"
#include "tap.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

static int refused; /* errno of epoll_ctl() when it adds a descriptor; 0: it works */

/* This one is found before that of the C library. */
int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
    if (operation == EPOLL_CTL_ADD && refused) {
        errno = refused;
        return -1;
    }
    return (int)syscall(SYS_epoll_ctl, epoll, operation, fd, event);
}

struct watcher {
    struct comm *comm;
    int pipe[2];
    int reads, writes;
};

static void readable(void *argument)
{
    struct watcher *w = argument;
    char byte;
    w->reads += read(w->pipe[0], &byte, 1) == 1;
    if (w->reads == 2)
        refused = 0; /* from now on there is room */
    if (w->reads == 4) {
        comm_unwatch(w->comm, w->pipe[0]);
        comm_stop(w->comm);
    } else if (write(w->pipe[1], "x", 1) != 1) {
        comm_stop(w->comm);
    }
}

static void writable(void *argument)
{
    struct watcher *w = argument;
    w->writes++;
    comm_unwatch(w->comm, w->pipe[1]);
    if (write(w->pipe[1], "x", 1) != 1)
        comm_stop(w->comm);
}

static void start(void *self, struct comm *comm)
{
    struct watcher *w = self;
    w->comm = comm;
    comm_watch(comm, w->pipe[0], readable, w);
    comm_watch_writable(comm, w->pipe[1], writable, w);
}

static void ignore(void *self, const struct comm_message *message)
{
    (void)self, (void)message;
}

static void test_refusal(int number, const char *name)
{
    struct watcher w = {0};
    struct err e = {0};
    struct comm_actor actor = {&w, start, ignore};
    refused = number;
    ok(pipe(w.pipe) == 0 && comm_threads(1, &actor, &e) == 0, "%s: a rank runs", name);
    ok(w.writes == 1, "a handler that unwatches its descriptor is called once");
    ok(w.reads == 4, "and one that stays as often as there is something, with and without room");
    close(w.pipe[0]);
    close(w.pipe[1]);
}

int main(void)
{
    test_refusal(ENOSPC, "too many watched descriptors");
    test_refusal(ENOMEM, "no memory in the kernel");
    test_refusal(EPERM, "a descriptor that epoll does not take");
    return tap_end();
}
