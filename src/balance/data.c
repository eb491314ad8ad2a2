/*
 * data.c - the server's door to data: applies operations, or passes them to the home of the datum.
 *
 * The operations of a worker are applied in their order. If a value is for another server and
 * refers to a datum of a third one, which may not have heard of the reference yet, the operation
 * waits until it has; so do those that follow, and the later batches of this worker.
 */
#include "balance/data.h"
#include "balance/server.h"

struct batch {
    struct hold hold; /* first */
    struct batches *queue;
    struct batch *next;
    size_t length, at; /* what is before `at` has been applied */
    unsigned char bytes[];
};

struct data *data_of(struct balance_server *s)
{
    if (s->data)
        return s->data;
    struct data *d = s->data = memory_new(1, sizeof *d);
    d->server = s;
    d->peers = memory_new((size_t)s->roles.servers, sizeof *d->peers);
    d->open = memory_new((size_t)s->roles.servers, sizeof *d->open);
    d->batches = memory_new((size_t)s->seat_count, sizeof *d->batches);
    return d;
}

static void batches_free(struct batches *queue)
{
    for (struct batch *next; queue->first; queue->first = next) {
        next = queue->first->next;
        free(queue->first);
    }
}

void data_free(struct data *d)
{
    if (!d)
        return;
    data_peers_free(d); /* first: it knows of batches and tasks */
    for (int i = 0; i < d->server->seat_count; i++)
        batches_free(&d->batches[i]);
    free(d->batches);
    data_keep_free(d);
    data_waiters_free(d);
    str_free(&d->stuck);
    free(d);
}

size_t balance_data_held(const struct balance_server *s, size_t *bytes)
{
    if (bytes)
        *bytes = s->data ? s->data->bytes : 0;
    return s->data ? s->data->count : 0;
}

int data_home(const struct data *d, uint64_t id)
{
    uint64_t rank = id >> DATA_RANK_SHIFT;
    if (rank >= (uint64_t)d->server->roles.size)
        BUG("datum %llx is not of this job", (unsigned long long)id);
    return roles_index(&d->server->roles, (int)rank);
}

/* ---- faults ---- */

static void hear_fault(const struct balance_server *s, const struct balance_fault *fault)
{
    if (s->owner.data_failed)
        s->owner.data_failed(s->owner.self, fault);
}

void data_tell_fault(struct data *d, const struct balance_fault *fault)
{
    struct data_fault head = {.id = fault->id,
                              .reason = fault->reason,
                              .label = fault->label,
                              .key_count = (uint32_t)fault->key_count};
    struct str message = {0};
    if (server_is_first(d->server)) {
        hear_fault(d->server, fault);
        return;
    }
    str_add_bytes(&message, &head, sizeof head);
    for (size_t i = 0; i < fault->key_count; i++)
        data_write_key(&message, fault->keys[i]);
    server_send(d->server, 0, MESSAGE_DATA_FAULT, message.text, message.length);
    str_free(&message);
}

void data_fail(struct data *d, enum balance_fault_reason reason, uint64_t id)
{
    const struct datum *datum = data_find(d, id);
    struct balance_fault fault = {.reason = reason, .id = id, .label = datum ? datum->label : 0};
    data_tell_fault(d, &fault);
}

void data_failed(struct balance_server *s, const struct comm_message *message)
{
    struct data_reader reader = {message->bytes, message->length, 0};
    struct data_fault head;
    data_read(&reader, &head, sizeof head);
    struct slice *keys = data_read_keys(&reader, head.key_count);
    struct balance_fault fault = {.reason = (enum balance_fault_reason)head.reason,
                                  .id = head.id,
                                  .label = head.label,
                                  .keys = keys,
                                  .key_count = head.key_count};
    hear_fault(s, &fault);
    free(keys);
}

/* ---- operations on data of this server ---- */

static struct data_counts read_counts(struct data_reader *body)
{
    struct data_counts counts;
    data_read(body, &counts, sizeof counts);
    return counts;
}

static void put_in(struct data *d, const struct data_head *head, struct data_reader *body)
{
    struct slice *keys = data_read_keys(body, head->number);
    struct balance_value value = data_read_value(body);
    if (head->operation == DATA_INSERT)
        data_insert(d, head->id, keys, head->number, &value);
    else
        data_append(d, head->id, keys, head->number, &value);
    free(keys);
}

static void set(struct data *d, const struct data_head *head, struct data_reader *body)
{
    struct balance_value value = data_read_value(body);
    data_set(d, head->id, &value);
}

static void update(struct data *d, const struct data_head *head, struct data_reader *body)
{
    double number;
    data_read(body, &number, sizeof number);
    data_update(d, head->id, (enum balance_update)head->detail, number);
}

static void apply(struct data *d, const struct data_head *head, struct data_reader *body)
{
    switch (head->operation) {
    case DATA_COUNT: data_count(d, head->id, read_counts(body)); break;
    case DATA_SET: set(d, head, body); break;
    case DATA_INSERT:
    case DATA_APPEND: put_in(d, head, body); break;
    case DATA_UPDATE: update(d, head, body); break;
    default: BUG("an operation of type %d", head->operation);
    }
}

