/* What holds for every algorithm in every kind of space. */
#include "search/search.h"
#include "spaces.h"
#include "tap.h"

enum { LIMIT = 200 };

/* A sequence of suggestions. */
struct run {
    double points[LIMIT][MOST];
    size_t count;
    bool ended; /* the search said SEARCH_END before the limit */
};

static void go_on(struct search *search, struct run *run)
{
    run->ended = false;
    while (run->count < LIMIT && !run->ended) {
        enum search_answer answer = search_ask(search, run->points[run->count]);
        run->ended = answer == SEARCH_END;
        run->count += answer == SEARCH_POINT;
    }
}

static void run_search(const struct search_settings *settings, const struct space *space,
                       struct run *run)
{
    struct search *search = search_create(settings, space);
    run->count = 0;
    go_on(search, run);
    search_free(search);
}

static bool same_run(const struct space *space, const struct run *a, const struct run *b)
{
    if (a->count != b->count || a->ended != b->ended)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!space_same(space, a->points[i], b->points[i]))
            return false;
    return true;
}

/* After replaying any number of suggestions, the search continues as if it had never stopped. */
static bool replays(const struct search_settings *settings, const struct space *space,
                    const struct run *whole)
{
    for (size_t stop = 0; stop <= whole->count; stop++) {
        static struct run resumed;
        struct search *search = search_create(settings, space);
        for (size_t i = 0; i < stop; i++) {
            memcpy(resumed.points[i], whole->points[i], sizeof whole->points[i]);
            search_replay(search, whole->points[i]);
        }
        resumed.count = stop;
        bool counted = search_asked(search) == stop;
        go_on(search, &resumed);
        search_free(search);
        if (!counted || !same_run(space, &resumed, whole))
            return false;
    }
    return true;
}

static const struct algorithm_case {
    const char *name;
    struct search_settings settings;
    bool no_repeat; /* in a finite space it gives each point exactly once */
    bool uses_seed;
} algorithm_cases[] = {
    {"random", {.algorithm = "random"}, true, true},
    {"sobol", {.algorithm = "sobol"}, false, true},
    {"lhs", {.algorithm = "lhs", .trials = 40}, false, true},
    {"grid", {.algorithm = "grid", .levels = 3}, true, false},
    {"shuffled grid", {.algorithm = "grid", .levels = 3, .shuffle = true}, true, true},
};

static void test_default_first(const struct space *space, const struct run *run, const char *name,
                               const char *where)
{
    double first[MOST];
    if (space_default(space, first))
        ok(space_same(space, first, run->points[0]), "%s, %s: the default comes first", name,
           where);
}

static void test_case(const struct algorithm_case *algorithm, const struct fixture_case *where)
{
    static struct run run, again, other;
    struct fixture f;
    fixture_open(&f, where->build);
    struct search_settings settings = algorithm->settings;
    settings.seed = 1;
    struct err e = {0};
    const char *name = algorithm->name, *place = where->name;
    if (search_check(&settings, &f.space, &e) == 0) {
        run_search(&settings, &f.space, &run);
        run_search(&settings, &f.space, &again);
        settings.seed = 2;
        run_search(&settings, &f.space, &other);
        settings.seed = 1;
        bool proper = true;
        for (size_t i = 0; i < run.count; i++)
            proper &= is_proper(&f.space, run.points[i]);
        ok(run.count > 0 && proper, "%s, %s: only allowed points", name, place);
        ok(same_run(&f.space, &run, &again), "%s, %s: a seed gives the same points", name, place);
        ok(same_run(&f.space, &run, &other) != algorithm->uses_seed,
           "%s, %s: another seed gives %s points", name, place,
           algorithm->uses_seed ? "other" : "the same");
        ok(replays(&settings, &f.space, &run), "%s, %s: replaying equals asking", name, place);
        test_default_first(&f.space, &run, name, place);
        if (algorithm->no_repeat) {
            ok(all_differ(&f.space, run.points, run.count), "%s, %s: no point twice", name, place);
            if (where->points > 0)
                ok(run.ended && run.count == where->points, "%s, %s: every point comes", name,
                   place);
        }
    } else {
        ok(false, "%s, %s: %s", name, place, e.message);
    }
    fixture_close(&f);
}

