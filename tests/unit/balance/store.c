/* store.c - values by key: versions, waits, lists, limits. */
#include "store_peers.h"

/* ---- one client, step by step ---- */

struct step {
    const char *name;
    enum store_operation operation;
    const char *key;
    size_t length;    /* length of the value that is put or expected */
    uint64_t version; /* version that is expected or known */
    enum balance_store_state state;
    uint64_t answer;     /* version in the answer */
    const char *message; /* a part of the error message; NULL: there is none */
};

struct script {
    struct peer *peer;
    const struct step *steps;
    size_t count, at;
};

/* An operation of these scripts alone: a wait that is told the version without the value. */
static const enum store_operation VERSION_ALONE = STORE_OPERATIONS;

static void script_next(struct script *s);

static void script_answer(void *self, const struct balance_store_answer *a)
{
    struct script *s = self;
    const struct step *step = &s->steps[s->at];
    bool right = a->state == step->state && a->version == step->answer;
    if (step->operation == VERSION_ALONE)
        right &= a->length == 0;
    if (step->operation == STORE_GET || step->operation == STORE_WAIT)
        right &= a->length == (a->state == BALANCE_STORE_OK ? step->length : 0);
    right &= step->message ? strstr(a->message, step->message) != NULL : !a->message[0];
    if (!ok(right, "%s", step->name))
        printf("# state %d, version %llu, %zu bytes, message: %s\n", (int)a->state,
               (unsigned long long)a->version, a->length, a->message);
    s->at++;
    script_next(s);
}

static void script_next(struct script *s)
{
    static unsigned char bytes[65536];
    struct balance_store *c = s->peer->client;
    const struct step *step = &s->steps[s->at];
    if (s->at == s->count) {
        peer_done(s->peer);
        return;
    }
    struct slice key = slice_of(step->key);
    switch (step->operation) {
    case STORE_PUT:
        balance_store_put(c, key, bytes, step->length, step->version, script_answer, s);
        break;
    case STORE_GET: balance_store_get(c, key, script_answer, s); break;
    case STORE_WAIT: balance_store_wait(c, key, step->version, script_answer, s); break;
    case STORE_DELETE: balance_store_delete(c, key, script_answer, s); break;
    case STORE_OPERATIONS: balance_store_await(c, key, step->version, script_answer, s); break;
    default: BUG("a step without an operation");
    }
}

static void script_begin(struct peer *p)
{
    struct script *s = p->test;
    s->peer = p;
    script_next(s);
}

static void play_script(const struct step *steps, size_t count, uint64_t limit)
{
    struct script scripts[2] = {[1] = {NULL, steps, count, 0}};
    struct game game = {2, 1, limit, script_begin, peer_done, &quiet, scripts, sizeof *scripts};
    ok(play(&game) && scripts[1].at == count, "all steps were made");
}

