/*
 * balance - hand tasks to workers, and bring the results back, over any number of ranks.
 *
 * A task is an id and bytes that balance does not look into; so is a result. Some ranks are servers
 * (rank 0 always), the others are workers; each worker has one server, on its own node if possible.
 * Work is pulled: a worker with nothing to do asks its server, a server without work asks other
 * servers, and only then the first server asks its owner for new tasks. So a search decides as late
 * as possible, with all results that have arrived. docs/balance.md explains how servers share, how
 * teams are gathered, how the end is detected, and what happens when a worker dies.
 *
 * Every task that is put has exactly one outcome: a result, "returned" (it never started), "lost"
 * (its worker died) or "refused" (it needs more workers than there are).
 *
 * Short tasks travel in batches, so that a message does not take longer than its tasks: the server
 * measures how long tasks take and gives each worker about BATCH_SECONDS of work. This is a guess,
 * so no task waits behind a long one: a worker whose task takes longer gives the rest of its batch
 * back, and others get it.
 *
 * Server and client are event handlers: they act on a message or a timer and return.
 */
#ifndef BALANCE_BALANCE_H
#define BALANCE_BALANCE_H

#include "base/base.h"
#include "comm/comm.h"

/* Settings on which all ranks of a job must agree. Zeros are the defaults. */
struct balance_rules {
    int servers;       /* 0: one for every 256 ranks; at least 2 ranks per server */
    double lost_after; /* seconds of silence after which a rank counts as dead; 0: never */
    unsigned batch;    /* most tasks that a worker gets at once; 0: 512 */
    uint64_t memory;   /* bytes of the key-value space on each server; 0: 1 GiB */
};

/* True when this rank, of `size` ranks, is a server. */
bool balance_serves(const struct balance_rules *rules, int size, int rank);
/* How many of `size` ranks are servers. */
int balance_servers(const struct balance_rules *rules, int size);
/* How many of `size` ranks are workers. */
int balance_workers(const struct balance_rules *rules, int size);
/* The number of a worker: they count from 1 in the order of their ranks, without the servers. */
int balance_worker_number(const struct balance_rules *rules, int size, int rank);
/* The rank of a worker by its number. */
int balance_worker_rank(const struct balance_rules *rules, int size, int worker);

enum balance_where { BALANCE_ANYWHERE, BALANCE_WORKER, BALANCE_NODE };

enum { BALANCE_TYPES = 64, BALANCE_PRIORITY_LIMIT = 1 << 23 };

struct balance_task {
    uint64_t id; /* chosen by whoever puts it; unique among the tasks under way */
    const void *bytes;
    size_t length;
    int type;                 /* below BALANCE_TYPES; a worker says which types it takes */
    int priority;             /* higher runs first; within -BALANCE_PRIORITY_LIMIT .. limit-1 */
    enum balance_where where; /* bound to `target`, a worker or a node; nobody else gets it ... */
    bool prefer;              /* ... or preferring it: others get it only when they ask first */
    int target;
    unsigned workers; /* that it needs at once, on as few nodes as possible; 0 is 1 */
};

/* How a task ended. */
enum balance_outcome {
    BALANCE_DONE,
    BALANCE_BACK,    /* withdrawn or cancelled before it started, or nobody could take it */
    BALANCE_LOST,    /* a worker that had it, or to which it was bound, has died */
    BALANCE_REFUSED, /* it needs more workers than there are */
};

/* ---- the server ---- */

struct balance_server;

/*
 * What a server tells its owner. On rank 0 the owner is the driver; on other servers, only
 * server_lost() and finished() are called. Handlers may be NULL, and may call the functions below.
 */
struct balance_owner {
    void *self;
    /* Workers are idle: put up to `count` tasks now, if you have any. */
    void (*wanted)(void *self, size_t count);
    /* A task goes to a worker; 0: to another server, and is reported again if it runs for long. */
    void (*given)(void *self, uint64_t id, int worker);
    /*
     * The outcome of a task; the bytes are valid during the call. `worker` had it last; 0: nobody
     * did. A task that is put again with the same id is a new one.
     */
    void (*ended)(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length);
    /* A worker's note: see balance_note(); the bytes are valid during the call. */
    void (*noted)(void *self, int worker, const unsigned char *bytes, size_t length);
    /* A worker counts as dead; what it had is lost, which ended() reports next. */
    void (*worker_lost)(void *self, int worker);
    /* A server counts as dead: the job cannot go on. All living workers have been told. */
    void (*server_lost)(void *self, int rank);
    /* All workers have left after balance_finish(); nobody could take `left` tasks. */
    void (*finished)(void *self, size_t left);
};

