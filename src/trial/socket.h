/*
 * socket.h - the trial socket, over which a program talks to its worker (private to this room).
 *
 * docs/trial-socket.md is the protocol. The socket listens for as long as its worker lives;
 * who connects must first name the trial and the try that run. Each connection has one question at
 * a time: until it is answered, and the answer is out, what the program sends behind it stays
 * unread. So a program that does not read keeps itself waiting, never the worker, and what is kept
 * for a connection is at most a message, a value, and an answer.
 */
#ifndef TRIAL_SOCKET_H
#define TRIAL_SOCKET_H

#include "trial/trial.h"

enum { SOCKET_CONNECTIONS = 256 }; /* at once; more are refused */

/* Bytes of a value. More than the key-value space takes is refused there, with its own words. */
static const uint64_t SOCKET_VALUE_LIMIT = 1 << 30;

/* Who hears what a program says. The pointers are good during the call. */
struct socket_listener {
    void *self;
    void (*step)(void *self, uint64_t step, const struct outcome_metric *metrics, size_t count);
    void (*result)(void *self, const struct outcome_metric *metrics, size_t count);
    /* A question whether to stop: socket_answer() it, now or later. */
    void (*asked)(void *self, uint64_t call);
    /* A question to the key-value space: socket_reply() to this number, now or later. */
    void (*question)(void *self, uint64_t number, const struct trial_question *question);
    /* Nobody waits for this reply any more. */
    void (*forget)(void *self, uint64_t number);
    /* Something that cannot be understood; for the user. */
    void (*complain)(void *self, const char *text);
};

struct trial_socket;

/* The socket listens and does not block; it stays the caller's. */
struct trial_socket *socket_create(struct comm *comm, int socket,
                                   const struct socket_listener *listener);
void socket_free(struct trial_socket *socket);

/* A try of a trial begins. */
void socket_begin(struct trial_socket *socket, uint64_t trial, unsigned try);
/* It has ended: hears all that was sent before, and closes all connections. */
void socket_end(struct trial_socket *socket);

void socket_answer(struct trial_socket *socket, uint64_t call, bool stop);
void socket_reply(struct trial_socket *socket, uint64_t number, const struct trial_reply *reply);

#endif
