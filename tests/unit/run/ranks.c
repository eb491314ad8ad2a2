/*
 * ranks.c - trials of several ranks in simulated worlds: delays, deaths and stoppers.
 *
 * Functions stand in for programs: a user cannot give a function ranks, but the workers accept it.
 */
#include "folder.h"
#include "tap.h"
#include "worlds.h"

enum { TRIALS = 30, EPOCHS = 9 };

static char dir[96];

/* ranks 0: it is a parameter from 1 to 4. */
static void parse(struct study *study, unsigned ranks, const char *stop)
{
    char text[300];
    snprintf(text, sizeof text,
             "model: {function: curves}\n"
             "space: {learning_rate: {log: [1e-4, 1]}, decay: 0.01, units: 32, optimizer: sgd,\n"
             "        epochs: %d, size: {choice: [3, 1, 4, 2]}}\n"
             "search: {algorithm: random, trials: %d, stop: %s}\n",
             (int)EPOCHS, (int)TRIALS, stop);
    parse_text(study, text);
    study->model.ranks = ranks;
    if (ranks == 0)
        study->model.ranks_parameter = space_find(&study->space, "size");
}

static int simulate(const struct study *study, struct run_options options, struct comm_world *world,
                    struct run_progress *progress, struct err *e)
{
    options.trials = TRIALS;
    return simulate_in(dir, study, options, world, progress, e);
}

/* Counts trials that made all their steps or were stopped before; the latter in *stopped. */
static size_t count_whole(size_t *stopped)
{
    struct journal journal;
    struct err e = {0};
    size_t whole = 0;
    *stopped = 0;
    if (journal_load(&journal, dir, &e)) {
        printf("# %s\n", e.message);
        return 0;
    }
    for (size_t i = 0; i < journal.count; i++) {
        const struct journal_trial *trial = &journal.trials[i];
        bool done = trial->state == OUTCOME_DONE && trial->steps == EPOCHS;
        *stopped += trial->state == OUTCOME_STOPPED;
        whole += done || (trial->state == OUTCOME_STOPPED && trial->steps < EPOCHS + 2);
    }
    journal_free(&journal);
    return whole;
}

/* Messages of workers overtake those of servers: nobody waits forever, and each trial ends once. */
static void groups_end_in_every_world(const char *stop)
{
    const unsigned seeds = (unsigned)tap_seeds(100);
    size_t wrong = 0, stopped, all_stopped = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct study study;
        struct run_progress progress;
        struct err e;
        unsigned ranks = (unsigned)(seed % 5);
        struct comm_world world = {
            .seed = seed, .latency = seed % 3 ? 0.001 : 0.05, .ranks_per_node = 3};
        struct run_options options = {.workers = 4 + (unsigned)(seed % 5),
                                      .rules = {.servers = (int)(seed % 3 + 1)}};
        parse(&study, ranks, stop);
        int code = simulate(&study, options, &world, &progress, &e);
        bool right = code == 0 && count_whole(&stopped) == TRIALS && progress.ended == TRIALS &&
                     progress.busy <= 1;
        if (!right)
            printf("# seed %d: %s\n", (int)seed, code ? e.message : "trials are missing");
        wrong += !right;
        all_stopped += stopped;
        study_free(&study);
        folder_remove(dir);
    }
    ok(wrong == 0, "stop %s: groups of 1 to 4 ranks, or of both, end in %d worlds", stop,
       (int)seeds);
    ok((all_stopped > 0) == (strcmp(stop, "none") != 0), "stop %s: %d were stopped", stop,
       (int)all_stopped);
}

/* A worker dies or hangs: its trial runs again on other workers, after its whole team ended it. */
static void a_dead_member_costs_one_try(void)
{
    const unsigned seeds = (unsigned)tap_seeds(100);
    size_t wrong = 0, lost = 0, stopped;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct study study;
        struct run_progress progress;
        struct err e;
        struct random random;
        struct comm_fate fates[2];
        random_seed(&random, seed, 0);
        for (int i = 0; i < 2; i++) {
            double from = random_unit(&random) * 0.5;
            fates[i] = (struct comm_fate){7 - i, from, i ? from + 2 : INFINITY};
        }
        struct comm_world world = {
            .seed = seed, .latency = 0.001, .ranks_per_node = 4, .fates = fates, .fate_count = 2};
        struct run_options options = {.workers = 7, .rules = {.servers = 1, .lost_after = 0.5}};
        parse(&study, seed % 4 ? (unsigned)(seed % 4 + 1) : 0, seed % 2 ? "none" : "asha");
        int code = simulate(&study, options, &world, &progress, &e);
        bool right = code == 0 && count_whole(&stopped) == TRIALS && progress.ended == TRIALS;
        if (!right)
            printf("# seed %d: %s\n", (int)seed, code ? e.message : "trials are missing");
        wrong += !right;
        lost += progress.lost;
        study_free(&study);
        folder_remove(dir);
    }
    ok(wrong == 0 && lost > seeds / 2, "no trial is lost in %d worlds in which %d workers are",
       (int)seeds, (int)lost);
}

/* Too few workers are left for a trial: the study ends, says so, and can continue elsewhere. */
static void too_few_workers_are_told(void)
{
    struct study study;
    struct run_progress progress;
    struct err e;
    struct comm_fate fate = {2, 0.01, INFINITY};
    struct comm_world world = {.seed = 1, .latency = 0.001, .fates = &fate, .fate_count = 1};
    struct run_options options = {.workers = 3, .rules = {.servers = 1, .lost_after = 0.5}};
    parse(&study, 3, "none");
    ok(simulate(&study, options, &world, &progress, &e) == ERR_SYSTEM,
       "two workers for three ranks");
    ok(strstr(e.message, "needs 3 workers, but only 2 of 3 are left") != NULL, "%s", e.message);
    folder_remove(dir);
    options.workers = 2;
    world.fate_count = 0;
    ok(simulate(&study, options, &world, &progress, &e) == ERR_USER, "from the start");
    ok(strstr(e.message, "a trial of 3 ranks needs 3 workers, but only 2 are available") != NULL,
       "%s", e.message);
    study_free(&study);
    folder_remove(dir);
}

int main(void)
{
    if (!folder_open())
        return 1;
    snprintf(dir, sizeof dir, "%s/study", folder);
    groups_end_in_every_world("none");
    groups_end_in_every_world("asha");
    a_dead_member_costs_one_try();
    too_few_workers_are_told();
    folder_remove(folder);
    return tap_end();
}
