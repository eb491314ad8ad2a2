/*
 * data_wait.c - tasks that wait for data, and the answers that release them.
 *
 * A task waits on the server of the worker that put it. A wait for a datum of this server keeps the
 * datum until the task is released, and reads it only then: what is waited for does not change any
 * more. For a datum of another server, that server gets a copy of the wait, and sends the answer
 * when it is known.
 *
 * Whoever writes an answer adds a reference to each id in it. So a task or an answer must often
 * wait until that has arrived: see data.h.
 */
#include "balance/data.h"
#include "balance/server.h"

/* ---- answers ---- */

/* An answer that is being written. */
struct writing {
    struct data *data;
    struct str *out;
    struct hold *hold; /* of what will carry it */
    int to;            /* index of the server where it goes */
    bool brief;
    struct data_answer head;
};

/* Adds the references of a value for the task that gets it. */
static void add_references(struct writing *w, const struct balance_value *value)
{
    for (size_t i = 0; i < value->id_count; i++) {
        uint64_t id = balance_data_id(value, i);
        int home = data_home(w->data, id);
        data_count(w->data, id, (struct data_counts){.references = 1});
        if (home != w->to)
            data_hold(w->data, w->hold, home);
    }
}

static void write_member(struct writing *w, struct slice key, bool row,
                         const struct balance_value *value)
{
    uint32_t flag = row;
    w->head.count++;
    if (w->brief)
        return;
    str_add_bytes(w->out, &flag, sizeof flag);
    data_write_key(w->out, key);
    data_write_value(w->out, value);
    add_references(w, value);
}

static void write_kept(struct writing *w, struct slice key, bool row, const struct kept *kept)
{
    struct balance_value value = data_view(kept);
    write_member(w, key, row, &value);
}

static const struct slice no_key;

static void write_one(struct writing *w, const struct data_member *member, bool with_value)
{
    w->head.present = member && member->present;
    if (w->head.present && with_value)
        write_kept(w, no_key, member->row, &member->value);
}

static void write_array(struct writing *w, const struct members *members)
{
    for (size_t i = 0; members && i < members->count; i++) {
        const struct data_member *member = members->items[i];
        struct slice key = {(const char *)member->key, member->key_length};
        if (member->present)
            write_kept(w, key, member->row, &member->value);
    }
}

static void write_bag(struct writing *w, const struct bag *bag)
{
    for (size_t i = 0; i < bag->count; i++)
        write_kept(w, no_key, false, &bag->items[i]);
}

static void write_number(struct writing *w, double number)
{
    struct balance_value value = {.bytes = &number, .length = sizeof number};
    write_member(w, no_key, false, &value);
}

static void write_body(struct writing *w, const struct wait *wait)
{
    const struct datum *datum = wait->datum;
    if (wait->head.want == BALANCE_WANT_MEMBER || wait->head.want == BALANCE_WANT_EXISTS)
        write_one(w, data_member(datum, wait->key), wait->head.want == BALANCE_WANT_MEMBER);
    else if (datum->kind == BALANCE_CELL)
        write_kept(w, no_key, false, &datum->value);
    else if (datum->kind == BALANCE_UPDATEABLE)
        write_number(w, datum->number);
    else if (datum->kind == BALANCE_BAG)
        write_bag(w, &datum->bag);
    else
        write_array(w, datum->members);
}

/* Appends the answer to a wait, which then no longer keeps its datum. */
static void write_answer(struct data *d, struct wait *wait, struct str *out, struct hold *hold,
                         int to)
{
    size_t start = out->length;
    struct writing writing = {.data = d,
                              .out = out,
                              .hold = hold,
                              .to = to,
                              .brief = wait->head.brief,
                              .head = {.present = 1}};
    str_add_bytes(out, &writing.head, sizeof writing.head);
    write_body(&writing, wait);
    writing.head.length = out->length - start - sizeof writing.head;
    memcpy(out->text + start, &writing.head, sizeof writing.head);
    data_unhold(d, wait->datum);
    wait->datum = NULL;
}

/* ---- answers for other servers ---- */

struct notice {
    struct hold hold; /* first */
    int to;
    struct data_head head;
    struct str answer;
};

static void notice_free(struct hold *hold)
{
    struct notice *notice = (struct notice *)hold;
    str_free(&notice->answer);
    free(notice);
}

static void notice_go(struct data *d, struct hold *hold)
{
    struct notice *notice = (struct notice *)hold;
    notice->head.length = notice->answer.length;
    data_pass(d, notice->to, &notice->head, notice->answer.text, false);
    notice_free(hold);
}

/* Sends the answer to a wait of another server, and frees the wait. */
static void send_notice(struct data *d, struct wait *wait)
{
    struct notice *notice = memory_new(1, sizeof *notice);
    notice->hold = (struct hold){.missing = 1, .go = notice_go, .discard = notice_free};
    notice->to = wait->server;
    notice->head = (struct data_head){
        .id = wait->head.slot, .number = wait->head.number, .operation = DATA_NOTICE};
    write_answer(d, wait, &notice->answer, &notice->hold, notice->to);
    free(wait);
    data_unmiss(d, &notice->hold);
}

