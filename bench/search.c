/*
 * search - which search finds good points in few trials: compares ours with each other and with the
 * peers, on the problems of bench/search/.
 *
 *   bench-search [--algorithms a,b] [--problems p,q] [--seeds 20] [--parallel 1|8]
 *                [--peers all|none|known|NAMES] [--jobs 2] [--csv FILE [--keep]] [--quick]
 *                [--details]
 *
 * An algorithm may have options: --algorithms forest,forest:KEY=VALUE:KEY=VALUE.
 *
 * Our searches give the same numbers in every run. With --csv, each race is written as a line of
 * FILE as soon as it ends; races of peers that FILE already has are not run again, and with --keep
 * neither are ours, so an interrupted run can continue; with --peers known, no races of peers are
 * run. Lines of a problem that has changed do not count. The head of bench/search/summary.c
 * explains the numbers.
 */
#include "bench/search/contest.h"

#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CONTENDERS = 64, JOBS = 64, CSV_LIMIT = 1 << 30 };

struct options {
    const char *algorithms, *problems, *peers, *csv;
    size_t seeds, jobs, parallel; /* parallel 0: both modes */
    bool keep, details;
};

static const struct contender peers[] = {
    {.name = "optuna-tpe", .algorithm = "tpe", .is_peer = true},
    {.name = "optuna-mtpe", .algorithm = "mtpe", .is_peer = true},
    {.name = "optuna-cmaes", .algorithm = "cmaes", .is_peer = true},
    {.name = "optuna-random", .algorithm = "random", .is_peer = true},
};

static _Noreturn void complain(const char *what, const char *which)
{
    fprintf(stderr, "bench-search: %s %s\n", what, which);
    exit(2);
}

struct outcome *contest_outcome(const struct contest *contest, size_t mode, size_t problem,
                                size_t contender, size_t seed)
{
    size_t index = mode * contest->problem_count + problem;
    index = index * contest->contender_count + contender;
    return &contest->outcomes[index * contest->seeds + seed];
}

/* ---- contenders ---- */

static double read_value(const struct option *option, const char *text)
{
    double number = NAN;
    for (size_t i = 0; option->words && option->words[i]; i++)
        if (strcmp(option->words[i], text) == 0)
            return (double)i;
    if (option->words || !str_number(text, &number))
        complain("no value of an option:", text);
    return number;
}

/* Reads KEY=VALUE into the contender's options. */
static void read_option(struct contender *contender, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals)
        complain("no KEY=VALUE:", text);
    *equals = '\0';
    const struct option *options = search_options(contender->algorithm);
    for (size_t i = 0; options[i].name; i++)
        if (strcmp(options[i].name, text) == 0) {
            contender->options[i] = read_value(&options[i], equals + 1);
            return;
        }
    complain("the algorithm has no option", text);
}

static void add_algorithm(struct contest *contest, const char *name)
{
    if (contest->contender_count == CONTENDERS)
        complain("too many algorithms:", name);
    struct contender *contender = &contest->contenders[contest->contender_count++];
    char *save = NULL, *words = arena_copy(&contest->arena, name, strlen(name));
    *contender = (struct contender){.name = arena_copy(&contest->arena, name, strlen(name))};
    for (size_t i = 0; i < SEARCH_OPTIONS; i++)
        contender->options[i] = NAN;
    contender->algorithm = strtok_r(words, ":", &save);
    const char *const *names = search_names();
    while (*names && strcmp(*names, contender->algorithm) != 0)
        names++;
    if (!*names)
        complain("no such algorithm:", contender->algorithm);
    for (char *word = strtok_r(NULL, ":", &save); word; word = strtok_r(NULL, ":", &save))
        read_option(contender, word);
}

/* A grid does not search, and nsga2 is for several objectives. */
static void add_all(struct contest *contest)
{
    for (const char *const *name = search_names(); *name; name++)
        if (!name_is_wanted(*name, "grid,nsga2"))
            add_algorithm(contest, *name);
}

static bool peers_are_there(void)
{
    struct peer *peer = peer_open();
    if (!peer)
        printf("Peers are skipped: /usr/bin/python3 has no Optuna (tools/packages bench)\n");
    peer_close(peer);
    return peer;
}

