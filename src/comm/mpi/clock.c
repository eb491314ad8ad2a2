/*
 * clock.c - one clock for all ranks: that of rank 0.
 *
 * The ranks of a node share a clock, but the clocks of different nodes started at different
 * moments. So the first rank of each node asks rank 0 for the time several times, and uses the
 * fastest answer: its error is at most half of the round trip. It then tells the other ranks of its
 * node.
 */
#include "comm/mpi/rank.h"

enum { QUESTIONS = 8, TAG_TIME = 1 };

static void answer_questions(struct rank *r, int asker)
{
    for (int i = 0; i < QUESTIONS; i++) {
        MPI_Recv(NULL, 0, MPI_BYTE, asker, TAG_TIME, r->groups, MPI_STATUS_IGNORE);
        double now = clock_now();
        MPI_Send(&now, 1, MPI_DOUBLE, asker, TAG_TIME, r->groups);
    }
}

static double ask_rank_0(struct rank *r)
{
    double shortest = 1e9, ahead = 0;
    for (int i = 0; i < QUESTIONS; i++) {
        double asked = clock_now(), theirs;
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_TIME, r->groups);
        MPI_Recv(&theirs, 1, MPI_DOUBLE, 0, TAG_TIME, r->groups, MPI_STATUS_IGNORE);
        double answered = clock_now();
        if (answered - asked < shortest) {
            shortest = answered - asked;
            ahead = theirs - (asked + answered) / 2;
        }
    }
    return ahead;
}

void clock_find(struct rank *r)
{
    const int *node = r->places.node;
    int first = 0, here = r->comm.rank;
    while (node[first] != node[here])
        first++;
    if (here == 0) /* nodes are numbered by their first ranks */
        for (int rank = 1, seen = 0; rank < r->comm.size; rank++)
            if (node[rank] > seen) {
                answer_questions(r, rank);
                seen = node[rank];
            }
    if (first == 0)
        return; /* its clock is ours */
    if (here != first) {
        MPI_Recv(&r->ahead, 1, MPI_DOUBLE, first, TAG_TIME, r->groups, MPI_STATUS_IGNORE);
        return;
    }
    r->ahead = ask_rank_0(r);
    for (int rank = first + 1; rank < r->comm.size; rank++)
        if (node[rank] == node[here])
            MPI_Send(&r->ahead, 1, MPI_DOUBLE, rank, TAG_TIME, r->groups);
}
