/*
 * gather.c - tasks that need several workers at once.
 *
 * All of them wait on the first server, which alone forms teams. So two tasks can never each hold
 * some of the workers that both need, and there is no deadlock.
 *
 * The first server asks all servers to hold idle workers for the task at the head of its queue (and
 * for small ones behind it, so that many small teams form at once). A server holds a worker as soon
 * as the worker is idle, and gives it no other tasks, so a stream of small tasks cannot starve a
 * large one. Nor can large tasks starve small ones: a waiting task for one worker goes first if its
 * priority is higher, and a worker that comes from a team first runs a waiting task for one worker
 * if its priority is the same. Workers that are held but not needed are released.
 *
 * A team uses few nodes: a single one if it has enough workers, otherwise the nodes with the most
 * workers first.
 *
 * If a member dies, the others are told to end; once they have ended, the task is lost.
 */
#include "balance/server.h"

enum { GATHER_WINDOW = 64 }; /* number of workers to ask for at once when many small tasks wait */

void gather_create(struct balance_server *s)
{
    s->gathering.expected = roles_workers(&s->roles);
    s->gathering.members = memory_new((size_t)s->roles.size, sizeof *s->gathering.members);
}

static void team_free(struct team *team)
{
    free(team->task);
    free(team->ranks);
    free(team->absent);
    str_free(&team->result);
}

void gather_free(struct balance_server *s)
{
    struct gathering *g = &s->gathering;
    for (size_t i = 0; i < g->waiting_count; i++)
        free(g->waiting[g->waiting_first + i]);
    free(g->waiting);
    for (size_t i = 0; i < g->team_count; i++)
        team_free(&g->teams[i]);
    free(g->teams);
    free(g->pool);
    free(g->members);
}

bool gather_pending(const struct balance_server *s)
{
    const struct gathering *g = &s->gathering;
    return g->waiting_count > 0 || g->team_count > 0 || g->pool_count > 0;
}

/* ---- the waiting tasks, the next one first ---- */

static const struct task_head *look_next(const struct gathering *g)
{
    return g->waiting_count > 0 ? &g->waiting[g->waiting_first]->head : NULL;
}

static struct task *take_at(struct gathering *g, size_t index)
{
    struct task **at = g->waiting + g->waiting_first + index, *task = *at;
    g->waiting_count--;
    if (index == 0)
        g->waiting_first = g->waiting_count > 0 ? g->waiting_first + 1 : 0;
    else
        memmove(at, at + 1, (g->waiting_count - index) * sizeof *at);
    return task;
}

/* Adds a task behind those of the same or a higher priority: usually at the end. */
static void add_waiting(struct gathering *g, struct task *task)
{
    size_t at = g->waiting_first + g->waiting_count++;
    g->waiting = memory_grow(g->waiting, &g->waiting_capacity, at + 1, sizeof *g->waiting);
    for (; at > g->waiting_first && g->waiting[at - 1]->head.priority < task->head.priority; at--)
        g->waiting[at] = g->waiting[at - 1];
    g->waiting[at] = task;
}

/* ---- choosing the members ---- */

static bool suits(const struct pooled *worker, const struct task_head *head)
{
    bool bound = head->scope == TASK_NODE && !head->soft;
    return (worker->types >> head->type & 1) && (!bound || worker->node == head->target);
}

static size_t count_suited(const struct gathering *g, const struct task_head *head)
{
    size_t count = 0;
    for (size_t i = 0; i < g->pool_count; i++)
        count += suits(&g->pool[i], head);
    return count;
}

/*
 * The node to take workers from next when `need` are still missing: the preferred one, the smallest
 * that has enough, or else the largest.
 */
