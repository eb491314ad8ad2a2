/* nodes.c - which rank is on which node, and on which of its processors. */
#include "comm/mpi/rank.h"

#include <sched.h>
#include <unistd.h>

struct place {
    char host[64];
    uint64_t processors;
};

/* FNV-1a; http://www.isthe.com/chongo/tech/comp/fnv */
static uint64_t hash(uint64_t state, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        state = (state ^ byte[i]) * UINT64_C(0x100000001b3);
    return state;
}

static struct place place_here(void)
{
    struct place here = {.host = "localhost"};
    if (gethostname(here.host, sizeof here.host - 1) != 0)
        snprintf(here.host, sizeof here.host, "localhost");
    cpu_set_t mask[8]; /* 8192 processors: the kernel refuses a mask that is too small */
    memset(mask, 0, sizeof mask);
    sched_getaffinity(0, sizeof mask, mask);
    here.processors = hash(UINT64_C(0xcbf29ce484222325), here.host, sizeof here.host);
    here.processors = hash(here.processors, mask, sizeof mask);
    return here;
}

void nodes_find(struct rank *r)
{
    size_t size = (size_t)r->comm.size;
    struct place here = place_here(), *all = memory_new(size, sizeof *all);
    MPI_Allgather(&here, sizeof here, MPI_BYTE, all, sizeof here, MPI_BYTE, r->groups);
    struct comm_places *places = &r->places;
    places->node = memory_new(size, sizeof *places->node);
    places->names = memory_new(size, sizeof *places->names);
    places->processors = memory_new(size, sizeof *places->processors);
    struct map hosts = {0};
    for (size_t rank = 0; rank < size; rank++) {
        int64_t node = map_find(&hosts, slice_of(all[rank].host));
        if (node == MAP_NONE) {
            node = places->count++;
            memcpy(places->names[node], all[rank].host, sizeof all[rank].host);
            map_add(&hosts, slice_of(all[rank].host), (uint32_t)node);
        }
        places->node[rank] = (int)node;
        places->processors[rank] = all[rank].processors;
    }
    map_free(&hosts);
    free(all);
    r->comm.places = places;
}

void nodes_free(struct rank *r)
{
    free(r->places.node);
    free(r->places.names);
    free(r->places.processors);
}
