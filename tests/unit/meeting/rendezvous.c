/* rendezvous.c - ranks meet through a store over HTTP, as Horovod's gloo controller uses it. */
#include "meeting/rendezvous.h"
#include "meeting/peer.h"
#include "meeting/port.h"
#include "tap.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static unsigned port;

enum { RANKS = 2, MOST = 24 }; /* callers at a time */

/* ---- the server, on the first rank ---- */

static struct rendezvous *rendezvous;
static struct comm *first;

static void start_server(void *self, struct comm *comm)
{
    static const int nodes[RANKS] = {0, 0};
    first = comm;
    rendezvous = rendezvous_open(&(struct rendezvous_setup){.comm = comm,
                                                            .port = port,
                                                            .address = htonl(INADDR_LOOPBACK),
                                                            .seconds = 1,
                                                            .ranks = RANKS,
                                                            .nodes = nodes});
    comm_send(comm, 1, 1, NULL, 0);
    (void)self;
}

static void stop_server(void *self, const struct comm_message *message)
{
    (void)self;
    (void)message;
    rendezvous_close(rendezvous);
    comm_stop(first);
}

/* ---- the client, on the second rank, which may block ---- */

/* Leaves no descriptor for the server until all descriptors are allowed again. */
static void allow_descriptors(rlim_t count)
{
    static struct rlimit before;
    if (before.rlim_cur == 0)
        getrlimit(RLIMIT_NOFILE, &before);
    struct rlimit limit = {count ? count : before.rlim_cur, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &limit);
}

static bool is_scarce;

/* Sends a request in pieces and returns the complete answer. */
static const char *ask(const char *request, size_t piece)
{
    static char text[4096];
    size_t length = 0, sent = 0, all = strlen(request);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    text[0] = 0;
    if (is_scarce)
        allow_descriptors((rlim_t)fd + 1); /* it is the lowest descriptor that was free */
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
        for (; sent < all; sent += piece) {
            (void)!send(fd, request + sent, all - sent < piece ? all - sent : piece, MSG_NOSIGNAL);
            usleep(piece < all ? 500 : 0);
        }
        usleep(is_scarce ? 20000 : 0);
        allow_descriptors(0);
        for (ssize_t got; (got = recv(fd, text + length, sizeof text - 1 - length, 0)) > 0;)
            length += (size_t)got;
        text[length] = 0;
    }
    close(fd);
    return text;
}

static void says(const char *request, const char *expected, const char *what)
{
    const char *answer = ask(request, strlen(request)), *body = strstr(answer, "\r\n\r\n");
    char seen[256];
    snprintf(seen, sizeof seen, "%.3s %.200s", strlen(answer) > 12 ? answer + 9 : "",
             body ? body + 4 : "");
    is_text(seen, expected, what);
}

#define PUT(PATH, BYTES, VALUE)                                                                    \
    "PUT " PATH " HTTP/1.1\r\nHost: a\r\nContent-Length: " BYTES "\r\n\r\n" VALUE
#define GET(PATH)    "GET " PATH " HTTP/1.1\r\nHost: a\r\n\r\n"
#define DELETE(PATH) "DELETE " PATH " HTTP/1.1\r\nHost: a\r\ncontent-length: 0\r\n\r\n"

static void test(void)
{
    says(GET("/global/0"), "404 ", "a value that is not there");
    says(PUT("/global/0", "5", "zero!"), "200 ", "the first rank comes");
    says(GET("/global/0"), "200 zero!", "its value");
    says(PUT("/global/1", "3", "one"), "200 ", "the second comes");
    says(PUT("/global/rank_1", "1", "x"), "200 ", "and tells more");
    says(PUT("/local_n1/0", "5", "local"), "200 ", "another scope");
    says(DELETE("/global/0"), "200 ", "the first has found the second");
    says(GET("/global/0"), "200 zero!", "and the second still finds the first");
    says(DELETE("/global/1"), "200 ", "now all have");
    says(GET("/global/0"), "404 ", "the scope is empty");
    says(GET("/global/rank_1"), "404 ", "all of it");
    says(GET("/local_n1/0"), "200 local", "others are not touched");
    says(PUT("/global/0", "5", "again"), "200 ", "it can be used again");
    says(GET("/global/0"), "200 again", "with new values");
    ok(strstr(ask(PUT("/s/k", "6", "pieces"), 3), "200 OK") != NULL, "a request in pieces");
    says(GET("/s/k"), "200 pieces", "is put together");
    says(PUT("/s/e", "0", ""), "200 ", "an empty value");
    says(GET("/s/e"), "200 ", "is one");
    is_scarce = true;
    says(GET("/s/k"), "200 pieces", "a call for which there was no descriptor");
    is_scarce = false;
    says("POST /s/k HTTP/1.1\r\n\r\n", "501 ", "another method");
    says("GET /k HTTP/1.1\r\n\r\n", "400 ", "a path without a scope");
    says("GET s/k HTTP/1.1\r\n\r\n", "400 ", "a path that is none");
    says("hello\r\n\r\n", "400 ", "no request at all");
    says("PUT /s/k HTTP/1.1\r\nContent-Length: -3\r\n\r\n", "400 ", "a length below zero");
    says("PUT /s/k HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n", "400 ",
         "a length that is too much");
}

/* ---- more than ranks need ---- */

static int call(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ok(connect(fd, (struct sockaddr *)&address, sizeof address) == 0, "a call");
    return fd;
}

