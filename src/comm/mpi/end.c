/*
 * end.c - how all ranks end together.
 *
 * Each rank reports to rank 0 once its messages have left, and keeps dropping what arrives. When
 * all living ranks have reported, rank 0 tells everyone so, and whether anybody died:
 *
 *   nobody   Everyone learns how many messages were sent to it and receives the last of them. Then
 *            nothing is on its way, and MPI can be finalised in order.
 *   someone  MPI cannot be finalised in order, because it would wait for the dead. Everyone stays a
 *            moment, so that the message of rank 0 gets through, and leaves.
 *
 * Guarantees: nobody waits for a rank that rank 0 has forgotten, and a rank that has forgotten rank
 * 0 leaves by itself. Any other rank that runs in comm_mpi_run() and does not answer for PATIENCE
 * seconds is forgotten here. A rank that calls comm_mpi_wait() may be away for long without being
 * dead, so it is waited for without a limit. A rank that dies after rank 0 has said that nobody did
 * can make the others hang in MPI_Finalize(); the launcher has to end them.
 */
#include "comm/mpi/rank.h"

static const double PATIENCE = 30, ASK_EVERY = 5; /* seconds */

/*
 * How long a rank stays once it may leave. After deaths it stays so that what rank 0 said gets
 * through. Without deaths it stays because MPICH 4.0 hangs in MPI_Finalize() if a connection
 * between nodes was started but not completed: the other side is already in a barrier and does not
 * answer.
 */
static const double LEAVING = 0.5, SETTLING = 0.3;

void end_message(struct rank *r, int from, int tag, const unsigned char *bytes)
{
    r->heard[from] = clock_now();
    if (tag == TAG_PING && !r->told) {
        exchange_send(r, from, TAG_PONG, NULL, 0);
    } else if (tag == TAG_REPORT) {
        r->reported[from] = true;
        r->deaths |= bytes[0] != 0;
    } else if (tag == TAG_END) {
        r->told = true;
        r->deaths |= bytes[0] != 0;
    }
}

/* ---- who is silent ---- */

static bool *awaited(const struct rank *r)
{
    bool *ranks = memory_new((size_t)r->comm.size, sizeof *ranks);
    for (int rank = 0; rank < r->comm.size; rank++)
        ranks[rank] = r->comm.rank == 0 ? !r->reported[rank] : rank == 0;
    exchange_mark_receivers(r, ranks);
    ranks[r->comm.rank] = false;
    return ranks;
}

static void ask_the_silent(struct rank *r, double began)
{
    double now = clock_now();
    bool *ranks = awaited(r);
    for (int rank = 0; rank < r->comm.size; rank++) {
        if (!ranks[rank] || r->forgotten[rank])
            continue;
        double heard = r->heard[rank] > began ? r->heard[rank] : began;
        if (!r->running || now - heard < PATIENCE) {
            exchange_send(r, rank, TAG_PING, NULL, 0);
            continue;
        }
        rank_forget(r, rank);
    }
    free(ranks);
}

/* ---- all together ---- */

static bool all_reported(const struct rank *r)
{
    for (int rank = 0; rank < r->comm.size; rank++)
        if (!r->reported[rank] && !r->forgotten[rank])
            return false;
    return true;
}

/* Tells forgotten ranks, too: one of them may be alive after all. */
static void tell_everyone(struct rank *r)
{
    unsigned char deaths = r->deaths;
    for (int rank = 1; rank < r->comm.size; rank++)
        exchange_send(r, rank, TAG_END, &deaths, 1);
    r->told = true;
}

/* Receives everything that was sent to this rank. Collective, so nobody may be dead. */
static void take_the_last(struct rank *r)
{
    uint64_t coming = 0;
    MPI_Request request;
    int done = 0;
    MPI_Ireduce_scatter_block(r->sent, &coming, 1, MPI_UINT64_T, MPI_SUM, r->groups, &request);
    while (!done) {
        rank_turn(r);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    while (r->received < coming || r->incoming || r->send_count > 0)
        rank_turn(r);
}

static void stay(struct rank *r, double seconds)
{
    for (double told = clock_now(); clock_now() - told < seconds;)
        rank_turn(r);
}

/* Reports even to a forgotten rank 0: it may be alive and wait, and nobody else would tell it. */
static void report(struct rank *r)
{
    unsigned char deaths = r->deaths;
    r->reported[r->comm.rank] = true;
    if (r->comm.rank != 0)
        exchange_send(r, 0, TAG_REPORT, &deaths, 1);
}

void end_together(struct rank *r)
{
    double began = clock_now(), asked = began;
    const bool *own_report = &r->reported[r->comm.rank];
    r->closing = true;
    while (!r->told) {
        rank_turn(r);
        if (!*own_report && r->send_count == 0)
            report(r);
        r->told |= *own_report && r->forgotten[0];
        if (r->comm.rank == 0 && all_reported(r))
            tell_everyone(r);
        double now = clock_now();
        if (now - asked > 2 * ASK_EVERY)
            began = now; /* this rank was itself stopped for a while, and has heard from nobody */
        if (now - asked > ASK_EVERY) {
            asked = now;
            ask_the_silent(r, began);
        }
    }
    if (!r->deaths)
        take_the_last(r);
    if (r->deaths || r->places.count > 1)
        stay(r, r->deaths ? LEAVING : SETTLING);
}