static void versions_count_and_can_be_expected(void)
{
    char long_key[BALANCE_STORE_KEY_LIMIT + 2];
    memset(long_key, 'k', sizeof long_key);
    long_key[BALANCE_STORE_KEY_LIMIT + 1] = 0;
    const struct step steps[] = {
        {"a first put", STORE_PUT, "a", 3, BALANCE_STORE_ANY, BALANCE_STORE_OK, 1, NULL},
        {"its value", STORE_GET, "a", 3, 0, BALANCE_STORE_OK, 1, NULL},
        {"a second", STORE_PUT, "a", 5, BALANCE_STORE_ANY, BALANCE_STORE_OK, 2, NULL},
        {"with the version before: a conflict", STORE_PUT, "a", 7, 1, BALANCE_STORE_CONFLICT, 2,
         NULL},
        {"which changed nothing", STORE_GET, "a", 5, 0, BALANCE_STORE_OK, 2, NULL},
        {"with the right version", STORE_PUT, "a", 7, 2, BALANCE_STORE_OK, 3, NULL},
        {"it is not new", STORE_PUT, "a", 7, BALANCE_STORE_NEW, BALANCE_STORE_CONFLICT, 3, NULL},
        {"another is", STORE_PUT, "b", 7, BALANCE_STORE_NEW, BALANCE_STORE_OK, 1, NULL},
        {"what was never put", STORE_GET, "c", 0, 0, BALANCE_STORE_ABSENT, 0, NULL},
        {"and has no version", STORE_PUT, "c", 1, 4, BALANCE_STORE_CONFLICT, 0, NULL},
        {"and cannot be deleted", STORE_DELETE, "c", 0, 0, BALANCE_STORE_ABSENT, 0, NULL},
        {"a delete", STORE_DELETE, "a", 0, 0, BALANCE_STORE_OK, 3, NULL},
        {"a second one", STORE_DELETE, "a", 0, 0, BALANCE_STORE_ABSENT, 0, NULL},
        {"what was deleted", STORE_GET, "a", 0, 0, BALANCE_STORE_ABSENT, 0, NULL},
        {"its version is gone", STORE_PUT, "a", 1, 3, BALANCE_STORE_CONFLICT, 0, NULL},
        {"put again it counts on", STORE_PUT, "a", 2, BALANCE_STORE_NEW, BALANCE_STORE_OK, 4, NULL},
        {"a wait for what is there", STORE_WAIT, "a", 2, 3, BALANCE_STORE_OK, 4, NULL},
        {"its version alone", VERSION_ALONE, "a", 2, 3, BALANCE_STORE_OK, 4, NULL},
        {"a value without bytes", STORE_PUT, "e", 0, BALANCE_STORE_ANY, BALANCE_STORE_OK, 1, NULL},
        {"is a value", STORE_GET, "e", 0, 0, BALANCE_STORE_OK, 1, NULL},
        {"a key without bytes", STORE_PUT, "", 1, 0, BALANCE_STORE_BAD_KEY, 0, "1 to 512 bytes"},
        {"a key that is too long", STORE_WAIT, long_key, 0, 0, BALANCE_STORE_BAD_KEY, 0, "has 513"},
        {"the longest key", STORE_PUT, long_key + 1, 1, 0, BALANCE_STORE_OK, 1, NULL},
        {"a value that is too large", STORE_PUT, "a", (size_t)BALANCE_STORE_VALUE_LIMIT + 1, 0,
         BALANCE_STORE_TOO_LARGE, 0, "at most 1073741824 bytes, but this one has 1073741825"},
    };
    play_script(steps, sizeof steps / sizeof *steps, 0);
}

static void what_does_not_fit_is_refused(void)
{
    const struct step steps[] = {
        {"a value that fits", STORE_PUT, "a", 3000, 0, BALANCE_STORE_OK, 1, NULL},
        {"one that does not", STORE_PUT, "b", 2048, 0, BALANCE_STORE_FULL, 0,
         "server 1 of 1 has no memory for this value of 2.0 KiB: it uses 3."},
        {"is not there", STORE_GET, "b", 0, 0, BALANCE_STORE_ABSENT, 0, NULL},
        {"what to do", STORE_PUT, "b", 2048, 0, BALANCE_STORE_FULL, 0,
         "of the 4.0 KiB it may use; delete"},
        {"a larger one in its place", STORE_PUT, "a", 4000, 0, BALANCE_STORE_FULL, 0, "3.9 KiB"},
        {"does not harm the old one", STORE_GET, "a", 3000, 0, BALANCE_STORE_OK, 1, NULL},
        {"a conflict comes first", STORE_PUT, "a", 4000, 7, BALANCE_STORE_CONFLICT, 1, NULL},
        {"one that fits in its place", STORE_PUT, "a", 3500, 0, BALANCE_STORE_OK, 2, NULL},
        {"a smaller one", STORE_PUT, "a", 1000, 0, BALANCE_STORE_OK, 3, NULL},
        {"makes room", STORE_PUT, "b", 2500, 0, BALANCE_STORE_OK, 1, NULL},
        {"until it is larger again", STORE_PUT, "a", 3000, 0, BALANCE_STORE_FULL, 0, "2.9 KiB"},
        {"a delete makes room", STORE_DELETE, "a", 0, 0, BALANCE_STORE_OK, 3, NULL},
        {"for another", STORE_PUT, "b", 3000, 0, BALANCE_STORE_OK, 2, NULL},
        {"and the versions are still known", STORE_PUT, "a", 100, 0, BALANCE_STORE_OK, 4, NULL},
        {"to the last byte", STORE_PUT, "c", 65536, 0, BALANCE_STORE_FULL, 0, "64.0 KiB"},
    };
    play_script(steps, sizeof steps / sizeof *steps, 4096);
}

