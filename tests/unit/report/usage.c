/* What the records say beyond the last try: runs, earlier tries, busy workers. */
#include "journal_fixture.h"
#include "report/history.h"

static const char definition[] = "model: {command: train}\nspace: {x: {float: [0, 1]}}\n";

/*
 * Two runs. The first, with 2 workers and 10 s, is killed: trial 1 failed once and ran again from 2
 * to 6; trial 2 was running from 1 on. The second, with 1 worker and 10 s, runs trial 2 again.
 */
static const char lines[] =
    "{\"open\":0,\"host\":\"n1\",\"pid\":7,\"workers\":2,\"trials\":3,\"limit\":0}\n"
    "{\"start\":1,\"time\":0,\"worker\":1,\"params\":{\"x\":0.5}}\n"
    "{\"start\":2,\"time\":1,\"worker\":2,\"params\":{\"x\":0.6}}\n"
    "{\"end\":1,\"time\":2,\"took\":2,\"worker\":1,\"state\":\"failed\",\"exit\":1,\"again\":true}"
    "\n"
    "{\"start\":1,\"time\":2,\"worker\":1,\"try\":2}\n"
    "{\"end\":1,\"time\":6,\"took\":4,\"worker\":1,\"state\":\"done\",\"score\":1}\n"
    "{\"start\":3,\"time\":6,\"worker\":1,\"params\":{\"x\":0.7}}\n"
    "{\"end\":3,\"time\":10,\"took\":4,\"worker\":1,\"state\":\"done\",\"score\":2}\n"
    "{\"open\":100,\"host\":\"n1\",\"pid\":8,\"workers\":1,\"trials\":3,\"limit\":0}\n"
    "{\"start\":2,\"time\":102,\"worker\":1,\"try\":2}\n"
    "{\"end\":2,\"time\":108,\"took\":6,\"worker\":1,\"state\":\"done\",\"score\":3}\n"
    "{\"close\":110,\"why\":\"done\"}\n";

static void test_history(const struct history *h)
{
    ok(h->run_count == 2, "there are two runs");
    is_near(h->runs[0].from, 0, 0, "the first begins at once");
    is_near(h->runs[0].to, 10, 0, "a run that was killed ends with its last line");
    is_near(h->runs[1].from, 100, 0, "the second begins later");
    is_near(h->runs[1].to, 110, 0, "and ends when it says so");
    ok(h->runs[0].workers == 2 && h->runs[1].workers == 1, "each has its workers");

    ok(h->try_count == 2, "two tries were not the last of their trial");
    ok(h->tries[0].index == 0 && h->tries[0].state == OUTCOME_FAILED, "one failed");
    is_near(h->tries[0].started, 0, 0, "it began at 0");
    is_near(h->tries[0].ended, 2, 0, "and ended at 2");
    ok(h->tries[1].index == 1 && h->tries[1].state == OUTCOME_INTERRUPTED,
       "one was cut off with its run");
    ok(h->tries[1].worker == 2, "on the second worker");
    is_near(h->tries[1].started, 1, 0, "it began at 1");
    is_near(h->tries[1].ended, 10, 0, "and ended with the run");
}

static void test_usage(const struct usage *u)
{
    double sum = 0;
    ok(u->workers == 2, "there are two workers");
    is_near(u->busy[0], 16.0 / 20, 1e-9, "the first was busy in 16 of 20 seconds");
    is_near(u->busy[1], 9.0 / 10, 1e-9, "the second in 9 of the 10 that it was there");
    is_near(u->total, 25.0 / 30, 1e-9, "together in 25 of 30");
    is_near(u->mean, 25.0 / 20, 1e-9, "in 20 seconds 1.25 trials ran at once");
    for (size_t i = 0; i < USAGE_BINS; i++)
        sum += u->running[i] * u->step;
    is_near(sum, 25, 1e-9, "the running trials over time add up to the work");
    is_near(u->running[0], 1, 1e-9, "at first one trial runs");
    is_near(u->running[(size_t)(5 / u->step)], 2, 1e-9, "then two");
    is_near(u->running[(size_t)(50 / u->step)], 0, 1e-9, "between the runs none");
    is_near(u->running[USAGE_BINS - 1], 0, 1e-9, "at the end none");
}

