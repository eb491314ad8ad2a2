/*
 * store.c - the server's part of the store.
 *
 * An entry is what is known about a key. Invariants, whenever no handler runs:
 *
 *   1. An entry has a value, or subscribers (waits), or it is a grave: the version of a key that
 *      was deleted, kept so that the key continues from there. Nothing else is kept.
 *   2. A key without an entry never had a version above `floor`. The number of graves is limited.
 *   3. If a key has a value, each of its subscribers knows its version or a later one.
 *   4. `used` is the cost of all entries, values and subscribers; it never exceeds the limit.
 */
#include "balance/store.h"

enum { ALLOCATION = 16 }; /* approximate bytes that the allocator adds to each piece */

/* ---- rings: lists whose head is itself a link ---- */

struct link {
    struct link *previous, *next;
};

static void link_init(struct link *link)
{
    link->previous = link->next = link;
}

static bool link_alone(const struct link *link)
{
    return link->next == link;
}

/* Adds a link at the end of the ring. */
static void link_add(struct link *head, struct link *link)
{
    link->previous = head->previous;
    link->next = head;
    head->previous->next = link;
    head->previous = link;
}

static void link_remove(struct link *link)
{
    link->previous->next = link->next;
    link->next->previous = link->previous;
    link_init(link);
}

/* Removes the first link of a ring that is not empty, and returns it. */
static struct link *link_take_first(struct link *head)
{
    struct link *first = head->next;
    head->next = first->next;
    head->next->previous = head;
    link_init(first);
    return first;
}

/* ---- what is kept ---- */

/* A rank that is told once, when its key has a version above the one it knows. */
struct subscriber {
    struct link link; /* first member; in the ring of its entry */
    uint64_t number;  /* number of its request */
    uint64_t known;
    int rank;
    bool brief; /* it wants to know the version alone */
};

struct entry {
    struct link grave;  /* first member; alone unless the entry is a grave */
    struct entry *next; /* next entry with the same place in the table */
    uint64_t hash;
    uint64_t version;
    struct store_reply *value; /* in the form of a get's reply, to be copied once; or NULL */
    struct link subscribers;   /* the one that has waited longest is first */
    size_t key_length;
    char key[];
};

struct store {
    struct comm *comm;
    struct roles roles;
    int index; /* index of this server */
    uint64_t used, limit;
    struct entry **table;   /* chains of entries, by hash */
    size_t count, capacity; /* capacity is a power of two and never shrinks */
    struct link graves;     /* oldest first */
    size_t grave_count;
    uint64_t floor; /* no forgotten key had a higher version */
};

/* A parsed request. */
struct asked {
    struct store_request head;
    struct slice key;
    const unsigned char *bytes;
    uint64_t hash;
    int from;
};

static uint64_t entry_cost(size_t key_length)
{
    /* Two pointers are its share of the table, which doubles when it is full. */
    return sizeof(struct entry) + key_length + ALLOCATION + 2 * sizeof(struct entry *);
}

static uint64_t value_cost(uint64_t length)
{
    return sizeof(struct store_reply) + length + ALLOCATION;
}

static const uint64_t subscriber_cost = sizeof(struct subscriber) + ALLOCATION;

/* ---- the table ---- */

/* FNV-1a, then the finalizer of MurmurHash3: the server and the place depend on different bits. */
static uint64_t hash_of(struct slice key)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < key.length; i++)
        h = (h ^ (unsigned char)key.text[i]) * 1099511628211u;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
    return h ^ (h >> 33);
}

int store_home(const struct roles *roles, struct slice key)
{
    return (int)((hash_of(key) >> 32) % (uint64_t)roles->servers);
}

/* The link that points to the key's entry, or the last link of its chain. */
static struct entry **entry_place(const struct store *s, struct slice key, uint64_t hash)
{
    struct entry **at = &s->table[hash & (s->capacity - 1)];
    while (*at && !((*at)->hash == hash && (*at)->key_length == key.length &&
                    memcmp((*at)->key, key.text, key.length) == 0))
        at = &(*at)->next;
    return at;
}

