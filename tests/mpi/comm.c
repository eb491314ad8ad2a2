/* comm.c - ranks as MPI processes: order, large messages, timers, descriptors, groups, nodes. */
#include "comm/comm.h"
#include "tap.h"

#include <dlfcn.h>
#include <unistd.h>

enum { MOST_RANKS = 64, MESSAGES = 2000, BIG = 8 << 20 };
enum { TYPE_CHAT = 1, TYPE_BIG, TYPE_LATE, TYPE_LAST };

struct tester {
    struct comm *comm;
    int next[MOST_RANKS], finished;
    bool in_order, chatted;
    bool got_big, whole;
    char fired[16];
    size_t fired_count;
    uint64_t cancelled;
    int pipe[2], reads;
    bool timed;
    bool stopped;
    int late; /* number of messages after that */
};

/* ---- every rank sends numbered messages of many lengths to every rank, including itself ---- */

/* Most are small, some are large: the order is easily lost between the two kinds. */
static size_t chat_length(int number)
{
    return number % 100 == 0 ? 100000 : number % 10 == 0 ? 3000 : sizeof number;
}

static void chat(struct tester *t)
{
    unsigned char *bytes = memory_new(100000, 1);
    for (int i = 0; i < MESSAGES; i++) {
        memcpy(bytes, &i, sizeof i);
        for (int to = 0; to < comm_size(t->comm); to++)
            comm_send(t->comm, to, TYPE_CHAT, bytes, chat_length(i));
    }
    free(bytes);
}

static void got_chat(struct tester *t, const struct comm_message *m)
{
    int number;
    memcpy(&number, m->bytes, sizeof number);
    t->in_order &= number == t->next[m->from] && m->length == chat_length(number);
    if (++t->next[m->from] == MESSAGES && ++t->finished == comm_size(t->comm))
        t->chatted = true;
}

/* ---- large messages both ways at once ---- */

static void send_big(struct tester *t)
{
    unsigned char *bytes = memory_new(BIG, 1);
    memset(bytes, 'q', BIG);
    comm_send(t->comm, comm_rank(t->comm) ^ 1, TYPE_BIG, bytes, BIG);
    free(bytes);
}

static void got_big(struct tester *t, const struct comm_message *m)
{
    t->whole = m->length == BIG && m->from == (comm_rank(t->comm) ^ 1);
    t->whole &= m->bytes[0] == 'q' && memcmp(m->bytes, m->bytes + 1, m->length - 1) == 0;
    t->got_big = true;
}

/* ---- timers and descriptors ---- */

static void fire(struct tester *t, char letter)
{
    t->fired[t->fired_count++] = letter;
}

static void fire_a(void *self)
{
    fire(self, 'a');
}

static void fire_b(void *self)
{
    struct tester *t = self;
    fire(t, 'b');
    comm_cancel(t->comm, t->cancelled);
    (void)!write(t->pipe[1], "xy", 2);
}

static void fire_never(void *self)
{
    fire(self, '!');
}

static void fire_last(void *self)
{
    struct tester *t = self;
    fire(t, 'z');
    t->timed = true;
}

static void readable(void *self)
{
    struct tester *t = self;
    char byte;
    (void)!read(t->pipe[0], &byte, 1);
    fire(t, byte);
    if (++t->reads == 2) {
        comm_unwatch(t->comm, t->pipe[0]);
        comm_after(t->comm, 0, fire_last, t);
    }
}

static void set_timers(struct tester *t)
{
    (void)!pipe(t->pipe);
    comm_watch(t->comm, t->pipe[0], readable, t);
    t->cancelled = comm_after(t->comm, 3600, fire_never, t);
    comm_after(t->comm, 0, fire_a, t);
    comm_after(t->comm, 0.01, fire_b, t);
}

/* ---- groups: this program does not link MPI, so it asks the loaded one ---- */

static int number_of(struct tester *t, const char *function, void *communicator)
{
    int number = -1;
    void *found = dlsym(RTLD_DEFAULT, function);
    if (strstr(comm_mpi_version(t->comm), "Open MPI")) {
        int (*ask)(void *, int *);
        *(void **)&ask = found;
        ask(*(void **)communicator, &number);
    } else {
        int (*ask)(int, int *);
        *(void **)&ask = found;
        ask(*(int *)communicator, &number);
    }
    return number;
}

