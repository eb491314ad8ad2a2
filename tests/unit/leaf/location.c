/* Places for tasks: ranks and hosts of the run. */
#include "call.h"

static const int nodes[] = {0, 0, 1, 2, 2, 2};
static const char *const hosts[] = {"cn01", "cn02", "gpu7"};

static const struct call_case places[] = {
    {"locationFromRank(0)", "0 0 1 0 2 0"},
    {"locationFromRank(5)", "0 5 1 0 2 0"},
    {"locationFromRank(3)", "0 3 1 0 2 0"},
    {"locationFromRank(6)", "error: locationFromRank: no worker has rank 6: they are 0 to 5"},
    {"locationFromRank(-1)", "error: locationFromRank: no worker has rank -1: they are 0 to 5"},
    {"hostmapList()", "0 cn01 1 cn02 2 gpu7"},
    {"hostmapOneRank(\"cn02\")", "2"},
    {"hostmapOneWorkerRank(\"cn02\")", "2"},
    {"hostmapOne(\"cn02\")", "0 2 1 0 2 0"},
    {"hostmapOneWorker(\"cn02\")", "0 2 1 0 2 0"},
    {"hostmapLeaders()", "0 0 1 2 2 3"},
    {"hostmapOneRank(\"cn03\")", "error: hostmapOneRank: no worker runs on host 'cn03': the hosts "
                                 "are cn01, cn02, gpu7; did you "
                                 "mean 'cn01'?"},
    {"hostmapOneWorker(\"storage\")",
     "error: hostmapOneWorker: no worker runs on host 'storage': the hosts are cn01, cn02, gpu7"},
    {"hostmapOne(\"\")",
     "error: hostmapOne: no worker runs on host '': the hosts are cn01, cn02, gpu7"},
};

/* Two nodes of one name, as containers on one machine may have, and a node without a worker. */
static const int odd_nodes[] = {1, 0};
static const char *const odd_hosts[] = {"box", "box", "spare"};

static const struct call_case odd[] = {
    {"hostmapList()", "0 box 1 spare"},
    {"hostmapLeaders()", "0 0 1 1"},
    {"hostmapOneRank(\"spare\")", "error: hostmapOneRank: no worker runs on host 'spare': the "
                                  "hosts are box, spare"},
};

/* Calls a function many times with one random stream; the ranks that came up, as bits. */
static unsigned ranks_of(const char *name, const char *host)
{
    struct random random;
    struct arena arena = {0};
    struct leaf_value input = leaf_text(slice_of(host)), output;
    struct leaf_call call = {.inputs = &input,
                             .input_count = 1,
                             .outputs = &output,
                             .arena = &arena,
                             .world = &call_world,
                             .random = &random};
    unsigned seen = 0;
    random_seed(&random, 7, 0);
    for (int i = 0; i < 200; i++) {
        struct err e = {0};
        leaf_find(name)->run(&call, &e);
        bool is_place = output.kind == LEAF_STRUCT;
        seen |= 1u << (is_place ? output.members->items[0].value.whole : output.whole);
    }
    arena_free(&arena);
    return seen;
}

static void test_random(void)
{
    ok(ranks_of("randomWorkerRank", "") == 0x3f, "each worker is a random worker now and then");
    ok(ranks_of("randomWorker", "") == 0x3f, "as a place, too");
    ok(ranks_of("hostmapOneRank", "gpu7") == 0x38, "each rank of a host, and no other");
    ok(ranks_of("hostmapOneWorker", "cn01") == 0x03, "and each worker");
}

int main(void)
{
    call_world.workers = 6;
    call_world.nodes = nodes;
    call_world.hosts = hosts;
    call_world.node_count = 3;
    CALL_CHECK(places);
    test_random();
    call_world.workers = 2;
    call_world.nodes = odd_nodes;
    call_world.hosts = odd_hosts;
    CALL_CHECK(odd);
    return tap_end();
}