static int best_node(const struct task_head *head, const unsigned *free, int nodes, unsigned need)
{
    int best = -1;
    if (head->scope == TASK_NODE && free[head->target] > 0)
        return head->target;
    for (int node = 0; node < nodes; node++) {
        if (free[node] == 0)
            continue;
        bool enough = free[node] >= need, best_enough = best >= 0 && free[best] >= need;
        if (best < 0 || (enough && (!best_enough || free[node] < free[best])) ||
            (!enough && !best_enough && free[node] > free[best]))
            best = node;
    }
    return best;
}

/* Moves up to `need` suitable workers of a node from the pool to `ranks`; returns how many. */
static unsigned take_from_node(struct gathering *g, const struct task_head *head, int node,
                               unsigned need, int32_t *ranks)
{
    unsigned taken = 0;
    size_t kept = 0;
    for (size_t i = 0; i < g->pool_count; i++) {
        if (taken < need && g->pool[i].node == node && suits(&g->pool[i], head))
            ranks[taken++] = g->pool[i].rank;
        else
            g->pool[kept++] = g->pool[i];
    }
    g->pool_count = kept;
    return taken;
}

/* Lists the members of a node side by side, and the nodes in ascending order, as launchers do. */
static void choose_members(struct balance_server *s, const struct task_head *head, int32_t *ranks)
{
    struct gathering *g = &s->gathering;
    int nodes = comm_nodes(s->comm);
    unsigned *free_on = memory_new((size_t)nodes, sizeof *free_on);
    unsigned *wanted_on = memory_new((size_t)nodes, sizeof *wanted_on);
    for (size_t i = 0; i < g->pool_count; i++)
        free_on[g->pool[i].node] += suits(&g->pool[i], head);
    for (unsigned need = head->workers; need > 0;) {
        int node = best_node(head, free_on, nodes, need);
        wanted_on[node] = free_on[node] < need ? free_on[node] : need;
        need -= wanted_on[node];
        free_on[node] = 0;
    }
    unsigned taken = 0;
    for (int node = 0; node < nodes; node++)
        if (wanted_on[node] > 0)
            taken += take_from_node(g, head, node, wanted_on[node], ranks + taken);
    free(wanted_on);
    free(free_on);
}

/* ---- teams ---- */

/* Sends a message once to each server that has a member. */
static void tell_servers(struct balance_server *s, const struct team *team,
                         enum balance_message type, const void *bytes, size_t length)
{
    bool *told = memory_new((size_t)s->roles.servers, sizeof *told);
    for (unsigned i = 0; i < team->task->head.workers; i++) {
        int index = roles_index(&s->roles, team->ranks[i]);
        if (!told[index])
            server_send(s, roles_server(&s->roles, index), type, bytes, length);
        told[index] = true;
    }
    free(told);
}

/* An owner here hears of it at once: news from the first member's server may come late. */
static void tell_owner(struct balance_server *s, const struct task_head *head, int first)
{
    struct holding held = {
        .id = head->id, .name = {head->origin, head->turn}, .hop = (uint16_t)(head->hop + 1)};
    const struct seat *seat = seat_of(s, first);
    if (head->origin != s->rank)
        return;
    if (seat && seat->state != SEAT_HELD) /* it has just died */
        ledger_left(s, head);
    else
        ledger_given(s, &held, first);
}

/* Starts a task that has all its workers. */
static void begin(struct balance_server *s, struct task *task)
{
    struct gathering *g = &s->gathering;
    unsigned count = task->head.workers;
    g->teams = memory_grow(g->teams, &g->team_capacity, g->team_count + 1, sizeof *g->teams);
    struct team *team = &g->teams[g->team_count++];
    *team = (struct team){.task = task, .present = count};
    team->ranks = memory_new(count, sizeof *team->ranks);
    team->absent = memory_new(count, sizeof *team->absent);
    choose_members(s, &task->head, team->ranks);
    struct str message = {0};
    str_add_bytes(&message, &task->head, sizeof task->head);
    str_add_bytes(&message, team->ranks, task_ranks(&task->head));
    str_add_bytes(&message, task->bytes, task->head.length);
    tell_servers(s, team, MESSAGE_BEGIN, message.text, message.length);
    str_free(&message);
    tell_owner(s, &task->head, team->ranks[0]); /* it may put tasks, which can move `teams` */
}

