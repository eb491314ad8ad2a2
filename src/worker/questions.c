/*
 * questions.c - from the trial socket to the key-value space, and back.
 *
 * A program may ask on hundreds of connections at once, and each answer may be a large value. So
 * one value at a time is on its way to a trial: gets and lists (QUESTION_READS) are asked one after
 * the other, and a wait is first told of the version alone, and then becomes a get.
 *
 *   put, delete ──────────────────────────────────────────▶ ASKED ── answered ──▶ replied
 *   get, list ────────────▶ QUEUED ── its turn ───────────▶ ASKED ── answered ──▶ replied
 *   wait ──▶ WAITS ── a version ──▶ QUEUED ── its turn ──▶ ASKED ── answered ──▶ replied
 *              ▲                                              │
 *              └──────── the value has been deleted again ────┘
 */
#include "worker/questions.h"

enum question_state { QUESTION_ASKED, QUESTION_QUEUED, QUESTION_WAITS };

struct question {
    struct question *next; /* the one that was asked after it */
    struct questions *all;
    struct balance_store *store;
    struct trial_runner *runner;
    uint64_t number; /* 0: nobody waits for the reply */
    enum trial_operation operation;
    enum question_state state;
    struct str key; /* get, wait, list */
    uint64_t known;
    uint64_t request; /* of balance, in QUESTION_WAITS */
};

static void ask_next(struct questions *all);

static void remove_question(struct question *q)
{
    struct question **at = &q->all->first;
    while (*at != q)
        at = &(*at)->next;
    *at = q->next;
    if (q->all->reading == q)
        q->all->reading = NULL;
    str_free(&q->key);
    free(q);
}

static void reply_keys(const struct question *q, const struct balance_store_answer *answer)
{
    struct slice *keys = memory_new(answer->count, sizeof *keys);
    for (size_t i = 0; i < answer->count; i++)
        keys[i] = answer->items[i].key;
    struct trial_reply reply = {.keys = keys, .key_count = answer->count};
    trial_reply(q->runner, q->number, &reply);
    free(keys);
}

static void reply(const struct question *q, const struct balance_store_answer *answer)
{
    bool good = answer->state == BALANCE_STORE_OK, absent = answer->state == BALANCE_STORE_ABSENT;
    struct trial_reply reply = {.error = good || absent ? NULL : answer->message,
                                .version = good ? answer->version : 0,
                                .bytes = answer->bytes,
                                .length = answer->length};
    if (good && q->operation == TRIAL_LIST)
        reply_keys(q, answer);
    else
        trial_reply(q->runner, q->number, &reply);
}

static void wait_for(struct question *q);

static void answered(void *self, const struct balance_store_answer *answer)
{
    struct question *q = self;
    struct questions *all = q->all;
    bool is_old = answer->state == BALANCE_STORE_ABSENT ||
                  (answer->state == BALANCE_STORE_OK && answer->version <= q->known);
    if (all->reading == q)
        all->reading = NULL;
    if (q->number && q->operation == TRIAL_WAIT && is_old) {
        wait_for(q);
    } else {
        if (q->number)
            reply(q, answer);
        remove_question(q);
    }
    ask_next(all);
}

/* The key has a version that the program does not know. */
static void has_version(void *self, const struct balance_store_answer *answer)
{
    struct question *q = self;
    if (answer->state != BALANCE_STORE_OK) {
        answered(q, answer);
        return;
    }
    q->state = QUESTION_QUEUED;
    ask_next(q->all);
}

static struct slice key_of(const struct question *q)
{
    return (struct slice){str_text(&q->key), q->key.length};
}

static void wait_for(struct question *q)
{
    q->state = QUESTION_WAITS;
    q->request = balance_store_await(q->store, key_of(q), q->known, has_version, q);
}

/* Asks what has waited longest for its turn. The handlers are called later, never from here. */
static void ask_next(struct questions *all)
{
    struct question *q = all->first;
    while (q && q->state != QUESTION_QUEUED)
        q = q->next;
    if (!q || all->reading)
        return;
    q->state = QUESTION_ASKED;
    all->reading = q;
    if (q->operation == TRIAL_LIST)
        balance_store_list(q->store, key_of(q), answered, q);
    else
        balance_store_get(q->store, key_of(q), answered, q);
}

static void ask(struct question *q, const struct trial_question *asked)
{
    switch (asked->operation) {
    case TRIAL_PUT:
        balance_store_put(q->store, asked->key, asked->bytes, asked->length, BALANCE_STORE_ANY,
                          answered, q);
        break;
    case TRIAL_DELETE: balance_store_delete(q->store, asked->key, answered, q); break;
    case TRIAL_WAIT: wait_for(q); break;
    case TRIAL_GET:
    case TRIAL_LIST:
        q->state = QUESTION_QUEUED;
        ask_next(q->all);
        break;
    }
}

void questions_ask(struct questions *questions, struct balance_store *store,
                   struct trial_runner *runner, uint64_t number, const struct trial_question *asked)
{
    struct question *q = memory_new(1, sizeof *q), **last = &questions->first;
    *q = (struct question){.all = questions,
                           .store = store,
                           .runner = runner,
                           .number = number,
                           .operation = asked->operation,
                           .known = asked->known};
    str_add_bytes(&q->key, asked->key.text, asked->key.length);
    while (*last)
        last = &(*last)->next;
    *last = q;
    ask(q, asked);
}

void questions_forget(struct questions *questions, uint64_t number)
{
    struct question *q = questions->first;
    while (q && q->number != number)
        q = q->next;
    if (!q)
        return;
    q->number = 0;
    if (q->state == QUESTION_WAITS)
        balance_store_cancel(q->store, q->request);
    if (q->state != QUESTION_ASKED)
        remove_question(q);
}

void questions_free(struct questions *questions)
{
    for (struct question *q = questions->first, *next; q; q = next) {
        next = q->next;
        str_free(&q->key);
        free(q);
    }
    questions->first = questions->reading = NULL;
}
