/* What holds for every algorithm that learns: in any space, for any results, in any order. */
#include "search/search.h"
#include "spaces.h"
#include "tap.h"

enum { LIMIT = 200, RUNNING = 5, SHORT = 45 };

/* What the trials report. */
enum truth { SMOOTH, ALL_FAIL, ALL_EQUAL, HUGE, SOME_FAIL, TRUTHS };
static const char *const truth_names[] = {"a bowl", "all fail", "all are equal",
                                          "scores of all sizes", "some fail"};

static struct search_result evaluate(const struct space *space, enum truth truth,
                                     const double *point)
{
    struct search_result result = {.good = true};
    double sum = 0, other = 0;
    for (size_t i = 0; i < space->count; i++) {
        double unit = isnan(point[i]) ? 0.5 : space_unit(&space->parameters[i], point[i]);
        sum += (unit - 0.3) * (unit - 0.3);
        other += (unit - 0.8) * (unit - 0.8);
    }
    result.scores[0] = truth == ALL_EQUAL ? 1 : sum;
    result.scores[1] = other;
    if (truth == HUGE)
        result.scores[0] = sum > 0.4 ? 1e300 : sum > 0.2 ? -1e-300 : -1e300 * sum;
    result.good = truth != ALL_FAIL && !(truth == SOME_FAIL && sum > 0.3);
    result.violation = truth == SOME_FAIL && sum < 0.05 ? 0.1 : 0;
    return result;
}

/* It continues training with the same parameters, and waits when all its members are busy. */
static bool repeats(const char *algorithm)
{
    return strcmp(algorithm, "pbt") == 0;
}

/* A study with several trials at a time: points, and the order in which they ended. */
struct run {
    double points[LIMIT][MOST];
    size_t count, ends[LIMIT], end_count;
    size_t told_before[LIMIT]; /* number of trials that had ended when the point was suggested */
    bool ended;
};

/* Asks while fewer than `most` trials run; otherwise ends one of them, chosen at random. */
static void go_on(struct search *search, const struct space *space, enum truth truth,
                  struct random *random, size_t most, size_t limit, struct run *run)
{
    size_t running[LIMIT], running_count = 0;
    bool waits = false;
    for (size_t k = 0; k < run->count; k++) {
        bool has_ended = false;
        for (size_t i = 0; i < run->end_count; i++)
            has_ended = has_ended || run->ends[i] == k;
        if (!has_ended)
            running[running_count++] = k;
    }
    while (run->end_count < limit && !(run->ended && running_count == 0)) {
        bool full = running_count == most || run->ended || waits || run->count == limit;
        if (!full) {
            enum search_answer answer = search_ask(search, run->points[run->count]);
            run->ended = answer == SEARCH_END;
            waits = answer == SEARCH_WAIT;
            if (answer == SEARCH_POINT) {
                run->told_before[run->count] = run->end_count;
                running[running_count++] = run->count++;
            }
            continue;
        }
        if (running_count == 0)
            return; /* it waits for nothing: the caller notices that too few points came */
        size_t at = (size_t)random_below(random, running_count), k = running[at];
        struct search_result result = evaluate(space, truth, run->points[k]);
        running[at] = running[--running_count];
        run->ends[run->end_count++] = k;
        search_tell(search, k, &result);
        waits = false;
    }
}

static void run_search(const struct search_settings *settings, const struct space *space,
                       enum truth truth, uint64_t order, size_t most, size_t limit, struct run *run)
{
    struct search *search = search_create(settings, space);
    struct random random;
    random_seed(&random, order, 1);
    *run = (struct run){.count = 0};
    go_on(search, space, truth, &random, most, limit, run);
    search_free(search);
}

static bool same_points(const struct space *space, const struct run *a, const struct run *b,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!space_same(space, a->points[i], b->points[i]))
            return false;
    return a->count >= count && b->count >= count;
}

