/*
 * run.c - tries faults: in each command, each call that it makes, each error that the call can
 * have.
 *
 *   faults [--only CASE] [--count N] [--seed N] [--state FILE] [--seconds N]
 *          [--limit N] [--jobs N] PROGRAM
 *
 *   --only CASE     COMMAND[:CALL[:NUMBER[:ERROR]]], as the line of a failure names it
 *   --count N       so many cases, chosen at random; "all" tries all of them
 *   --seed N        that choose them
 *   --state FILE    where `--count all` notes how far it is, and continues
 *   --seconds N     ends after this time; a state is kept
 *   --limit N       seconds until a program that does not end hangs
 *   --jobs N        so many cases at the same time: most of them only wait
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TMPFS = 0x01021994, JOBS_MOST = 64 };

/* The cases of one scenario that fail the same call with the same error; all jobs count here. */
struct group {
    const struct scenario *scenario;
    const struct fault *fault;
    enum faults_process process;
    uint64_t calls; /* when nothing fails */
    uint64_t next;  /* of --count all; calls + 1: done */
    uint64_t tried, bad;
};

static struct {
    const char *only, *state, *program;
    uint64_t count, seed, jobs;
    bool all;
    double seconds, limit;
} options = {.count = 200, .seed = 1, .jobs = 1, .limit = 120};

static struct bench bench;
static struct group *groups; /* shared by all jobs */
static size_t group_count;
static struct usual *usuals; /* of each scenario, in the folder of this job */
static uint64_t job;
static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- the bench ---- */

static void make_folder(void)
{
    struct statfs info;
    const char *below = getenv("TMPDIR");
    if (statfs("/dev/shm", &info) == 0 && info.f_type == TMPFS && access("/dev/shm", W_OK) == 0)
        below = "/dev/shm"; /* nothing is lost here by a power cut, and syncing costs nothing */
    snprintf(bench.folder, sizeof bench.folder, "%s/wick-faults-XXXXXX", below ? below : "/tmp");
    if (!mkdtemp(bench.folder)) {
        perror("faults: cannot make a folder");
        exit(1);
    }
}

