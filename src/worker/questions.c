/* questions.c - from the trial socket to the key-value space, and back. */
#include "worker/questions.h"

struct question {
    struct question *next;
    struct questions *all;
    struct balance_store *store;
    struct trial_runner *runner;
    uint64_t number; /* 0: nobody waits for the reply */
    enum trial_operation operation;
    uint64_t request; /* of balance */
};

static void remove_question(struct question *q)
{
    struct question **at = &q->all->first;
    while (*at != q)
        at = &(*at)->next;
    *at = q->next;
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

static void answered(void *self, const struct balance_store_answer *answer)
{
    struct question *q = self;
    bool good = answer->state == BALANCE_STORE_OK, absent = answer->state == BALANCE_STORE_ABSENT;
    struct trial_reply reply = {.error = good || absent ? NULL : answer->message,
                                .version = good ? answer->version : 0,
                                .bytes = answer->bytes,
                                .length = answer->length};
    if (q->number && good && q->operation == TRIAL_LIST)
        reply_keys(q, answer);
    else if (q->number)
        trial_reply(q->runner, q->number, &reply);
    remove_question(q);
}

static uint64_t request(struct question *q, const struct trial_question *asked)
{
    switch (asked->operation) {
    case TRIAL_PUT:
        return balance_store_put(q->store, asked->key, asked->bytes, asked->length,
                                 BALANCE_STORE_ANY, answered, q);
    case TRIAL_GET: return balance_store_get(q->store, asked->key, answered, q);
    case TRIAL_WAIT: return balance_store_wait(q->store, asked->key, asked->known, answered, q);
    case TRIAL_DELETE: return balance_store_delete(q->store, asked->key, answered, q);
    case TRIAL_LIST: return balance_store_list(q->store, asked->key, answered, q);
    }
    BUG("a question of kind %d", (int)asked->operation);
}

void questions_ask(struct questions *questions, struct balance_store *store,
                   struct trial_runner *runner, uint64_t number, const struct trial_question *asked)
{
    struct question *q = memory_new(1, sizeof *q);
    *q = (struct question){.next = questions->first,
                           .all = questions,
                           .store = store,
                           .runner = runner,
                           .number = number,
                           .operation = asked->operation};
    questions->first = q;
    q->request = request(q, asked); /* its handler is called later, never from here */
}

void questions_forget(struct questions *questions, uint64_t number)
{
    struct question *q = questions->first;
    while (q && q->number != number)
        q = q->next;
    if (!q)
        return;
    q->number = 0;
    if (q->operation != TRIAL_WAIT)
        return;
    balance_store_cancel(q->store, q->request);
    remove_question(q);
}

void questions_free(struct questions *questions)
{
    for (struct question *q = questions->first, *next; q; q = next) {
        next = q->next;
        free(q);
    }
    questions->first = NULL;
}
