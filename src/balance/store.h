/*
 * store.h - the key-value space of balance.h from the inside (private to this room).
 *
 * A key lives on one server, which its hash names; the others never hear of it. A server handles a
 * request when it comes and answers at once. Only a wait is answered later.
 *
 * Versions never come twice: the server remembers the version of a deleted key, and counts on from
 * there. It remembers STORE_GRAVES_LIMIT of them, fewer when memory is short. When it forgets one,
 * keys that are new to it begin above that one's version from then on.
 *
 * Memory. A server keeps no more than its limit, counting values, keys, waits and what it costs to
 * keep them; messages on their way are not counted. What would go beyond is refused, and the old
 * value stays.
 */
#ifndef BALANCE_STORE_H
#define BALANCE_STORE_H

#include "balance/balance.h"
#include "balance/roles.h"
#include "base/base.h"
#include "comm/comm.h"

enum { STORE_GRAVES_LIMIT = 65536 }; /* deleted keys that a server remembers */

/* ---- on the wire; the other messages of balance have types below 64 ---- */

enum { STORE_REQUEST = 64, STORE_REPLY };

enum store_operation {
    STORE_PUT,
    STORE_GET,
    STORE_WAIT,
    STORE_CANCEL, /* of the wait with this number; if it still waits, it is answered with that */
    STORE_DELETE,
    STORE_LIST,
    STORE_OPERATIONS /* how many there are */
};

/* The key and the value follow. */
struct store_request {
    uint64_t number;   /* the client's number, repeated in the reply */
    uint64_t version;  /* put: the expected one; wait: the known one */
    uint64_t length;   /* of the value */
    uint32_t argument; /* wait: 1 if the version alone is wanted, and not the value; else 0 */
    uint16_t operation;
    uint16_t key_length; /* list: of the prefix, may be 0 */
};

/* The bytes follow: a value, the text of a refusal, or the items of a list. */
struct store_reply {
    uint64_t number;
    uint64_t version;
    uint64_t length;
    uint64_t state; /* enum balance_store_state */
};

/* An item of a list; the key follows. */
struct store_listed {
    uint64_t version, size, key_length;
};

/* The index of the server where this key lives. */
int store_home(const struct roles *roles, struct slice key);

/* ---- the server ---- */

struct store;

/* This server's part of the store; store_free() it. It keeps at most limit_bytes. */
struct store *store_create(struct comm *comm, const struct roles *roles, uint64_t limit_bytes);
/* Frees all values and waits. */
void store_free(struct store *store);

/* Handles a STORE_REQUEST. */
void store_message(struct store *store, const struct comm_message *message);

/* Drops the waits of a rank that is dead. What it put stays. */
void store_forget(struct store *store, int rank);

/* How many bytes count towards the limit. */
uint64_t store_used(const struct store *store);

/* ---- the asking side; what it is asked for is in balance.h ---- */

/* For any rank, including servers; store_client_free() it. */
struct balance_store *store_client_create(struct comm *comm, const struct roles *roles);
/* Frees the client; handlers of unanswered requests are never called. */
void store_client_free(struct balance_store *store);

/* Handles a STORE_REPLY. */
void store_client_message(struct balance_store *store, const struct comm_message *message);

#endif
