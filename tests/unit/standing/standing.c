/* standing.c - the state of a study, the rest of its budget, and whether it is complete. */
#include "standing/standing.h"
#include "tap.h"

#include <math.h>
#include <unistd.h>

static char folder[64];

#define SPACE "space:\\n  x: {float: [0, 1]}\\n"
static const char PLAIN[] =
    "{\"wick\":1,\"study\":\"s\",\"created\":1,\"folder\":\"/\",\"definition\":"
    "\"model: {function: noop}\\n" SPACE "\"}\n";
static const char AIMED[] =
    "{\"wick\":1,\"study\":\"s\",\"created\":1,\"folder\":\"/\",\"definition\":"
    "\"model: {function: noop}\\n" SPACE "search: {target: 0.5}\\n\"}\n";
static const char GRID[] =
    "{\"wick\":1,\"study\":\"s\",\"created\":1,\"folder\":\"/\",\"definition\":"
    "\"model: {function: noop}\\nspace:\\n  x: {int: [1, 3]}\\nsearch: {algorithm: grid}\\n\"}\n";

#define OPEN      "{\"open\":0,\"host\":\"n1\",\"pid\":7,\"workers\":2,\"trials\":2,\"limit\":0}\n"
#define START(id) "{\"start\":" id ",\"time\":1,\"worker\":1,\"params\":{\"x\":0.5}}\n"
#define ENDED(id, score)                                                                           \
    "{\"end\":" id ",\"time\":4,\"took\":1,\"worker\":1,\"state\":\"done\",\"score\":" score "}\n"
#define PAUSED(id)                                                                                 \
    "{\"end\":" id ",\"time\":4,\"took\":1,\"worker\":1,\"state\":\"stopped\",\"score\":0.7,"      \
    "\"paused\":true}\n"
#define CLOSE(why) "{\"close\":5,\"why\":\"" why "\"}\n"
#define BOTH       START("1") START("2") ENDED("1", "0.7") ENDED("2", "0.8")

static bool load(struct journal *journal, const char *header, const char *records)
{
    struct err e = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/journal", folder);
    FILE *file = fopen(path, "w");
    fputs(header, file);
    fputs(records, file);
    fclose(file);
    if (journal_load(journal, folder, &e))
        printf("# %s\n", e.message);
    return e.code == 0;
}

static void names(void)
{
    size_t wrong = 0;
    for (enum journal_end end = END_DONE; end < END_OTHER; end++)
        wrong += journal_end_read(journal_end_name(end)) != end;
    ok(wrong == 0, "an end is read back from its name");
    ok(journal_end_read("tired") == END_OTHER && journal_end_read("") == END_OTHER,
       "an unknown name is another end");
}

