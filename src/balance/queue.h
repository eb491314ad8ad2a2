/*
 * queue.h - the tasks that wait on a server, and which of them suits a worker (private to this
 * room).
 *
 * A task may be bound to a rank or a node (hard: nobody else gets it), or prefer one (soft: another
 * worker gets it only if it asks first). Of the tasks that a worker may take it gets the one with
 * the highest priority; among those, tasks for its rank come before tasks for its node before all
 * others; and among those, the one that came first.
 *
 * The queue holds tasks for one worker each; those that need several at once wait in gather.c.
 */
#ifndef BALANCE_QUEUE_H
#define BALANCE_QUEUE_H

#include "base/base.h"

enum { TASK_TYPES = 64 };
enum { TASK_PRIORITY_LIMIT = 1 << 23 }; /* priorities lie within -limit .. limit-1 */

/* Where a task may run. */
enum task_scope { TASK_ANYWHERE, TASK_RANK, TASK_NODE };

/*
 * What a task is, as it travels between ranks: fixed size, no pointers. `length` bytes follow it in
 * a message.
 */
struct task_head {
    uint64_t id;      /* chosen by whoever put it */
    uint32_t turn;    /* distinguishes tasks with the same origin and id */
    uint32_t length;  /* of the bytes */
    int32_t priority; /* higher runs first */
    int32_t target;   /* a rank or a node, by scope */
    int32_t origin;   /* rank of the server that answers for it; -1: nobody wants its result */
    uint32_t workers; /* how many it needs at once */
    uint16_t hop;     /* how often it has been given to a worker */
    uint8_t type;     /* below TASK_TYPES */
    uint8_t scope;    /* enum task_scope */
    uint8_t soft;     /* 1: the target is a preference */
    uint8_t unused[3];
};

/* A task in one piece of memory: free() it. */
struct task {
    struct task_head head;
    uint64_t key;         /* the queue's own: its place in the order */
    uint32_t at[2];       /* the queue's own: its place in its target's heap, and in all workers' */
    struct lane *lane[2]; /* the queue's own: the heaps; lane[0] is NULL when it is not queued */
    unsigned char bytes[];
};

/* A task with a copy of the bytes. */
struct task *task_new(const struct task_head *head, const void *bytes);

/* A worker that looks for a task. */
struct seeker {
    int rank, node;
    uint64_t types; /* one bit for each type that it takes */
};

struct queue;

/* An empty queue; queue_free() it. */
struct queue *queue_create(void);
/* Frees the queue and the tasks left in it. */
void queue_free(struct queue *queue);

/* Adds a task, and takes it over. `front`: before all others of its priority. */
void queue_add(struct queue *queue, struct task *take, bool front);

/* Removes the best task for a worker from the queue and gives it to the caller; NULL: none. */
struct task *queue_take(struct queue *queue, const struct seeker *seeker);

/* The task that queue_take() would give; it stays in the queue. */
const struct task *queue_look(const struct queue *queue, const struct seeker *seeker);

/* Removes a task from the queue and gives it to the caller. */
void queue_remove(struct queue *queue, struct task *task);

/* The task with this origin and turn, by a walk through all; it stays in the queue. NULL: none. */
struct task *queue_find(const struct queue *queue, int32_t origin, uint32_t turn);
/* Any task; it stays in the queue. NULL: there is none. */
struct task *queue_any(const struct queue *queue);
/* A task that is bound to this rank or node and does not merely prefer it; NULL: none. */
struct task *queue_bound(const struct queue *queue, enum task_scope scope, int target);

/* How many tasks there are. */
size_t queue_count(const struct queue *queue);
/* How many tasks of these types are not bound to a rank or a node. */
size_t queue_count_free(const struct queue *queue, uint64_t types);

#endif
