/*
 * server.h - a server from the inside (private to this room).
 *
 *   server.c  the door: passes messages and the owner's requests to whoever handles them
 *   ledger.c  the tasks that were put here: each gets one outcome
 *   seats.c   the workers of this server: who is idle, who has which tasks
 *   steal.c   tasks from and to other servers
 *   gather.c  tasks that need a team of workers
 *   alive.c   who has been silent for too long
 *   end.c     whether all work is done
 *   data.h    values that tasks wait for: data*.c
 *
 * Invariant of every server whenever no handler runs: no worker is idle while a task that it could
 * take waits here.
 */
#ifndef BALANCE_SERVER_H
#define BALANCE_SERVER_H

#include "balance/balance.h"
#include "balance/messages.h"
#include "balance/queue.h"
#include "balance/roles.h"
#include "balance/store.h"

/*
 * Guards against races can be removed one by one to see that a test fails without them:
 * tests/unit/balance is built with BALANCE_WITHOUT set to each of their names.
 */
enum guard { GUARD_NONE, GUARD_COUNTS, GUARD_PARKED, GUARD_HOLD, GUARD_LATE, GUARD_SETTLED };
#ifndef BALANCE_WITHOUT
#define BALANCE_WITHOUT GUARD_NONE
#endif
#define GUARD(name) (BALANCE_WITHOUT != (name))

/* ---- the tasks that were put here: ledger.c ---- */

enum { LEDGER_OWNER = -1, LEDGER_NOBODY = -2 };

struct ledger_entry {
    uint64_t id;
    uint32_t turn;  /* 0: the place is free */
    int32_t client; /* who wants the outcome: a worker's rank, LEDGER_OWNER or LEDGER_NOBODY */
    int32_t rank;   /* the worker that has it; -1: none */
    uint16_t hop;   /* that of the news that said so */
    bool left;      /* the owner was told that it went to another server */
    bool cancelled;
};

struct ledger {
    struct ledger_entry *entries; /* a hash table by turn, with open addressing */
    size_t count, capacity;
    uint32_t turns; /* tasks put so far */
};

/* ---- the workers of this server: seats.c ---- */

enum seat_state {
    SEAT_AWAY, /* has not joined yet */
    SEAT_IDLE,
    SEAT_BUSY,
    SEAT_HELD, /* idle, and kept for a team */
    SEAT_GONE, /* has left, or is dead */
};

/* A task that a worker has. */
struct holding {
    uint64_t id;
    struct task_name name;
    uint16_t hop;
    bool shared; /* a team has it */
    bool told;   /* its origin knows that this worker has it, or need not know */
};

struct seat {
    struct seeker seeker; /* rank, node, types */
    enum seat_state state;
    bool after_team;                 /* its last task was a team's */
    struct holding *holding;         /* in the order in which they were given */
    uint32_t first, count, capacity; /* holding[first .. first+count-1] */
    double heard;                    /* when its last message came */
    int next, last; /* neighbours in the list of idle seats: indexes, -1 at the ends */
};

/* ---- other servers: steal.c ---- */

struct peer {
    uint64_t asked;              /* the kinds in our request that it has not answered yet */
    bool parked;                 /* we have not answered its request yet */
    struct steal_item *requests; /* what a parked request asks for */
    size_t request_count, request_capacity;
    double heard;
    bool closed; /* it has sent its workers home or is dead */
};

/* ---- tasks that need several workers: gather.c, on the first server only ---- */

/* The workers that run one task together. */
struct team {
    struct task *task;
    int32_t *ranks;
    bool *absent;      /* by index: done or dead */
    unsigned present;  /* number of members that have not answered */
    bool lost;         /* a member died: the task ends when the others have */
    struct str result; /* of the first member */
};

struct pooled {
    int32_t rank, node;
    uint64_t types;
};

struct gathering {
    struct task **waiting; /* tasks that wait for workers: a queue from waiting_first on */
    size_t waiting_first, waiting_count, waiting_capacity;
    struct pooled *pool; /* workers held for them */
    size_t pool_count, pool_capacity;
    struct reserve_head asked; /* what all servers were asked to hold */
    struct team *teams;
    size_t team_count, team_capacity;
    int alive[TASK_TYPES]; /* living workers that have joined, by type */
    int expected;          /* workers that have neither joined nor died */
    struct member {        /* by rank */
        uint64_t types;
        bool joined, dead;
    } * members;
};

/* ---- the end: end.c ---- */

struct ending {
    bool finishing;          /* the owner puts no more */
    bool closing;            /* all work is done: workers are sent home */
    bool closed;             /* our workers have left */
    uint64_t sent, received; /* numbers of counted messages */
    uint64_t wave;           /* the wave that we have not answered yet; 0: none */
    /* on the first server: */
    uint64_t waves;                /* number of waves so far */
    int answers;                   /* number of answers to the last one */
    struct check_head sum, before; /* of this wave and the one before */
    int servers_closed;
    size_t left; /* number of tasks that nobody could take */
};

struct balance_server {
    struct comm *comm;
    struct balance_rules rules;
    struct balance_owner owner;
    struct roles roles;
    int rank, index;
    struct store *store;
    struct data *data; /* NULL until the first operation on data */