/* ---- batches of workers ---- */

static void apply_from_worker(struct data *d, const struct data_head *head,
                              struct data_reader *body)
{
    if (head->operation == DATA_PUT) {
        data_put(d, body);
        return;
    }
    int home = data_home(d, head->id);
    if (home != d->server->index)
        data_pass(d, home, head, body->bytes, true);
    else if (head->operation == DATA_NEW)
        data_make(d, head->id, (enum balance_kind)head->detail, head->number, read_counts(body));
    else
        apply(d, head, body);
}

/*
 * True if an operation brings a value to another server that refers to data of a third one, which
 * may not have heard of that yet. `hold`, unless it is NULL, then waits until it has.
 */
static bool must_wait(struct data *d, const struct data_head *head, struct data_reader body,
                      struct hold *hold)
{
    bool must = false;
    if (head->operation != DATA_SET && head->operation != DATA_INSERT &&
        head->operation != DATA_APPEND)
        return false;
    int home = data_home(d, head->id);
    if (home == d->server->index)
        return false;
    for (size_t i = head->number; i > 0; i--)
        data_read_key(&body);
    struct balance_value value = data_read_value(&body);
    for (size_t i = 0; i < value.id_count; i++) {
        int other = data_home(d, balance_data_id(&value, i));
        if (other == home || !data_unsettled(d, other))
            continue;
        must = true;
        if (hold)
            data_hold(d, hold, other);
    }
    return must;
}

/*
 * Applies operations up to the first that must wait, and stops the reader there; false if there is
 * none. `waited`: the first one has waited before.
 */
static bool apply_batch(struct data *d, struct data_reader *reader, bool waited)
{
    struct data_head head;
    struct data_reader body;
    bool alone = d->server->roles.servers < 3;
    for (size_t at = reader->at; data_read_operation(reader, &head, &body); at = reader->at) {
        if (!alone && !waited && must_wait(d, &head, body, NULL)) {
            reader->at = at;
            return true;
        }
        apply_from_worker(d, &head, &body);
        waited = false;
    }
    return false;
}

static struct data_reader rest_of(const struct batch *batch)
{
    return (struct data_reader){batch->bytes, batch->length, batch->at};
}

/* Lets a batch wait for what its next operation needs. */
static void hold_batch(struct data *d, struct batch *batch)
{
    struct data_reader rest = rest_of(batch), body;
    struct data_head head;
    data_read_operation(&rest, &head, &body);
    must_wait(d, &head, body, &batch->hold);
}

/* What the first batch of a queue waited for has arrived. */
static void continue_batches(struct data *d, struct hold *hold)
{
    struct batch *batch = (struct batch *)hold, *next;
    struct batches *queue = batch->queue;
    for (bool waited = true; batch; batch = next, waited = false) {
        struct data_reader rest = rest_of(batch);
        if (apply_batch(d, &rest, waited)) {
            batch->at = rest.at;
            hold_batch(d, batch);
            return;
        }
        next = queue->first = batch->next;
        free(batch);
    }
}

static struct batch *queue_batch(struct batches *queue, const struct data_reader *reader)
{
    struct batch *batch = memory_new(1, sizeof *batch + reader->length);
    *batch = (struct batch){.hold = {.go = continue_batches},
                            .queue = queue,
                            .length = reader->length,
                            .at = reader->at};
    memcpy(batch->bytes, reader->bytes, reader->length);
    if (queue->first)
        queue->last->next = batch;
    else
        queue->first = batch;
    return queue->last = batch;
}

/* ---- messages ---- */

/* The consequences of a message. */
static void finish(struct data *d)
{
    data_settle(d);
    data_flush(d);
}

void data_batch(struct balance_server *s, const struct seat *seat,
                const struct comm_message *message)
{
    struct data *d = data_of(s);
    struct batches *queue = &d->batches[seat - s->seats];
    struct data_reader reader = {message->bytes, message->length, 0};
    if (queue->first)
        queue_batch(queue, &reader);
    else if (apply_batch(d, &reader, false))
        hold_batch(d, queue_batch(queue, &reader));
    finish(d);
}

static void apply_from_server(struct data *d, int from, const struct data_head *head,
                              struct data_reader *body)
{
    struct data_head arrived = {.id = head->id, .operation = DATA_ARRIVED};
    switch (head->operation) {
    case DATA_WAIT: data_take_wait(d, from, body); break;
    case DATA_NOTICE: data_take_notice(d, head, body); break;
    case DATA_FENCE: data_pass(d, from, &arrived, NULL, false); break;
    case DATA_ARRIVED: data_arrived(d, from, head->id); break;
    default:
        if (data_home(d, head->id) != d->server->index)
            BUG("datum %llx is not at home here", (unsigned long long)head->id);
        apply(d, head, body);
    }
}

void data_message(struct balance_server *s, const struct comm_message *message)
{
    struct data *d = data_of(s);
    struct data_reader reader = {message->bytes, message->length, 0}, body;
    struct data_head head;
    int from = roles_index(&s->roles, message->from);
    while (data_read_operation(&reader, &head, &body))
        apply_from_server(d, from, &head, &body);
    finish(d);
}
