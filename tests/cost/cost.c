/*
 * cost - does one thing many times, so that tools/cost can count its instructions under valgrind.
 *
 *   cost               lists the subjects, and how many units of each a round does
 *   cost SUBJECT       does a round, then one twice as long
 *   cost --built-with  what the counts depend on: compiler, C library, processor, optimization
 *
 * What a round does once, whatever its length, cancels out in the difference of the two. Everything
 * happens in one thread and in the virtual time of the simulator, so the counts are the same in
 * every run: a thread that is started here runs when its end is waited for. Therefore, the journal
 * writes all of its records at once, and waking its thread for a few of them is not counted.
 */
#include "balance/balance.h"
#include "bench/mixed.h"
#include "run/folder.h"

#include <gnu/libc-version.h>
#include <math.h>
#include <pthread.h>

struct subject {
    const char *name;
    size_t count; /* number of units in a round */
    void (*round)(size_t count);
};

static char dir[96]; /* for a study or a journal */

static void expect(bool holds, const char *what, const struct err *e)
{
    if (!holds)
        BUG("%s: %s", what, e ? e->message : "");
}

/* ---- threads that run when somebody waits for them ---- */

enum { THREADS = 64 };
static struct {
    void *(*function)(void *);
    void *argument;
} threads[THREADS];

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument);
int __wrap_pthread_join(pthread_t thread, void **result);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument)
{
    size_t i = 0;
    (void)attributes;
    while (i < THREADS && threads[i].function)
        i++;
    expect(i < THREADS, "too many threads", NULL);
    threads[i].function = function;
    threads[i].argument = argument;
    *thread = (pthread_t)i;
    return 0;
}

int __wrap_pthread_join(pthread_t thread, void **result)
{
    void *value = threads[thread].function(threads[thread].argument);
    threads[thread].function = NULL;
    if (result)
        *result = value;
    return 0;
}

/* ---- studies: trials and steps ---- */

static void run(const char *text, uint64_t trials, uint64_t steps)
{
    struct study study;
    struct comm_world world = {.seed = 1, .latency = 1e-5};
    struct run_options options = {
        .dir = dir, .workers = 2, .trials = trials, .requests = -1, .world = &world};
    struct run_observer observer = {.interval = 1};
    struct run_progress progress;
    struct journal journal;
    struct err e = {0};
    parse_text(&study, text);
    expect(run_study(&study, &options, &observer, &progress, &e) == 0, "run_study", &e);
    expect(progress.ended == trials && progress.failed == 0, "trials are missing", NULL);
    study_free(&study);
    if (steps > 0) {
        expect(journal_load(&journal, dir, &e) == 0, "journal_load", &e);
        expect(journal.trials[0].steps == steps, "steps are missing", NULL);
        journal_free(&journal);
    }
    folder_remove(dir);
}

/* Trials that take no time, and travel in batches. */
static void run_trials(size_t count)
{
    run("model: {function: noop}\nsearch: {algorithm: random, seed: 1}\n", count, 0);
}

/* Trials that take a while: each is handed out separately. */
static void run_long_trials(size_t count)
{
    run("model: {function: sleep}\n"
        "space: {seconds: {float: [50, 60]}, b: {float: [0, 1]}, c: {float: [0, 1]}}\n"
        "search: {algorithm: random, seed: 1}\n",
        count, 0);
}

/* One trial that reports this number of steps. */
static void run_steps(size_t count)
{
    char text[300];
    snprintf(text, sizeof text,
             "model: {function: curves}\n"
             "space: {learning_rate: 0.01, decay: 0.001, units: 64, optimizer: {choice: [sgd, "
             "adam]}, epochs: %zu}\n"
             "search: {algorithm: random, seed: 1}\n",
             count);
    run(text, 1, count);
}

/* ---- tasks ---- */

enum { WORKERS = 2, PAYLOAD = 16 };

struct hand {
    struct comm *comm;
    struct balance_rules rules;
    struct balance_server *server; /* on rank 0 ... */
    struct balance_client *client; /* ... or on a worker */
    size_t count, put, ended;
};

