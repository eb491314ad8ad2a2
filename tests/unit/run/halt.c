/* halt.c - a run whose trials fail alike is halted, and no other. */
#include "folder.h"
#include "worlds.h"

struct result {
    enum journal_end end;
    size_t started, done, failed, cut; /* cut: they ran when the run ended */
};

/* Runs a study in a simulated world and counts how its trials ended. */
static struct result simulate(const char *text, unsigned workers, uint64_t trials, uint64_t seed)
{
    struct study study;
    struct journal journal;
    struct err e = {0};
    char dir[128];
    struct comm_world world = {.seed = seed, .latency = 0.001};
    struct run_options options = {
        .workers = workers, .trials = trials, .rules = {.servers = 1, .batch = 1}};
    struct run_progress progress = {0};
    struct result result = {0};
    snprintf(dir, sizeof dir, "%s/study", folder);
    parse_text(&study, text);
    study.search.seed = seed;
    simulate_in(dir, &study, options, &world, &progress, &e);
    if (!e.code && !journal_load(&journal, dir, &e)) {
        struct journal_counts counts;
        journal_count(&journal, &counts);
        result = (struct result){.end = progress.end,
                                 .started = journal.count,
                                 .done = counts.states[OUTCOME_DONE],
                                 .failed = counts.failed,
                                 .cut = counts.states[OUTCOME_INTERRUPTED]};
        if (progress.end == END_HALTED && progress.alike != counts.failed)
            printf("# seed %llu: %llu failed alike, and %zu failed\n", (unsigned long long)seed,
                   (unsigned long long)progress.alike, counts.failed);
        journal_free(&journal);
    }
    folder_remove(dir);
    study_free(&study);
    return result;
}

/* Without its metric, each of them fails after some seconds. */
#define FAILING(more)                                                                              \
    "model: {function: sleep, metrics: [m]}\nspace: {seconds: {float: [5, 10]}}\n"                 \
    "constraints: ['m < 1']\nsearch: {algorithm: random" more "}\n"

static void all_fail(void)
{
    struct result one = simulate(FAILING(""), 1, 100, 1);
    ok(one.end == END_HALTED && one.started == 10 && one.failed == 10,
       "one worker: it is halted after 10 trials");
    struct result many = simulate(FAILING(""), 1000, 100000, 1);
    ok(many.end == END_HALTED && many.started <= 1010 && many.failed == many.started,
       "1000 workers: those that run fail, too, and %zu were started", many.started);
    struct result three = simulate(FAILING(", halt: 3"), 1, 100, 1);
    ok(three.end == END_HALTED && three.started == 3, "the study says after how many");
    struct result off = simulate(FAILING(", halt: off"), 4, 50, 1);
    ok(off.end == END_DONE && off.failed == 50, "or that it is never halted");
    struct result few = simulate(FAILING(""), 4, 9, 1);
    ok(few.end == END_DONE && few.failed == 9, "nine failures are too few");
}

/* `bad` fails at once, since it has no time; `good` takes its time. */
#define MIXED(algorithm, kinds, seconds)                                                           \
    "model: {function: sleep}\nspace:\n  kind: {choice: [" kinds "]}\n"                            \
    "  seconds: {float: [" seconds "], when: {kind: good}}\n"                                      \
    "search: {algorithm: " algorithm "}\n"

/*
 * Failures come before the first success could. A run may be halted only if nothing ran at the
 * tenth failure that could have succeeded.
 */
static void a_success_comes_late(const char *name, const char *text)
{
    const uint64_t seeds = (uint64_t)tap_seeds(100);
    size_t wrong = 0, halted = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct result result = simulate(text, 4 + (unsigned)(seed % 30), 60, seed);
        bool is_halted = result.end == END_HALTED;
        halted += is_halted;
        if (is_halted)
            wrong += result.done > 0 || result.cut > 0 || result.failed < 10;
        else
            wrong += result.end != END_DONE || result.done + result.failed != 60;
    }
    ok(wrong == 0 && halted < seeds / 2,
       "%s: a success among failures counts, however late it comes (%zu halted)", name, halted);
}

/* A trial that outlives the failures excuses ten more of them, even if it never ends. */
static void survivors(void)
{
    static const char text[] = "model: {function: sleep}\nspace:\n  kind: {int: [0, 60]}\n"
                               "  seconds: {float: [50000, 60000], when: {kind: 0}}\n"
                               "search: {algorithm: grid, levels: 1}\n";
    struct result result = simulate(text, 2, 0, 1);
    ok(result.end == END_HALTED && result.failed == 20 && result.cut == 1,
       "a trial that hangs excuses ten failures, and is ended");
    const uint64_t seeds = (uint64_t)tap_seeds(50);
    size_t wrong = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct result long_ones = simulate(MIXED("random", "good, bad", "100, 200"), 8, 100, seed);
        wrong += long_ones.end == END_HALTED
                     ? long_ones.done > 0 || long_ones.failed < 10 * (1 + long_ones.cut)
                     : long_ones.end != END_DONE;
    }
    ok(wrong == 0, "each trial that runs on excuses as many");
}

int main(void)
{
    if (!folder_open())
        return 1;
    all_fail();
    a_success_comes_late("random", MIXED("random", "good, bad", "5, 10"));
    a_success_comes_late("one of four", MIXED("random", "good, bad, worse, worst", "5, 10"));
    a_success_comes_late("tpe", MIXED("tpe", "good, bad", "5, 10"));
    survivors();
    folder_remove(folder);
    return tap_end();
}
