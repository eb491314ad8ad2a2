/* promote.c - trials that were stopped at a rung continue later: counted once, resumed exactly. */
#include "folder.h"
#include "tap.h"
#include "worlds.h"

#include "num/num.h"
#include "stop/stop.h"

#include <math.h>

enum { TRIALS = 60, EPOCHS = 81 };

static char dir[96];

/* With this many units, a step takes long enough for a stop to arrive before the next one. */
#define SLOW                                                                                       \
    "space:\n"                                                                                     \
    "  learning_rate: {log: [1e-4, 1]}\n"                                                          \
    "  decay: {log: [1e-6, 1e-1]}\n"                                                               \
    "  units: 32768\n"                                                                             \
    "  optimizer: {choice: [sgd, adam]}\n"                                                         \
    "  epochs: 81\n"

static void parse(struct study *study, const char *algorithm, const char *stop, const char *space)
{
    char text[400];
    snprintf(text, sizeof text,
             "model: {function: curves}\nsearch: {algorithm: %s, trials: %d, stop: %s}\n%s",
             algorithm, (int)TRIALS, stop, space);
    parse_text(study, text);
}

static int simulate(const struct study *study, struct run_options options, struct comm_world *world,
                    struct run_progress *progress)
{
    struct err e;
    return simulate_in(dir, study, options, world, progress, &e);
}

/* ---- counting ---- */

struct counts {
    uint64_t done, stopped, promoted, promoted_done, wrong;
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
        const struct journal_trial *trial = &journal.trials[i];
        bool done = trial->state == OUTCOME_DONE;
        bool promoted = journal_progress(&journal, i)->paused_at > 0 && trial->tries > 1;
        counts->done += done;
        counts->stopped += trial->state == OUTCOME_STOPPED;
        counts->promoted += promoted;
        counts->promoted_done += promoted && done;
        counts->wrong += !is_whole(&journal, i, EPOCHS);
    }
    int64_t best = journal_best(&journal);
    counts->best = best >= 0 ? journal.trials[best].score : NAN;
    journal_free(&journal);
    return true;
}

/* Workers die in some of the worlds. */
static void in_many_worlds(const char *algorithm, const char *stop)
{
    const unsigned seeds = (unsigned)tap_seeds(60);
    struct study study;
    struct run_progress progress;
    struct counts counts = {0};
    uint64_t wrong = 0, promoted = 0, done = 0, lost = 0;
    parse(&study, algorithm, stop, "");
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        unsigned workers = (unsigned)(seed % 9 + 2);
        struct comm_fate fate = {(int)workers, 0.1 * (double)(seed % 11), INFINITY};
        struct comm_world world = {.seed = seed,
                                   .latency = seed % 2 ? 0.0001 : 0.02,
                                   .fates = &fate,
                                   .fate_count = seed % 3 == 0};
        struct run_options options = {
            .workers = workers, .trials = TRIALS, .rules = {.servers = 1, .lost_after = 0.5}};
        int code = simulate(&study, options, &world, &progress);
        bool right = code == 0 && count(&counts) && counts.wrong == 0 &&
                     counts.stopped + counts.done == TRIALS && progress.ended == TRIALS &&
                     progress.stopped == counts.stopped && progress.failed == 0 &&
                     progress.best_score == counts.best && progress.end == END_DONE;
        wrong += !right;
        promoted += counts.promoted;
        done += counts.promoted_done;
        lost += progress.lost;
        folder_remove(dir);
    }
    printf("# %s, %s: %d trials went on, %d of them to their end; %d workers died\n", algorithm,
           stop, (int)promoted, (int)done, (int)lost);
    ok(wrong == 0 && promoted > seeds && done > 0 && lost > seeds / 12,
       "%s, %s: each step and trial counts once in %d worlds", algorithm, stop, (int)seeds);
    study_free(&study);
}

/* ---- resuming ---- */

/* What each trial was, and how it ended. */
static struct str ends(void)
{
    struct journal journal;
    struct err e = {0};
    struct str text = {0};
    double point[16];
    if (journal_load(&journal, dir, &e))
        return text;
    for (size_t i = 0; i < journal.count && !journal_point(&journal, i, point, &e); i++)
        str_printf(&text, "%.17g %s %.17g %u\n", point[0],
                   outcome_state_name(journal.trials[i].state), journal.trials[i].score,
                   (unsigned)journal.trials[i].steps);
    journal_free(&journal);
    return text;
}

/*
 * Cuts the journal after a record, as a killed run leaves it, but not just before an end: a trial
 * that was told to stop and was killed before it did is told so again at its first step.
 */
static bool cut(const struct str *journal, size_t line)
{
    struct str path = {0};
    struct err e = {0};
    size_t length = 0;
    for (; length < journal->length && line > 0; length++)
        line -= journal->text[length] == '\n';
    while (strncmp(journal->text + length, "{\"end\"", 6) == 0)
        length += strcspn(journal->text + length, "\n") + 1;
    str_printf(&path, "%s/journal", dir);
    bool good = line == 0 && str_write_file(path.text, journal->text, length, &e) == 0;
    str_free(&path);
    return good;
}

