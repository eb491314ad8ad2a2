/* meeting.c - where the ranks of a trial meet. */
#include "meeting/meeting.h"
#include "meeting/port.h"
#include "meeting/rendezvous.h"

#include <ifaddrs.h>
#include <netdb.h>
#include <unistd.h>

struct meeting {
    int port_lock, store_lock;     /* -1: none */
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

/* On one node loopback always works; else others know this node by its address or its name. */
static void choose_address(const char *node, bool is_one_node, char *address)
{
    struct meeting_interface interface;
    const char *chosen = node;
    if (is_one_node)
        chosen = "127.0.0.1";
    else if (meeting_only_interface(&interface))
        chosen = interface.address;
    snprintf(address, MEETING_ADDRESS, "%s", chosen);
}

struct meeting *meeting_open(struct comm *comm, const char *node, bool is_one_node, bool with_store,
                             struct meeting_place *place)
{
    struct meeting *m = memory_new(1, sizeof *m);
    *place = (struct meeting_place){0};
    choose_address(node, is_one_node, place->address);
    m->port_lock = port_reserve(&place->port);
    m->store_lock = with_store ? port_reserve(&place->store) : -1;
    if (m->store_lock >= 0)
        m->rendezvous = rendezvous_open(comm, place->store, is_one_node);
    return m;
}

static void meeting_free(struct meeting *m)
{
    if (m->port_lock >= 0)
        close(m->port_lock);
    if (m->store_lock >= 0)
        close(m->store_lock);
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
