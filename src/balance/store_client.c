/*
 * store_client.c - the asking side of the store.
 *
 * An unanswered request has a slot. Its number is the index of the slot, with a count in the upper
 * bits that makes numbers differ when a slot is used again. Every request, even a cancelled wait,
 * gets exactly one reply from each server that was asked, so a slot is free once all replies have
 * come. A request that is refused on this side gets a reply that this rank sends to itself, so that
 * handlers are never called from inside the call that made the request.
 */
#include "balance/store.h"

/* Bits of a number for the slot: more slots than BALANCE_STORE_PENDING_LIMIT, for refusals, too. */
enum { SLOT_BITS = 24 };
enum { KEEP_LIMIT = 1 << 25 }; /* bytes of buffer that are kept: weights are sent again and again */

struct slot {
    uint64_t number;                /* 0: free */
    balance_store_handler *handler; /* NULL: cancelled */
    void *self;
    enum store_operation operation;
    int awaited;      /* number of replies still to come */
    struct str text;  /* of a wait: its key, if it was sent; of a list: what has come so far */
    uint64_t refusal; /* of a list: the state of a server that had no items to give */
    size_t vacant;    /* if free: the next free slot, from 1; 0: none */
};

struct balance_store {
    struct comm *comm;
    struct roles roles;
    struct slot *slots;
    size_t slot_count, slot_capacity;
    size_t vacant; /* the first free slot, from 1; 0: none */
    size_t pending, waits;
    uint64_t requests;     /* number of requests so far */
    unsigned char *buffer; /* for messages */
    size_t buffer_capacity;
};

struct balance_store *store_client_create(struct comm *comm, const struct roles *roles)
{
    struct balance_store *c = memory_new(1, sizeof *c);
    c->comm = comm;
    c->roles = *roles;
    return c;
}

void store_client_free(struct balance_store *c)
{
    for (size_t i = 0; i < c->slot_count; i++)
        str_free(&c->slots[i].text);
    free(c->slots);
    free(c->buffer);
    free(c);
}

size_t balance_store_pending(const struct balance_store *c, bool with_waits)
{
    return with_waits ? c->pending : c->pending - c->waits;
}

/* ---- slots ---- */

/* Takes a slot for one reply. */
static struct slot *slot_take(struct balance_store *c, enum store_operation operation,
                              balance_store_handler *handler, void *self)
{
    if (c->vacant == 0) {
        if (c->slot_count >> SLOT_BITS)
            BUG("a client of the store goes on asking though it is refused");
        c->slots = memory_grow(c->slots, &c->slot_capacity, c->slot_count + 1, sizeof *c->slots);
        c->slots[c->slot_count++] = (struct slot){0};
        c->vacant = c->slot_count;
    }
    size_t place = c->vacant - 1;
    struct slot *slot = &c->slots[place];
    c->vacant = slot->vacant;
    *slot = (struct slot){.number = ++c->requests << SLOT_BITS | place,
                          .handler = handler,
                          .self = self,
                          .operation = operation,
                          .awaited = 1};
    c->pending++;
    c->waits += operation == STORE_WAIT;
    return slot;
}

/* The slot of a number; NULL if all its replies have come. */
static struct slot *slot_find(const struct balance_store *c, uint64_t number)
{
    size_t place = number & (((uint64_t)1 << SLOT_BITS) - 1);
    if (number == 0 || place >= c->slot_count || c->slots[place].number != number)
        return NULL;
    return &c->slots[place];
}

/* Frees the slot. Its text belongs to the caller, which has a copy of the slot. */
static void slot_give_back(struct balance_store *c, struct slot *slot)
{
    c->pending--;
    c->waits -= slot->operation == STORE_WAIT;
    *slot = (struct slot){.vacant = c->vacant};
    c->vacant = (size_t)(slot - c->slots) + 1;
}

/* ---- requests ---- */

/* Sends a message of three parts, put together in the client's buffer. */
static void send_parts(struct balance_store *c, int to, const struct store_request *head,
                       struct slice key, const void *bytes)
{
    size_t length = sizeof *head + key.length + head->length;
    c->buffer = memory_grow(c->buffer, &c->buffer_capacity, length, 1);
    memcpy(c->buffer, head, sizeof *head);
    if (key.length > 0)
        memcpy(c->buffer + sizeof *head, key.text, key.length);
    if (head->length > 0)
        memcpy(c->buffer + sizeof *head + key.length, bytes, head->length);
    comm_send(c->comm, to, STORE_REQUEST, c->buffer, length);
    if (c->buffer_capacity > KEEP_LIMIT) {
        free(c->buffer);
        c->buffer = NULL;
        c->buffer_capacity = 0;
    }
}