/* Brought to suggestion k from what a journal holds, the search suggests the same point. */
static bool resumes(const struct search_settings *settings, const struct space *space,
                    enum truth truth, const struct run *run)
{
    double point[MOST];
    for (size_t k = 0; k < run->count; k += 7) {
        struct search *search = search_create(settings, space);
        for (size_t i = 0; i < k; i++)
            search_replay(search, run->points[i]);
        for (size_t i = 0; i < run->told_before[k]; i++) {
            struct search_result result = evaluate(space, truth, run->points[run->ends[i]]);
            search_tell(search, run->ends[i], &result);
        }
        bool same =
            search_ask(search, point) == SEARCH_POINT && space_same(space, point, run->points[k]);
        search_free(search);
        if (!same)
            return false;
    }
    return true;
}

static void test_space(const char *algorithm, const struct fixture_case *where)
{
    static struct run run, again, other;
    struct fixture f;
    fixture_open(&f, where->build);
    struct search_settings settings = {.algorithm = algorithm, .seed = 1, .trials = SHORT};
    bool proper = true;
    run_search(&settings, &f.space, SMOOTH, 1, RUNNING, SHORT, &run);
    run_search(&settings, &f.space, SMOOTH, 1, RUNNING, SHORT, &again);
    settings.seed = 2;
    run_search(&settings, &f.space, SMOOTH, 1, RUNNING, SHORT, &other);
    settings.seed = 1;
    for (size_t i = 0; i < run.count; i++)
        proper = proper && is_proper(&f.space, run.points[i]);
    bool small = where->points && where->points < SHORT && !repeats(algorithm);
    size_t enough = small ? where->points : SHORT;
    ok(run.count == enough && proper, "%s, %s: only allowed points", algorithm, where->name);
    ok(same_points(&f.space, &run, &again, run.count), "%s, %s: a seed gives the same points",
       algorithm, where->name);
    ok(!same_points(&f.space, &run, &other, run.count), "%s, %s: another seed gives others",
       algorithm, where->name);
    ok(resumes(&settings, &f.space, SMOOTH, &run), "%s, %s: it resumes from the results", algorithm,
       where->name);
    if (!repeats(algorithm))
        ok(all_differ(&f.space, run.points, run.count), "%s, %s: no point twice", algorithm,
           where->name);
    fixture_close(&f);
}

/* In a finite space every point comes once, and then the end. */
static void test_exhaustion(const char *algorithm)
{
    static struct run run;
    struct fixture f;
    fixture_open(&f, build_conditional);
    struct search_settings settings = {.algorithm = algorithm, .seed = 3};
    run_search(&settings, &f.space, SMOOTH, 1, 3, LIMIT, &run);
    ok(run.ended && run.count == 48 && all_differ(&f.space, run.points, run.count),
       "%s: every point of a finite space once", algorithm);
    fixture_close(&f);
}

static void test_truths(const char *algorithm)
{
    static struct run run;
    struct fixture f;
    fixture_open(&f, build_mixed);
    for (enum truth truth = ALL_FAIL; truth < TRUTHS; truth++)
        for (size_t objectives = 1; objectives <= 2; objectives++) {
            struct search_settings settings = {
                .algorithm = algorithm, .seed = 1, .trials = SHORT, .objectives = objectives};
            run_search(&settings, &f.space, truth, 1, RUNNING, SHORT, &run);
            bool proper = true;
            for (size_t i = 0; i < run.count; i++)
                proper = proper && is_proper(&f.space, run.points[i]);
            ok(run.count == SHORT && proper, "%s: %s, %d objectives", algorithm, truth_names[truth],
               (int)objectives);
        }
    fixture_close(&f);
}

static void test_reproducible(const char *algorithm)
{
    enum { ORDERS = 8 };
    static struct run run, other;
    struct fixture f;
    fixture_open(&f, build_conditional_floats);
    struct search_settings settings = {
        .algorithm = algorithm, .seed = 1, .trials = SHORT, .reproducible = true, .lag = 6};
    size_t wrong = 0;
    run_search(&settings, &f.space, SMOOTH, 1, 1, SHORT, &run);
    for (uint64_t order = 1; order <= ORDERS; order++) {
        run_search(&settings, &f.space, SMOOTH, order, order, SHORT, &other);
        wrong += !same_points(&f.space, &run, &other, SHORT);
    }
    ok(wrong == 0, "%s: reproducible with 1 to %d at a time", algorithm, ORDERS);
    fixture_close(&f);
}