static struct entry *entry_find(const struct store *s, const struct asked *asked)
{
    return *entry_place(s, asked->key, asked->hash);
}

static void table_grow(struct store *s)
{
    struct entry **old = s->table;
    size_t places = s->capacity;
    s->capacity *= 2;
    s->table = memory_new(s->capacity, sizeof(struct entry *));
    for (size_t i = 0; i < places; i++) {
        for (struct entry *entry = old[i], *next; entry; entry = next) {
            struct entry **at = &s->table[entry->hash & (s->capacity - 1)];
            next = entry->next;
            entry->next = *at;
            *at = entry;
        }
    }
    free(old);
}

static struct entry *entry_add(struct store *s, const struct asked *asked)
{
    if (s->count == s->capacity)
        table_grow(s);
    struct entry *entry = memory_new(1, sizeof *entry + asked->key.length);
    link_init(&entry->grave);
    link_init(&entry->subscribers);
    entry->hash = asked->hash;
    entry->version = s->floor;
    entry->key_length = asked->key.length;
    memcpy(entry->key, asked->key.text, asked->key.length);
    *entry_place(s, asked->key, asked->hash) = entry;
    s->count++;
    s->used += entry_cost(entry->key_length);
    return entry;
}

static void entry_drop(struct store *s, struct entry *entry)
{
    struct entry **at = &s->table[entry->hash & (s->capacity - 1)];
    while (*at && *at != entry)
        at = &(*at)->next;
    if (!*at)
        BUG("a key of the store is not in its table");
    *at = entry->next;
    s->count--;
    s->used -= entry_cost(entry->key_length);
    free(entry);
}

/* ---- graves ---- */

static void grave_forget_oldest(struct store *s)
{
    struct entry *entry = (struct entry *)link_take_first(&s->graves);
    s->grave_count--;
    if (s->floor < entry->version)
        s->floor = entry->version;
    entry_drop(s, entry);
}

/* The entry of a key, created if there is none; entry_settle() must follow. */
static struct entry *entry_open(struct store *s, const struct asked *asked)
{
    struct entry *entry = entry_find(s, asked);
    if (!entry)
        return entry_add(s, asked);
    if (!link_alone(&entry->grave)) {
        link_remove(&entry->grave);
        s->grave_count--;
    }
    return entry;
}

/* Restores the first invariant after a change to an entry; may free the entry. */
static void entry_settle(struct store *s, struct entry *entry)
{
    if (entry->value || !link_alone(&entry->subscribers) || !link_alone(&entry->grave))
        return;
    if (entry->version <= s->floor) {
        entry_drop(s, entry);
        return;
    }
    link_add(&s->graves, &entry->grave);
    s->grave_count++;
}

/* Separate from entry_settle(), which frees only its own entry: its callers walk through others. */
static void bound_graves(struct store *s)
{
    while (s->grave_count > STORE_GRAVES_LIMIT)
        grave_forget_oldest(s);
}

/* True if `more` bytes fit when `less` bytes go; forgets graves if needed. */
static bool fits(struct store *s, uint64_t more, uint64_t less)
{
    while (s->used + more - less > s->limit && s->grave_count > 0)
        grave_forget_oldest(s);
    return s->used + more - less <= s->limit;
}

/* ---- replies ---- */

static void reply(struct store *s, const struct asked *asked, enum balance_store_state state,
                  uint64_t version)
{
    struct store_reply head = {.number = asked->head.number, .version = version, .state = state};
    comm_send(s->comm, asked->from, STORE_REPLY, &head, sizeof head);
}

static void reply_version(struct store *s, const struct entry *entry, int rank, uint64_t number)
{
    struct store_reply head = {
        .number = number, .version = entry->version, .state = BALANCE_STORE_OK};
    comm_send(s->comm, rank, STORE_REPLY, &head, sizeof head);
}