static void refuse(struct balance_store *c, const struct slot *slot, enum balance_store_state state,
                   const char *message)
{
    struct str text = {0};
    struct store_reply head = {slot->number, 0, strlen(message), state};
    str_add_bytes(&text, &head, sizeof head);
    str_add(&text, message);
    comm_send(c->comm, comm_rank(c->comm), STORE_REPLY, text.text, text.length);
    str_free(&text);
}

/* Why a request cannot be made, as a state and a text; BALANCE_STORE_OK: it can be made. */
static enum balance_store_state check(const struct balance_store *c, const struct slot *slot,
                                      struct slice key, uint64_t length, struct str *why)
{
    enum balance_store_state state = BALANCE_STORE_OK;
    bool prefix = slot->operation == STORE_LIST;
    if ((key.length == 0 && !prefix) || key.length > BALANCE_STORE_KEY_LIMIT) {
        str_printf(why, "a key must have 1 to %d bytes, but this one has %zu",
                   BALANCE_STORE_KEY_LIMIT, key.length);
        state = BALANCE_STORE_BAD_KEY;
    } else if (key.length > 0 && memchr(key.text, 0, key.length)) {
        str_add(why, "a key cannot contain a zero byte");
        state = BALANCE_STORE_BAD_KEY;
    } else if (length > BALANCE_STORE_VALUE_LIMIT) {
        str_printf(
            why, "a value can have at most %d bytes, but this one has %llu; split it into several",
            BALANCE_STORE_VALUE_LIMIT, (unsigned long long)length);
        state = BALANCE_STORE_TOO_LARGE;
    } else if (c->pending > BALANCE_STORE_PENDING_LIMIT) { /* this one is already counted */
        str_printf(why, "%d requests to the store are pending; wait for their answers first",
                   BALANCE_STORE_PENDING_LIMIT);
        state = BALANCE_STORE_BUSY;
    }
    return state;
}

/* Sends a request to the server of its key, or a list to all servers. */
static uint64_t request(struct balance_store *c, struct slot *slot, struct store_request head,
                        struct slice key, const void *bytes)
{
    struct str why = {0};
    uint64_t number = slot->number;
    enum balance_store_state state = check(c, slot, key, head.length, &why);
    if (state != BALANCE_STORE_OK) {
        refuse(c, slot, state, why.text);
        str_free(&why);
        return number;
    }
    head.number = number;
    head.operation = (uint16_t)slot->operation;
    head.key_length = (uint16_t)key.length;
    if (slot->operation == STORE_WAIT)
        str_add_bytes(&slot->text, key.text, key.length);
    if (slot->operation != STORE_LIST) {
        send_parts(c, roles_server(&c->roles, store_home(&c->roles, key)), &head, key, bytes);
        return number;
    }
    slot->awaited = c->roles.servers;
    for (int i = 0; i < c->roles.servers; i++)
        send_parts(c, roles_server(&c->roles, i), &head, key, bytes);
    return number;
}

uint64_t balance_store_put(struct balance_store *c, struct slice key, const void *bytes,
                           size_t length, uint64_t expected, balance_store_handler *handler,
                           void *self)
{
    struct store_request head = {.version = expected, .length = length};
    return request(c, slot_take(c, STORE_PUT, handler, self), head, key, bytes);
}

uint64_t balance_store_get(struct balance_store *c, struct slice key,
                           balance_store_handler *handler, void *self)
{
    struct store_request head = {0};
    return request(c, slot_take(c, STORE_GET, handler, self), head, key, NULL);
}

uint64_t balance_store_wait(struct balance_store *c, struct slice key, uint64_t known,
                            balance_store_handler *handler, void *self)
{
    struct store_request head = {.version = known};
    return request(c, slot_take(c, STORE_WAIT, handler, self), head, key, NULL);
}

uint64_t balance_store_await(struct balance_store *c, struct slice key, uint64_t known,
                             balance_store_handler *handler, void *self)
{
    struct store_request head = {.version = known, .argument = 1};
    return request(c, slot_take(c, STORE_WAIT, handler, self), head, key, NULL);
}

uint64_t balance_store_delete(struct balance_store *c, struct slice key,
                              balance_store_handler *handler, void *self)
{
    struct store_request head = {0};
    return request(c, slot_take(c, STORE_DELETE, handler, self), head, key, NULL);
}

