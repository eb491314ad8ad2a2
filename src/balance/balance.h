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
    uint32_t label;   /* says in struct balance_stuck which task waits in vain for data */
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
struct balance_fault;
struct balance_stuck;

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
    /* An operation on a datum was impossible, and has been dropped. */
    void (*data_failed)(void *self, const struct balance_fault *fault);
    /*
     * All work is done, and `total` tasks still wait for data: this is about some of them. Called
     * before finished(), unless nobody waits or all tasks were withdrawn.
     */
    void (*stuck)(void *self, const struct balance_stuck *tasks, size_t count, uint64_t total);
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

/*
 * ---- data: values that are assigned once, and tasks that wait for them ----
 *
 * A datum belongs to one server, its home: that of the worker that made it. There are four kinds:
 *
 *   cell        gets one value
 *   array       gets values by key, each key once; a key is any bytes
 *   bag         gets values one after another
 *   updateable  a number that is changed until nobody may change it any more
 *
 * An array may hold rows: arrays and bags that are made when something is put into them. A row is a
 * datum with the label of its array, and closes with it.
 *
 * References. Whoever knows a datum has a reference to it: a running task, a task that waits, a
 * value that contains the datum's id. A datum without references is freed, and the references of
 * its values are given up. Tasks count their references by balance_data_count() before they hand
 * one on, and when they need one no more. References go from task to task by the `ids` of a value
 * or of balance_data_put() only, not by the bytes of balance_client_put(), a result or a note: a
 * home must have counted a reference before somebody else can give it up.
 *
 * Writers. Whoever may still put something into an array or a bag, or change an updateable, is
 * counted as one of its writers, and has a reference as well. Without writers, it closes.
 *
 * Wrong counts are reported when they are found out: see balance_fault.
 *
 * Order. What one task does to data of the same home happens in the order of its calls; but of the
 * counts that it changes between two flushes, increases come first and decreases last. A task that
 * is put finds that everything is done which was done before to the data in its `ids`.
 *
 * Only a worker that has a task, or is not ready yet, may call these functions. Operations are
 * collected. They are sent by balance_data_flush() and balance_flush(), with results, before the
 * worker says that it is ready, before balance_client_put(), and when a task runs on after task()
 * has returned. So a task that runs on should call balance_data_flush() after each of its events.
 *
 * What a dead worker had references to is never freed, and what it was to write never closes.
 */

enum balance_kind { BALANCE_CELL, BALANCE_ARRAY, BALANCE_BAG, BALANCE_UPDATEABLE };

/* Most bytes of a value or a key, and of a task with all its answers. */
static const uint64_t BALANCE_DATA_LIMIT = UINT32_MAX - 1;

/* A value: bytes that balance does not look into, and the data that they refer to. */
struct balance_value {
    const void *bytes;
    size_t length;
    const void *ids; /* uint64_t each, aligned for nothing: read them by balance_data_id() */
    size_t id_count;
};

/*
 * Makes a datum with one reference and, unless it is a cell, one writer. Returns its id, which is
 * never 0. An updateable starts as 0. The label names it in faults and in struct
 * balance_stuck_wait.
 */
uint64_t balance_data_new(struct balance_client *client, enum balance_kind kind, uint32_t label);

/* Changes the numbers of references and writers by so much; what cancels out is not sent. */
void balance_data_count(struct balance_client *client, uint64_t id, int references, int writers);

/* Gives a cell its value. This and the next two take over one reference to each id of the value. */
void balance_data_set(struct balance_client *client, uint64_t cell,
                      const struct balance_value *value);

/*
 * Puts a value into an array. Of several keys, all but the last lead through rows, which are made
 * if they do not exist yet.
 */
void balance_data_insert(struct balance_client *client, uint64_t array, const struct slice *keys,
                         size_t key_count, const struct balance_value *value);

/* Appends a value to a bag, or to the bag that lies in an array under these keys. */
void balance_data_append(struct balance_client *client, uint64_t bag, const struct slice *keys,
                         size_t key_count, const struct balance_value *value);

enum balance_update {
    BALANCE_UPDATE_SET, /* for the start: it does not commute with the others */
    BALANCE_UPDATE_ADD,
    BALANCE_UPDATE_MIN,
    BALANCE_UPDATE_SCALE,
};

