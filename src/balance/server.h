/*
 * server.h - a server from the inside (private to this room).
 *
 *   server.c  the door: messages and the owner's wishes, to who handles them
 *   ledger.c  the tasks that were put here: each gets one outcome
 *   seats.c   the workers of this server: who is idle, who has which tasks
 *   steal.c   tasks from and to other servers
 *   gather.c  tasks that need several workers at once
 *   alive.c   who is silent for too long
 *   end.c     whether all work is done
 *
 * Invariant of every server, whenever no handler runs: no worker is idle while a task waits here
 * that it could take.
 */
#ifndef BALANCE_SERVER_H
#define BALANCE_SERVER_H

#include "balance/balance.h"
#include "balance/messages.h"
#include "balance/queue.h"
#include "balance/roles.h"
#include "balance/store.h"

/*
 * Guards against races can be taken out one by one, to see that a test fails without them:
 * tests/unit/balance is built with BALANCE_WITHOUT set to each of their names.
 */
enum guard { GUARD_NONE, GUARD_COUNTS, GUARD_PARKED, GUARD_HOLD, GUARD_LATE };
#ifndef BALANCE_WITHOUT
#define BALANCE_WITHOUT GUARD_NONE
#endif
#define GUARD(name) (BALANCE_WITHOUT != (name))

/* ---- the tasks that were put here: ledger.c ---- */

enum { LEDGER_OWNER = -1, LEDGER_NOBODY = -2 };

struct ledger_entry {
    uint64_t id;
    uint32_t turn; /* 0: the place is free */
    int32_t
        client;   /* the worker's rank that put it, LEDGER_OWNER, or LEDGER_NOBODY: who wants it */
    int32_t rank; /* of the worker that has it; -1: none */
    uint16_t hop; /* of the news that said so */
    bool left;    /* the owner was told that it went to another server */
    bool cancelled;
};

struct ledger {
    struct ledger_entry *entries; /* a hash table by turn, with open addressing */
    size_t count, capacity;
    uint32_t turns; /* so far */
};

/* ---- the workers of this server: seats.c ---- */

enum seat_state {
    SEAT_AWAY, /* has not joined yet */
    SEAT_IDLE,
    SEAT_BUSY,
    SEAT_HELD, /* idle, and kept for a task that needs several workers */
    SEAT_GONE, /* has left, or is dead */
};

/* A task that a worker has. */
struct holding {
    uint64_t id;
    struct task_name name;
    uint16_t hop;
    bool shared; /* with other workers */
    bool told;   /* its origin knows that this worker has it, or need not */
};

struct seat {
    struct seeker seeker; /* rank, node, types */
    enum seat_state state;
    bool after_team;                 /* its last task was shared with others */
    struct holding *holding;         /* in the order in which they were given */
    uint32_t first, count, capacity; /* holding[first .. first+count-1] */
    double heard;                    /* when its last message came */
    int next, last;                  /* in the list of idle seats: indexes, -1 at the ends */
};

/* ---- other servers: steal.c ---- */

struct peer {
    uint64_t asked; /* the kinds that our request speaks of which lies there, unanswered */
    bool parked;    /* its request lies here, unanswered */
    struct steal_item *requests; /* of a parked one */
    size_t request_count, request_capacity;
    double heard;
    bool closed; /* it has sent its workers home, or is dead */
};

/* ---- tasks that need several workers: gather.c, on the first server only ---- */

struct team {
    struct task *task;
    int32_t *ranks;
    bool *absent;      /* by index: done, or dead */
    unsigned present;  /* members that have not answered */
    bool lost;         /* a member died: it has ended when the others have */
    struct str result; /* of the first member */
};

struct pooled {
    int32_t rank, node;
    uint64_t types;
};

struct gathering {
    struct task **waiting; /* the tasks that wait for workers: a queue from waiting_first on */
    size_t waiting_first, waiting_count, waiting_capacity;
    struct pooled *pool; /* workers that are held for them */
    size_t pool_count, pool_capacity;
    struct reserve_head asked; /* what all servers were asked to hold */
    struct team *teams;
    size_t team_count, team_capacity;
    int alive[TASK_TYPES]; /* workers that joined and live, by type */
    int expected;          /* workers that have not joined yet, nor died */
    struct member {        /* by rank */
        uint64_t types;
        bool joined, dead;
    } * members;
};