/* ---- deleted keys ---- */

struct burial {
    struct peer *peer;
    int deleted, total;
    uint64_t first, last, fresh; /* versions of keys that are put after all deletes */
    uint64_t before;             /* version of the last key when it was deleted */
    uint64_t used;
    bool risen; /* a key that was deleted and put again before all others still exists */
};

static void bury(void *self, const struct balance_store_answer *a);

static void burial_put(struct burial *b, int key, const void *bytes, size_t length,
                       balance_store_handler *handler)
{
    char text[32];
    snprintf(text, sizeof text, "key-%d", key);
    balance_store_put(b->peer->client, slice_of(text), bytes, length, BALANCE_STORE_ANY, handler,
                      b);
}

static void buried_first(void *self, const struct balance_store_answer *a)
{
    ((struct burial *)self)->first = a->state == BALANCE_STORE_OK ? a->version : 0;
}

static void buried_last(void *self, const struct balance_store_answer *a)
{
    ((struct burial *)self)->last = a->state == BALANCE_STORE_OK ? a->version : 0;
}

static void still_there(void *self, const struct balance_store_answer *a)
{
    ((struct burial *)self)->risen = a->state == BALANCE_STORE_OK && a->version == 2;
}

static void buried_fresh(void *self, const struct balance_store_answer *a)
{
    struct burial *b = self;
    b->fresh = a->state == BALANCE_STORE_OK ? a->version : 0;
    peer_done(b->peer);
}

static void bury_it(void *self, const struct balance_store_answer *a)
{
    struct burial *b = self;
    char text[32];
    b->before = a->version;
    snprintf(text, sizeof text, "key-%d", b->deleted++);
    balance_store_delete(b->peer->client, slice_of(text), bury, b);
}

/* Every key is put and deleted; then the first, the last, and one that never existed are put. */
static void bury(void *self, const struct balance_store_answer *a)
{
    static const char large[50000];
    struct burial *b = self;
    (void)a;
    if (b->deleted < b->total) {
        burial_put(b, b->deleted, "x", 1, bury_it);
        return;
    }
    b->used = store_used(b->peer->store);
    balance_store_get(b->peer->client, slice_of("risen"), still_there, b);
    burial_put(b, b->total - 1, "x", 1, buried_last);
    burial_put(b, 0, large, sizeof large, buried_first);
    burial_put(b, b->total, "x", 1, buried_fresh);
}

static void burial_begin(struct peer *p)
{
    struct burial *b = p->test;
    b->peer = p;
    balance_store_put(p->client, slice_of("risen"), "x", 1, BALANCE_STORE_ANY, ignore, NULL);
    balance_store_delete(p->client, slice_of("risen"), ignore, NULL);
    balance_store_put(p->client, slice_of("risen"), "x", 1, BALANCE_STORE_ANY, ignore, NULL);
    bury(b, NULL);
}

static void deleted_keys_cost_a_bounded_memory(void)
{
    struct burial many = {.total = STORE_GRAVES_LIMIT + 1000}, tight = {.total = 2000};
    struct game game = {1, 1, 0, NULL, burial_begin, &quiet, &many, sizeof many};
    ok(play(&game) && many.used > 0 && many.used < (uint64_t)STORE_GRAVES_LIMIT * 256,
       "the server remembers a bounded number of deleted keys");
    ok(many.first == 2 && many.fresh == 2 && many.last == many.before + 1,
       "keys it has forgotten, and new ones, begin above the versions it forgot");
    game.tests = &tight;
    game.limit = 65536;
    ok(play(&game) && tight.used > 50000 && tight.used <= 65536 && tight.first > 1 &&
           tight.fresh > 1 && tight.last > tight.before,
       "deleted keys make way for values");
    ok(many.risen && tight.risen, "what was put again after a delete stays");
}

/* ---- a rank that dies while it waits; too many requests ---- */

