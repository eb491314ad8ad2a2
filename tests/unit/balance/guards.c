/*
 * guards.c - what the guards of the balancer prevent.
 *
 * The build makes this program once more for each guard, without that guard, and expects it to
 * fail: this shows that the tests detect the races that the guards prevent.
 */
#include "balance/programs.h"
#include "balance/troupe.h"
#include "tap.h"

static struct troupe troupe;

/* Messages in transit between servers are counted: otherwise workers are sent home too early. */
static void the_end_waits_for_tasks_on_their_way(void)
{
    const unsigned seeds = (unsigned)tap_seeds(2500);
    unsigned wrong = 0;
    for (uint64_t seed = 1; seed <= seeds && !wrong; seed++) {
        struct script script = {.seed = seed,
                                .ranks = 9,
                                .servers = 3,
                                .latency = 0.5,
                                .tasks = 12,
                                .seconds = 0.1,
                                .children = true};
        troupe_play(&troupe, &script);
        wrong += troupe.wrong[0] != 0;
        if (troupe.wrong[0])
            printf("# seed %llu: %s\n", (unsigned long long)seed, troupe.wrong);
    }
    ok(wrong == 0, "nobody is sent home while a task is on its way");
}

/* A request for tasks is kept while there are none: otherwise later work stays on one server. */
static void tasks_reach_workers_of_other_servers(void)
{
    struct script script = {.seed = 1,
                            .ranks = 20,
                            .servers = 4,
                            .latency = 1e-3,
                            .tasks = 160,
                            .seconds = 2,
                            .begin_at = 10};
    troupe_play(&troupe, &script);
    double work = 0;
    for (unsigned id = 1; id <= script.tasks; id++)
        work += troupe.acts[id].payload.seconds;
    double took = troupe.seconds - script.begin_at;
    ok(!troupe.wrong[0] && took < 1.5 * work / 16,
       "sixteen workers share what comes to one of four servers: %.1f s for %.1f s of work", took,
       work);
}

/* Idle workers are held for a task that needs many: otherwise it waits for all other work. */
static void a_large_task_is_not_starved(void)
{
    struct script script = {.seed = 1,
                            .ranks = 10,
                            .servers = 2,
                            .latency = 1e-3,
                            .tasks = 300,
                            .seconds = 1,
                            .last_needs = 8};
    troupe_play(&troupe, &script);
    ok(!troupe.wrong[0] && troupe.acts[script.tasks].begun == 8 &&
           troupe.acts[script.tasks].begun_at < troupe.seconds / 4,
       "a task for eight workers begins at %.1f of %.1f s, while small ones wait",
       troupe.acts[script.tasks].begun_at, troupe.seconds);
}

/* A rank that was suspended does not mistake the silence for death. */
static void nobody_is_given_up_after_a_pause(void)
{
    struct script script = {.seed = 1,
                            .ranks = 6,
                            .servers = 2,
                            .latency = 1e-3,
                            .tasks = 40,
                            .seconds = 10,
                            .lost_after = 5};
    for (int rank = 0; rank < script.ranks; rank++)
        script.fates[script.fate_count++] = (struct comm_fate){rank, 7, 107 + 0.01 * (double)rank};
    troupe_play(&troupe, &script);
    ok(!troupe.wrong[0] && troupe.workers_lost == 0, "nobody is lost: %u are", troupe.workers_lost);
}

/* A reference leaves a server only after it was counted: otherwise it may be given up before. */
static void no_reference_is_given_up_before_it_is_counted(void)
{
    static struct program program;
    const unsigned seeds = (unsigned)tap_seeds(10000);
    for (uint64_t seed = 1; seed <= seeds && !program.wrong[0]; seed++) {
        struct plan plan = {.seed = seed,
                            .ranks = 8,
                            .servers = 4,
                            .latency = 1,
                            .roots = 3,
                            .tasks = 60,
                            .hasty = true};
        play(&program, &plan);
        if (program.wrong[0])
            printf("# seed %llu: %s\n", (unsigned long long)seed, program.wrong);
    }
    ok(!program.wrong[0], "no datum is freed or closed while somebody has a right to it");
}

int main(void)
{
    the_end_waits_for_tasks_on_their_way();
    tasks_reach_workers_of_other_servers();
    a_large_task_is_not_starved();
    nobody_is_given_up_after_a_pause();
    no_reference_is_given_up_before_it_is_counted();
    return tap_end();
}