static void wanted(void *self, size_t count)
{
    struct hand *h = self;
    unsigned char bytes[PAYLOAD] = {0};
    for (; count > 0 && h->put < h->count; count--)
        balance_put(h->server,
                    &(struct balance_task){.id = ++h->put, .bytes = bytes, .length = PAYLOAD});
}

static void ended(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length)
{
    struct hand *h = self;
    (void)id;
    (void)worker;
    (void)bytes;
    expect(outcome == BALANCE_DONE && length == 8, "a task was not done", NULL);
    if (++h->ended == h->count)
        balance_finish(h->server);
}

static void finished(void *self, size_t left)
{
    struct hand *h = self;
    expect(left == 0, "tasks are left", NULL);
    comm_stop(h->comm);
}

static void server_start(void *self, struct comm *comm)
{
    struct hand *h = self;
    struct balance_owner owner = {
        .self = h, .wanted = wanted, .ended = ended, .finished = finished};
    h->comm = comm;
    h->server = balance_create(comm, &h->rules, &owner);
}

static void server_message(void *self, const struct comm_message *m)
{
    struct hand *h = self;
    balance_message(h->server, m);
}

static void do_nothing(void *self, const struct balance_assignment *task)
{
    struct hand *h = self;
    (void)task;
    balance_done(h->client, "0.123456", 8);
}

static void go_home(void *self)
{
    struct hand *h = self;
    balance_leave(h->client);
    comm_stop(h->comm);
}

static void worker_start(void *self, struct comm *comm)
{
    struct hand *h = self;
    struct balance_worker worker = {.self = h, .types = 1, .task = do_nothing, .finish = go_home};
    h->comm = comm;
    h->client = balance_join(comm, &h->rules, &worker);
}

static void worker_message(void *self, const struct comm_message *m)
{
    struct hand *h = self;
    balance_client_message(h->client, m);
}

static void hand_tasks(size_t count, unsigned batch)
{
    struct hand hands[1 + WORKERS] = {{.count = count}};
    struct comm_actor actors[1 + WORKERS] = {{&hands[0], server_start, server_message}};
    struct comm_world world = {.seed = 1, .latency = 1e-5};
    struct err e = {0};
    double seconds;
    for (int i = 0; i <= WORKERS; i++)
        hands[i].rules = (struct balance_rules){.servers = 1, .lost_after = 30, .batch = batch};
    for (int i = 1; i <= WORKERS; i++)
        actors[i] = (struct comm_actor){&hands[i], worker_start, worker_message};
    expect(comm_simulate(1 + WORKERS, actors, &world, &seconds, &e) == 0, "comm_simulate", &e);
    expect(hands[0].ended == count, "tasks are missing", NULL);
    balance_free(hands[0].server);
    for (int i = 1; i <= WORKERS; i++)
        balance_client_free(hands[i].client);
}

static void hand_out_tasks(size_t count)
{
    hand_tasks(count, 0);
}

static void hand_out_single_tasks(size_t count)
{
    hand_tasks(count, 1);
}

/* ---- suggestions ---- */

static void tell(struct search *search, const struct space *space, const double *point)
{
    struct search_result result = {.good = true};
    for (size_t i = 0; i < space->count; i++) {
        double u = isnan(point[i]) ? 0.3 : space_unit(&space->parameters[i], point[i]);
        result.scores[0] += (u - 0.7) * (u - 0.7) * (1 + (double)i);
    }
    search_tell(search, search_asked(search) - 1, &result);
}

/* This number of suggestions after `known` results of random points, each with its result. */
static void suggest(const char *algorithm, size_t known, size_t count)
{
    struct study study;
    double point[16], units[16];
    parse_text(&study, mixed_space);
    struct search_settings settings = {
        .algorithm = algorithm, .seed = 1, .trials = 10000, .objectives = 1};
    struct search *search = search_create(&settings, &study.space);
    struct random random;
    random_seed(&random, 3, 0);
    for (size_t k = 0; k < known; k++) {
        for (size_t i = 0; i < study.space.count; i++)
            units[i] = random_unit(&random);
        space_point(&study.space, units, point);
        search_add(search, point);
        tell(search, &study.space, point);
    }
    for (size_t k = 0; k < count; k++) {
        expect(search_ask(search, point) == SEARCH_POINT, "no suggestion", NULL);
        tell(search, &study.space, point);
    }
    search_free(search);
    study_free(&study);
}