    struct queue *queue; /* tasks that wait here, for one worker each */
    struct ledger ledger;
    bool withdrawn; /* tasks that no worker has are returned */

    struct seat *seats;
    int seat_count;
    int present; /* number of seats that are not gone */
    int idle_first, idle_last;
    size_t idle_count;
    size_t idle_types[TASK_TYPES]; /* number of idle seats that take this type */
    uint64_t idle_any;             /* one bit for each type that any of them takes */
    uint64_t news_timer;           /* when origins are told next what they should know; 0: none */
    double seconds;                /* how long a task takes: a moving average; 0: not known */
    struct reserve_head reserve;   /* what the first server wants to be held */
    bool *dead;                    /* by rank: workers that count as dead, here or elsewhere */

    struct str outgoing; /* a message to `outgoing_to` that is being assembled */
    int outgoing_to;
    enum balance_message outgoing_type;
    struct peer *peers;       /* by index */
    size_t parked_count;      /* number of peers with a parked request */
    size_t parked_tasks;      /* number of tasks that they want */
    struct steal_item *kinds; /* kinds of workers that have been idle; `count`: how many are now */
    size_t kind_count, kind_capacity;
    uint64_t idle_kinds; /* kinds that are idle, and perhaps some that no longer are */
    int favourite;       /* the peer that gave last; -1: none */
    bool ask_pending;    /* a peer was asked and has not said yet whether it has something */
    struct random random;

    struct gathering gathering;
    struct ending ending;
    bool handling; /* an event is being handled: its consequences come at its end */
    bool feeding;
    uint64_t alive_timer; /* 0: nobody is watched */
    double alive_due;     /* when to check next who is alive */
};

/* server.c */
/* Sends to another server and counts the message. To this server, it arrives as a message, too. */
void server_send(struct balance_server *s, int rank, enum balance_message type, const void *bytes,
                 size_t length);
/* Sends to all servers but this one. */
void server_send_all(struct balance_server *s, enum balance_message type, const void *bytes,
                     size_t length);
/* Adds an item to a message of many, which is sent at the end of this event at the latest. */
void server_add(struct balance_server *s, int rank, enum balance_message type, const void *head,
                size_t head_length, const void *bytes, size_t length);
/* Sends the message that is being assembled, if there is one. */
void server_flush(struct balance_server *s);
/* True on the first server, which is rank 0. */
bool server_is_first(const struct balance_server *s);
/* Draws the consequences of an event: feeds idle workers and checks for the end. */
void server_settle(struct balance_server *s);
/* Places a task that belongs here: with a worker, in the queue, or back if all is withdrawn. */
void server_take(struct balance_server *s, struct task *take, bool front);
/* Tells the owner that a worker is dead. */
void server_tell_lost(struct balance_server *s, int rank);
/* Takes all tasks of a message. */
void server_take_all(struct balance_server *s, const struct comm_message *message);
/* Takes a new task, which goes to where it belongs. `client` as in struct ledger_entry. */
void server_put(struct balance_server *s, struct task *take, int client);
/* Sends a new task to the server where it belongs. */
void server_route(struct balance_server *s, struct task *take);

/* ledger.c */
/* Enters a new task; `client` as in struct ledger_entry. Returns its name. */
struct task_name ledger_add(struct balance_server *s, uint64_t id, int client);
/* Frees the entries. */
void ledger_free(struct ledger *ledger);
/* True when the task has no outcome yet. */
bool ledger_has(const struct balance_server *s, uint32_t turn);
/* Notes that a task leaves for another server, where a worker will get it. */
void ledger_left(struct balance_server *s, const struct task_head *head);
/* Tells the origin of a task that a worker of this server has it. */
void ledger_given(struct balance_server *s, struct holding *held, int rank);
/* Tells the origin the outcome of a task, here or elsewhere. */
void ledger_tell(struct balance_server *s, const struct answer_head *answer,
                 const unsigned char *bytes);
/* Ends a task that was put here: removes it and tells whoever wants the outcome. */
void ledger_end(struct balance_server *s, const struct answer_head *answer,
                const unsigned char *bytes);
/* Handles news about tasks that were put here. */
void ledger_news(struct balance_server *s, const struct comm_message *message);
/* The entry of the owner's task with this id; NULL: none. */
struct ledger_entry *ledger_find_id(struct balance_server *s, uint64_t id);
/* Ends a task that has no worker with this outcome. */
void ledger_discard(struct balance_server *s, struct task *take, enum balance_outcome outcome);