static void choose_contenders(struct contest *contest, const struct options *options)
{
    size_t most = CONTENDERS + sizeof peers / sizeof *peers;
    contest->contenders = arena_new(&contest->arena, most, sizeof *peers);
    if (!options->algorithms) {
        add_all(contest);
    } else {
        char *save = NULL, *names = memory_copy(options->algorithms);
        for (char *name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save))
            add_algorithm(contest, name);
        free(names);
    }
    bool known = strcmp(options->peers, "known") == 0, all = strcmp(options->peers, "all") == 0;
    if (strcmp(options->peers, "none") == 0 || (!known && !peers_are_there()))
        return;
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++)
        if (known || all || name_is_wanted(peers[i].name, options->peers))
            contest->contenders[contest->contender_count++] = peers[i];
}

/* ---- the file of races ---- */

static const char *const header =
    "trials_at_a_time,problem,fingerprint,algorithm,seed,best25,best50,best100,seconds\n";

static void write_race(int file, const struct contest *contest, size_t mode, size_t problem,
                       size_t contender, size_t seed)
{
    const struct outcome *outcome = contest_outcome(contest, mode, problem, contender, seed);
    const struct problem *on = &contest->problems[problem];
    struct str s = {0};
    str_printf(&s, "%d,%s,%jx,%s,%zu", mode ? PARALLEL : 1, on->name, (uintmax_t)on->fingerprint,
               contest->contenders[contender].name, seed + 1);
    for (size_t i = 0; i < CHECKPOINTS; i++)
        str_printf(&s, ",%.17g", outcome->best[i]);
    str_printf(&s, ",%.6f\n", outcome->seconds);
    if (write(file, s.text, s.length) != (ssize_t)s.length) /* one write: others write, too */
        complain("cannot write the file of races", "");
    str_free(&s);
}

/* Uses a line if this contest has such a race and may use it. */
static void take_race(struct contest *contest, char *line, bool keep)
{
    char *words[9] = {0}, *save = NULL;
    size_t count = 0, problem = 0, contender = 0;
    for (char *word = strtok_r(line, ",", &save); word && count < 9;
         word = strtok_r(NULL, ",", &save))
        words[count++] = word;
    if (count < 9)
        return;
    size_t mode = strcmp(words[0], "1") != 0, seed = strtoul(words[4], NULL, 10) - 1;
    while (problem < contest->problem_count &&
           (strcmp(contest->problems[problem].name, words[1]) != 0 ||
            contest->problems[problem].fingerprint != strtoull(words[2], NULL, 16)))
        problem++;
    while (contender < contest->contender_count &&
           strcmp(contest->contenders[contender].name, words[3]) != 0)
        contender++;
    if (problem == contest->problem_count || contender == contest->contender_count ||
        seed >= contest->seeds || !(keep || contest->contenders[contender].is_peer))
        return;
    struct outcome *outcome = contest_outcome(contest, mode, problem, contender, seed);
    for (size_t i = 0; i < CHECKPOINTS; i++)
        outcome->best[i] = strtod(words[5 + i], NULL);
    outcome->seconds = strtod(words[8], NULL);
    outcome->known = true;
}