static void suggest_randomly(size_t count)
{
    suggest("random", 0, count);
}

static void suggest_by_tpe(size_t count)
{
    suggest("tpe", 200, count);
}

static void suggest_by_forest(size_t count)
{
    suggest("forest", 200, count);
}

/* ---- records of the journal ---- */

/* Starts and ends of trials in turn, with the point and the score that a study has. */
static void write_lines(size_t count)
{
    struct study study;
    struct journal_writer *writer;
    struct err e = {0};
    double point[4];
    struct random random;
    random_seed(&random, 1, 0);
    parse_text(&study, "model: {function: noop}\n");
    expect(journal_create(&writer, dir, &study, &e) == 0, "journal_create", &e);
    for (uint64_t id = 1; id <= count / 2; id++) {
        double time = 0.01 * (double)id;
        for (size_t i = 0; i < 4; i++)
            point[i] = random_unit(&random);
        journal_start(writer, id, time, 1 + (unsigned)(id % 2), 1, &study.space, point);
        struct outcome result = {.state = OUTCOME_DONE,
                                 .score = random_unit(&random),
                                 .started = time,
                                 .ended = time + 0.005,
                                 .exit_code = -1};
        journal_end(writer, id, time + 0.005, 1 + (unsigned)(id % 2), &result, false);
    }
    expect(journal_close(writer, (double)count, END_NONE, &e) == 0, "journal_close", &e);
    study_free(&study);
}

static void write_journal(size_t count)
{
    write_lines(count);
    folder_remove(dir);
}

static void write_and_read_journal(size_t count)
{
    struct journal journal;
    struct err e = {0};
    write_lines(count);
    expect(journal_load(&journal, dir, &e) == 0, "journal_load", &e);
    expect(journal.count == count / 2 && journal.completion_count == count / 2, "lines are missing",
           NULL);
    journal_free(&journal);
    folder_remove(dir);
}

/* ---- the command line ---- */

static const struct subject subjects[] = {
    {"trial", 1000, run_trials},
    {"trial-long", 1000, run_long_trials},
    {"step", 2000, run_steps},
    {"task", 4000, hand_out_tasks},
    {"task-single", 2000, hand_out_single_tasks},
    {"suggestion-random", 2000, suggest_randomly},
    {"suggestion-tpe", 10, suggest_by_tpe},
    {"suggestion-forest", 5, suggest_by_forest},
    {"line-written", 2000, write_journal},
    {"line-written-and-read", 2000, write_and_read_journal},
};

/* tools/cost tells valgrind to count between its start and its end. */
void measured(const struct subject *subject, size_t count);

__attribute__((noinline)) void measured(const struct subject *subject, size_t count)
{
    subject->round(count);
}

static void print_built_with(void)
{
#ifdef __clang__
    printf("clang %d", __clang_major__);
#else
    printf("gcc %d", __GNUC__);
#endif
    printf(", glibc %s", gnu_get_libc_version());
#ifdef __x86_64__
    printf(", x86_64");
#else
    printf(", another processor");
#endif
#if defined __OPTIMIZE__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    puts(", release");
#else
    puts(", debug");
#endif
}

int main(int argc, char **argv)
{
    const size_t count = sizeof subjects / sizeof *subjects;
    if (argc == 2 && strcmp(argv[1], "--built-with") == 0) {
        print_built_with();
        return 0;
    }
    if (argc < 2) {
        for (size_t i = 0; i < count; i++)
            printf("%s %zu\n", subjects[i].name, subjects[i].count);
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        if (strcmp(subjects[i].name, argv[1]) == 0 && folder_open()) {
            snprintf(dir, sizeof dir, "%s/study", folder);
            measured(&subjects[i], subjects[i].count);
            measured(&subjects[i], 2 * subjects[i].count);
            folder_remove(folder);
            return 0;
        }
    fprintf(stderr, "cost: there is nothing to count that is named %s\n", argv[1]);
    return 2;
}