/* ---- the end: end.c ---- */

struct ending {
    bool finishing;          /* the owner puts no more */
    bool closing;            /* all work is done: workers are sent home */
    bool closed;             /* ours have left */
    uint64_t sent, received; /* counted messages */
    uint64_t wave;           /* that we were asked about and have not answered; 0: none */
    /* on the first server: */
    uint64_t waves;                /* so far */
    int answers;                   /* to the last one */
    struct check_head sum, before; /* of this wave and the one before */
    int servers_closed;
    size_t left; /* tasks that nobody could take */
};

struct balance_server {
    struct comm *comm;
    struct balance_rules rules;
    struct balance_owner owner;
    struct roles roles;
    int rank, index;
    struct store *store;

    struct queue *queue; /* tasks that wait here, for one worker each */
    struct ledger ledger;
    bool withdrawn; /* tasks that no worker has go back */

    struct seat *seats;
    int seat_count;
    int present; /* seats that are not gone */
    int idle_first, idle_last;
    size_t idle_count;
    size_t idle_types[TASK_TYPES]; /* idle seats that take this type */
    uint64_t idle_any;             /* a bit for each type that one of them takes */
    uint64_t news_timer;           /* of the next look at what origins should know; 0: none */
    double seconds;                /* that a task takes: a moving mean; 0: not known */
    struct reserve_head reserve;   /* what the first server wants held */
    bool *dead;                    /* by rank: workers that were given up, here or elsewhere */

    struct str outgoing; /* a message to `outgoing_to` that is being put together */
    int outgoing_to;
    enum balance_message outgoing_type;
    struct peer *peers;       /* by index */
    size_t parked_count;      /* peers with a parked request, */
    size_t parked_tasks;      /* and the tasks that they want */
    struct steal_item *kinds; /* of workers that were idle so far; counts: of those that are */
    size_t kind_count, kind_capacity;
    uint64_t idle_kinds; /* that are idle, and perhaps some that are not any more */
    int favourite;       /* the peer that gave last; -1: none */
    bool ask_pending;    /* someone was asked, and has not said yet whether it has something */
    struct random random;

    struct gathering gathering;
    struct ending ending;
    bool handling; /* an event is being handled: what follows from it comes at its end */
    bool feeding;
    uint64_t alive_timer; /* 0: nobody is watched */
    double alive_due;     /* when the next look at who lives is to be */
};

/* server.c */
/* Sends to another server and counts it. To this one: it comes back as a message as well. */
void server_send(struct balance_server *s, int rank, enum balance_message type, const void *bytes,
                 size_t length);
void server_send_all(struct balance_server *s, enum balance_message type, const void *bytes,
                     size_t length); /* to all servers but this one */
/* Adds an item to a message of many, which leaves at the end of this event at the latest. */
void server_add(struct balance_server *s, int rank, enum balance_message type, const void *head,
                size_t head_length, const void *bytes, size_t length);
void server_flush(struct balance_server *s);
bool server_is_first(const struct balance_server *s);
/* What follows from an event: idle workers are fed, and the end may have come. */
void server_settle(struct balance_server *s);
/* A task that belongs here: to a worker, into a queue, or back when everything is withdrawn. */
void server_take(struct balance_server *s, struct task *take, bool front);
/* Tells the owner that a worker is dead. */
void server_tell_lost(struct balance_server *s, int rank);
/* All tasks of a message. */
void server_take_all(struct balance_server *s, const struct comm_message *message);
/* A new task, to the server where it belongs. */
void server_route(struct balance_server *s, struct task *take);

/* ledger.c */
struct task_name ledger_add(struct balance_server *s, uint64_t id, int client);
void ledger_free(struct ledger *ledger);
bool ledger_has(const struct balance_server *s, uint32_t turn);
/* A task leaves for another server, where a worker will have it. */
void ledger_left(struct balance_server *s, const struct task_head *head);
/* A worker of this server has a task: tells its origin. */
void ledger_given(struct balance_server *s, struct holding *held, int rank);
/* Tells the origin the outcome of a task, here or elsewhere. */
void ledger_tell(struct balance_server *s, const struct answer_head *answer,
                 const unsigned char *bytes);
void ledger_end(struct balance_server *s, const struct answer_head *answer,
                const unsigned char *bytes);
