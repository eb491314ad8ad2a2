/* left.c - the time left that a run shows is about right once a tenth of its trials have ended. */
#include "folder.h"
#include "tap.h"

#include <math.h>

enum { MOST = 10000 };

/* What a run showed over time. */
struct shown {
    double times[MOST], lefts[MOST];
    size_t count;
};

static struct shown shown;

static void watch(void *self, const struct run_progress *p)
{
    struct shown *s = self;
    if (s->count == MOST || p->phase != RUN_GOING)
        return;
    s->times[s->count] = p->elapsed;
    s->lefts[s->count++] = p->left;
}

/* When a tenth of the trials had ended, in seconds since the start. */
static double first_tenth(const char *dir)
{
    struct journal journal;
    struct err e = {0};
    if (journal_load(&journal, dir, &e))
        return INFINITY;
    size_t tenth = journal.completion_count / 10;
    double time = journal.trials[journal.completions[tenth]].ended - journal.runs[0].since;
    journal_free(&journal);
    return time;
}

/* Runs a study in virtual time, and looks at all that it showed. */
static void check(const char *name, double factor, const char *text, struct run_options options)
{
    char dir[96];
    struct study study;
    struct comm_world world = {.seed = 3, .latency = 1e-4, .limit = 1e6};
    struct run_observer observer = {.self = &shown, .interval = 0.25, .progress = watch};
    struct run_progress progress;
    struct err e = {0};
    size_t wrong = 0, seen = 0;
    snprintf(dir, sizeof dir, "%s/study.wick", folder);
    parse_text(&study, text);
    options.dir = dir;
    options.world = &world;
    options.requests = -1;
    shown.count = 0;
    if (run_study(&study, &options, &observer, &progress, &e))
        printf("# %s\n", e.message);
    double since = first_tenth(dir);
    for (size_t i = 0; i < shown.count; i++) {
        double truth = progress.elapsed - shown.times[i], left = shown.lefts[i];
        if (shown.times[i] < since)
            continue;
        bool close = fabs(left - truth) < 0.05 * progress.elapsed;
        seen++;
        wrong += !close && !(left > truth / factor && left < factor * truth);
    }
    ok(seen > 10 && wrong * 10 <= seen, "%s: within a factor of %g after the first tenth", name,
       factor);
    printf("# %zu of %zu are not; it took %g s\n", wrong, seen, progress.elapsed);
    folder_remove(dir);
    study_free(&study);
}

#define SLEEP(range) "model: {function: sleep}\nspace: {seconds: {" range "}}\n" RANDOM
#define RANDOM       "search: {algorithm: random}\n"
#define CURVES(stop)                                                                               \
    "model: {function: curves}\nsearch: {algorithm: random, stop: " stop "}\n"                     \
    "space: {learning_rate: {log: [1e-4, 1]}, decay: {log: [1e-6, 1e-1]}, units: 32768, "          \
    "optimizer: {choice: [sgd, adam]}, epochs: 81}\n"

/* A stopper stops more and more trials, so it takes less time than the first of them suggest. */
int main(void)
{
    if (!folder_open())
        return 1;
    check("trials that take the same time, all workers starting at once", 2,
          SLEEP("float: [9.8, 10]"), (struct run_options){.workers = 50, .trials = 100});
    check("durations that depend on the parameters", 2, SLEEP("float: [1, 20]"),
          (struct run_options){.workers = 8, .trials = 200});
    check("heavy tails", 2, SLEEP("log: [0.05, 50]"),
          (struct run_options){.workers = 8, .trials = 400});
    check("a limit on the time", 2, SLEEP("float: [1, 3]"),
          (struct run_options){.workers = 4, .time = 100});
    check("early stops by median", 3, CURVES("median"),
          (struct run_options){.workers = 4, .trials = 200});
    check("early stops by asha", 3, CURVES("asha"),
          (struct run_options){.workers = 4, .trials = 200});
    return tap_end();
}