/* ---- waits ---- */

static bool is_at_once(const struct wait *wait)
{
    return wait->head.want == BALANCE_WANT_EXISTS || wait->head.want == BALANCE_WANT_SNAPSHOT;
}

static bool suits(const struct datum *datum, enum balance_want want)
{
    switch (want) {
    case BALANCE_WANT_VALUE:
        return datum->kind == BALANCE_CELL || datum->kind == BALANCE_UPDATEABLE;
    case BALANCE_WANT_MEMBERS: return datum->kind == BALANCE_ARRAY || datum->kind == BALANCE_BAG;
    case BALANCE_WANT_MEMBER:
    case BALANCE_WANT_EXISTS: return datum->kind == BALANCE_ARRAY;
    case BALANCE_WANT_SNAPSHOT: return datum->kind == BALANCE_UPDATEABLE;
    }
    BUG("a wait of type %d", want);
}

/* The list in which a wait must stand; NULL: the answer is known. */
static struct wait **list_of(struct data *d, const struct wait *wait)
{
    struct datum *datum = wait->datum;
    if (is_at_once(wait) || datum->closed)
        return NULL;
    if (wait->head.want != BALANCE_WANT_MEMBER)
        return &datum->waits;
    struct data_member *member = data_member_open(d, datum, wait->key);
    return member->present ? NULL : &member->waits;
}

bool data_waits_here(const struct wait *wait)
{
    if (!wait->datum || is_at_once(wait) || wait->datum->closed)
        return false;
    if (wait->head.want != BALANCE_WANT_MEMBER)
        return true;
    const struct data_member *member = data_member(wait->datum, wait->key);
    return !member || !member->present;
}

enum registered { REFUSED, QUEUED, KNOWN };

/* Lets a wait keep its datum, and stand in line unless the answer is known. */
static enum registered register_wait(struct data *d, struct wait *wait)
{
    struct datum *datum = data_find(d, wait->head.id);
    if (!datum || !suits(datum, wait->head.want)) {
        data_fail(d, datum ? BALANCE_FAULT_KIND : BALANCE_FAULT_UNKNOWN, wait->head.id);
        return REFUSED;
    }
    wait->datum = datum;
    datum->holds++;
    struct wait **list = list_of(d, wait);
    if (!list)
        return KNOWN;
    wait->next = *list;
    *list = wait;
    return QUEUED;
}

void data_take_wait(struct data *d, int server, struct data_reader *body)
{
    struct data_wait head;
    data_read(body, &head, sizeof head);
    struct slice key = data_read_key(body);
    char *copy = memory_new(1, sizeof(struct wait) + key.length); /* the key lies behind it */
    struct wait *wait = (struct wait *)copy;
    *wait = (struct wait){.head = head, .server = server};
    wait->key = (struct slice){copy + sizeof *wait, key.length};
    memcpy(copy + sizeof *wait, key.text, key.length);
    enum registered registered = register_wait(d, wait);
    if (registered == KNOWN)
        send_notice(d, wait);
    else if (registered == REFUSED)
        free(wait);
}

void data_waits_free(struct wait *waits)
{
    for (struct wait *next; waits; waits = next) {
        next = waits->next;
        if (!waits->waiter)
            free(waits);
    }
}

/* Lists have the latest first, and those who have waited longest come first. */
void data_answer_all(struct data *d, struct wait *waits)
{
    struct wait *first = NULL;
    for (struct wait *next; waits; waits = next) {
        next = waits->next;
        waits->next = first;
        first = waits;
    }
    for (struct wait *next; first; first = next) {
        next = first->next;
        if (first->waiter)
            data_unmiss(d, &first->waiter->hold);
        else
            send_notice(d, first);
    }
}

/* ---- tasks ---- */

static void waiter_free(struct waiter *w)
{
    for (uint32_t i = 0; i < w->wait_count; i++)
        str_free(&w->waits[i].answer);
    free(w->memory);
    free(w->task);
    free(w);
}

/* Everything that the task refers to is where it belongs. */
static void release(struct data *d, struct hold *hold)
{
    struct waiter *w = (struct waiter *)hold;
    d->waiters[w->slot] = NULL;
    d->waiter_count--;
    d->free_slots =
        memory_grow(d->free_slots, &d->free_capacity, d->free_count + 1, sizeof *d->free_slots);
    d->free_slots[d->free_count++] = w->slot;
    server_put(d->server, w->task, LEDGER_NOBODY);
    w->task = NULL;
    waiter_free(w);
}