/* Creates the server of this rank: on every rank that serves. balance_free() it. */
struct balance_server *balance_create(struct comm *comm, const struct balance_rules *rules,
                                      const struct balance_owner *owner);
/* Frees the server; comm may have been closed before. */
void balance_free(struct balance_server *server);

/* Handles a message for this rank. */
void balance_message(struct balance_server *server, const struct comm_message *message);

/* Queues a task, whose bytes are copied. This and all that follows is for rank 0 only. */
void balance_put(struct balance_server *server, const struct balance_task *task);

/*
 * The team that runs a task, its first worker first, from given() until the outcome; NULL if the
 * task has only one worker. free() it.
 */
int *balance_members(const struct balance_server *server, uint64_t id, unsigned *count);

/* Changes how many tasks a worker of this server gets at most at once: see balance_rules. */
void balance_limit_batch(struct balance_server *server, unsigned most);

/* The number of tasks that were put and have no outcome yet. */
size_t balance_open(const struct balance_server *server);

/*
 * Cancels a task: it is returned if no worker has it; otherwise its worker is told to end it, and
 * what comes of that is its result. Unknown ids are ignored.
 */
void balance_cancel(struct balance_server *server, uint64_t id);

/* Returns all tasks that no worker has, on all servers, including those that are put later. */
void balance_withdraw(struct balance_server *server);

/* Tells the workers to end at once what they run; the results come as usual. */
void balance_interrupt(struct balance_server *server);

/* Says that the owner will put no more tasks: once all work is done, the workers are sent home. */
void balance_finish(struct balance_server *server);

/* ---- the client: on each worker ---- */

struct balance_client;

/* A task for a worker to run. The bytes are valid during the call, the ranks until it is done. */
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
    bool waits;     /* it asks for each task by balance_ready() */
    /* Run this task; call balance_done() now or later. Tasks come one at a time. */
    void (*task)(void *self, const struct balance_assignment *task);
    /* End the running task at once. */
    void (*interrupt)(void *self);
    /* A task was interrupted before it started: append its result. */
    void (*dropped)(void *self, uint64_t id, struct str *result);
    /* The outcome of a task that this worker put. May be NULL. */
    void (*ended)(void *self, uint64_t id, enum balance_outcome outcome, const unsigned char *bytes,
                  size_t length);
    /* There is no more work. */
    void (*finish)(void *self);
    /* The server is dead, or takes this worker for dead: end at once and tell nobody. */
    void (*orphaned)(void *self);
};

/* Joins the server of this rank: on every worker. balance_client_free() the client. */
struct balance_client *balance_join(struct comm *comm, const struct balance_rules *rules,
                                    const struct balance_worker *worker);
/* Says goodbye to the server, from finish(); an orphan says nothing. */
void balance_leave(struct balance_client *client);
/* Frees the client; comm may have been closed before. */
void balance_client_free(struct balance_client *client);
/* Handles a message for this rank. */
void balance_client_message(struct balance_client *client, const struct comm_message *message);

/* For a worker that waits: it has nothing to do, and gets a task as soon as there is one. */
void balance_ready(struct balance_client *client);

/*
 * Gives the result of the running task. Unless the worker waits, its next task, if there is one,
 * starts before this returns.
 */
void balance_done(struct balance_client *client, const void *bytes, size_t length);

/* For a worker that waits: sends results that would be held back until it is ready. */
void balance_flush(struct balance_client *client);

/*
 * Tells the first server's owner something about the running task. Notes arrive in order and before
 * the task's result, over any number of servers.
 */
void balance_note(struct balance_client *client, const void *bytes, size_t length);

/*
 * Puts a task, while the worker has one or before it is ready: an idle worker puts nothing, so that
 * the end can be detected. `answer`: this worker wants to know the outcome.
 */
void balance_client_put(struct balance_client *client, const struct balance_task *task,
                        bool answer);

