/* server.c - the door of a server: passes messages and the owner's requests to their handlers. */
#include "balance/server.h"
#include "balance/data.h"

#include <unistd.h>

/* Bytes of the key-value space by default: the most, and the share of a machine with less. */
static const uint64_t MEMORY = 1ull << 30;
static const double MEMORY_SHARE = 0.25;

static uint64_t default_memory(void)
{
    double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double share = machine * MEMORY_SHARE;
    return share > 0 && share < (double)MEMORY ? (uint64_t)share : MEMORY;
}

struct balance_server *balance_create(struct comm *comm, const struct balance_rules *rules,
                                      const struct balance_owner *owner)
{
    struct balance_server *s = memory_new(1, sizeof *s);
    s->comm = comm;
    s->rules = *rules;
    s->owner = *owner;
    s->roles = roles_of(comm_size(comm), rules->servers);
    s->rank = comm_rank(comm);
    s->index = roles_index(&s->roles, s->rank);
    s->queue = queue_create();
    s->peers = memory_new((size_t)s->roles.servers, sizeof *s->peers);
    s->favourite = s->index == 0 ? -1 : 0;
    s->reserve.node = s->gathering.asked.node = -1;
    s->outgoing_to = -1;
    random_seed(&s->random, 1, (uint64_t)s->rank);
    s->store = store_create(comm, &s->roles, rules->memory ? rules->memory : default_memory());
    seats_create(s);
    if (server_is_first(s))
        gather_create(s);
    alive_start(s);
    return s;
}

void balance_free(struct balance_server *s)
{
    queue_free(s->queue);
    ledger_free(&s->ledger);
    seats_free(s);
    steal_free(s);
    gather_free(s);
    store_free(s->store);
    data_free(s->data);
    str_free(&s->outgoing);
    free(s);
}

bool server_is_first(const struct balance_server *s)
{
    return s->rank == 0;
}

/* ---- sending to servers ---- */

void server_flush(struct balance_server *s)
{
    if (s->outgoing_to < 0)
        return;
    int to = s->outgoing_to;
    s->outgoing_to = -1;
    s->ending.sent++;
    comm_send(s->comm, to, (int)s->outgoing_type, s->outgoing.text, s->outgoing.length);
    str_clear(&s->outgoing);
}

void server_add(struct balance_server *s, int rank, enum balance_message type, const void *head,
                size_t head_length, const void *bytes, size_t length)
{
    if (s->outgoing_to != rank || s->outgoing_type != type)
        server_flush(s);
    s->outgoing_to = rank;
    s->outgoing_type = type;
    str_add_bytes(&s->outgoing, head, head_length);
    str_add_bytes(&s->outgoing, bytes, length);
}

void server_send(struct balance_server *s, int rank, enum balance_message type, const void *bytes,
                 size_t length)
{
    server_flush(s); /* what was added before goes first */
    s->ending.sent += type >= MESSAGE_COUNTED;
    comm_send(s->comm, rank, (int)type, bytes, length);
}

void server_send_all(struct balance_server *s, enum balance_message type, const void *bytes,
                     size_t length)
{
    for (int i = 0; i < s->roles.servers; i++)
        if (i != s->index)
            server_send(s, roles_server(&s->roles, i), type, bytes, length);
}

/* ---- where a task belongs ---- */

static bool target_is_dead(struct balance_server *s, const struct task_head *head)
{
    const struct seat *seat = head->scope == TASK_RANK ? seat_of(s, head->target) : NULL;
    if (head->soft || head->scope == TASK_ANYWHERE || head->workers > 1)
        return false;
    return seat ? seat->state == SEAT_GONE
                : head->scope == TASK_NODE && !node_has_workers(s, head->target);
}

void server_take(struct balance_server *s, struct task *task, bool front)
{
    if (s->withdrawn || s->ending.closing) {
        ledger_discard(s, task, BALANCE_BACK);
    } else if (target_is_dead(s, &task->head)) {
        ledger_discard(s, task, BALANCE_LOST);
    } else if (task->head.workers > 1) {
        gather_put(s, task);
    } else {
        struct seat *seat = seats_for(s, &task->head);
        if (seat)
            seat_give(s, seat, task, NULL);
        else
            queue_add(s->queue, task, front);
    }
}

/* The server of the first worker on a node, or this one if it has a worker there. */
static int home_of_node(const struct balance_server *s, int node)
{
    for (int i = 0; i < s->seat_count; i++)
        if (s->seats[i].seeker.node == node)
            return s->rank;
    for (int rank = 0; rank < s->roles.size; rank++)
        if (comm_node(s->comm, rank) == node && !roles_is_server(&s->roles, rank))
            return roles_home(&s->roles, rank);
    return s->rank;
}

static int home_of_task(const struct balance_server *s, const struct task_head *head)
{
    if (head->workers > 1)
        return 0;
    if (head->scope == TASK_RANK)
        return roles_home(&s->roles, head->target);
    return head->scope == TASK_NODE ? home_of_node(s, head->target) : s->rank;
}

