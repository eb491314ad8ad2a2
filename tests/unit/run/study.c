/* study.c - a study as the driver runs it: what is shown is on disk, and order does not matter. */
#include "folder.h"
#include "tap.h"

#include <unistd.h>

static char *sub(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* An observer that looks into the journal whenever it hears of a trial. */
struct witness {
    const char *dir;
    uint64_t told, not_on_disk, bests;
    double best;
    int requests[2];
    uint64_t stop_at; /* asks to stop after this number of trials; 0: never */
    bool fails;       /* the run is meant to fail: its error is not printed */
    struct err e;
};

static void ended(void *self, const struct run_trial *trial)
{
    struct witness *w = self;
    w->told++;
    if (trial->point) {
        w->bests++;
        w->best = trial->score;
    }
    if (w->told == w->stop_at)
        (void)!write(w->requests[1], "x", 1);
    if (w->told % 20 != 1)
        return;
    struct str text = {0};
    struct err e = {0};
    char path[160], line[40];
    snprintf(path, sizeof path, "%s/journal", w->dir);
    snprintf(line, sizeof line, "\n{\"end\":%llu,", (unsigned long long)trial->id);
    w->not_on_disk += str_read_file(&text, path, 1 << 24, &e) != 0 || !strstr(text.text, line);
    str_free(&text);
}

static enum run_request asked(void *self)
{
    struct witness *w = self;
    char byte;
    return read(w->requests[0], &byte, 1) == 1 ? RUN_ASKED_SOFTLY : RUN_ASKED_NOTHING;
}

static int run(const struct study *study, struct run_options *options, struct witness *w,
               struct run_progress *progress)
{
    struct run_observer observer = {.self = w, .interval = 1, .ended = ended, .asked = asked};
    w->dir = options->dir;
    w->e = (struct err){0};
    options->requests = w->requests[0];
    int code = run_study(study, options, &observer, progress, &w->e);
    if (code && !w->fails)
        printf("# %s\n", w->e.message);
    return code;
}

/* Continues the study in options->dir. */
static int resume(struct run_options options, struct witness *w, struct run_progress *progress)
{
    struct journal journal;
    if (journal_load(&journal, options.dir, &w->e))
        return 1;
    options.journal = &journal;
    int code = run(&journal.study, &options, w, progress);
    journal_free(&journal);
    return code;
}

/* All points of a study, one after another; free() them. NULL if there are none. */
static double *points(const char *dir, size_t *count, size_t *width)
{
    struct journal journal;
    struct err e = {0};
    *count = *width = 0;
    if (journal_load(&journal, dir, &e))
        return NULL;
    *count = journal.count;
    *width = journal.study.space.count;
    double *all = memory_new(*count * *width, sizeof *all);
    for (size_t i = 0; i < *count; i++)
        (void)!journal_point(&journal, i, all + i * *width, &e);
    journal_free(&journal);
    return all;
}

static void what_is_shown_is_on_disk(void)
{
    struct study study;
    struct run_progress progress;
    struct witness w = {.requests = {-1, -1}};
    struct run_options options = {.dir = sub("shown"), .workers = 3, .trials = 2000};
    parse_text(&study,
               "model: {function: network}\nsearch: {trials: 2000, seed: 4, algorithm: random}\n");
    ok(run(&study, &options, &w, &progress) == 0, "a study runs");
    ok(w.told == 2000 && progress.ended == 2000 && progress.failed == 0, "all trials are told of");
    ok(w.not_on_disk == 0, "each of them is in the journal by then");
    ok(progress.end == END_DONE && progress.best_score == w.best && w.bests > 1,
       "the best so far goes down to the best");
    study_free(&study);
}

static void workers_do_not_change_suggestions(void)
{
    struct study study;
    struct run_progress progress;
    size_t counts[2], widths[2];
    double *all[2];
    parse_text(&study,
               "model: {function: network}\nsearch: {trials: 300, seed: 9, algorithm: sobol}\n");
    for (int i = 0; i < 2; i++) {
        struct witness w = {.requests = {-1, -1}};
        struct run_options options = {
            .dir = sub(i ? "five" : "one"), .workers = i ? 5 : 1, .trials = 300};
        run(&study, &options, &w, &progress);
        all[i] = points(options.dir, &counts[i], &widths[i]);
    }
    ok(counts[0] == 300 && counts[1] == 300 &&
           memcmp(all[0], all[1], counts[0] * widths[0] * sizeof(double)) == 0,
       "one worker and five try the same points under the same numbers");
    free(all[0]);
    free(all[1]);
    study_free(&study);
}

/* Runs the study to its end, stopping every few trials and resuming; returns the number of runs. */
static size_t run_with_stops(const struct study *study, const char *dir,
                             struct run_progress *progress)
{
    struct witness w = {.stop_at = 17};
    struct run_options options = {.dir = dir, .workers = 3, .trials = 200};
    size_t runs = 1;
    (void)!pipe(w.requests);
    int code = run(study, &options, &w, progress);
    while (code == 0 && progress->end == END_INTERRUPTED && runs < 100) {
        w.told = 0;
        code = resume(options, &w, progress);
        runs++;
    }
    close(w.requests[0]);
    close(w.requests[1]);
    return code == 0 ? runs : 0;
}

/*
 * A study that is stopped and resumed ends like one that was left alone. A trial is announced when
 * it is on disk: if that takes longer than all trials, the first run is never stopped, so the
 * trials are made longer.
 */
static void stopped_and_resumed(void)
{
    struct study study;
    struct run_progress progress;
    size_t counts[2] = {0}, widths[2], runs = 1;
    double *points_of[2] = {NULL, NULL};
    char *dirs[2] = {memory_copy(sub("calm")), memory_copy(sub("stopped"))}, text[256];
    for (double longest = 0.01; runs == 1 && longest < 20; longest *= 10) {
        for (int i = 0; i < 2; i++) {
            folder_remove(dirs[i]);
            free(points_of[i]);
        }
        snprintf(text, sizeof text,
                 "model: {function: sleep}\nspace: {seconds: {float: [0, %g]}, k: {choice: [a, b, "
                 "c]}}\nsearch: {trials: 200, seed: 7, algorithm: random}\n",
                 longest);
        parse_text(&study, text);
        struct witness calm = {.requests = {-1, -1}};
        struct run_options options = {.dir = dirs[0], .workers = 3, .trials = 200};
        run(&study, &options, &calm, &progress);
        runs = run_with_stops(&study, dirs[1], &progress);
        for (int i = 0; i < 2; i++)
            points_of[i] = points(dirs[i], &counts[i], &widths[i]);
        study_free(&study);
    }
    ok(progress.end == END_DONE && runs > 1, "stopped and resumed to its end");
    ok(progress.ended == 200, "it counts the trials of all runs");
    ok(counts[0] == 200 && counts[1] == 200 &&
           memcmp(points_of[0], points_of[1], counts[0] * widths[0] * sizeof(double)) == 0,
       "with the suggestions of a run that was left alone");
    for (int i = 0; i < 2; i++) {
        free(points_of[i]);
        free(dirs[i]);
    }
}

/* In any order of completions: the same suggestions, each trial once, and the same best. */
static void any_timing_gives_the_same_study(void)
{
    const unsigned seeds = (unsigned)tap_seeds(200);
    struct study study;
    size_t wrong = 0, count, width;
    double *expected = NULL;
    parse_text(&study,
               "model: {function: sleep}\n"
               "space: {seconds: {float: [0, 10]}, k: {choice: [a, b, c]}, n: {int: [1, 9], when: "
               "{k: b}}}\nsearch: {trials: 40, seed: 3, algorithm: lhs}\n");
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct comm_world world = {.seed = seed, .latency = seed % 2 ? 0.001 : 3, .limit = 1e5};
        struct witness w = {.requests = {-1, -1}};
        struct run_progress progress;
        struct run_options options = {.dir = sub("timing"),
                                      .workers = (unsigned)(seed % 9 + 1),
                                      .trials = 40,
                                      .rules = {.servers = (int)(seed % 3 + 1)},
                                      .world = &world};
        int code = run(&study, &options, &w, &progress);
        double *got = points(options.dir, &count, &width);
        if (seed == 1)
            expected = got;
        wrong += code != 0 || progress.ended != 40 || w.told != 40 || count != 40 || !expected ||
                 memcmp(got, expected, count * width * sizeof *got) != 0;
        if (got != expected)
            free(got);
        folder_remove(sub("timing"));
    }
    ok(wrong == 0, "the same study in each of %d simulated worlds, with 1 to 9 workers",
       (int)seeds);
    free(expected);
    study_free(&study);
}

