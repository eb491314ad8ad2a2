/*
 * exchange.c - messages out and in.
 *
 * A small message is one MPI message, whose tag is the type. A ring of receives is posted for small
 * messages, and MPI completes them in the order in which they were posted. Of all ways to receive
 * (probe and receive, matched probe, posted receives), this was measured to be the fastest with
 * both MPIs; looking for a message costs a few tens of nanoseconds.
 *
 * A large message is announced by a small one, and its body comes on a separate communicator. Until
 * it is whole, what follows from the same rank waits behind it; messages of other ranks do not. No
 * MPI call waits here: a body whose sender died on the way would never come.
 */
#include "comm/mpi/rank.h"

#include <limits.h>

enum { TESTS = 16 }; /* number of messages on their way out that one round tests */

struct outgoing {
    struct outgoing *next; /* next of the spare or lost messages */
    MPI_Request request;
    int to;
    size_t capacity;
    unsigned char bytes[];
};

struct large {
    int type;
    uint64_t length;
};

struct incoming {
    struct incoming *next;
    MPI_Request request; /* MPI_REQUEST_NULL: the message is whole */
    int from, tag;
    size_t length;
    unsigned char bytes[];
};

/* A message to this rank itself, as it lies in the queue; its bytes follow, padded to 8. */
struct own_message {
    int type;
    size_t length;
};

static size_t padded(size_t length)
{
    return (length + 7) & ~(size_t)7;
}

/* True after a rank's last event: messages wait until the rank closes, and are then dropped. */
static bool ended(const struct rank *r)
{
    return !r->closing && loop_ended(&r->loop);
}

/* ---- out ---- */

static struct outgoing *outgoing_new(struct rank *r, int to, const void *bytes, size_t length)
{
    struct outgoing *out = length <= SMALL ? r->spare : NULL;
    if (out) {
        r->spare = out->next;
    } else {
        size_t capacity = length <= SMALL ? SMALL : length;
        out = memory_new(1, sizeof *out + capacity);
        out->capacity = capacity;
    }
    out->to = to;
    if (length > 0)
        memcpy(out->bytes, bytes, length);
    r->sends =
        memory_grow(r->sends, &r->send_capacity, r->send_count + 1, sizeof(struct outgoing *));
    r->sends[r->send_count++] = out;
    return out;
}

static void outgoing_free(struct rank *r, struct outgoing *out)
{
    if (out->capacity > SMALL) {
        free(out);
        return;
    }
    out->next = r->spare;
    r->spare = out;
}

/* MPI fails here only if the receiver is gone, and it is not for the sender to find that out. */
static void post(struct rank *r, MPI_Comm communicator, int to, int tag, const void *bytes,
                 size_t length)
{
    struct outgoing *out = outgoing_new(r, to, bytes, length);
    if (MPI_Isend(out->bytes, (int)length, MPI_BYTE, to, tag, communicator, &out->request) !=
        MPI_SUCCESS)
        out->request = MPI_REQUEST_NULL;
}

static void send_own(struct rank *r, int type, const void *bytes, size_t length)
{
    static const char zeros[8];
    struct own_message own = {type, length};
    str_add_bytes(&r->own_inbox, &own, sizeof own);
    str_add_bytes(&r->own_inbox, bytes, length);
    str_add_bytes(&r->own_inbox, zeros, padded(length) - length);
}

void exchange_send(struct rank *r, int to, int tag, const void *bytes, size_t length)
{
    if (length > INT_MAX)
        BUG("a message of %zu bytes", length);
    if (to == r->comm.rank) {
        send_own(r, tag, bytes, length);
        return;
    }
    r->sent[to]++;
    if (length <= SMALL) {
        post(r, r->small, to, tag, bytes, length);
        return;
    }
    struct large large = {tag, length};
    post(r, r->small, to, TAG_LARGE, &large, sizeof large);
    post(r, r->large, to, 0, bytes, length);
}

/* Takes messages to forgotten ranks off the list; MPI may read them until the process ends. */
static void lose_sends(struct rank *r)
{
    for (size_t i = r->send_count; i-- > 0;) {
        struct outgoing *out = r->sends[i];
        if (!r->forgotten[out->to])
            continue;
        r->sends[i] = r->sends[--r->send_count];
        out->next = r->lost;
        r->lost = out;
    }
}

