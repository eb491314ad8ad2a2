/*
 * connection.c - no bytes, in any pieces, on any connections of a program can make its worker
 * crash, or wait for an answer that nobody wants.
 */
#include "trial/socket.h"
#include "watch.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { CLIENTS = 4, TRIAL = 7, TRY = 2, SECRET = 5, OPEN = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- the worker: every second question is answered later ---- */

static struct trial_socket *trial_socket;
static uint64_t later[OPEN]; /* questions that are open; 0: none */
static uint64_t calls[OPEN]; /* questions whether to stop, stored as the call plus 1 */

static void keep(uint64_t *list, uint64_t number)
{
    size_t at = 0;
    while (at < OPEN && list[at])
        at++;
    if (at == OPEN)
        abort();
    list[at] = number;
}

static bool take(uint64_t *list, uint64_t number)
{
    for (size_t i = 0; i < OPEN; i++)
        if (list[i] == number) {
            list[i] = 0;
            return true;
        }
    return false;
}

static void metrics_are_good(const struct outcome_metric *metrics, size_t count)
{
    if (count > OUTCOME_METRICS)
        abort();
    for (size_t i = 0; i < count; i++)
        if (!metrics[i].name[0] ||
            strnlen(metrics[i].name, sizeof metrics[i].name) == sizeof metrics[i].name)
            abort();
}

static void step(void *self, uint64_t number, const struct outcome_metric *metrics, size_t count)
{
    (void)self, (void)number;
    metrics_are_good(metrics, count);
}

static void result(void *self, const struct outcome_metric *metrics, size_t count)
{
    (void)self;
    metrics_are_good(metrics, count);
}

static void asked(void *self, uint64_t call)
{
    (void)self;
    if (call % 2)
        keep(calls, call + 1);
    else
        socket_answer(trial_socket, call, call % 3 == 0);
}

static void reply_to(uint64_t number)
{
    static const struct slice keys[] = {{"a", 1}, {"b\"", 2}};
    struct trial_reply reply = {.version = number % 5, .keys = keys, .key_count = number % 3};
    if (number % 7 == 0)
        reply.error = "there is no room";
    if (reply.version) {
        reply.bytes = "bytes";
        reply.length = 5;
    }
    socket_reply(trial_socket, number, &reply);
}

static void question(void *self, uint64_t number, const struct trial_question *question)
{
    (void)self;
    struct str copy = {0}; /* reads all that it is given */
    str_add_bytes(&copy, question->key.text, question->key.length);
    str_add_bytes(&copy, question->bytes, question->length);
    str_free(&copy);
    keep(later, number);
    if (number % 2 == 0 && take(later, number))
        reply_to(number);
}

static void forget(void *self, uint64_t number)
{
    (void)self;
    take(later, number);
}

static void complain(void *self, const char *text)
{
    (void)self;
    if (!text[0])
        abort();
}

static void answer_all(void)
{
    for (size_t i = 0; i < OPEN; i++) {
        uint64_t number = later[i], call = calls[i];
        later[i] = calls[i] = 0;
        if (number)
            reply_to(number);
        if (call)
            socket_answer(trial_socket, call - 1, true);
    }
}

/* ---- the program ---- */

static int listener_of(struct sockaddr_un *address)
{
    /* The first byte is zero: a name without a file. */
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "wick-fuzz-%d", (int)getpid());
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)address, sizeof *address) != 0 || listen(fd, 8) != 0)
        abort();
    return fd;
}

static void drop(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void say(const struct sockaddr_un *address, int *fd, const uint8_t *bytes, size_t length)
{
    static const char hello[] = "{\"hello\":7,\"try\":2,\"secret\":5}\n";
    char answer[4096];
    if (*fd < 0) {
        *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(*fd, (const struct sockaddr *)address, sizeof *address) != 0)
            abort();
        (void)!send(*fd, hello, sizeof hello - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    (void)!send(*fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    serve_all();
    (void)!recv(*fd, answer, sizeof answer, MSG_DONTWAIT);
}

/*
 * One byte says what to do, one how many bytes belong to it, and these follow: they are sent on one
 * of the connections, whose other end may be shut down or closed, and answers may come in between.
 */
static void act(const struct sockaddr_un *address, int *clients, uint8_t what, const uint8_t *bytes,
                size_t length)
{
    int *fd = &clients[what % CLIENTS];
    switch (what / CLIENTS % 8) {
    case 0: answer_all(); break;
    case 1: drop(fd); break;
    case 2:
        if (*fd >= 0)
            shutdown(*fd, SHUT_WR);
        break;
    case 3:
        socket_end(trial_socket);
        socket_begin(trial_socket, TRIAL, TRY, SECRET);
        break;
    default: say(address, fd, bytes, length);
    }
    serve_all();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sockaddr_un address;
    static int any; /* not NULL, and never dereferenced */
    static const struct socket_listener listener = {NULL,     step,   result,   asked,
                                                    question, forget, complain, NULL};
    static const struct socket_limits limits = {
        .connections = 8, .bytes = 1000, .patience = 1, .step_rate = 1e9};
    int clients[CLIENTS] = {-1, -1, -1, -1}, socket = listener_of(&address);
    memset(later, 0, sizeof later);
    memset(calls, 0, sizeof calls);
    trial_socket = socket_create((struct comm *)&any, socket, &limits, &listener);
    socket_begin(trial_socket, TRIAL, TRY, SECRET);
    for (size_t at = 0, length; at + 2 <= size; at += 2 + length) {
        length = data[at + 1] < size - at - 2 ? data[at + 1] : size - at - 2;
        act(&address, clients, data[at], data + at + 2, length);
    }
    socket_end(trial_socket);
    answer_all(); /* puts count until they are answered */
    for (size_t i = 0; i < OPEN; i++)
        if (later[i])
            abort(); /* a question that was neither answered nor forgotten */
    socket_free(trial_socket);
    for (int i = 0; i < CLIENTS; i++)
        drop(&clients[i]);
    close(socket);
    if (watch_count > 0)
        abort();
    return 0;
}