struct mourner {
    struct peer *peer;
    uint64_t before, during, after;
    int answers, refused;
};

static void mourner_hears(void *self, const struct balance_store_answer *a)
{
    struct mourner *m = self;
    m->answers++;
    m->refused += a->state == BALANCE_STORE_BUSY && strstr(a->message, "pending");
}

static void wait_and_die(void *self)
{
    struct mourner *m = self;
    balance_store_wait(m->peer->client, slice_of("a"), 1, mourner_hears, m);
    balance_store_wait(m->peer->client, slice_of("b"), 0, mourner_hears, m);
    balance_store_wait(m->peer->client, slice_of("c"), 1, mourner_hears, m);
    peer_done(m->peer);
}

static void forget_the_dead(void *self)
{
    struct mourner *m = self;
    m->during = store_used(m->peer->store);
    store_forget(m->peer->store, 1);
    m->after = store_used(m->peer->store);
    for (const char *key = "abc"; *key; key++)
        balance_store_put(m->peer->client, (struct slice){key, 1}, "x", 1, 0, ignore, NULL);
    peer_done(m->peer);
}

static void remember(void *self, const struct balance_store_answer *a)
{
    struct mourner *m = self;
    (void)a;
    m->before = store_used(m->peer->store);
    comm_after(m->peer->comm, 2, forget_the_dead, m);
}

static void mourner_begin(struct peer *p)
{
    struct mourner *m = p->test;
    m->peer = p;
    if (comm_rank(p->comm) == 1) {
        comm_after(p->comm, 1, wait_and_die, m);
        return;
    }
    balance_store_put(p->client, slice_of("a"), "x", 1, 0, ignore, NULL);
    balance_store_put(p->client, slice_of("c"), "x", 1, 0, ignore, NULL);
    balance_store_delete(p->client, slice_of("c"), remember, m);
}

static void the_dead_wait_no_more(void)
{
    struct mourner mourners[2] = {0};
    struct game game = {2, 1, 0, mourner_begin, mourner_begin, &quiet, mourners, sizeof *mourners};
    ok(play(&game), "a rank dies while it waits");
    ok(mourners[0].during > mourners[0].before && mourners[0].after == mourners[0].before,
       "its waits cost memory, and nothing once it is forgotten");
    ok(mourners[1].answers == 0, "and nobody answers them");
}

static void asked_too_much(void *self, const struct balance_store_answer *a)
{
    struct mourner *m = self;
    mourner_hears(m, a);
    if (m->answers == BALANCE_STORE_PENDING_LIMIT + 2)
        peer_done(m->peer);
}

static void ask_too_much(struct peer *p)
{
    struct mourner *m = p->test;
    m->peer = p;
    for (int i = 0; i < BALANCE_STORE_PENDING_LIMIT + 2; i++)
        balance_store_get(p->client, slice_of("a"), asked_too_much, m);
}

static void requests_are_bounded(void)
{
    struct mourner mourners[2] = {0};
    struct game game = {2, 1, 0, ask_too_much, peer_done, &quiet, mourners, sizeof *mourners};
    ok(play(&game) && mourners[1].answers == BALANCE_STORE_PENDING_LIMIT + 2 &&
           mourners[1].refused == 2,
       "a client that asks too much at once is refused");
}

static void stop_waiting(void *self)
{
    peer_done(self);
}

/* Waits count, too: after enough of them, there is no room for more. */
static void wait_too_much(struct peer *p)
{
    struct mourner *m = p->test;
    m->peer = p;
    for (int i = 0; i < 100; i++)
        balance_store_wait(p->client, slice_of("a"), 0, mourner_hears, m);
    comm_after(p->comm, 1, stop_waiting, p);
}

static void waits_are_bounded(void)
{
    struct mourner mourners[2] = {0};
    struct game game = {2, 1, 4096, wait_too_much, peer_done, &quiet, mourners, sizeof *mourners};
    ok(play(&game) && mourners[1].answers > 0 && mourners[1].answers < 100,
       "waits beyond the memory are refused");
}

/* ---- several waits for one key ---- */

struct queued {
    struct peer *peer;
    int answered;
    bool wrong;
};