/* Some workers die or hang, at moments given by the seed; the others take over their trials. */
static size_t draw_fates(uint64_t seed, const struct run_options *options, struct comm_fate *fates)
{
    struct random random;
    size_t count = 0;
    int size = (int)options->workers + options->rules.servers;
    random_seed(&random, seed, 7);
    for (int rank = size - 1; rank > 1; rank--) {
        if (balance_serves(&options->rules, size, rank) || random_below(&random, 2) == 0)
            continue;
        double from = 60 * random_unit(&random);
        bool dies = random_below(&random, 3) > 0;
        fates[count++] = (struct comm_fate){rank, from, dies ? INFINITY : from + 30};
    }
    return count;
}

static void workers_that_die_change_nothing(void)
{
    const unsigned seeds = (unsigned)tap_seeds(300);
    struct study study;
    unsigned wrong = 0, lost = 0;
    parse_text(&study, "model: {function: sleep}\n"
                       "space: {seconds: {float: [0, 10]}, k: {choice: [a, b, c]}}\n"
                       "search: {trials: 40, seed: 3, algorithm: random}\n");
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct comm_fate fates[16];
        struct comm_world world = {.seed = seed, .latency = 0.001, .limit = 1e5, .fates = fates};
        struct witness w = {.requests = {-1, -1}};
        struct run_progress progress;
        struct run_options options = {.dir = sub("deaths"),
                                      .workers = (unsigned)(seed % 7 + 3),
                                      .trials = 40,
                                      .rules = {.servers = (int)(seed % 3 + 1), .lost_after = 3},
                                      .world = &world};
        world.fate_count = draw_fates(seed, &options, fates);
        int code = run(&study, &options, &w, &progress);
        bool right = code == 0 && progress.ended == 40 && progress.end == END_DONE;
        lost += progress.lost;
        if (!right && wrong++ == 0)
            printf("# seed %llu: code %d, %llu ended\n", (unsigned long long)seed, code,
                   (unsigned long long)progress.ended);
        folder_remove(sub("deaths"));
    }
    ok(wrong == 0, "all trials end in each of %d worlds in which workers die", (int)seeds);
    ok(lost > seeds, "%u workers were lost in them", lost);
    study_free(&study);
}

