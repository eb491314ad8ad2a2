/*
 * wick.h - master-worker programs in C over MPI: put tasks, get tasks, answer them.
 *
 *     struct wick *w;
 *     struct wick_assignment task;
 *     wick_init(&w, NULL);
 *     if (wick_rank(w) == 0)
 *         ... wick_put() the first tasks ...
 *     while (wick_get(w, &task) == 0)
 *         ... do it, wick_put() more tasks, wick_answer() ...
 *     wick_finalize(w);
 *
 * Start it with mpiexec or srun as at least 2 processes. The program may use MPI itself (it is then
 * linked with it) or know nothing of it. All processes run the same code. Some of them, one for
 * every 256 and always rank 0, are servers: they keep the tasks and hand them out. The others are
 * clients, numbered from 0. On a server, the first call that does something (wick_put() and all
 * below it) serves until all work is done, and from then on every call returns WICK_DONE;
 * wick_rank() is -1 there. So your code needs no special case for servers, but must not ask more of
 * them: between wick_init() and the end of the work, collective MPI calls over all processes would
 * wait for them.
 *
 * All work is done when every client is in wick_get() (or has left by wick_finalize()) and no task
 * is left that one of them could take. Nobody has to say so.
 *
 * Functions return 0 or a code of enum wick_code: positive codes describe a situation, negative
 * ones are errors, and wick_error() then says in a sentence what is wrong. Use one thread. Messages
 * move while clients are inside these functions; a large task, answer or value (beyond a few
 * kilobytes) may need that, so what was put just before a long computation can reach others late. A
 * process that dies ends the job, as in any MPI program; so does running out of memory.
 */
#ifndef WICK_H
#define WICK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum wick_code {
    WICK_DONE = 1,     /* all work is done: nothing happened */
    WICK_PENDING = 2,  /* wick_poll(): not yet */
    WICK_ABSENT = 3,   /* there is no value with this key */
    WICK_CONFLICT = 4, /* the key has another version than the put expected; nothing happened */
    WICK_SYSTEM = -1,  /* MPI or the machine refused */
    WICK_MISUSE = -2,  /* a mistake in the call: nothing happened */
    WICK_FULL = -3,    /* the memory of the key-value space is used up: nothing happened */
    WICK_LEFT = -4,    /* wick_finalize(): tasks were left that nobody could take */
};

enum {
    WICK_TYPES = 64,               /* of tasks: 0 .. 63 */
    WICK_PRIORITY_LIMIT = 1 << 23, /* priorities are within -limit .. limit-1 */
    WICK_BYTES_LIMIT = 1 << 30,    /* of a task, an answer, a value */
    WICK_KEY_LIMIT = 512,          /* bytes of a key, without its final zero */
};

/* ---- start and end ---- */

struct wick; /* this process' part of the job: one per process, from wick_init() on */

/* Must be the same on all processes. Zeros are the defaults. */
struct wick_options {
    int servers;     /* 0: one for every 256 processes; at most half of the processes */
    uint64_t memory; /* bytes of the key-value space on each server; 0: 1 GiB */
};

/*
 * Starts; all processes call it, once. MPI is initialised unless it has been. options: NULL for the
 * defaults. *w is set in any case: after a failure it can only be passed to wick_error().
 */
int wick_init(struct wick **w, const struct wick_options *options);

/*
 * Ends; all processes call it, and it waits for all of them. MPI is finalised if wick_init() has
 * initialised it. A client that calls it before wick_get() has returned WICK_DONE leaves, and the
 * others go on without it: tasks for several clients must not need it any more. WICK_LEFT: on
 * client 0, if tasks were left (nobody takes their type, or the client they are bound to has left);
 * on a client that put tasks for more clients than take their type. Afterwards w can only be passed
 * to wick_error().
 */
int wick_finalize(struct wick *w);

/* What was wrong with the last call that failed, in a sentence; "" if none has. Never NULL. */
const char *wick_error(const struct wick *w);

/* ---- where we are ---- */

/* The number of this client, from 0; -1: this process is a server. */
int wick_rank(const struct wick *w);
/* How many clients there are. */
int wick_size(const struct wick *w);

/* How many nodes there are; they are numbered from 0. */
int wick_nodes(const struct wick *w);
/* The node of a client; -1: there is no such client. */
int wick_node(const struct wick *w, int client);
/* The name of a node, which lives until wick_finalize(); NULL: there is no such node. */
const char *wick_node_name(const struct wick *w, int node);

/* ---- tasks ---- */

enum wick_where { WICK_ANYWHERE, WICK_CLIENT, WICK_NODE };