/* The second of five waits knows version 1, so it is answered with the next, after the others. */
static void queued_answer(void *self, const struct balance_store_answer *a)
{
    static const uint64_t versions[] = {1, 1, 1, 1, 2};
    struct queued *q = self;
    q->wrong |= a->state != BALANCE_STORE_OK || a->version != versions[q->answered];
    q->wrong |= a->length != 1 || a->bytes[0] != (a->version == 1 ? 'x' : 'y');
    if (++q->answered == 5)
        peer_done(q->peer);
}

static void queued_begin(struct peer *p)
{
    struct queued *q = p->test;
    q->peer = p;
    for (int i = 0; i < 5; i++)
        balance_store_wait(p->client, slice_of("a"), i == 1, queued_answer, q);
    balance_store_put(p->client, slice_of("a"), "x", 1, BALANCE_STORE_ANY, ignore, NULL);
    balance_store_put(p->client, slice_of("a"), "y", 1, BALANCE_STORE_ANY, ignore, NULL);
}

static void several_can_wait(void)
{
    struct queued queued[2] = {0};
    struct game game = {2, 1, 0, queued_begin, peer_done, &quiet, queued, sizeof *queued};
    ok(play(&game) && queued[1].answered == 5 && !queued[1].wrong,
       "each of several waits is answered with the first version above the one it knows");
}

/* ---- a wait that is cancelled while the value may be on its way ---- */

struct canceller {
    struct peer *peer;
    uint64_t wait;
    bool answered, cancelled, wrong;
    size_t pending, pending_waits;
};

static void wait_answered(void *self, const struct balance_store_answer *a)
{
    struct canceller *c = self;
    c->wrong |= c->cancelled || c->answered || a->state != BALANCE_STORE_OK;
    c->answered = true;
}

static void after_cancel(void *self, const struct balance_store_answer *a)
{
    struct canceller *c = self;
    (void)a;
    c->pending = balance_store_pending(c->peer->client, true);
    peer_done(c->peer);
}

static void cancel_it(void *self)
{
    struct canceller *c = self;
    c->cancelled = true;
    c->pending_waits = balance_store_pending(c->peer->client, true);
    c->wrong |= balance_store_pending(c->peer->client, false) != 0;
    balance_store_cancel(c->peer->client, c->wait);
    balance_store_cancel(c->peer->client, c->wait);
    balance_store_get(c->peer->client, slice_of("a"), after_cancel, c);
}

static void canceller_begin(struct peer *p)
{
    struct canceller *c = p->test;
    c->peer = p;
    c->wait = balance_store_wait(p->client, slice_of("a"), 0, wait_answered, c);
    comm_after(p->comm, 2, cancel_it, c);
}

static void cancelled_put(struct peer *p)
{
    balance_store_put(p->client, slice_of("a"), "x", 1, BALANCE_STORE_ANY, ignore, NULL);
    peer_done(p);
}

static void a_cancelled_wait_is_not_answered(void)
{
    const unsigned seeds = (unsigned)tap_seeds(1500);
    unsigned wrong = 0, answered = 0, raced = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct comm_world world = {.seed = seed, .latency = 1, .limit = 1e6};
        struct canceller cancellers[3] = {0}, *c = &cancellers[1];
        struct game game = {.size = 3,
                            .servers = 1,
                            .first = canceller_begin,
                            .others = cancelled_put,
                            .world = &world,
                            .tests = cancellers,
                            .test_size = sizeof *cancellers};
        wrong += !play(&game) || c->wrong || c->pending != 0;
        answered += c->answered;
        raced += c->pending_waits == 1;
    }
    ok(wrong == 0, "a cancelled wait is never answered, and leaves nothing behind, %d times",
       (int)seeds);
    ok(answered > 0 && raced > 0 && answered + raced == seeds, "some were answered before");
}

/* The second wait has the slot of the first, but a different number. */
static void second_wait(void *self, const struct balance_store_answer *a)
{
    struct canceller *c = self;
    (void)a;
    balance_store_wait(c->peer->client, slice_of("b"), 0, after_cancel, c);
    balance_store_cancel(c->peer->client, c->wait);
    balance_store_put(c->peer->client, slice_of("b"), "x", 1, BALANCE_STORE_ANY, ignore, NULL);
}

