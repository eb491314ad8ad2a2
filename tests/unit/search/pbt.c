/* Population-based training: it follows a moving optimum, and resumes exactly. */
#include "search/search.h"
#include "spaces.h"
#include "tap.h"

enum { MEMBERS = 8, TRIALS = 400, WORKERS = 4 };

/*
 * In this model of training, a trial has reached a level, which is its checkpoint. The best rate
 * falls as the level rises, as learning rates do: a member that keeps one rate gets stuck.
 */
static double train(double level, double rate)
{
    for (int i = 0; i < 5; i++) {
        double off = log(rate) - log(0.1 * exp(-0.5 * level));
        level += 0.2 * exp(-off * off);
    }
    return level;
}

static void build_rate(struct fixture *f)
{
    add_range(f, "rate", PARAMETER_FLOAT, 1e-6, 1)->log = true;
}

/* Trials, where each of them began and what it reached, and the order in which they ended. */
struct run {
    double points[TRIALS];
    int64_t origins[TRIALS];
    double levels[TRIALS];
    size_t count, ends[TRIALS], end_count;
    size_t told_before[TRIALS];
    double best;
};

static bool fails(size_t k)
{
    return k % 37 == 36;
}

static struct search_result result_of(const struct run *run, size_t k)
{
    return (struct search_result){.good = !fails(k), .scores = {run->levels[k]}};
}

static void end_one(struct search *search, struct run *run, struct random *random, size_t *running,
                    size_t *running_count)
{
    size_t at = (size_t)random_below(random, *running_count), k = running[at];
    double from = run->origins[k] >= 0 ? run->levels[run->origins[k]] : 0;
    run->levels[k] = train(from, run->points[k]);
    run->best = fmax(run->best, fails(k) ? 0 : run->levels[k]);
    running[at] = running[--*running_count];
    run->ends[run->end_count++] = k;
    struct search_result result = result_of(run, k);
    search_tell(search, k, &result);
}

static struct search_settings settings_of(uint64_t seed, double exploit)
{
    struct search_settings settings = {.algorithm = "pbt",
                                       .seed = seed,
                                       .trials = TRIALS,
                                       .objectives = 1,
                                       .maximize = {true},
                                       .has_options = true};
    for (size_t i = 0; i < SEARCH_OPTIONS; i++)
        settings.options[i] = NAN;
    settings.options[0] = MEMBERS;
    settings.options[1] = exploit;
    return settings;
}

static void run_study(struct run *run, uint64_t seed, double exploit)
{
    struct fixture f;
    struct search_settings settings = settings_of(seed, exploit);
    size_t running[WORKERS], running_count = 0;
    struct random random;
    fixture_open(&f, build_rate);
    struct search *search = search_create(&settings, &f.space);
    random_seed(&random, seed, 3);
    *run = (struct run){0};
    while (run->end_count < TRIALS) {
        size_t k = run->count;
        if (running_count < WORKERS && k < TRIALS &&
            search_ask(search, &run->points[k]) == SEARCH_POINT) {
            run->origins[k] = search_origin(search);
            run->told_before[k] = run->end_count;
            running[running_count++] = run->count++;
        } else {
            end_one(search, run, &random, running, &running_count);
        }
    }
    search_free(search);
    fixture_close(&f);
}

/* With exploit 0 every member keeps its rate, which makes it a random search of the same cost. */
static void it_beats_random(void)
{
    enum { SEEDS = 20 };
    static struct run run;
    double evolved = 0, kept = 0;
    int better = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run_study(&run, seed, 0.25);
        double level = run.best;
        run_study(&run, seed, 0);
        better += level > run.best;
        evolved += level / SEEDS;
        kept += run.best / SEEDS;
    }
    printf("# level %.2f, and %.2f with rates that are kept\n", evolved, kept);
    ok(better == SEEDS && evolved > 1.5 * kept,
       "it follows an optimum that moves, better than rates that are kept in %d of %d", better,
       (int)SEEDS);
}

static void origins_are_right(void)
{
    static struct run run;
    size_t wrong = 0, own = 0, others = 0;
    run_study(&run, 1, 0.25);
    for (size_t k = 0; k < TRIALS; k++) {
        int64_t origin = run.origins[k];
        if (k < MEMBERS || origin < 0) {
            wrong += k >= MEMBERS || origin >= 0;
            continue;
        }
        bool ended = false;
        for (size_t i = 0; i < run.told_before[k]; i++)
            ended = ended || run.ends[i] == (size_t)origin;
        wrong += !ended || fails((size_t)origin);
        size_t turn = run.ends[k - MEMBERS];
        bool goes_on = turn == (size_t)origin;
        own += goes_on;
        others += !goes_on;
        wrong += goes_on && run.points[k] != run.points[origin];
        wrong += fails(turn) && goes_on;
    }
    ok(wrong == 0, "a trial goes on from one that has ended and not failed");
    ok(own > others && others > TRIALS / 10, "%d go on by themselves, %d from a better one",
       (int)own, (int)others);
}

