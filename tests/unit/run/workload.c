/* workload.c - idle workers, how long workers have worked, and the order of repeated trials. */
#include "run/workload.h"
#include "run/retry.h"
#include "tap.h"

static void test_workload(void)
{
    struct workload workload;
    struct live_trial first = {.id = 1, .ranks = 1}, second = {.id = 2, .ranks = 2};
    workload_init(&workload, 3, NULL, 0);
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

static void test_resting(void)
{
    struct workload workload;
    struct standing_pace pace = {0};
    struct live_trial trial = {.id = 1, .ranks = 1};
    workload_init(&workload, 6, NULL, 3); /* two on each of three nodes, but one is enough */
    ok(workload_idle(&workload) == 3, "workers that rest do not count, not even as idle");
    workload_move(&workload, &trial, 5, 10);
    ok(workload_idle(&workload) == 2, "one of the others has a trial");
    workload_pace(&workload, 11, 1, &pace);
    ok(pace.workers == 2 && pace.running == 1, "the time left does not count on them");
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
    test_resting();
    test_retry();
    return tap_end();
}
