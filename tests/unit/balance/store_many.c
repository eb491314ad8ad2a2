/* store_many.c - many clients of the store at once: on the same keys, and with large values. */
#include "store_peers.h"

/* ---- many clients on the same keys, over many histories ---- */

enum { SHARED = 3, VERSIONS = 400, INCREMENTS = 6, TICKS = 12, DEEDS = 30, AT_ONCE = 6 };

/* What all ranks of a simulated world together have seen. */
struct history {
    uint64_t stamps[SHARED][VERSIONS]; /* the put that made this version; 0: not seen yet */
    uint64_t counter, increments;
    int conflicts, absent, waited;
    bool wrong;
};

struct deed {
    struct worker *worker;
    enum store_operation operation;
    int key;
    uint64_t stamp;
};

/* A rank that does three things at once: count, watch the ticks (or tick), and meddle. */
struct worker {
    struct peer *peer;
    struct history *history;
    struct random random;
    uint64_t seed;
    int busy; /* number of activities that have not ended */
    int increments;
    uint64_t counter;            /* value that it tries to put */
    uint64_t tick, tick_version; /* the last one that it made or saw */
    uint64_t seen[SHARED];       /* latest version seen of each key */
    struct deed deeds[DEEDS];
    int begun, ended;
};

static void worker_rests(struct worker *w)
{
    if (--w->busy == 0) {
        w->history->wrong |= balance_store_pending(w->peer->client, true) != 0;
        peer_done(w->peer);
    }
}

static uint64_t number_in(const struct balance_store_answer *a)
{
    uint64_t number = 0;
    if (a->length == sizeof number)
        memcpy(&number, a->bytes, sizeof number);
    return number;
}

/* Counting: read, add one, and put unless another rank has put in the meantime. */

static void count_read(void *self, const struct balance_store_answer *a);

static void count_written(void *self, const struct balance_store_answer *a)
{
    struct worker *w = self;
    w->history->conflicts += a->state == BALANCE_STORE_CONFLICT;
    if (a->state == BALANCE_STORE_OK) {
        w->history->increments++;
        if (w->history->counter < w->counter)
            w->history->counter = w->counter;
        w->increments++;
    }
    if (w->increments < INCREMENTS)
        balance_store_get(w->peer->client, slice_of("counter"), count_read, w);
    else
        worker_rests(w);
}

static void count_read(void *self, const struct balance_store_answer *a)
{
    struct worker *w = self;
    w->counter = number_in(a) + 1;
    w->history->wrong |= a->state == BALANCE_STORE_OK && number_in(a) != a->version;
    balance_store_put(w->peer->client, slice_of("counter"), &w->counter, sizeof w->counter,
                      a->state == BALANCE_STORE_OK ? a->version : BALANCE_STORE_NEW, count_written,
                      w);
}

/* Ticking: rank 1 puts 1, 2, 3, ..., and sometimes deletes; the others wait for each new tick. */

static void ticked(void *self, const struct balance_store_answer *a)
{
    struct worker *w = self;
    w->history->wrong |= a->state != BALANCE_STORE_OK || a->version != w->tick;
    if (w->tick == TICKS) {
        worker_rests(w);
        return;
    }
    if (++w->tick % 3 == 0)
        balance_store_delete(w->peer->client, slice_of("tick"), ignore, NULL);
    balance_store_put(w->peer->client, slice_of("tick"), &w->tick, sizeof w->tick,
                      BALANCE_STORE_ANY, ticked, w);
}

static void saw_tick(void *self, const struct balance_store_answer *a)
{
    struct worker *w = self;
    w->history->wrong |= a->state != BALANCE_STORE_OK || a->version <= w->tick_version ||
                         number_in(a) <= w->tick || number_in(a) != a->version;
    w->tick = number_in(a);
    w->tick_version = a->version;
    w->history->waited++;
    if (w->tick < TICKS && !w->history->wrong)
        balance_store_wait(w->peer->client, slice_of("tick"), a->version, saw_tick, w);
    else
        worker_rests(w);
}