static void reply_value(struct store *s, struct entry *entry, int rank, uint64_t number, bool brief)
{
    if (brief) {
        reply_version(s, entry, rank, number);
        return;
    }
    entry->value->number = number;
    comm_send(s->comm, rank, STORE_REPLY, entry->value,
              sizeof *entry->value + entry->value->length);
}

/* Sends a reply whose bytes start with room for its head. */
static void reply_bytes(struct store *s, const struct asked *asked, enum balance_store_state state,
                        struct str *text)
{
    struct store_reply head = {.number = asked->head.number, .state = state};
    head.length = text->length - sizeof head;
    memcpy(text->text, &head, sizeof head);
    comm_send(s->comm, asked->from, STORE_REPLY, text->text, text->length);
    str_free(text);
}

static struct str reply_begin(void)
{
    struct str text = {0};
    str_add_bytes(&text, &(struct store_reply){0}, sizeof(struct store_reply));
    return text;
}

static void add_size(struct str *s, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) {
        str_printf(s, "%d bytes", (int)bytes);
        return;
    }
    double size = (double)bytes / 1024;
    int unit = 0;
    for (; size >= 1024 && unit < 3; unit++)
        size /= 1024;
    str_printf(s, "%.1f %s", size, units[unit]);
}

/* Refuses a value or a wait of this many bytes, and says why. */
static void reply_full(struct store *s, const struct asked *asked, const char *what, uint64_t bytes)
{
    struct str text = reply_begin();
    str_printf(&text, "server %d of %d has no memory for this %s of ", s->index + 1,
               s->roles.servers, what);
    add_size(&text, bytes);
    str_add(&text, ": it uses ");
    add_size(&text, s->used);
    str_add(&text, " of the ");
    add_size(&text, s->limit);
    str_add(&text, " it may use; delete keys that are no longer needed, put smaller values, or use "
                   "more servers or more memory on each");
    reply_bytes(s, asked, BALANCE_STORE_FULL, &text);
}

/* ---- subscribers ---- */

static void subscriber_drop(struct store *s, struct subscriber *subscriber)
{
    link_remove(&subscriber->link);
    s->used -= subscriber_cost;
    free(subscriber);
}

/* Tells subscribers that know an older version, in the order they came, and removes them. */
static void notify(struct store *s, struct entry *entry)
{
    struct link *next;
    for (struct link *at = entry->subscribers.next; at != &entry->subscribers; at = next) {
        struct subscriber *subscriber = (struct subscriber *)at;
        next = at->next;
        if (subscriber->known < entry->version) {
            reply_value(s, entry, subscriber->rank, subscriber->number, subscriber->brief);
            subscriber_drop(s, subscriber);
        }
    }
}

static void subscribe(struct store *s, struct entry *entry, const struct asked *asked)
{
    struct subscriber *subscriber = memory_new(1, sizeof *subscriber);
    subscriber->number = asked->head.number;
    subscriber->known = asked->head.version;
    subscriber->rank = asked->from;
    subscriber->brief = asked->head.argument != 0;
    link_add(&entry->subscribers, &subscriber->link);
    s->used += subscriber_cost;
}

/* ---- the operations ---- */

static uint64_t current(const struct entry *entry)
{
    return entry->value ? entry->version : 0;
}

static bool is_expected(const struct entry *entry, uint64_t expected)
{
    return expected == BALANCE_STORE_ANY ||
           current(entry) == (expected == BALANCE_STORE_NEW ? 0 : expected);
}

static void value_drop(struct store *s, struct entry *entry)
{
    if (!entry->value)
        return;
    s->used -= value_cost(entry->value->length);
    free(entry->value);
    entry->value = NULL;
}

