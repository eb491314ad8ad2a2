/* journal.c - appended records are read back; a torn end is dropped; damage is named. */
#include "journal/journal.h"
#include "tap.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];
static const char STUDY[] = "name: test\n"
                            "model: {function: noop}\n"
                            "space:\n"
                            "  x: {float: [0, 1]}\n"
                            "  kind: {choice: [a, \"b\\\"c\"]}\n"
                            "  y: {int: [1, 9], when: {kind: a}}\n";

static char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void parse(struct study *study)
{
    struct err_list mistakes = {0};
    if (study_parse(study, STUDY, strlen(STUDY), "study.yaml", folder, &mistakes))
        printf("# %s\n", mistakes.items[0].message);
    err_list_free(&mistakes);
}

static void remove_journal(void)
{
    unlink(path_of("journal"));
    unlink(path_of("lock"));
}

/* Five trials: done, failed, retried and done, running, interrupted. */
static void write_sample(const struct study *study)
{
    struct journal_writer *w;
    struct err e = {0};
    double points[5][3] = {{0.5, 0, 3}, {0.25, 1, NAN}, {0.125, 0, 9}, {1, 1, NAN}, {0, 0, 1}};
    struct outcome done = {.state = OUTCOME_DONE, .score = 0.5, .ended = 1};
    struct outcome failed = {.state = OUTCOME_FAILED,
                             .score = NAN,
                             .exit_code = 3,
                             .reason = "exit code 3",
                             .metric_count = 1,
                             .metrics = {{"loss", 7}}};
    struct outcome interrupted = {.state = OUTCOME_INTERRUPTED, .score = NAN, .exit_code = -1};
    str_add(&failed.log, "first\nlast \x01\xff\n");
    ok(journal_create(&w, folder, study, &e) == 0, "a journal is created");
    journal_opened(w, 0.5, 2, 100, 60);
    for (unsigned i = 0; i < 5; i++)
        journal_start(w, i + 1, 1 + i, 1 + i % 2, 1, &study->space, points[i]);
    journal_end(w, 1, 10, 1, &done, false);
    journal_end(w, 3, 11, 1, &failed, true);
    journal_start(w, 3, 12, 2, 2, &study->space, NULL);
    done.score = 0.25;
    journal_end(w, 3, 13, 2, &done, false);
    journal_end(w, 2, 14, 1, &failed, false);
    journal_end(w, 5, 15, 1, &interrupted, true);
    ok(journal_appended(w) == 12, "lines are counted");
    ok(journal_close(w, 20, END_NONE, &e) == 0, "it closes without an end, like a killed run");
    str_free(&failed.log);
}

static void reads_back(const struct study *study)
{
    struct journal j;
    struct err e = {0};
    struct journal_counts counts;
    struct outcome result = {0};
    double point[3];
    write_sample(study);
    if (!ok(journal_load(&j, folder, &e) == 0, "it loads"))
        return;
    is_text(j.study.name, "test", "the study's name");
    ok(j.count == 5 && j.completion_count == 3, "five trials, three of them ended");
    ok(j.completions[0] == 0 && j.completions[1] == 2 && j.completions[2] == 1,
       "completions in their order");
    ok(j.trials[0].state == OUTCOME_DONE && j.trials[1].state == OUTCOME_FAILED &&
           j.trials[2].state == OUTCOME_DONE && j.trials[3].state == OUTCOME_RUNNING &&
           j.trials[4].state == OUTCOME_INTERRUPTED,
       "states");
    ok(j.trials[2].tries == 2 && j.trials[0].tries == 1, "tries");
    ok(j.budget == 100 && j.limit == 60 && j.workers == 2, "budgets");
    ok(j.end == END_NONE && !j.running, "it neither ended in order nor runs");
    is_near(j.spent, 14.5, 1e-9, "seconds at work");
    journal_count(&j, &counts);
    ok(counts.ended == 3 && counts.failed == 1 && counts.states[OUTCOME_DONE] == 2, "counts");
    ok(journal_best(&j) == 2, "the best is trial 3");
    ok(journal_point(&j, 1, point, &e) == 0 && point[0] == 0.25 && point[1] == 1 && isnan(point[2]),
       "a point with what is not active");
    ok(journal_result(&j, 1, &result, &e) == 0 && result.exit_code == 3 &&
           result.metrics[0].value == 7,
       "a result");
    is_text(result.reason, "exit code 3", "its reason");
    is_text(result.log.text, "first\nlast \x01\xef\xbf\xbd\n", "its log, made UTF-8");
    outcome_free(&result);
    journal_free(&j);
}

