/*
 * steal.c - tasks from and to other servers.
 *
 * A server whose workers are idle and whose queue has nothing for them asks the other servers one
 * after another. It starts with the one that gave last, because where there was work there is
 * probably more (in a search that is the first server, which asks the driver), and then asks the
 * others in random order, so that thieves do not follow each other around.
 *
 * A server that is asked and has nothing keeps the request and answers it as soon as it has
 * something. So nobody asks in a loop, an idle machine is silent, and no task can wait on one
 * server while a worker that could take it idles on another: by the time a server has asked
 * everyone, its request is known everywhere. A request is answered by one gift; a server that needs
 * more asks again.
 *
 * A gift has as many tasks as the thief's idle workers will run within the time of a batch (even if
 * the rules want tasks given one by one: servers do not ask for each), or half of the waiting tasks
 * if that is more. So a busy server stays busy for a long time, and a queue on one server spreads
 * over all of them in a logarithmic number of gifts.
 */
#include "balance/server.h"

enum { STEAL_LIMIT = 4096, STEAL_BYTES = 4 << 20 };

void steal_free(struct balance_server *s)
{
    for (int i = 0; i < s->roles.servers; i++)
        free(s->peers[i].requests);
    free(s->peers);
    free(s->kinds);
}

/* ---- the thief ---- */

static struct steal_item *find_kind(struct balance_server *s, const struct seeker *seeker)
{
    for (size_t i = 0; i < s->kind_count; i++)
        if (s->kinds[i].node == seeker->node && s->kinds[i].types == seeker->types)
            return &s->kinds[i];
    return NULL;
}

/* The bit of a kind in a set of kinds. Kinds beyond the 64th share bits, and go together. */
static uint64_t kind_bit(const struct balance_server *s, const struct steal_item *kind)
{
    return 1ull << (kind - s->kinds) % 64;
}

/*
 * A request names the kinds of workers that are idle. When workers of another kind become idle, the
 * servers whose request does not name that kind are asked again.
 *
 * A request does not name all kinds at once, because then tasks would come for busy workers. As
 * workers of that kind are busy elsewhere as well, such a task would wander from server to server
 * until one becomes idle.
 */
void steal_note_idle(struct balance_server *s, const struct seeker *seeker)
{
    if (s->roles.servers == 1)
        return;
    struct steal_item *kind = find_kind(s, seeker);
    if (!kind) {
        s->kinds = memory_grow(s->kinds, &s->kind_capacity, s->kind_count + 1, sizeof *s->kinds);
        kind = &s->kinds[s->kind_count++];
        *kind = (struct steal_item){.types = seeker->types, .node = seeker->node};
        for (int i = 0; i < s->roles.servers; i++)
            s->peers[i].asked &= ~kind_bit(s, kind);
    }
    s->idle_kinds |= kind_bit(s, kind);
}

/* Counts, for each kind, the tasks that its idle workers run within the time of a batch. */
static void count_kinds(struct balance_server *s)
{
    size_t ahead = seats_ahead(s);
    for (size_t i = 0; i < s->kind_count; i++)
        s->kinds[i].count = 0;
    s->idle_kinds = 0;
    for (int at = s->idle_first; at >= 0; at = s->seats[at].next) {
        struct steal_item *kind = find_kind(s, &s->seats[at].seeker);
        kind->count += (uint32_t)ahead;
        s->idle_kinds |= kind_bit(s, kind);
    }
}

static bool is_to_be_asked(const struct balance_server *s, int index)
{
    return index != s->index && (s->idle_kinds & ~s->peers[index].asked);
}

/* The next server to ask; -1: all have been asked. */
static int choose_victim(struct balance_server *s)
{
    int chosen = -1;
    if (s->favourite >= 0 && is_to_be_asked(s, s->favourite))
        return s->favourite;
    uint64_t seen = 0;
    for (int i = 0; i < s->roles.servers; i++)
        if (is_to_be_asked(s, i) && random_below(&s->random, ++seen) == 0)
            chosen = i;
    return chosen;
}

/* The new request replaces the one kept there, so it names the kinds of that one as well. */
static void ask(struct balance_server *s, int victim)
{
    struct str request = {0};
    struct peer *peer = &s->peers[victim];
    peer->asked |= s->idle_kinds;
    for (size_t i = 0; i < s->kind_count; i++) {
        struct steal_item item = s->kinds[i];
        item.count += item.count == 0;
        if (peer->asked & kind_bit(s, &s->kinds[i]))
            str_add_bytes(&request, &item, sizeof item);
    }
    s->ask_pending = true;
    server_send(s, roles_server(&s->roles, victim), MESSAGE_STEAL, request.text, request.length);
    str_free(&request);
}