/* All members have answered or died. */
static void end_team(struct balance_server *s, struct team *ended)
{
    struct team team = *ended;
    *ended = s->gathering.teams[--s->gathering.team_count];
    const struct task_head *head = &team.task->head;
    struct answer_head answer = {.id = head->id,
                                 .name = {head->origin, head->turn},
                                 .rank = team.ranks[0],
                                 .outcome = team.lost ? BALANCE_LOST : BALANCE_DONE,
                                 .length = team.lost ? 0 : (uint32_t)team.result.length};
    ledger_tell(s, &answer, (const unsigned char *)team.result.text);
    team_free(&team);
}

/* Nothing more will be heard from member `index`. */
static void member_out(struct balance_server *s, struct team *team, unsigned index)
{
    if (team->absent[index])
        return;
    team->absent[index] = true;
    if (--team->present == 0)
        end_team(s, team);
}

static struct team *find_team(struct gathering *g, struct task_name name)
{
    for (size_t i = 0; i < g->team_count; i++) {
        const struct task_head *head = &g->teams[i].task->head;
        if (head->turn == name.turn && head->origin == name.origin)
            return &g->teams[i];
    }
    return NULL;
}

void gather_member_done(struct balance_server *s, const struct answer_head *answer,
                        const unsigned char *bytes)
{
    struct team *team = find_team(&s->gathering, answer->name);
    if (!team)
        return;
    unsigned index = 0;
    while (team->ranks[index] != answer->rank)
        index++;
    if (index == 0)
        str_add_bytes(&team->result, bytes, answer->length);
    member_out(s, team, index);
}

int *balance_members(const struct balance_server *s, uint64_t id, unsigned *count)
{
    const struct gathering *g = &s->gathering;
    *count = 1;
    for (size_t i = 0; i < g->team_count; i++) {
        const struct team *team = &g->teams[i];
        if (team->task->head.id != id || team->task->head.origin != s->rank)
            continue;
        *count = team->task->head.workers;
        int *workers = memory_new(*count, sizeof *workers);
        for (unsigned k = 0; k < *count; k++)
            workers[k] = roles_worker(&s->roles, team->ranks[k]);
        return workers;
    }
    return NULL;
}

/* ---- the pool ---- */

/* Releases the held workers that cannot help the head of the queue. */
static void release_unsuited(struct balance_server *s)
{
    struct gathering *g = &s->gathering;
    const struct task_head *next = look_next(g);
    size_t kept = 0;
    for (size_t i = 0; i < g->pool_count; i++) {
        struct pooled worker = g->pool[i];
        if (next && suits(&worker, next))
            g->pool[kept++] = worker;
        else
            server_send(s, roles_home(&s->roles, worker.rank), MESSAGE_RELEASE, &worker.rank,
                        sizeof worker.rank);
    }
    g->pool_count = kept;
}

/* What all servers should hold for the head of the queue. */
static struct reserve_head wanted_now(const struct gathering *g)
{
    const struct task_head *head = look_next(g);
    if (!head)
        return (struct reserve_head){.node = -1};
    size_t waiting = g->waiting_count * head->workers, have = count_suited(g, head);
    size_t count = waiting < GATHER_WINDOW ? waiting : GATHER_WINDOW;
    if (count < head->workers)
        count = head->workers;
    bool bound = head->scope == TASK_NODE && !head->soft;
    return (struct reserve_head){.types = 1ull << head->type,
                                 .count = (uint32_t)(count > have ? count - have : 0),
                                 .node = bound ? head->target : -1,
                                 .priority = head->priority};
}

/*
 * Servers count down what they were asked for as workers come in one by one. So they are asked
 * again only for another kind of worker, or once half of the workers are there, since each server
 * may hold as many as were asked for.
 */
