/*
 * balance - hand tasks to workers, and bring the results back, over any number of ranks.
 *
 * A task is an id and bytes that balance does not look into; so is a result. Some ranks are servers
 * (rank 0 always), the others are workers; each worker has one server, on its node where possible.
 * Work is pulled: a worker that has nothing to do asks its server, a server without work asks other
 * servers, and the first asks its owner for new tasks only then. So a search decides as late as it
 * can and with all results that are there. docs/balance.md tells how servers share, how workers are
 * gathered, how the end is found, and what happens when a worker dies.
 *
 * A task that was put has exactly one outcome: a result, or "returned" (it never began), "lost"
 * (its worker died) or "refused" (it needs more workers than there are).
 *
 * Short tasks travel in batches, so that a message is not longer on its way than its tasks take:
 * the server measures how long tasks take and gives each worker about BATCH_SECONDS of work. What a
 * task takes is a guess, so no task waits behind a long one: a worker whose task goes on for longer
 * gives the rest of its batch back, and others get it.
 *
 * Server and client are event handlers: they act on a message or a timer and return.
 */
#ifndef BALANCE_BALANCE_H
#define BALANCE_BALANCE_H

#include "base/base.h"
#include "comm/comm.h"

/* What all ranks of a job must agree on. Zeros are the defaults. */
struct balance_rules {
    int servers;       /* 0: one for each 256 ranks; 2 ranks a server at least */
    double lost_after; /* seconds of silence after which a rank is given up for dead; 0: never */
    unsigned batch;    /* tasks that a worker gets at once, at most; 0: 512 */
    uint64_t memory;   /* bytes of the key-value space on each server; 0: 1 GiB */
};

/* Workers are numbered from 1 in the order of their ranks; servers have no number. */
bool balance_serves(const struct balance_rules *rules, int size, int rank);
int balance_servers(const struct balance_rules *rules, int size);
int balance_workers(const struct balance_rules *rules, int size);
int balance_worker_number(const struct balance_rules *rules, int size, int rank);
int balance_worker_rank(const struct balance_rules *rules, int size, int worker);

enum balance_where { BALANCE_ANYWHERE, BALANCE_WORKER, BALANCE_NODE };

enum { BALANCE_TYPES = 64, BALANCE_PRIORITY_LIMIT = 1 << 23 };

struct balance_task {
    uint64_t id; /* means something to who puts it; of tasks under way, each has its own */
    const void *bytes;
    size_t length;
    int type;                 /* below BALANCE_TYPES; workers say which types they take */
    int priority;             /* higher runs first; within -BALANCE_PRIORITY_LIMIT .. limit-1 */
    enum balance_where where; /* bound to `target`, a worker or a node; nobody else gets it ... */
    bool prefer;              /* ... or preferring it: others get it only when they ask first */
    int target;
    unsigned workers; /* that it needs at once, on as few nodes as possible; 0 is 1 */
};

/* How a task ended. */
enum balance_outcome {
    BALANCE_DONE,
    BALANCE_BACK, /* withdrawn or cancelled before it began, or at the end nobody could take it */
    BALANCE_LOST, /* a worker that had it died, or the one that it was bound to */
    BALANCE_REFUSED, /* it needs more workers than there are */
};

/* ---- the server ---- */

struct balance_server;

/*
 * What a server tells its owner. On rank 0 the owner is the driver; on other servers only
 * server_lost() and finished() are called. Handlers may be NULL, and may call the functions below.
 */
struct balance_owner {
    void *self;
    /* Workers are idle: put up to `count` tasks now, if there are any. */
    void (*wanted)(void *self, size_t count);
    /* A task goes to a worker; 0: to another server, and if it runs for long, it is said again. */
    void (*given)(void *self, uint64_t id, int worker);
    /*
     * The outcome of a task; the bytes are valid during the call. worker: who had it last, 0:
     * nobody had. A task that is put again with the same id is a new one.
     */
    void (*ended)(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length);
    /* A worker's note: see balance_note(); the bytes are valid during the call. */
    void (*noted)(void *self, int worker, const unsigned char *bytes, size_t length);
    /* A worker was given up for dead; what it had is lost, which is told next. */
    void (*worker_lost)(void *self, int worker);
    /* A server was: the job cannot go on. All workers were told so, if they are alive. */
    void (*server_lost)(void *self, int rank);
    /* All workers have left after balance_finish(); `left` tasks that nobody could take remain. */
    void (*finished)(void *self, size_t left);
};

