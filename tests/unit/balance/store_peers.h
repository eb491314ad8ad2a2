/*
 * store_peers.h - ranks that are clients of a store, and some of them its servers, on threads or in
 * a simulated world.
 */
#ifndef TESTS_STORE_PEERS_H
#define TESTS_STORE_PEERS_H

#include "balance/store.h"
#include "tap.h"

enum { RANKS = 8, GOODBYE = 1 };

struct peer;
typedef void begin(struct peer *);

/* A rank: always a client, and a server where the roles says so. */
struct peer {
    struct comm *comm;
    struct roles roles;
    uint64_t limit;
    struct store *store;
    struct balance_store *client;
    begin *begin;
    int goodbyes;
    void *test; /* what the test keeps for this rank */
};

/* Everybody stays until nobody needs a server any more. */
static void peer_done(struct peer *p)
{
    for (int rank = 0; rank < p->roles.size; rank++)
        comm_send(p->comm, rank, GOODBYE, NULL, 0);
}

static void peer_start(void *self, struct comm *comm)
{
    struct peer *p = self;
    p->comm = comm;
    p->client = store_client_create(comm, &p->roles);
    if (roles_is_server(&p->roles, comm_rank(comm)))
        p->store = store_create(comm, &p->roles, p->limit);
    p->begin(p);
}

static void peer_message(void *self, const struct comm_message *m)
{
    struct peer *p = self;
    if (m->type == STORE_REQUEST)
        store_message(p->store, m);
    else if (m->type == STORE_REPLY)
        store_client_message(p->client, m);
    else if (++p->goodbyes == p->roles.size)
        comm_stop(p->comm);
}

/* Plays the ranks of a roles: `first` begins on rank 1, `others` elsewhere. */
struct game {
    int size, servers;
    uint64_t limit;
    begin *first, *others;
    const struct comm_world *world; /* NULL: on threads */
    void *tests;                    /* an array, by rank, of items of this size; or NULL */
    size_t test_size;
};

static bool play(const struct game *g)
{
    struct peer peers[RANKS] = {0};
    struct comm_actor actors[RANKS];
    struct err e = {0};
    double seconds;
    for (int i = 0; i < g->size; i++) {
        peers[i].roles = roles_of(g->size, g->servers);
        peers[i].limit = g->limit ? g->limit : 1 << 30;
        peers[i].begin = i == 1 ? g->first : g->others;
        peers[i].test = g->tests ? (char *)g->tests + (size_t)i * g->test_size : NULL;
        actors[i] = (struct comm_actor){&peers[i], peer_start, peer_message};
    }
    int failed = g->world ? comm_simulate(g->size, actors, g->world, &seconds, &e)
                          : comm_threads(g->size, actors, &e);
    if (failed)
        printf("# %s\n", e.message);
    for (int i = 0; i < g->size; i++) {
        store_client_free(peers[i].client);
        if (peers[i].store)
            store_free(peers[i].store);
    }
    return failed == 0;
}

__attribute__((unused)) static const struct comm_world quiet = {.seed = 1, .latency = 1e-6};

__attribute__((unused)) static void ignore(void *self, const struct balance_store_answer *a)
{
    (void)self;
    (void)a;
}

#endif
