/*
 * balance.c - the balancer with ranks as MPI processes: one, two and three servers, and all kinds
 * of tasks.
 *
 * Every process generates the same scripts from the same seed and plays its own part; rank 0
 * collects what each of them saw, and judges. mpi-balance SEED plays other scripts.
 */
#define TROUPE_TASKS 1500
#include "balance/troupe.h"
#include "tap.h"

#include <sched.h>
#include <unistd.h>

enum { TYPE_GO = 1000, TYPE_SEEN }; /* in addition to those of balance */

struct stage {
    struct comm *comm;
    struct troupe troupe;
    struct comm_actor actor; /* actor of this rank in this play */
    int seen;                /* number of ranks that have reported what they saw */
    bool told;               /* all have reported */
    bool open;               /* rank 0 says that the play begins */
};

/* What a process knows about a task. */
struct seen {
    uint32_t outcomes, done, begun, outcome, was_put;
};

static const struct {
    const char *name;
    struct script script;
} plays[] = {
    {"tasks that are put at once", {.tasks = 1500, .seconds = 0.002}},
    {"tasks that are put when workers want them", {.tasks = 1500, .seconds = 0.002, .lazy = true}},
    {"tasks that take no time", {.tasks = 1500, .types = true, .children = true}},
    {"types, targets and children",
     {.tasks = 800, .seconds = 0.003, .types = true, .bound = true, .children = true}},
    {"tasks for several workers",
     {.tasks = 300, .seconds = 0.002, .shared = true, .bound = true, .children = true}},
    {"tasks that are cancelled",
     {.tasks = 600, .seconds = 0.003, .shared = true, .bound = true, .cancel = true}},
    {"a stop in the middle",
     {.tasks = 600, .seconds = 0.003, .shared = true, .children = true, .stop_after = 150}},
};

/* ---- what was seen ---- */

static size_t seen_length(const struct troupe *t)
{
    return (2 * t->script->tasks + 1) * sizeof(struct seen) + sizeof t->wrong;
}

static void tell_seen(struct stage *stage)
{
    const struct troupe *t = &stage->troupe;
    size_t count = 2 * t->script->tasks + 1, length = seen_length(t);
    unsigned char *bytes = memory_new(length, 1);
    for (size_t id = 0; id < count; id++) {
        const struct act *act = &t->acts[id];
        struct seen seen = {act->outcomes, act->done, act->begun, act->outcome, act->was_put};
        memcpy(bytes + id * sizeof seen, &seen, sizeof seen);
    }
    memcpy(bytes + count * sizeof(struct seen), t->wrong, sizeof t->wrong);
    comm_send(stage->comm, 0, TYPE_SEEN, bytes, length);
    free(bytes);
}

static void add_seen(struct stage *stage, const struct comm_message *m)
{
    struct troupe *t = &stage->troupe;
    size_t count = 2 * t->script->tasks + 1;
    if (m->length != seen_length(t))
        BUG("another play is told of");
    for (size_t id = 0; id < count; id++) {
        struct seen seen;
        struct act *act = &t->acts[id];
        memcpy(&seen, m->bytes + id * sizeof seen, sizeof seen);
        act->outcomes += seen.outcomes;
        act->done += seen.done;
        act->begun += seen.begun;
        act->was_put |= seen.was_put != 0;
        if (seen.outcomes > 0)
            act->outcome = (enum balance_outcome)seen.outcome;
    }
    if (!t->wrong[0])
        memcpy(t->wrong, m->bytes + count * sizeof(struct seen), sizeof t->wrong);
    stage->told = ++stage->seen == comm_size(stage->comm) - 1;
}

/* ---- the plays ---- */

static void stage_start(void *self, struct comm *comm)
{
    struct stage *stage = self;
    stage->actor.start(stage->actor.self, comm);
}

static void stage_message(void *self, const struct comm_message *m)
{
    struct stage *stage = self;
    if (m->type == TYPE_SEEN)
        add_seen(stage, m);
    else if (m->type == TYPE_GO)
        stage->open = true;
    else
        stage->actor.message(stage->actor.self, m);
}

static void nothing(void *self, struct comm *comm)
{
    (void)self;
    (void)comm;
}

/*
 * Servers begin as soon as they have reported on the last play, workers when rank 0 says that all
 * have: so no worker joins a server that is not there yet.
 */
static void play(struct stage *stage, const struct script *script)
{
    int rank = comm_rank(stage->comm);
    troupe_prepare(&stage->troupe, script);
    stage->troupe.stays = true;
    stage->actor = troupe_actor(&stage->troupe, rank);
    stage->seen = 0;
    stage->told = false;
    if (!balance_serves(&stage->troupe.rules, script->ranks, rank)) {
        comm_mpi_begin(stage->comm, &(struct comm_actor){stage, nothing, stage_message});
        comm_mpi_wait(stage->comm, &stage->open);
        stage->open = false;
    }
    comm_mpi_begin(stage->comm, &(struct comm_actor){stage, stage_start, stage_message});
    for (int to = 1; rank == 0 && to < script->ranks; to++)
        if (!balance_serves(&stage->troupe.rules, script->ranks, to))
            comm_send(stage->comm, to, TYPE_GO, NULL, 0);
    comm_mpi_wait(stage->comm, &stage->troupe.through);
    if (rank == 0)
        comm_mpi_wait(stage->comm, &stage->told);
    else
        tell_seen(stage);
}

static void play_and_judge(struct stage *stage, const char *name, const struct script *script)
{
    play(stage, script);
    if (comm_rank(stage->comm) == 0) {
        troupe_judge(&stage->troupe);
        if (!ok(!stage->troupe.wrong[0], "%d of %d ranks on %d nodes serve: %s", script->servers,
                script->ranks, comm_nodes(stage->comm), name))
            printf("# %s\n", stage->troupe.wrong);
    }
    troupe_dismiss(&stage->troupe, comm_rank(stage->comm));
}

/* If this process may have its own host name, each two ranks of the machine form a node. */
static int pretend_nodes(int rank)
{
    char name[16];
    snprintf(name, sizeof name, "n%d", rank / 2 + 1);
    bool can = geteuid() == 0 && unshare(CLONE_NEWUTS) == 0 && sethostname(name, strlen(name)) == 0;
    return can ? 2 : 0;
}

int main(int argc, char **argv)
{
    static struct stage stage;
    struct err e = {0};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    int ranks_per_node = pretend_nodes(comm_launched().rank);
    if (!ok(comm_mpi_open(&stage.comm, &e) == 0, "MPI opens"))
        printf("# %s\n", e.message);
    int ranks = comm_size(stage.comm);
    for (int servers = 1; servers <= 3 && servers <= ranks / 2; servers++)
        for (size_t i = 0; i < sizeof plays / sizeof *plays; i++) {
            struct script script = plays[i].script;
            script.seed = seed + (uint64_t)servers;
            script.ranks = ranks;
            script.servers = servers;
            script.ranks_per_node = ranks_per_node;
            play_and_judge(&stage, plays[i].name, &script);
        }
    comm_mpi_close(stage.comm);
    return tap_end();
}
