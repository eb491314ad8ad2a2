/*
 * socket.c - the trial socket: connections of a program to its worker.
 *
 *             accept
 *               │
 *         ┌─▶ reading ── a message ──▶ heard ──┬── none asked ──┐
 *         │     ▲                              │                │
 *         │     └──────────────────────────────┼────────────────┘
 *         │                                 a question
 *         │                                    │
 *       answer is out ◀── writing ◀── answered ┘
 *
 * A question that cannot be answered (an error) is the last: when its answer is out, the connection
 * is closed. A connection whose other end is closed is freed when all that came is read, and the
 * value that it has put is stored.
 */
#include "trial/socket.h"
#include "trial/message.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    READ_SIZE = 65536,         /* bytes read per event, so that all connections get their turn */
    KEPT_SIZE = READ_SIZE,     /* a larger buffer is freed when it is empty: hundreds are kept */
    FREE_SIZE = 2 * READ_SIZE, /* bytes that each connection may hold without being counted */
    LATE_CONNECTIONS = 128,    /* the most that wait to be accepted at the end of a trial */
    DRAIN_LIMIT = 16 << 20 /* more than a socket holds: what comes after that is sent too late */
};

static const double ACCEPT_PAUSE = 0.1; /* seconds, when there are no descriptors left */
static const double STEP_PAUSE = 0.02;  /* seconds, at least, for which too many steps wait */

enum watched { WATCHED_NOT, WATCHED_READABLE, WATCHED_WRITABLE };

struct connection {
    struct connection *next;
    struct trial_socket *owner;
    int fd; /* -1: closed, and freed as soon as none of its handlers runs */
    enum watched watched;
    bool greeted; /* it has named the trial that runs, and its secret */
    bool ended;   /* its other end sends no more */
    bool closing; /* when the answer is out */
    bool busy;    /* run() is active: whoever answers a question leaves the rest to it */
    struct message message;
    bool value;        /* the bytes of a put are to come */
    bool refused;      /* they are not kept: there is no room */
    uint64_t skipped;  /* how many of them have come */
    uint64_t stored;   /* bytes of a put that is not answered yet */
    bool asks;         /* whether to stop, for the message's call */
    uint64_t question; /* to the key-value space; 0: none */
    struct str in, out;
    size_t heard;              /* bytes of `in` */
    size_t sent;               /* bytes of `out` */
    uint64_t received, looked; /* bytes in all: now, and when they were last looked at */
    unsigned idle;             /* looks in a row at half a message without a new byte */
};

struct trial_socket {
    struct comm *comm;
    int socket;
    struct socket_limits limits;
    struct socket_listener listener;
    uint64_t trial; /* 0: none runs */
    unsigned try;
    uint64_t secret; /* of this try */
    bool complained; /* of one that did not greet: who lacks the secret must not fill the log */
    struct connection *connections; /* in the order in which they were accepted */
    size_t count;
    uint64_t questions; /* the number of the last one */
    uint64_t pause;     /* timer that listens again; 0: it listens */
    unsigned depth;     /* calls of run() under way: no connection is freed meanwhile */
    bool draining;      /* nobody reads answers any more */
    uint64_t look;      /* timer that looks for half messages; 0: there are none */
    double credit;      /* steps that it may report at once; below 0: it has to wait */
    double credited;    /* comm_now() up to which it has got credit */
    uint64_t holding;   /* timer until which nothing is heard, for want of credit; 0: none */
    int shortage;       /* errno, of the pause */
    int number;         /* errno, when something that the program sent could not be read */
};

static void run(struct connection *c);
static void readable(void *argument);
static void writable(void *argument);

/* ---- connections ---- */

static void watch(struct connection *c, enum watched wanted)
{
    if (c->watched == wanted)
        return;
    if (c->watched != WATCHED_NOT)
        comm_unwatch(c->owner->comm, c->fd);
    if (wanted == WATCHED_READABLE)
        comm_watch(c->owner->comm, c->fd, readable, c);
    else if (wanted == WATCHED_WRITABLE)
        comm_watch_writable(c->owner->comm, c->fd, writable, c);
    c->watched = wanted;
}

