/* death.c - a rank is killed; the others forget it and end in order. */
#include "comm/comm.h"
#include "tap.h"

#include <signal.h>

enum { VICTIM = 2, TYPE_WORK = 1, TYPE_DYING, TYPE_HEARD, TYPE_DONE };

struct survivor {
    struct comm *comm;
    int done;  /* number of ranks that have forgotten the victim */
    int heard; /* on the victim: number of ranks that know that it dies */
};

static void die(void *self)
{
    (void)self;
    raise(SIGKILL);
}

static void survivor_start(void *self, struct comm *comm)
{
    struct survivor *s = self;
    s->comm = comm;
    if (comm_rank(comm) != VICTIM)
        return;
    for (int rank = 0; rank < comm_size(comm); rank++)
        if (rank != VICTIM)
            comm_send(comm, rank, TYPE_DYING, NULL, 0);
    comm_after(comm, 20, die, s); /* a rank that forgets it may also forget the answer */
}

/* A body of this length needs the receiver's help, so it may never be sent. */
static void send_work(struct survivor *s)
{
    size_t length = 4 << 20;
    unsigned char *bytes = memory_new(length, 1);
    comm_send(s->comm, VICTIM, TYPE_WORK, bytes, length);
    free(bytes);
}

static void survivor_message(void *self, const struct comm_message *m)
{
    struct survivor *s = self;
    if (comm_rank(s->comm) == VICTIM) {
        s->heard += m->type == TYPE_HEARD;
        if (s->heard == comm_size(s->comm) - 1)
            die(s);
    } else if (m->type == TYPE_DYING) {
        comm_send(s->comm, VICTIM, TYPE_HEARD, NULL, 0);
        send_work(s);
        comm_forget(s->comm, VICTIM);
        send_work(s);
        for (int rank = 0; rank < comm_size(s->comm); rank++)
            comm_send(s->comm, rank, TYPE_DONE, NULL, 0);
    } else if (++s->done == comm_size(s->comm) - 1) {
        comm_stop(s->comm);
    }
}

int main(void)
{
    struct survivor s = {0};
    struct comm *comm;
    struct err e = {0};
    if (!ok(comm_mpi_open(&comm, &e) == 0, "MPI opens")) {
        printf("# %s\n", e.message);
        return tap_end();
    }
    comm_mpi_run(comm, &(struct comm_actor){&s, survivor_start, survivor_message});
    ok(s.done == comm_size(comm) - 1, "rank %d heard from all that live", comm_rank(comm));
    comm_mpi_close(comm);
    ok(true, "and ended");
    return tap_end();
}
