/*
 * rank.h - a rank that is an MPI process (private to this folder).
 *
 *   mpi.c       opening, the loop and how it sleeps, communicators; the table of the plug-in
 *   exchange.c  messages out and in
 *   end.c       how all ranks end together, also after deaths
 *   nodes.c     which rank is where
 *   clock.c     one clock for all ranks
 */
#ifndef COMM_MPI_RANK_H
#define COMM_MPI_RANK_H

#include "comm/backend.h"
#include "comm/loop.h"

#include <mpi.h>

enum {
    /*
     * Messages up to this size are sent in one piece, for which a receive is posted beforehand. The
     * size must be less than what every transport sends at once without asking the receiver (4 KiB
     * over shared memory): then a message arrives whole or not at all, even if its sender dies.
     */
    SMALL = 2048,
    POSTED = 64, /* number of receives posted for small messages */
};

/* Tags above the types of messages; MPI promises 32767. */
enum {
    TAG_TYPES = 32700, /* types of messages are below this */
    TAG_LARGE,         /* struct large: a body follows on its own communicator */
    TAG_REPORT,        /* end.c: to rank 0: I have ended; one byte: I know of deaths */
    TAG_END,           /* end.c: from rank 0: all have ended; one byte: there were deaths */
    TAG_PING,          /* end.c: are you alive? */
    TAG_PONG,
};

struct outgoing;
struct incoming;

struct posted {
    MPI_Request request;
    _Alignas(16) unsigned char bytes[SMALL];
};

struct rank {
    struct comm comm; /* first: the other files know the rank by it */
    double ahead;     /* seconds by which rank 0's clock is ahead of this node's */
    struct loop loop;
    struct comm_places places;
    struct comm_actor actor;
    char version[64];
    bool own;        /* MPI was initialised here, so it is finalised here */
    bool running;    /* in comm_mpi_run(): its loop keeps turning, so it can answer */
    bool closing;    /* what arrives is dropped */
    bool *forgotten; /* by rank: whether it was given up for dead */
    bool forgot;     /* a rank was forgotten since the last round */
    bool deaths;     /* some rank was forgotten, here or elsewhere */
    double idle_since;
    unsigned busy_rounds;

    /* Messages. Wildcard receives are posted on `small`, so nothing else may use it. */
    MPI_Comm small, large, groups;
    struct posted *posted; /* a ring: they are matched in the order in which they were posted */
    size_t head;           /* the next one to complete */
    uint64_t received;     /* number of messages received on `small` */
    uint64_t *sent;        /* number of messages sent on `small`, by receiver */
    struct outgoing **sends;
    size_t send_count, send_capacity, send_next;
    struct outgoing *spare;         /* records for small messages, kept for reuse */
    struct outgoing *lost;          /* messages to forgotten ranks, which may never complete */
    struct incoming *lost_incoming; /* the same from forgotten ranks */
    struct incoming *incoming; /* large messages and what must wait behind them, oldest first */
    struct incoming **incoming_end;
    uint64_t round;    /* number of rounds of receive_incoming() */
    uint64_t *blocked; /* by rank: the round in which an older message was not yet whole */
    struct str own_inbox, own_delivering;
    size_t own_next; /* offset of the next message in own_delivering */

    /* end.c */
    bool *reported; /* at rank 0, by rank: it has ended */
    double *heard;  /* by rank: when it last answered */
    bool told;      /* all have ended */
};

/* ---- exchange.c ---- */

/* Posts the receives; the communicators must exist. */
void exchange_create(struct rank *r);
/* Cancels the receives. No message may still be on its way. */
void exchange_destroy(struct rank *r);

/* Sends a message, whose bytes are copied. */
void exchange_send(struct rank *r, int to, int tag, const void *bytes, size_t length);
/* Delivers messages that have arrived, up to a limit; false if there were none. */
bool exchange_receive(struct rank *r);
/* Advances some of the messages being sent; false if none has left. */
bool exchange_progress(struct rank *r);

/* Sets ranks[i] for each rank i to which a message has not left yet. */
void exchange_mark_receivers(const struct rank *r, bool *ranks);

/* ---- mpi.c ---- */

/* One round of the loop: handles events, or sleeps if there are none. */
void rank_turn(struct rank *r);
/* Gives up on another rank: it counts as dead. */
void rank_forget(struct rank *r, int rank);

/* ---- end.c ---- */

/* Handles a message of the ending protocol. */
void end_message(struct rank *r, int from, int tag, const unsigned char *bytes);
/* Returns when every living rank has come here; r->deaths says how MPI can be left. */
void end_together(struct rank *r);

/* ---- nodes.c ---- */

/* Finds out which rank is on which node. All ranks take part. */
void nodes_find(struct rank *r);
/* Frees what nodes_find() allocated. */
void nodes_free(struct rank *r);

/* ---- clock.c ---- */

/* Sets r->ahead; the nodes must be known. All ranks take part. */
void clock_find(struct rank *r);

#endif