static bool asked_enough(const struct reserve_head *asked, const struct reserve_head *wanted)
{
    return asked->types == wanted->types && asked->node == wanted->node &&
           asked->priority == wanted->priority &&
           (asked->count == wanted->count ||
            (wanted->count > asked->count / 2 && wanted->count < asked->count));
}

/* Number of workers on a node that take this type, or may take it: they have not joined yet. */
static int64_t workers_on_node(const struct balance_server *s, int node, int type)
{
    int64_t count = 0;
    for (int rank = 0; rank < s->roles.size; rank++) {
        const struct member *member = &s->gathering.members[rank];
        count += comm_node(s->comm, rank) == node && !roles_is_server(&s->roles, rank) &&
                 !member->dead && (!member->joined || (member->types >> type & 1));
    }
    return count;
}

/* True for a task for which there will never be enough workers. */
static bool impossible(const struct balance_server *s, const struct task_head *head)
{
    const struct gathering *g = &s->gathering;
    if (head->scope == TASK_NODE && !head->soft &&
        head->workers > workers_on_node(s, head->target, head->type))
        return true;
    return (int64_t)head->workers > g->alive[head->type] + g->expected;
}

/*
 * Starts every task that can start, and asks for what the next one needs; with `renew`, even if
 * that was asked for already.
 */
static void step(struct balance_server *s, bool renew)
{
    struct gathering *g = &s->gathering;
    for (const struct task_head *next; (next = look_next(g)); renew = true) {
        if (impossible(s, next))
            ledger_discard(s, take_at(g, 0), BALANCE_REFUSED);
        else if (count_suited(g, next) >= next->workers)
            begin(s, take_at(g, 0));
        else
            break;
    }
    release_unsuited(s);
    struct reserve_head wanted = wanted_now(g);
    if (!renew && asked_enough(&g->asked, &wanted))
        return;
    if (wanted.count == 0 && g->asked.count == 0)
        return;
    g->asked = wanted;
    server_send_all(s, MESSAGE_RESERVE, &wanted, sizeof wanted);
    server_send(s, s->rank, MESSAGE_RESERVE, &wanted, sizeof wanted);
}

void gather_put(struct balance_server *s, struct task *task)
{
    add_waiting(&s->gathering, task);
    step(s, false);
}

void gather_arrived(struct balance_server *s, const struct comm_message *message)
{
    struct pooled joined;
    for (size_t at = 0; head_next(message->bytes, message->length, &at, &joined, sizeof joined);) {
        s->gathering.expected--;
        s->gathering.members[joined.rank] = (struct member){joined.types, true, false};
        for (uint64_t types = joined.types; types; types &= types - 1)
            s->gathering.alive[__builtin_ctzll(types)]++;
    }
    step(s, false);
}

void gather_held(struct balance_server *s, const struct comm_message *message)
{
    struct gathering *g = &s->gathering;
    struct pooled worker;
    for (size_t at = 0; head_next(message->bytes, message->length, &at, &worker, sizeof worker);) {
        g->pool = memory_grow(g->pool, &g->pool_capacity, g->pool_count + 1, sizeof *g->pool);
        g->pool[g->pool_count++] = worker;
    }
    step(s, false);
}

/* A worker is dead: takes it out of the pool and ends its teams. */
void gather_departed(struct balance_server *s, const struct pooled *departed)
{
    struct gathering *g = &s->gathering;
    struct member *member = &g->members[departed->rank];
    g->expected -= !member->joined;
    member->dead = true;
    for (size_t i = 0; i < g->pool_count; i++)
        if (g->pool[i].rank == departed->rank)
            g->pool[i--] = g->pool[--g->pool_count];
    for (uint64_t types = member->types; types; types &= types - 1)
        g->alive[__builtin_ctzll(types)]--;
    for (size_t i = g->team_count; i-- > 0;) {
        struct team *team = &g->teams[i];
        struct task_name name = {team->task->head.origin, team->task->head.turn};
        for (unsigned index = 0; index < team->task->head.workers; index++) {
            if (team->ranks[index] != departed->rank || team->absent[index])
                continue;
            if (!team->lost)
                tell_servers(s, team, MESSAGE_CANCEL, &name, sizeof name);
            team->lost = true;
            member_out(s, team, index);
            break;
        }
    }
    step(s, true);
}