/* Weights keep their size from version to version, so the memory of the old one is used again. */
static void value_set(struct store *s, struct entry *entry, const struct asked *asked)
{
    uint64_t length = asked->head.length;
    if (!entry->value || entry->value->length != length) {
        value_drop(s, entry);
        entry->value = memory_new(1, sizeof *entry->value + length);
        s->used += value_cost(length);
    }
    *entry->value = (struct store_reply){
        .version = ++entry->version, .length = length, .state = BALANCE_STORE_OK};
    memcpy(entry->value + 1, asked->bytes, length);
}

static void put_value(struct store *s, const struct asked *asked)
{
    struct entry *entry = entry_open(s, asked);
    uint64_t old = entry->value ? value_cost(entry->value->length) : 0;
    if (!is_expected(entry, asked->head.version)) {
        reply(s, asked, BALANCE_STORE_CONFLICT, current(entry));
    } else if (!fits(s, value_cost(asked->head.length), old)) {
        reply_full(s, asked, "value", asked->head.length);
    } else {
        value_set(s, entry, asked);
        reply(s, asked, BALANCE_STORE_OK, entry->version);
        notify(s, entry);
    }
    entry_settle(s, entry);
}

static void get_value(struct store *s, const struct asked *asked)
{
    struct entry *entry = entry_find(s, asked);
    if (entry && entry->value)
        reply_value(s, entry, asked->from, asked->head.number, false);
    else
        reply(s, asked, BALANCE_STORE_ABSENT, 0);
}

static void wait_for(struct store *s, const struct asked *asked)
{
    struct entry *entry = entry_open(s, asked);
    if (current(entry) > asked->head.version)
        reply_value(s, entry, asked->from, asked->head.number, asked->head.argument != 0);
    else if (fits(s, subscriber_cost, 0))
        subscribe(s, entry, asked);
    else
        reply_full(s, asked, "wait", subscriber_cost);
    entry_settle(s, entry);
}

/* A wait that is not found was answered while the cancellation was on its way. */
static void cancel_wait(struct store *s, const struct asked *asked)
{
    struct entry *entry = entry_find(s, asked);
    if (!entry)
        return;
    for (struct link *at = entry->subscribers.next; at != &entry->subscribers; at = at->next) {
        struct subscriber *subscriber = (struct subscriber *)at;
        if (subscriber->rank == asked->from && subscriber->number == asked->head.number) {
            subscriber_drop(s, subscriber);
            reply(s, asked, BALANCE_STORE_CANCELLED, 0);
            break;
        }
    }
    entry_settle(s, entry);
}

static void delete_value(struct store *s, const struct asked *asked)
{
    struct entry *entry = entry_find(s, asked);
    if (!entry || !entry->value) {
        reply(s, asked, BALANCE_STORE_ABSENT, 0);
        return;
    }
    reply(s, asked, BALANCE_STORE_OK, entry->version);
    value_drop(s, entry);
    entry_settle(s, entry);
}

static void add_listed(struct str *text, const struct entry *entry)
{
    struct store_listed listed = {entry->version, entry->value->length, entry->key_length};
    str_add_bytes(text, &listed, sizeof listed);
    str_add_bytes(text, entry->key, entry->key_length);
}

static void list_keys(struct store *s, const struct asked *asked)
{
    struct str text = reply_begin();
    for (size_t i = 0; i < s->capacity; i++)
        for (const struct entry *entry = s->table[i]; entry; entry = entry->next)
            if (entry->value && entry->key_length >= asked->key.length &&
                memcmp(entry->key, asked->key.text, asked->key.length) == 0 &&
                text.length <= BALANCE_STORE_VALUE_LIMIT)
                add_listed(&text, entry);
    enum balance_store_state state =
        text.length <= BALANCE_STORE_VALUE_LIMIT ? BALANCE_STORE_OK : BALANCE_STORE_TOO_LARGE;
    if (state != BALANCE_STORE_OK) {
        str_free(&text);
        text = reply_begin();
        str_printf(&text,
                   "server %d of %d has too many matching keys for one answer; list them with "
                   "longer prefixes",
                   s->index + 1, s->roles.servers);
    }
    reply_bytes(s, asked, state, &text);
}

