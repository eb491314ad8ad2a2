/*
 * mpi.c - the cost of waiting ranks, and how soon they wake. Started by mpi.sh under mpiexec, all
 * ranks on one machine. Rank 0 prints the share of a core that an idle rank uses, and the time from
 * a send to an idle rank until its handler runs.
 */
#include "bench/measure.h"
#include "comm/comm.h"

enum { TYPE_IDLE = 1, TYPE_SHARE, TYPE_PROBE, TYPE_DELAY, TYPE_STOP, MOST_PROBES = 300 };

static const double PAUSE = 0.03; /* seconds without any activity */
static double seconds = 5;        /* shorter if BENCH_SMALL is set */
static int probes = MOST_PROBES;

struct bench {
    struct comm *comm;
    double used;
    double *shares, delays[MOST_PROBES];
    int share_count, delay_count;
};

static void to_all(struct bench *b, int type)
{
    for (int rank = 0; rank < comm_size(b->comm); rank++)
        comm_send(b->comm, rank, type, NULL, 0);
}

static void begin(void *self)
{
    to_all(self, TYPE_IDLE);
}

static void report_share(void *self)
{
    struct bench *b = self;
    double share = (processor_seconds() - b->used) / seconds;
    comm_send(b->comm, 0, TYPE_SHARE, &share, sizeof share);
}

static void probe(void *self)
{
    struct bench *b = self;
    double now = clock_now(); /* one machine: the ranks share this clock */
    int to = 1 + b->delay_count % (comm_size(b->comm) - 1);
    comm_send(b->comm, to, TYPE_PROBE, &now, sizeof now);
}

static void print(struct bench *b)
{
    size_t ranks = (size_t)comm_size(b->comm);
    qsort(b->shares, ranks, sizeof *b->shares, by_size);
    qsort(b->delays, (size_t)probes, sizeof *b->delays, by_size);
    printf("%-22s %2zu ranks  idle: %.2f %% of a core (most %.2f %%)  from send to handler: median "
           "%.2f ms, 90 %% %.2f ms\n",
           comm_mpi_version(b->comm), ranks, 100 * b->shares[ranks / 2], 100 * b->shares[ranks - 1],
           1e3 * b->delays[probes / 2], 1e3 * b->delays[probes * 9 / 10]);
}

static void got_share(struct bench *b, double share)
{
    b->shares[b->share_count++] = share;
    if (b->share_count == comm_size(b->comm))
        comm_after(b->comm, PAUSE, probe, b);
}

static void got_delay(struct bench *b, double delay)
{
    b->delays[b->delay_count++] = delay;
    if (b->delay_count < probes) {
        comm_after(b->comm, PAUSE, probe, b);
        return;
    }
    print(b);
    to_all(b, TYPE_STOP);
}

static void bench_start(void *self, struct comm *comm)
{
    struct bench *b = self;
    b->comm = comm;
    if (comm_rank(comm) == 0)
        comm_after(comm, 0.5, begin, b);
}

static void bench_message(void *self, const struct comm_message *m)
{
    struct bench *b = self;
    double number = 0;
    if (m->length == sizeof number)
        memcpy(&number, m->bytes, sizeof number);
    if (m->type == TYPE_IDLE) {
        b->used = processor_seconds();
        comm_after(b->comm, seconds, report_share, b);
    } else if (m->type == TYPE_PROBE) {
        number = clock_now() - number;
        comm_send(b->comm, 0, TYPE_DELAY, &number, sizeof number);
    } else if (m->type == TYPE_SHARE) {
        got_share(b, number);
    } else if (m->type == TYPE_DELAY) {
        got_delay(b, number);
    } else {
        comm_stop(b->comm);
    }
}

int main(void)
{
    struct bench b = {0};
    struct comm *comm;
    struct err e = {0};
    seconds = bench_size(0, 1) ? 0.5 : seconds;
    probes = (int)bench_size(MOST_PROBES, 10);
    if (comm_mpi_open(&comm, &e) != 0) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    b.shares = memory_new((size_t)comm_size(comm), sizeof *b.shares);
    comm_mpi_run(comm, &(struct comm_actor){&b, bench_start, bench_message});
    comm_mpi_close(comm);
    free(b.shares);
    return 0;
}