/* What came within these milliseconds: bytes, 0 for the end, -1 for nothing. */
static ssize_t hear(int fd, int milliseconds)
{
    char bytes[100];
    struct pollfd poller = {.fd = fd, .events = POLLIN};
    return poll(&poller, 1, milliseconds) == 1 ? recv(fd, bytes, sizeof bytes, 0) : -1;
}

/* Calls that say nothing keep nobody out, and are ended after a second. */
static void silent_callers(void)
{
    static const char request[] = GET("/s/k");
    int silent[MOST];
    double began = clock_now();
    for (int i = 0; i < MOST; i++)
        silent[i] = call();
    int late = call();
    ok(send(late, request, sizeof request - 1, MSG_NOSIGNAL) > 0 && hear(late, 60000) > 0,
       "a call too many is answered");
    ok(hear(silent[0], 60000) == 0, "in place of the oldest");
    ok(hear(silent[MOST - 1], 0) == -1 || clock_now() - began >= 1, "the last one stays");
    ok(hear(silent[MOST - 1], 60000) == 0, "for a second");
    close(late);
    for (int i = 0; i < MOST; i++)
        close(silent[i]);
}

/* Far more calls than there are places. */
static void idle_crowd(void)
{
    enum { CROWD = 300 };
    int idle[CROWD];
    for (int i = 0; i < CROWD; i++) {
        idle[i] = call();
        if (i == CROWD / 2)
            says(PUT("/crowd/0", "1", "a"), "200 ", "a rank among idle calls");
    }
    double began = clock_now();
    says(GET("/crowd/0"), "200 a", "and another");
    ok(clock_now() - began < 30, "waits for none of them");
    for (int i = 0; i < CROWD; i++)
        close(idle[i]);
}

/* The number of values is bounded, and what is there can still be changed and removed. */
static void many_values(void)
{
    char request[100];
    int stored = 0;
    for (int i = 0; i < 1000; i++) {
        snprintf(request, sizeof request, "PUT /many/%d HTTP/1.1\r\nContent-Length: 1\r\n\r\nx", i);
        stored += strstr(ask(request, sizeof request), "200 OK") != NULL;
    }
    ok(stored > 32 * RANKS && stored < 200, "%d values are kept of 1000", stored);
    says(PUT("/many/0", "1", "y"), "200 ", "one of them can be changed");
    says(PUT("/other/0", "1", "y"), "507 ", "none can be added");
}

static struct comm *second;

static void start_client(void *self, struct comm *comm)
{
    (void)self;
    second = comm;
}

static void run_client(void *self, const struct comm_message *message)
{
    (void)self;
    (void)message;
    test();
    silent_callers();
    idle_crowd();
    many_values();
    comm_send(second, 0, 1, NULL, 0);
    comm_stop(second);
}

/* ---- who calls ---- */

/* One end of a connection over loopback; *other is the one that has called. */
static int connection(int family, int *other)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct sockaddr_in6 mapped = {.sin6_family = AF_INET6};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), failed;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    failed = bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1) ||
             getsockname(listener, (struct sockaddr *)&address, &length);
    mapped.sin6_port = address.sin_port;
    inet_pton(AF_INET6, "::ffff:127.0.0.1", &mapped.sin6_addr);
    *other = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    failed =
        failed || (family == AF_INET ? connect(*other, (struct sockaddr *)&address, sizeof address)
                                     : connect(*other, (struct sockaddr *)&mapped, sizeof mapped));
    int fd = failed ? -1 : accept(listener, NULL, NULL);
    close(listener);
    return fd;
}

static void callers_are_known(int family, int kernel, const char *what)
{
    uid_t user = (uid_t)-2;
    int caller, fd = connection(family, &caller);
    ok(peer_user(kernel, fd, &user) && user == geteuid(), "%s: the user who calls", what);
    ok(caller < 0 || fchown(caller, 12345, 12345) != 0 ||
           (peer_user(kernel, fd, &user) && user == 12345),
       "%s: another user", what); /* only root can give a socket away */
    close(caller);
    usleep(1000);
    user = (uid_t)-2;
    ok(!peer_user(kernel, fd, &user) || user != geteuid() || geteuid() == 0,
       "%s: nobody, when the caller is gone", what);
    close(fd);
}

/* ---- ports ---- */

static void ports_differ(void)
{
    enum { COUNT = 50 };
    unsigned ports[COUNT];
    int locks[COUNT];
    bool differ = true, listens = true;
    for (int i = 0; i < COUNT; i++) {
        locks[i] = port_reserve(&ports[i]);
        for (int k = 0; k < i; k++)
            differ = differ && ports[k] != ports[i];
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)ports[i])};
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        listens = listens && locks[i] >= 0 &&
                  bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0;
        close(fd);
    }
    ok(differ, "no port is given twice");
    ok(listens, "and a program can listen at each, without any option");
    for (int i = 0; i < COUNT; i++)
        close(locks[i]);
}

int main(void)
{
    struct err e = {0};
    ports_differ();
    int kernel = peer_open();
    callers_are_known(AF_INET, kernel, "the kernel");
    callers_are_known(AF_INET6, kernel, "the kernel, IPv6");
    callers_are_known(AF_INET, -1, "/proc");
    callers_are_known(AF_INET6, -1, "/proc, IPv6");
    close(kernel);
    int lock = port_reserve(&port);
    const struct comm_actor actors[] = {{NULL, start_server, stop_server},
                                        {NULL, start_client, run_client}};
    ok(comm_threads(2, actors, &e) == 0, "server and client");
    close(lock);
    return tap_end();
}