void server_route(struct balance_server *s, struct task *task)
{
    int home = home_of_task(s, &task->head);
    if (home == s->rank) {
        server_take(s, task, false);
        return;
    }
    ledger_left(s, &task->head);
    server_add(s, home, MESSAGE_ROUTE, &task->head, sizeof task->head, task->bytes,
               task->head.length);
    free(task);
}

/* ---- messages ---- */

/* Its outcome is wanted: by a client, or by gather.c. */
void server_put(struct balance_server *s, struct task *task, int client)
{
    if (client != LEDGER_NOBODY || task->head.workers > 1) {
        struct task_name name = ledger_add(s, task->head.id, client);
        task->head.origin = name.origin;
        task->head.turn = name.turn;
    }
    server_route(s, task);
}

static void take_puts(struct balance_server *s, const struct comm_message *message)
{
    struct task_head head;
    for (size_t at = 0; head_next(message->bytes, message->length, &at, &head, sizeof head);) {
        const unsigned char *bytes = bytes_next(message->bytes, message->length, &at, head.length);
        server_put(s, task_new(&head, bytes), head.origin >= 0 ? message->from : LEDGER_NOBODY);
    }
}

void server_take_all(struct balance_server *s, const struct comm_message *message)
{
    struct task_head head;
    for (size_t at = 0; head_next(message->bytes, message->length, &at, &head, sizeof head);)
        server_take(s,
                    task_new(&head, bytes_next(message->bytes, message->length, &at, head.length)),
                    false);
}

static void take_members(struct balance_server *s, const struct comm_message *message)
{
    struct answer_head answer;
    for (size_t at = 0; head_next(message->bytes, message->length, &at, &answer, sizeof answer);)
        gather_member_done(s, &answer,
                           bytes_next(message->bytes, message->length, &at, answer.length));
}

void server_tell_lost(struct balance_server *s, int rank)
{
    if (s->owner.worker_lost)
        s->owner.worker_lost(s->owner.self, roles_worker(&s->roles, rank));
}

/*
 * The first server also sends this message to itself, because what it has sent itself about that
 * worker, such as that it is held, must come first. It then tells all servers: the worker used
 * their key-value space, and they may have tasks for its node.
 */
static void take_departed(struct balance_server *s, const struct comm_message *message)
{
    struct pooled departed;
    memcpy(&departed, message->bytes, sizeof departed);
    comm_forget(s->comm, departed.rank);
    store_forget(s->store, departed.rank);
    if (server_is_first(s)) {
        server_send_all(s, MESSAGE_DEPARTED, &departed, sizeof departed);
        if (message->from != s->rank)
            server_tell_lost(s, departed.rank);
        gather_departed(s, &departed);
    }
    seats_departed(s, departed.rank);
}

static void tell_note(struct balance_server *s, int rank, const unsigned char *bytes, size_t length)
{
    if (s->owner.noted)
        s->owner.noted(s->owner.self, roles_worker(&s->roles, rank), bytes, length);
}

/* A note goes the way of the worker's results, so it arrives before what the worker sends later. */
static void take_note(struct balance_server *s, const struct comm_message *message)
{
    struct str passed = {0};
    int32_t rank = message->from;
    if (server_is_first(s)) {
        tell_note(s, rank, message->bytes, message->length);
        return;
    }
    str_add_bytes(&passed, &rank, sizeof rank);
    str_add_bytes(&passed, message->bytes, message->length);
    server_send(s, 0, MESSAGE_PASSED_NOTE, passed.text, passed.length);
    str_free(&passed);
}

static void take_passed_note(struct balance_server *s, const struct comm_message *message)
{
    int32_t rank;
    memcpy(&rank, message->bytes, sizeof rank);
    tell_note(s, rank, message->bytes + sizeof rank, message->length - sizeof rank);
}

static void cancel_here(struct balance_server *s, struct task_name name)
{
    struct task *task = queue_find(s->queue, name.origin, name.turn);
    if (task) {
        queue_remove(s->queue, task);
        ledger_discard(s, task, BALANCE_BACK);
        return;
    }
    if (server_is_first(s))
        gather_cancel(s, name);
    seats_interrupt(s, name);
}

static void withdraw_here(struct balance_server *s)
{
    s->withdrawn = true;
    for (struct task *task; (task = queue_any(s->queue));) {
        queue_remove(s->queue, task);
        ledger_discard(s, task, BALANCE_BACK);
    }
    if (server_is_first(s))
        gather_withdraw(s);
}

static void from_worker(struct balance_server *s, struct seat *seat,
                        const struct comm_message *message)
{
    uint64_t types;
    switch (message->type) {
    case MESSAGE_JOIN:
        memcpy(&types, message->bytes, sizeof types);
        seat_join(s, seat, types);
        break;
    case MESSAGE_READY:
        if (seat->state == SEAT_BUSY)
            seat_idle(s, seat);
        break;
    case MESSAGE_RESULTS: seat_results(s, seat, message); break;
    case MESSAGE_RETURNED: seat_returned(s, seat, message); break;
    case MESSAGE_PUT: take_puts(s, message); break;
    case MESSAGE_DATA: data_batch(s, seat, message); break;
    case MESSAGE_NOTE: take_note(s, message); break;
    case MESSAGE_BYE: seat_gone(s, seat); break;
    default: BUG("a server got a message of type %d from a worker", message->type);
    }
}