/* Call it on every rank that serves. */
struct balance_server *balance_create(struct comm *comm, const struct balance_rules *rules,
                                      const struct balance_owner *owner);
/* Comm may be gone before. */
void balance_free(struct balance_server *server);

/* Takes a message for this rank. */
void balance_message(struct balance_server *server, const struct comm_message *message);

/* Queues a task; the bytes are copied. Rank 0 only, as all that follows. */
void balance_put(struct balance_server *server, const struct balance_task *task);

/*
 * The workers that run a task together, the first one first, from given() until its outcome; NULL
 * when it has one worker only. free() it.
 */
int *balance_members(const struct balance_server *server, uint64_t id, unsigned *count);

/* Tasks that were put and have no outcome yet. */
size_t balance_open(const struct balance_server *server);

/*
 * Cancels a task: it is returned when no worker has it, else its worker is told to end it, and what
 * comes of that is its result. Unknown ids are ignored.
 */
void balance_cancel(struct balance_server *server, uint64_t id);

/* Returns all tasks that no worker has, here and on all servers, also those that are put later. */
void balance_withdraw(struct balance_server *server);

/* Tells workers to end what they run at once; the results come as usual. */
void balance_interrupt(struct balance_server *server);

/* The owner will put no more: when all work is done, the workers are sent home. */
void balance_finish(struct balance_server *server);

/* ---- the client: on each worker ---- */

struct balance_client;

/* A task that a worker is to run. The bytes are good during the call, the ranks until it is done.
 */
struct balance_assignment {
    uint64_t id;
    int type;
    const unsigned char *bytes;
    size_t length;
    unsigned workers;     /* how many run it together */
    unsigned index;       /* which of them this is, from 0; the result of the first counts */
    const int32_t *ranks; /* of all of them, by index */
};

/* What the client tells the worker. */
struct balance_worker {
    void *self;
    uint64_t types; /* a bit for each type that it takes */
    bool waits;     /* it says itself when it wants a task, by balance_ready() */
    /* Run this task; call balance_done() now or later. Tasks come one at a time. */
    void (*task)(void *self, const struct balance_assignment *task);
    /* End the running task at once. */
    void (*interrupt)(void *self);
    /* A task that was given but not started, and was interrupted: append its result. */
    void (*dropped)(void *self, uint64_t id, struct str *result);
    /* The outcome of a task that this worker put. May be NULL. */
    void (*ended)(void *self, uint64_t id, enum balance_outcome outcome, const unsigned char *bytes,
                  size_t length);
    /* There is no more work. */
    void (*finish)(void *self);
    /* The server is gone, or has given this worker up: end at once, and tell nobody. */
    void (*orphaned)(void *self);
};

struct balance_client *balance_join(struct comm *comm, const struct balance_rules *rules,
                                    const struct balance_worker *worker);
/* Says goodbye to the server, from finish(); an orphan says nothing. */
void balance_leave(struct balance_client *client);
/* Comm may be gone before. */
void balance_client_free(struct balance_client *client);
void balance_client_message(struct balance_client *client, const struct comm_message *message);

/* Of a worker that waits: it has nothing to do, and gets a task when there is one. */
void balance_ready(struct balance_client *client);

/*
 * The result of the task that runs. Where the worker does not wait, the next task starts before
 * this returns, if there is one.
 */
void balance_done(struct balance_client *client, const void *bytes, size_t length);

/* Of a worker that waits: sends results that are held back until it is ready. */
void balance_flush(struct balance_client *client);

/*
 * Tells the first server's owner something about the task that runs. Notes arrive in their order,
 * and before the task's result, over any number of servers.
 */
void balance_note(struct balance_client *client, const void *bytes, size_t length);

/*
 * Puts a task, while the worker has one, or before it is ready: an idle worker puts nothing, so
 * that the end can be found. `answer`: this worker wants to know its outcome.
 */
