/* measure.h - what several benchmarks use to measure. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdlib.h>
#include <time.h>

/* How much to do: the first number, or the second if BENCH_SMALL is set (see bench/run). */
static inline size_t bench_size(size_t full, size_t small)
{
    const char *wish = getenv("BENCH_SMALL");
    return wish && *wish ? small : full;
}

/* Processor time of this process: on a busy machine, the wall clock also measures others. */
static inline double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* For qsort(). */
static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
