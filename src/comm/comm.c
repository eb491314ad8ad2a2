/* comm.c - the door of the room: passes each call to the back end. */
#include "comm/backend.h"

#include <unistd.h>

int comm_rank(const struct comm *comm)
{
    return comm->rank;
}

int comm_size(const struct comm *comm)
{
    return comm->size;
}

int comm_nodes(const struct comm *comm)
{
    return comm->places->count;
}

int comm_node(const struct comm *comm, int rank)
{
    return comm->places->node[rank];
}

const char *comm_node_name(const struct comm *comm, int node)
{
    return comm->places->names[node];
}

bool comm_node_has_address(const struct comm *comm, int node, uint32_t address)
{
    const uint32_t *known = comm->places->addresses ? comm->places->addresses[node] : NULL;
    for (size_t i = 0; known && i < COMM_ADDRESSES && known[i]; i++)
        if (known[i] == address)
            return true;
    return false;
}

uint64_t comm_processors(const struct comm *comm, int rank)
{
    return comm->places->processors[rank];
}

double comm_now(const struct comm *comm)
{
    return comm->backend->now(comm);
}

void comm_send(struct comm *comm, int to, int type, const void *bytes, size_t length)
{
    if (to < 0 || to >= comm->size)
        BUG("rank %d sends to rank %d of %d", comm->rank, to, comm->size);
    comm->backend->send(comm, to, type, bytes, length);
}

void comm_forget(struct comm *comm, int rank)
{
    comm->backend->forget(comm, rank);
}

void comm_stop(struct comm *comm)
{
    comm->stopped = true;
}

uint64_t comm_after(struct comm *comm, double seconds, comm_handler *handler, void *argument)
{
    return comm->backend->after(comm, seconds > 0 ? seconds : 0, handler, argument);
}

void comm_cancel(struct comm *comm, uint64_t timer)
{
    comm->backend->cancel(comm, timer);
}

bool comm_watches(const struct comm *comm)
{
    return comm->backend->watch != NULL;
}

static void watch(struct comm *comm, int fd, enum comm_readiness readiness, comm_handler *handler,
                  void *argument)
{
    if (comm_watches(comm))
        comm->backend->watch(comm, fd, readiness, handler, argument);
}

void comm_watch(struct comm *comm, int fd, comm_handler *handler, void *argument)
{
    watch(comm, fd, COMM_READABLE, handler, argument);
}

void comm_watch_writable(struct comm *comm, int fd, comm_handler *handler, void *argument)
{
    watch(comm, fd, COMM_WRITABLE, handler, argument);
}

void comm_unwatch(struct comm *comm, int fd)
{
    if (comm_watches(comm))
        comm->backend->unwatch(comm, fd);
}

/* ---- places ---- */

static void places_make(struct comm_places *places, int size, int nodes)
{
    places->count = nodes;
    places->node = memory_new((size_t)size, sizeof *places->node);
    places->names = memory_new((size_t)nodes, sizeof *places->names);
    places->processors = memory_new((size_t)size, sizeof *places->processors);
}

void places_one(struct comm_places *places, int size)
{
    places_make(places, size, 1);
    if (gethostname(places->names[0], sizeof *places->names - 1) != 0)
        snprintf(places->names[0], sizeof *places->names, "localhost");
}

void places_simulated(struct comm_places *places, int size, int ranks_per_node)
{
    int each = ranks_per_node > 0 ? ranks_per_node : size;
    places_make(places, size, (size + each - 1) / each);
    for (int node = 0; node < places->count; node++)
        snprintf(places->names[node], sizeof *places->names, "n%d", node + 1);
    for (int rank = 0; rank < size; rank++) {
        places->node[rank] = rank / each;
        places->processors[rank] = (uint64_t)(rank / each);
    }
}

void places_free(struct comm_places *places)
{
    free(places->node);
    free(places->names);
    free(places->processors);
}