void balance_client_put(struct balance_client *client, const struct balance_task *task,
                        bool answer);

/*
 * ---- the key-value space: from each worker ----
 *
 * Values by key in the memory of the servers: trials exchange weights here instead of through
 * files. What one worker asks about one key happens in the order in which it was asked.
 *
 * Each put gives a key its next version: 1, 2, 3, ... (or from a larger one on, where many keys
 * were deleted). A key never gets the same version twice, not even when it was deleted in between.
 * So who waits for a version above the one it knows gets a newer value or none.
 */

enum {
    BALANCE_STORE_KEY_LIMIT = 512,       /* bytes of a key: any but 0, at least one */
    BALANCE_STORE_VALUE_LIMIT = 1 << 30, /* bytes of a value, and of the answer to a list */
    BALANCE_STORE_PENDING_LIMIT = 65536, /* requests of a worker that are not yet answered */
};

/* What a put may expect of the key, besides a version. */
static const uint64_t BALANCE_STORE_ANY = 0, BALANCE_STORE_NEW = UINT64_MAX;

enum balance_store_state {
    BALANCE_STORE_OK,
    BALANCE_STORE_ABSENT,    /* there is no value with this key */
    BALANCE_STORE_CONFLICT,  /* the key has another version than the put expected */
    BALANCE_STORE_FULL,      /* the server's memory is used up */
    BALANCE_STORE_TOO_LARGE, /* the value (list: the answer) is beyond the limit */
    BALANCE_STORE_BAD_KEY,   /* the key is empty, too long, or has a zero byte */
    BALANCE_STORE_BUSY,      /* too many requests are under way */
    BALANCE_STORE_CANCELLED, /* a wait; no handler ever sees it */
};

/* A key with its version and the size of its value. */
struct balance_store_item {
    struct slice key;
    uint64_t version, size;
};

/* All of it lives until the handler returns. */
struct balance_store_answer {
    enum balance_store_state state;
    uint64_t version; /* of the value; of a put: the new one; at a conflict: that of the key */
    const unsigned char *bytes; /* get, wait: the value, aligned for nothing */
    size_t length;
    const struct balance_store_item *items; /* list: sorted by key */
    size_t count;
    const char *message; /* why it was refused: BALANCE_STORE_FULL and up; else "" */
};

typedef void balance_store_handler(void *self, const struct balance_store_answer *answer);

/* The key-value space as this worker sees it; it lives and dies with the client. */
struct balance_store;
struct balance_store *balance_store(struct balance_client *client);

/*
 * Each of these sends a request and returns its number, never 0. The handler is called once, later,
 * also when the request is refused at once. Keys and values are copied.
 *
 * put     OK and the new version. `expected` is the version that the key must have, _NEW: it must
 *         have no value, _ANY: no matter; else CONFLICT and the version that it has, 0: no value
 * get     OK, the value and its version, or ABSENT
 * wait    the same as get, as soon as the key has a value with a version above `known`
 * delete  OK and the version that went, or ABSENT
 * list    the keys that begin with the prefix. Each server tells what it has when it is asked: puts
 *         and deletes that happen meanwhile may be in it or not. The servers walk through all keys
 */
uint64_t balance_store_put(struct balance_store *store, struct slice key, const void *bytes,
                           size_t length, uint64_t expected, balance_store_handler *handler,
                           void *self);
uint64_t balance_store_get(struct balance_store *store, struct slice key,
                           balance_store_handler *handler, void *self);
uint64_t balance_store_wait(struct balance_store *store, struct slice key, uint64_t known,
                            balance_store_handler *handler, void *self);
uint64_t balance_store_delete(struct balance_store *store, struct slice key,
                              balance_store_handler *handler, void *self);
uint64_t balance_store_list(struct balance_store *store, struct slice prefix,
                            balance_store_handler *handler, void *self);

/* The handler of this wait is not called any more. Nothing happens if it was already. */
void balance_store_cancel(struct balance_store *store, uint64_t wait);

/* Requests that are not yet answered, waits (cancelled ones, too) among them or not. */
size_t balance_store_pending(const struct balance_store *store, bool with_waits);

#endif
