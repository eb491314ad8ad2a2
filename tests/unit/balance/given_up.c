/* given_up.c - after a rank is given up, nobody hears it; a job that lost a server ends soon. */
#include "balance/store.h"
#include "balance/troupe.h"
#include "tap.h"

/* ---- a worker hangs for a long time, and writes to the key-value space when it wakes up ---- */

enum { SERVERS = 3, RANKS = 6, OBSERVER = 1, SLEEPER = 5, FAR_SERVER = 2 };

static const struct balance_rules rules = {.servers = SERVERS, .lost_after = 10};

struct rank {
    struct comm *comm;
    struct balance_server *server;
    struct balance_client *client;
    bool wrote, orphaned, looked;
    uint64_t version; /* version that the observer found */
};

/* A key that is stored on the server that has nothing to do with the sleeper. */
static struct slice far_key(char key[16])
{
    const struct roles roles = roles_of(RANKS, SERVERS);
    int number = 0;
    do
        snprintf(key, 16, "k%d", number++);
    while (roles_server(&roles, store_home(&roles, slice_of(key))) != FAR_SERVER);
    return slice_of(key);
}

static void request(struct rank *r, enum store_operation operation)
{
    char text[16];
    struct slice key = far_key(text);
    struct store_request head = {
        .number = 1, .operation = (uint16_t)operation, .key_length = (uint16_t)key.length};
    struct str message = {0};
    str_add_bytes(&message, &head, sizeof head);
    str_add_bytes(&message, key.text, key.length);
    comm_send(r->comm, FAR_SERVER, STORE_REQUEST, message.text, message.length);
    str_free(&message);
}

static void write_late(void *self)
{
    struct rank *r = self;
    r->wrote = true;
    request(r, STORE_PUT);
}

static void look(void *self)
{
    request(self, STORE_GET);
}

static void run_task(void *self, const struct balance_assignment *task)
{
    struct rank *r = self;
    (void)task;
    comm_after(r->comm, 100, look, r);
}

static void leave(void *self)
{
    struct rank *r = self;
    balance_leave(r->client);
    comm_stop(r->comm);
}

static void orphaned(void *self)
{
    struct rank *r = self;
    r->orphaned = true;
    leave(r);
}

static void work(void *self, struct comm *comm)
{
    struct rank *r = self;
    struct balance_worker worker = {
        .self = r, .types = 1, .task = run_task, .finish = leave, .orphaned = orphaned};
    r->comm = comm;
    r->client = balance_join(comm, &rules, &worker);
    if (comm_rank(comm) == SLEEPER)
        comm_after(comm, 8, write_late, r); /* due when it wakes up, before it learns of it */
}

static void work_message(void *self, const struct comm_message *m)
{
    struct rank *r = self;
    if (m->type != STORE_REPLY) {
        balance_client_message(r->client, m);
    } else if (!r->looked) {
        struct store_reply reply;
        memcpy(&reply, m->bytes, sizeof reply);
        r->looked = true;
        r->version = reply.version;
        balance_done(r->client, NULL, 0);
    }
}

static void finished(void *self, size_t left)
{
    struct rank *r = self;
    (void)left;
    comm_stop(r->comm);
}

static void serve(void *self, struct comm *comm)
{
    struct rank *r = self;
    struct balance_owner owner = {.self = r, .finished = finished};
    r->comm = comm;
    r->server = balance_create(comm, &rules, &owner);
    if (comm_rank(comm) == 0) {
        balance_put(r->server,
                    &(struct balance_task){.id = 1, .where = BALANCE_WORKER, .target = OBSERVER});
        balance_finish(r->server);
    }
}

static void serve_message(void *self, const struct comm_message *m)
{
    struct rank *r = self;
    balance_message(r->server, m);
}

static void what_it_writes_is_not_heard(void)
{
    struct rank ranks[RANKS] = {0};
    struct comm_actor actors[RANKS];
    struct comm_fate fate = {SLEEPER, 5, 60};
    struct comm_world world = {
        .seed = 1, .latency = 1e-3, .limit = 1e4, .fates = &fate, .fate_count = 1};
    struct err e = {0};
    double seconds;
    for (int i = 0; i < RANKS; i++)
        actors[i] = balance_serves(&rules, RANKS, i)
                        ? (struct comm_actor){&ranks[i], serve, serve_message}
                        : (struct comm_actor){&ranks[i], work, work_message};
    if (!ok(comm_simulate(RANKS, actors, &world, &seconds, &e) == 0, "everyone ends"))
        printf("# %s\n", e.message);
    ok(ranks[SLEEPER].wrote && ranks[SLEEPER].orphaned, "a worker wakes up, writes and is told");
    ok(ranks[OBSERVER].looked && ranks[OBSERVER].version == 0, "nobody sees what it wrote");
    for (int i = 0; i < RANKS; i++) {
        if (ranks[i].server)
            balance_free(ranks[i].server);
        else
            balance_client_free(ranks[i].client);
    }
}

/* ---- a server dies ---- */

static void a_broken_job_ends_soon(void)
{
    static struct troupe troupe;
    static const int servers[] = {0, 3, 6}; /* ranks of the servers, out of nine */
    for (int i = 0; i < 3; i++) {
        struct script script = {.seed = 1,
                                .ranks = 9,
                                .servers = 3,
                                .latency = 1e-3,
                                .tasks = 100,
                                .seconds = 50,
                                .lost_after = 8,
                                .broken = true,
                                .fates = {{servers[i], 10, INFINITY}},
                                .fate_count = 1};
        troupe_play(&troupe, &script);
        ok(!troupe.wrong[0] && troupe.seconds < 10 + 1.6 * script.lost_after,
           "server %d of 3 dies after 10 s, all have ended after %.1f s", i, troupe.seconds);
    }
}

int main(void)
{
    what_it_writes_is_not_heard();
    a_broken_job_ends_soon();
    return tap_end();
}
