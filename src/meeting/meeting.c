/* meeting.c - where the ranks of a trial meet. */
#include "meeting/meeting.h"
#include "meeting/port.h"
#include "meeting/rendezvous.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <unistd.h>

static const double CALL_SECONDS = 30; /* that a rank may take for a call to the store */

struct meeting {
    int port_lock, store_lock;     /* -1: none */
    int *nodes;                    /* by rank */
    struct rendezvous *rendezvous; /* NULL: none */
};

bool meeting_only_interface(struct meeting_interface *interface)
{
    struct ifaddrs *all = NULL;
    unsigned found = 0;
    if (getifaddrs(&all) != 0)
        return false;
    for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
        bool up = (one->ifa_flags & IFF_UP) && !(one->ifa_flags & IFF_LOOPBACK);
        if (!up || !one->ifa_addr || one->ifa_addr->sa_family != AF_INET)
            continue;
        snprintf(interface->name, sizeof interface->name, "%s", one->ifa_name);
        if (getnameinfo(one->ifa_addr, sizeof(struct sockaddr_in), interface->address,
                        sizeof interface->address, NULL, 0, NI_NUMERICHOST) == 0)
            found++;
    }
    freeifaddrs(all);
    return found == 1;
}

/*
 * On one node loopback always works; else others know this node by its address or its name. Returns
 * the address at which the store listens.
 */
static uint32_t choose_address(const char *node, bool is_one_node, char *address)
{
    struct meeting_interface interface;
    struct in_addr only;
    const char *chosen = node;
    if (is_one_node)
        chosen = "127.0.0.1";
    else if (meeting_only_interface(&interface))
        chosen = interface.address;
    snprintf(address, MEETING_ADDRESS, "%s", chosen);
    return inet_pton(AF_INET, chosen, &only) == 1 ? only.s_addr : htonl(INADDR_ANY);
}

static void open_store(struct meeting *m, struct rendezvous_setup *setup,
                       struct meeting_place *place)
{
    m->store_lock = port_reserve(&setup->port);
    if (m->store_lock >= 0)
        m->rendezvous = rendezvous_open(setup);
    if (m->rendezvous)
        place->store = setup->port;
}

struct meeting *meeting_open(struct comm *comm, const int *nodes, unsigned ranks, bool with_store,
                             struct meeting_place *place)
{
    struct meeting *m = memory_new(1, sizeof *m);
    bool is_one_node = true;
    *place = (struct meeting_place){0};
    m->nodes = memory_new(ranks, sizeof *m->nodes);
    memcpy(m->nodes, nodes, ranks * sizeof *nodes);
    for (unsigned i = 1; i < ranks; i++)
        is_one_node = is_one_node && nodes[i] == nodes[0];
    uint32_t address = choose_address(comm_node_name(comm, nodes[0]), is_one_node, place->address);
    m->store_lock = -1;
    m->port_lock = port_reserve(&place->port);
    if (with_store)
        open_store(m,
                   &(struct rendezvous_setup){.comm = comm,
                                              .seconds = CALL_SECONDS,
                                              .address = address,
                                              .ranks = ranks,
                                              .nodes = m->nodes},
                   place);
    return m;
}

static void meeting_free(struct meeting *m)
{
    if (m->port_lock >= 0)
        close(m->port_lock);
    if (m->store_lock >= 0)
        close(m->store_lock);
    free(m->nodes);
    free(m);
}

void meeting_close(struct meeting *m)
{
    if (!m)
        return;
    if (m->rendezvous)
        rendezvous_close(m->rendezvous);
    meeting_free(m);
}

void meeting_drop(struct meeting *m)
{
    if (!m)
        return;
    if (m->rendezvous)
        rendezvous_drop(m->rendezvous);
    meeting_free(m);
}