void steal_ask(struct balance_server *s)
{
    if (s->roles.servers == 1 || s->idle_count == 0 || s->ask_pending || s->withdrawn ||
        s->ending.closing)
        return;
    int victim = choose_victim(s);
    if (victim < 0)
        return;
    count_kinds(s); /* some workers may have got a task meanwhile */
    victim = choose_victim(s);
    if (victim >= 0)
        ask(s, victim);
}

void steal_nothing(struct balance_server *s, const struct comm_message *message)
{
    (void)message;
    s->ask_pending = false; /* the next may have something; `asked` stays: this one will tell us */
}

void steal_gift(struct balance_server *s, const struct comm_message *message)
{
    int giver = roles_index(&s->roles, message->from);
    s->peers[giver].asked = 0;
    s->ask_pending = false;
    s->favourite = giver;
    server_take_all(s, message);
}

/* ---- the victim ---- */

/* Moves up to `limit` tasks for this kind of worker into the gift. */
static void fill_gift(struct balance_server *s, const struct steal_item *kind, struct str *gift)
{
    struct seeker seeker = {.rank = -1, .node = kind->node, .types = kind->types};
    size_t half = queue_count_free(s->queue, kind->types) / 2;
    size_t limit = kind->count > half ? kind->count : half;
    if (limit > STEAL_LIMIT)
        limit = STEAL_LIMIT;
    for (; limit > 0 && gift->length < STEAL_BYTES; limit--) {
        struct task *task = queue_take(s->queue, &seeker);
        if (!task)
            return;
        ledger_left(s, &task->head);
        str_add_bytes(gift, &task->head, sizeof task->head);
        str_add_bytes(gift, task->bytes, task->head.length);
        free(task);
    }
}

/* A request starts or stops waiting here. */
static void park(struct balance_server *s, struct peer *peer, bool parked)
{
    size_t tasks = 0;
    for (size_t i = 0; i < peer->request_count; i++)
        tasks += peer->requests[i].count;
    peer->parked = parked;
    s->parked_count += parked ? 1 : (size_t)-1;
    s->parked_tasks += parked ? tasks : 0 - tasks;
}

/* Answers a request if there are tasks for it. */
static bool answer(struct balance_server *s, int thief)
{
    struct peer *peer = &s->peers[thief];
    struct str gift = {0};
    for (size_t i = 0; i < peer->request_count; i++)
        fill_gift(s, &peer->requests[i], &gift);
    bool any = gift.length > 0;
    if (any) {
        park(s, peer, false);
        server_send(s, roles_server(&s->roles, thief), MESSAGE_GIFT, gift.text, gift.length);
    }
    str_free(&gift);
    return any;
}

void steal_message(struct balance_server *s, const struct comm_message *message)
{
    int thief = roles_index(&s->roles, message->from);
    struct peer *peer = &s->peers[thief];
    if (peer->parked) /* it has workers of another kind, and asks again */
        park(s, peer, false);
    peer->requests = memory_grow(peer->requests, &peer->request_capacity,
                                 message->length / sizeof *peer->requests, sizeof *peer->requests);
    memcpy(peer->requests, message->bytes, message->length);
    peer->request_count = message->length / sizeof *peer->requests;
    park(s, peer, true);
    seats_feed(s); /* may ask the owner for tasks */
    if (!peer->parked)
        return;
    server_send(s, message->from, MESSAGE_NOTHING, NULL, 0);
    if (!GUARD(GUARD_PARKED))
        park(s, peer, false);
}

size_t steal_wanted(const struct balance_server *s)
{
    return s->parked_tasks;
}

bool steal_serve(struct balance_server *s)
{
    bool any = false;
    if (s->parked_count == 0 || queue_count(s->queue) == 0)
        return false;
    /* Do not always serve the same thief first. */
    int from = (int)random_below(&s->random, (uint64_t)s->roles.servers);
    for (int i = 0; i < s->roles.servers; i++) {
        int thief = (from + i) % s->roles.servers;
        if (s->peers[thief].parked && answer(s, thief))
            any = true;
    }
    return any;
}