bool exchange_progress(struct rank *r)
{
    bool any = false;
    for (int i = 0; i < TESTS && r->send_count > 0; i++) {
        if (r->send_next >= r->send_count)
            r->send_next = 0;
        struct outgoing *out = r->sends[r->send_next];
        int done = 1; /* stays 1 after an error */
        if (MPI_Test(&out->request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
            r->send_next++;
            continue;
        }
        r->sends[r->send_next] = r->sends[--r->send_count];
        outgoing_free(r, out);
        any = true;
    }
    return any;
}

void exchange_mark_receivers(const struct rank *r, bool *ranks)
{
    for (size_t i = 0; i < r->send_count; i++)
        ranks[r->sends[i]->to] = true;
}

/* ---- in ---- */

static void hand_out(struct rank *r, int from, int tag, const unsigned char *bytes, size_t length)
{
    struct comm_message message = {from, tag, bytes, length};
    if (tag > TAG_TYPES)
        end_message(r, from, tag, bytes);
    else if (!r->closing && !r->forgotten[from])
        r->actor.message(r->actor.self, &message);
}

static struct incoming *incoming_new(struct rank *r, int from, int tag, size_t length)
{
    struct incoming *in = memory_new(1, sizeof *in + length);
    in->request = MPI_REQUEST_NULL;
    in->from = from;
    in->tag = tag;
    in->length = length;
    *r->incoming_end = in;
    r->incoming_end = &in->next;
    return in;
}

static bool waits_for_older(const struct rank *r, int from)
{
    const struct incoming *in = r->incoming;
    while (in && in->from != from)
        in = in->next;
    return in != NULL;
}

static void receive_large(struct rank *r, int from, const unsigned char *bytes)
{
    struct large large;
    memcpy(&large, bytes, sizeof large);
    struct incoming *in = incoming_new(r, from, large.type, large.length);
    MPI_Irecv(in->bytes, (int)in->length, MPI_BYTE, from, 0, r->large, &in->request);
}

static void receive_small(struct rank *r, const struct posted *posted, const MPI_Status *status)
{
    int length, from = status->MPI_SOURCE, tag = status->MPI_TAG;
    MPI_Get_count(status, MPI_BYTE, &length);
    r->received++;
    if (tag == TAG_LARGE) {
        receive_large(r, from, posted->bytes);
    } else if (r->incoming && waits_for_older(r, from)) {
        struct incoming *in = incoming_new(r, from, tag, (size_t)length);
        memcpy(in->bytes, posted->bytes, in->length);
    } else {
        hand_out(r, from, tag, posted->bytes, (size_t)length);
    }
}

static void repost(struct rank *r, struct posted *posted)
{
    MPI_Irecv(posted->bytes, SMALL, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, r->small,
              &posted->request);
}

/* At most one turn of the ring, so that timers and descriptors get their turn. */
static bool receive_posted(struct rank *r)
{
    for (int i = 0; i < POSTED; i++) {
        struct posted *posted = &r->posted[r->head];
        MPI_Status status;
        int done = 0, code = MPI_Test(&posted->request, &done, &status);
        if (code != MPI_SUCCESS)
            BUG("MPI cannot receive (error %d)", code);
        if (!done)
            return i > 0;
        receive_small(r, posted, &status);
        repost(r, posted);
        r->head = (r->head + 1) % POSTED;
        if (ended(r))
            return true;
    }
    return true;
}

/* Hands out the messages that are whole and have no older one of the same rank before them. */
static bool receive_incoming(struct rank *r)
{
    bool any = false;
    r->round++;
    for (struct incoming **place = &r->incoming; *place && !ended(r);) {
        struct incoming *in = *place;
        int done = 0;
        if (r->blocked[in->from] != r->round)
            MPI_Test(&in->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            r->blocked[in->from] = r->round;
            place = &in->next;
            continue;
        }
        *place = in->next;
        if (!in->next)
            r->incoming_end = place;
        hand_out(r, in->from, in->tag, in->bytes, in->length);
        free(in);
        any = true;
    }
    return any;
}

/* Delivers messages to this rank itself; those that handlers send wait for the next round. */
static bool receive_own(struct rank *r)
{
    if (r->own_next == r->own_delivering.length) {
        struct str empty = r->own_delivering;
        r->own_delivering = r->own_inbox;
        r->own_inbox = empty;
        str_clear(&r->own_inbox);
        r->own_next = 0;
    }
    size_t before = r->own_next;
    while (r->own_next < r->own_delivering.length && !ended(r)) {
        struct own_message own;
        const char *at = r->own_delivering.text + r->own_next;
        memcpy(&own, at, sizeof own);
        r->own_next += sizeof own + padded(own.length);
        hand_out(r, r->comm.rank, own.type, (const unsigned char *)at + sizeof own, own.length);
    }
    return r->own_next > before;
}

/* Sets aside messages from forgotten ranks: MPI may write to them until the process ends. */
static void lose_incoming(struct rank *r)
{
    for (struct incoming **place = &r->incoming; *place;) {
        struct incoming *in = *place;
        if (!r->forgotten[in->from]) {
            place = &in->next;
            continue;
        }
        *place = in->next;
        if (!in->next)
            r->incoming_end = place;
        in->next = r->lost_incoming;
        r->lost_incoming = in;
    }
}

bool exchange_receive(struct rank *r)
{
    if (r->forgot) { /* not earlier: handlers that forget a rank are called from these lists */
        lose_sends(r);
        lose_incoming(r);
        r->forgot = false;
    }
    bool any = receive_own(r);
    if (!ended(r))
        any |= receive_posted(r);
    if (r->incoming && !ended(r))
        any |= receive_incoming(r);
    return any;
}

/* ---- the start and the end ---- */

void exchange_create(struct rank *r)
{
    size_t size = (size_t)r->comm.size;
    r->forgotten = memory_new(size, sizeof *r->forgotten);
    r->sent = memory_new(size, sizeof *r->sent);
    r->blocked = memory_new(size, sizeof *r->blocked);
    r->incoming_end = &r->incoming;
    r->posted = memory_new(POSTED, sizeof *r->posted);
    for (int i = 0; i < POSTED; i++)
        repost(r, &r->posted[i]);
}

void exchange_destroy(struct rank *r)
{
    for (int i = 0; i < POSTED; i++) {
        MPI_Cancel(&r->posted[i].request);
        MPI_Wait(&r->posted[i].request, MPI_STATUS_IGNORE);
    }
    while (r->spare) {
        struct outgoing *next = r->spare->next;
        free(r->spare);
        r->spare = next;
    }
    free(r->posted);
    free(r->sends);
    free(r->sent);
    free(r->blocked);
    free(r->forgotten);
    str_free(&r->own_inbox);
    str_free(&r->own_delivering);
}