/* seats.c */
/* Makes a seat for each worker of this server. */
void seats_create(struct balance_server *s);
/* Frees the seats. */
void seats_free(struct balance_server *s);
/* Cancels the timers: all workers have left. */
void seats_stop(struct balance_server *s);
/* The seat of a worker; NULL: it is not one of ours. */
struct seat *seat_of(struct balance_server *s, int rank);
/* A worker joins, and takes tasks of these types. */
void seat_join(struct balance_server *s, struct seat *seat, uint64_t types);
/* A worker becomes idle. */
void seat_idle(struct balance_server *s, struct seat *seat);
/* Removes a seat from the list of idle ones. */
void seat_unlist(struct balance_server *s, struct seat *seat);
/* Handles the results of a worker. */
void seat_results(struct balance_server *s, struct seat *seat, const struct comm_message *message);
/* Handles tasks that a worker gives back, because one takes long. */
void seat_returned(struct balance_server *s, struct seat *seat, const struct comm_message *message);
/* A worker has said goodbye. */
void seat_gone(struct balance_server *s, struct seat *seat);
/* A worker counts as dead: what it had is lost. */
void seat_lost(struct balance_server *s, struct seat *seat);
/* Gives a task to this seat, and takes it over. `ranks`: of the team; NULL: the seat alone. */
void seat_give(struct balance_server *s, struct seat *seat, struct task *take,
               const int32_t *ranks);
/* A worker of any server is dead: what is bound to it is lost. */
void seats_departed(struct balance_server *s, int rank);
/* True when tasks bound to a node may still be taken. */
bool node_has_workers(const struct balance_server *s, int node);
/* An idle seat that may take this task, if possible the one it prefers; NULL: none. */
struct seat *seats_for(struct balance_server *s, const struct task_head *head);
/* Tells our workers to end this task; origin -1: all tasks. */
void seats_interrupt(struct balance_server *s, struct task_name name);
/* Restores the invariant: asks the owner, feeds idle workers, then other servers. */
void seats_feed(struct balance_server *s);
/* How many tasks a worker runs in BATCH_SECONDS, whatever the rules say about batches. */
size_t seats_ahead(const struct balance_server *s);

/* steal.c */
/* Asks another server for tasks, if workers are idle. */
void steal_ask(struct balance_server *s);
/* Notes that a worker of this kind has become idle. */
void steal_note_idle(struct balance_server *s, const struct seeker *seeker);
/* Handles the request of another server. */
void steal_message(struct balance_server *s, const struct comm_message *message);
/* Handles tasks from another server. */
void steal_gift(struct balance_server *s, const struct comm_message *message);
/* Handles the answer that another server has nothing yet. */
void steal_nothing(struct balance_server *s, const struct comm_message *message);
/* How many tasks parked requests ask for. */
size_t steal_wanted(const struct balance_server *s);
/* Answers parked requests with tasks that wait here; true if any was. */
bool steal_serve(struct balance_server *s);
/* Frees requests and kinds. */
void steal_free(struct balance_server *s);

/* gather.c */
/* Prepares the gathering of teams. */
void gather_create(struct balance_server *s);
/* Frees waiting tasks and teams. */
void gather_free(struct balance_server *s);
/* Queues a task for a team, and takes it over. */
void gather_put(struct balance_server *s, struct task *take);
/* A worker has joined some server. */
void gather_arrived(struct balance_server *s, const struct comm_message *message);
/* A server holds these workers for us. */
void gather_held(struct balance_server *s, const struct comm_message *message);
/* A member of a team has ended its task. */
void gather_member_done(struct balance_server *s, const struct answer_head *answer,
                        const unsigned char *bytes);
/* A worker is dead: it leaves the pool, and its teams end. */
void gather_departed(struct balance_server *s, const struct pooled *departed);
/* Cancels a waiting task or that of a team. */
void gather_cancel(struct balance_server *s, struct task_name name);
/* Returns all waiting tasks. */
void gather_withdraw(struct balance_server *s);
/* True when tasks wait, teams run or workers are held. */
bool gather_pending(const struct balance_server *s);

/* The following are for every server. */

/* The first server wants workers to be held. */
void gather_reserve(struct balance_server *s, const struct comm_message *message);
/* Some of our workers start the task of their team. */
void gather_begin(struct balance_server *s, const struct comm_message *message);
/* A held worker is not needed. */
void gather_release(struct balance_server *s, const struct comm_message *message);
/* Holds idle seats for teams, as far as they are wanted. */
void gather_hold(struct balance_server *s);
/* True when a seat that becomes idle is wanted for a team; it is then held. */
bool gather_claims(struct balance_server *s, struct seat *seat);

/* alive.c */
/* Starts watching, if the rules say so. */
void alive_start(struct balance_server *s);
/* Stops watching. */
void alive_stop(struct balance_server *s);
/* Notes that a message has come from this rank. */
void alive_heard(struct balance_server *s, int rank);
/* Handles the news that a server is dead: the job is over. */
void alive_broken(struct balance_server *s, const struct comm_message *message);
/* Handles a sign of life or the answer to one; false: the message is neither. */
bool alive_message(struct balance_server *s, const struct comm_message *message);

/* end.c */
/* Checks after each event whether this server is quiet, or all are. */
void end_look(struct balance_server *s);
/* The first server asks whether this one is quiet. */
void end_check(struct balance_server *s, const struct comm_message *message);
/* A server is quiet, and has sent and received so many messages. */
void end_quiet(struct balance_server *s, const struct comm_message *message);
/* Sends the workers of this server home. */
void end_close(struct balance_server *s);
/* The workers of another server have left. */
void end_closed(struct balance_server *s, const struct comm_message *message);

#endif
