/* protocol.h - how Wick talks with a steering program (private to this room). */
#ifndef STEER_PROTOCOL_H
#define STEER_PROTOCOL_H

#include "steer/program.h"
#include "steer/recall.h"
#include "steer/steer.h"
#include "steer/suggestion.h"

enum {
    STEER_MESSAGE = 64 << 20, /* the most bytes of one message */
    STEER_WAITING = 1000000,  /* the most suggestions that may wait */
};

struct steer_protocol {
    const char *end_word; /* what the program must say before it ends */
    /* The program runs: makes steer->state. */
    void (*started)(struct steer *steer);
    /* steer->input has more; removes what it understands. */
    void (*said)(struct steer *steer);
    /* `count` workers are idle, and no suggestion waits for them. */
    void (*wanted)(struct steer *steer, size_t count);
    /* A trial has ended for good. */
    void (*told)(struct steer *steer, const struct steer_trial *trial,
                 const struct outcome *result);
    /* True while more may come of it although no trial can be started any more. */
    bool (*is_needed)(const struct steer *steer);
    /* Has it end; sets steer->dismissed when it is no error from now on how it does. */
    void (*dismiss)(struct steer *steer);
    /* Frees steer->state, which may be NULL. */
    void (*free)(struct steer *steer);
};

extern const struct steer_protocol queues_protocol, json_lines_protocol;

struct steer {
    struct steer_setup setup;
    const struct study *study; /* of the setup */
    struct comm *comm;
    const struct steer_protocol *protocol;
    void *state; /* of the protocol */
    char *name;  /* of the program, for messages */
    struct program *program;
    uint64_t past;    /* trials that had ended before this run */
    struct str input; /* bytes of the program that were not understood yet */
    uint64_t suggestions;
    uint64_t *offered; /* numbers of suggestions that no trial has yet, from `offered_next` on */
    size_t offered_next, offered_count, offered_capacity;
    size_t shortage; /* idle workers without a suggestion */
    struct recall recall;
    struct str final;      /* its last texts, for the user */
    struct str last_words; /* its traceback, if it sent one */
    bool running, closed, dismissed;
    uint64_t patience;  /* timer; 0: none */
    uint64_t log_timer; /* 0: none */
    uint64_t log_bytes; /* bytes of the log that are in the file */
};

/* How the run stands. */
struct steer_state steer_look(const struct steer *steer);
/* Offers a point as a new trial; `suggestion` is its number. */
void steer_offer(struct steer *steer, const double *point, uint64_t suggestion);
/* Hands what was offered to idle workers. */
void steer_feed(struct steer *steer);
/* There are no more suggestions. */
void steer_close(struct steer *steer);
/* Keeps a text for the user: it is in DIR/final.txt at the end. */
void steer_keep_final(struct steer *steer, struct slice text);
/* The program did something wrong, or died: the study stops, and says so. */
void steer_fail(struct steer *steer, const char *format, ...) ERR_FORMAT(2, 3);
/* Gives it a minute to end by itself. */
void steer_wait(struct steer *steer);
/* How many more trials may be suggested. */
uint64_t steer_left(const struct steer *steer);

#endif
