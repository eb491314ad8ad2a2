/* The stoppers: known answers, and what holds for any reports. */
#include "stop/stop.h"
#include "tap.h"

#include "base/base.h"

/* A stopper with options in the order of its table; the remaining options are not given. */
static struct stop *make(const char *name, size_t count, const double *options, bool maximize)
{
    struct stop_settings settings = {.name = name};
    for (size_t i = 0; i < STOP_OPTIONS; i++)
        settings.options[i] = i < count ? options[i] : NAN;
    return stop_create(&settings, maximize);
}

#define OPTIONS(...)                                                                               \
    sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[])                                   \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static bool stops(struct stop *stop, uint64_t trial, uint64_t step, double value)
{
    return stop_report(stop, trial, step, value) == STOP_NOW;
}

/* ---- asha ---- */

static void asha_lets_the_best_third_go_on(void)
{
    static const struct {
        double value;
        bool stops;
    } cases[] = {
        {5, false},   /* the first one has nothing to be compared with */
        {4, false},   /* the best so far always continues */
        {6, true},    /* one of three continues, and that is 4 */
        {4.5, false}, /* of four, two continue */
        {4.5, false}, /* as good as the last one that continues */
        {4.6, true},  {1, false}, {3, false}, {4.2, true}, {INFINITY, true},
    };
    struct stop *stop = make("asha", OPTIONS(3, 1), false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(stops(stop, i + 1, 1, cases[i].value) == cases[i].stops, "asha: %g %s", cases[i].value,
           cases[i].stops ? "stops" : "goes on");
    stop_free(stop);
}

/* The definition, written out. */
static void asha_is_what_it_says(void)
{
    static const double reductions[] = {1.5, 2, 3, 4, 10};
    enum { TRIALS = 400 };
    double values[TRIALS];
    unsigned wrong = 0;
    struct random random;
    for (size_t r = 0; r < 5; r++) {
        struct stop *stop = make("asha", OPTIONS(reductions[r], 1), false);
        random_seed(&random, 1, r);
        for (size_t n = 0; n < TRIALS; n++) {
            size_t better = 0;
            values[n] = (double)random_below(&random, 100);
            for (size_t i = 0; i < n; i++)
                better += values[i] < values[n];
            bool goes_on = (double)better < ceil((double)(n + 1) / reductions[r]);
            wrong += stops(stop, n + 1, 1, values[n]) == goes_on;
        }
        stop_free(stop);
    }
    ok(wrong == 0, "asha: exactly the best 1/reduction of all that reached the rung go on");
}

static void maximizing_is_minimizing_turned_round(void)
{
    const char *const *name = stop_names();
    for (; *name; name++) {
        struct stop *low = make(*name, 0, NULL, false), *high = make(*name, 0, NULL, true);
        struct random random;
        unsigned different = 0, stopped = 0;
        random_seed(&random, 2, 0);
        for (uint64_t trial = 1; trial <= 200; trial++) {
            for (uint64_t step = 1; step <= 30; step++) {
                double value = random_normal(&random);
                bool one = stops(low, trial, step, value);
                different += one != stops(high, trial, step, -value);
                stopped += one;
            }
            stop_ended(low, trial, true);
            stop_ended(high, trial, true);
        }
        ok(different == 0 && stopped > 0, "%s: to maximize is to minimize the opposite", *name);
        stop_free(low);
        stop_free(high);
    }
}

static void rungs_are_where_they_should(void)
{
    struct stop *stop = make("asha", OPTIONS(2, 2, 8), false);
    for (uint64_t step = 1; step <= 8; step++)
        stops(stop, 1, step, 0);
    static const struct {
        uint64_t step;
        bool stops;
    } cases[] = {{1, false}, {2, true}, {3, true}, {4, true}, {7, true}, {8, true}, {90, true}};
    /* Each trial makes only one step, worse than all before: it counts at the highest rung. */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(stops(stop, i + 2, cases[i].step, (double)i + 1) == cases[i].stops,
           "asha: rungs 2 and 4, a bad trial at step %d", (int)cases[i].step);
    for (uint64_t step = 1; step <= 4; step++)
        stops(stop, 100, step, -1);
    ok(!stops(stop, 100, 8, 50), "asha: nobody is stopped at the last step");
    stop_free(stop);
}

static void a_step_counts_once(void)
{
    struct stop *stop = make("asha", OPTIONS(2, 1), false);
    stops(stop, 1, 1, 1);
    for (int again = 0; again < 10; again++) /* its worker was lost, and it runs again */
        stops(stop, 1, 1, 1);
    ok(!stops(stop, 2, 1, 0.5) && stops(stop, 3, 1, 2),
       "asha: a trial that runs again counts once");
    ok(stops(stop, 3, 2, -5) && stops(stop, 3, 3, -9), "once stopped, it stays so");
    ok(!stops(stop, 4, 2, 0), "and what it still told does not count");
    ok(!stops(stop, 4, 0, 9), "step 0 is before all rungs");
    stop_free(stop);
}

static void what_is_no_number_is_the_worst(void)
{
    struct stop *stop = make("asha", 0, NULL, true);
    ok(stops(stop, 1, 1, NAN), "asha: a value that is no number stops even the first");
    ok(!stops(stop, 2, 1, -1e300), "asha: any other is better");
    stop_free(stop);
}

/* ---- pauses ---- */

static void the_best_of_the_paused_go_on(void)
{
    struct stop *stop = make("asha", OPTIONS(2, 1, 16), false);
    ok(!stops(stop, 1, 1, 5) && stop_due(stop) == 0, "asha: the first goes on at once");
    ok(!stop_pause(stop, 1) && !stop_pause(stop, 99), "asha: only who was stopped is paused");
    ok(stops(stop, 2, 1, 7) && stop_pause(stop, 2) && stop_due(stop) == 0,
       "asha: the second of two is paused");
    ok(!stops(stop, 3, 1, 6) && stop_due(stop) == 0, "asha: of three the best two go on");
    ok(stops(stop, 4, 1, 9) && stop_pause(stop, 4) && stops(stop, 5, 1, 8) && stop_pause(stop, 5),
       "asha: of five they are three");
    ok(stop_due(stop) == 2 && stop_due(stop) == 2, "asha: so the third best is due, and stays so");
    ok(stop_promote(stop) == 2 && stop_promote(stop) == 0, "asha: it is promoted once");
    ok(!stops(stop, 2, 1, 0), "asha: a step that it makes again does not count");
    stops(stop, 1, 2, 1);
    ok(stops(stop, 2, 2, 4) && stop_pause(stop, 2), "asha: at the next rung it is paused again");
    ok(stops(stop, 6, 1, 10) && stops(stop, 7, 1, 9.5) && stop_promote(stop) == 5,
       "asha: who is not paused is not promoted");
    stop_free(stop);
}

static void the_highest_rung_comes_first(void)
{
    struct stop *stop = make("asha", OPTIONS(2, 1, 16), false);
    for (uint64_t trial = 1; trial <= 3; trial++)
        stops(stop, trial, 2, (double)trial);
    ok(stops(stop, 4, 2, 4) && stop_pause(stop, 4), "asha: the worst waits at the second rung");
    stops(stop, 11, 1, 1);
    ok(stops(stop, 12, 1, 2) && stop_pause(stop, 12), "asha: another one at the first");
    for (uint64_t trial = 13; trial <= 16; trial++)
        stops(stop, trial, 1, 20);
    for (uint64_t trial = 5; trial <= 8; trial++)
        stops(stop, trial, 2, 20);
    ok(stop_promote(stop) == 4 && stop_promote(stop) == 12 && stop_promote(stop) == 0,
       "asha: who has come further goes first");
    stop_free(stop);
}

/* All trials in the best part of a rung have continued from it, at once or later. */
static void in_the_end_the_best_have_gone_on(void)
{
    enum { TRIALS = 300 };
    static const char *const names[] = {"asha", "hyperband"};
    for (size_t s = 0; s < 2; s++) {
        struct stop *stop = make(names[s], OPTIONS(3, 1, 3, 1), false);
        double values[TRIALS];
        bool gone[TRIALS];
        size_t missing = 0;
        struct random random;
        random_seed(&random, 9, s);
        for (uint64_t i = 0; i < TRIALS; i++) {
            values[i] = random_unit(&random);
            gone[i] = !stops(stop, i + 1, 1, values[i]);
            if (!gone[i])
                stop_pause(stop, i + 1);
            for (uint64_t trial; (trial = stop_promote(stop)) != 0;)
                gone[trial - 1] = true;
        }
        for (size_t i = 0; i < TRIALS; i++) {
            size_t better = 0;
            for (size_t j = 0; j < TRIALS; j++)
                better += values[j] < values[i];
            missing += better < TRIALS / 3 && !gone[i];
        }
        ok(missing == 0, "%s: in the end the whole best third has gone on", names[s]);
        stop_free(stop);
    }
}

static void others_do_not_pause(void)
{
    struct stop *stop = make("patience", OPTIONS(1), false);
    stops(stop, 1, 1, 1);
    ok(stops(stop, 1, 2, 1) && !stop_pause(stop, 1) && stop_promote(stop) == 0,
       "patience: who is stopped does not go on");
    stop_free(stop);
}

/* ---- hyperband ---- */

/* Where ever worse trials stop, by the shares of the paper's brackets. */
static void hyperband_deals_brackets_out(void)
{
    enum { TRIALS = 10000, BRACKETS = 5 };
    static const double sizes[BRACKETS] = {81 / 5.0, 27 / 4.0, 9 / 3.0, 3 / 2.0, 1};
    double counts[BRACKETS] = {0}, sum = 0;
    struct stop *stop = make("hyperband", 0, NULL, false);
    for (uint64_t trial = 1; trial <= TRIALS; trial++) {
        size_t bracket = 0;
        for (uint64_t step = 1; bracket < 4; step *= 3, bracket++)
            if (stops(stop, trial, step, (double)trial))
                break;
        counts[bracket]++;
        if (bracket == 4)
            sum += stops(stop, trial, 81, 1e9);
    }
    ok(sum == 0, "hyperband: nobody is stopped at the last step");
    sum = 0;
    for (size_t i = 0; i < BRACKETS; i++)
        sum += sizes[i];
    for (size_t i = 0; i < BRACKETS; i++)
        ok(fabs(counts[i] - TRIALS * sizes[i] / sum) < 10, "hyperband: bracket %d has its share",
           (int)i);
    stop_free(stop);
}

static void one_bracket_is_asha(void)
{
    struct stop *one = make("hyperband", OPTIONS(3, 1, 81, 1), false);
    struct stop *asha = make("asha", OPTIONS(3, 1, 81), false);
    struct random random;
    unsigned different = 0;
    random_seed(&random, 3, 0);
    for (uint64_t trial = 1; trial <= 500; trial++)
        for (uint64_t step = 1; step <= 81; step++) {
            double value = random_unit(&random);
            different += stops(one, trial, step, value) != stops(asha, trial, step, value);
        }
    ok(different == 0, "hyperband with one bracket is asha");
    stop_free(one);
    stop_free(asha);
}

/* ---- median ---- */

/* Ended trials with constant values. */
static void end_flat(struct stop *stop, uint64_t *trial, double value, uint64_t steps)
{
    ++*trial;
    for (uint64_t step = 1; step <= steps; step++)
        stop_report(stop, *trial, step, value);
    stop_ended(stop, *trial, true);
}

static void median_of_running_averages(void)
{
    struct stop *stop = make("median", OPTIONS(1, 4), false);
    uint64_t trial = 0;
    for (int i = 1; i <= 3; i++)
        end_flat(stop, &trial, i, 3);
    ok(!stops(stop, 50, 1, 99), "median: nobody is stopped before enough have ended");
    stop_ended(stop, 50, false);
    end_flat(stop, &trial, 4, 3);
    ok(!stops(stop, 51, 1, 2.5) && stops(stop, 52, 1, 2.51), "median: of 1, 2, 3, 4 it is 2.5");
    ok(!stops(stop, 53, 1, 1) && !stops(stop, 53, 2, 99), "median: a trial's best so far counts");
    ok(!stops(stop, 54, 4, 99), "median: nobody is stopped where no other has been");

    struct stop *averages = make("median", OPTIONS(2, 1), false);
    stops(averages, 1, 1, 4);
    stops(averages, 1, 2, 2);
    stop_ended(averages, 1, true);
    ok(!stops(averages, 2, 1, 99), "median: nobody is stopped before `from`");
    ok(stops(averages, 2, 2, 3.01), "median: after 4 and 2 the running average is 3");
    ok(!stops(averages, 3, 2, 3), "median: as good as the median is good enough");
    stops(averages, 4, 2, 0);
    stop_ended(averages, 4, false);
    ok(!stops(averages, 5, 2, 3), "median: one that failed does not count");
    stop_free(averages);
    stop_free(stop);
}

static void other_percentiles(void)
{
    struct stop *strict = make("median", OPTIONS(1, 5, 25), false);
    struct stop *lenient = make("median", OPTIONS(1, 5, 75), false);
    uint64_t trial = 0, other = 0;
    for (int i = 1; i <= 5; i++) {
        end_flat(lenient, &trial, i, 1);
        end_flat(strict, &other, 6 - i, 1); /* their order makes no difference */
    }
    ok(!stops(strict, 10, 1, 2) && stops(strict, 11, 1, 2.1), "a quarter of 1 to 5 is up to 2");
    ok(!stops(lenient, 10, 1, 4) && stops(lenient, 11, 1, 4.1), "three quarters are up to 4");
    stop_free(strict);
    stop_free(lenient);
}

/* A window that has been filled several times knows only the last 1000 values. */
static void the_median_follows_the_search(void)
{
    struct stop *stop = make("median", OPTIONS(1, 1000), false);
    struct random random;
    uint64_t trial = 0;
    random_seed(&random, 4, 0);
    for (int i = 0; i < 3500; i++)
        end_flat(stop, &trial, 1000 + random_unit(&random), 1);
    for (int i = 0; i < 1000; i++)
        end_flat(stop, &trial, i % 101, 1);
    ok(!stops(stop, 9001, 1, 49) && stops(stop, 9002, 1, 51), "median: old trials are forgotten");
    stop_free(stop);
}

/* ---- patience ---- */

static void patience_ends(void)
{
    struct stop *stop = make("patience", OPTIONS(3, 0.1), false);
    static const struct {
        double value;
        bool stops;
    } cases[] = {{1, false},   {0.95, false}, {0.93, false}, {0.85, false},
                 {0.8, false}, {0.85, false}, {0.76, true},  {0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(stops(stop, 1, i + 1, cases[i].value) == cases[i].stops, "patience: %g at step %d %s",
           cases[i].value, (int)i + 1, cases[i].stops ? "stops" : "goes on");
    ok(!stops(stop, 2, 10, 5) && !stops(stop, 2, 12, 5) && stops(stop, 2, 13, 5),
       "patience: what counts are steps, not reports");
    struct stop *late = make("patience", OPTIONS(2, 0, 10), false);
    ok(!stops(late, 1, 1, 1) && !stops(late, 1, 9, 1) && stops(late, 1, 10, 1),
       "patience: nobody is stopped before `from`");
    stop_free(late);
    stop_free(stop);
}

/* ---- all of them ---- */

static void a_million_trials(void)
{
    for (const char *const *name = stop_names(); *name; name++) {
        struct stop *stop = make(*name, 0, NULL, false);
        struct random random;
        uint64_t stopped = 0, trials = 1000000;
        random_seed(&random, 5, 0);
        for (uint64_t trial = 1; trial <= trials; trial++) {
            stopped += stops(stop, trial, 1, random_unit(&random));
            stop_ended(stop, trial, true);
        }
        printf("# %s: %llu of a million are stopped at step 1\n", *name,
               (unsigned long long)stopped);
        ok(strcmp(*name, "patience") == 0 ? stopped == 0 : stopped > trials / 4,
           "%s: a million trials", *name);
        stop_free(stop);
    }
}

static void who_runs_again_is_stopped_at_the_same_step(void)
{
    struct stop *stop = make("patience", OPTIONS(2), false);
    bool first = stops(stop, 1, 1, 1) || stops(stop, 1, 2, 2);
    ok(!first && stops(stop, 1, 3, 3), "a trial is stopped at its third step");
    ok(!stops(stop, 1, 1, 1) && !stops(stop, 1, 2, 2) && stops(stop, 1, 3, 0),
       "it runs again, and is stopped there and not before");
    stop_free(stop);
}

/* Trials that run in any order, ended or not, leave nothing behind. */
static void in_any_order(void)
{
    for (const char *const *name = stop_names(); *name; name++) {
        struct stop *stop = make(*name, 0, NULL, false);
        struct random random;
        uint64_t steps[300] = {0}, wrong = 0;
        bool stopped[300] = {false};
        random_seed(&random, 6, 0);
        for (int i = 0; i < 100000; i++) {
            size_t slot = random_below(&random, 300);
            uint64_t trial = slot * 1000003 + 1;
            if (random_below(&random, 50) == 0) {
                stop_ended(stop, trial, random_below(&random, 2) == 0);
                steps[slot] = 0;
                stopped[slot] = false;
                continue;
            }
            bool now = stops(stop, trial, ++steps[slot], random_normal(&random));
            wrong += stopped[slot] && !now;
            stopped[slot] = now;
        }
        ok(wrong == 0, "%s: what is stopped stays so, whatever the others do", *name);
        stop_free(stop);
    }
}

static void tables_fit(void)
{
    for (const char *const *name = stop_names(); *name; name++) {
        const struct option *option = stop_options(*name);
        bool good = true;
        size_t count = 0;
        for (; option->name; option++, count++)
            good &= option->about && option->low < option->high &&
                    (isnan(option->fallback) ||
                     (option->fallback >= option->low && option->fallback <= option->high));
        struct stop_settings settings = {.name = *name};
        struct err e = {0};
        for (size_t i = 0; i < STOP_OPTIONS; i++)
            settings.options[i] = NAN;
        ok(good && count <= STOP_OPTIONS && stop_about(*name) && stop_check(&settings, &e) == 0,
           "%s: its defaults are allowed", *name);
    }
}

int main(void)
{
    asha_lets_the_best_third_go_on();
    asha_is_what_it_says();
    maximizing_is_minimizing_turned_round();
    rungs_are_where_they_should();
    a_step_counts_once();
    what_is_no_number_is_the_worst();
    the_best_of_the_paused_go_on();
    the_highest_rung_comes_first();
    in_the_end_the_best_have_gone_on();
    others_do_not_pause();
    hyperband_deals_brackets_out();
    one_bracket_is_asha();
    median_of_running_averages();
    other_percentiles();
    the_median_follows_the_search();
    patience_ends();
    who_runs_again_is_stopped_at_the_same_step();
    a_million_trials();
    in_any_order();
    tables_fit();
    return tap_end();
}