/* Makes the task whose bytes are these; false if there are too many. */
static bool finish_task(struct data *d, struct waiter *w, const struct str *bytes)
{
    if (bytes->length > BALANCE_DATA_LIMIT) {
        struct balance_fault fault = {.reason = BALANCE_FAULT_TOO_LARGE, .label = w->label};
        data_tell_fault(d, &fault);
        return false;
    }
    w->head.length = (uint32_t)bytes->length;
    w->task = task_new(&w->head, bytes->text);
    free(w->memory);
    w->memory = NULL;
    return true;
}

/* All waits are answered: the task gets its answers. */
static void answer_task(struct data *d, struct hold *hold)
{
    struct waiter *w = (struct waiter *)hold;
    struct data_trailer trailer = {w->head.length, w->wait_count};
    struct str bytes = {0};
    hold->missing = 1;
    hold->go = release;
    str_add_bytes(&bytes, w->bytes, w->head.length);
    for (uint32_t i = 0; i < w->wait_count; i++) {
        struct wait *wait = &w->waits[i];
        if (wait->datum)
            write_answer(d, wait, &bytes, hold, -1);
        else
            str_add_bytes(&bytes, wait->answer.text, wait->answer.length);
        str_free(&wait->answer);
    }
    str_add_bytes(&bytes, &trailer, sizeof trailer);
    if (finish_task(d, w, &bytes))
        data_unmiss(d, hold);
    str_free(&bytes);
}

static void take_slot(struct data *d, struct waiter *w)
{
    if (d->free_count > 0) {
        w->slot = d->free_slots[--d->free_count];
    } else {
        d->waiters = memory_grow(d->waiters, &d->slot_capacity, d->slots + 1, sizeof *d->waiters);
        w->slot = (uint32_t)d->slots++;
    }
    d->waiters[w->slot] = w;
    d->waiter_count++;
}

static void pass_wait(struct data *d, int home, const struct wait *wait)
{
    struct str body = {0};
    str_add_bytes(&body, &wait->head, sizeof wait->head);
    data_write_key(&body, wait->key);
    struct data_head head = {.id = wait->head.id, .length = body.length, .operation = DATA_WAIT};
    data_pass(d, home, &head, body.text, true);
    str_free(&body);
}

/* Begins to wait. What must be known at once is written at once, for it changes. */
static void begin_wait(struct data *d, struct wait *wait)
{
    int home = data_home(d, wait->head.id);
    struct hold *hold = &wait->waiter->hold;
    enum registered registered = QUEUED;
    if (home == d->server->index)
        registered = register_wait(d, wait);
    else
        pass_wait(d, home, wait);
    if (registered != KNOWN)
        hold->missing++;
    else if (is_at_once(wait))
        write_answer(d, wait, &wait->answer, hold, -1);
}

static struct waiter *read_waiter(struct data *d, struct data_reader *body, struct data_put *put)
{
    data_read(body, put, sizeof *put);
    if (put->wait_count > (body->length - body->at) / sizeof(struct data_wait))
        BUG("%u waits do not fit into their message", put->wait_count);
    struct waiter *w = memory_new(1, sizeof *w + put->wait_count * sizeof *w->waits);
    w->hold = (struct hold){.missing = 1, .go = answer_task};
    w->label = put->label;
    w->wait_count = put->wait_count;
    w->head = put->head;
    w->memory = memory_new(body->length - body->at, 1);
    memcpy(w->memory, body->bytes + body->at, body->length - body->at);
    *body = (struct data_reader){w->memory, body->length - body->at, 0};
    take_slot(d, w);
    return w;
}

void data_put(struct data *d, struct data_reader *body)
{
    struct data_put put;
    struct waiter *w = read_waiter(d, body, &put);
    for (uint32_t i = 0; i < w->wait_count; i++) {
        struct wait *wait = &w->waits[i];
        data_read(body, &wait->head, sizeof wait->head);
        wait->head.slot = w->slot;
        wait->key = data_read_key(body);
        wait->waiter = w;
        begin_wait(d, wait);
    }
    struct balance_value ids = {.id_count = put.id_count};
    ids.ids = data_read_bytes(body, ids.id_count * sizeof(uint64_t));
    for (size_t i = 0; i < ids.id_count; i++)
        data_hold(d, &w->hold, data_home(d, balance_data_id(&ids, i)));
    w->bytes = data_read_bytes(body, w->head.length);
    data_unmiss(d, &w->hold);
}

void data_take_notice(struct data *d, const struct data_head *head, struct data_reader *body)
{
    struct waiter *w = head->id < d->slots ? d->waiters[head->id] : NULL;
    if (!w || head->number >= w->wait_count || w->waits[head->number].answer.length > 0)
        BUG("an answer for task %llu, which does not wait for it", (unsigned long long)head->id);
    str_add_bytes(&w->waits[head->number].answer, body->bytes, body->length);
    data_unmiss(d, &w->hold);
}

void data_waiters_free(struct data *d)
{
    for (size_t slot = 0; slot < d->slots; slot++)
        if (d->waiters[slot])
            waiter_free(d->waiters[slot]);
    free(d->waiters);
    free(d->free_slots);
}