static void hang_up(struct connection *c)
{
    if (c->fd < 0)
        return;
    watch(c, WATCHED_NOT);
    close(c->fd);
    c->fd = -1;
    c->asks = false;
    if (c->stored > 0)
        return; /* its bytes count until they are stored */
    if (c->question)
        c->owner->listener.forget(c->owner->listener.self, c->question);
    c->question = 0;
}

static void free_closed(struct trial_socket *t)
{
    for (struct connection **at = &t->connections; *at;) {
        struct connection *c = *at;
        if (c->fd >= 0 || c->question) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        t->count--;
        message_free(&c->message);
        str_free(&c->in);
        str_free(&c->out);
        free(c);
    }
}

/* What a connection makes us hold, or has announced. */
static uint64_t held_by(const struct connection *c)
{
    uint64_t in = c->value && c->message.second > c->in.length ? c->message.second : c->in.length;
    uint64_t held = in + c->out.length + c->stored;
    return held > FREE_SIZE ? held - FREE_SIZE : 0;
}

/* Counted anew each time, since only what is large makes anybody ask. */
static bool has_room(const struct trial_socket *t, uint64_t more)
{
    uint64_t held = more;
    for (const struct connection *c = t->connections; c; c = c->next)
        held += held_by(c);
    return held <= t->limits.bytes;
}

static void listen_again(void *argument);

