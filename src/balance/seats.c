/*
 * seats.c - the workers of this server.
 *
 *   AWAY ── JOIN, READY ──▶ IDLE ── task ──▶ BUSY ── results ──▶ IDLE
 *                            │ ▲              ▲
 *                   for a team │ release      │ the team's task starts
 *                            ▼ │              │
 *                           HELD ─────────────┘        any ── BYE, silence ──▶ GONE
 *
 * A seat keeps the tasks that its worker was given until the worker answers, so that the tasks of a
 * dead worker are known. Results come in the order in which the tasks were given.
 */
#include "balance/server.h"

#include <math.h>

static const double BATCH_SECONDS = 0.01;
static const double NEWS_SECONDS = 0.02; /* shorter tasks of other servers are not worth news */
enum { BATCH_LIMIT = 512 };

/* ---- the seats ---- */

void seats_create(struct balance_server *s)
{
    int end =
        s->index + 1 < s->roles.servers ? roles_server(&s->roles, s->index + 1) : s->roles.size;
    s->seat_count = s->present = end - s->rank - 1;
    s->seats = memory_new((size_t)s->seat_count, sizeof *s->seats);
    s->dead = memory_new((size_t)s->roles.size, sizeof *s->dead);
    s->idle_first = s->idle_last = -1;
    for (int i = 0; i < s->seat_count; i++) {
        s->seats[i].seeker.rank = s->rank + 1 + i;
        s->seats[i].seeker.node = comm_node(s->comm, s->rank + 1 + i);
        s->seats[i].heard = comm_now(s->comm);
    }
}

void seats_free(struct balance_server *s)
{
    for (int i = 0; i < s->seat_count; i++)
        free(s->seats[i].holding);
    free(s->seats);
    free(s->dead);
}

struct seat *seat_of(struct balance_server *s, int rank)
{
    int index = rank - s->rank - 1;
    return index >= 0 && index < s->seat_count ? &s->seats[index] : NULL;
}

static void count_types(struct balance_server *s, uint64_t types, size_t change)
{
    for (; types; types &= types - 1) {
        uint64_t bit = types & (0 - types);
        size_t *count = &s->idle_types[__builtin_ctzll(types)];
        *count += change;
        s->idle_any = *count > 0 ? s->idle_any | bit : s->idle_any & ~bit;
    }
}

/* Appends a seat to the idle ones: the one that has waited longest is first. */
static void list_idle(struct balance_server *s, struct seat *seat)
{
    int index = (int)(seat - s->seats);
    seat->state = SEAT_IDLE;
    seat->next = -1;
    seat->last = s->idle_last;
    if (s->idle_last >= 0)
        s->seats[s->idle_last].next = index;
    else
        s->idle_first = index;
    s->idle_last = index;
    s->idle_count++;
    steal_note_idle(s, &seat->seeker);
    count_types(s, seat->seeker.types, 1);
}

void seat_unlist(struct balance_server *s, struct seat *seat)
{
    if (seat->last >= 0)
        s->seats[seat->last].next = seat->next;
    else
        s->idle_first = seat->next;
    if (seat->next >= 0)
        s->seats[seat->next].last = seat->last;
    else
        s->idle_last = seat->last;
    s->idle_count--;
    count_types(s, seat->seeker.types, (size_t)-1);
}

void seat_join(struct balance_server *s, struct seat *seat, uint64_t types)
{
    seat->seeker.types = types;
    seat->state = SEAT_BUSY; /* busy with itself until it is ready */
    struct pooled joined = {seat->seeker.rank, seat->seeker.node, types};
    server_add(s, 0, MESSAGE_ARRIVED, &joined, sizeof joined, NULL, 0);
}

void seat_gone(struct balance_server *s, struct seat *seat)
{
    if (seat->state == SEAT_IDLE)
        seat_unlist(s, seat);
    seat->state = SEAT_GONE;
    s->present--;
}

/* Tasks that are bound to the dead are lost. */
static void lose_bound(struct balance_server *s, enum task_scope scope, int target)
{
    for (struct task *task; (task = queue_bound(s->queue, scope, target));) {
        queue_remove(s->queue, task);
        ledger_discard(s, task, BALANCE_LOST);
    }
}