/* Changes an updateable. */
void balance_data_update(struct balance_client *client, uint64_t id, enum balance_update how,
                         double number);

/* What a task may want to know of a datum, and when that is known. */
enum balance_want {
    BALANCE_WANT_VALUE,    /* of a cell: once it is set; of an updateable: once it is closed */
    BALANCE_WANT_MEMBERS,  /* of an array or a bag: once it is closed */
    BALANCE_WANT_MEMBER,   /* of an array with this key: once it is there, or the array is closed */
    BALANCE_WANT_EXISTS,   /* whether an array has a member with this key: at once */
    BALANCE_WANT_SNAPSHOT, /* the number of an updateable: at once */
};

/* What a task waits for. The datum is kept until the answer is known. */
struct balance_wait {
    uint64_t id;
    enum balance_want want;
    bool brief; /* the answer has no values, only how many there are */
    struct slice key;
};

/*
 * Puts a task that becomes available once all its waits are answered. `ids` are the data that its
 * bytes refer to; it takes over one reference for each, but no writers: count those before. What it
 * waits for need not be among them. The assignment has the answers behind the task's own bytes,
 * also if there are none: read it by balance_data_answers(). The task gets a reference for each id
 * in the answers. Nobody hears of its outcome.
 */
void balance_data_put(struct balance_client *client, const struct balance_task *task,
                      const struct balance_wait *waits, size_t wait_count, const uint64_t *ids,
                      size_t id_count);

/* Sends what was collected. */
void balance_data_flush(struct balance_client *client);

/* The bytes of an assignment that was put by balance_data_put(), and its answers. */
struct balance_answers {
    const unsigned char *bytes; /* those of the task */
    size_t length;
    size_t count; /* of the answers that were not read yet: one for each wait, in their order */
    const unsigned char *rest; /* where the next one is */
    size_t left;
};

struct balance_answer {
    bool present; /* false: the array has no such member */
    size_t count; /* of the values that were not read yet; brief: of those that were left out */
    const unsigned char *rest;
    size_t left;
};

/* A value in an answer. It lives as long as the bytes of the assignment. */
struct balance_member {
    struct slice key; /* in an array; the members of a bag have none, and come in their order */
    bool row;         /* it is a row: no bytes, and one id */
    struct balance_value value;
};

/* Starts to read an assignment. */
void balance_data_answers(struct balance_answers *answers, const void *bytes, size_t length);
/* Reads the next answer; false if there is none. */
bool balance_data_answer(struct balance_answers *answers, struct balance_answer *answer);
/*
 * Reads the next value of an answer, in no particular order; false if there is none. A cell has
 * one; that of an updateable is a double.
 */
bool balance_data_member(struct balance_answer *answer, struct balance_member *member);
/* One of the ids of a value. */
uint64_t balance_data_id(const struct balance_value *value, size_t index);

enum balance_fault_reason {
    BALANCE_FAULT_TWICE,     /* a cell or a key already has a value */
    BALANCE_FAULT_CLOSED,    /* it is closed */
    BALANCE_FAULT_KIND,      /* this kind of datum cannot do that */
    BALANCE_FAULT_UNKNOWN,   /* the datum is gone, or its references or writers were miscounted */
    BALANCE_FAULT_TOO_LARGE, /* a task has more answers than BALANCE_DATA_LIMIT */
};

/* An operation that was impossible. It lives during the call. */
struct balance_fault {
    enum balance_fault_reason reason;
    uint64_t id;              /* of the datum */
    uint32_t label;           /* its label (too large: the task's); 0: unknown */
    const struct slice *keys; /* of the member, or those that lead to the one that is in the way */
    size_t key_count;
};

/* Something that a task waits for in vain. */
struct balance_stuck_wait {
    uint64_t id;
    uint32_t label; /* of the datum */
    enum balance_want want;
    struct slice key;
};

/* A task that waits in vain. It lives during the call. */
struct balance_stuck {
    uint32_t label;
    const struct balance_stuck_wait *waits; /* without those that failed */
    size_t wait_count;
};

enum { BALANCE_STUCK_LIMIT = 1000 }; /* tasks, and waits, of which each server tells at most */

/*
 * How many data this server keeps; *bytes (bytes may be NULL): what they and their values take,
 * without the tasks that wait.
 */
size_t balance_data_held(const struct balance_server *server, size_t *bytes);

#endif
