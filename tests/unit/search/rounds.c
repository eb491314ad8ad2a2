/* rounds.c - `batch`: suggestions of any algorithm in rounds, each of which waits for the last. */
#include "bowl.h"
#include "tap.h"

enum { TRIALS = 42, BATCH = 6, LIST = 20 };

struct run {
    size_t count, running;
    double points[TRIALS][MOST];
    uint64_t open[TRIALS]; /* running trials */
    bool mixed;            /* trials of two rounds ran side by side */
};

static void end_one(struct search *search, const struct space *space, struct random *random,
                    struct run *run)
{
    size_t at = (size_t)random_below(random, run->running);
    uint64_t k = run->open[at];
    struct search_result result = {.good = k % 5 != 3, .scores = {bowl(space, run->points[k])}};
    search_tell(search, k, &result);
    run->open[at] = run->open[--run->running];
}

static bool ask_one(struct search *search, struct run *run)
{
    size_t k = run->count;
    if (k == TRIALS || search_ask(search, run->points[k]) != SEARCH_POINT)
        return false;
    for (size_t i = 0; i < run->running; i++)
        run->mixed = run->mixed || run->open[i] / BATCH != k / BATCH;
    run->open[run->running++] = run->count++;
    return true;
}

/* Runs as many trials at a time as the search gives, up to `most`; `order` seeds their ends. */
static void run_search(const struct search_settings *settings, const struct space *space,
                       uint64_t order, size_t most, struct run *run)
{
    struct search *search = search_create(settings, space);
    struct random random;
    random_seed(&random, order, 1);
    *run = (struct run){0};
    for (bool more = true; more; more = run->running > 0) {
        while (run->running < most && ask_one(search, run))
            continue;
        if (run->running > 0)
            end_one(search, space, &random, run);
        if (run->running == 0)
            (void)ask_one(search, run); /* the first of a round, or the end */
    }
    search_free(search);
}

static void test_algorithm(const char *algorithm)
{
    enum { ORDERS = 8 };
    static struct run run, other;
    static double list[LIST * MOST];
    struct fixture f;
    fixture_open(&f, build_floats);
    bool is_list = strcmp(algorithm, "list") == 0;
    struct search_settings settings = {.algorithm = algorithm,
                                       .seed = 3,
                                       .trials = TRIALS,
                                       .levels = 7,
                                       .list = list,
                                       .list_count = is_list ? LIST : 0,
                                       .batch = BATCH};
    size_t wrong = 0;
    run_search(&settings, &f.space, 1, TRIALS, &run);
    ok(run.count == (is_list ? LIST : TRIALS), "%s: rounds come to their end, with %d trials",
       algorithm, (int)run.count);
    ok(!run.mixed, "%s: a round waits for all of the last", algorithm);
    for (uint64_t order = 2; order < 2 + ORDERS; order++) {
        run_search(&settings, &f.space, order, order, &other);
        wrong += other.count != run.count || other.mixed;
        for (size_t i = 0; i < run.count && i < other.count; i++)
            wrong += !space_same(&f.space, run.points[i], other.points[i]);
    }
    ok(wrong == 0, "%s: neither the order of results nor how many run makes a difference",
       algorithm);
    fixture_close(&f);
}

/* Brought to a place inside a round by a replay, the search waits and continues as before. */
static void test_replay(void)
{
    static struct run run;
    double point[MOST];
    struct fixture f;
    fixture_open(&f, build_floats);
    struct search_settings settings = {.algorithm = "forest", .seed = 3, .batch = BATCH};
    run_search(&settings, &f.space, 1, TRIALS, &run);
    struct search *search = search_create(&settings, &f.space);
    enum { BEFORE = 3 * BATCH + 2 };
    for (size_t k = 0; k < BEFORE; k++)
        search_replay(search, run.points[k]);
    for (uint64_t k = BEFORE; k-- > 1;) {
        struct search_result result = {.good = k % 5 != 3,
                                       .scores = {bowl(&f.space, run.points[k])}};
        search_tell(search, k, &result);
    }
    ok(search_ask(search, point) == SEARCH_WAIT, "a result of the first round is missing");
    struct search_result result = {.good = true, .scores = {bowl(&f.space, run.points[0])}};
    search_tell(search, 0, &result);
    ok(search_ask(search, point) == SEARCH_POINT && space_same(&f.space, point, run.points[BEFORE]),
       "the round goes on as it would have");
    search_free(search);
    fixture_close(&f);
}