bool node_has_workers(const struct balance_server *s, int node)
{
    for (int rank = 0; rank < s->roles.size; rank++)
        if (comm_node(s->comm, rank) == node && !roles_is_server(&s->roles, rank) && !s->dead[rank])
            return true;
    return false;
}

void seats_departed(struct balance_server *s, int rank)
{
    int node = comm_node(s->comm, rank);
    s->dead[rank] = true;
    lose_bound(s, TASK_RANK, rank);
    if (!node_has_workers(s, node))
        lose_bound(s, TASK_NODE, node);
}

void seat_lost(struct balance_server *s, struct seat *seat)
{
    int rank = seat->seeker.rank;
    seat_gone(s, seat);
    comm_send(s->comm, rank, MESSAGE_EXILE, NULL, 0); /* it may just be slow */
    comm_forget(s->comm, rank);
    store_forget(s->store, rank);
    struct pooled departed = {rank, seat->seeker.node, seat->seeker.types};
    server_send(s, 0, MESSAGE_DEPARTED, &departed, sizeof departed);
    if (server_is_first(s)) /* the owner hears of the worker first, then of its tasks */
        server_tell_lost(s, rank);
    for (uint32_t i = 0; i < seat->count; i++) {
        const struct holding *held = &seat->holding[seat->first + i];
        struct answer_head answer = {
            .id = held->id, .name = held->name, .rank = rank, .outcome = BALANCE_LOST};
        if (!held->shared) /* the first server ends the tasks of teams */
            ledger_tell(s, &answer, NULL);
    }
    seat->count = 0;
    seats_departed(s, rank);
}

/* ---- giving ---- */

static void hold(struct seat *seat, const struct task_head *head)
{
    size_t capacity = seat->capacity, need = seat->first + seat->count + 1u;
    seat->holding = memory_grow(seat->holding, &capacity, need, sizeof *seat->holding);
    seat->capacity = (uint32_t)capacity;
    seat->holding[seat->first + seat->count++] =
        (struct holding){.id = head->id,
                         .name = {head->origin, head->turn},
                         .hop = head->hop,
                         .shared = head->workers > 1};
}

static void make_busy(struct balance_server *s, struct seat *seat, bool shared)
{
    if (seat->state == SEAT_IDLE)
        seat_unlist(s, seat);
    seat->state = SEAT_BUSY;
    seat->after_team = shared;
}

/* Appends a task to the message for this seat, and frees it. */
static void add_task(struct seat *seat, struct task *task, const int32_t *ranks,
                     struct str *message)
{
    task->head.hop++;
    str_add_bytes(message, &task->head, sizeof task->head);
    str_add_bytes(message, ranks, ranks ? task_ranks(&task->head) : 0);
    str_add_bytes(message, task->bytes, task->head.length);
    hold(seat, &task->head);
    free(task);
}

/*
 * Tells the origins on other servers which worker has a task once it has run for a moment. By then
 * most tasks of a batch have ended, and the news of their end says the same. The rest of a batch
 * waits behind the running task, so only the first is examined.
 */
static void tell_origins(void *self)
{
    struct balance_server *s = self;
    bool more = false;
    s->news_timer = 0;
    for (int i = 0; i < s->seat_count; i++) {
        const struct seat *seat = &s->seats[i];
        if (seat->count > 0 && !seat->holding[seat->first].told)
            ledger_given(s, &seat->holding[seat->first], seat->seeker.rank);
        more |= seat->count > 1;
    }
    if (more)
        s->news_timer = comm_after(s->comm, NEWS_SECONDS, tell_origins, s);
    server_flush(s);
}

void seats_stop(struct balance_server *s)
{
    if (s->news_timer)
        comm_cancel(s->comm, s->news_timer);
    s->news_timer = 0;
}

/*
 * The last `count` tasks of a seat are on their way: an owner on this server hears of it now,
 * others a little later. Only the first member of a team speaks for its task.
 */
