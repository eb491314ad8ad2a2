/*
 * socket.h - the trial socket, over which a program talks to its worker (private to this room).
 *
 * docs/trial-socket.md is the protocol. The socket listens for as long as its worker lives; whoever
 * connects must first name the trial and the try that run, and their secret. Who has not done so
 * yet keeps nobody out: it is the first that a new connection replaces where there are too many.
 * Each connection has one question at a time: until its answer is sent, what the program sends next
 * stays unread. So a program that does not read keeps itself waiting, never the worker.
 *
 * Nothing that a trial does costs more than the trial: all its connections together have a limit of
 * bytes, which counts messages and values that are not complete, values that are not stored yet,
 * and answers that are not read. What exceeds it is refused on its connection, with the reason.
 */
#ifndef TRIAL_SOCKET_H
#define TRIAL_SOCKET_H

#include "trial/trial.h"

enum { SOCKET_CONNECTIONS = 256 }; /* the most that a trial may have at a time */
enum { SOCKET_STEPS = 20000 };     /* a trial may report so many without a pause */

/* Bytes of a value. The key-value space has a lower limit, and a message of its own for it. */
static const uint64_t SOCKET_VALUE_LIMIT = 1 << 30;

/* Who gets what a program says. The pointers are valid during the call. */
struct socket_listener {
    void *self;
    void (*step)(void *self, uint64_t step, const struct outcome_metric *metrics, size_t count);
    void (*result)(void *self, const struct outcome_metric *metrics, size_t count);
    /* A question whether to stop: answer with socket_answer(), now or later. */
    void (*asked)(void *self, uint64_t call);
    /* A question to the key-value space: answer with socket_reply(), now or later. */
    void (*question)(void *self, uint64_t number, const struct trial_question *question);
    /* Nobody waits for this reply any more. */
    void (*forget)(void *self, uint64_t number);
    /* A malformed message; the text is for the user. */
    void (*complain)(void *self, const char *text);
    /* True for a metric that must not be left out of a message with too many; may be NULL. */
    bool (*is_wanted)(void *self, const char *name);
};

/* What one trial may use. */
struct socket_limits {
    unsigned connections; /* at a time; more are refused */
    uint64_t bytes;       /* that its connections make us hold, see above */
    double patience;      /* seconds without a byte until half a message is refused */
    double step_rate;     /* per second, after SOCKET_STEPS; a program that is faster has to wait */
};

struct trial_socket;

/* The socket listens and does not block; it stays the caller's. */
struct trial_socket *socket_create(struct comm *comm, int socket,
                                   const struct socket_limits *limits,
                                   const struct socket_listener *listener);
/* Closes all connections and frees it. */
void socket_free(struct trial_socket *socket);

/* A try of a trial starts; its own connections know the secret. */
void socket_begin(struct trial_socket *socket, uint64_t trial, unsigned try, uint64_t secret);
/* It has ended: reads all that was sent before, and closes all connections. */
void socket_end(struct trial_socket *socket);

/* After the end: 0, or the errno that kept us from reading all that the program had sent. */
int socket_lost(const struct trial_socket *socket);

/* Answers all connections that ask for this call. */
void socket_answer(struct trial_socket *socket, uint64_t call, bool stop);
/* Answers the question with this number; nothing happens when nobody waits for it any more. */
void socket_reply(struct trial_socket *socket, uint64_t number, const struct trial_reply *reply);

#endif
