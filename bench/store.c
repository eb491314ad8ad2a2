/*
 * store.c - how fast values go into the store and come back, between two ranks that are threads,
 * compared with memcpy() of the same bytes: the cost of one copy is the limit.
 */
#include "balance/store.h"
#include "bench/measure.h"

enum { KEYS = 4 };

struct bench {
    struct comm *comm;
    struct roles roles;
    struct store *store;          /* on rank 0 */
    struct balance_store *client; /* on rank 1 */
    unsigned char *bytes;
    size_t size;
    long total, begun, ended;
    bool getting;
    double since, put_seconds, get_seconds;
};

static void ask(struct bench *b);

static void answered(void *self, const struct balance_store_answer *a)
{
    struct bench *b = self;
    if (a->state != BALANCE_STORE_OK || (b->getting && a->length != b->size))
        BUG("the store refused: %s", a->message);
    b->ended++;
    ask(b);
}

/* As many requests at once as a client sends that does not wait for each: two per key. */
static void ask(struct bench *b)
{
    if (b->ended == b->total) {
        double now = comm_now(b->comm);
        *(b->getting ? &b->get_seconds : &b->put_seconds) = now - b->since;
        if (b->getting) {
            comm_send(b->comm, 0, 1, NULL, 0);
            comm_stop(b->comm);
            return;
        }
        b->getting = true;
        b->since = now;
        b->begun = b->ended = 0;
    }
    for (; b->begun < b->total && b->begun - b->ended < 2L * KEYS; b->begun++) {
        char text = (char)('a' + b->begun % KEYS);
        struct slice key = {&text, 1};
        if (b->getting)
            balance_store_get(b->client, key, answered, b);
        else
            balance_store_put(b->client, key, b->bytes, b->size, BALANCE_STORE_ANY, answered, b);
    }
}

static void start(void *self, struct comm *comm)
{
    struct bench *b = self;
    b->comm = comm;
    if (comm_rank(comm) == 0) {
        b->store = store_create(comm, &b->roles, (uint64_t)1 << 30);
        return;
    }
    b->client = store_client_create(comm, &b->roles);
    b->since = comm_now(comm);
    ask(b);
}

static void message(void *self, const struct comm_message *m)
{
    struct bench *b = self;
    if (m->type == STORE_REQUEST)
        store_message(b->store, m);
    else if (m->type == STORE_REPLY)
        store_client_message(b->client, m);
    else
        comm_stop(b->comm);
}

/* Seconds for `total` copies to KEYS places, as a put makes them. */
static double copy_seconds(const unsigned char *bytes, size_t size, long total)
{
    unsigned char *places = memory_new(KEYS, size);
    memset(places, 1, KEYS * size); /* makes sure that the pages exist */
    double since = clock_now();
    for (long i = 0; i < total; i++) {
        memcpy(places + (size_t)(i % KEYS) * size, bytes, size);
        __asm__ volatile("" : : "r"(places) : "memory"); /* keeps the copy */
    }
    double seconds = clock_now() - since;
    free(places);
    return seconds;
}

static void print_row(const char *what, const struct bench *b, double seconds, double copy)
{
    double rate = (double)b->total / seconds, bytes = (double)b->size;
    printf("%-4s %9zu bytes  %9.0f/s  %8.1f MB/s  memcpy %8.1f MB/s  ratio %.3f\n", what, b->size,
           rate, rate * bytes / 1e6, bytes * (double)b->total / copy / 1e6, copy / seconds);
}

static int measure(size_t size, long total)
{
    struct bench benches[2] = {{.roles = roles_of(2, 1)}, {.roles = roles_of(2, 1)}};
    struct bench *b = &benches[1];
    struct comm_actor actors[2] = {{&benches[0], start, message}, {b, start, message}};
    struct err e = {0};
    b->size = size;
    b->total = total;
    b->bytes = memory_new(size, 1);
    memset(b->bytes, 7, size);
    if (comm_threads(2, actors, &e) != 0) {
        printf("%s\n", e.message);
        return 1;
    }
    double copy = copy_seconds(b->bytes, size, total);
    print_row("put", b, b->put_seconds, copy);
    print_row("get", b, b->get_seconds, copy);
    store_free(benches[0].store);
    store_client_free(b->client);
    free(b->bytes);
    return 0;
}

int main(void)
{
    long many = (long)bench_size(500000, 5000), some = (long)bench_size(20000, 500);
    return measure(64, many) || measure(65536, some) ||
           measure(16 << 20, (long)bench_size(100, 10));
}