static void send_tasks(struct balance_server *s, struct seat *seat, uint32_t count, bool speaks,
                       struct str *message)
{
    comm_send(s->comm, seat->seeker.rank, MESSAGE_TASKS, message->text, message->length);
    str_free(message);
    for (uint32_t i = seat->count - count; i < seat->count; i++) {
        struct holding *held = &seat->holding[seat->first + i];
        held->told = !speaks || held->name.origin < 0;
        if (held->told)
            continue;
        if (held->name.origin == s->rank)
            ledger_given(s, held, seat->seeker.rank);
        else if (!s->news_timer)
            s->news_timer = comm_after(s->comm, NEWS_SECONDS, tell_origins, s);
    }
}

void seat_give(struct balance_server *s, struct seat *seat, struct task *task, const int32_t *ranks)
{
    struct str message = {0};
    bool speaks = !ranks || ranks[0] == seat->seeker.rank;
    make_busy(s, seat, ranks != NULL);
    add_task(seat, task, ranks, &message);
    send_tasks(s, seat, 1, speaks, &message);
}

size_t seats_ahead(const struct balance_server *s)
{
    if (s->seconds <= 0)
        return 1;
    double limit = fmax(BATCH_LIMIT, s->rules.batch);
    return (size_t)fmax(1, fmin(limit, BATCH_SECONDS / s->seconds));
}

static size_t batch_of(const struct balance_server *s)
{
    size_t ahead = seats_ahead(s);
    return s->rules.batch > 0 && s->rules.batch < ahead ? s->rules.batch : ahead;
}

/* Gives an idle seat its share of the waiting tasks; false if none suits it. */
static bool give_share(struct balance_server *s, struct seat *seat)
{
    size_t waiting = queue_count_free(s->queue, seat->seeker.types);
    size_t takers = s->idle_count + s->parked_count; /* other servers want some as well */
    size_t share = (waiting + takers - 1) / takers, most = batch_of(s);
    struct task *task = queue_take(s->queue, &seat->seeker);
    if (!task)
        return false;
    struct str message = {0};
    uint32_t count = 0;
    make_busy(s, seat, false);
    do {
        add_task(seat, task, NULL, &message);
        count++;
    } while (count < share && count < most && (task = queue_take(s->queue, &seat->seeker)));
    send_tasks(s, seat, count, true, &message);
    return true;
}

/*
 * A seat has nothing to do. Tasks bound to it or to its node are given at once; the others once
 * everything that has happened is known, so that they can be shared.
 */
void seat_idle(struct balance_server *s, struct seat *seat)
{
    if (gather_claims(s, seat))
        return;
    list_idle(s, seat);
    if (queue_count(s->queue) > queue_count_free(s->queue, UINT64_MAX))
        give_share(s, seat);
}

/* True if some idle seat takes one of the tasks that are not bound. */
static bool can_feed(const struct balance_server *s)
{
    return s->idle_any && queue_count_free(s->queue, s->idle_any) > 0;
}

static void feed_idle(struct balance_server *s)
{
    for (int at = s->idle_first; at >= 0 && can_feed(s);) {
        int next = s->seats[at].next;
        give_share(s, &s->seats[at]);
        at = next;
    }
}

void seats_feed(struct balance_server *s)
{
    if (s->feeding) /* the owner put a task when it was asked for some: the loop below sees it */
        return;
    s->feeding = true;
    for (;;) {
        size_t wanted = s->idle_count * batch_of(s) + steal_wanted(s);
        /* Tasks that are bound to others do not help the idle seats. */
        size_t waiting = queue_count_free(s->queue, s->parked_count ? UINT64_MAX : s->idle_any);
        if (waiting < wanted && s->owner.wanted && !s->ending.finishing && !s->withdrawn)
            s->owner.wanted(s->owner.self, wanted - waiting);
        feed_idle(s);
        if (!steal_serve(s) && !can_feed(s))
            break;
    }
    s->feeding = false;
    steal_ask(s);
}

/* ---- which seat for a task ---- */

