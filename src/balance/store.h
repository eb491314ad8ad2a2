/*
 * store.h - values by key in the memory of the servers (private to this room).
 *
 * Trials exchange weights here instead of through files. A key lives on one server, which its hash
 * names; the others never hear of it. A server handles a request when it comes and answers at once,
 * so what one client asks about one key happens in the order in which it was asked. Only a wait is
 * answered later.
 *
 * Versions. Each put gives a key its next version: 1, 2, 3, ... A key never gets the same version
 * twice, not even when it was deleted in between: the server remembers the version of a deleted
 * key, and counts on from there. So who waits for a version above the one it knows gets a newer
 * value or none. (The server remembers STORE_GRAVES_LIMIT deleted keys, fewer when memory is short.
 * When it forgets one, keys that are new to it begin above that one's version from then on: then a
 * first version may be larger than 1.)
 *
 * Memory. A server keeps no more than its limit, counting values, keys, waits and what it costs to
 * keep them; messages on their way are not counted. What would go beyond is refused, and the old
 * value stays.
 *
 * Room for the typed values of the dataflow language, which are assigned once: they are further
 * operations with the same head (`argument` carries the type or the change of a reference count)
 * and rows in the table of store.c. A wait is a subscription that ends with its first notice, so
 * "tell this rank when the value is there" is the same list and the same notify(), only with
 * another message in the end. A value goes when its references are 0: that is a delete without
 * anybody's request. Where a notice sets work free and goes from server to server, the termination
 * detection must count it like a task; requests of clients need no counting, as long as a client
 * asks for work only after all but its waits are answered (store_client_pending()).
 */
#ifndef BALANCE_STORE_H
#define BALANCE_STORE_H

#include "balance/layout.h"
#include "base/base.h"
#include "comm/comm.h"

enum {
    STORE_KEY_LIMIT = 512,       /* bytes of a key: any but 0, at least one */
    STORE_VALUE_LIMIT = 1 << 30, /* bytes of a value, and of the answer to a list */
    STORE_GRAVES_LIMIT = 65536,  /* deleted keys that a server remembers */
    STORE_PENDING_LIMIT = 65536, /* requests of a client that are not yet answered */
};

/* What a put may expect of the key, besides a version. */
static const uint64_t STORE_ANY = 0, STORE_NEW = UINT64_MAX;

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
    uint64_t number;   /* the client's name for it; the reply bears it */
    uint64_t version;  /* put: the one that is expected; wait: the one that is known */
    uint64_t length;   /* of the value */
    uint32_t argument; /* 0; for operations to come */
    uint16_t operation;
    uint16_t key_length; /* list: of the prefix, may be 0 */
};

enum store_state {
    STORE_OK,
    STORE_ABSENT,    /* there is no value with this key */
    STORE_CONFLICT,  /* the key has another version than the put expected */
    STORE_FULL,      /* the server's memory is used up */
    STORE_TOO_LARGE, /* the value (list: the answer) is beyond STORE_VALUE_LIMIT */
    STORE_BAD_KEY,   /* the key is empty, too long, or has a zero byte */
    STORE_BUSY,      /* the client has STORE_PENDING_LIMIT requests under way */
    STORE_CANCELLED, /* a wait; its handler is not called */
};

/* The bytes follow: a value, the text of a refusal, or the items of a list. */
struct store_reply {
    uint64_t number;
    uint64_t version;
    uint64_t length;
    uint64_t state;
};

/* An item of a list; the key follows. */
struct store_listed {
    uint64_t version, size, key_length;
};

/* The index of the server where this key lives. */
int store_home(const struct layout *layout, struct slice key);

/* ---- the server ---- */

struct store;

/* The part of this server, which is one of the layout. It keeps at most limit_bytes. */
struct store *store_create(struct comm *comm, const struct layout *layout, uint64_t limit_bytes);
void store_free(struct store *store);

/* Handles a STORE_REQUEST. */
void store_message(struct store *store, const struct comm_message *message);

/* Drops the waits of a rank that is dead. What it put stays. */
void store_forget(struct store *store, int rank);

/* Bytes that count towards the limit. */
uint64_t store_used(const struct store *store);

/* ---- the client ---- */

/* A key with its version and the size of its value. */
struct store_item {
    struct slice key;
    uint64_t version, size;
};

/* All of it lives until the handler returns. */
struct store_answer {
    enum store_state state;
    uint64_t version; /* of the value; of a put: the new one; at a conflict: that of the key */
    const unsigned char *bytes; /* get, wait: the value, aligned for nothing */
    size_t length;
    const struct store_item *items; /* list: sorted by key */
    size_t count;
    const char *message; /* why it was refused: STORE_FULL and up; else "" */
};

typedef void store_handler(void *self, const struct store_answer *answer);

struct store_client;

/* For any rank, a server as well. */
struct store_client *store_client_create(struct comm *comm, const struct layout *layout);
/* The handlers of what is not yet answered are never called. */
void store_client_free(struct store_client *client);

/* Handles a STORE_REPLY. */
void store_client_message(struct store_client *client, const struct comm_message *message);

/*
 * Each of these sends a request and returns its number, never 0. The handler is called once, later,
 * also when the request is refused at once. Keys and values are copied.
 *
 * put     STORE_OK and the new version. `expected` is the version that the key must have,
 *         STORE_NEW: it must have no value, STORE_ANY: no matter; else STORE_CONFLICT and the
 *         version that it has, 0: no value
 * get     STORE_OK, the value and its version, or STORE_ABSENT
 * wait    the same as get, as soon as the key has a value with a version above `known`
 * delete  STORE_OK and the version that went, or STORE_ABSENT
 * list    the keys that begin with the prefix. Each server tells what it has when it is asked: puts
 *         and deletes that happen meanwhile may be in it or not. The servers walk through all keys
 */
uint64_t store_client_put(struct store_client *client, struct slice key, const void *bytes,
                          size_t length, uint64_t expected, store_handler *handler, void *self);
uint64_t store_client_get(struct store_client *client, struct slice key, store_handler *handler,
                          void *self);
uint64_t store_client_wait(struct store_client *client, struct slice key, uint64_t known,
                           store_handler *handler, void *self);
uint64_t store_client_delete(struct store_client *client, struct slice key, store_handler *handler,
                             void *self);
uint64_t store_client_list(struct store_client *client, struct slice prefix, store_handler *handler,
                           void *self);

/* The handler of this wait is not called any more. Nothing happens if it was already. */
void store_client_cancel(struct store_client *client, uint64_t wait);

/* Requests that are not yet answered, waits (cancelled ones, too) among them or not. */
size_t store_client_pending(const struct store_client *client, bool with_waits);

#endif