void ledger_news(struct balance_server *s, const struct comm_message *message);
struct ledger_entry *ledger_find_id(struct balance_server *s, uint64_t id);
/* A task without a worker comes to this end. */
void ledger_discard(struct balance_server *s, struct task *take, enum balance_outcome outcome);

/* seats.c */
void seats_create(struct balance_server *s);
void seats_free(struct balance_server *s);
void seats_stop(
    struct balance_server *s); /* nobody is there any more: no timer fires from now on */
struct seat *seat_of(struct balance_server *s, int rank); /* NULL: not ours */
void seat_join(struct balance_server *s, struct seat *seat, uint64_t types);
void seat_idle(struct balance_server *s, struct seat *seat);
void seat_unlist(struct balance_server *s, struct seat *seat); /* from the idle ones */
void seat_results(struct balance_server *s, struct seat *seat, const struct comm_message *message);
void seat_returned(struct balance_server *s, struct seat *seat, const struct comm_message *message);
void seat_gone(struct balance_server *s, struct seat *seat);
void seat_lost(struct balance_server *s, struct seat *seat);
/* Gives a task to this seat alone; `ranks`: of a shared one. Takes the task. */
void seat_give(struct balance_server *s, struct seat *seat, struct task *take,
               const int32_t *ranks);
/* A worker is dead, of this server or another: what is bound to it is lost. */
void seats_departed(struct balance_server *s, int rank);
/* Whether tasks bound to a node may still be taken. */
bool node_has_workers(const struct balance_server *s, int node);
/* An idle seat that may take this task, the one that it prefers first; NULL: none. */
struct seat *seats_for(struct balance_server *s, const struct task_head *head);
void seats_interrupt(struct balance_server *s, struct task_name name); /* origin -1: all */
/* Makes the invariant hold: asks the owner, feeds idle workers, then other servers. */
void seats_feed(struct balance_server *s);
/* Tasks that a worker runs in BATCH_SECONDS, whatever the rules say of a batch. */
size_t seats_ahead(const struct balance_server *s);

/* steal.c */
void steal_ask(struct balance_server *s);
void steal_note_idle(struct balance_server *s, const struct seeker *seeker);
void steal_message(struct balance_server *s, const struct comm_message *message);
void steal_gift(struct balance_server *s, const struct comm_message *message);
void steal_nothing(struct balance_server *s, const struct comm_message *message);
size_t steal_wanted(const struct balance_server *s); /* by parked requests */
bool steal_serve(struct balance_server *s);          /* true when a gift was made */
void steal_free(struct balance_server *s);

/* gather.c */
void gather_create(struct balance_server *s);
void gather_free(struct balance_server *s);
void gather_put(struct balance_server *s, struct task *take);
void gather_arrived(struct balance_server *s, const struct comm_message *message);
void gather_held(struct balance_server *s, const struct comm_message *message);
void gather_member_done(struct balance_server *s, const struct answer_head *answer,
                        const unsigned char *bytes);
void gather_departed(struct balance_server *s, const struct pooled *departed);
void gather_cancel(struct balance_server *s, struct task_name name);
void gather_withdraw(struct balance_server *s);
bool gather_pending(const struct balance_server *s);
/* on every server: */
void gather_reserve(struct balance_server *s, const struct comm_message *message);
void gather_begin(struct balance_server *s, const struct comm_message *message);
void gather_release(struct balance_server *s, const struct comm_message *message);
/* Holds idle seats for a gathering, as far as it wants them. */
void gather_hold(struct balance_server *s);
/* True when a seat that becomes idle is to be held for a gathering; it is, then. */
bool gather_claims(struct balance_server *s, struct seat *seat);

/* alive.c */
void alive_start(struct balance_server *s);
void alive_stop(struct balance_server *s);
void alive_heard(struct balance_server *s, int rank);
void alive_broken(struct balance_server *s, const struct comm_message *message);
/* True for a sign of life or its answer; it is answered. */
bool alive_message(struct balance_server *s, const struct comm_message *message);

/* end.c */
void end_look(struct balance_server *s); /* after each event */
void end_check(struct balance_server *s, const struct comm_message *message);
void end_quiet(struct balance_server *s, const struct comm_message *message);
void end_close(struct balance_server *s);
void end_closed(struct balance_server *s, const struct comm_message *message);

#endif