/* Cut anywhere, the journal has the whole records before the cut, and a writer continues there. */
static void torn_anywhere(void)
{
    struct str whole = {0};
    struct err e = {0};
    str_read_file(&whole, path_of("journal"), 1 << 20, &e);
    size_t header = (size_t)(strchr(whole.text, '\n') + 1 - whole.text);
    size_t wrong = 0;
    for (size_t length = header; length <= whole.length; length++) {
        struct journal j;
        struct journal_writer *w;
        size_t lines = 0, kept = 0;
        for (size_t i = 0; i < length; i++) {
            if (whole.text[i] == '\n') {
                lines++;
                kept = i + 1;
            }
        }
        if (whole.text[length] == '\n') /* only the newline is missing */
            kept = length + 1;
        str_write_file(path_of("journal"), whole.text, length, &e);
        if (journal_load(&j, folder, &e) || j.size != kept || journal_open(&w, &j, &e)) {
            wrong++;
            printf("# cut at %zu: size %zu, not %zu; %s\n", length, j.size, kept, e.message);
            continue;
        }
        journal_opened(w, 20, 1, 0, 0);
        wrong += journal_close(w, 20, END_DONE, &e) != 0;
        journal_free(&j);
        wrong += journal_load(&j, folder, &e) != 0 || j.end != END_DONE || lines < 1;
        journal_free(&j);
    }
    ok(wrong == 0, "torn at each of %zu places it loads and goes on", whole.length - header + 1);
    str_write_file(path_of("journal"), whole.text, whole.length, &e);
    str_free(&whole);
}

static void one_writer_only(void)
{
    struct journal j;
    struct journal_writer *first, *second;
    struct err e = {0};
    char expected[160];
    journal_load(&j, folder, &e);
    ok(journal_open(&first, &j, &e) == 0, "a first writer");
    ok(journal_open(&second, &j, &e) == ERR_USER, "a second is refused");
    snprintf(expected, sizeof expected, "the study in %s is being run by process %d on ", folder,
             (int)getpid());
    ok(strncmp(e.message, expected, strlen(expected)) == 0, "with the name of the first");
    journal_free(&j);
    journal_load(&j, folder, &e);
    ok(j.running, "readers see that it runs");
    journal_close(first, 20, END_NONE, &e);
    journal_free(&j);
    journal_load(&j, folder, &e);
    ok(!j.running, "and that it does not");
    journal_free(&j);
}

static void a_second_study_is_refused(const struct study *study)
{
    struct journal_writer *w;
    struct err e = {0};
    ok(journal_create(&w, folder, study, &e) == ERR_USER &&
           strstr(e.message, "already has a study"),
       "a folder with a study is not written over");
}

