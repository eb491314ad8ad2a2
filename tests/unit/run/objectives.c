/* Several scores and measured constraints through a run: the front, the journal, and a resume. */
#include "folder.h"
#include "tap.h"

#include <unistd.h>

/* What an observer receives. */
struct told {
    uint64_t ended, news, broken;
    uint64_t stop_at; /* asks to stop after this number of trials; 0: never */
    int requests[2];
};

static void ended(void *self, const struct run_trial *trial)
{
    struct told *told = self;
    told->ended++;
    told->news += trial->point != NULL;
    told->broken += trial->violation > 0;
    if (told->ended == told->stop_at)
        (void)!write(told->requests[1], "x", 1);
    if (trial->point && (trial->violation > 0 || !trial->scores))
        printf("# trial %llu is on the front and must not be\n", (unsigned long long)trial->id);
}

static enum run_request asked(void *self)
{
    struct told *told = self;
    char byte;
    return read(told->requests[0], &byte, 1) == 1 ? RUN_ASKED_SOFTLY : RUN_ASKED_NOTHING;
}

/* Runs 60 trials, or stops after `stop_at`. */
static int run(const struct study *study, const char *dir, uint64_t stop_at,
               const struct journal *journal, struct run_progress *progress, struct told *told)
{
    struct run_observer observer = {.self = told, .interval = 1, .ended = ended, .asked = asked};
    struct err e = {0};
    *told = (struct told){.stop_at = stop_at};
    (void)!pipe(told->requests);
    struct run_options options = {
        .dir = dir, .journal = journal, .workers = 2, .trials = 60, .requests = told->requests[0]};
    int code = run_study(study, &options, &observer, progress, &e);
    close(told->requests[0]);
    close(told->requests[1]);
    if (code)
        printf("# %s\n", e.message);
    return code;
}

static void load(struct journal *journal, const char *dir)
{
    struct err e = {0};
    if (journal_load(journal, dir, &e))
        printf("# %s\n", e.message);
}

static bool same_trials(const struct journal *a, const struct journal *b)
{
    double *points[2];
    struct err e = {0};
    size_t size = a->study.space.count * sizeof(double);
    bool same = a->count == b->count;
    points[0] = memory_new(1, size);
    points[1] = memory_new(1, size);
    for (size_t i = 0; i < a->count && same; i++) {
        (void)!journal_point(a, i, points[0], &e);
        (void)!journal_point(b, i, points[1], &e);
        same = space_same(&a->study.space, points[0], points[1]) &&
               a->trials[i].violation == b->trials[i].violation &&
               memcmp(journal_scores(a, i), journal_scores(b, i), 2 * sizeof(double)) == 0;
    }
    free(points[0]);
    free(points[1]);
    return same;
}

/* After a resume, algorithms that learn must be told the same scores and violations. */
static void test_run(const char *algorithm)
{
    struct study study;
    struct run_progress progress;
    struct told told;
    struct journal whole, parts;
    char text[400], dirs[2][100];
    snprintf(text, sizeof text,
             "model: {function: network_size}\nsearch: {algorithm: %s, trials: 60, seed: 5, "
             "reproducible: "
             "true, lag: 4}\n"
             "constraints: [layers * units <= 2048, size <= 100, 'loss < 0.9']\n",
             algorithm);
    parse_text(&study, text);
    for (int i = 0; i < 2; i++)
        snprintf(dirs[i], sizeof dirs[i], "%s/%s-%d", folder, algorithm, i);
    ok(run(&study, dirs[0], 0, NULL, &progress, &told) == 0, "%s: a study runs", algorithm);
    load(&whole, dirs[0]);
    ok(progress.front == whole.front_count && progress.front > 1 && told.news >= progress.front,
       "%s: the front of the run is that of the journal", algorithm);
    ok(told.broken > 0, "%s: trials that break a constraint are told of", algorithm);
    size_t wrong = 0;
    for (size_t i = 0; i < whole.count; i++) {
        const double *scores = journal_scores(&whole, i);
        bool breaks = scores[1] > 100 || scores[0] >= 0.9;
        wrong += breaks != (whole.trials[i].violation > 0);
        wrong += breaks && whole.trials[i].on_front;
    }
    ok(wrong == 0, "%s: the journal knows which they are", algorithm);
    run(&study, dirs[1], 25, NULL, &progress, &told);
    load(&parts, dirs[1]);
    run(&parts.study, dirs[1], 0, &parts, &progress, &told);
    journal_free(&parts);
    load(&parts, dirs[1]);
    ok(same_trials(&whole, &parts), "%s: a study in two parts has the same trials", algorithm);
    ok(progress.front == whole.front_count, "%s: and the same front", algorithm);
    journal_free(&whole);
    journal_free(&parts);
    study_free(&study);
}

int main(void)
{
    if (!folder_open())
        return 1;
    test_run("random");
    test_run("genetic");
    test_run("nsga2");
    folder_remove(folder);
    return tap_end();
}