static void from_server(struct balance_server *s, const struct comm_message *message)
{
    struct task_name name = {-1, 0};
    s->ending.received += message->type >= MESSAGE_COUNTED;
    switch (message->type) {
    case MESSAGE_STEAL: steal_message(s, message); break;
    case MESSAGE_NOTHING: steal_nothing(s, message); break;
    case MESSAGE_GIFT: steal_gift(s, message); break;
    case MESSAGE_ROUTE: server_take_all(s, message); break;
    case MESSAGE_CANCEL:
        memcpy(&name, message->bytes, sizeof name);
        cancel_here(s, name);
        break;
    case MESSAGE_WITHDRAW: withdraw_here(s); break;
    case MESSAGE_STOP: seats_interrupt(s, name); break;
    case MESSAGE_DATA_PASSED: data_message(s, message); break;
    case MESSAGE_DATA_FAULT: data_failed(s, message); break;
    case MESSAGE_DATA_STUCK: data_stuck(s, message); break;
    case MESSAGE_NEWS: ledger_news(s, message); break;
    case MESSAGE_PASSED_NOTE: take_passed_note(s, message); break;
    case MESSAGE_ARRIVED: gather_arrived(s, message); break;
    case MESSAGE_DEPARTED: take_departed(s, message); break;
    case MESSAGE_RESERVE: gather_reserve(s, message); break;
    case MESSAGE_HELD: gather_held(s, message); break;
    case MESSAGE_BEGIN: gather_begin(s, message); break;
    case MESSAGE_RELEASE: gather_release(s, message); break;
    case MESSAGE_MEMBER_DONE: take_members(s, message); break;
    case MESSAGE_BROKEN: alive_broken(s, message); break;
    case MESSAGE_CHECK: end_check(s, message); break;
    case MESSAGE_QUIET: end_quiet(s, message); break;
    case MESSAGE_CLOSE: end_close(s); break;
    case MESSAGE_CLOSED: end_closed(s, message); break;
    default: BUG("a server got a message of type %d from a server", message->type);
    }
}

/* A handler may call the owner, which may call back: the consequences wait for its end. */
void server_settle(struct balance_server *s)
{
    if (s->handling)
        return;
    s->handling = true;
    seats_feed(s);
    gather_hold(s);
    server_flush(s);
    end_look(s);
    server_flush(s);
    s->handling = false;
}

void balance_message(struct balance_server *s, const struct comm_message *message)
{
    alive_heard(s, message->from);
    if (alive_message(s, message)) /* nothing follows; most messages of a large job are these */
        return;
    if (message->type >= MESSAGE_END) {
        store_message(s->store, message);
        return;
    }
    struct seat *seat = seat_of(s, message->from);
    s->handling = true;
    if (seat)
        from_worker(s, seat, message);
    else
        from_server(s, message);
    s->handling = false;
    server_settle(s);
}

/* ---- what the owner wants ---- */

void balance_put(struct balance_server *s, const struct balance_task *task)
{
    struct task_head head = task_head_of(task, &s->roles);
    struct task_name name = ledger_add(s, task->id, LEDGER_OWNER);
    head.origin = name.origin;
    head.turn = name.turn;
    server_route(s, task_new(&head, task->bytes));
    server_settle(s);
}

void balance_limit_batch(struct balance_server *s, unsigned most)
{
    s->rules.batch = most;
}

size_t balance_open(const struct balance_server *s)
{
    return s->ledger.count;
}

void balance_cancel(struct balance_server *s, uint64_t id)
{
    struct ledger_entry *entry = ledger_find_id(s, id);
    if (!entry || entry->cancelled)
        return;
    struct task_name name = {s->rank, entry->turn};
    entry->cancelled = true;
    cancel_here(s, name);
    if (ledger_has(s, name.turn)) { /* here as well: a team may be about to start it */
        server_send_all(s, MESSAGE_CANCEL, &name, sizeof name);
        server_send(s, s->rank, MESSAGE_CANCEL, &name, sizeof name);
    }
    server_settle(s);
}

void balance_withdraw(struct balance_server *s)
{
    server_send_all(s, MESSAGE_WITHDRAW, NULL, 0);
    withdraw_here(s);
    server_settle(s);
}

void balance_interrupt(struct balance_server *s)
{
    server_send_all(s, MESSAGE_STOP, NULL, 0);
    server_send(s, s->rank, MESSAGE_STOP, NULL, 0); /* behind tasks that teams are about to start */
}

void balance_finish(struct balance_server *s)
{
    s->ending.finishing = true;
    server_settle(s);
}