/* Whichever descriptor is the one too many, the writer is not there, and nothing is freed twice. */
static void too_few_descriptors(const struct study *study)
{
    struct rlimit all, few;
    struct journal_writer *w = NULL;
    struct journal j;
    struct err e = {0};
    int failures = 0, created = -1, opened = -1;
    getrlimit(RLIMIT_NOFILE, &all);
    few = all;
    for (few.rlim_cur = 3; few.rlim_cur < 40 && created != 0; few.rlim_cur++) {
        remove_journal();
        setrlimit(RLIMIT_NOFILE, &few);
        created = journal_create(&w, folder, study, &e);
        failures += created == ERR_SYSTEM && !w;
    }
    setrlimit(RLIMIT_NOFILE, &all);
    ok(created == 0 && failures > 1, "a journal is created, or there is no writer");
    journal_close(w, 0, END_PREPARED, &e);
    w = NULL;
    failures = 0;
    journal_load(&j, folder, &e);
    for (few.rlim_cur = 3; few.rlim_cur < 40 && opened != 0; few.rlim_cur++) {
        setrlimit(RLIMIT_NOFILE, &few);
        opened = journal_open(&w, &j, &e);
        failures += opened == ERR_SYSTEM && !w;
    }
    setrlimit(RLIMIT_NOFILE, &all);
    ok(opened == 0 && failures > 1, "so it is with one that is opened again");
    journal_close(w, 0, END_PREPARED, &e);
    journal_free(&j);
    remove_journal();
}

/* Records behind the head of a journal of version 1, and what is said about each of them. */
static const struct {
    const char *lines, *message;
} damages[] = {
    {"{\"open\":1}\nrubbish\n", "line 3, byte 128: 7 damaged bytes at the end"},
    {"{\"start\":1,\"params\":{}\n",
     "line 2, byte 117: 22 damaged bytes (it starts as {\"start\":1) at the end"},
    {"{\"start\":200,\"time\":1,\"params\":{}}\n",
     "line 2, byte 117: a record that cannot be right (its trial number is out of order)\n"},
    {"{\"start\":100,\"try\":2}\n", "cannot be right (its trial has not started)\n"},
    {"{\"end\":100,\"state\":\"done\"}\n", "cannot be right (its trial has not started)\n"},
    {"{\"start\":2,\"time\":1,\"params\":{}}\n",
     "line 2, byte 117: something is missing before this place (the start of trial 1)\n"},
    {"{\"end\":3,\"state\":\"done\"}\n",
     "line 2, byte 117: something is missing before this place (the starts of trials 1 to 3)\n"},
    {"{\"start\":1,\"params\":{}}\n{\"end\":1,\"state\":\"great\"}\n",
     "line 3, byte 141: a record that cannot be right (its state is unknown)\n"},
    {"{\"start\":1,\"params\":{}}\n{\"end\":1}\n", "cannot be right (it has no state)\n"},
    {"{\"start\":1,\"params\":{}}\n{\"end\":1,\"state\":\"done\"}\n{\"end\":1,\"state\":\"done\"}"
     "\n",
     "line 4, byte 166: a record that cannot be right (its trial has ended already)\n"},
    {"{\"wick\":1}\n", "cannot be right (it is a second head)\n"},
    {"{\"end\":1,\"state\":\"done\",\"seq\":2,\"sum\":\"0123456789abcdef\"}\n",
     "damaged bytes (it starts as {\"end\":1)"},
};

static void damage_is_named(void)
{
    static const char head[] =
        "{\"wick\":1,\"study\":\"s\",\"created\":1000,\"folder\":\"/\","
        "\"definition\":\"model: {function: noop}\\nspace: {x: {int: [1, 9]}}\"}\n";
    struct str text = {0}, told = {0};
    struct err e = {0};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct journal j;
        str_clear(&text);
        str_clear(&told);
        str_printf(&text, "%s%s", head, damages[i].lines);
        str_write_file(path_of("journal"), text.text, text.length, &e);
        if (!ok(journal_load(&j, folder, &e) == 0 && j.damage.count == 1, "a damage is read over"))
            continue;
        journal_put_flaws(&j, 10, &told);
        if (!ok(strstr(told.text, damages[i].message), "%s", damages[i].message))
            printf("# got: %s", told.text);
        journal_free(&j);
    }
    str_free(&text);
    str_free(&told);
}