static void test_list(void)
{
    static const double list[] = {1, 0, 0, 1, 0, 0, 3, 2, NAN};
    static struct run run;
    struct fixture f;
    fixture_open(&f, build_conditional_floats); /* it has a default, which a list leaves out */
    struct search_settings settings = {.algorithm = "list", .list = list, .list_count = 3};
    run_search(&settings, &f.space, &run);
    ok(run.count == 3 && run.ended, "list: as many points as were listed");
    bool same = true;
    for (size_t i = 0; i < run.count; i++)
        same &= space_same(&f.space, run.points[i], list + 3 * i);
    ok(same, "list: in their order, repeated ones too, and no default point");
    ok(replays(&settings, &f.space, &run), "list: replaying equals asking");
    fixture_close(&f);
}

static void test_totals(void)
{
    static const struct {
        struct search_settings settings;
        void (*build)(struct fixture *f);
        double expected;
    } cases[] = {
        {{.algorithm = "random"}, build_floats, INFINITY},
        {{.algorithm = "random"}, build_finite, 180},
        {{.algorithm = "random"}, build_finite_default, 180},
        {{.algorithm = "sobol"}, build_finite, INFINITY},
        {{.algorithm = "lhs", .trials = 9}, build_finite, INFINITY},
        {{.algorithm = "grid", .levels = 3}, build_floats, 81},
        {{.algorithm = "grid"}, build_finite_default, 180},
        {{.algorithm = "grid"}, build_conditional, 48},
        /* The default point is between the levels and is added to them. */
        {{.algorithm = "grid", .levels = 4}, build_conditional_floats, 4 * (4 + 1) + 1},
        {{.algorithm = "list", .list_count = 5}, build_floats, 5},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct fixture f;
        fixture_open(&f, cases[c].build);
        struct search *search = search_create(&cases[c].settings, &f.space);
        is_near(search_total(search), cases[c].expected, 0, cases[c].settings.algorithm);
        search_free(search);
        fixture_close(&f);
    }
}

/* A search gives as many points as search_total() says, whatever is forbidden or inactive. */
static void test_total_is_exact(void)
{
    for (size_t i = 0; i < FIXTURES; i++) {
        static struct run run;
        struct fixture f;
        fixture_open(&f, fixture_cases[i].build);
        struct search_settings settings[] = {{.algorithm = "grid", .levels = 2},
                                             {.algorithm = "random"}};
        for (size_t k = 0; k < 2; k++) {
            struct search *search = search_create(&settings[k], &f.space);
            double total = search_total(search);
            search_free(search);
            run_search(&settings[k], &f.space, &run);
            ok((double)run.count == fmin(total, LIMIT), "%s, %s: %g points", settings[k].algorithm,
               fixture_cases[i].name, total);
        }
        fixture_close(&f);
    }
}

/* More combinations than can be counted: the total is a bound. */
static void test_total_of_many(void)
{
    struct fixture f;
    fixture_open(&f, build_forbidden);
    f.parameters[1].high = 3e6;
    struct search_settings settings = {.algorithm = "grid"};
    struct search *search = search_create(&settings, &f.space);
    is_near(search_total(search), 3e6 * (2 + 2 * 3), 0, "the total of a large grid is a bound");
    search_free(search);
    fixture_close(&f);
}

static void test_names(void)
{
    struct fixture f;
    struct err e = {0};
    double list[MOST] = {0};
    fixture_open(&f, build_floats);
    struct search_settings settings = {
        .trials = 5, .levels = 2, .list = list, .list_count = 1, .algorithm = "list"};
    ok(search_check(&settings, &f.space, &e) == 0, "list is an algorithm");
    for (const char *const *name = search_names(); *name; name++) {
        settings.algorithm = *name;
        ok(search_check(&settings, &f.space, &e) == 0, "%s is an algorithm", *name);
        ok(strcmp(*name, "list") != 0, "%s may be named by a study", *name);
    }
    settings = (struct search_settings){.algorithm = "randm"};
    ok(search_check(&settings, &f.space, &e) == ERR_USER, "randm is none");
    is_text(e.message, "unknown algorithm 'randm': did you mean random?", "and the user is told");
    fixture_close(&f);
}