static bool resume(void)
{
    struct journal journal;
    struct run_progress progress;
    struct err e = {0};
    struct comm_world world = {.seed = 1};
    if (journal_load(&journal, dir, &e))
        return false;
    struct run_options options = {.workers = 1, .trials = TRIALS, .journal = &journal};
    int code = simulate(&journal.study, options, &world, &progress);
    journal_free(&journal);
    return code == 0;
}

static void killed_at_any_line(const char *algorithm, const char *stop)
{
    struct study study;
    struct run_progress progress;
    struct comm_world world = {.seed = 1};
    struct str path = {0}, journal = {0};
    struct err e = {0};
    size_t lines = 0, wrong = 0, tried = 0;
    parse(&study, algorithm, stop, SLOW);
    simulate(&study, (struct run_options){.workers = 1, .trials = TRIALS}, &world, &progress);
    struct str at_once = ends();
    str_printf(&path, "%s/journal", dir);
    (void)!str_read_file(&journal, path.text, 64 << 20, &e);
    for (size_t i = 0; i < journal.length; i++)
        lines += journal.text[i] == '\n';
    size_t places = (size_t)tap_seeds(75);
    for (size_t line = 2; line < lines; line += lines / places + 1, tried++) {
        if (!cut(&journal, line) || !resume()) {
            wrong++;
            continue;
        }
        struct str in_parts = ends();
        wrong += strcmp(str_text(&in_parts), str_text(&at_once)) != 0;
        str_free(&in_parts);
    }
    ok(wrong == 0 && tried > places * 2 / 3,
       "%s, %s: killed at any of %d places, it ends as if it were not", algorithm, stop,
       (int)tried);
    str_free(&path);
    str_free(&journal);
    str_free(&at_once);
    study_free(&study);
    folder_remove(dir);
}

/* ---- what promotion gains ---- */

/* Makes steps until the trial is told to stop, reaches its end, or the budget is used up. */
static bool climb(struct stop *stop, const struct function *function, uint64_t trial,
                  const struct function_input *in, uint64_t *step, uint64_t *left, double *value)
{
    while (*step<EPOCHS && * left> 0) {
        --*left;
        *value = function->curve(in, function->inputs, ++*step);
        if (stop_report(stop, trial, *step, *value) == STOP_NOW)
            return true;
    }
    return false;
}

/* The best value found with this many steps, over random trials, one after another. */
static double best_of_steps(uint64_t seed, uint64_t left, bool promotes)
{
    enum { MOST = 4000 };
    static struct function_input inputs[MOST + 1][8];
    static uint64_t steps[MOST + 1];
    const struct function *function = function_find("curves");
    struct stop_settings settings = {.name = "asha", .options = {3, 1, EPOCHS, NAN}};
    struct stop *stop = stop_create(&settings, false);
    struct random random;
    uint64_t trials = 0;
    double best = INFINITY;
    random_seed(&random, seed, 0);
    while (left > 0 && trials < MOST) {
        uint64_t trial = promotes ? stop_promote(stop) : 0;
        if (trial == 0) {
            trial = ++trials;
            steps[trial] = 0;
            inputs[trial][0].number = pow(10, -4 + 3 * random_unit(&random));
            inputs[trial][1].number = pow(10, -5 + 4 * random_unit(&random));
            inputs[trial][2].number = pow(2, 4 + 6 * random_unit(&random));
            inputs[trial][3].text = random_below(&random, 2) ? "sgd" : "adam";
            inputs[trial][4].number = EPOCHS;
        }
        double value = INFINITY;
        bool stopped = climb(stop, function, trial, inputs[trial], &steps[trial], &left, &value);
        best = fmin(best, value);
        if (stopped && !(promotes && stop_pause(stop, trial)))
            stop_ended(stop, trial, true);
    }
    stop_free(stop);
    return best;
}

static void it_finds_more_with_the_same_steps(void)
{
    enum { SEEDS = 200, STEPS = 2000 };
    double with = 0, without = 0;
    int better = 0, worse = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        double one = best_of_steps(seed, STEPS, true), other = best_of_steps(seed, STEPS, false);
        with += one / SEEDS;
        without += other / SEEDS;
        better += one < other;
        worse += one > other;
    }
    printf("# %d steps: %.4f when trials go on, %.4f when they are stopped for good; better %d, "
           "worse %d times\n",
           (int)STEPS, with, without, better, worse);
    ok(with < without && better > worse, "the same steps find more when trials go on later");
}

int main(void)
{
    if (!folder_open())
        return 1;
    snprintf(dir, sizeof dir, "%s/study", folder);
    in_many_worlds("random", "asha");
    in_many_worlds("random", "{hyperband: {from: 3}}");
    in_many_worlds("tpe", "{asha: {reduction: 2, from: 3}}");
    killed_at_any_line("random", "asha");
    killed_at_any_line("tpe", "{asha: {reduction: 2}}");
    killed_at_any_line("genetic", "hyperband");
    it_finds_more_with_the_same_steps();
    folder_remove(folder);
    return tap_end();
}
