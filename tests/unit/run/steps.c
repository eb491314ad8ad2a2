/* steps.c - trials that report their steps: none is lost, and the stopper saves most steps. */
#include "folder.h"
#include "tap.h"
#include "worlds.h"

#include <unistd.h>

enum { TRIALS = 60, EPOCHS = 81 };

static char dir[96];

static void clear(void)
{
    folder_remove(dir);
}

static void parse_with(struct study *study, const char *stop, const char *more)
{
    char text[200];
    snprintf(text, sizeof text,
             "model: {function: curves}\n"
             "search: {algorithm: random, trials: %d, stop: %s}\n%s",
             (int)TRIALS, stop, more);
    parse_text(study, text);
}

static void parse(struct study *study, const char *stop)
{
    parse_with(study, stop, "");
}

static int simulate(const struct study *study, struct run_options options, struct comm_world *world,
                    struct run_progress *progress)
{
    struct err e;
    return simulate_in(dir, study, options, world, progress, &e);
}

/* What a journal says about the steps of a study. */
struct counts {
    uint64_t steps, stopped, done;
    uint64_t wrong; /* trials whose steps have a gap or do not match their end */
    double best;
};

static bool count(struct counts *counts)
{
    struct journal journal;
    struct err e = {0};
    *counts = (struct counts){0};
    if (journal_load(&journal, dir, &e)) {
        printf("# %s\n", e.message);
        return false;
    }
    for (size_t i = 0; i < journal.count; i++) {
        counts->steps += journal.trials[i].steps;
        counts->stopped += journal.trials[i].state == OUTCOME_STOPPED;
        counts->done += journal.trials[i].state == OUTCOME_DONE;
        counts->wrong += !is_whole(&journal, i, EPOCHS);
    }
    int64_t best = journal_best(&journal);
    counts->best = best >= 0 ? journal.trials[best].score : NAN;
    journal_free(&journal);
    return true;
}

/* Without a stopper, every step is reported, too. */
static double best_of_all(void)
{
    struct study study;
    struct run_progress progress;
    struct counts counts;
    struct comm_world world = {.seed = 1, .latency = 0.0001};
    parse(&study, "none");
    int code =
        simulate(&study, (struct run_options){.workers = 5, .trials = TRIALS}, &world, &progress);
    count(&counts);
    ok(code == 0 && counts.steps == TRIALS * EPOCHS && counts.wrong == 0 && counts.stopped == 0,
       "without a stopper all trials make all steps");
    study_free(&study);
    clear();
    return counts.best;
}

static void a_stopper_saves_steps(const char *stop, double least_saved, double best)
{
    const unsigned seeds = (unsigned)tap_seeds(40);
    struct study study;
    struct run_progress progress;
    struct counts counts;
    uint64_t wrong = 0, steps = 0, near = 0;
    parse(&study, stop);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct comm_world world = {.seed = seed, .latency = seed % 2 ? 0.0001 : 0.02};
        struct run_options options = {.workers = (unsigned)(seed % 9 + 1),
                                      .trials = TRIALS,
                                      .rules = {.servers = (int)(seed % 3 + 1)}};
        int code = simulate(&study, options, &world, &progress);
        bool right = code == 0 && count(&counts) && counts.wrong == 0 &&
                     counts.stopped + counts.done == TRIALS && progress.ended == TRIALS &&
                     progress.failed == 0 && progress.best_score == counts.best;
        wrong += !right;
        steps += counts.steps;
        near += counts.best < 1.2 * best;
        clear();
    }
    double saved = 1 - (double)steps / (seeds * TRIALS * EPOCHS);
    printf("# %s: %.0f %% of the steps saved, nearly as good in %d of %d worlds\n", stop,
           100 * saved, (int)near, (int)seeds);
    ok(wrong == 0, "%s: no step is lost in any of %d worlds, on 1 to 3 servers", stop, (int)seeds);
    ok(saved > least_saved, "%s: it saves %.0f %% of the steps or more", stop, 100 * least_saved);
    ok(near > seeds * 3 / 4, "%s: and finds nearly as good a trial in most worlds", stop);
    study_free(&study);
}