static void read_races(struct contest *contest, const struct options *options)
{
    struct str text = {0};
    struct err e = {0};
    if (str_read_file(&text, options->csv, CSV_LIMIT, &e)) {
        str_free(&text);
        if (str_write_file(options->csv, header, strlen(header), &e))
            complain("cannot write", options->csv);
        return;
    }
    char *save = NULL;
    for (char *line = strtok_r(text.text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        take_race(contest, line, options->keep);
    str_free(&text);
}

/* Leaves out the peers whose races are not all in the file. */
static void drop_unknown_peers(struct contest *contest)
{
    for (size_t i = 0; i < contest->contender_count; i++) {
        struct contender *contender = &contest->contenders[i];
        size_t known = 0, wanted = 0;
        for (size_t j = 0; contender->is_peer && j < contest->races; j++) {
            size_t rest = j / contest->seeds;
            size_t mode = rest / contest->contender_count / contest->problem_count;
            if (rest % contest->contender_count != i || !contest->modes[mode])
                continue;
            wanted++;
            known += contest->outcomes[j].known;
        }
        contender->is_absent = known < wanted;
        if (contender->is_absent)
            printf("%s is left out: the file has %zu of its %zu races\n", contender->name, known,
                   wanted);
    }
}

/* ---- all races, by several processes ---- */

/*
 * The work of one process: it runs the next unknown race until there is none. All races of a seed
 * come before those of the next, so that an interrupted run has complete seeds.
 */
static void run_races(const struct contest *contest, atomic_size_t *next, int file)
{
    struct peer *peer = NULL;
    for (size_t i; (i = atomic_fetch_add(next, 1)) < contest->races;) {
        size_t contender = i % contest->contender_count, rest = i / contest->contender_count;
        size_t problem = rest % contest->problem_count;
        rest /= contest->problem_count;
        size_t mode = rest % MODES, seed = rest / MODES;
        struct outcome *outcome = contest_outcome(contest, mode, problem, contender, seed);
        if (outcome->known || !contest->modes[mode] || contest->contenders[contender].is_absent)
            continue;
        race_run(&contest->contenders[contender], &contest->problems[problem], seed + 1,
                 mode ? PARALLEL : 1, &peer, outcome);
        if (file >= 0)
            write_race(file, contest, mode, problem, contender, seed);
    }
    peer_close(peer);
}

static void run_all(const struct contest *contest, const struct options *options)
{
    atomic_size_t *next =
        mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int file = options->csv ? open(options->csv, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    pid_t children[JOBS];
    fflush(NULL);
    for (size_t i = 0; i < options->jobs; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            run_races(contest, next, file);
            _exit(0);
        }
    }
    for (size_t i = 0; i < options->jobs; i++) {
        int status = 0;
        if (waitpid(children[i], &status, 0) < 0 || status != 0)
            complain("a process that runs races failed", "");
    }
    if (file >= 0)
        close(file);
    munmap(next, sizeof *next);
}

static void *shared_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        complain("no memory", "");
    return memory;
}

/* A score below the optimum would mean that a formula is wrong. */
static void check_optima(const struct contest *contest)
{
    for (size_t i = 0; i < contest->races; i++) {
        const struct outcome *outcome = &contest->outcomes[i];
        size_t problem = i / contest->seeds / contest->contender_count % contest->problem_count;
        double optimum = contest->problems[problem].optimum;
        if (outcome->known && outcome->best[CHECKPOINTS - 1] < optimum - 1e-9 * fabs(optimum))
            printf("%s: %.17g is below its optimum\n", contest->problems[problem].name,
                   outcome->best[CHECKPOINTS - 1]);
    }
}

/* ---- the command line ---- */

static size_t read_count(const char *text, size_t most)
{
    double number;
    if (!str_number(text, &number) || !(number >= 1 && number <= (double)most))
        complain("no such number:", text);
    return (size_t)number;
}

static void read_options(struct options *options, char **words)
{
    for (; *words; words++) {
        const char *name = *words, **text = NULL;
        if (strcmp(name, "--quick") == 0) {
            options->seeds = 5;
        } else if (strcmp(name, "--keep") == 0) {
            options->keep = true;
        } else if (strcmp(name, "--details") == 0) {
            options->details = true;
        } else if (!words[1]) {
            complain("unknown, or its value is missing:", name);
        } else {
            words++;
            text = strcmp(name, "--algorithms") == 0 ? &options->algorithms
                   : strcmp(name, "--problems") == 0 ? &options->problems
                   : strcmp(name, "--peers") == 0    ? &options->peers
                   : strcmp(name, "--csv") == 0      ? &options->csv
                                                     : NULL;
            if (text)
                *text = *words;
            else if (strcmp(name, "--seeds") == 0)
                options->seeds = read_count(*words, 10000);
            else if (strcmp(name, "--jobs") == 0)
                options->jobs = read_count(*words, JOBS);
            else if (strcmp(name, "--parallel") == 0)
                options->parallel = read_count(*words, PARALLEL);
            else
                complain("unknown option", name);
        }
    }
}

int main(int argc, char **argv)
{
    struct options options = {.peers = "all", .seeds = 20, .jobs = 2};
    struct contest contest = {0};
    (void)argc;
    read_options(&options, argv + 1);
    choose_contenders(&contest, &options);
    contest.problems = problems_open(options.problems, &contest.problem_count);
    if (contest.problem_count == 0)
        complain("no such problem:", options.problems);
    contest.seeds = options.seeds;
    contest.modes[0] = options.parallel != PARALLEL;
    contest.modes[1] = options.parallel != 1;
    contest.races = MODES * contest.problem_count * contest.contender_count * contest.seeds;
    contest.outcomes = shared_memory(contest.races * sizeof *contest.outcomes);
    if (options.csv)
        read_races(&contest, &options);
    if (strcmp(options.peers, "known") == 0)
        drop_unknown_peers(&contest);
    run_all(&contest, &options);
    check_optima(&contest);
    for (size_t mode = 0; mode < MODES; mode++)
        if (contest.modes[mode])
            summary_print(&contest, mode, options.details);
    munmap(contest.outcomes, contest.races * sizeof *contest.outcomes);
    problems_close(contest.problems, contest.problem_count);
    arena_free(&contest.arena);
    return 0;
}
