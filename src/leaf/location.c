/* location.c - places for tasks: ranks and hosts of the run. */
#include "leaf/modules.h"

/* The values of the constants HARD and RANK, which the compiler knows. */
enum { STRICTNESS_HARD = 0, ACCURACY_RANK = 0 };

/* Exactly this rank. */
static int give_location(const struct leaf_call *call, int rank)
{
    struct leaf_member *fields = leaf_list_start(&call->outputs[0], LEAF_STRUCT, 3, call->arena);
    fields[0].value = leaf_whole(rank);
    fields[1].value = leaf_whole(STRICTNESS_HARD);
    fields[2].value = leaf_whole(ACCURACY_RANK);
    return 0;
}

static int run_location_from_rank(const struct leaf_call *call, struct err *e)
{
    int64_t rank = call->inputs[0].whole;
    int last = call->world->workers - 1;
    if (rank < 0 || rank > last)
        return err_set(e, ERR_USER, "locationFromRank: no worker has rank %lld: they are 0 to %d",
                       (long long)rank, last);
    return give_location(call, (int)rank);
}

static int random_rank(const struct leaf_call *call)
{
    return (int)random_below(call->random, (uint64_t)call->world->workers);
}

static int run_random_worker(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_location(call, random_rank(call));
}

static int run_random_worker_rank(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_whole(random_rank(call)));
}

/* ---- hosts ---- */

/* The names of all hosts, ended by NULL. Nodes with the same name are one host. */
static const char **host_names(const struct leaf_call *call, size_t *count)
{
    const struct leaf_world *world = call->world;
    const char **names = arena_new(call->arena, (size_t)world->node_count + 1, sizeof *names);
    struct map map = {0};
    *count = 0;
    for (int node = 0; node < world->node_count; node++) {
        struct slice name = slice_of(world->hosts[node]);
        if (map_find(&map, name) != MAP_NONE)
            continue;
        map_add(&map, name, (uint32_t)node);
        names[(*count)++] = name.text;
    }
    map_free(&map);
    return names;
}

static int run_hostmap_list(const struct leaf_call *call, struct err *e)
{
    size_t count;
    const char **names = host_names(call, &count);
    (void)e;
    struct leaf_member *items = leaf_list_start(&call->outputs[0], LEAF_ARRAY, count, call->arena);
    for (size_t i = 0; i < count; i++)
        items[i].value = leaf_text(slice_of(names[i]));
    return 0;
}

static int unknown_host(const struct leaf_call *call, const char *function, struct err *e)
{
    enum { MOST = 8 };
    size_t count;
    const char **names = host_names(call, &count);
    const char *host = leaf_excerpt(call->inputs[0].text, call->arena);
    const char *nearest = str_nearest(host, names);
    struct str list = {0};
    for (size_t i = 0; i < count && i < MOST; i++)
        str_printf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    err_set(e, ERR_USER, "%s: no worker runs on host '%s': the hosts are %s%s", function, host,
            str_text(&list), count > MOST ? ", ..." : "");
    if (nearest && strcmp(nearest, host) != 0) /* a host may have no worker */
        err_set(e, ERR_USER, "%s; did you mean '%s'?", e->message, nearest);
    str_free(&list);
    return ERR_USER;
}

/* A random worker on the host of the first input; -1 and ERR_USER if there is none. */
static int rank_on_host(const struct leaf_call *call, const char *function, struct err *e)
{
    const struct leaf_world *world = call->world;
    int found = -1;
    uint64_t count = 0;
    for (int rank = 0; rank < world->workers; rank++)
        if (slice_is(call->inputs[0].text, world->hosts[world->nodes[rank]]) &&
            random_below(call->random, ++count) == 0)
            found = rank;
    if (found < 0)
        unknown_host(call, function, e);
    return found;
}

static int run_hostmap_one(const struct leaf_call *call, struct err *e)
{
    int rank = rank_on_host(call, "hostmapOne", e);
    return rank < 0 ? ERR_USER : give_location(call, rank);
}

static int run_hostmap_one_rank(const struct leaf_call *call, struct err *e)
{
    int rank = rank_on_host(call, "hostmapOneRank", e);
    return rank < 0 ? ERR_USER : leaf_give(call, leaf_whole(rank));
}

static int run_hostmap_one_worker(const struct leaf_call *call, struct err *e)
{
    int rank = rank_on_host(call, "hostmapOneWorker", e);
    return rank < 0 ? ERR_USER : give_location(call, rank);
}

static int run_hostmap_one_worker_rank(const struct leaf_call *call, struct err *e)
{
    int rank = rank_on_host(call, "hostmapOneWorkerRank", e);
    return rank < 0 ? ERR_USER : leaf_give(call, leaf_whole(rank));
}

/* The lowest worker of each node that has one. */
static int run_hostmap_leaders(const struct leaf_call *call, struct err *e)
{
    const struct leaf_world *world = call->world;
    bool *seen = arena_new(call->arena, (size_t)world->node_count, sizeof *seen);
    size_t count = 0;
    (void)e;
    struct leaf_member *items =
        leaf_list_start(&call->outputs[0], LEAF_ARRAY, (size_t)world->node_count, call->arena);
    for (int rank = 0; rank < world->workers; rank++) {
        int node = world->nodes[rank];
        if (!seen[node])
            items[count++].value = leaf_whole(rank);
        seen[node] = true;
    }
    leaf_array_cut(&call->outputs[0], count);
    return 0;
}

const struct leaf_function leaf_location[] = {
    {"locationFromRank", LEAF_AT_ONCE, run_location_from_rank},
    {"randomWorker", LEAF_AT_ONCE, run_random_worker},
    {"randomWorkerRank", LEAF_AT_ONCE, run_random_worker_rank},
    {"hostmapList", LEAF_AT_ONCE, run_hostmap_list},
    {"hostmapOne", LEAF_AT_ONCE, run_hostmap_one},
    {"hostmapOneRank", LEAF_AT_ONCE, run_hostmap_one_rank},
    {"hostmapOneWorker", LEAF_AT_ONCE, run_hostmap_one_worker},
    {"hostmapOneWorkerRank", LEAF_AT_ONCE, run_hostmap_one_worker_rank},
    {"hostmapLeaders", LEAF_AT_ONCE, run_hostmap_leaders},
    {0},
};