static struct seat *idle_on_node(struct balance_server *s, const struct task_head *head)
{
    for (int at = s->idle_first; at >= 0; at = s->seats[at].next)
        if (s->seats[at].seeker.node == head->target &&
            (s->seats[at].seeker.types >> head->type & 1))
            return &s->seats[at];
    return NULL;
}

struct seat *seats_for(struct balance_server *s, const struct task_head *head)
{
    if (head->scope == TASK_NODE)
        return idle_on_node(s, head);
    struct seat *seat = head->scope == TASK_RANK ? seat_of(s, head->target) : NULL;
    bool fits = seat && seat->state == SEAT_IDLE && (seat->seeker.types >> head->type & 1);
    return fits ? seat : NULL;
}

/* ---- what comes back ---- */

static bool is_named(const struct holding *held, struct task_name name)
{
    return held->name.turn == name.turn && held->name.origin == name.origin;
}

/* Takes a task off the seat's list: the first or, if it comes back unrun, any. */
static bool release(struct seat *seat, struct task_name name, struct holding *released)
{
    struct holding *held = seat->holding + seat->first;
    uint32_t i = 0;
    while (i < seat->count && !is_named(&held[i], name))
        i++;
    if (i == seat->count)
        return false;
    *released = held[i];
    seat->count--;
    if (i == 0)
        seat->first = seat->count > 0 ? seat->first + 1 : 0;
    else
        memmove(&held[i], &held[i + 1], (seat->count - i) * sizeof *held);
    return true;
}

static void learn_seconds(struct balance_server *s, const struct results_head *head)
{
    if (head->count == 0)
        return;
    double mean = head->seconds / head->count;
    s->seconds = s->seconds <= 0 ? mean : 0.8 * s->seconds + 0.2 * mean;
    s->seconds = fmax(s->seconds, 1e-9); /* 0 would mean unknown */
}

void seat_results(struct balance_server *s, struct seat *seat, const struct comm_message *message)
{
    struct results_head head;
    struct answer_head answer;
    struct holding held;
    size_t at = 0;
    if (!head_next(message->bytes, message->length, &at, &head, sizeof head))
        BUG("results without a head");
    learn_seconds(s, &head);
    while (head_next(message->bytes, message->length, &at, &answer, sizeof answer)) {
        const unsigned char *bytes =
            bytes_next(message->bytes, message->length, &at, answer.length);
        if (!release(seat, answer.name, &held))
            BUG("rank %d answers a task that it does not have", seat->seeker.rank);
        if (held.shared)
            server_add(s, 0, MESSAGE_MEMBER_DONE, &answer, sizeof answer, bytes, answer.length);
        else
            ledger_tell(s, &answer, bytes);
    }
    if (head.idle && seat->state == SEAT_BUSY)
        seat_idle(s, seat);
}

/*
 * Takes back tasks that a worker did not start. They go to the front of the queue, since they
 * should be running by now. The estimate of how long a task takes was too low, and is corrected.
 */
void seat_returned(struct balance_server *s, struct seat *seat, const struct comm_message *message)
{
    struct results_head head;
    struct task_head task;
    struct holding held;
    size_t at = 0;
    if (!head_next(message->bytes, message->length, &at, &head, sizeof head))
        BUG("returned tasks without a head");
    s->seconds = fmax(s->seconds, head.seconds);
    while (head_next(message->bytes, message->length, &at, &task, sizeof task)) {
        const unsigned char *bytes = bytes_next(message->bytes, message->length, &at, task.length);
        if (!release(seat, (struct task_name){task.origin, task.turn}, &held))
            BUG("rank %d returns a task that it does not have", seat->seeker.rank);
        server_take(s, task_new(&task, bytes), true);
    }
}

void seats_interrupt(struct balance_server *s, struct task_name name)
{
    for (int i = 0; i < s->seat_count; i++) {
        const struct seat *seat = &s->seats[i];
        bool has = name.origin < 0 && seat->count > 0;
        for (uint32_t k = 0; k < seat->count && !has; k++)
            has = is_named(&seat->holding[seat->first + k], name);
        if (has)
            comm_send(s->comm, seat->seeker.rank, MESSAGE_INTERRUPT, &name, sizeof name);
    }
}