static void (*const operations[STORE_OPERATIONS])(struct store *, const struct asked *) = {
    [STORE_PUT] = put_value,      [STORE_GET] = get_value,       [STORE_WAIT] = wait_for,
    [STORE_CANCEL] = cancel_wait, [STORE_DELETE] = delete_value, [STORE_LIST] = list_keys,
};

/* ---- the door ---- */

struct store *store_create(struct comm *comm, const struct roles *roles, uint64_t limit_bytes)
{
    enum { FIRST_CAPACITY = 64 };
    struct store *s = memory_new(1, sizeof *s);
    s->comm = comm;
    s->roles = *roles;
    s->index = roles_index(roles, comm_rank(comm));
    s->limit = limit_bytes;
    s->capacity = FIRST_CAPACITY;
    s->table = memory_new(s->capacity, sizeof(struct entry *));
    link_init(&s->graves);
    return s;
}

static void subscribers_free(struct entry *entry)
{
    struct link *next;
    for (struct link *at = entry->subscribers.next; at != &entry->subscribers; at = next) {
        next = at->next;
        free(at);
    }
}

void store_free(struct store *s)
{
    for (size_t i = 0; i < s->capacity; i++) {
        for (struct entry *entry = s->table[i], *next; entry; entry = next) {
            next = entry->next;
            subscribers_free(entry);
            free(entry->value);
            free(entry);
        }
    }
    free(s->table);
    free(s);
}

/* Parses a request. Clients have checked what users pass, so a mistake here is our own. */
static struct asked read_request(const struct store *s, const struct comm_message *message)
{
    struct asked asked = {.from = message->from};
    const struct store_request *head = &asked.head;
    const unsigned char *bytes = message->bytes;
    if (message->length < sizeof *head)
        BUG("a request of %zu bytes to the store", message->length);
    memcpy(&asked.head, bytes, sizeof *head);
    size_t rest = message->length - sizeof *head;
    if (head->key_length > rest || head->length != rest - head->key_length)
        BUG("a request to the store is not as long as it says");
    if (head->operation >= STORE_OPERATIONS || head->length > BALANCE_STORE_VALUE_LIMIT ||
        head->key_length > BALANCE_STORE_KEY_LIMIT)
        BUG("a malformed request to the store");
    asked.key = (struct slice){(const char *)bytes + sizeof *head, head->key_length};
    asked.bytes = bytes + sizeof *head + head->key_length;
    asked.hash = hash_of(asked.key);
    if (head->operation != STORE_LIST &&
        (head->key_length == 0 || memchr(asked.key.text, 0, head->key_length) ||
         store_home(&s->roles, asked.key) != s->index))
        BUG("a key that does not live here");
    return asked;
}

void store_message(struct store *s, const struct comm_message *message)
{
    struct asked asked = read_request(s, message);
    operations[asked.head.operation](s, &asked);
    bound_graves(s);
}

static void drop_waits_of(struct store *s, struct entry *entry, int rank)
{
    struct link *next;
    for (struct link *at = entry->subscribers.next; at != &entry->subscribers; at = next) {
        struct subscriber *subscriber = (struct subscriber *)at;
        next = at->next;
        if (subscriber->rank == rank)
            subscriber_drop(s, subscriber);
    }
    entry_settle(s, entry);
}

void store_forget(struct store *s, int rank)
{
    for (size_t i = 0; i < s->capacity; i++) {
        for (struct entry *entry = s->table[i], *next; entry; entry = next) {
            next = entry->next;
            drop_waits_of(s, entry, rank);
        }
    }
    bound_graves(s);
}

uint64_t store_used(const struct store *s)
{
    return s->used;
}