/* A point of the user's begins the next round if the last one is full. */
static void test_added(void)
{
    double point[MOST];
    struct fixture f;
    struct search_result good = {.good = true, .scores = {1}};
    fixture_open(&f, build_floats);
    struct search_settings settings = {.algorithm = "random", .seed = 3, .batch = 2};
    struct search *search = search_create(&settings, &f.space);
    (void)search_ask(search, point);
    (void)search_ask(search, point);
    ok(search_ask(search, point) == SEARCH_WAIT, "a round is full");
    search_add(search, point);
    ok(search_ask(search, point) == SEARCH_WAIT, "the next one has begun, and waits");
    search_tell(search, 1, &good);
    search_tell(search, 0, &good);
    ok(search_ask(search, point) == SEARCH_POINT, "it has one more place");
    ok(search_ask(search, point) == SEARCH_WAIT, "and no second");
    search_free(search);
    fixture_close(&f);
}

/* A stopped trial continues: its own round waits for it, later rounds do not. */
static void test_retracted(const char *algorithm)
{
    enum { ROUND = 4 };
    double point[MOST];
    struct fixture f;
    struct search_result stopped = {.good = true, .scores = {1}, .stopped = true};
    fixture_open(&f, build_floats);
    struct search_settings settings = {.algorithm = algorithm, .seed = 3, .batch = ROUND};
    struct search *search = search_create(&settings, &f.space);
    for (uint64_t k = 0; k < ROUND; k++)
        (void)search_ask(search, point);
    for (uint64_t k = 0; k < ROUND; k++)
        search_tell(search, k, &stopped);
    search_retract(search, 1);
    ok(search_ask(search, point) == SEARCH_WAIT, "%s: a round waits for what goes on", algorithm);
    search_tell(search, 1, &stopped);
    ok(search_ask(search, point) == SEARCH_POINT, "%s: and is over after that", algorithm);
    search_retract(search, 2);
    for (uint64_t k = ROUND + 1; k < 2 * ROUND; k++)
        (void)search_ask(search, point);
    for (uint64_t k = ROUND; k < 2 * ROUND; k++)
        search_tell(search, k, &stopped);
    ok(search_ask(search, point) == SEARCH_POINT, "%s: no later round waits", algorithm);
    search_tell(search, 2, &stopped);
    ok(search_ask(search, point) == SEARCH_POINT, "%s: what came of it is taken", algorithm);
    search_free(search);
    fixture_close(&f);
}

/* Generations of another size than the rounds are not waited for: nothing would ever continue. */
static void test_barrier(void)
{
    static struct run run;
    struct fixture f;
    fixture_open(&f, build_floats);
    struct search_settings settings = {
        .algorithm = "genetic", .seed = 3, .batch = BATCH, .has_options = true};
    const struct option *options = search_options("genetic");
    for (size_t i = 0; i < SEARCH_OPTIONS; i++)
        settings.options[i] = NAN;
    for (size_t i = 0; options[i].name; i++) {
        if (strcmp(options[i].name, "barrier") == 0)
            settings.options[i] = 1;
        if (strcmp(options[i].name, "population_size") == 0)
            settings.options[i] = 10;
    }
    run_search(&settings, &f.space, 1, TRIALS, &run);
    ok(run.count == TRIALS && !run.mixed, "generations of ten, in rounds of six");
    fixture_close(&f);
}

int main(void)
{
    for (const char *const *name = search_names(); *name; name++)
        test_algorithm(*name);
    test_algorithm("list");
    test_replay();
    test_added();
    test_barrier();
    test_retracted("forest");
    test_retracted("random");
    return tap_end();
}
