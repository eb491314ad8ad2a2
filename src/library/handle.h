/*
 * handle.h - a process' part of the job from the inside (private to this room).
 *
 *   wick.c      start, serve, end; who is where
 *   tasks.c     put, get, answer, communicators
 *   promises.c  the answers that this client waits for
 *   results.c   asking for them
 *   values.c    the key-value space
 *
 * A client's calls are a blocking front for an event handler: a call tells balance something, then
 * handles events until the handler it waits for has set `awake`.
 */
#ifndef LIBRARY_HANDLE_H
#define LIBRARY_HANDLE_H

#include "balance/balance.h"
#include "base/base.h"
#include "comm/comm.h"
#include "library/wick.h"

/* ---- promises.c ---- */

/* An answer that is expected, has come, or has been delivered to the caller. */
struct promise {
    enum { PROMISE_OPEN, PROMISE_KEPT, PROMISE_TOLD } state;
    enum wick_outcome outcome;
    void *bytes; /* free() it */
    size_t length;
};

/* Numbered from 1 as tasks are put. Start with {0}. */
struct promises {
    struct promise *items; /* number n is items[n - gone - 1] */
    size_t count, capacity;
    size_t told_first; /* how many at the start have been delivered */
    uint64_t gone;     /* numbers before items[0] */
    uint64_t
        *arrived; /* numbers in the order in which they were kept; some may have been delivered */
    size_t arrived_first, arrived_count, arrived_capacity;
    size_t open; /* number of promises that are not kept yet */
};

/* Adds an open promise; returns its number. */
uint64_t promises_add(struct promises *p);
/* The promise of this number, unless it has been delivered; NULL: there is none. */
struct promise *promises_find(const struct promises *p, uint64_t number);
/* The answer has come; its bytes are copied. */
void promises_keep(struct promises *p, uint64_t number, enum wick_outcome outcome,
                   const void *bytes, size_t length);
/* The number of the oldest kept one that has not been delivered; 0: none. */
uint64_t promises_oldest(struct promises *p);
/* The oldest one that is open; 0: none. */
uint64_t promises_open(const struct promises *p);
/* Marks it as delivered. Its bytes become the caller's. */
struct promise promises_take(struct promises *p, uint64_t number);
/* Frees all promises. */
void promises_free(struct promises *p);

/* ---- wick.c ---- */

/*
 *   NONE ── wick_init() ──▶ OPEN ── first call ──▶ AT_WORK ── no more work ──▶ ENDED ──▶ CLOSED
 *     └────── failed ──▶ FAILED
 */
enum phase { PHASE_NONE, PHASE_FAILED, PHASE_OPEN, PHASE_AT_WORK, PHASE_ENDED, PHASE_CLOSED };

struct wick {
    struct comm *comm;
    struct balance_rules rules;
    struct balance_server *server; /* on a server, otherwise NULL */
    struct balance_client *client; /* on a client */
    enum phase phase;
    int rank, size; /* among the clients; -1: a server */
    uint64_t types;
    struct err error;
    bool awake;       /* what the current call waits for has happened */
    bool left_known;  /* client 0: the first server has said ... */
    uint64_t left;    /* ... how many tasks nobody could take */
    uint64_t refused; /* refused tasks of this client for which it wanted no answer */

    /* the task that this client does */
    bool has_task;
    void *task_bytes;
    size_t task_capacity;
    struct balance_assignment task;
    bool has_communicator;
    void *communicator; /* as large as any MPI_Comm, which is an int or a pointer */

    struct promises promises;
    uint64_t kept;      /* answers that have come */
    uint64_t own_done;  /* tasks that this client put and did itself */
    bool awaits_result; /* in wick_result(): for ... */
    uint64_t awaited;   /* ... this number, 0: for any */
    void *result_bytes; /* of the last result */

    struct balance_store_answer reply; /* of the key-value space; its bytes and items are below */
    void *value_bytes;
    size_t value_capacity;
    struct wick_item *items;
    struct arena keys;
};

/*
 * Starts every call that does something: the first one joins or serves. 0: go on; otherwise the
 * code to return.
 */
int handle_enter(struct wick *w);

/* ---- tasks.c ---- */

/* Balance calls this when there is a task. */
void tasks_task(void *self, const struct balance_assignment *task);
/* Answers the current task, if there is one. */
void tasks_answer(struct wick *w, const void *bytes, size_t length);
/* The number of the promise in the id of a task; 0: none. */
uint64_t tasks_number(uint64_t id);

/* ---- results.c ---- */

/* Balance calls this when a task of this client has ended. */
void results_ended(void *self, uint64_t id, enum balance_outcome outcome,
                   const unsigned char *bytes, size_t length);

#endif
