/*
 * data_client.c - the worker's side of data: operations are collected into a batch.
 *
 * Changes of counts are added up for each datum. In the batch, those that increase a count come
 * first and those that decrease one come last; what cancels out is not sent.
 *
 * But whoever gets a reference from this batch may give it up before the rest of the batch has come
 * to the datum's home. If the rest needs the datum, and nothing at the end of the batch shows that
 * this worker had a reference until then, a guard is added: one more at the start, and one less at
 * the end. The same goes for shares in writing.
 */
#include "balance/data.h"

/* How much a count has been increased, and decreased; `down` is negative. */
struct change {
    int64_t up, down;
};

/* What has happened to a datum since the last flush. */
struct tally {
    struct data_head head; /* DATA_NEW or DATA_COUNT */
    struct change references, writers;
    bool handed;     /* a value or a task has got a reference */
    bool used_after; /* and an operation needs the datum after that */
};

struct data_client {
    struct comm *comm;
    const struct roles *roles;
    uint64_t made; /* number of data */
    struct tally *tallies;
    size_t count, capacity;
    uint32_t *places; /* a hash table of numbers of tallies, from 1; 0: free */
    size_t place_count;
    struct str operations, batch;
};

struct data_client *data_client_create(struct comm *comm, const struct roles *roles)
{
    struct data_client *c = memory_new(1, sizeof *c);
    c->comm = comm;
    c->roles = roles;
    return c;
}

void data_client_free(struct data_client *c)
{
    if (!c)
        return;
    str_free(&c->operations);
    str_free(&c->batch);
    free(c->tallies);
    free(c->places);
    free(c);
}

/* ---- tallies ---- */

/* The place of a datum's tally, or the free one where it belongs. */
static uint32_t *place_of(const struct data_client *c, uint64_t id)
{
    size_t mask = c->place_count - 1, at = data_hash(id) & mask;
    while (c->places[at] && c->tallies[c->places[at] - 1].head.id != id)
        at = (at + 1) & mask;
    return &c->places[at];
}

static void grow_places(struct data_client *c)
{
    free(c->places);
    c->place_count = c->place_count ? 2 * c->place_count : 64;
    c->places = memory_new(c->place_count, sizeof *c->places);
    for (size_t i = 0; i < c->count; i++)
        *place_of(c, c->tallies[i].head.id) = (uint32_t)i + 1;
}

/* The tally of a datum, made if there is none. */
static struct tally *tally_of(struct data_client *c, uint64_t id)
{
    if (2 * (c->count + 1) > c->place_count)
        grow_places(c);
    uint32_t *place = place_of(c, id);
    if (*place == 0) {
        c->tallies = memory_grow(c->tallies, &c->capacity, c->count + 1, sizeof *c->tallies);
        c->tallies[c->count++] = (struct tally){.head = {.id = id, .operation = DATA_COUNT}};
        *place = (uint32_t)c->count;
    }
    return &c->tallies[*place - 1];
}

/* An operation needs the datum. */
static void use(struct data_client *c, uint64_t id)
{
    uint32_t number = c->count > 0 ? *place_of(c, id) : 0;
    if (number && c->tallies[number - 1].handed)
        c->tallies[number - 1].used_after = true;
}

static void add_change(struct change *change, int by)
{
    *(by > 0 ? &change->up : &change->down) += by;
}

/* Clears only the places that are used: an event that once needed many does not slow down all. */
static void forget_tallies(struct data_client *c)
{
    for (size_t i = c->count; i-- > 0;) /* backwards, so that each is still found */
        *place_of(c, c->tallies[i].head.id) = 0;
    c->count = 0;
}

/* ---- the batch ---- */

static int32_t narrow(int64_t change)
{
    if (change < INT32_MIN || change > INT32_MAX)
        BUG("a count changes by %lld at once", (long long)change);
    return (int32_t)change;
}

/* Adds an operation that changes counts; one that changes none only if it makes the datum. */
static void add_counts(struct data_client *c, const struct tally *tally, uint16_t operation,
                       int64_t references, int64_t writers)
{
    struct data_head head = tally->head;
    struct data_counts counts = {narrow(references), narrow(writers)};
    if (operation == DATA_COUNT && references == 0 && writers == 0)
        return;
    head.operation = operation;
    head.length = sizeof counts;
    str_add_bytes(&c->batch, &head, sizeof head);
    str_add_bytes(&c->batch, &counts, sizeof counts);
}

/* Adds up a change, with a guard if it is needed and the sum does not show that there is one. */
static struct change sum_of(struct change change, bool guarded)
{
    int64_t sum = change.up + change.down;
    bool guard = guarded && sum >= 0;
    return (struct change){.up = (sum > 0 ? sum : 0) + guard, .down = (sum < 0 ? sum : 0) - guard};
}

/* True for a count of a new datum that will be 0 in the end, but not until then. */
static bool is_passing(const struct tally *tally, struct change change)
{
    return tally->head.operation == DATA_NEW && change.up > 0 && change.up + change.down == 0;
}

static struct change sum_of_writers(const struct tally *tally)
{
    bool both = tally->writers.up > 0 && tally->writers.down < 0;
    return sum_of(tally->writers, is_passing(tally, tally->writers) || (both && tally->used_after));
}

static struct change sum_of_references(const struct tally *tally)
{
    bool used_after = tally->used_after || sum_of_writers(tally).down < 0;
    return sum_of(tally->references,
                  is_passing(tally, tally->references) || (tally->handed && used_after));
}

/* The increases of data that are new, or of others. */
static void add_increases(struct data_client *c, uint16_t operation)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct tally *tally = &c->tallies[i];
        if (tally->head.operation == operation)
            add_counts(c, tally, operation, sum_of_references(tally).up, sum_of_writers(tally).up);
    }
}

