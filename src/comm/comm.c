/* comm.c - the door of the room: hands each call to the back end. */
#include "comm/backend.h"

int comm_rank(const struct comm *comm)
{
    return comm->rank;
}

int comm_size(const struct comm *comm)
{
    return comm->size;
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

void comm_watch(struct comm *comm, int fd, comm_handler *handler, void *argument)
{
    comm->backend->watch(comm, fd, handler, argument);
}

void comm_unwatch(struct comm *comm, int fd)
{
    comm->backend->unwatch(comm, fd);
}