/* Workers die or hang: their trials run again from step 1, or are stopped if they were to be. */
static void workers_that_die_lose_no_step_of_others(void)
{
    const unsigned seeds = (unsigned)tap_seeds(100);
    struct study study;
    struct run_progress progress;
    struct counts counts;
    uint64_t wrong = 0, lost = 0;
    parse(&study, "{asha: {reduction: 2, from: 3}}");
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct comm_fate fates[2];
        struct random random;
        random_seed(&random, seed, 0);
        for (int i = 0; i < 2; i++) {
            double from = random_unit(&random);
            fates[i] = (struct comm_fate){7 - i, from, i ? from + 2 : INFINITY};
        }
        struct comm_world world = {.seed = seed, .latency = 0.001, .fates = fates, .fate_count = 2};
        struct run_options options = {
            .workers = 7, .trials = TRIALS, .rules = {.servers = 1, .lost_after = 0.5}};
        int code = simulate(&study, options, &world, &progress);
        bool right = code == 0 && count(&counts) && counts.wrong == 0 &&
                     counts.stopped + counts.done == TRIALS;
        wrong += !right;
        lost += progress.lost;
        clear();
    }
    ok(wrong == 0 && lost > seeds, "no step is lost in %d worlds in which %d workers are",
       (int)seeds, (int)lost);
    study_free(&study);
}

/* How each trial of a study ended; the number of steps it still made depends on timing. */
static struct str ends(void)
{
    struct journal journal;
    struct err e = {0};
    struct str text = {0};
    if (journal_load(&journal, dir, &e))
        return text;
    for (size_t i = 0; i < journal.count; i++) {
        struct outcome result = {0};
        (void)!journal_result(&journal, i, &result, &e);
        str_printf(&text, "%s, ", result.state == OUTCOME_DONE ? "done" : result.reason);
        outcome_free(&result);
    }
    journal_free(&journal);
    return text;
}

static void a_resumed_stopper_decides_as_before(const char *stop)
{
    struct study study;
    struct run_progress progress;
    struct comm_world world = {.seed = 1};
    parse(&study, stop);
    simulate(&study, (struct run_options){.workers = 1, .trials = TRIALS}, &world, &progress);
    struct str at_once = ends();
    clear();
    simulate(&study, (struct run_options){.workers = 1, .trials = TRIALS / 3}, &world, &progress);
    for (uint64_t trials = 2 * TRIALS / 3; trials <= TRIALS; trials += TRIALS / 3) {
        struct journal journal;
        struct err e = {0};
        if (journal_load(&journal, dir, &e))
            break;
        struct run_options options = {.workers = 1, .trials = trials, .journal = &journal};
        simulate(&journal.study, options, &world, &progress);
        journal_free(&journal);
    }
    struct str in_parts = ends();
    is_text(str_text(&in_parts), str_text(&at_once), stop);
    ok(strstr(str_text(&at_once), "stopped") != NULL, "%s: it had something to stop", stop);
    str_free(&at_once);
    str_free(&in_parts);
    study_free(&study);
    clear();
}

/* The last report of a stopped trial breaks a constraint just as the score of a done trial does. */
static void a_stopped_trial_may_break_a_constraint(void)
{
    struct study study;
    struct comm_world world = {.seed = 1, .latency = 0.001};
    struct run_progress progress;
    struct journal journal;
    struct err e = {0};
    size_t stopped = 0, wrong = 0;
    parse_with(&study, "patience", "constraints: [score >= 0.9]\n");
    simulate(&study, (struct run_options){.workers = 4, .trials = TRIALS}, &world, &progress);
    if (journal_load(&journal, dir, &e))
        printf("# %s\n", e.message);
    for (size_t i = 0; i < journal.count; i++) {
        const struct journal_trial *trial = &journal.trials[i];
        stopped += trial->state == OUTCOME_STOPPED && trial->score < 0.9;
        wrong += (trial->violation > 0) != (trial->score < 0.9);
    }
    ok(stopped > 0 && wrong == 0 && progress.best_score >= 0.9,
       "a trial that was stopped and breaks a constraint is not the best");
    journal_free(&journal);
    study_free(&study);
    clear();
}

int main(void)
{
    if (!folder_open())
        return 1;
    snprintf(dir, sizeof dir, "%s/study", folder);
    double best = best_of_all();
    a_stopper_saves_steps("{asha: {from: 9, to: 81}}", 0.6, best);
    a_stopper_saves_steps("{hyperband: {from: 9}}", 0.3, best);
    a_stopper_saves_steps("median", 0.3, best);
    workers_that_die_lose_no_step_of_others();
    a_stopped_trial_may_break_a_constraint();
    a_resumed_stopper_decides_as_before("asha");
    a_resumed_stopper_decides_as_before("hyperband");
    a_resumed_stopper_decides_as_before("median");
    a_resumed_stopper_decides_as_before("{patience: {steps: 3, by: 0.05}}");
    folder_remove(folder);
    return tap_end();
}
