/* reproducible.c - `reproducible: true`: the same trials with any number of workers and any timing.
 */
#include "run/run.h"
#include "tap.h"

#include <ftw.h>
#include <unistd.h>

enum { TRIALS = 40 };

static char folder[64], dir[96];

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

static void parse(struct study *study, const char *algorithm)
{
    char text[500];
    struct err_list mistakes = {0};
    snprintf(text, sizeof text,
             "model: {function: sleep}\n"
             "space: {seconds: {float: [0, 10]}, k: {choice: [a, b, c]}, n: {int: [1, 9], when: "
             "{k: b}}}\n"
             "search: {trials: %d, seed: 3, algorithm: %s, reproducible: true, lag: 9}\n",
             TRIALS, algorithm);
    if (study_parse(study, text, strlen(text), "study.yaml", folder, &mistakes))
        printf("# %s\n", mistakes.items[0].message);
    err_list_free(&mistakes);
}

/* Runs the study in a world of the seed; its points, one after another, or NULL. */
static double *run(const struct study *study, uint64_t seed, unsigned workers)
{
    struct comm_world world = {.seed = seed, .latency = seed % 2 ? 0.001 : 3, .limit = 1e5};
    struct run_options options = {.dir = dir,
                                  .workers = workers,
                                  .trials = TRIALS,
                                  .rules = {.servers = (int)(seed % 3 + 1)},
                                  .requests = -1,
                                  .world = &world};
    struct run_observer observer = {.interval = 1};
    struct run_progress progress;
    struct journal journal;
    struct err e = {0};
    double *points = NULL;
    size_t width = study->space.count;
    if (run_study(study, &options, &observer, &progress, &e) || journal_load(&journal, dir, &e)) {
        printf("# %s\n", e.message);
        return NULL;
    }
    if (journal.count == TRIALS)
        points = memory_new(TRIALS * width, sizeof *points);
    for (size_t i = 0; points && i < TRIALS; i++)
        (void)!journal_point(&journal, i, points + i * width, &e);
    journal_free(&journal);
    nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return points;
}

static void any_timing(const char *algorithm, uint64_t worlds)
{
    struct study study;
    parse(&study, algorithm);
    size_t size = TRIALS * study.space.count * sizeof(double);
    double *expected = run(&study, 1, 1);
    uint64_t wrong = 0;
    for (uint64_t seed = 1; expected && seed <= worlds; seed++) {
        static const unsigned crews[] = {1, 8, 64, 3};
        double *got = run(&study, seed, crews[seed % 4]);
        wrong += !got || memcmp(got, expected, size) != 0;
        free(got);
    }
    ok(expected && wrong == 0,
       "%s: the same trials, bit for bit, in each of %d worlds with 1 to 64 workers", algorithm,
       (int)worlds);
    free(expected);
    study_free(&study);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/wick-run-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(dir, sizeof dir, "%s/study", folder);
    any_timing("genetic", 2000);
    any_timing("tpe", 300);
    any_timing("cmaes", 300);
    any_timing("forest", 100);
    any_timing("gp", 30);
    any_timing("auto", 30);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return tap_end();
}
