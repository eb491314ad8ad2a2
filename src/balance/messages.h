/*
 * messages.h - what servers and clients say to each other (private to this room).
 *
 *   client                          its server
 *     ── JOIN ───────────────────────▶        I am here, and take these types
 *     ── READY ──────────────────────▶        I am idle
 *     ◀───────────────────── TASKS ──         run these, in this order
 *     ── RESULTS ────────────────────▶        seconds, then answers; `idle` when all are done
 *     ── RETURNED ───────────────────▶        seconds, then tasks: one takes long, others may have
 *                                             these
 *     ── PUT ────────────────────────▶        new tasks
 *     ── DATA ───────────────────────▶        operations on data, and tasks that wait: see data.h
 *     ── NOTE ───────────────────────▶        for the owner, on the way to the first server
 *     ◀─────────────────── OUTCOME ──         of a task that it put
 *     ◀────────────────── INTERRUPT ──        end what you run (or this task alone)
 *     ◀────────────────────── FINISH ──       no more work
 *     ── BYE ────────────────────────▶        I am gone
 *     ── PING ───────────────────────▶        I live; so say servers to the first server
 *     ◀──────────────────────── PONG ──       so do I
 *     ◀─────────────────────── EXILE ──       you were silent, and count as dead
 *     ◀────────────────────── BROKEN ──       this server is dead, the job is over; so says the
 *                                             first server to the others
 *
 *   server                          another server
 *     ── STEAL ──────────────────────▶        I have idle workers of these kinds
 *     ◀── NOTHING ────────────────────        not now; I keep your request
 *     ◀── GIFT ───────────────────────        take these tasks; your request is answered
 *     ── ROUTE ──────────────────────▶        a new task that belongs to you
 *     ── CANCEL, WITHDRAW, STOP ─────▶        see balance_cancel(), _withdraw(), _interrupt()
 *     ── DATA_PASSED ────────────────▶        operations on your data, and answers: see data.h
 *
 *   a worker's server               the server that answers for a task (its origin)
 *     ── NEWS ───────────────────────▶        a worker has it; its outcome
 *
 *   server                          the first server
 *     ── PASSED_NOTE ────────────────▶        a worker's note, behind the worker's rank
 *     ── DATA_FAULT ─────────────────▶        an operation on a datum was impossible
 *     ── ARRIVED, DEPARTED ──────────▶        a worker has joined, is dead
 *     ◀─────────────────── DEPARTED ──        so it is for all of you
 *     ◀──────────────────── RESERVE ──        hold so many idle workers for a shared task
 *     ── HELD ───────────────────────▶        these
 *     ◀───────────── BEGIN, RELEASE ──        they run this task; they are not needed
 *     ── MEMBER_DONE ────────────────▶        a worker of such a task is done
 *     ◀────────────────────── CHECK ──        say when you are quiet: see end.c
 *     ── QUIET ──────────────────────▶        I am, and have sent and received so many messages
 *     ◀───────────────────── CLOSE ───        the end: send your workers home
 *     ── DATA_STUCK ─────────────────▶        these tasks still wait for data
 *     ── CLOSED ─────────────────────▶        they have left
 */
#ifndef BALANCE_MESSAGES_H
#define BALANCE_MESSAGES_H

#include "balance/queue.h"
#include "base/base.h"

enum balance_message {
    MESSAGE_JOIN = 1,
    MESSAGE_READY,
    MESSAGE_TASKS,
    MESSAGE_RESULTS,
    MESSAGE_RETURNED,
    MESSAGE_PUT,
    MESSAGE_DATA,
    MESSAGE_NOTE,
    MESSAGE_OUTCOME,
    MESSAGE_INTERRUPT,
    MESSAGE_FINISH,
    MESSAGE_BYE,
    MESSAGE_PING,
    MESSAGE_PONG,
    MESSAGE_EXILE,
    MESSAGE_BROKEN,
    MESSAGE_CHECK,
    MESSAGE_QUIET,
    MESSAGE_CLOSE,
    MESSAGE_CLOSED,
    MESSAGE_DATA_STUCK,
    MESSAGE_COUNTED, /* from here on between servers, and counted by end.c */
    MESSAGE_STEAL = MESSAGE_COUNTED,
    MESSAGE_NOTHING,
    MESSAGE_GIFT,
    MESSAGE_ROUTE,
    MESSAGE_CANCEL,
    MESSAGE_WITHDRAW,
    MESSAGE_STOP,
    MESSAGE_DATA_PASSED,
    MESSAGE_DATA_FAULT,
    MESSAGE_NEWS,
    MESSAGE_PASSED_NOTE,
    MESSAGE_ARRIVED,
    MESSAGE_DEPARTED,
    MESSAGE_RESERVE,
    MESSAGE_HELD,
    MESSAGE_BEGIN,
    MESSAGE_RELEASE,
    MESSAGE_MEMBER_DONE,
    MESSAGE_END, /* those of the key-value space begin at 64 */
};

/* Names a task everywhere: an origin numbers its tasks. Origin -1: all tasks. */
struct task_name {
    int32_t origin;
    uint32_t turn;
};

/* Of RESULTS and RETURNED. */
struct results_head {
    double seconds; /* how long these tasks took; returned: how long the running one has taken so
                       far */
    uint32_t count;
    uint32_t idle; /* 1: the worker has nothing left */
};

/*
 * An outcome; `length` bytes follow. Used by RESULTS, NEWS, MEMBER_DONE and OUTCOME. The news that
 * a worker has a task looks the same, so that both travel in one message.
 */
struct answer_head {
    uint64_t id;
    struct task_name name;
    int32_t rank; /* of the worker that had it; -1: nobody did */
    uint32_t length;
    uint32_t outcome; /* enum balance_outcome, or NEWS_GIVEN */
    uint32_t hop;     /* NEWS_GIVEN: how often it has been given */
};

enum { NEWS_GIVEN = 100 };

/* Idle workers of one kind, in STEAL. */
struct steal_item {
    uint64_t types;
    int32_t node;
    uint32_t count; /* number of tasks wanted */
};

struct reserve_head {
    uint64_t types;
    uint32_t count;   /* workers wanted; 0: none any more */
    int32_t node;     /* -1: any */
    int32_t priority; /* of the task that wants them */
    uint32_t unused;
};

struct check_head {
    uint64_t wave;
    uint64_t sent, received; /* of QUIET */
    uint64_t left;           /* tasks that nobody could take */
};

struct balance_task;
struct roles;
/* The head of a task that is put; its origin, turn and hop are left to the server. */
struct task_head task_head_of(const struct balance_task *task, const struct roles *roles);

/* Tasks follow each other: a head, the ranks of a task for several workers, the bytes. */
static inline size_t task_ranks(const struct task_head *head)
{
    return head->workers > 1 ? head->workers * sizeof(int32_t) : 0;
}

/* Reads a fixed head at *at and moves *at past it; false at the end of the text. */
static inline bool head_next(const unsigned char *text, size_t size, size_t *at, void *head,
                             size_t length)
{
    if (size - *at < length)
        return false;
    memcpy(head, text + *at, length);
    *at += length;
    return true;
}

/* Moves *at past `length` bytes and returns where they start. */
static inline const unsigned char *bytes_next(const unsigned char *text, size_t size, size_t *at,
                                              size_t length)
{
    if (length > size - *at)
        BUG("an item is longer than its message");
    const unsigned char *bytes = text + *at;
    *at += length;
    return bytes;
}

#endif
