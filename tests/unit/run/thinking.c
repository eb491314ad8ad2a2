/*
 * thinking.c - how long a search may think: `auto` makes quick suggestions where trials are faster
 * than it thinks, the journal says which, and a resumed search goes on in the same way.
 */
#include "folder.h"
#include "replay/replay.h"
#include "run/driver.h"
#include "tap.h"
#include "worlds.h"

#include <sys/stat.h>

static char dir[96];
static double thought; /* seconds, over all thorough suggestions of a run */

/* More results make thinking slower. */
static double thinks(uint64_t known)
{
    double seconds = 0.04 + 1e-5 * (double)known;
    thought += seconds;
    return seconds;
}

/* Trials take from half to all of `seconds`. */
static void parse(struct study *study, double seconds, const char *search)
{
    char text[400];
    snprintf(text, sizeof text,
             "model: {function: sleep}\n"
             "space: {seconds: {float: [%g, %g]}, x: {float: [0, 1]}}\n"
             "search: {seed: 5%s}\n",
             seconds / 2, seconds, search);
    parse_text(study, text);
}

/* Runs a new study, or resumes the one in the folder. */
static struct run_progress run(const struct study *study, unsigned workers, uint64_t trials,
                               const struct journal *journal)
{
    struct run_options options = {
        .journal = journal, .workers = workers, .trials = trials, .thinks = thinks};
    struct comm_world world = {.seed = 1, .latency = 1e-5};
    struct run_progress progress = {0};
    struct err e;
    thought = 0;
    (void)!simulate_in(dir, study, options, &world, &progress, &e);
    return progress;
}

/* The text of the journal; str_free() it. */
static struct str journal_text(void)
{
    char path[128];
    struct str text = {0};
    struct err e = {0};
    snprintf(path, sizeof path, "%s/journal", dir);
    if (str_read_file(&text, path, 1 << 24, &e))
        printf("# %s\n", e.message);
    return text;
}

static size_t count(const struct str *text, const char *what)
{
    size_t found = 0;
    for (const char *at = text->text; at && (at = strstr(at, what)); at++)
        found++;
    return found;
}

/* ---- the rule ---- */

static void the_account(void)
{
    struct thinking t = {.spent = 1, .cost = 0.5, .known = 100, .has_model = true};
    struct thinking fresh = {.trials = 20000, .cost = 1e-6, .known = 2};
    ok(!thinking_affords(&t, 10, 100) && thinking_affords(&t, 20, 100),
       "a thorough suggestion waits until enough time has passed to pay for it");
    ok(!thinking_affords(&t, 20, 1000), "with many more results it is expected to cost more");
    t.trials = 3;
    ok(thinking_affords(&t, 0, 100), "a study in which all thinking takes little is left alone");
    ok(!thinking_affords(&fresh, 0.1, 2) && thinking_affords(&fresh, 0.12, 2),
       "the first model of many fast trials has to be paid for as well");
    fresh.trials = 1000;
    ok(thinking_affords(&fresh, 0, 2), "but not that of a small study");
}

static void fast_trials(void)
{
    struct study study;
    parse(&study, 0.01, "");
    struct run_progress p = run(&study, 2, 2000, NULL);
    struct str text = journal_text();
    ok(p.ended == 2000 && p.quick > 1500, "fast trials: most suggestions are quick");
    ok(thought > 0.05 * p.elapsed && thought <= 0.1 * p.elapsed,
       "thinking takes at most a tenth of the time, and not much less");
    size_t there = count(&text, "\"quick\":true"), back = count(&text, "\"quick\":false");
    ok(back > 3 && there >= back, "thorough suggestions come in between");
    ok(there + back < 200, "and the journal has one record per change");
    printf("# %zu changes, %.3f of the time\n", there + back, thought / p.elapsed);
    str_free(&text);
    study_free(&study);
    folder_remove(dir);
}

/* True when the journal of such a run has no record about quick suggestions. */
static bool stays(double seconds, const char *search, uint64_t trials)
{
    struct study study;
    parse(&study, seconds, search);
    struct run_progress p = run(&study, 2, trials, NULL);
    struct str text = journal_text();
    bool whole = p.ended == trials && p.quick == 0 && count(&text, "\"pace\"") == 0;
    str_free(&text);
    study_free(&study);
    folder_remove(dir);
    return whole;
}

