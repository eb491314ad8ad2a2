/* workload.c - idle workers, how long workers have worked, and the order of repeated trials. */
#include "run/workload.h"
#include "run/retry.h"
#include "tap.h"

static void test_workload(void)
{
    struct workload workload;
    struct live_trial first = {.id = 1, .ranks = 1}, second = {.id = 2, .ranks = 2};
    workload_init(&workload, 3);
    ok(workload_idle(&workload) == 3 && workload_seconds(&workload, 9) == 0,
       "at first all are idle");
    workload_move(&workload, &first, 1, 10);
    workload_move(&workload, &second, 2, 11);
    ok(workload_idle(&workload) == 1 && first.worker == 1, "those that have a trial are not");
    ok(workload_seconds(&workload, 13) == 3 + 2 * 2, "a team counts with all its workers");
    workload_move(&workload, &first, 3, 14);
    ok(workload_idle(&workload) == 1 && workload_seconds(&workload, 15) == 1 + 2 * 4,
       "a trial that moves occupies the other worker from then on");
    workload_move(&workload, &first, 0, 16);
    workload.busy += 6;
    ok(workload_idle(&workload) == 2 && first.worker == 0, "when it ends its worker is idle");
    ok(workload_seconds(&workload, 16) == 6 + 2 * 5, "and its seconds are those that were added");
    workload_free(&workload);
}

static void test_retry(void)
{
    struct retry retry = {0};
    ok(retry_first(&retry) == 0, "nothing is to run again");
    for (uint64_t round = 0; round < 3; round++) {
        retry_add(&retry, 10 + round);
        retry_add(&retry, 20 + round);
        ok(retry_first(&retry) == 10 + round && retry_first(&retry) == 10 + round,
           "the first stays");
        retry_drop(&retry);
        ok(retry_first(&retry) == 20 + round, "until it is dropped");
        retry_drop(&retry);
        ok(retry_first(&retry) == 0, "then none is left");
    }
    ok(retry.capacity <= 16, "memory is used again");
    retry_free(&retry);
}

int main(void)
{
    test_workload();
    test_retry();
    return tap_end();
}
