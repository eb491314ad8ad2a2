/* prepare.c - a study that is prepared now and run later suggests what it would suggest now. */
#include "folder.h"
#include "inbox/inbox.h"
#include "tap.h"
#include "worlds.h"

#include <sys/stat.h>

enum { TRIALS = 25 };

static char dir[96], past[96];

static void parse(struct study *study, const char *algorithm, const char *model)
{
    char text[700];
    snprintf(text, sizeof text,
             "model: {%s}\n"
             "space: {x1: {float: [-5, 10]}, x2: {float: [0, 15]}}\n"
             "search: {trials: %d, seed: 5, algorithm: %s, reproducible: true, learn: [%s], "
             "start: {best: 3, of: %s}}\n",
             model, TRIALS, algorithm, past, past);
    parse_text(study, text);
}

static bool load(struct journal *journal)
{
    struct err e = {0};
    if (journal_load(journal, dir, &e) == 0)
        return true;
    printf("# %s\n", e.message);
    return false;
}

static int prepare(const struct study *study, struct err *e)
{
    struct earlier *earlier;
    if (earlier_read(&earlier, study, e))
        return e->code;
    (void)!run_prepare(study, dir, study->search.trials, 0, earlier, e);
    earlier_free(earlier);
    return e->code;
}

/* Runs the study at once, or the rest of it if it was prepared before. */
static int run(const struct study *study, bool prepared)
{
    struct journal before;
    struct earlier *earlier = NULL;
    struct err e = {0};
    struct run_progress progress;
    struct comm_world world = {.seed = 1, .latency = 0.01};
    struct run_options options = {.workers = 3, .trials = TRIALS};
    if (prepared ? !load(&before) : earlier_read(&earlier, study, &e) != 0)
        return -1;
    options.journal = prepared ? &before : NULL;
    options.earlier = earlier;
    int code = simulate_in(dir, study, options, &world, &progress, &e);
    earlier_free(earlier);
    if (prepared)
        journal_free(&before);
    return code;
}

/* The points of all trials, one after another; NULL if some are missing. */
static double *read_points(size_t width)
{
    struct journal journal;
    struct err e = {0};
    if (!load(&journal))
        return NULL;
    double *points = journal.count == TRIALS ? memory_new(TRIALS * width, sizeof *points) : NULL;
    for (size_t i = 0; points && i < TRIALS; i++)
        (void)!journal_point(&journal, i, points + i * width, &e);
    journal_free(&journal);
    return points;
}

static void the_same_trials(const char *algorithm)
{
    struct study study;
    struct err e = {0};
    parse(&study, algorithm, "function: branin");
    size_t width = study.space.count;
    int failed = run(&study, false);
    double *now = failed ? NULL : read_points(width);
    folder_remove(dir);
    failed = prepare(&study, &e) || run(&study, true);
    double *later = failed ? NULL : read_points(width);
    folder_remove(dir);
    ok(now && later && memcmp(now, later, TRIALS * width * sizeof *now) == 0,
       "%s: the same trials as without being prepared, what it learnt from another study included",
       algorithm);
    free(now);
    free(later);
    study_free(&study);
}

static void what_is_there(void)
{
    struct study study;
    struct journal journal;
    struct err e = {0};
    parse(&study, "random", "function: branin");
    ok(prepare(&study, &e) == 0, "a study is prepared");
    if (load(&journal)) {
        ok(journal.end == END_PREPARED && !journal.running, "it has not started");
        ok(journal.budget == TRIALS && journal.count == 0 && journal.spent == 0,
           "it knows its budget, and has used nothing of it");
        ok(journal.earlier_count == 4, "it has what it learns from");
        ok(inbox_queue_left(dir, &study.space, 0, NULL) == 3, "and the points that come first");
        journal_free(&journal);
    }
    ok(prepare(&study, &e) == ERR_USER, "a second time it is refused");
    folder_remove(dir);
    study_free(&study);
}

static void foreign_checkpoints(void)
{
    struct study study;
    struct err e = {0};
    char path[128];
    parse(&study, "random", "command: /bin/true");
    mkdir(dir, 0777);
    snprintf(path, sizeof path, "%s/checkpoints", dir);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/checkpoints/7", dir);
    mkdir(path, 0777);
    ok(prepare(&study, &e) == ERR_USER && strstr(e.message, "checkpoints"),
       "a folder with the checkpoints of another study is refused before a job waits for it");
    folder_remove(dir);
    study_free(&study);
}

static void write_past(void)
{
    static const char text[] = "x1,x2,score\n1,2,3\n2,3,1\n3,4,2\n-1,14,9\n";
    struct err e = {0};
    snprintf(past, sizeof past, "%s/past.csv", folder);
    str_write_file(past, text, sizeof text - 1, &e);
}

int main(void)
{
    if (!folder_open())
        return 1;
    snprintf(dir, sizeof dir, "%s/study", folder);
    write_past();
    what_is_there();
    foreign_checkpoints();
    the_same_trials("random");
    the_same_trials("tpe");
    the_same_trials("gp");
    the_same_trials("genetic");
    folder_remove(folder);
    return tap_end();
}