static void states(void)
{
    static const struct {
        const char *records, *state;
        bool continues, asked;
    } cases[] = {
        {"", "crashed", true, false},
        {CLOSE("prepared"), "prepared", true, false},
        {OPEN, "crashed", true, false},
        {OPEN CLOSE("done"), "done", false, false},
        {OPEN CLOSE("exhausted"), "done", false, false},
        {OPEN CLOSE("time"), "done", false, false},
        {OPEN CLOSE("target"), "done", false, false},
        {OPEN CLOSE("deadline"), "interrupted", true, false},
        {OPEN CLOSE("interrupted"), "interrupted", true, true},
        {OPEN CLOSE("stopped"), "stopped", false, true},
        {OPEN CLOSE("halted"), "halted", false, false},
        {OPEN CLOSE("broken"), "broken", true, false},
        {OPEN CLOSE("of a later version"), "done", false, false},
        {OPEN CLOSE("done") OPEN, "crashed", true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct journal journal;
        if (!load(&journal, PLAIN, cases[i].records))
            continue;
        const char *state = standing_state_name(standing_after(journal.end));
        bool right = strcmp(state, cases[i].state) == 0 &&
                     standing_continues(journal.end) == cases[i].continues &&
                     standing_was_asked(journal.end) == cases[i].asked;
        ok(right, "case %zu: after '%s' a study is %s", i, journal.why, cases[i].state);
        journal_free(&journal);
    }
}

static void what_is_left(void)
{
    struct journal journal;
    ok(standing_trials_left(10, 4) == 6 && standing_trials_left(10, 10) == 0 &&
           standing_trials_left(10, 12) == 0,
       "trials are left until the budget is used up");
    ok(standing_trials_left(0, 12) == UINT64_MAX, "or without end");
    struct standing_times times = {0};
    standing_times_add(&times, 0.5);
    struct standing_pace pace = {.total = 10, .ended = 4, .times = &times, .workers = 1};
    ok(standing_time_left(&pace) == 3, "the trials that are left take their time");
    pace.limit = 30, pace.spent = 28;
    ok(standing_time_left(&pace) == 2, "a limit that comes first counts");
    pace.spent = 31;
    ok(standing_time_left(&pace) == 0, "and never less than nothing is left");
    pace.times = NULL, pace.spent = 10;
    ok(standing_time_left(&pace) == 20, "the limit counts also before the first trial has ended");
    pace = (struct standing_pace){.ended = 4, .times = &times, .workers = 1};
    ok(isnan(standing_time_left(&pace)), "without any budget nothing is known");
    if (load(&journal, GRID, "")) {
        ok(standing_journal_total(&journal) == 3, "a grid has as many trials as it has points");
        journal_free(&journal);
    }
    if (load(&journal, PLAIN, OPEN)) {
        struct standing_budget budget = standing_budget(&journal);
        ok(standing_journal_total(&journal) == 2 && budget.trials == 2 && budget.time == 0,
           "other searches go to the budget of the last run");
        journal_free(&journal);
    }
}

static const struct {
    const char *about, *header, *records;
    struct standing_budget budget;
    size_t queued;
    bool retry;
    enum journal_end end;
} completions[] = {
    {"nothing has started", PLAIN, CLOSE("prepared"), {2, 0}, 0, false, END_NONE},
    {"all trials have ended", PLAIN, OPEN BOTH CLOSE("done"), {2, 0}, 0, false, END_DONE},
    {"so they had, but the run was killed", PLAIN, OPEN BOTH, {2, 0}, 0, false, END_DONE},
    {"the budget was raised", PLAIN, OPEN BOTH CLOSE("done"), {3, 0}, 0, false, END_NONE},
    {"there is no budget", PLAIN, OPEN BOTH CLOSE("interrupted"), {0, 0}, 0, false, END_NONE},
    {"a trial was cut off", PLAIN, OPEN START("1") START("2"), {2, 0}, 0, false, END_NONE},
    {"failed trials run again", PLAIN, OPEN BOTH CLOSE("done"), {2, 0}, 0, true, END_NONE},
    {"points are queued", PLAIN, OPEN BOTH CLOSE("done"), {2, 0}, 1, false, END_NONE},
    {"the time is up", PLAIN, OPEN BOTH CLOSE("time"), {9, 4}, 0, false, END_TIME},
    {"which counts more than the queue",
     PLAIN,
     OPEN BOTH CLOSE("time"),
     {9, 4},
     1,
     false,
     END_TIME},
    {"there is time left", PLAIN, OPEN BOTH CLOSE("time"), {9, 6}, 0, false, END_NONE},
    {"the search is exhausted",
     PLAIN,
     OPEN BOTH CLOSE("exhausted"),
     {0, 0},
     0,
     false,
     END_EXHAUSTED},
    {"the target is reached",
     AIMED,
     OPEN START("1") START("2") ENDED("1", "0.4"),
     {9, 0},
     0,
     false,
     END_TARGET},
    {"it is not", AIMED, OPEN START("1") ENDED("1", "0.6"), {9, 0}, 0, false, END_NONE},
    {"a paused trial may go on", PLAIN, OPEN START("1") PAUSED("1"), {1, 0}, 0, false, END_NONE},
    {"unless the run had come to its end",
     PLAIN,
     OPEN START("1") PAUSED("1") CLOSE("done"),
     {1, 0},
     0,
     false,
     END_DONE},
};

static void completeness(void)
{
    for (size_t i = 0; i < sizeof completions / sizeof *completions; i++) {
        struct journal journal;
        if (!load(&journal, completions[i].header, completions[i].records))
            continue;
        ok(standing_complete(&journal, &completions[i].budget, completions[i].queued,
                             completions[i].retry) == completions[i].end,
           "complete or not: %s", completions[i].about);
        journal_free(&journal);
    }
}

/* Trials of these seconds each, then none for so long. */
static const struct {
    const char *about;
    double durations[8];
    double seconds;
    double median; /* 0: it is not stuck */
} silences[] = {
    {"nothing for much longer than a trial takes", {180, 170, 200, 180, 190}, 2400, 180},
    {"not yet five times as long", {180, 170, 200, 180, 190}, 890, 0},
    {"but a bit later", {180, 170, 200, 180, 190}, 910, 180},
    {"too few are done", {180, 170, 200, 180}, 2400, 0},
    {"short trials have a minute", {0.1, 0.1, 0.1, 0.1, 0.1}, 59, 0},
    {"and no more", {0.1, 0.1, 0.1, 0.1, 0.1}, 61, 0.1},
    {"a long one may come again", {10, 10, 10, 10, 10, 3600}, 7000, 0},
    {"but not take twice as long", {10, 10, 10, 10, 10, 3600}, 7300, 10},
};

static void silence(void)
{
    for (size_t i = 0; i < sizeof silences / sizeof *silences; i++) {
        struct standing_durations durations = {0};
        for (size_t k = 0; k < 8 && silences[i].durations[k] > 0; k++)
            standing_add_duration(&durations, silences[i].durations[k]);
        struct standing_silence found = standing_judge_silence(&durations, silences[i].seconds);
        ok(found.stuck == (silences[i].median > 0) && found.median == silences[i].median &&
               found.seconds == (found.stuck ? silences[i].seconds : 0),
           "stuck or not: %s", silences[i].about);
    }
    struct standing_durations many = {0};
    for (int i = 0; i < 3 * STANDING_DURATIONS; i++)
        standing_add_duration(&many, i < 2 * STANDING_DURATIONS ? 1 : 50);
    ok(standing_judge_silence(&many, 1000).median == 50, "the latest durations count");
}

#define DONE(id, start, end)                                                                       \
    "{\"start\":" id ",\"time\":" start ",\"worker\":1,\"params\":{\"x\":0.5}}\n"                  \
    "{\"end\":" id ",\"time\":" end ",\"took\":100,\"worker\":1,\"state\":\"done\",\"score\":1}\n"
#define FIVE                                                                                       \
    OPEN DONE("1", "0", "100") DONE("2", "100", "200") DONE("3", "200", "300")                     \
        DONE("4", "300", "400") DONE("5", "400", "500")
#define RUNS(id, start)                                                                            \
    "{\"start\":" id ",\"time\":" start ",\"worker\":1,\"params\":{\"x\":0.5}}\n"

static void silence_of_a_journal(void)
{
    static const struct {
        const char *about, *records;
        double now, seconds; /* seconds 0: it is not stuck */
    } cases[] = {
        {"since the last end", FIVE RUNS("6", "450"), 1100, 600},
        {"nothing runs", FIVE, 1100, 0},
        {"since a start after it", FIVE RUNS("6", "700"), 1100, 0},
        {"which is long ago", FIVE RUNS("6", "700"), 1300, 600},
        {"since the first of several starts", FIVE RUNS("6", "600") RUNS("7", "1000"), 1200, 600},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct journal journal;
        if (!load(&journal, PLAIN, cases[i].records))
            continue;
        struct standing_silence found = standing_silence(&journal, cases[i].now);
        ok(found.stuck == (cases[i].seconds > 0) && found.seconds == cases[i].seconds,
           "stuck by its journal: %s", cases[i].about);
        journal_free(&journal);
    }
}

int main(void)
{
    char path[128];
    snprintf(folder, sizeof folder, "/tmp/wick-standing-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    names();
    states();
    what_is_left();
    completeness();
    silence();
    silence_of_a_journal();
    snprintf(path, sizeof path, "%s/journal", folder);
    unlink(path);
    rmdir(folder);
    return tap_end();
}
