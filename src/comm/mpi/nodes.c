/* nodes.c - which rank is on which node, and on which of its processors. */
#include "comm/mpi/rank.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <unistd.h>

struct place {
    char host[64];
    uint64_t processors;
    uint32_t addresses[COMM_ADDRESSES];
};

/* FNV-1a; http://www.isthe.com/chongo/tech/comp/fnv */
static uint64_t hash(uint64_t state, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        state = (state ^ byte[i]) * UINT64_C(0x100000001b3);
    return state;
}

static void find_addresses(uint32_t addresses[static COMM_ADDRESSES])
{
    struct ifaddrs *all = NULL;
    size_t count = 0;
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *one = all; one && count < COMM_ADDRESSES; one = one->ifa_next) {
        struct sockaddr_in address;
        if (!(one->ifa_flags & IFF_UP) || (one->ifa_flags & IFF_LOOPBACK) || !one->ifa_addr ||
            one->ifa_addr->sa_family != AF_INET)
            continue;
        memcpy(&address, one->ifa_addr, sizeof address);
        addresses[count++] = address.sin_addr.s_addr;
    }
    freeifaddrs(all);
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
    find_addresses(here.addresses);
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
    places->addresses = memory_new(size, sizeof *places->addresses);
    struct map hosts = {0};
    for (size_t rank = 0; rank < size; rank++) {
        int64_t node = map_find(&hosts, slice_of(all[rank].host));
        if (node == MAP_NONE) {
            node = places->count++;
            memcpy(places->names[node], all[rank].host, sizeof all[rank].host);
            memcpy(places->addresses[node], all[rank].addresses, sizeof all[rank].addresses);
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
    free(r->places.addresses);
}