static void say_too_many(int fd)
{
    static const char text[] = "{\"error\":\"too many connections of one trial are open\"}\n";
    (void)!send(fd, text, sizeof text - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* True when it has not greeted, and no greeting of it waits to be read. */
static bool is_silent(const struct connection *c)
{
    return c->fd >= 0 && !c->greeted && poll(&(struct pollfd){c->fd, POLLIN, 0}, 1, 0) == 0;
}

/*
 * Makes room for a new connection by closing the oldest one that is silent: other trials of the
 * user can connect, too, and do not know the secret. False when there is none.
 */
static bool drop_silent(struct trial_socket *t)
{
    struct connection *c = t->connections;
    while (c && !is_silent(c))
        c = c->next;
    if (!c)
        return false;
    say_too_many(c->fd);
    hang_up(c);
    if (t->depth == 0)
        free_closed(t);
    return true;
}

/* Accepts a connection; false when there is none. */
static bool accept_one(struct trial_socket *t)
{
    int fd = accept4(t->socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED && !t->pause) {
        /* The connection stays in the queue, and would wake us again and again. */
        t->shortage = errno;
        comm_unwatch(t->comm, t->socket);
        t->pause = comm_after(t->comm, ACCEPT_PAUSE, listen_again, t);
    }
    if (fd < 0)
        return false;
    if (t->count >= t->limits.connections && !t->draining && !drop_silent(t)) {
        say_too_many(fd);
        close(fd);
        return true;
    }
    struct connection *c = memory_new(1, sizeof *c), **last = &t->connections;
    *c = (struct connection){
        .owner = t,
        .fd = fd,
        .message = {.is_wanted = t->listener.is_wanted, .self = t->listener.self}};
    while (*last)
        last = &(*last)->next;
    *last = c;
    t->count++;
    watch(c, WATCHED_READABLE);
    return true;
}

static void accept_next(void *argument)
{
    accept_one(argument);
}

static void listen_again(void *argument)
{
    struct trial_socket *t = argument;
    t->pause = 0;
    comm_watch(t->comm, t->socket, accept_next, t);
}

/* ---- answers ---- */

/* Sends as much as the socket takes now; the rest is kept. */
static void flush(struct connection *c)
{
    while (c->sent < c->out.length) {
        ssize_t sent = send(c->fd, c->out.text + c->sent, c->out.length - c->sent,
                            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno != EAGAIN) /* nobody is there to read it */
            hang_up(c);
        if (sent < 0)
            return;
        c->sent += (size_t)sent;
    }
    c->sent = 0;
    str_clear(&c->out);
    if (c->out.capacity > KEPT_SIZE)
        str_free(&c->out);
}

/* An answer is an object on a line. Bytes of a value may precede it, so no comma is due. */
static void begin_answer(struct str *out)
{
    str_add_char(out, '{');
}

static void end_answer(struct str *out)
{
    str_add(out, "}\n");
}

static void put_error(struct str *out, const char *text)
{
    begin_answer(out);
    json_set_text(out, "error", text);
    end_answer(out);
}

/* An answer, on a connection that stays open. */
static void refuse_value(struct connection *c, const char *what)
{
    char text[160];
    snprintf(text, sizeof text,
             "%s: Wick keeps at most %.0f MiB of values on their way for a trial; send and get "
             "them one after the other, or in parts",
             what, (double)c->owner->limits.bytes / 1048576);
    put_error(&c->out, text);
}

static void complain(struct connection *c, const char *text)
{
    struct trial_socket *t = c->owner;
    if (c->greeted || !t->complained)
        t->listener.complain(t->listener.self, text);
    t->complained |= !c->greeted;
    put_error(&c->out, text);
    c->closing = true;
}

void socket_answer(struct trial_socket *t, uint64_t call, bool stop)
{
    t->depth++;
    for (struct connection *c = t->connections; c; c = c->next) {
        if (!c->asks || c->message.number != call)
            continue;
        c->asks = false;
        begin_answer(&c->out);
        json_set_bool(&c->out, "stop", stop);
        end_answer(&c->out);
        run(c);
    }
    if (--t->depth == 0)
        free_closed(t);
}

static void put_keys(struct str *out, const struct trial_reply *reply)
{
    begin_answer(out);
    json_set_array(out, "keys");
    for (size_t i = 0; i < reply->key_count; i++)
        json_add_string(out, reply->keys[i].text, reply->keys[i].length);
    json_end_array(out);
    end_answer(out);
}

static void put_version(struct str *out, const struct trial_reply *reply, bool has_value)
{
    begin_answer(out);
    json_set_whole(out, "version", reply->version);
    if (has_value)
        json_set_whole(out, "bytes", reply->length);
    end_answer(out);
    if (has_value)
        str_add_bytes(out, reply->bytes, reply->length);
}

static void put_reply(struct str *out, enum message_kind kind, const struct trial_reply *reply)
{
    bool has_value = reply->version > 0 && (kind == MESSAGE_GET || kind == MESSAGE_WAIT);
    if (reply->error)
        put_error(out, reply->error);
    else if (kind == MESSAGE_LIST)
        put_keys(out, reply);
    else
        put_version(out, reply, has_value);
}

void socket_reply(struct trial_socket *t, uint64_t number, const struct trial_reply *reply)
{
    struct connection *c = t->connections;
    while (c && c->question != number)
        c = c->next;
    if (!c)
        return;
    c->question = c->stored = 0;
    if (reply->length > FREE_SIZE && !has_room(t, reply->length))
        refuse_value(c, "there is no room for this value");
    else
        put_reply(&c->out, c->message.kind, reply);
    if (c->message.kind == MESSAGE_LIST && c->out.length > FREE_SIZE && !has_room(t, 0)) {
        str_free(&c->out);
        refuse_value(c, "there is no room for these keys");
    }
    if (c->fd >= 0)
        run(c);
    else if (t->depth == 0)
        free_closed(t);
}

/* ---- reading ---- */

static void hear_question(struct connection *c, const void *bytes, size_t length)
{
    static const enum trial_operation operations[] = {
        [MESSAGE_PUT] = TRIAL_PUT,       [MESSAGE_GET] = TRIAL_GET,   [MESSAGE_WAIT] = TRIAL_WAIT,
        [MESSAGE_DELETE] = TRIAL_DELETE, [MESSAGE_LIST] = TRIAL_LIST,
    };
    const struct message *m = &c->message;
    const struct socket_listener *listener = &c->owner->listener;
    struct trial_question question = {.operation = operations[m->kind],
                                      .key = {str_text(&m->key), m->key.length},
                                      .bytes = bytes,
                                      .length = length,
                                      .known = m->kind == MESSAGE_WAIT ? m->second : 0};
    bool changes = m->kind == MESSAGE_PUT || m->kind == MESSAGE_DELETE;
    if (c->owner->draining && !changes)
        return;
    uint64_t number = ++c->owner->questions;
    if (!c->owner->draining) {
        c->question = number;
        c->stored = length;
    }
    listener->question(listener->self, number, &question);
    if (c->owner->draining)
        listener->forget(listener->self, number);
}

static void hear_stop(struct connection *c)
{
    const struct socket_listener *listener = &c->owner->listener;
    if (c->owner->draining)
        return;
    c->asks = true;
    listener->asked(listener->self, c->message.number);
}

static void hear_hello(struct connection *c)
{
    const struct trial_socket *t = c->owner;
    const struct message *m = &c->message;
    c->greeted =
        t->trial != 0 && m->number == t->trial && m->second == t->try && m->secret == t->secret;
    if (!c->greeted) /* it is of another trial, and the log of this one is not for it */
        hang_up(c);
}

static void hear_put(struct connection *c)
{
    if (c->message.second > SOCKET_VALUE_LIMIT) {
        complain(c, "the value of a \"put\" is larger than 1 GiB");
        return;
    }
    c->value = true; /* so that it counts */
    c->refused = c->message.second > FREE_SIZE && !has_room(c->owner, 0);
    c->value = !c->refused;
    c->skipped = 0;
}

static void go_on(void *argument);

/* Steps become records on disk: whoever reports them without end has to wait. */
static void hear_step(struct connection *c)
{
    struct trial_socket *t = c->owner;
    const struct message *m = &c->message;
    t->credit -= 1 + (double)(m->metric_count + m->left_out) / 8;
    if (t->credit < 0 && !t->draining) {
        double now = comm_now(t->comm);
        t->credit = fmin(SOCKET_STEPS, t->credit + (now - t->credited) * t->limits.step_rate);
        t->credited = now;
        if (t->credit < 0)
            t->holding =
                comm_after(t->comm, fmax(STEP_PAUSE, -t->credit / t->limits.step_rate), go_on, t);
    }
    if (t->credit > -SOCKET_STEPS) /* less than that only at the end, when nothing waits */
        t->listener.step(t->listener.self, m->number, m->metrics, m->metric_count);
}

static void hear(struct connection *c)
{
    const struct message *m = &c->message;
    const struct socket_listener *listener = &c->owner->listener;
    if (!c->greeted && m->kind != MESSAGE_HELLO) {
        complain(c, "the first message on a connection must be "
                    "{\"hello\": TRIAL, \"try\": TRY, \"secret\": SECRET}");
        return;
    }
    switch (m->kind) {
    case MESSAGE_NONE: break;
    case MESSAGE_HELLO: hear_hello(c); break;
    case MESSAGE_STEP: hear_step(c); break;
    case MESSAGE_RESULT: listener->result(listener->self, m->metrics, m->metric_count); break;
    case MESSAGE_STOP: hear_stop(c); break;
    case MESSAGE_PUT: hear_put(c); break;
    case MESSAGE_GET:
    case MESSAGE_WAIT:
    case MESSAGE_DELETE:
    case MESSAGE_LIST: hear_question(c, NULL, 0); break;
    }
}

/* Handles the bytes of a put, when all of them have come. */
static bool take_value(struct connection *c)
{
    uint64_t length = c->message.second;
    if (c->in.length - c->heard < length)
        return false;
    const char *bytes = str_text(&c->in) + c->heard;
    c->value = false;
    c->heard += (size_t)length;
    hear_question(c, bytes, (size_t)length);
    return true;
}

/* Drops what has come of a value for which there is no room; answers when that was all. */
static bool skip_value(struct connection *c)
{
    uint64_t missing = c->message.second - c->skipped, here = c->in.length - c->heard;
    uint64_t dropped = here < missing ? here : missing;
    c->heard += (size_t)dropped;
    c->skipped += dropped;
    c->refused = c->skipped < c->message.second;
    if (!c->refused)
        refuse_value(c, "there is no room for this value");
    return !c->refused;
}

/* Handles the next message. The last may lack its newline when nothing follows it. */
static bool take_message(struct connection *c)
{
    if (c->value)
        return take_value(c);
    if (c->refused)
        return skip_value(c);
    const char *text = str_text(&c->in) + c->heard;
    size_t left = c->in.length - c->heard;
    const char *newline = memchr(text, '\n', left);
    size_t length = newline ? (size_t)(newline - text) : left;
    struct err e = {0};
    if (left == 0 || (!newline && length <= MESSAGE_LIMIT && !c->ended))
        return false;
    c->heard += length + (newline != NULL);
    if (length > MESSAGE_LIMIT)
        complain(c, "a message is longer than 1 MiB");
    else if (message_read(&c->message, text, length, &e))
        complain(c, e.message);
    else
        hear(c);
    return true;
}

static bool waits(const struct connection *c)
{
    return c->asks || c->question != 0;
}

/* Handles what came, up to a question that is not answered, or whose answer is not sent. */
static void hear_all(struct connection *c)
{
    do {
        flush(c);
    } while (c->fd >= 0 && !waits(c) && c->out.length == 0 && !c->closing && !c->owner->holding &&
             take_message(c));
    str_drop(&c->in, c->heard);
    c->heard = 0;
    if (c->in.length == 0 && c->in.capacity > KEPT_SIZE)
        str_free(&c->in);
}

/* True when its other end is closed, and not only its sending half. */
static bool is_gone(const struct connection *c)
{
    struct pollfd poller = {c->fd, 0, 0};
    return poll(&poller, 1, 0) > 0 && (poller.revents & (POLLHUP | POLLERR));
}

static void look(void *argument);

/* True when a message or a value has started and is not complete. */
static bool is_unfinished(const struct connection *c)
{
    return c->fd >= 0 && !waits(c) && !c->closing && c->out.length == 0 && !c->owner->holding &&
           (c->value || c->refused || c->in.length > 0);
}

static void look_later(struct trial_socket *t)
{
    if (!t->look)
        t->look = comm_after(t->comm, t->limits.patience / 2, look, t);
}

/* Waits for what can happen next, or hangs up when nothing can. */
static void watch_next(struct connection *c)
{
    bool is_held = c->owner->holding && c->in.length > 0; /* there is more to hear */
    bool is_full = waits(c) && c->in.length >= MESSAGE_LIMIT;
    if (c->fd < 0)
        return;
    if (c->out.length > 0)
        watch(c, WATCHED_WRITABLE);
    else if (c->closing || (c->ended && !is_held && (!waits(c) || is_gone(c))))
        hang_up(c);
    else
        watch(c, c->ended || is_full || c->owner->holding ? WATCHED_NOT : WATCHED_READABLE);
    if (is_unfinished(c))
        look_later(c->owner);
}

/* Continues with a connection after something has happened to it. */
static void run(struct connection *c)
{
    if (c->busy)
        return;
    struct trial_socket *t = c->owner;
    c->busy = true;
    t->depth++;
    hear_all(c);
    watch_next(c);
    c->busy = false;
    if (--t->depth == 0)
        free_closed(t);
}

static void run_all(struct trial_socket *t)
{
    t->depth++;
    for (struct connection *c = t->connections; c; c = c->next)
        if (c->fd >= 0)
            run(c);
    if (--t->depth == 0)
        free_closed(t);
}

/* There is credit for steps again. */
static void go_on(void *argument)
{
    struct trial_socket *t = argument;
    t->holding = 0;
    run_all(t);
}

/* Reads once; false when there is nothing (more). */
static bool receive(struct connection *c)
{
    char bytes[READ_SIZE];
    ssize_t got;
    do /* a program that has ended is not heard a second time */
        got = recv(c->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    while (got < 0 && errno == EINTR);
    if (got > 0) {
        str_add_bytes(&c->in, bytes, (size_t)got);
        c->received += (uint64_t)got;
    } else if (got == 0 || errno != EAGAIN)
        c->ended = true;
    if (got < 0 && c->ended && errno != ECONNRESET)
        c->owner->number = errno;
    return got > 0;
}

/* Refuses a connection with half a message when all of them together are too much. */
static void check_room(struct connection *c)
{
    if (!c->value && !c->refused && !c->closing && c->in.length > FREE_SIZE &&
        !has_room(c->owner, 0))
        complain(c, "there is no room for this message: too many others of this trial are not "
                    "complete, or their answers not read");
}

static void readable(void *argument)
{
    receive(argument);
    check_room(argument);
    run(argument);
}

/*
 * Refuses connections on which half a message waits for the rest. A Wick that was suspended finds
 * its timer overdue, so one look without a new byte is not enough.
 */
static void look(void *argument)
{
    struct trial_socket *t = argument;
    t->look = 0;
    for (struct connection *c = t->connections; c; c = c->next) {
        c->idle = is_unfinished(c) && c->received == c->looked ? c->idle + 1 : 0;
        c->looked = c->received;
        if (c->idle > 1 && !receive(c))
            complain(c, "the rest of this message has not come for too long");
    }
    run_all(t);
}

static void writable(void *argument)
{
    run(argument);
}

/* ---- the trial socket ---- */

struct trial_socket *socket_create(struct comm *comm, int socket,
                                   const struct socket_limits *limits,
                                   const struct socket_listener *listener)
{
    struct trial_socket *t = memory_new(1, sizeof *t);
    *t = (struct trial_socket){
        .comm = comm, .socket = socket, .limits = *limits, .listener = *listener};
    comm_watch(comm, socket, accept_next, t);
    return t;
}

void socket_begin(struct trial_socket *t, uint64_t trial, unsigned try, uint64_t secret)
{
    for (struct connection *c = t->connections; c; c = c->next)
        hang_up(c); /* made when no trial ran, they would count as those of this one */
    if (t->depth == 0)
        free_closed(t);
    t->trial = trial;
    t->try = try;
    t->secret = secret;
    t->complained = false;
    t->credit = SOCKET_STEPS;
    t->credited = comm_now(t->comm);
    t->number = 0;
}

/* Its program has ended: reads the rest, and waits for nothing. */
static void drain(struct connection *c)
{
    size_t limit = DRAIN_LIMIT / READ_SIZE;
    c->busy = true;
    while (c->fd >= 0 && limit-- > 0 && has_room(c->owner, 0) && receive(c))
        ;
    c->ended = true;
    c->asks = false;
    if (c->question && c->stored == 0) {
        c->owner->listener.forget(c->owner->listener.self, c->question);
        c->question = 0;
    }
    while (c->fd >= 0 && !c->closing && take_message(c))
        ;
    hang_up(c);
}

void socket_end(struct trial_socket *t)
{
    if (t->trial == 0)
        return;
    t->draining = true;
    if (t->holding)
        comm_cancel(t->comm, t->holding);
    t->holding = 0;
    for (unsigned i = 0; i < LATE_CONNECTIONS && !t->pause && accept_one(t); i++)
        ;
    if (t->pause && poll(&(struct pollfd){.fd = t->socket, .events = POLLIN}, 1, 0) > 0)
        t->number = t->shortage; /* a connection waits, and cannot be accepted */
    for (struct connection *c = t->connections; c; c = c->next)
        drain(c);
    free_closed(t);
    t->draining = false;
    t->trial = 0;
}

int socket_lost(const struct trial_socket *t)
{
    return t->number;
}

void socket_free(struct trial_socket *t)
{
    for (struct connection *c = t->connections; c; c = c->next) {
        c->stored = 0;
        hang_up(c);
        c->question = 0;
    }
    free_closed(t);
    if (t->look)
        comm_cancel(t->comm, t->look);
    if (t->holding)
        comm_cancel(t->comm, t->holding);
    if (t->pause)
        comm_cancel(t->comm, t->pause);
    else
        comm_unwatch(t->comm, t->socket);
    free(t);
}