static void map_faults(void)
{
    char path[512];
    int fd = open(bench_path(&bench, path, "faults"), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || ftruncate(fd, sizeof *bench.faults) != 0) {
        perror("faults: cannot make a file");
        exit(1);
    }
    bench.faults = mmap(NULL, sizeof *bench.faults, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
}

/* Fixtures are made where they will be used, because studies know the path of their folder. */
static void make_fixtures(void)
{
    char path[512], name[64], to[512], command[8192];
    for (size_t i = 0; i < fixture_count; i++) {
        mkdir(bench_path(&bench, path, "case"), 0777);
        snprintf(command, sizeof command, "set -e; cd '%s'; %s", path, fixtures[i].script);
        if (shell(command, NULL) != 0) {
            fprintf(stderr, "faults: cannot make the fixture %s\n", fixtures[i].name);
            exit(1);
        }
        snprintf(name, sizeof name, "fixture-%s", fixtures[i].name);
        rename(path, bench_path(&bench, to, name));
    }
}

static void clean_up(void)
{
    if (bench.folder[0])
        folder_remove(bench.folder);
}

static void make_bench(void)
{
    static const char *const unset[] = {"NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "WICK_FAULTS"};
    if (!realpath(options.program, bench.program)) {
        perror(options.program);
        exit(1);
    }
    for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
        unsetenv(unset[i]);
    setenv("WICK", bench.program, 1);
    setenv("WICK_PROGRAM", bench.program, 1);
    bench.limit = options.limit;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    make_folder();
    atexit(clean_up);
    map_faults();
    make_fixtures();
}

/* ---- groups ---- */

/* Takes the part of --only up to a colon; true if it is empty or this word. */
static bool part_is(const char **only, const char *word)
{
    size_t length = strcspn(*only, ":");
    bool same = length == 0 || (strlen(word) == length && strncmp(*only, word, length) == 0);
    *only += length + ((*only)[length] == ':');
    return same;
}

static bool is_wanted(const struct group *group)
{
    const char *only = options.only ? options.only : "";
    char call[64];
    fault_call_name(call, sizeof call, group->process, group->fault->call);
    if (!part_is(&only, group->scenario->name) || !part_is(&only, call))
        return false;
    part_is(&only, ""); /* the number */
    return part_is(&only, group->fault->name);
}

static bool scenario_is_wanted(const struct scenario *scenario)
{
    const char *only = options.only ? options.only : "";
    if (!part_is(&only, scenario->name))
        return false;
    if (!scenario->needs || access(scenario->needs, X_OK) == 0)
        return true;
    printf("# skipped: %s: there is no %s\n", scenario->name, scenario->needs);
    return false;
}

static struct usual *usual_of(const struct scenario *scenario)
{
    return &usuals[scenario - scenarios];
}

static void add_groups(const struct scenario *scenario)
{
    struct usual *usual = usual_of(scenario);
    case_usual(&bench, scenario, usual);
    for (size_t i = 0; i < faults_count; i++)
        for (int process = 0; process < FAULTS_PROCESSES; process++) {
            struct group group = {.scenario = scenario,
                                  .fault = &faults_all[i],
                                  .process = (enum faults_process)process,
                                  .calls = usual->counts[process][faults_all[i].call],
                                  .next = 1};
            if (group.calls > 0 && is_wanted(&group))
                groups[group_count++] = group;
        }
}

static void make_groups(void)
{
    size_t most = scenario_count * faults_count * FAULTS_PROCESSES;
    groups = mmap(NULL, most * sizeof *groups, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                  -1, 0);
    usuals = calloc(scenario_count, sizeof *usuals);
    for (size_t i = 0; i < scenario_count; i++)
        if (scenario_is_wanted(&scenarios[i]))
            add_groups(&scenarios[i]);
}

/* ---- trying ---- */

/* Tries one case of a group; false if the command did not make so many calls. */
static bool try_one(struct group *group, uint64_t number)
{
    struct fault_case c = {group->scenario, group->fault, group->process, number};
    char name[128];
    case_name(name, sizeof name, &c);
    bool reached = case_try(&bench, &c, usual_of(group->scenario));
    __atomic_add_fetch(&group->tried, reached, __ATOMIC_RELAXED);
    if (!bench.problem[0])
        return reached;
    __atomic_add_fetch(&group->bad, 1, __ATOMIC_RELAXED);
    printf("not ok - tests/faults/run --only '%s'\n", name);
    for (const char *at = bench.problem; *at;) {
        int length = (int)strcspn(at, "\n");
        printf("    %.*s\n", length, at);
        at += length + (at[length] == '\n');
    }
    case_print_place(&bench);
    fflush(stdout);
    return reached;
}

static uint64_t random_below(uint64_t limit)
{
    uint64_t z = (options.seed += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) % limit;
}

/* Each group is as likely as any other, so that memory does not get most of the cases. */
static void try_some(double end)
{
    for (uint64_t i = 0; i < options.count && !interrupted && now() < end; i++) {
        struct group *group = &groups[random_below(group_count)];
        uint64_t number = 1 + random_below(group->calls);
        if (i % options.jobs == job)
            try_one(group, number);
    }
}

static void try_number(uint64_t number)
{
    for (size_t i = 0; i < group_count && !interrupted; i++)
        if (number > 0)
            try_one(&groups[i], number);
        else
            for (uint64_t n = 1; n <= groups[i].calls && !interrupted; n++)
                try_one(&groups[i], n);
}

/* ---- all cases, with a state ---- */

static void group_name(char *name, size_t size, const struct group *group)
{
    struct fault_case c = {group->scenario, group->fault, group->process, 0};
    case_name(name, size, &c);
}

/* A line per group: its name, and its next number, how many were tried, and how many were bad. */
static void read_state(void)
{
    char line[256], name[128], own[128];
    unsigned long long next, tried, bad;
    FILE *in = options.state ? fopen(options.state, "r") : NULL;
    while (in && fgets(line, sizeof line, in)) {
        if (sscanf(line, "%127s %llu %llu %llu", name, &next, &tried, &bad) != 4)
            continue;
        for (size_t i = 0; i < group_count; i++) {
            group_name(own, sizeof own, &groups[i]);
            if (strcmp(own, name) == 0) {
                groups[i].next = next;
                groups[i].tried = tried;
                groups[i].bad = bad;
            }
        }
    }
    if (in)
        fclose(in);
}

static void write_state(void)
{
    char next[4200], name[128];
    if (!options.state)
        return;
    snprintf(next, sizeof next, "%s.new", options.state);
    FILE *out = fopen(next, "w");
    for (size_t i = 0; out && i < group_count; i++) {
        group_name(name, sizeof name, &groups[i]);
        fprintf(out, "%s %llu %llu %llu\n", name, (unsigned long long)groups[i].next,
                (unsigned long long)groups[i].tried, (unsigned long long)groups[i].bad);
    }
    if (out && fclose(out) == 0)
        rename(next, options.state);
}

/* The first calls of all groups, then the second ones, and so on. */
static void try_all(double end)
{
    double written = now();
    bool any = true;
    for (uint64_t number = 1; any; number++) {
        any = false;
        for (size_t i = 0; i < group_count; i++) {
            struct group *group = &groups[i];
            any = any || group->next <= group->calls;
            if (group->next != number || number > group->calls)
                continue;
            if (interrupted || now() > end)
                return;
            uint64_t taken = number;
            if (!__atomic_compare_exchange_n(&group->next, &taken, number + 1, false,
                                             __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                continue; /* by another job */
            try_one(group, number);
            if (job == 0 && now() > written + 5) {
                write_state();
                written = now();
            }
        }
    }
}

/* ---- several cases at the same time ---- */

/* A folder of its own, and what is usual there. */
static void make_own_bench(void)
{
    size_t size = scenario_count * sizeof *usuals;
    make_bench();
    memset(usuals, 0, size);
    for (size_t i = 0; i < group_count; i++)
        if (!usual_of(groups[i].scenario)->out)
            case_usual(&bench, groups[i].scenario, usual_of(groups[i].scenario));
}

/*
 * Starts the jobs; true in each of them, which `job` numbers. This process has no part in them,
 * since what ran in a case must have been started by its job.
 */
static bool start_jobs(pid_t *pids)
{
    fflush(NULL);
    for (uint64_t i = 0; i < options.jobs; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            job = i;
            make_own_bench();
            return true;
        }
    }
    return false;
}

/* Waits for the jobs; false if one of them failed by itself. */
static bool await_jobs(const pid_t *pids)
{
    bool good = true;
    for (uint64_t i = 0; i < options.jobs; i++) {
        int status = -1;
        pid_t ended;
        while ((ended = waitpid(pids[i], &status, 0)) < 0 && errno == EINTR)
            for (uint64_t k = i; interrupted && k < options.jobs; k++)
                kill(pids[k], SIGTERM);
        good = good && ended == pids[i] && status == 0;
    }
    return good;
}

/* ---- the counts ---- */

static void print_counts(bool by_call)
{
    printf("%-15s %9s %9s\n", by_call ? "call" : "command", "tried", "failures");
    for (size_t i = 0; i < group_count; i++) {
        uint64_t tried = 0, bad = 0;
        char name[64];
        bool seen = false;
        for (size_t k = 0; k < group_count; k++) {
            bool same = by_call ? groups[k].fault->call == groups[i].fault->call &&
                                      groups[k].process == groups[i].process
                                : groups[k].scenario == groups[i].scenario;
            seen = seen || (same && k < i);
            tried += same ? groups[k].tried : 0;
            bad += same ? groups[k].bad : 0;
        }
        if (seen || tried == 0)
            continue;
        fault_call_name(name, sizeof name, groups[i].process, groups[i].fault->call);
        printf("%-15s %9llu %9llu\n", by_call ? name : groups[i].scenario->name,
               (unsigned long long)tried, (unsigned long long)bad);
    }
    printf("\n");
}

static int conclude(double began, uint64_t before)
{
    uint64_t tried = 0, bad = 0, cases = 0;
    bool finished = true;
    for (size_t i = 0; i < group_count; i++) {
        tried += groups[i].tried;
        bad += groups[i].bad;
        cases += groups[i].calls;
        finished = finished && groups[i].next > groups[i].calls;
    }
    if (!options.only) {
        print_counts(false);
        print_counts(true);
    }
    if (!options.only && options.all && !finished)
        printf("not finished: the same command continues\n");
    printf("%llu faults tried (of %llu), %llu failures; now %llu in %.0f s\n",
           (unsigned long long)tried, (unsigned long long)cases, (unsigned long long)bad,
           (unsigned long long)(tried - before), now() - began);
    return bad == 0 && tried > 0 ? 0 : 1;
}

static void read_options(int count, char **words)
{
    for (int i = 1; i < count; i++) {
        const char *word = words[i], *value = i + 1 < count ? words[i + 1] : "";
        i += word[0] == '-';
        if (strcmp(word, "--only") == 0)
            options.only = value;
        else if (strcmp(word, "--count") == 0 && strcmp(value, "all") == 0)
            options.all = true;
        else if (strcmp(word, "--count") == 0)
            options.count = strtoull(value, NULL, 10);
        else if (strcmp(word, "--seed") == 0)
            options.seed = strtoull(value, NULL, 10);
        else if (strcmp(word, "--jobs") == 0)
            options.jobs = strtoull(value, NULL, 10);
        else if (strcmp(word, "--state") == 0)
            options.state = value;
        else if (strcmp(word, "--seconds") == 0)
            options.seconds = strtod(value, NULL);
        else if (strcmp(word, "--limit") == 0)
            options.limit = strtod(value, NULL);
        else if (word[0] != '-')
            options.program = word;
        else
            i = count;
    }
    if (!options.program || options.jobs < 1 || options.jobs > JOBS_MOST) {
        fputs("usage: tests/faults/run, see there\n", stderr);
        exit(2);
    }
}

static void try_cases(double end)
{
    const char *number = options.only;
    if (options.only) {
        part_is(&number, "");
        part_is(&number, "");
        try_number(strtoull(number, NULL, 10));
    } else if (options.all) {
        try_all(end);
    } else {
        try_some(end);
    }
}

int main(int count, char **words)
{
    read_options(count, words);
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    make_bench();
    double began = now(), end = options.seconds > 0 ? began + options.seconds : 1e300;
    make_groups();
    uint64_t before = 0;
    bool good = true, all = options.all && !options.only;
    if (!options.only && !all)
        printf("seed %llu\n", (unsigned long long)options.seed);
    if (all)
        read_state();
    for (size_t i = 0; i < group_count; i++)
        before += groups[i].tried;
    if (options.jobs > 1 && !options.only) {
        pid_t jobs[JOBS_MOST];
        if (start_jobs(jobs)) {
            try_cases(end);
            return 0;
        }
        good = await_jobs(jobs);
    } else {
        options.jobs = 1;
        try_cases(end);
    }
    if (all)
        write_state();
    return conclude(began, before) == 0 && good ? 0 : 1;
}