static void add_decreases(struct data_client *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct tally *tally = &c->tallies[i];
        add_counts(c, tally, DATA_COUNT, sum_of_references(tally).down, sum_of_writers(tally).down);
    }
}

void data_client_flush(struct data_client *c)
{
    if (c->count == 0 && c->operations.length == 0)
        return;
    add_increases(c, DATA_COUNT);
    add_increases(c, DATA_NEW);
    str_add_bytes(&c->batch, c->operations.text, c->operations.length);
    add_decreases(c);
    forget_tallies(c);
    if (c->batch.length > 0)
        comm_send(c->comm, roles_home(c->roles, comm_rank(c->comm)), MESSAGE_DATA, c->batch.text,
                  c->batch.length);
    str_clear(&c->batch);
    str_clear(&c->operations);
}

/* ---- operations ---- */

uint64_t balance_data_new(struct balance_client *client, enum balance_kind kind, uint32_t label)
{
    struct data_client *c = data_client_of(client);
    uint64_t id = (uint64_t)comm_rank(c->comm) << DATA_RANK_SHIFT | ++c->made;
    struct tally *tally = tally_of(c, id);
    tally->head = (struct data_head){
        .id = id, .number = label, .operation = DATA_NEW, .detail = (uint16_t)kind};
    tally->references.up = 1;
    tally->writers.up = kind != BALANCE_CELL;
    return id;
}

void balance_data_count(struct balance_client *client, uint64_t id, int references, int writers)
{
    struct tally *tally = tally_of(data_client_of(client), id);
    add_change(&tally->references, references);
    add_change(&tally->writers, writers);
}

/* Begins an operation whose length is not known yet; returns where. */
static size_t begin(struct data_client *c, const struct data_head *head)
{
    use(c, head->id);
    str_add_bytes(&c->operations, head, sizeof *head);
    return c->operations.length;
}

static void end(struct data_client *c, size_t began)
{
    uint64_t length = c->operations.length - began;
    memcpy(c->operations.text + began - sizeof(struct data_head) +
               offsetof(struct data_head, length),
           &length, sizeof length);
}

static void check_size(size_t size, const char *what)
{
    if (size > BALANCE_DATA_LIMIT)
        BUG("%s of %zu bytes", what, size);
}

static void add_value(struct data_client *c, const struct balance_value *value)
{
    check_size(value->length, "a value");
    check_size(value->id_count * sizeof(uint64_t), "the ids of a value");
    data_write_value(&c->operations, value);
    for (size_t i = 0; i < value->id_count; i++)
        tally_of(c, balance_data_id(value, i))->handed = true;
}

void balance_data_set(struct balance_client *client, uint64_t cell,
                      const struct balance_value *value)
{
    struct data_client *c = data_client_of(client);
    size_t began = begin(c, &(struct data_head){.id = cell, .operation = DATA_SET});
    add_value(c, value);
    end(c, began);
}

static void add_member(struct balance_client *client, struct data_head head,
                       const struct slice *keys, const struct balance_value *value)
{
    struct data_client *c = data_client_of(client);
    size_t began = begin(c, &head);
    for (size_t i = 0; i < head.number; i++) {
        check_size(keys[i].length, "a key");
        data_write_key(&c->operations, keys[i]);
    }
    add_value(c, value);
    end(c, began);
}

void balance_data_insert(struct balance_client *client, uint64_t array, const struct slice *keys,
                         size_t key_count, const struct balance_value *value)
{
    if (key_count == 0)
        BUG("an insert without a key");
    struct data_head head = {.id = array, .number = (uint32_t)key_count, .operation = DATA_INSERT};
    add_member(client, head, keys, value);
}

void balance_data_append(struct balance_client *client, uint64_t bag, const struct slice *keys,
                         size_t key_count, const struct balance_value *value)
{
    struct data_head head = {.id = bag, .number = (uint32_t)key_count, .operation = DATA_APPEND};
    add_member(client, head, keys, value);
}

void balance_data_update(struct balance_client *client, uint64_t id, enum balance_update how,
                         double number)
{
    struct data_client *c = data_client_of(client);
    struct data_head head = {
        .id = id, .length = sizeof number, .operation = DATA_UPDATE, .detail = (uint16_t)how};
    begin(c, &head);
    str_add_bytes(&c->operations, &number, sizeof number);
}

static void add_wait(struct data_client *c, const struct balance_wait *wait, size_t number,
                     uint32_t label)
{
    struct data_wait head = {.id = wait->id,
                             .want = (uint16_t)wait->want,
                             .brief = wait->brief,
                             .number = (uint32_t)number,
                             .label = label};
    check_size(wait->key.length, "a key");
    use(c, wait->id);
    str_add_bytes(&c->operations, &head, sizeof head);
    data_write_key(&c->operations, wait->key);
}

void balance_data_put(struct balance_client *client, const struct balance_task *task,
                      const struct balance_wait *waits, size_t wait_count, const uint64_t *ids,
                      size_t id_count)
{
    struct data_client *c = data_client_of(client);
    struct data_put put = {.head = task_head_of(task, c->roles),
                           .label = task->label,
                           .wait_count = (uint32_t)wait_count,
                           .id_count = (uint32_t)id_count};
    size_t began = begin(c, &(struct data_head){.operation = DATA_PUT});
    put.head.origin = -1;
    str_add_bytes(&c->operations, &put, sizeof put);
    for (size_t i = 0; i < wait_count; i++)
        add_wait(c, &waits[i], i, task->label);
    for (size_t i = 0; i < id_count; i++)
        tally_of(c, ids[i])->handed = true;
    str_add_bytes(&c->operations, ids, id_count * sizeof *ids);
    str_add_bytes(&c->operations, task->bytes, task->length);
    end(c, began);
}
