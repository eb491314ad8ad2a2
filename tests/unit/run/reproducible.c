/* reproducible.c - `reproducible: true`: the same trials with any number of workers and any timing.
 */
#include "folder.h"
#include "tap.h"

#include <unistd.h>

enum { TRIALS = 40 };

static char dir[96];

static void parse(struct study *study, const char *algorithm)
{
    char text[500];
    snprintf(text, sizeof text,
             "model: {function: sleep, grace: 1}\n"
             "space: {seconds: {float: [0, 10]}, k: {choice: [a, b, c]}, n: {int: [1, 9], when: "
             "{k: b}}}\n"
             "search: {trials: %d, seed: 3, algorithm: %s, reproducible: true%s}\n",
             TRIALS, algorithm, strstr(algorithm, "batch") ? "" : ", lag: 9");
    parse_text(study, text);
}

/* The points of the ended study, one after another; NULL if some are missing. */
static double *read_points(const struct study *study)
{
    struct journal journal;
    struct err e = {0};
    double *points = NULL;
    size_t width = study->space.count;
    if (journal_load(&journal, dir, &e)) {
        printf("# %s\n", e.message);
        return NULL;
    }
    if (journal.count == TRIALS)
        points = memory_new(TRIALS * width, sizeof *points);
    for (size_t i = 0; points && i < TRIALS; i++)
        (void)!journal_point(&journal, i, points + i * width, &e);
    journal_free(&journal);
    return points;
}

/* Runs the study in a world of the seed, or resumes it there; true if this is not the last run. */
static bool run_part(const struct study *study, uint64_t seed, unsigned workers, double deadline,
                     bool resumed)
{
    struct comm_world world = {.seed = seed, .latency = seed % 2 ? 0.001 : 3, .limit = 1e5};
    struct run_options options = {.dir = dir,
                                  .workers = workers,
                                  .trials = TRIALS,
                                  .deadline = deadline,
                                  .rules = {.servers = (int)(seed % 3 + 1)},
                                  .requests = -1,
                                  .world = &world};
    struct run_observer observer = {.interval = 1};
    struct run_progress progress;
    struct journal before;
    struct err e = {0};
    if (resumed && journal_load(&before, dir, &e) == 0)
        options.journal = &before;
    if (run_study(study, &options, &observer, &progress, &e))
        printf("# %s\n", e.message);
    if (options.journal)
        journal_free(&before);
    return e.code == 0 && progress.end == END_DEADLINE;
}

/* Some worlds are taken away after a while, and the study continues in others. */
static double *run(const struct study *study, uint64_t seed, unsigned workers, int *cut_off)
{
    enum { PARTS = 5 };
    double deadline = seed % 5 == 0 ? 40 + (double)(seed % 7) : 0;
    bool more = run_part(study, seed, workers, deadline, false);
    *cut_off += more;
    for (int i = 1; more; i++)
        more = run_part(study, seed + (uint64_t)i, workers, i < PARTS ? deadline : 0, true);
    double *points = read_points(study);
    folder_remove(dir);
    return points;
}

/* Every fifth world is taken away midway, so there are at least ten of them. */
static void any_timing(const char *algorithm, int many)
{
    const char *sanitizers = getenv("SANITIZE");
    struct study study;
    if (sanitizers && *sanitizers) /* everything is much slower */
        many /= 10;
    uint64_t worlds = (uint64_t)tap_seeds(many);
    worlds = worlds < 10 ? 10 : worlds;
    parse(&study, algorithm);
    size_t size = TRIALS * study.space.count * sizeof(double);
    int cut_off = 0;
    double *expected = run(&study, 1, 1, &cut_off);
    uint64_t wrong = 0;
    for (uint64_t seed = 1; expected && seed <= worlds; seed++) {
        static const unsigned crews[] = {1, 8, 64, 3};
        double *got = run(&study, seed, crews[seed % 4], &cut_off);
        wrong += !got || memcmp(got, expected, size) != 0;
        free(got);
    }
    ok(expected && wrong == 0,
       "%s: the same trials, bit for bit, in each of %d worlds with 1 to 64 workers", algorithm,
       (int)worlds);
    ok(cut_off > 0, "%s: %d of the runs were cut off and resumed", algorithm, cut_off);
    free(expected);
    study_free(&study);
}

int main(void)
{
    if (!folder_open())
        return 1;
    snprintf(dir, sizeof dir, "%s/study", folder);
    any_timing("genetic", 2000);
    any_timing("tpe", 300);
    any_timing("cmaes", 300);
    any_timing("nsga2", 100);
    any_timing("hyperspace", 100);
    any_timing("forest", 100);
    any_timing("forest, batch: 6", 100);
    any_timing("random, batch: 7", 100);
    any_timing("genetic, batch: 6, barrier: true, population_size: 10", 100);
    any_timing("genetic, barrier: true, population_size: 10", 100);
    any_timing("gp", 30);
    any_timing("auto", 30);
    folder_remove(folder);
    return tap_end();
}