uint64_t balance_store_list(struct balance_store *c, struct slice prefix,
                            balance_store_handler *handler, void *self)
{
    struct store_request head = {0};
    return request(c, slot_take(c, STORE_LIST, handler, self), head, prefix, NULL);
}

void balance_store_cancel(struct balance_store *c, uint64_t wait)
{
    struct slot *slot = slot_find(c, wait);
    if (!slot || !slot->handler || slot->operation != STORE_WAIT)
        return;
    slot->handler = NULL;
    struct slice key = {slot->text.text, slot->text.length};
    if (key.length == 0)
        return; /* it was refused, so no server knows of it */
    struct store_request head = {
        .number = wait, .operation = STORE_CANCEL, .key_length = (uint16_t)key.length};
    send_parts(c, roles_server(&c->roles, store_home(&c->roles, key)), &head, key, NULL);
}

/* ---- answers ---- */

/* Reads the items from the replies to a list; the caller frees them. */
static struct balance_store_item *read_items(const struct str *text, size_t *count)
{
    struct balance_store_item *items = NULL;
    size_t capacity = 0, at = 0;
    for (*count = 0; at < text->length; ++*count) {
        struct store_listed listed;
        if (text->length - at < sizeof listed)
            BUG("an item of a list is cut off");
        memcpy(&listed, text->text + at, sizeof listed);
        at += sizeof listed;
        if (listed.key_length > text->length - at)
            BUG("a key of a list is longer than its message");
        items = memory_grow(items, &capacity, *count + 1, sizeof *items);
        items[*count] = (struct balance_store_item){
            {text->text + at, listed.key_length}, listed.version, listed.size};
        at += listed.key_length;
    }
    return items;
}

/* Orders by bytes; a key comes before the keys that start with it. */
static int item_order(const void *a, const void *b)
{
    struct slice x = ((const struct balance_store_item *)a)->key,
                 y = ((const struct balance_store_item *)b)->key;
    int order = memcmp(x.text, y.text, x.length < y.length ? x.length : y.length);
    return order ? order : (x.length > y.length) - (x.length < y.length);
}

static void answer_list(const struct slot *slot)
{
    struct balance_store_answer answer = {.state = (enum balance_store_state)slot->refusal,
                                          .message = ""};
    struct balance_store_item *items = NULL;
    if (slot->refusal == BALANCE_STORE_OK) {
        items = read_items(&slot->text, &answer.count);
        if (answer.count > 0)
            qsort(items, answer.count, sizeof *items, item_order);
        answer.items = items;
    } else {
        answer.message = str_text(&slot->text);
    }
    slot->handler(slot->self, &answer);
    free(items);
}

static void answer_one(const struct slot *slot, const struct store_reply *head,
                       const unsigned char *bytes)
{
    struct str message = {0};
    struct balance_store_answer answer = {.state = (enum balance_store_state)head->state,
                                          .version = head->version};
    if (head->state == BALANCE_STORE_OK) {
        answer.bytes = bytes;
        answer.length = head->length;
    } else {
        str_add_bytes(&message, bytes, head->length);
    }
    answer.message = str_text(&message);
    slot->handler(slot->self, &answer);
    str_free(&message);
}

/* Adds the answer of one server to a list; the first refusal replaces all items. */
static void gather(struct slot *slot, const struct store_reply *head, const unsigned char *bytes)
{
    if (slot->refusal != BALANCE_STORE_OK)
        return;
    if (head->state != BALANCE_STORE_OK)
        str_clear(&slot->text);
    slot->refusal = head->state;
    str_add_bytes(&slot->text, bytes, head->length);
}

void store_client_message(struct balance_store *c, const struct comm_message *message)
{
    struct store_reply head;
    if (message->length < sizeof head)
        BUG("a reply of %zu bytes from the store", message->length);
    memcpy(&head, message->bytes, sizeof head);
    const unsigned char *bytes = message->bytes + sizeof head;
    if (head.length != message->length - sizeof head || head.state > BALANCE_STORE_CANCELLED)
        BUG("a malformed reply from the store");
    struct slot *slot = slot_find(c, head.number);
    if (!slot)
        BUG("the store answers what was not asked");
    if (slot->operation == STORE_LIST)
        gather(slot, &head, bytes);
    if (--slot->awaited > 0)
        return;
    struct slot done = *slot; /* the handler may ask again, and move the slots */
    slot_give_back(c, slot);
    if (done.handler && done.operation == STORE_LIST)
        answer_list(&done);
    else if (done.handler)
        answer_one(&done, &head, bytes);
    str_free(&done.text);
}