static void it_resumes(void)
{
    static struct run run;
    struct fixture f;
    size_t wrong = 0;
    run_study(&run, 2, 0.25);
    fixture_open(&f, build_rate);
    for (size_t k = 1; k < TRIALS; k += 11) {
        struct search_settings settings = settings_of(2, 0.25);
        struct search *search = search_create(&settings, &f.space);
        double point;
        for (size_t i = 0; i < k; i++)
            search_replay(search, &run.points[i]);
        for (size_t i = 0; i < run.told_before[k]; i++) {
            struct search_result result = result_of(&run, run.ends[i]);
            search_tell(search, run.ends[i], &result);
        }
        wrong += search_ask(search, &point) != SEARCH_POINT || point != run.points[k] ||
                 search_origin(search) != run.origins[k];
        search_free(search);
    }
    ok(wrong == 0, "after a resume it goes on from the same checkpoints with the same parameters");
    fixture_close(&f);
}

/* A checkpoint that is no longer needed never becomes an origin. */
static void checkpoints_that_are_needed(void)
{
    static struct run run;
    struct fixture f;
    struct search_settings settings = settings_of(3, 0.25);
    bool gone[TRIALS] = {false};
    size_t wrong = 0, most = 0;
    run_study(&run, 3, 0.25);
    fixture_open(&f, build_rate);
    struct search *search = search_create(&settings, &f.space);
    for (size_t k = 0, told = 0; k < TRIALS; k++) {
        for (; told < run.told_before[k]; told++) {
            struct search_result result = result_of(&run, run.ends[told]);
            search_tell(search, run.ends[told], &result);
        }
        size_t kept = 0;
        for (size_t i = 0; i < told; i++) {
            bool needed = search_needs(search, run.ends[i]);
            wrong += needed && gone[run.ends[i]];
            gone[run.ends[i]] = !needed;
            kept += needed;
        }
        most = kept > most ? kept : most;
        wrong += run.origins[k] >= 0 && gone[run.origins[k]];
        search_replay(search, &run.points[k]);
    }
    ok(wrong == 0 && most == MEMBERS, "one checkpoint a member is needed, and no other");
    search_free(search);
    fixture_close(&f);
}

/* The user's own points come while all members are busy, and end first. */
static void the_users_own_points(void)
{
    struct fixture f;
    struct search_settings settings = settings_of(4, 0.25);
    fixture_open(&f, build_rate);
    struct search *search = search_create(&settings, &f.space);
    struct search_result result = {.good = true, .scores = {1}};
    double point = 0.01;
    bool right = true;
    for (int i = 0; i < MEMBERS; i++)
        right = right && search_ask(search, &point) == SEARCH_POINT;
    right = right && search_ask(search, &point) == SEARCH_WAIT;
    for (int i = 0; i < 3; i++)
        search_add(search, &point);
    for (uint64_t k = MEMBERS + 3; k-- > 0;)
        search_tell(search, k, &result);
    for (int i = 0; i < MEMBERS; i++)
        right = right && search_ask(search, &point) == SEARCH_POINT && search_origin(search) >= 0;
    ok(right && search_ask(search, &point) == SEARCH_WAIT, "points of the user's own take a turn");
    search_free(search);
    fixture_close(&f);
}

static void it_says_what_cannot_be(void)
{
    struct fixture f;
    struct err e = {0};
    struct search_settings settings = settings_of(1, 0.25);
    fixture_open(&f, build_rate);
    settings.reproducible = true;
    ok(search_check(&settings, &f.space, &e) && strstr(e.message, "more members than `lag`"),
       "reproducible: a lag that is too large is refused");
    settings.lag = MEMBERS - 1;
    e = (struct err){0};
    ok(search_check(&settings, &f.space, &e) == 0, "reproducible: a smaller one is not");
    settings.objectives = 2;
    ok(search_check(&settings, &f.space, &e) && strstr(e.message, "one score"),
       "several objectives are refused");
    fixture_close(&f);
}

int main(void)
{
    it_beats_random();
    origins_are_right();
    it_resumes();
    checkpoints_that_are_needed();
    the_users_own_points();
    it_says_what_cannot_be();
    return tap_end();
}