void gather_cancel(struct balance_server *s, struct task_name name)
{
    struct gathering *g = &s->gathering;
    for (size_t i = 0; i < g->waiting_count; i++) {
        const struct task_head *head = &g->waiting[g->waiting_first + i]->head;
        if (head->turn == name.turn && head->origin == name.origin) {
            ledger_discard(s, take_at(g, i), BALANCE_BACK);
            step(s, true);
            return;
        }
    }
}

void gather_withdraw(struct balance_server *s)
{
    while (s->gathering.waiting_count > 0)
        ledger_discard(s, take_at(&s->gathering, 0), BALANCE_BACK);
    step(s, true);
}

/* ---- on every server ---- */

static void hold_seat(struct balance_server *s, struct seat *seat)
{
    struct pooled worker = {seat->seeker.rank, seat->seeker.node, seat->seeker.types};
    seat->state = SEAT_HELD;
    s->reserve.count--;
    server_add(s, 0, MESSAGE_HELD, &worker, sizeof worker, NULL, 0);
}

static bool wanted_for_team(const struct balance_server *s, const struct seat *seat)
{
    const struct reserve_head *reserve = &s->reserve;
    return reserve->count > 0 && (seat->seeker.types & reserve->types) &&
           (reserve->node < 0 || reserve->node == seat->seeker.node);
}

bool gather_claims(struct balance_server *s, struct seat *seat)
{
    if (!wanted_for_team(s, seat))
        return false;
    const struct task *single = queue_look(s->queue, &seat->seeker);
    if (single && (single->head.priority > s->reserve.priority ||
                   (single->head.priority == s->reserve.priority && seat->after_team)))
        return false;
    if (!GUARD(GUARD_HOLD) && single)
        return false;
    hold_seat(s, seat);
    return true;
}

void gather_reserve(struct balance_server *s, const struct comm_message *message)
{
    memcpy(&s->reserve, message->bytes, sizeof s->reserve);
    gather_hold(s);
}

void gather_hold(struct balance_server *s)
{
    for (int at = s->idle_first; at >= 0 && s->reserve.count > 0;) {
        struct seat *seat = &s->seats[at];
        at = seat->next;
        if (wanted_for_team(s, seat)) {
            seat_unlist(s, seat);
            hold_seat(s, seat);
        }
    }
}

void gather_begin(struct balance_server *s, const struct comm_message *message)
{
    struct task_head head;
    size_t at = 0;
    if (!head_next(message->bytes, message->length, &at, &head, sizeof head))
        BUG("a gathered task without a head");
    int32_t *ranks = memory_new(head.workers, sizeof *ranks);
    memcpy(ranks, bytes_next(message->bytes, message->length, &at, task_ranks(&head)),
           task_ranks(&head));
    const unsigned char *bytes = bytes_next(message->bytes, message->length, &at, head.length);
    for (unsigned i = 0; i < head.workers; i++) {
        struct seat *seat = seat_of(s, ranks[i]);
        if (seat && seat->state == SEAT_HELD) /* else it died, and the first server will hear */
            seat_give(s, seat, task_new(&head, bytes), ranks);
    }
    free(ranks);
}

void gather_release(struct balance_server *s, const struct comm_message *message)
{
    int32_t rank;
    memcpy(&rank, message->bytes, sizeof rank);
    struct seat *seat = seat_of(s, rank);
    if (seat->state == SEAT_HELD)
        seat_idle(s, seat);
}
