/*
 * questions.h - what the program of a worker asks of the key-value space (private to this room).
 */
#ifndef WORKER_QUESTIONS_H
#define WORKER_QUESTIONS_H

#include "balance/balance.h"
#include "trial/trial.h"

/* The questions that are not answered yet. Start with {0}. */
struct questions {
    struct question *first;   /* in the order in which they were asked */
    struct question *reading; /* the one whose value is on its way; NULL: none */
};

/* Passes a question on; the runner gets the reply to this number. Store and runner must outlive it.
 */
void questions_ask(struct questions *questions, struct balance_store *store,
                   struct trial_runner *runner, uint64_t number,
                   const struct trial_question *question);
/* Nobody waits for the reply any more: a wait is cancelled, all else happens unnoticed. */
void questions_forget(struct questions *questions, uint64_t number);
/* Frees all. No handler may be called after this: the key-value space is gone or idle. */
void questions_free(struct questions *questions);

#endif