/* Earlier results count, the user's own points take a number, and rejected points do not. */
static void test_company(const char *algorithm)
{
    struct fixture f;
    fixture_open(&f, build_floats);
    struct search_settings settings = {.algorithm = algorithm, .seed = 1, .trials = SHORT};
    struct search *search = search_create(&settings, &f.space);
    struct random random;
    double point[MOST], units[MOST], refused[MOST];
    bool right = true;
    random_seed(&random, 5, 5);
    for (int i = 0; i < 20; i++) {
        for (size_t j = 0; j < f.space.count; j++)
            units[j] = random_unit(&random);
        space_point(&f.space, units, point);
        struct search_result result = evaluate(&f.space, SMOOTH, point);
        search_learn(search, point, &result);
    }
    for (uint64_t k = 0; k < 40; k++) {
        if (k % 5 == 4) {
            right = right && search_ask(search, refused) == SEARCH_POINT && search_refuse(search) &&
                    search_asked(search) == k;
            search_add(search, point); /* the previous point again */
        } else if (k % 5 == 2) {
            right = right && search_ask(search, refused) == SEARCH_POINT && search_refuse(search) &&
                    search_ask(search, point) == SEARCH_POINT &&
                    !space_same(&f.space, point, refused);
        } else {
            right = right && search_ask(search, point) == SEARCH_POINT;
        }
        struct search_result result = evaluate(&f.space, SMOOTH, point);
        right = right && search_asked(search) == k + 1 && is_proper(&f.space, point);
        if (k % 3 != 0)
            search_tell(search, k, &result);
    }
    ok(right, "%s: with earlier results, the user's own points and refused ones", algorithm);
    search_free(search);
    fixture_close(&f);
}

/*
 * Trials that were stopped continue and have better results later: the search is then in the same
 * state as one that was told only the later results.
 */
static void test_retract(const char *algorithm)
{
    enum { COUNT = 40, BACK = 3 };
    struct fixture f;
    fixture_open(&f, build_mixed);
    struct search_settings settings = {.algorithm = algorithm, .seed = 1, .trials = SHORT};
    struct search *search = search_create(&settings, &f.space);
    struct search *other = search_create(&settings, &f.space);
    struct search_result results[COUNT], early = {.good = true, .scores = {-5}, .stopped = true};
    double point[MOST], expected[MOST];
    for (uint64_t k = 0; k < COUNT; k++) {
        search_ask(search, point);
        search_replay(other, point);
        results[k] = evaluate(&f.space, SMOOTH, point);
        search_tell(search, k, k % 8 == 0 ? &early : &results[k]);
        if (k % 8 == BACK)
            search_retract(search, k - BACK);
        if (k % 8 == 2 * BACK)
            search_tell(search, k - 2 * BACK, &results[k - 2 * BACK]);
    }
    for (uint64_t k = 0; k < COUNT; k++) {
        if (k % 8 != 0)
            search_tell(other, k, &results[k]);
        if (k % 8 == 2 * BACK)
            search_tell(other, k - 2 * BACK, &results[k - 2 * BACK]);
    }
    ok(search_ask(search, point) == SEARCH_POINT && search_ask(other, expected) == SEARCH_POINT &&
           space_same(&f.space, point, expected),
       "%s: a result that is taken back and told again counts once", algorithm);
    search_free(search);
    search_free(other);
    fixture_close(&f);
}

int main(void)
{
    for (const char *const *name = search_names(); *name; name++) {
        if (!search_learns(*name))
            continue;
        for (size_t i = 0; i < FIXTURES; i++)
            test_space(*name, &fixture_cases[i]);
        test_truths(*name);
        test_reproducible(*name);
        if (repeats(*name))
            continue;
        test_exhaustion(*name);
        test_company(*name);
        test_retract(*name);
    }
    return tap_end();
}
