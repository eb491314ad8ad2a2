/*
 * histories.c - thousands of simulated histories of owner, servers and workers, one per seed.
 *
 *   unit-balance-histories             all of them
 *   unit-balance-histories KIND SEED   this one again, printing what happens
 */
#include "balance/troupe.h"
#include "tap.h"

struct kind {
    const char *name;
    void (*write)(struct script *script);
};

/* A pseudo-random number that depends only on the seed. */
static uint64_t draw(const struct script *s, uint64_t what, uint64_t limit)
{
    struct random random;
    random_seed(&random, s->seed, what);
    return random_below(&random, limit);
}

/* Worlds of any size: messages take from no time to much longer than a task. */
static void write_world(struct script *s)
{
    static const double latencies[] = {1e-6, 1e-3, 1};
    static const unsigned batches[] = {0, 0, 1, 3};
    s->ranks = 2 + (int)draw(s, 1, 14);
    s->servers = 1 + (int)draw(s, 2, 4);
    s->ranks_per_node = (int)draw(s, 3, 5);
    s->latency = latencies[draw(s, 4, 3)];
    s->tasks = (unsigned)draw(s, 5, 90);
    s->seconds = draw(s, 6, 2) ? 0.5 : 0.001;
    s->lazy = draw(s, 7, 2);
    s->batch = batches[draw(s, 15, 4)];
}

static void write_plain(struct script *s)
{
    write_world(s);
}

static void write_mixed(struct script *s)
{
    write_world(s);
    s->types = draw(s, 8, 2);
    s->bound = draw(s, 9, 2);
    s->children = draw(s, 10, 2);
}

static void write_shared(struct script *s)
{
    write_mixed(s);
    s->types = false;
    s->shared = true;
}

static void write_stopped(struct script *s)
{
    write_shared(s);
    s->stop_after = (unsigned)draw(s, 11, 40) + 1;
}

static void write_cancelled(struct script *s)
{
    write_shared(s);
    s->cancel = true;
    s->children = false;
}

/* Many servers, with everything at once. */
static void write_storm(struct script *s)
{
    write_shared(s);
    s->ranks = 2 + (int)draw(s, 1, 38);
    s->servers = 1 + (int)draw(s, 2, 12);
    s->cancel = draw(s, 16, 2);
    s->stop_after = draw(s, 17, 2) ? (unsigned)draw(s, 11, 40) + 1 : 0;
}

/*
 * Some workers die, sometimes all of them; others hang for a while, for less or more time than the
 * servers wait for them.
 */
static void write_deaths(struct script *s)
{
    write_shared(s);
    s->cancel = draw(s, 16, 3) == 0;
    s->stop_after = draw(s, 17, 3) == 0 ? (unsigned)draw(s, 11, 40) + 1 : 0;
    s->ranks += 2;
    s->lost_after = 20 * (s->latency + 0.01);
    struct balance_rules rules = {.servers = s->servers};
    for (int rank = s->ranks - 1; rank > 0 && s->fate_count < draw(s, 12, 4) + 1; rank--) {
        if (balance_serves(&rules, s->ranks, rank))
            continue;
        double from =
            (double)draw(s, 100 + (uint64_t)rank, 1000) * 1e-3 * (s->latency * 20 + s->seconds);
        double hangs = draw(s, 200 + (uint64_t)rank, 3)
                           ? INFINITY
                           : 2 * s->lost_after * (double)draw(s, 13, 100) / 100;
        s->fates[s->fate_count++] = (struct comm_fate){rank, from, from + hangs};
    }
}

/* Workers die while idle, and tasks for several workers arrive when this is being noticed. */
static void write_surprised(struct script *s)
{
    s->ranks = 4 + (int)draw(s, 1, 6);
    s->servers = 1 + (int)draw(s, 2, 2);
    s->latency = 1;
    s->lost_after = 20;
    s->seconds = 1;
    s->tasks = 1 + (unsigned)draw(s, 5, 6);
    s->shared = true;
    s->begin_at = 18 + 1e-3 * (double)draw(s, 6, 15000);
    s->fates[s->fate_count++] = (struct comm_fate){1, 1e-3 * (double)draw(s, 7, 5000), INFINITY};
}

/* A server, perhaps the first one, dies or hangs for a long time: all others end by themselves. */
static void write_broken(struct script *s)
{
    write_shared(s);
    s->ranks += 2;
    s->broken = true;
    s->lost_after = 20 * (s->latency + 0.01);
    struct balance_rules rules = {.servers = s->servers};
    int servers = balance_servers(&rules, s->ranks), rank = 0;
    for (int index = (int)draw(s, 12, (uint64_t)servers); index > 0; index--)
        do
            rank++;
        while (!balance_serves(&rules, s->ranks, rank));
    double from = (double)draw(s, 14, 1000) * 1e-3 * (s->latency * 20 + s->seconds);
    double hangs = draw(s, 13, 3) ? INFINITY : 4 * s->lost_after;
    s->fates[s->fate_count++] = (struct comm_fate){rank, from, from + hangs};
}

/* The whole job is suspended for long: no rank may mistake the silence for the others' death. */
static void write_suspended(struct script *s)
{
    write_world(s);
    s->ranks = 2 + (int)draw(s, 1, 6);
    s->latency = 1e-3;
    s->lost_after = 5;
    s->seconds = 20;
    for (int rank = 0; rank < s->ranks; rank++)
        s->fates[s->fate_count++] =
            (struct comm_fate){rank, 7 + 1e-3 * (double)draw(s, 300 + (uint64_t)rank, 100),
                               107 + 1e-3 * (double)draw(s, 400 + (uint64_t)rank, 100)};
}

static const struct kind kinds[] = {
    {"plain", write_plain},         {"mixed", write_mixed},         {"shared", write_shared},
    {"stopped", write_stopped},     {"cancelled", write_cancelled}, {"deaths", write_deaths},
    {"suspended", write_suspended}, {"broken", write_broken},       {"surprised", write_surprised},
    {"storm", write_storm},
};

static void judge_suspended(struct troupe *t)
{
    if (t->workers_lost > 0)
        troupe_wrong(t, "workers were given up because all were suspended", t->workers_lost);
    for (unsigned id = 1; id <= t->script->tasks; id++)
        if (t->acts[id].outcome != BALANCE_DONE)
            troupe_wrong(t, "not done although nobody died", id);
}

static bool play(const struct kind *kind, uint64_t seed, bool trace)
{
    static struct troupe troupe;
    struct script script = {.seed = seed, .trace = trace};
    kind->write(&script);
    troupe_play(&troupe, &script);
    if (kind->write == write_suspended)
        judge_suspended(&troupe);
    if (troupe.wrong[0])
        printf("# %s %llu: %s\n", kind->name, (unsigned long long)seed, troupe.wrong);
    return !troupe.wrong[0];
}

static void play_all(const struct kind *kind)
{
    unsigned wrong = 0, seeds = (unsigned)tap_seeds(4000);
    for (uint64_t seed = 1; seed <= seeds && wrong < 3; seed++)
        wrong += !play(kind, seed, false);
    ok(wrong == 0, "%s: nothing goes wrong in any of %d histories", kind->name, (int)seeds);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (argc == 3 && strcmp(argv[1], kinds[i].name) == 0)
            return play(&kinds[i], strtoull(argv[2], NULL, 10), true) ? 0 : 1;
        if (argc == 1 || (argc == 2 && strcmp(argv[1], kinds[i].name) == 0))
            play_all(&kinds[i]);
    }
    return tap_end();
}