/* A task to put. Zeros are the defaults. */
struct wick_task {
    const void *bytes; /* what is to be done; only your code knows what it means */
    size_t length;
    int type;              /* a client can say which types it takes */
    int priority;          /* higher ones go first */
    enum wick_where where; /* bound to `target`, a client or a node: nobody else gets it ... */
    int target;
    int prefer;       /* ... or, if not 0, preferring it: others get it if they ask first */
    unsigned clients; /* how many do it together, on as few nodes as possible; 0 is 1 */
    int answer;       /* not 0: this client will ask for the answer, by wick_result() */
};

/* A task to do. */
struct wick_assignment {
    const void *bytes; /* aligned as by malloc(); valid until the next wick_get() */
    size_t length;
    int type;
    int from;         /* the client that put it */
    unsigned clients; /* how many do it together */
    unsigned index;   /* which of them this is, from 0; the answer of the first counts */
};

/*
 * Sets which types this client takes, one bit each: (uint64_t)1 << type. The default is all; with 0
 * it gets no task. Only before the first of the calls below.
 */
int wick_take_types(struct wick *w, uint64_t types);

/*
 * Puts a task, whose bytes are copied. *id, unless NULL, names it for wick_result(); 0 if no answer
 * is wanted. WICK_MISUSE: its fields are out of range, or no set of clients could do it.
 */
int wick_put(struct wick *w, const struct wick_task *task, uint64_t *id);

/*
 * Waits for the next task of this client. If the previous one has not been answered, it is answered
 * with no bytes. WICK_DONE: there is no more work for anybody.
 */
int wick_get(struct wick *w, struct wick_assignment *task);

/*
 * Answers, once, the task that this client got last. The bytes are copied and sent with the next
 * call that waits, usually wick_get(). If the client that put the task wants no answer, it is
 * discarded.
 */
int wick_answer(struct wick *w, const void *bytes, size_t length);

/* Sends an answer now: only needed if you compute between wick_answer() and wick_get(). */
int wick_flush(struct wick *w);

enum wick_outcome {
    WICK_ANSWERED,
    WICK_RETURNED, /* nobody took it before the end of all work */
    WICK_REFUSED,  /* it needs more clients than take its type */
};

/* The outcome of a task that this client put. */
struct wick_result {
    uint64_t id;
    enum wick_outcome outcome;
    const void *bytes; /* of the answer; aligned as by malloc(); valid until the next such call */
    size_t length;
};

/*
 * Waits for the answer to the task `id`, or with 0 to any task. Each answer is delivered once, also
 * after the end of all work. WICK_DONE: there are no more answers. While a client waits here it
 * does no tasks, so there must be others that do.
 */
int wick_result(struct wick *w, uint64_t id, struct wick_result *result);
/* The same without waiting: WICK_PENDING if there is no answer yet. */
int wick_poll(struct wick *w, uint64_t id, struct wick_result *result);

/*
 * Makes a communicator of the clients that do the current task, in the order of their index; all of
 * them must call it. `communicator` points to an MPI_Comm of `size` bytes. A second call gives the
 * same one again. It belongs to Wick and is freed when the task is answered, which all members do.
 */
int wick_communicator(struct wick *w, void *communicator, size_t size);

/*
 * ---- values by key, in the memory of the servers ----
 *
 * Tasks exchange data here, such as weights. A key is a text of 1 to WICK_KEY_LIMIT bytes. Each put
 * gives a key its next version, which it has never had before, even if it was deleted in between;
 * the first is usually 1. All values are gone at the end of all work. Each call waits for its
 * answer.
 */

/* What a put may expect of the key instead of a version. */
#define WICK_ANY ((uint64_t)0)
#define WICK_NEW UINT64_MAX

/* The bytes are aligned as by malloc(), and valid until the next call of a wick_store function. */
struct wick_value {
    const void *bytes;
    size_t length;
    uint64_t version;
};

/*
 * Puts a value, whose bytes are copied. `expected` is the version that the key must have, WICK_NEW
 * if it must have no value, or WICK_ANY. *version, unless NULL, is the new version; with
 * WICK_CONFLICT it is that of the key, 0 if it has no value.
 */
int wick_store_put(struct wick *w, const char *key, const void *bytes, size_t length,
                   uint64_t expected, uint64_t *version);

/* Gets the value of a key, or WICK_ABSENT. */
int wick_store_get(struct wick *w, const char *key, struct wick_value *value);

/* Waits until the key has a version above `known`, which may be 0, and gets it. */
int wick_store_wait(struct wick *w, const char *key, uint64_t known, struct wick_value *value);

/* Deletes the value of a key, or WICK_ABSENT. */
int wick_store_delete(struct wick *w, const char *key);

struct wick_item {
    const char *key;
    uint64_t version, length;
};

/*
 * Lists the keys that start with the prefix, sorted; what others put meanwhile may be missing.
 * *items are valid until the next call of a wick_store function.
 */
int wick_store_list(struct wick *w, const char *prefix, const struct wick_item **items,
                    size_t *count);

#ifdef __cplusplus
}
#endif

#endif