static void group(struct tester *t)
{
    static const int ranks[] = {3, 1};
    struct err e = {0};
    void *communicator = NULL; /* as large as any MPI_Comm */
    int rank = comm_rank(t->comm);
    if (rank != 1 && rank != 3)
        return;
    ok(comm_mpi_group(t->comm, ranks, 2, 5, &communicator, &e) == 0, "rank %d in a group", rank);
    ok(number_of(t, "MPI_Comm_rank", &communicator) == (rank == 1), "in the order that is told");
    ok(number_of(t, "MPI_Comm_size", &communicator) == 2, "of two");
    comm_mpi_ungroup(t->comm, &communicator);
}

/* ---- a rank that stops while others still send to it ---- */

static void late_start(void *self, struct comm *comm)
{
    struct tester *t = self;
    if (comm_rank(comm) == 1) {
        t->stopped = true;
        comm_stop(comm);
        return;
    }
    unsigned char *bytes = memory_new(100000, 1);
    for (int i = 0; i < 1000; i++)
        comm_send(comm, 1, TYPE_LATE, bytes, i % 100 == 0 ? 100000 : 100);
    free(bytes);
    comm_send(comm, comm_rank(comm), TYPE_LAST, NULL, 0);
}

static void tester_message(void *self, const struct comm_message *m)
{
    struct tester *t = self;
    if (m->type == TYPE_CHAT)
        got_chat(t, m);
    else if (m->type == TYPE_BIG)
        got_big(t, m);
    else if (m->type == TYPE_LATE)
        t->late += t->stopped;
    else
        comm_stop(t->comm);
}

/* ---- all of it ---- */

static void tester_start(void *self, struct comm *comm)
{
    struct tester *t = self;
    t->comm = comm;
    t->in_order = true;
}

static void a_missing_plugin_is_explained(void)
{
    struct err e = {0};
    struct comm *comm;
    setenv("WICK_MPI", "nothing", 1);
    ok(comm_mpi_open(&comm, &e) == ERR_USER && strstr(e.message, "wick-nothing.so") &&
           strstr(e.message, "WICK_MPI"),
       "a plug-in that is not there is named, and what to do");
    setenv("WICK_MPI", "/dev/null/nothing", 1);
    ok(comm_mpi_open(&comm, &e) == ERR_USER && strstr(e.message, "/dev/null/nothing"),
       "so is a file");
    unsetenv("WICK_MPI");
}

/* Works on any number of nodes, so that this program can be tried on a cluster. */
static void nodes(struct comm *comm)
{
    char host[64] = "";
    int here = comm_node(comm, comm_rank(comm)), highest = 0;
    bool numbered = true;
    gethostname(host, sizeof host - 1);
    for (int rank = 0; rank < comm_size(comm); rank++) {
        int node = comm_node(comm, rank);
        numbered &= node >= 0 && node <= highest; /* a new node has the next number */
        highest += node == highest;
    }
    ok(numbered && highest == comm_nodes(comm), "nodes are numbered by their first rank");
    is_text(comm_node_name(comm, here), host, "this rank's node has the name of this host");
    ok(comm_processors(comm, 0) != 0, "a rank's processors have a fingerprint");
}

int main(void)
{
    struct tester t = {0};
    struct comm_actor actor = {&t, tester_start, tester_message};
    struct comm_launch launch = comm_launched();
    struct err e = {0};
    a_missing_plugin_is_explained();
    if (!ok(comm_mpi_open(&t.comm, &e) == 0, "MPI opens")) {
        printf("# %s\n", e.message);
        return tap_end();
    }
    ok(launch.start == COMM_MPI && launch.rank == comm_rank(t.comm) &&
           launch.size == comm_size(t.comm),
       "the environment told this rank before");
    ok(strstr(comm_mpi_version(t.comm), strcmp(launch.mpi, "mpich") ? "Open MPI v" : "MPICH"),
       "it is %s", comm_mpi_version(t.comm));
    comm_mpi_begin(t.comm, &actor);
    chat(&t);
    comm_mpi_wait(t.comm, &t.chatted);
    ok(t.in_order, "rank %d got every message of every rank, in order", comm_rank(t.comm));
    send_big(&t);
    comm_mpi_wait(t.comm, &t.got_big);
    ok(t.whole, "8 MiB arrive whole, both ways at once");
    set_timers(&t);
    comm_mpi_wait(t.comm, &t.timed);
    is_text(t.fired, "abxyz",
            "timers by their time, a cancelled one never, a descriptor each read");
    nodes(t.comm);
    group(&t);
    comm_mpi_run(t.comm, &(struct comm_actor){&t, late_start, tester_message});
    ok(t.late == 0, "a rank that has stopped gets nothing");
    comm_mpi_close(t.comm);
    close(t.pipe[0]);
    close(t.pipe[1]);
    return tap_end();
}
