/*
 * mpi.c - ranks as MPI processes: the loop, and the table of the plug-in.
 *
 * MPI has to be polled, and the cores belong to the trials. So a rank without events polls all the
 * time for a few microseconds, then yields between polls, and then sleeps between them: for a
 * twentieth of the time it has been idle, up to 0.75 ms. A message that comes soon is seen at once,
 * and a rank that has been idle for long uses about 2 % of a core. Descriptors and timers end the
 * sleep by themselves.
 */
#include "comm/mpi/plugin.h"
#include "comm/mpi/rank.h"

#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

enum { BUSY_ROUNDS = 16 }; /* rounds with messages after which descriptors are checked, too */

static const double SPIN = 5e-6, YIELD = 50e-6, SHORTEST = 20e-6, LONGEST = 750e-6; /* seconds */

static struct rank *rank_of(struct comm *comm)
{
    return (struct rank *)comm;
}

/* ---- the loop ---- */

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static void rest(struct rank *r, double now)
{
    double idle = now - r->idle_since;
    if (idle < SPIN)
        return;
    if (idle < YIELD) {
        sched_yield();
        return;
    }
    double seconds = clamp(idle / 20, SHORTEST, LONGEST), timer = loop_until_timer(&r->loop);
    if (timer < seconds && !r->closing)
        seconds = timer;
    struct timespec time = {0, (long)(seconds * 1e9)};
    struct pollfd descriptors = {.fd = r->loop.epoll, .events = POLLIN};
    int ready = ppoll(&descriptors, r->closing ? 0 : 1, &time, NULL);
    if (ready > 0 && loop_poll(&r->loop, 0))
        r->idle_since = clock_now();
}

void rank_turn(struct rank *r)
{
    bool busy = exchange_receive(r);
    busy |= r->send_count > 0 && exchange_progress(r);
    double now = clock_now(); /* read once: it costs as much as a look for messages */
    bool fired = !r->closing && loop_fire(&r->loop, now);
    if (!r->closing && loop_ended(&r->loop))
        return;
    if (!busy && !fired) {
        rest(r, now);
        return;
    }
    r->idle_since = fired ? clock_now() : now; /* a handler may have taken its time */
    if (!r->closing && ++r->busy_rounds % BUSY_ROUNDS == 0)
        loop_poll(&r->loop, 0);
}

/* ---- the back end ---- */

static double mpi_now(const struct comm *comm)
{
    return clock_now() + ((const struct rank *)comm)->ahead;
}

static void mpi_send(struct comm *comm, int to, int type, const void *bytes, size_t length)
{
    struct rank *r = rank_of(comm);
    if (type < 0 || type >= TAG_TYPES)
        BUG("a message of type %d", type);
    if (!r->forgotten[to])
        exchange_send(r, to, type, bytes, length);
}

static uint64_t mpi_after(struct comm *comm, double seconds, comm_handler *handler, void *argument)
{
    return loop_after(&rank_of(comm)->loop, seconds, handler, argument);
}

static void mpi_cancel(struct comm *comm, uint64_t timer)
{
    loop_cancel(&rank_of(comm)->loop, timer);
}

static void mpi_watch(struct comm *comm, int fd, enum comm_readiness readiness,
                      comm_handler *handler, void *argument)
{
    loop_watch(&rank_of(comm)->loop, fd, readiness, handler, argument);
}

static void mpi_unwatch(struct comm *comm, int fd)
{
    loop_unwatch(&rank_of(comm)->loop, fd);
}

void rank_forget(struct rank *r, int rank)
{
    r->forgotten[rank] = true;
    r->forgot = true;
    r->deaths = true;
}

static void mpi_forget(struct comm *comm, int rank)
{
    rank_forget(rank_of(comm), rank);
}

static const struct comm_backend mpi_backend = {
    mpi_now, mpi_send, mpi_after, mpi_cancel, mpi_watch, mpi_unwatch, mpi_forget,
};

/* ---- opening and closing ---- */

/* "Open MPI v4.1.4, package: ..." or "MPICH Version: 4.0.2" and more lines. */
static void find_version(struct rank *r)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    static const char mpich[] = "MPICH Version:"; /* followed by white space */
    size_t skip = strncmp(text, mpich, strlen(mpich)) == 0 ? strlen(mpich) : 0;
    const char *rest = text + skip + strspn(text + skip, " \t");
    snprintf(r->version, sizeof r->version, "%s%.*s", skip ? "MPICH " : "",
             (int)strcspn(rest, ",\n"), rest);
}

static void make_communicators(struct rank *r)
{
    MPI_Comm *communicators[] = {&r->small, &r->large, &r->groups};
    for (int i = 0; i < 3; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, communicators[i]);
        MPI_Comm_set_errhandler(*communicators[i], MPI_ERRORS_RETURN);
    }
    MPI_Comm_rank(r->small, &r->comm.rank);
    MPI_Comm_size(r->small, &r->comm.size);
}