static void not_a_journal(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "/journal is empty"},
        {"{\"wick\":1", "/journal is not a Wick journal, or its head is damaged: to recover it, "
                        "copy the study file to "},
        {"{\"hello\":1}\n", "/journal is not a Wick journal"},
        {"{\"wick\":99}\n", "/journal has version 99, but this wick reads versions up to 2"},
        {"{\"wick\":1,\"study\":\"x\",\"folder\":\"/\",\"definition\":\"space: 3\"}\n",
         "the study in "},
    };
    struct journal j;
    struct err e = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        str_write_file(path_of("journal"), cases[i].text, strlen(cases[i].text), &e);
        ok(journal_load(&j, folder, &e) == ERR_USER && strstr(e.message, cases[i].message), "%s",
           cases[i].message);
    }
    remove_journal();
    ok(journal_load(&j, folder, &e) == ERR_USER && strstr(e.message, "it has no journal"),
       "a folder without a journal");
    ok(journal_load(&j, "/nonexistent", &e) == ERR_USER && strstr(e.message, "there is no folder"),
       "no folder");
    mkdir(path_of("journal"), 0777);
    ok(journal_load(&j, folder, &e) == ERR_USER && strstr(e.message, "is not a regular file"),
       "a folder in place of the journal");
    rmdir(path_of("journal"));
}

/* The best k come out in order, for any k. */
static void the_best_come_first(const struct study *study)
{
    struct journal_writer *w;
    struct journal j;
    struct err e = {0};
    enum { TRIALS = 500 };
    double point[3] = {0.5, 1, NAN};
    struct random random;
    random_seed(&random, 1, 1);
    journal_create(&w, folder, study, &e);
    for (unsigned i = 1; i <= TRIALS; i++) {
        bool good = i % 7 != 0;
        struct outcome result = {.state = good ? OUTCOME_DONE : OUTCOME_NAN,
                                 .score = good ? (double)random_below(&random, 100) : NAN};
        journal_start(w, i, i, 1, 1, &study->space, point);
        journal_end(w, i, i, 1, &result, false);
    }
    journal_close(w, 20, END_DONE, &e);
    journal_load(&j, folder, &e);
    uint32_t all[TRIALS], some[TRIALS];
    size_t count = journal_top(&j, TRIALS, all);
    bool sorted = count == TRIALS - TRIALS / 7;
    for (size_t i = 1; i < count; i++) {
        double a = j.trials[all[i - 1]].score, b = j.trials[all[i]].score;
        sorted &= a < b || (a == b && all[i - 1] < all[i]);
    }
    ok(sorted, "all that are done, best first, of equal ones the first to end");
    bool same = true;
    for (size_t k = 0; k <= count; k += 13)
        same &= journal_top(&j, k, some) == k && memcmp(some, all, k * sizeof *some) == 0;
    ok(same, "the best k are the first k of them");
    journal_free(&j);
    remove_journal();
}

