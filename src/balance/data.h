/*
 * data.h - the data of balance.h from the inside (private to this room).
 *
 *   data_client.c  the worker's side: operations are collected into batches
 *   data_read.c    how values, keys and answers lie in a message
 *   data.c         the server's door: applies operations, or passes them to the home of their datum
 *   data_keep.c    the data of this server, and their values: when they close, when they go
 *   data_wait.c    tasks that wait, and the answers that release them
 *   data_peer.c    operations for other servers, and what is held back until these have arrived
 *   data_stuck.c   who still waits when all work is done
 *
 * Invariants, whenever no handler runs:
 *
 *   1. A datum has references, or waits keep it. If it is an array, a bag or an updateable and has
 *      no writers, it is closed. (Both are seen to at the end of each message.)
 *   2. No wait is in a list whose answer is known.
 *   3. The home of a datum hears of a reference before it can hear that this reference was given
 * up.
 *
 * The third is why things are held back. All that the workers of a server do goes through that
 * server, so the messages to a home are in the right order as long as a reference stays with this
 * server and its workers. Once it has left for another server, it may be given up there, and the
 * news of that may come first. So it leaves only after the home has said that all changes have
 * arrived which were sent to it until then. A reference leaves in a value for a datum of another
 * server (data.c holds the operation back), in an answer for another server, or in a task, which
 * may be stolen (data_wait.c). If it leaves for its home, it is in order as well.
 *
 * "All changes" are more than the counts: a task that gives up the last reference must not overtake
 * a value on its way to the datum, or a wait.
 */
#ifndef BALANCE_DATA_H
#define BALANCE_DATA_H

#include "balance/balance.h"
#include "balance/messages.h"
#include "balance/roles.h"
#include "base/base.h"

/* ---- on the wire ---- */

/*
 * A message is a sequence of operations. The batch of a worker has, in this order: increases of
 * counts, new data, all else, decreases of counts.
 */
enum data_operation {
    DATA_NEW,     /* detail: the kind; number: the label; data_counts follow */
    DATA_COUNT,   /* data_counts follow */
    DATA_SET,     /* a value follows */
    DATA_INSERT,  /* `number` keys and a value follow */
    DATA_APPEND,  /* likewise */
    DATA_UPDATE,  /* detail: how; a double follows */
    DATA_PUT,     /* data_put follows */
    DATA_WAIT,    /* between servers, like all below; data_wait follows */
    DATA_NOTICE,  /* id: the slot of the task; number: which wait; the answer follows */
    DATA_FENCE,   /* say when this message, number `id`, has been handled */
    DATA_ARRIVED, /* message number `id` has */
};

struct data_head {
    uint64_t id;     /* of the datum */
    uint64_t length; /* of what follows */
    uint32_t number;
    uint16_t operation, detail;
};

struct data_counts {
    int32_t references, writers;
};

/* The ids follow, then the bytes. */
struct data_value {
    uint32_t length, id_count;
};

/* Waits follow, then ids, then the bytes of the task. */
struct data_put {
    struct task_head head;
    uint32_t label, wait_count, id_count, unused;
};

/* The wait `number` of a task; the key follows. */
struct data_wait {
    uint64_t id;
    uint16_t want, brief;
    uint32_t slot; /* the task's, on its server */
    uint32_t number;
    uint32_t label; /* of the task */
};

/* An answer; its members follow, unless it is brief: 1 for a row, else 0; the key; the value. */
struct data_answer {
    uint64_t count, length;
    uint64_t present;
};

/* What ends the bytes of a task, behind its own bytes and the answers. */
struct data_trailer {
    uint32_t own_length, answers;
};

/* Tells of a fault; the keys follow. */
struct data_fault {
    uint64_t id;
    uint32_t reason, label, key_count, unused;
};

/* An id: above this many bits is the rank that made the datum, below how many it had made. */
enum { DATA_RANK_SHIFT = 40 };