static int mpi_open(struct comm **comm, struct err *e)
{
    struct rank *r = memory_new(1, sizeof *r);
    int initialised = 0, level = 0;
    MPI_Initialized(&initialised);
    *r = (struct rank){.own = !initialised};
    if (loop_create(&r->loop, &r->comm.stopped, e) != 0) {
        free(r);
        return e->code;
    }
    if (r->own && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
        loop_destroy(&r->loop);
        free(r);
        return err_set(e, ERR_SYSTEM, "cannot initialise MPI");
    }
    r->comm.backend = &mpi_backend;
    make_communicators(r);
    find_version(r);
    nodes_find(r);
    clock_find(r);
    r->heard = memory_new((size_t)r->comm.size, sizeof *r->heard);
    r->reported = memory_new((size_t)r->comm.size, sizeof *r->reported);
    exchange_create(r);
    *comm = &r->comm;
    return 0;
}

static const char *mpi_describe(const struct comm *comm)
{
    return ((const struct rank *)comm)->version;
}

static void mpi_begin(struct comm *comm, const struct comm_actor *actor)
{
    struct rank *r = rank_of(comm);
    r->actor = *actor;
    r->idle_since = clock_now();
    r->actor.start(r->actor.self, comm);
}

static void mpi_run(struct comm *comm, const struct comm_actor *actor)
{
    struct rank *r = rank_of(comm);
    r->running = true;
    mpi_begin(comm, actor);
    while (!loop_ended(&r->loop))
        rank_turn(r);
}

static void mpi_wait(struct comm *comm, const bool *done)
{
    struct rank *r = rank_of(comm);
    r->loop.done = done;
    r->idle_since = clock_now();
    while (!loop_ended(&r->loop))
        rank_turn(r);
    r->loop.done = NULL;
}

/*
 * Leaving after deaths. MPI_Finalize() would wait for the dead, but mpirun loses track of a process
 * that leaves without it: a daemon of Open MPI 4 that has seen a death on its node never reports
 * that the other processes there have ended, and mpirun waits for them forever. So each rank says
 * goodbye through the library by which Open MPI talks to its daemons, and the first living rank
 * ends the job when its process exits, with its exit code. Under srun, the goodbye is enough.
 */
static void *pmix_function(const char *name)
{
    void *library = dlopen("libpmix.so.2", RTLD_NOW | RTLD_NOLOAD);
    return library ? dlsym(library, name) : NULL;
}

static void end_job(int status, void *argument)
{
    (void)argument;
    int (*end)(int, const char *, const void *, size_t);
    *(void **)&end = pmix_function("PMIx_Abort");
    if (!end)
        return;
    fflush(NULL); /* exit() does it later, when mpirun may have killed the process already */
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL); /* other ranks may still be busy */
    end(status, "all ranks that live have ended", NULL, 0);
}

static void leave_the_dead(const struct rank *r)
{
    int first = 0, (*finalize)(const void *, size_t);
    while (r->forgotten[first])
        first++;
    *(void **)&finalize = pmix_function("PMIx_Finalize");
    if (first == r->comm.rank && getenv("OMPI_COMM_WORLD_SIZE"))
        on_exit(end_job, NULL);
    else if (finalize)
        finalize(NULL, 0);
}

static void mpi_end(struct comm *comm)
{
    struct rank *r = rank_of(comm);
    if (!r->closing)
        end_together(r);
}

static void mpi_close(struct comm *comm)
{
    struct rank *r = rank_of(comm);
    mpi_end(comm);
    if (r->deaths) {
        if (r->own)
            leave_the_dead(r);
        return;
    }
    exchange_destroy(r);
    MPI_Comm_free(&r->small);
    MPI_Comm_free(&r->large);
    MPI_Comm_free(&r->groups);
    if (r->own)
        MPI_Finalize();
    free(r->heard);
    free(r->reported);
    nodes_free(r);
    loop_destroy(&r->loop);
    free(r);
}

/* ---- groups ---- */

static int mpi_group(struct comm *comm, const int *ranks, int count, int tag, void *communicator,
                     struct err *e)
{
    struct rank *r = rank_of(comm);
    MPI_Group all, group;
    MPI_Comm_group(r->groups, &all);
    MPI_Group_incl(all, count, ranks, &group);
    int code = MPI_Comm_create_group(r->groups, group, tag, communicator);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    return code == MPI_SUCCESS
               ? 0
               : err_set(e, ERR_SYSTEM, "MPI cannot create a communicator of %d ranks (error %d)",
                         count, code);
}

static void mpi_ungroup(struct comm *comm, void *communicator)
{
    (void)comm;
    MPI_Comm_free(communicator);
}

extern const struct comm_plugin wick_comm_plugin;
__attribute__((visibility("default"))) const struct comm_plugin wick_comm_plugin = {
    COMM_PLUGIN_VERSION, mpi_open,    mpi_describe, mpi_begin, mpi_run, mpi_wait,
    mpi_group,           mpi_ungroup, mpi_end,      mpi_close,
};
