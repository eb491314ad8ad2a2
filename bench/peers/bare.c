/*
 * bare - the peer of tasks.c: requests and replies of 64 bytes with nothing but MPI, as many as the
 * ranks can do. Rank 0 answers the others. It prints how many requests it answers per second.
 *
 *   bench-bare-MPI COUNT
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 64, TAG_WORK, TAG_END };

static void serve(long count, int workers)
{
    unsigned char bytes[BYTES];
    MPI_Status status;
    double since = 0;
    long warm = count / 10;
    for (long i = 0; i < count + workers; i++) {
        if (i == warm)
            since = MPI_Wtime();
        if (i == count)
            printf("%.0f\n", (double)(count - warm) / (MPI_Wtime() - since));
        MPI_Recv(bytes, BYTES, MPI_BYTE, MPI_ANY_SOURCE, TAG_WORK, MPI_COMM_WORLD, &status);
        MPI_Send(bytes, BYTES, MPI_BYTE, status.MPI_SOURCE, i < count ? TAG_WORK : TAG_END,
                 MPI_COMM_WORLD);
    }
}

static void work(void)
{
    unsigned char bytes[BYTES] = {0};
    MPI_Status status;
    do {
        MPI_Send(bytes, BYTES, MPI_BYTE, 0, TAG_WORK, MPI_COMM_WORLD);
        MPI_Recv(bytes, BYTES, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    } while (status.MPI_TAG == TAG_WORK);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        serve(argc > 1 ? strtol(argv[1], NULL, 10) : 100000, size - 1);
    else
        work();
    MPI_Finalize();
    return 0;
}