/* Every worker dies at a moment given by the seed: nobody is left to send the driver a message. */
static size_t draw_the_end(uint64_t seed, const struct run_options *options,
                           struct comm_fate *fates)
{
    struct random random;
    size_t count = 0;
    int size = (int)options->workers + options->rules.servers;
    random_seed(&random, seed, 8);
    for (int rank = 1; rank < size; rank++)
        if (!balance_serves(&options->rules, size, rank))
            fates[count++] = (struct comm_fate){rank, 25 * random_unit(&random), INFINITY};
    return count;
}

static void when_all_workers_die_the_study_can_be_resumed(void)
{
    const unsigned seeds = (unsigned)tap_seeds(100);
    struct study study;
    unsigned wrong = 0, not_resumed = 0;
    uint64_t saved = 0;
    parse_text(&study, "model: {function: sleep}\n"
                       "space: {seconds: {float: [5, 10]}, k: {choice: [a, b, c]}}\n"
                       "search: {trials: 40, seed: 3, algorithm: random}\n");
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct comm_fate fates[8];
        struct comm_world world = {.seed = seed, .latency = 0.001, .limit = 1e5, .fates = fates};
        struct witness w = {.requests = {-1, -1}};
        struct run_progress progress;
        struct run_options options = {.dir = sub("end"),
                                      .workers = 4,
                                      .trials = 40,
                                      .rules = {.servers = (int)(seed % 2 + 1), .lost_after = 3},
                                      .world = &world};
        world.fate_count = draw_the_end(seed, &options, fates);
        w.fails = true;
        wrong += run(&study, &options, &w, &progress) != ERR_SYSTEM || progress.lost != 4 ||
                 progress.end != END_BROKEN || !strstr(w.e.message, "all workers were lost");
        world.fate_count = 0;
        w.fails = false;
        not_resumed +=
            resume(options, &w, &progress) || progress.ended != 40 || progress.end != END_DONE;
        saved += progress.before;
        folder_remove(sub("end"));
    }
    ok(wrong == 0, "a study whose workers all die says so and ends, in each of %d worlds",
       (int)seeds);
    ok(not_resumed == 0 && saved > seeds, "and is resumed to its end, with the %d trials before",
       (int)saved);
    study_free(&study);
}

static void more_servers_than_workers_are_not_started(void)
{
    struct study study;
    struct run_progress progress;
    struct witness w = {.requests = {-1, -1}};
    struct run_options options = {
        .dir = sub("servers"), .workers = 2, .trials = 50, .rules = {.servers = 5}};
    parse_text(&study,
               "model: {function: network}\nsearch: {trials: 50, seed: 4, algorithm: random}\n");
    ok(run(&study, &options, &w, &progress) == 0 && progress.ended == 50 && progress.servers == 2,
       "two workers have two servers at most");
    study_free(&study);
}

static void a_small_grid_is_exhausted(void)
{
    struct study study;
    struct run_progress progress;
    struct witness w = {.requests = {-1, -1}};
    struct run_options options = {.dir = sub("grid"), .workers = 4};
    parse_text(&study, "model: {function: noop}\nspace: {a: {int: [1, 3]}, b: {choice: [x, y]}}\n"
                       "search: {algorithm: grid}\n");
    ok(run(&study, &options, &w, &progress) == 0 && progress.ended == 6 &&
           progress.end == END_EXHAUSTED,
       "a grid without a budget ends after its last point");
    study_free(&study);
}

int main(void)
{
    if (!folder_open())
        return 1;
    what_is_shown_is_on_disk();
    workers_do_not_change_suggestions();
    stopped_and_resumed();
    any_timing_gives_the_same_study();
    workers_that_die_change_nothing();
    when_all_workers_die_the_study_can_be_resumed();
    more_servers_than_workers_are_not_started();
    a_small_grid_is_exhausted();
    folder_remove(folder);
    return tap_end();
}
