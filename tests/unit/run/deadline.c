/* deadline.c - a run with a deadline starts no trial that would be cut off. */
#include "folder.h"
#include "tap.h"

#include <math.h>
#include <unistd.h>

static char dir[96];

/* The result of a simulated run. */
struct ending {
    int code;
    enum journal_end end;
    size_t done, cut_off;
    double last_start, last_end; /* in virtual seconds */
};

static double notice;                             /* seconds before the deadline */
static const char *seconds = "{float: [1, 100]}"; /* that a trial may take */

static struct ending run(const char *algorithm, uint64_t seed, double deadline, bool resumed)
{
    char text[300];
    struct study study;
    struct err e = {0};
    struct journal before, journal;
    struct run_progress progress;
    struct ending ending = {.last_start = 0};
    snprintf(text, sizeof text,
             "model: {function: sleep, grace: 1}\nspace: {seconds: %s, k: {int: [1, 9]}}\n"
             "search: {trials: 100000, seed: %d, algorithm: %s, levels: 40}\n",
             seconds, (int)seed, algorithm);
    parse_text(&study, text);
    struct comm_world world = {.seed = seed, .latency = 0.001, .limit = 1e6};
    struct run_options options = {.dir = dir,
                                  .workers = 4,
                                  .trials = 100000,
                                  .deadline = deadline,
                                  .notice = notice,
                                  .requests = -1,
                                  .world = &world};
    struct run_observer observer = {.interval = 1};
    if (resumed && journal_load(&before, dir, &e) == 0)
        options.journal = &before;
    ending.code = run_study(&study, &options, &observer, &progress, &e);
    ending.end = progress.end;
    if (ending.code || journal_load(&journal, dir, &e))
        printf("# %s\n", e.message);
    for (size_t i = 0; i < journal.count; i++) {
        const struct journal_trial *trial = &journal.trials[i];
        ending.done += trial->state == OUTCOME_DONE;
        ending.cut_off += trial->state != OUTCOME_DONE;
        ending.last_start = fmax(ending.last_start, trial->started);
        ending.last_end = fmax(ending.last_end, trial->ended);
    }
    journal_free(&journal);
    if (options.journal)
        journal_free(&before);
    study_free(&study);
    return ending;
}

static void clean(void)
{
    folder_remove(dir);
}

static void nothing_is_cut_off(void)
{
    const unsigned seeds = (unsigned)tap_seeds(30);
    size_t wrong = 0, cut_off = 0, done = 0, late = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct ending ending = run("random", seed, 2000, false);
        wrong += ending.code || ending.end != END_DEADLINE || ending.last_end > 2000;
        cut_off += ending.cut_off;
        done += ending.done;
        late += ending.last_start > 1940; /* too late for a trial of mean length */
        clean();
    }
    ok(wrong == 0, "the study ends in time, in each of %d worlds", (int)seeds);
    ok(done > 0 && cut_off * 100 <= done, "of %d trials %d are cut off", (int)done, (int)cut_off);
    ok(late > seeds / 2, "short trials are started when long ones no longer fit");
}

static void a_grid_ends_early(void)
{
    struct ending ending = run("grid", 1, 500, false);
    ok(ending.code == 0 && ending.end == END_DEADLINE && ending.cut_off <= 1 &&
           ending.last_end <= 500,
       "a grid, which cannot choose, starts nothing more when its next point does not fit");
    struct ending next = run("grid", 1, 500, true);
    ok(next.code == 0 && next.done > ending.done, "and the next run goes on with it");
    clean();
}

/* Long trials are passed over while short ones fit; the long ones remain to be done. */
static void what_does_not_fit_is_left(const char *algorithm)
{
    seconds = "{ordered: [2, 90]}";
    struct ending ending = run(algorithm, 1, 110, false), next = ending;
    for (int i = 0; i < 9 && next.end == END_DEADLINE; i++)
        next = run(algorithm, 1, 500, true);
    ok(ending.end == END_DEADLINE && next.end == END_EXHAUSTED && next.done == 18,
       "%s: what does not fit is left for the next run", algorithm);
    clean();
}

int main(void)
{
    if (!folder_open())
        return 1;
    snprintf(dir, sizeof dir, "%s/study", folder);
    nothing_is_cut_off();
    notice = 300; /* affects only trials that ask for it */
    nothing_is_cut_off();
    a_grid_ends_early();
    what_does_not_fit_is_left("random");
    what_does_not_fit_is_left("tpe");
    folder_remove(folder);
    return tap_end();
}