/* ---- resuming ---- */

static void ignore_trial(void *self, size_t index, const double *point, uint64_t line, bool again)
{
    (void)line;
    (void)self, (void)index, (void)point, (void)again;
}

/* True when a search that replays the journal suggests this point next. */
static bool suggests(const struct search_settings *settings, const struct journal *journal,
                     const double *expected)
{
    const struct space *space = &journal->study.space;
    struct search *search = search_create(settings, space);
    struct best best;
    struct err e = {0};
    double point[2];
    best_init(&best, 1, settings->maximize, 2, false);
    struct replay replay = {
        .journal = journal, .search = search, .best = &best, .trial = ignore_trial};
    bool same = replay_journal(&replay, &e) == 0 && search_ask(search, point) == SEARCH_POINT &&
                space_same(space, point, expected);
    best_free(&best);
    search_free(search);
    return same;
}

/* Makes a study of the first `length` bytes of a journal: its process was killed then. */
static void cut(const struct str *text, size_t length, const char *part)
{
    char path[128];
    snprintf(path, sizeof path, "%s/journal", part);
    FILE *file = fopen(path, "w");
    if (!file || fwrite(text->text, 1, length, file) != length || fclose(file))
        printf("# cannot write %s\n", path);
}

/* A study of one worker, killed before each of its trials. */
static void killed_anywhere(const struct study *study, uint64_t trials)
{
    struct journal whole, part;
    struct err e = {0};
    struct str text = journal_text();
    struct search_settings settings = study->search;
    char killed[96];
    size_t wrong = 0, quick = 0, seen = 0;
    settings.trials = trials;
    settings.workers = 1;
    snprintf(killed, sizeof killed, "%s/killed.wick", folder);
    (void)!mkdir(killed, 0700);
    if (journal_load(&whole, dir, &e))
        printf("# %s\n", e.message);
    for (const char *at = text.text; (at = strstr(at, "\n{\"start\":")); at++, seen++) {
        double expected[2];
        cut(&text, (size_t)(at + 1 - text.text), killed);
        if (journal_point(&whole, seen, expected, &e) || journal_load(&part, killed, &e))
            break;
        wrong += !suggests(&settings, &part, expected);
        quick += part.quick;
        journal_free(&part);
    }
    ok(seen == trials && wrong == 0,
       "killed before any of its trials, a resumed search suggests the same next %s", e.message);
    ok(quick > trials / 4 && quick < trials - 5, "be it quick or thorough");
    folder_remove(killed);
    journal_free(&whole);
    str_free(&text);
}

static void resumed(void)
{
    enum { TRIALS = 60, MORE = 90 };
    struct study study;
    struct journal journal;
    struct err e = {0};
    parse(&study, 0.1, "");
    run(&study, 1, TRIALS, NULL);
    killed_anywhere(&study, TRIALS);
    ok(journal_load(&journal, dir, &e) == 0 && journal.quick && journal.cost >= 0.04,
       "the journal knows that the last suggestion was quick");
    struct run_progress p = run(&study, 1, MORE, &journal);
    struct str text = journal_text();
    ok(p.ended == MORE && !strstr(text.text, "{\"pace\":61,"), "it goes on with a quick one");
    ok(p.quick > 0 && thought <= 0.1 * p.elapsed, "and thinks again when there was time for it");
    str_free(&text);
    journal_free(&journal);
    study_free(&study);
    folder_remove(dir);
}

int main(void)
{
    if (!folder_open())
        return 1;
    snprintf(dir, sizeof dir, "%s/study.wick", folder);
    the_account();
    fast_trials();
    ok(stays(60, "", 100), "long trials: the search thinks about each of them");
    ok(stays(0.01, "", 20), "a small study: it thinks about each of them");
    ok(stays(0.01, ", reproducible: true", 100), "reproducible: time makes no difference");
    ok(stays(0.01, ", batch: 4", 100), "rounds: time makes no difference");
    ok(stays(0.01, ", algorithm: tpe", 100), "an algorithm that the user named is left alone");
    resumed();
    return tap_end();
}