/* Steps are read back in order; for one trial, without those of earlier tries and other trials. */
static void steps_are_read_back(const struct study *study)
{
    struct journal_writer *w;
    struct journal journal;
    struct err e = {0};
    struct outcome_metric metrics[] = {{"accuracy \"a\"", 0.5}, {"nothing", NAN}};
    struct outcome failed = {.state = OUTCOME_FAILED, .score = NAN, .exit_code = 1};
    struct outcome stopped = {.state = OUTCOME_STOPPED, .score = 0.5, .reason = "stopped by x"};
    double point[3] = {0.5, 0, 3};
    remove_journal();
    if (!ok(journal_create(&w, folder, study, &e) == 0, "a journal for steps"))
        return;
    for (uint64_t id = 1; id <= 2; id++)
        journal_start(w, id, 1, 1, 1, &study->space, point);
    journal_step(w, 1, 2, 1, &(struct outcome_step){.step = 1, .value = 9});
    journal_step(w, 2, 2.5, 1, &(struct outcome_step){.step = 10, .unscored = true});
    journal_end(w, 1, 3, 1, &failed, true);
    journal_start(w, 1, 4, 1, 2, &study->space, NULL);
    journal_step(w, 1, 5, 2, &(struct outcome_step){1, NAN, metrics, 2, false});
    journal_step(w, 1, 6, 2, &(struct outcome_step){.step = 2, .value = 0.5});
    journal_end(w, 1, 7, 1, &stopped, false);
    journal_close(w, 8, END_DONE, &e);
    ok(journal_load(&journal, folder, &e) == 0, "a journal with steps is read");
    ok(journal.trials[0].steps == 2 && journal.trials[1].steps == 1,
       "it counts the steps of the last try");
    ok(journal_best(&journal) == 0 && journal_scored(&journal.trials[0]),
       "the score of a trial that was stopped counts");

    struct journal_step step;
    struct journal_walk walk = journal_walk(&journal, 0);
    ok(journal_next_step(&walk, &step) && step.step == 1 && step.try == 2 && isnan(step.value) &&
           step.time == 5 && step.index == 0,
       "of one trial only the last try is walked over");
    char text[80];
    snprintf(text, sizeof text, "%.*s", (int)step.metrics.length, step.metrics.text);
    is_text(text, "{\"accuracy \\\"a\\\"\":0.5,\"nothing\":null}", "with its metrics");
    ok(journal_next_step(&walk, &step) && step.value == 0.5 && step.metrics.length == 0 &&
           !journal_next_step(&walk, &step),
       "to its end");
    struct str all = {0};
    for (walk = journal_walk(&journal, JOURNAL_ALL); journal_next_step(&walk, &step);)
        if (step.started)
            str_printf(&all, "%zu:try ", step.index + 1);
        else
            str_printf(&all, "%zu:%s%d%s ", step.index + 1, step.ended ? "end" : "", (int)step.step,
                       step.unscored       ? ""
                       : isnan(step.value) ? "=nan"
                                           : "=number");
    is_text(str_text(&all), "1:1=number 2:10 1:try 1:1=nan 1:2=number 1:end0 ",
            "of all trials every step and final end, with a value, without, and with none");
    str_free(&all);
    journal_free(&journal);
    remove_journal();
}

