/*
 * warm - how soon a PyTorch trial begins: the same script in a language host, which has imported
 * torch, and as a new process. The time is measured from handing the trial to its worker to the
 * first line of the script after its imports, which reports the time as its score.
 */
#include "bench/measure.h"
#include "trial/trial.h"

#include <time.h>
#include <unistd.h>

enum { MOST = 101 };

static const double LIMIT = 0.030, RATIO = 40;

static const char script[] = "import time\nimport torch\nprint('score:', repr(time.time()))\n";

struct bench {
    struct comm *comm;
    struct study study;
    struct helper *helper;
    const char *dir;
    struct machine_slot slot;
    struct trial_runner *runner;
    double begun, delays[MOST + 1];
    int count, wanted, failed;
};

/* The clock that the script uses. */
static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void next(void *self)
{
    struct bench *b = self;
    double point = 0.5;
    b->begun = wall_clock();
    trial_run(b->runner,
              &(struct trial_task){.id = (uint64_t)b->count + 1, .try = 1, .point = &point});
}

static void end(void *self)
{
    struct bench *b = self;
    trial_runner_free(b->runner);
    comm_stop(b->comm);
}

static void done(void *self, const struct outcome *result)
{
    struct bench *b = self;
    if (result->state != OUTCOME_DONE) {
        fprintf(stderr, "a trial failed: %s\n%s\n", result->reason, str_text(&result->log));
        b->failed = 1;
    }
    b->delays[b->count++] = result->score - b->begun;
    if (b->count < b->wanted && !b->failed)
        comm_after(b->comm, 0.02, next, b); /* as if the search thought for a moment */
    else
        comm_after(b->comm, 0, end, b);
}

static void step(void *self, const struct outcome_step *ignored)
{
    (void)self;
    (void)ignored;
}

static void asked(void *self, uint64_t call)
{
    (void)self;
    (void)call;
}

static void start(void *self, struct comm *comm)
{
    struct bench *b = self;
    b->comm = comm;
    b->runner = trial_runner_create(
        comm, &b->study, b->dir, &b->slot, b->helper,
        &(struct trial_observer){.self = b, .step = step, .asked = asked, .done = done});
    next(b);
}

static void message(void *self, const struct comm_message *ignored)
{
    (void)self;
    (void)ignored;
}

/* The median of the delays without the first one, in which a host imports; negative: failure. */
static double measure(const char *dir, const char *extra, int wanted)
{
    struct bench b = {.dir = dir, .wanted = wanted};
    struct err_list mistakes = {0};
    struct err e = {0};
    struct str text = {0};
    str_printf(&text,
               "model: {command: /usr/bin/python3 start.py%s}\nspace: {x: {float: [0, 1]}}\n",
               extra);
    int failed = study_parse(&b.study, text.text, text.length, NULL, dir, &mistakes);
    str_free(&text);
    if (failed || helper_start(&b.helper, 1, &e) || machine_slots(&b.study, 1, &b.slot, &e)) {
        fprintf(stderr, "%s\n", failed ? mistakes.items[0].message : e.message);
        return -1;
    }
    b.slot.channel = 1;
    failed = comm_threads(1, &(struct comm_actor){&b, start, message}, &e) || b.failed;
    helper_stop(b.helper);
    study_free(&b.study);
    qsort(b.delays + 1, (size_t)b.count - 1, sizeof *b.delays, by_size);
    return failed ? -1 : b.delays[1 + (b.count - 1) / 2];
}

int main(void)
{
    char dir[] = "/tmp/wick-bench-XXXXXX", path[64];
    struct err e = {0};
    if (!mkdtemp(dir))
        return 1;
    snprintf(path, sizeof path, "%s/start.py", dir);
    if (str_write_file(path, script, sizeof script - 1, &e))
        return 1;
    int fresh_count = (int)bench_size(7, 2), warm_count = (int)bench_size(MOST, 6);
    double fresh = measure(dir, "", fresh_count);
    double warm = fresh < 0 ? -1 : measure(dir, ", warm: true", warm_count);
    unlink(path);
    rmdir(dir);
    if (fresh < 0 || warm < 0)
        return 1;
    printf("PyTorch trial, fresh: %.0f ms to its first line, median of %d\n", fresh * 1e3,
           fresh_count - 1);
    printf("PyTorch trial, warm:  %.2f ms, median of %d (at most %.0f ms wanted): %s\n", warm * 1e3,
           warm_count - 1, LIMIT * 1e3, warm <= LIMIT ? "good" : "MISSED");
    printf("ratio: %.0f (at least %.0f wanted): %s\n", fresh / warm, RATIO,
           fresh / warm >= RATIO ? "good" : "MISSED");
    return 0;
}