/* Meddling: several puts, gets and deletes of shared keys at the same time. */

static void meddle(struct worker *w);

/* A version of a key has the same value for all ranks, and versions never decrease. */
static void check_version(struct worker *w, int key, uint64_t version, uint64_t stamp, bool newer)
{
    struct history *h = w->history;
    h->wrong |= version == 0 || version >= VERSIONS || version < w->seen[key] + newer;
    w->seen[key] = version;
    if (h->wrong || stamp == 0)
        return;
    h->wrong |= h->stamps[key][version] != 0 && h->stamps[key][version] != stamp;
    h->stamps[key][version] = stamp;
}

static void deed_done(void *self, const struct balance_store_answer *a)
{
    struct deed *d = self;
    struct worker *w = d->worker;
    if (a->state == BALANCE_STORE_OK && d->operation == STORE_PUT)
        check_version(w, d->key, a->version, d->stamp, true);
    else if (a->state == BALANCE_STORE_OK && d->operation == STORE_GET)
        check_version(w, d->key, a->version, number_in(a), false);
    else if (a->state == BALANCE_STORE_OK)
        check_version(w, d->key, a->version, 0, false);
    w->history->absent += a->state == BALANCE_STORE_ABSENT;
    w->history->wrong |= a->state > BALANCE_STORE_CONFLICT;
    if (++w->ended == DEEDS)
        worker_rests(w);
    else
        meddle(w);
}

static void do_deed(struct worker *w, struct deed *d)
{
    struct balance_store *c = w->peer->client;
    char text = (char)('a' + d->key);
    struct slice key = {&text, 1};
    uint64_t chance = random_below(&w->random, 10);
    uint64_t expected = chance < 3   ? BALANCE_STORE_ANY
                        : chance < 4 ? BALANCE_STORE_NEW
                                     : w->seen[d->key];
    d->operation = chance < 5 ? STORE_PUT : chance < 8 ? STORE_GET : STORE_DELETE;
    if (d->operation == STORE_PUT)
        balance_store_put(c, key, &d->stamp, sizeof d->stamp, expected, deed_done, d);
    else if (d->operation == STORE_GET)
        balance_store_get(c, key, deed_done, d);
    else
        balance_store_delete(c, key, deed_done, d);
}

static void meddle(struct worker *w)
{
    for (; w->begun < DEEDS && w->begun - w->ended < AT_ONCE; w->begun++) {
        struct deed *d = &w->deeds[w->begun];
        d->worker = w;
        d->key = (int)random_below(&w->random, SHARED);
        d->stamp = (uint64_t)comm_rank(w->peer->comm) * DEEDS + (uint64_t)w->begun + 1;
        do_deed(w, d);
    }
}

static void worker_begin(struct peer *p)
{
    struct worker *w = p->test;
    w->peer = p;
    w->busy = 3;
    random_seed(&w->random, w->seed, (uint64_t)comm_rank(p->comm));
    balance_store_get(p->client, slice_of("counter"), count_read, w);
    if (comm_rank(p->comm) != 1) {
        balance_store_wait(p->client, slice_of("tick"), 0, saw_tick, w);
    } else {
        w->tick = 1;
        balance_store_put(p->client, slice_of("tick"), &w->tick, sizeof w->tick, BALANCE_STORE_NEW,
                          ticked, w);
    }
    meddle(w);
}