/* Spreads ids, whose numbers begin at 1 on every rank, over a hash table. */
static inline size_t data_hash(uint64_t id)
{
    id *= UINT64_C(0x9e3779b97f4a7c15);
    id = (id ^ id >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (size_t)(id >> 32);
}

/* ---- reading: data_read.c ---- */

/* Reads a message from front to back. It is a BUG if the message is shorter than what is read. */
struct data_reader {
    const unsigned char *bytes;
    size_t length, at;
};

/* Copies the next `size` bytes. */
void data_read(struct data_reader *reader, void *out, size_t size);
/* The next `size` bytes; they stay where they are. */
const unsigned char *data_read_bytes(struct data_reader *reader, size_t size);
/* Reads the head of the next operation; false at the end. What follows is read by *body. */
bool data_read_operation(struct data_reader *reader, struct data_head *head,
                         struct data_reader *body);
/* Reads a value. */
struct balance_value data_read_value(struct data_reader *reader);
/* Reads a key behind its length. */
struct slice data_read_key(struct data_reader *reader);
/* Reads the keys of an operation; free() them. */
struct slice *data_read_keys(struct data_reader *reader, size_t count);
/* Appends a value. */
void data_write_value(struct str *out, const struct balance_value *value);
/* Appends a key behind its length. */
void data_write_key(struct str *out, struct slice key);

/* ---- the worker's side: data_client.c ---- */

struct data_client;

/* Collects operations for the server of this worker; data_client_free() it. */
struct data_client *data_client_create(struct comm *comm, const struct roles *roles);
/* Frees what was not sent. */
void data_client_free(struct data_client *client);
/* Sends what was collected. */
void data_client_flush(struct data_client *client);
/* That of a client, which may not be idle; made if there is none yet (client.c). */
struct data_client *data_client_of(struct balance_client *client);

/* ---- the server's side ---- */

struct data;
struct datum;
struct seat;
struct waiter;

/* Something that is held back until so many things have happened. */
struct hold {
    size_t missing;
    void (*go)(struct data *data, struct hold *hold); /* called when nothing is missing any more */
    void (*discard)(struct hold *hold); /* frees it at the end; NULL: somebody else will */
};

/* A wait of a task of this server, or for a datum of this server by one of another. */
struct wait {
    struct data_wait head;
    struct slice key;      /* within the task; free() it if there is no task */
    struct wait *next;     /* the next that waits for the same */
    struct datum *datum;   /* which it keeps; NULL: none, or none any more */
    struct waiter *waiter; /* NULL: its task is on the server ... */
    int server;            /* ... with this index */
    struct str answer;     /* if that came, or had to be written, before the task was released */
};

/* A task that waits for data, and then for messages to arrive. */
struct waiter {
    struct hold hold; /* first */
    uint32_t slot, label, wait_count;
    struct task_head head;
    unsigned char *memory; /* copy of what was put */
    const unsigned char *bytes;
    struct task *task; /* with its answers: it only waits for messages to arrive */
    struct wait waits[];
};

/* A value that is kept: the ids, then the bytes, here or elsewhere. */
enum { KEPT_SMALL = 16 };
struct kept {
    uint32_t length, id_count;
    union {
        unsigned char small[KEPT_SMALL];
        unsigned char *large;
    };
};

/* A key of an array: it has a value, or somebody waits for it or did in vain. */
struct data_member {
    uint32_t hash, key_length;
    bool present, row;
    union {
        struct kept value;
        struct wait *waits;
    };
    unsigned char key[];
};

/* The members of an array in the order in which their keys were first named. */
struct members {
    struct data_member **items;
    size_t count, capacity;
    size_t present;   /* number of those that have a value */
    uint32_t *places; /* a hash table of numbers of items, from 1; 0: free */
    size_t place_count;
};

struct bag {
    struct kept *items;
    size_t count, capacity;
};

struct datum {
    uint64_t id;
    uint32_t references, writers;
    uint32_t holds; /* number of waits that keep it */
    uint32_t label;
    uint8_t kind;       /* enum balance_kind */
    bool closed;        /* cell: it has its value */
    bool touched;       /* it may be about to close or to go */
    struct wait *waits; /* for it to close, the latest first */
    union {
        struct kept value;
        struct members *members; /* NULL: none yet */
        struct bag bag;
        double number;
    };
};

/* Somebody waits until message `number` has arrived. */
struct fence {
    uint64_t number;
    struct hold *hold;
};

/* The messages to another server. */
struct data_peer {
    struct str out;       /* operations of the next message */
    bool open;            /* there are some */
    uint64_t sent;        /* number of messages */
    uint64_t changed;     /* number of the last one with a change; the next one is sent + 1 */
    uint64_t asked;       /* the last one about which we asked whether it has arrived */
    uint64_t arrived;     /* the last one of which we know that it has */
    struct fence *fences; /* in the order of their numbers: a queue from `first` on */
    size_t first, count, capacity;
};

/* Batches of a worker that wait for the first of them. */
struct batches {
    struct batch *first, *last;
};

/* The data of a server, from the first operation on. */
struct data {
    struct balance_server *server;
    struct datum **places; /* a hash table by id with open addressing */
    size_t count, place_count;
    size_t bytes;           /* of all data and values */
    uint64_t made;          /* number of rows */
    struct datum **touched; /* those that data_settle() looks at */
    size_t touched_count, touched_capacity;

    struct waiter **waiters; /* by slot; NULL: free */
    size_t waiter_count, slots, slot_capacity;
    uint32_t *free_slots;
    size_t free_count, free_capacity;

    struct data_peer *peers; /* by index */
    int *open;               /* indexes of those with operations to send */
    int open_count;
    struct batches *batches; /* by seat */
    bool ending;             /* everything is being freed: references do not matter */
    struct str stuck;        /* on the first server: what all servers report */
    uint64_t stuck_total;
};

/* data.c */
/* The data of a server; made if there are none yet. */
struct data *data_of(struct balance_server *server);
/* Frees everything; data may be NULL. */
void data_free(struct data *data);
/* The index of the server that is the home of a datum. */
int data_home(const struct data *data, uint64_t id);
/* Handles the batch of a worker. */
void data_batch(struct balance_server *server, const struct seat *seat,
                const struct comm_message *message);
/* Handles the operations of another server. */
void data_message(struct balance_server *server, const struct comm_message *message);
/* Tells the owner that an operation on a datum of this server was impossible. */
void data_fail(struct data *data, enum balance_fault_reason reason, uint64_t id);
/* The same with all that is known about it. */
void data_tell_fault(struct data *data, const struct balance_fault *fault);
/* Handles the news of another server that an operation was impossible. */
void data_failed(struct balance_server *server, const struct comm_message *message);

/* data_keep.c */
/* Zeroed memory that counts; data_deallocate() it with the same size. */
void *data_allocate(struct data *data, size_t size);
/* Frees memory; it may be NULL. */
void data_deallocate(struct data *data, void *memory, size_t size);
/* Like memory_grow(), for memory that counts. */
void *data_grow(struct data *data, void *items, size_t *capacity, size_t need, size_t size);
/* A copy of a value, which takes over its references. data_unkeep() it. */
struct kept data_keep(struct data *data, const struct balance_value *value);
/* A value as it is kept. */
struct balance_value data_view(const struct kept *kept);
/* Frees a value and gives up its references. */
void data_unkeep(struct data *data, struct kept *kept);
/* Gives up the references of a value that is not kept. */
void data_drop_value(struct data *data, const struct balance_value *value);
/* The datum with this id, of this server; NULL: there is none. */
struct datum *data_find(const struct data *data, uint64_t id);
/* True for one that is not of this kind, or may not be written any more. It may be NULL. */
bool data_refuses(const struct datum *datum, enum balance_kind kind,
                  enum balance_fault_reason *reason);
/* Makes a datum. */
struct datum *data_make(struct data *data, uint64_t id, enum balance_kind kind, uint32_t label,
                        struct data_counts counts);
/* Changes the counts of a datum, here or elsewhere. */
void data_count(struct data *data, uint64_t id, struct data_counts change);
/* Notes that a datum may be about to close or to go. Must be called after every change. */
void data_touch(struct data *data, struct datum *datum);
/* A wait no longer keeps its datum. */
void data_unhold(struct data *data, struct datum *datum);
/* Gives a cell its value. */
void data_set(struct data *data, uint64_t id, const struct balance_value *value);
/* Changes an updateable. */
void data_update(struct data *data, uint64_t id, enum balance_update how, double number);
/* Closes and frees what is about to. */
void data_settle(struct data *data);
/* Frees all data, at the end. */
void data_keep_free(struct data *data);

/* data_array.c */
/* The member of an array with this key; NULL: nobody has named it. */
struct data_member *data_member(const struct datum *array, struct slice key);
/* The same; it is made if there is none. */
struct data_member *data_member_open(struct data *data, struct datum *array, struct slice key);
/* Puts a value into an array, or drops it. */
void data_insert(struct data *data, uint64_t id, const struct slice *keys, size_t key_count,
                 const struct balance_value *value);
/* Appends a value to a bag, or drops it. */
void data_append(struct data *data, uint64_t id, const struct slice *keys, size_t key_count,
                 const struct balance_value *value);
/* An array has closed: its rows close, and nobody waits for a member any more. */
void data_close_members(struct data *data, struct datum *array);
/* Frees the members of an array. */
void data_free_members(struct data *data, struct datum *array);
/* Frees the values of a bag. */
void data_free_bag(struct data *data, struct datum *bag);

/* data_wait.c */
/* Takes a task of one of our workers. */
void data_put(struct data *data, struct data_reader *body);
/* Takes a wait of the server with this index. */
void data_take_wait(struct data *data, int server, struct data_reader *body);
/* Takes the answer to a wait. */
void data_take_notice(struct data *data, const struct data_head *head, struct data_reader *body);
/* Answers all waits of a list. */
void data_answer_all(struct data *data, struct wait *waits);
/* True for a wait for a datum of this server whose answer is not known. */
bool data_waits_here(const struct wait *wait);
/* Frees those of a list that belong to other servers, at the end. */
void data_waits_free(struct wait *waits);
/* Frees all tasks that wait, at the end. */
void data_waiters_free(struct data *data);

/* data_peer.c */
/* Adds an operation for the server with this index. `change`: of what a reference may need. */
void data_pass(struct data *data, int index, const struct data_head *head, const void *body,
               bool change);
/* Lets something wait until all changes for this server have arrived there, if need be. */
void data_hold(struct data *data, struct hold *hold, int index);
/* True if data_hold() would let it wait. */
bool data_unsettled(const struct data *data, int index);
/* One thing less is missing. */
void data_unmiss(struct data *data, struct hold *hold);
/* Messages have arrived at this server. */
void data_arrived(struct data *data, int index, uint64_t number);
/* Sends what was added. */
void data_flush(struct data *data);
/* Frees what was held back. */
void data_peers_free(struct data *data);

/* data_stuck.c */
/* All work is done: tells the first server who still waits. */
void data_report(struct balance_server *server);
/* Takes the report of another server. */
void data_stuck(struct balance_server *server, const struct comm_message *message);
/* Tells the owner, after all servers have reported. */
void data_tell_stuck(struct balance_server *server);

#endif