static void test_everything_forbidden(void)
{
    struct fixture f;
    fixture_open(&f, build_forbidden_floats);
    add_forbidden(&f, clause_of(&f, 1, 0, 1), clause_of(&f, 2, 0, 0));
    add_forbidden(&f, clause_of(&f, 1, 2, 2), clause_of(&f, 2, 0, 1));
    ok(search_has_point(&f.space), "one combination is left");
    add_forbidden(&f, clause_of(&f, 1, 2, 2), clause_of(&f, 2, 2, 2));
    ok(!search_has_point(&f.space), "nothing is left");
    for (size_t i = 0; i < sizeof algorithm_cases / sizeof *algorithm_cases; i++) {
        struct search *search = search_create(&algorithm_cases[i].settings, &f.space);
        double point[MOST];
        ok(search_ask(search, point) == SEARCH_END && search_asked(search) == 0,
           "%s: ends when everything is forbidden", algorithm_cases[i].name);
        search_free(search);
    }
    fixture_close(&f);
}

/* Too many combinations to enumerate: random points decide. */
static void test_much_forbidden(void)
{
    struct fixture f;
    fixture_open(&f, build_forbidden);
    f.parameters[1].high = 3e6;
    ok(search_has_point(&f.space), "a large space with a few forbidden combinations has points");
    f.forbidden[0].count = 1;
    f.forbidden[1].count = 1;
    f.forbidden[0].clauses[0] = clause_of(&f, 0, 0, 1);
    f.forbidden[1].clauses[0] = clause_of(&f, 0, 2, 3);
    ok(!search_has_point(&f.space), "and none when every value of a parameter is forbidden");
    fixture_close(&f);
}

/* How often the default point comes if the first point is the user's own. */
static size_t count_default(const char *algorithm, bool resumed)
{
    struct fixture f;
    double own[MOST], first[MOST], point[MOST], units[MOST];
    size_t count = 0;
    for (size_t i = 0; i < MOST; i++)
        units[i] = 0.9;
    fixture_open(&f, build_finite_default);
    struct search_settings settings = {.algorithm = algorithm, .seed = 1};
    struct search *search = search_create(&settings, &f.space);
    space_point(&f.space, units, own);
    space_default(&f.space, first);
    search_add(search, own);
    if (resumed)
        search_replay(search, first);
    while (search_ask(search, point) == SEARCH_POINT)
        count += space_same(&f.space, point, first);
    search_free(search);
    fixture_close(&f);
    return count;
}

static void test_default_behind_another(void)
{
    static const char *const names[] = {"random", "grid", "genetic"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ok(count_default(names[i], false) == 1 && count_default(names[i], true) == 0,
           "%s: the default point comes behind a point of the user's own, and once", names[i]);
}

/* After a resume, what replaced a rejected suggestion counts, not the suggestion itself. */
static void test_refused_and_resumed(void)
{
    enum { POINTS = 4 + 2 + (2 + 3) + (2 + 3 + 3 + 3), BEFORE = 8 };
    static double points[2 * POINTS][MOST];
    struct fixture f;
    size_t count = 0;
    fixture_open(&f, build_forbidden);
    struct search_settings settings = {.algorithm = "random", .seed = 1};
    struct search *search = search_create(&settings, &f.space);
    for (; count < BEFORE; count++) {
        search_ask(search, points[count]);
        if (count % 2 == 0 && search_refuse(search))
            search_ask(search, points[count]);
    }
    search_free(search);
    search = search_create(&settings, &f.space);
    for (size_t i = 0; i < count; i++)
        search_replay(search, points[i]);
    while (count < 2 * POINTS && search_ask(search, points[count]) == SEARCH_POINT)
        count++;
    ok(count == POINTS && all_differ(&f.space, points, count),
       "random: no point twice and none left out, when some were refused before a resume");
    search_free(search);
    fixture_close(&f);
}

int main(void)
{
    for (size_t i = 0; i < sizeof algorithm_cases / sizeof *algorithm_cases; i++)
        for (size_t j = 0; j < FIXTURES; j++)
            test_case(&algorithm_cases[i], &fixture_cases[j]);
    test_list();
    test_totals();
    test_total_is_exact();
    test_total_of_many();
    test_names();
    test_everything_forbidden();
    test_much_forbidden();
    test_default_behind_another();
    test_refused_and_resumed();
    return tap_end();
}