static void many_clients_agree(void)
{
    const unsigned seeds = (unsigned)tap_seeds(3000);
    uint64_t wrong = 0, first = 0;
    long conflicts = 0, absent = 0, waited = 0, most = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct worker workers[RANKS] = {0};
        struct history history = {0};
        struct comm_world world = {
            .seed = seed, .latency = seed % 2 ? 1e-3 : 1, .limit = 1e6, .ranks_per_node = 2};
        int size = 4 + (int)(seed % 5);
        struct game game = {size,    1 + (int)(seed % 3), 0, worker_begin, worker_begin, &world,
                            workers, sizeof *workers};
        for (int i = 0; i < size; i++)
            workers[i] = (struct worker){.history = &history, .seed = seed};
        uint64_t total = (uint64_t)size * INCREMENTS;
        bool right = play(&game) && !history.wrong && history.counter == total &&
                     history.increments == total;
        if (!right && wrong++ == 0)
            first = seed;
        conflicts += history.conflicts;
        absent += history.absent;
        waited += history.waited;
        most += (size - 1) * TICKS;
    }
    ok(wrong == 0, "counters are exact, versions agree, waits see the latest, in %d histories",
       (int)seeds);
    if (wrong)
        printf("# %llu are wrong, the first with seed %llu\n", (unsigned long long)wrong,
               (unsigned long long)first);
    ok(conflicts > seeds && absent > seeds && waited < most,
       "in many of them clients met, found nothing, or missed a version in between");
}

/* ---- large values, on threads ---- */

enum { BLOB = 3000001, ROUNDS = 4 };

static void fill(unsigned char *bytes, size_t length, uint64_t seed)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = (unsigned char)((i * 31 + seed * 17) >> 2);
}

/* Puts versions of its own blob while it waits for those of the previous rank. */
struct runner {
    struct peer *peer;
    unsigned char *bytes, *expected;
    uint64_t put, got;
    int busy; /* number of activities that have not ended: puts, and waits */
    bool right;
};

static void runner_key(const struct runner *r, int rank, char key[16])
{
    snprintf(key, 16, "blob%d", rank % r->peer->roles.size);
}

/* Fills a version of a rank's blob; returns its length, which changes now and then. */
static size_t runner_fill(unsigned char *bytes, int rank, uint64_t version)
{
    size_t length = BLOB - (size_t)(version / 2);
    fill(bytes, length, (uint64_t)rank * ROUNDS + version);
    return length;
}

static void runner_rests(struct runner *r)
{
    if (--r->busy == 0)
        peer_done(r->peer);
}

static void blob_put(void *self, const struct balance_store_answer *a)
{
    struct runner *r = self;
    int rank = comm_rank(r->peer->comm);
    char key[16];
    if (a)
        r->right &= a->state == BALANCE_STORE_OK && a->version == r->put;
    if (r->put == ROUNDS) {
        runner_rests(r);
        return;
    }
    size_t length = runner_fill(r->bytes, rank, ++r->put);
    runner_key(r, rank, key);
    balance_store_put(r->peer->client, slice_of(key), r->bytes, length, BALANCE_STORE_ANY, blob_put,
                      r);
}

static void blob_came(void *self, const struct balance_store_answer *a)
{
    struct runner *r = self;
    int size = r->peer->roles.size, before = (comm_rank(r->peer->comm) + size - 1) % size;
    char key[16];
    if (a) {
        size_t length = runner_fill(r->expected, before, a->version);
        r->right &= a->state == BALANCE_STORE_OK && a->version > r->got && a->length == length &&
                    memcmp(a->bytes, r->expected, length) == 0;
        r->got = a->version;
    }
    if (r->got == ROUNDS || !r->right) {
        runner_rests(r);
        return;
    }
    runner_key(r, before, key);
    balance_store_wait(r->peer->client, slice_of(key), r->got, blob_came, r);
}

static void runner_begin(struct peer *p)
{
    struct runner *r = p->test;
    r->peer = p;
    r->busy = 2;
    r->right = true;
    r->bytes = memory_new(BLOB, 1);
    r->expected = memory_new(BLOB, 1);
    blob_put(r, NULL);
    blob_came(r, NULL);
}

static void large_values_arrive_whole(void)
{
    struct runner runners[6] = {0};
    struct game game = {6, 2, 0, runner_begin, runner_begin, NULL, runners, sizeof *runners};
    bool right = play(&game);
    for (int i = 0; i < 6; i++) {
        right &= runners[i].right && runners[i].got == ROUNDS;
        free(runners[i].bytes);
        free(runners[i].expected);
    }
    ok(right, "ranks that are threads hand blobs of %d bytes round", BLOB);
}

int main(void)
{
    many_clients_agree();
    large_values_arrive_whole();
    return tap_end();
}
