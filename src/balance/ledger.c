/*
 * ledger.c - the tasks that were put on this server, until their outcome is known.
 *
 * A task may move around: it is stolen, given to a worker, returned, given to another. The servers
 * that hold it send news here over different connections, so one piece of news may overtake
 * another. Two numbers sort this out. The turn identifies a task for good: news about a turn that
 * is not in the ledger is about a task that has ended, and is ignored. The hop counts how often a
 * task has been given: news whose hop is not above the ledger's is old.
 */
#include "balance/server.h"

/* ---- the table ---- */

static size_t place_of(const struct ledger *l, uint32_t turn)
{
    return (turn * 0x9E3779B1u) & (l->capacity - 1);
}

/* The entry of this turn, or the free place where it belongs. */
static struct ledger_entry *look_up(const struct ledger *l, uint32_t turn)
{
    size_t at = place_of(l, turn);
    while (l->entries[at].turn != 0 && l->entries[at].turn != turn)
        at = (at + 1) & (l->capacity - 1);
    return &l->entries[at];
}

static struct ledger_entry *find(const struct ledger *l, uint32_t turn)
{
    if (l->count == 0)
        return NULL;
    struct ledger_entry *entry = look_up(l, turn);
    return entry->turn ? entry : NULL;
}

static void grow(struct ledger *l)
{
    struct ledger old = *l;
    l->capacity = old.capacity ? 2 * old.capacity : 64;
    l->entries = memory_new(l->capacity, sizeof *l->entries);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.entries[i].turn)
            *look_up(l, old.entries[i].turn) = old.entries[i];
    free(old.entries);
}

/* Closes the gap, so that every search still ends at its entry or at a free place. */
static void drop(struct ledger *l, struct ledger_entry *entry)
{
    size_t mask = l->capacity - 1, gap = (size_t)(entry - l->entries), at = gap;
    for (;;) {
        at = (at + 1) & mask;
        if (l->entries[at].turn == 0)
            break;
        size_t home = place_of(l, l->entries[at].turn);
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            l->entries[gap] = l->entries[at];
            gap = at;
        }
    }
    l->entries[gap].turn = 0;
    l->count--;
}

struct task_name ledger_add(struct balance_server *s, uint64_t id, int client)
{
    struct ledger *l = &s->ledger;
    if (10 * (l->count + 1) > 7 * l->capacity)
        grow(l);
    do
        l->turns++;
    while (l->turns == 0 || find(l, l->turns)); /* the numbers start again after 4 billion tasks */
    *look_up(l, l->turns) =
        (struct ledger_entry){.id = id, .turn = l->turns, .client = client, .rank = -1};
    l->count++;
    return (struct task_name){s->rank, l->turns};
}

bool ledger_has(const struct balance_server *s, uint32_t turn)
{
    return find(&s->ledger, turn) != NULL;
}

void ledger_free(struct ledger *l)
{
    free(l->entries);
}

struct ledger_entry *ledger_find_id(struct balance_server *s, uint64_t id)
{
    for (size_t i = 0; i < s->ledger.capacity; i++)
        if (s->ledger.entries[i].turn && s->ledger.entries[i].id == id &&
            s->ledger.entries[i].client == LEDGER_OWNER)
            return &s->ledger.entries[i];
    return NULL;
}

/* ---- who has a task ---- */

/* A worker has the task; if the owner has cancelled it meanwhile, it must end. */
static void note_given(struct balance_server *s, const struct answer_head *news)
{
    struct ledger_entry *entry = find(&s->ledger, news->name.turn);
    if (!entry || news->hop <= entry->hop)
        return;
    entry->hop = (uint16_t)news->hop;
    entry->rank = news->rank;
    if (entry->client == LEDGER_OWNER && s->owner.given)
        s->owner.given(s->owner.self, entry->id, roles_worker(&s->roles, news->rank));
    entry = find(&s->ledger, news->name.turn); /* the owner may have put or cancelled tasks */
    if (entry && entry->cancelled)
        server_send(s, roles_home(&s->roles, news->rank), MESSAGE_CANCEL, &news->name,
                    sizeof news->name);
}

void ledger_left(struct balance_server *s, const struct task_head *head)
{
    struct ledger_entry *entry = head->origin == s->rank ? find(&s->ledger, head->turn) : NULL;
    if (!entry || entry->left || entry->hop > 0)
        return;
    entry->left = true;
    if (entry->client == LEDGER_OWNER && s->owner.given)
        s->owner.given(s->owner.self, entry->id, 0);
}

void ledger_given(struct balance_server *s, struct holding *held, int rank)
{
    struct answer_head news = {
        .id = held->id, .name = held->name, .rank = rank, .outcome = NEWS_GIVEN, .hop = held->hop};
    held->told = true;
    if (held->name.origin == s->rank)
        note_given(s, &news);
    else
        server_add(s, held->name.origin, MESSAGE_NEWS, &news, sizeof news, NULL, 0);
}

/* ---- outcomes ---- */

static void tell_client(struct balance_server *s, int client, const struct answer_head *answer,
                        const unsigned char *bytes)
{
    struct str message = {0};
    str_add_bytes(&message, answer, sizeof *answer);
    str_add_bytes(&message, bytes, answer->length);
    comm_send(s->comm, client, MESSAGE_OUTCOME, message.text, message.length);
    str_free(&message);
}

void ledger_end(struct balance_server *s, const struct answer_head *answer,
                const unsigned char *bytes)
{
    struct ledger_entry *found = find(&s->ledger, answer->name.turn);
    if (!found)
        return;
    struct ledger_entry entry = *found;
    drop(&s->ledger, found);
    int rank = answer->rank >= 0 ? answer->rank : entry.rank;
    if (entry.client >= 0)
        tell_client(s, entry.client, answer, bytes);
    else if (entry.client == LEDGER_OWNER && s->owner.ended)
        s->owner.ended(s->owner.self, entry.id, rank >= 0 ? roles_worker(&s->roles, rank) : 0,
                       (enum balance_outcome)answer->outcome, bytes, answer->length);
}

void ledger_tell(struct balance_server *s, const struct answer_head *answer,
                 const unsigned char *bytes)
{
    if (answer->name.origin < 0)
        return;
    if (answer->name.origin == s->rank)
        ledger_end(s, answer, bytes);
    else
        server_add(s, answer->name.origin, MESSAGE_NEWS, answer, sizeof *answer, bytes,
                   answer->length);
}

void ledger_news(struct balance_server *s, const struct comm_message *message)
{
    struct answer_head news;
    for (size_t at = 0; head_next(message->bytes, message->length, &at, &news, sizeof news);) {
        const unsigned char *bytes = bytes_next(message->bytes, message->length, &at, news.length);
        if (news.outcome == NEWS_GIVEN)
            note_given(s, &news);
        else
            ledger_end(s, &news, bytes);
    }
}

void ledger_discard(struct balance_server *s, struct task *task, enum balance_outcome outcome)
{
    struct answer_head answer = {.id = task->head.id,
                                 .name = {task->head.origin, task->head.turn},
                                 .rank = -1,
                                 .outcome = outcome};
    free(task);
    ledger_tell(s, &answer, NULL);
}