/* A trial is paused, continues, loses its worker and repeats some steps: each step counts once. */
static void a_trial_that_goes_on(const struct study *study)
{
    struct journal_writer *w;
    struct journal journal;
    struct err e = {0};
    struct outcome paused = {
        .state = OUTCOME_STOPPED, .score = 0.5, .reason = "stopped", .paused = true};
    struct outcome lost = {.state = OUTCOME_INTERRUPTED, .score = NAN, .exit_code = -1};
    struct outcome done = {.state = OUTCOME_DONE, .score = 0.1};
    double point[3] = {0.5, 0, 3};
    if (!ok(journal_create(&w, folder, study, &e) == 0, "a journal for a trial that goes on"))
        return;
    journal_start(w, 1, 1, 1, 1, &study->space, point);
    for (uint64_t step = 1; step <= 3; step++)
        journal_step(w, 1, 2, 1, &(struct outcome_step){step, 1, NULL, 0, false});
    journal_end(w, 1, 3, 1, &paused, false);
    journal_start_from(w, 2, 3, 2, &study->space, point, 1);
    journal_close(w, 4, END_NONE, &e);
    ok(journal_load(&journal, folder, &e) == 0 && journal.trials[0].paused &&
           journal.trials[0].state == OUTCOME_STOPPED &&
           journal_progress(&journal, 0)->paused_at == 3,
       "a paused trial counts as stopped");
    ok(journal.trials[1].origin == 1 && journal.trials[0].origin == 0 &&
           journal.completion_count == 1,
       "a trial knows where it began");
    ok(journal_open(&w, &journal, &e) == 0, "it is opened");
    journal_free(&journal);
    journal_start(w, 1, 5, 1, 2, &study->space, NULL);
    for (uint64_t step = 4; step <= 6; step++)
        journal_step(w, 1, 6, 2, &(struct outcome_step){step, 2, NULL, 0, false});
    journal_end(w, 1, 7, 1, &lost, true);
    journal_start(w, 1, 8, 2, 3, &study->space, NULL);
    for (uint64_t step = 4; step <= 9; step++)
        journal_step(w, 1, 9, 3, &(struct outcome_step){step, 3, NULL, 0, false});
    journal_end(w, 1, 10, 1, &done, false);
    journal_close(w, 11, END_DONE, &e);
    ok(journal_load(&journal, folder, &e) == 0 && !journal.trials[0].paused &&
           journal.trials[0].state == OUTCOME_DONE && journal.trials[0].score == 0.1 &&
           journal.completion_count == 1 && journal_progress(&journal, 0)->paused_at == 3,
       "one that went on and is done counts as done");
    struct journal_step step;
    struct str all = {0};
    for (struct journal_walk walk = journal_walk(&journal, 0); journal_next_step(&walk, &step);)
        str_printf(&all, "%d:%d ", (int)step.step, (int)step.value);
    is_text(str_text(&all), "1:1 2:1 3:1 4:2 5:2 6:2 7:3 8:3 9:3 ", "and has each step once");
    ok(journal.trials[0].steps == 9, "as many as it counts");
    str_free(&all);
    journal_free(&journal);
    remove_journal();
}

/* A job that is requeued every few minutes starts a trial again and again. */
static void many_tries(const struct study *study)
{
    enum { TRIES = 300 };
    struct journal_writer *w;
    struct journal j = {0};
    struct err e = {0};
    struct outcome interrupted = {.state = OUTCOME_INTERRUPTED, .score = NAN, .exit_code = -1};
    double point[3] = {0.5, 0, 3};
    ok(journal_create(&w, folder, study, &e) == 0, "a journal");
    for (unsigned i = 1; i <= TRIES; i++) {
        journal_start(w, 1, i, 1, i, &study->space, i == 1 ? point : NULL);
        journal_end(w, 1, i + 0.5, 1, &interrupted, true);
    }
    ok(journal_close(w, TRIES, END_STOPPED, &e) == 0 && journal_load(&j, folder, &e) == 0,
       "with a trial that was interrupted 300 times");
    ok(j.trials[0].tries == TRIES, "counts all its tries: %u", (unsigned)j.trials[0].tries);
    journal_free(&j);
    remove_journal();
}

/* A run that could not write its last record. */
static void a_failure_is_kept(const struct study *study)
{
    struct journal_writer *w;
    struct journal j = {0};
    struct err e = {0}, full = {0};
    err_set(&full, ERR_SYSTEM, "the disk is full\nFree some room:\nit continues\nthen");
    ok(journal_create(&w, folder, study, &e) == 0, "a journal");
    journal_opened(w, 1, 2, 100, 60);
    ok(journal_load(&j, folder, &e) == 0 && j.end == END_NONE && j.running, "of a run");
    journal_blame(w, &full);
    ok(journal_close(w, 2, END_NONE, &e) == 0, "that ends without a record");
    ok(journal_follow(&j, &e) == 0 && j.end == END_BROKEN && !j.running, "it is broken");
    is_text(j.why, "broken", "by its name");
    is_text(j.failure, "the disk is full. Free some room: it continues; then",
            "with the reason, on one line");
    journal_free(&j);
    ok(journal_load(&j, folder, &e) == 0 && j.end == END_BROKEN, "also for whoever loads it");
    ok(journal_open(&w, &j, &e) == 0, "the next run");
    journal_opened(w, 3, 2, 100, 60);
    ok(journal_close(w, 4, END_NONE, &e) == 0 && journal_follow(&j, &e) == 0 && j.end == END_NONE,
       "that is killed has only crashed");
    journal_free(&j);
    remove_journal();
}