static void two_waits_begin(struct peer *p)
{
    struct canceller *c = p->test;
    c->peer = p;
    balance_store_put(p->client, slice_of("a"), "x", 1, BALANCE_STORE_ANY, ignore, NULL);
    c->wait = balance_store_wait(p->client, slice_of("a"), 0, second_wait, c);
}

static void an_old_number_cancels_nothing(void)
{
    struct canceller cancellers[2] = {0};
    struct game game = {.size = 2,
                        .servers = 1,
                        .first = two_waits_begin,
                        .others = peer_done,
                        .world = &quiet,
                        .tests = cancellers,
                        .test_size = sizeof *cancellers};
    ok(play(&game), "a wait that was answered is not cancelled, nor is another in its place");
}

/* ---- lists ---- */

enum { LISTED = 120 }; /* number of keys of each rank */

struct lister {
    struct peer *peer;
    int put;
    bool right, nothing;
    size_t all;
};

static bool is_sorted(const struct balance_store_answer *a)
{
    for (size_t i = 0; i < a->count; i++) {
        char text[32];
        snprintf(text, sizeof text, "run/2/key%03zu", i);
        if (!slice_is(a->items[i].key, text) || a->items[i].size != i || a->items[i].version != 1)
            return false;
    }
    return true;
}

static void listed_prefix(void *self, const struct balance_store_answer *a)
{
    struct lister *l = self;
    l->right = a->state == BALANCE_STORE_OK && a->count == LISTED && is_sorted(a);
}

static void listed_nothing(void *self, const struct balance_store_answer *a)
{
    struct lister *l = self;
    l->nothing = a->state == BALANCE_STORE_OK && a->count == 0;
    peer_done(l->peer);
}

static void listed_all(void *self, const struct balance_store_answer *a)
{
    struct lister *l = self;
    l->all = a->count;
    if (a->count < 3 * LISTED) /* not all ranks have put theirs yet */
        balance_store_list(l->peer->client, (struct slice){0}, listed_all, l);
    else {
        balance_store_list(l->peer->client, slice_of("run/2/"), listed_prefix, l);
        balance_store_list(l->peer->client, slice_of("run/9"), listed_nothing, l);
    }
}

static void listed_put(void *self, const struct balance_store_answer *a)
{
    struct lister *l = self;
    (void)a;
    if (++l->put == LISTED)
        balance_store_list(l->peer->client, (struct slice){0}, listed_all, l);
}

static void lister_begin(struct peer *p)
{
    static const char bytes[LISTED];
    struct lister *l = p->test;
    l->peer = p;
    for (size_t i = 0; i < LISTED; i++) {
        char key[32];
        snprintf(key, sizeof key, "run/%d/key%03zu", comm_rank(p->comm), i);
        balance_store_put(p->client, slice_of(key), bytes, i, BALANCE_STORE_NEW, listed_put, l);
    }
}

static void a_list_comes_from_all_servers(void)
{
    struct lister listers[6] = {0};
    struct game game = {6, 3, 0, lister_begin, lister_begin, &quiet, listers, sizeof *listers};
    bool right = play(&game);
    for (int i = 0; i < 6; i++)
        right &= listers[i].right && listers[i].nothing && listers[i].all >= 3 * LISTED;
    ok(right, "a list has the keys with a prefix of all servers, sorted");
    struct roles roles = roles_of(6, 3);
    int homes[3] = {0};
    for (int i = 0; i < 3000; i++) {
        char key[32];
        snprintf(key, sizeof key, "run/%d", i);
        homes[store_home(&roles, slice_of(key))]++;
    }
    ok(homes[0] > 800 && homes[1] > 800 && homes[2] > 800, "the servers have about as many keys");
}

int main(void)
{
    versions_count_and_can_be_expected();
    what_does_not_fit_is_refused();
    deleted_keys_cost_a_bounded_memory();
    the_dead_wait_no_more();
    requests_are_bounded();
    waits_are_bounded();
    several_can_wait();
    a_cancelled_wait_is_not_answered();
    an_old_number_cancels_nothing();
    a_list_comes_from_all_servers();
    return tap_end();
}