/*
 * ---- the key-value space: from each worker ----
 *
 * Values by key in the memory of the servers: trials exchange weights here instead of through
 * files. What one worker asks about one key happens in the order of its requests.
 *
 * Each put gives a key its next version: 1, 2, 3, ... (starting higher if many keys were deleted).
 * A key never gets the same version twice, not even if it was deleted in between. So whoever waits
 * for a version above the one it knows gets a newer value or none.
 */

enum {
    BALANCE_STORE_KEY_LIMIT = 512,       /* bytes of a key: at least one, none of them 0 */
    BALANCE_STORE_VALUE_LIMIT = 1 << 30, /* bytes of a value, and of the answer to a list */
    BALANCE_STORE_PENDING_LIMIT = 65536, /* unanswered requests of a worker */
};

/* What a put may expect of the key instead of a version. */
static const uint64_t BALANCE_STORE_ANY = 0, BALANCE_STORE_NEW = UINT64_MAX;

enum balance_store_state {
    BALANCE_STORE_OK,
    BALANCE_STORE_ABSENT,    /* there is no value with this key */
    BALANCE_STORE_CONFLICT,  /* the key has another version than the put expected */
    BALANCE_STORE_FULL,      /* the server's memory is used up */
    BALANCE_STORE_TOO_LARGE, /* the value (list: the answer) exceeds the limit */
    BALANCE_STORE_BAD_KEY,   /* the key is empty, too long, or has a zero byte */
    BALANCE_STORE_BUSY,      /* too many requests are under way */
    BALANCE_STORE_CANCELLED, /* a wait; no handler ever sees it */
};

/* A key with its version and the size of its value. */
struct balance_store_item {
    struct slice key;
    uint64_t version, size;
};

/* All of this lives until the handler returns. */
struct balance_store_answer {
    enum balance_store_state state;
    uint64_t version;           /* of the value; put: the new one; conflict: that of the key */
    const unsigned char *bytes; /* get, wait: the value, aligned for nothing */
    size_t length;
    const struct balance_store_item *items; /* list: sorted by key */
    size_t count;
    const char *message; /* why it was refused: BALANCE_STORE_FULL and up; else "" */
};

typedef void balance_store_handler(void *self, const struct balance_store_answer *answer);

struct balance_store;

/* The key-value space as this worker sees it; it lives and dies with the client. */
struct balance_store *balance_store(struct balance_client *client);

/*
 * Each of the following sends a request and returns its number, which is never 0. The handler is
 * called once, later, even if the request is refused at once. Keys and values are copied.
 */

/*
 * Puts a value: OK and the new version. `expected` is the version that the key must have, _NEW if
 * it must have no value, _ANY if it does not matter; otherwise CONFLICT and the version it has, 0
 * for none.
 */
uint64_t balance_store_put(struct balance_store *store, struct slice key, const void *bytes,
                           size_t length, uint64_t expected, balance_store_handler *handler,
                           void *self);
/* Gets a value: OK, the value and its version, or ABSENT. */
uint64_t balance_store_get(struct balance_store *store, struct slice key,
                           balance_store_handler *handler, void *self);
/* Like get, but answers as soon as the key has a version above `known`. */
uint64_t balance_store_wait(struct balance_store *store, struct slice key, uint64_t known,
                            balance_store_handler *handler, void *self);
/* Like wait, but answers with the version alone; a get may then find a later one, or none. */
uint64_t balance_store_await(struct balance_store *store, struct slice key, uint64_t known,
                             balance_store_handler *handler, void *self);
/* Deletes a value: OK and the version that was deleted, or ABSENT. */
uint64_t balance_store_delete(struct balance_store *store, struct slice key,
                              balance_store_handler *handler, void *self);
/*
 * Lists the keys that start with the prefix. Each server says what it has when it is asked: puts
 * and deletes that happen meanwhile may be seen or not. The servers walk through all their keys.
 */
uint64_t balance_store_list(struct balance_store *store, struct slice prefix,
                            balance_store_handler *handler, void *self);

/* Cancels a wait: its handler will not be called. Nothing happens if it has been already. */
void balance_store_cancel(struct balance_store *store, uint64_t wait);

/* The number of unanswered requests, with or without waits (including cancelled ones). */
size_t balance_store_pending(const struct balance_store *store, bool with_waits);

#endif