static void remove_it(const char *path)
{
    unlink(path);
}

static void replace_it(const char *path)
{
    struct err e = {0};
    str_write_file(path, "{}\n", 3, &e);
}

/* An editor, or a copy, moves the file and writes another one with the same content. */
static void copy_it(const char *path)
{
    struct err e = {0};
    struct str text = {0};
    str_read_regular(&text, path, SIZE_MAX, &e);
    str_write_file(path, text.text, text.length, &e);
    str_free(&text);
}

static void move_it(const char *path)
{
    rename(path, path_of("elsewhere"));
}

static void cut_it_off(const char *path)
{
    (void)!truncate(path, 20);
}

static void add_to_it(const char *path)
{
    FILE *file = fopen(path, "a");
    if (file) {
        fputc('x', file);
        fclose(file);
    }
}

/* What is written to a file that is not the journal, or no longer whole, would be lost. */
static void tampered_with(const struct study *study, void (*act)(const char *path),
                          const char *what)
{
    struct journal_writer *w;
    struct err e = {0};
    const double point[] = {0.5, 1, NAN};
    char path[200], message[300];
    remove_journal();
    ok(journal_create(&w, folder, study, &e) == 0, "a journal is created");
    snprintf(path, sizeof path, "%s", path_of("journal"));
    act(path);
    journal_start(w, 1, 1, 1, 1, &study->space, point);
    ok(journal_close(w, 2, END_DONE, &e) == ERR_SYSTEM, "what was done to it is an error");
    snprintf(message, sizeof message, "cannot write %s: %s", path, what);
    is_text(e.message, message, "which says what happened");
    remove_journal();
    unlink(path_of("elsewhere"));
}

static void tampering_is_noticed(const struct study *study)
{
    tampered_with(study, remove_it, "it has been removed");
    tampered_with(study, replace_it, "another file has replaced it");
    tampered_with(study, copy_it, "another file has replaced it");
    tampered_with(study, move_it, "it has been moved away");
    tampered_with(study, cut_it_off, "something else has cut it off");
    tampered_with(study, add_to_it, "something else has written to it");
}

/* The folder of a study may get another name while a run writes. */
static void a_folder_moves(const struct study *study)
{
    struct journal_writer *w;
    struct journal j = {0};
    struct err e = {0};
    const double point[] = {0.5, 1, NAN};
    static const char *const names[] = {"there/journal", "there/lock"};
    char study_folder[300], moved[300];
    snprintf(study_folder, sizeof study_folder, "%s/here", folder);
    snprintf(moved, sizeof moved, "%s/there", folder);
    ok(journal_create(&w, study_folder, study, &e) == 0, "a journal in a folder");
    ok(rename(study_folder, moved) == 0, "that is renamed");
    journal_start(w, 1, 1, 1, 1, &study->space, point);
    ok(journal_close(w, 2, END_DONE, &e) == 0, "is written on");
    ok(journal_load(&j, moved, &e) == 0 && j.count == 1, "and nothing is lost");
    journal_free(&j);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
    rmdir(moved);
}

int main(void)
{
    struct study study = {0};
    if (!tap_folder(folder, sizeof folder))
        return 1;
    parse(&study);
    reads_back(&study);
    torn_anywhere();
    one_writer_only();
    a_second_study_is_refused(&study);
    damage_is_named();
    not_a_journal();
    too_few_descriptors(&study);
    the_best_come_first(&study);
    steps_are_read_back(&study);
    a_trial_that_goes_on(&study);
    many_tries(&study);
    a_failure_is_kept(&study);
    tampering_is_noticed(&study);
    a_folder_moves(&study);
    study_free(&study);
    rmdir(folder);
    return tap_end();
}
