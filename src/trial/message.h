/*
 * message.h - one message of a program, as docs/trial-socket.md has them (private to this room).
 */
#ifndef TRIAL_MESSAGE_H
#define TRIAL_MESSAGE_H

#include "trial/trial.h"

enum {
    MESSAGE_LIMIT = 1 << 20, /* bytes of a message, without the bytes of a value */
    MESSAGE_METRICS = 1000,  /* metrics kept of a message; a trial keeps OUTCOME_METRICS of them */
    MESSAGE_KEY = 4096       /* bytes of a key: more than the key-value space takes */
};

enum message_kind {
    MESSAGE_NONE,
    MESSAGE_HELLO,
    MESSAGE_STEP,
    MESSAGE_STOP,
    MESSAGE_RESULT,
    MESSAGE_PUT,
    MESSAGE_GET,
    MESSAGE_WAIT,
    MESSAGE_DELETE,
    MESSAGE_LIST,
};

/* Start with {0}; it can be used for many messages; message_free() it at the end. */
struct message {
    enum message_kind kind;
    uint64_t number; /* hello: the trial; step: which; stop: which question */
    uint64_t second; /* hello: the try; put: bytes that follow; wait: the version that is known */
    uint64_t secret; /* hello */
    bool has_secret;
    struct str key;                 /* put, get, wait, delete, list */
    struct outcome_metric *metrics; /* step, result */
    size_t metric_count, metric_capacity;
    size_t left_out; /* metrics beyond MESSAGE_METRICS */
    /* Set by the owner: true for a metric that is kept before others; NULL: none is. */
    bool (*is_wanted)(void *self, const char *name);
    void *self;
};

/* Reads a message. ERR_USER, with the start of the message, when it is malformed. */
int message_read(struct message *message, const char *text, size_t length, struct err *e);
/* Frees what it holds. */
void message_free(struct message *message);

#endif