/* Trial 1 has three ranks, one of which was lost; its second try and trial 2 run together. */
static void test_ranks(void)
{
    static const char groups[] =
        "{\"open\":0,\"host\":\"n1\",\"pid\":7,\"workers\":4,\"trials\":2,\"limit\":0}\n"
        "{\"start\":1,\"time\":0,\"worker\":2,\"params\":{\"x\":0.5}}\n"
        "{\"group\":1,\"time\":0,\"members\":[2,1,4]}\n"
        "{\"end\":1,\"time\":2,\"took\":2,\"worker\":2,\"state\":\"interrupted\",\"again\":true}\n"
        "{\"start\":1,\"time\":2,\"worker\":1,\"try\":2}\n"
        "{\"group\":1,\"time\":2,\"members\":[1,2,3]}\n"
        "{\"end\":1,\"time\":6,\"took\":4,\"worker\":1,\"state\":\"done\",\"score\":1}\n"
        "{\"start\":2,\"time\":6,\"worker\":3,\"params\":{\"x\":0.7}}\n"
        "{\"end\":2,\"time\":10,\"took\":4,\"worker\":3,\"state\":\"done\",\"score\":2}\n"
        "{\"close\":10,\"why\":\"done\"}\n";
    struct fixture f;
    struct history history;
    struct usage usage;
    size_t parts = 0;
    fixture_open(&f, definition, groups);
    history_read(&history, &f.journal);
    usage_measure(&usage, &f.journal, &history);
    for (size_t i = 0; i < history.try_count; i++)
        parts += history.tries[i].part;
    ok(history.try_count == 5 && parts == 4, "two tries have two further workers each");
    is_near(usage.busy[0], 0.6, 1e-9, "the first worker had a part in both");
    is_near(usage.busy[1], 0.6, 1e-9, "so had the second");
    is_near(usage.busy[2], 0.8, 1e-9, "the third in one, and a trial of its own");
    is_near(usage.busy[3], 0.2, 1e-9, "the fourth in the first try");
    is_near(usage.mean, 1, 1e-9, "one trial ran at a time, whatever its ranks");
    usage_free(&usage);
    history_free(&history);
    fixture_close(&f);
}

/* Two nodes have a worker each; the second of the first node, number 2, rests. */
static void test_resting(void)
{
    static const char resting[] =
        "{\"open\":0,\"host\":\"n1\",\"pid\":7,\"workers\":2,\"trials\":2,\"limit\":0}\n"
        "{\"nodes\":2,\"time\":0,\"seats\":[[\"n1\",1,1],[\"n2\",3,3]]}\n"
        "{\"start\":1,\"time\":0,\"worker\":1,\"params\":{\"x\":0.5}}\n"
        "{\"start\":2,\"time\":0,\"worker\":3,\"params\":{\"x\":0.7}}\n"
        "{\"end\":1,\"time\":10,\"took\":10,\"worker\":1,\"state\":\"done\",\"score\":1}\n"
        "{\"end\":2,\"time\":10,\"took\":10,\"worker\":3,\"state\":\"done\",\"score\":2}\n"
        "{\"close\":10,\"why\":\"done\"}\n";
    struct fixture f;
    struct history history;
    struct usage usage;
    fixture_open(&f, definition, resting);
    history_read(&history, &f.journal);
    usage_measure(&usage, &f.journal, &history);
    ok(f.journal.workers == 2 && f.journal.runs[0].last == 3,
       "the last of two workers has number 3");
    is_near(usage.busy[2], 1, 1e-9, "it was busy all the time");
    is_near(usage.total, 1, 1e-9, "so were all, as one that rests is not idle");
    usage_free(&usage);
    history_free(&history);
    fixture_close(&f);
}

static void test_nothing(void)
{
    struct fixture f;
    struct history history;
    struct usage usage;
    fixture_open(&f, definition, "");
    history_read(&history, &f.journal);
    usage_measure(&usage, &f.journal, &history);
    ok(history.run_count == 0 && history.try_count == 0, "a study that never ran has no history");
    is_near(usage.total, 0, 0, "and nobody was busy");
    usage_free(&usage);
    history_free(&history);
    fixture_close(&f);
}

int main(void)
{
    struct fixture f;
    struct history history;
    struct usage usage;
    fixture_open(&f, definition, lines);
    history_read(&history, &f.journal);
    usage_measure(&usage, &f.journal, &history);
    test_history(&history);
    test_usage(&usage);
    usage_free(&usage);
    history_free(&history);
    fixture_close(&f);
    test_ranks();
    test_resting();
    test_nothing();
    return tap_end();
}
