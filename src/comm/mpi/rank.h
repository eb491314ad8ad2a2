/*
 * rank.h - a rank that is an MPI process (private to this folder).
 *
 *   mpi.c       opening, the loop and how it sleeps, groups; the table of the plug-in
 *   exchange.c  messages out and in
 *   end.c       how all ranks end together, also after deaths
 *   nodes.c     which rank is where
 */
#ifndef COMM_MPI_RANK_H
#define COMM_MPI_RANK_H

#include "comm/backend.h"
#include "comm/loop.h"

#include <mpi.h>

enum {
    /*
     * Up to here a message is sent in one piece, for which a receive is posted beforehand. It must
     * be less than what every transport sends at once without asking the receiver (4 KiB over
     * shared memory): then a message has arrived whole or not at all, also when its sender dies.
     */
    SMALL = 2048,
    POSTED = 64, /* receives that are posted for small messages */
};

/* Tags above the types of messages; MPI promises 32767. */
enum {
    TAG_TYPES = 32700, /* types of messages are less */
    TAG_LARGE,         /* struct large: a body follows on its own communicator */
    TAG_REPORT,        /* end.c: to rank 0, one byte: I have ended, and know of deaths */
    TAG_END,           /* end.c: from rank 0, one byte: all have ended, there were deaths */
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
    struct comm comm; /* first: the others know a rank by it */
    double ahead;     /* seconds that the clock of rank 0 is before that of this node */
    struct loop loop;
    struct comm_places places;
    struct comm_actor actor;
    char version[64];
    bool own;        /* MPI was initialised here, and so is ended here */
    bool running;    /* in comm_mpi_run(): its loop turns at any time, so it can answer */
    bool closing;    /* what arrives is dropped */
    bool *forgotten; /* by rank */
    bool forgot;     /* one more since the last round */
    bool deaths;     /* some rank was forgotten, here or elsewhere */
    double idle_since;
    unsigned busy_rounds;

    /* Messages. Wildcard receives are posted on `small`, so nothing else may use it. */
    MPI_Comm small, large, groups;
    struct posted *posted; /* a ring: they are matched in the order in which they were posted */
    size_t head;           /* the next one to complete */
    uint64_t received;     /* on `small` */
    uint64_t *sent;        /* on `small`, by receiver */
    struct outgoing **sends;
    size_t send_count, send_capacity, send_next;
    struct outgoing *spare;         /* records for small messages, kept for use */
    struct outgoing *lost;          /* to forgotten ranks: they may never complete */
    struct incoming *lost_incoming; /* and from them */
    struct incoming *incoming; /* large messages and what must wait behind them, oldest first */
    struct incoming **incoming_end;
    uint64_t round;    /* of exchange_incoming() */
    uint64_t *blocked; /* by rank: the round in which an older message was not yet whole */
    struct str own_inbox, own_delivering;
    size_t own_next; /* in own_delivering */

    /* end.c */
    bool *reported; /* by rank, at rank 0: it has ended */
    double *heard;  /* by rank: when it last answered */
    bool told;      /* all have ended */
};

/* ---- exchange.c ---- */

/* Posts the receives; the communicators are there. */
void exchange_create(struct rank *r);
/* Takes them back. Nothing is on its way any more. */
void exchange_destroy(struct rank *r);

void exchange_send(struct rank *r, int to, int tag, const void *bytes, size_t length);
/* Hands out what has arrived, up to a bound; false when nothing had. */
bool exchange_receive(struct rank *r);
/* Looks after some of the messages that were sent; false when none has left since. */
bool exchange_progress(struct rank *r);

/* Sets ranks[i] for each rank i to which something has not left yet. */
void exchange_mark_receivers(const struct rank *r, bool *ranks);

/* ---- mpi.c ---- */

/* One round of the loop: handles what there is, or rests. */
void rank_turn(struct rank *r);
/* Gives another rank up. */
void rank_forget(struct rank *r, int rank);

/* ---- end.c ---- */

/* A message of the ending protocol. */
void end_message(struct rank *r, int from, int tag, const unsigned char *bytes);
/* Returns when every rank that lives has come here; r->deaths says how MPI can be left. */
void end_together(struct rank *r);

/* ---- nodes.c ---- */

void nodes_find(struct rank *r);
void nodes_free(struct rank *r);

/* ---- clock.c ---- */

/* Sets r->ahead; the nodes are known. All ranks take part. */
void clock_find(struct rank *r);

#endif
