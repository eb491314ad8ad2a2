/*
 * ask - how long a search thinks.
 *
 *   bench-ask [ALGORITHM...]
 *
 * Measures, in a space of 10 parameters of all kinds and with different numbers of known results:
 * the median processor time of a tell and an ask, since the model must learn the new result; the
 * cost of 32 asks at once, as a multiple of that; for searches that ignore results, whether the
 * last of a million tells costs as much as the first; and the same for the early stoppers. If there
 * is a target, the ratio to it is printed.
 */
#include "bench/measure.h"
#include "bench/mixed.h"
#include "stop/stop.h"
#include "study/study.h"

#include <math.h>

enum {
    SIZES = 3,
    SAMPLES = 21,
    LEAST_SAMPLES = 3,
    AT_ONCE = 32,
    MOST_GP = 1000, /* results; a Gaussian process is not meant for more */
    BLOCKS = 10,
};

static size_t sizes[SIZES] = {100, 1000, 10000};
static size_t size_count = SIZES, block = 100000;
static const double patience = 4;       /* seconds for the samples of one number */
static const double wanted_at_once = 8; /* in single asks */
static const double thought = 50e-6;    /* seconds; an ask that is faster uses no model */

static const struct {
    const char *algorithm;
    double milliseconds[SIZES];
} wanted[] = {{"forest", {2, 10, 50}}, {"tpe", {1, 3, 20}}};

static const char grid_text[] = "model: {function: noop}\n"
                                "space:\n"
                                "  a: {int: [1, 100]}\n"
                                "  b: {int: [1, 100]}\n"
                                "  c: {int: [1, 101]}\n";

static void parse(struct study *study, const char *text)
{
    struct err_list mistakes = {0};
    if (study_parse(study, text, strlen(text), "ask", "/", &mistakes))
        BUG("%s", mistakes.items[0].message);
    err_list_free(&mistakes);
}

/* Some smooth function: it hardly matters which. */
static struct search_result score(const struct space *space, const double *point)
{
    struct search_result result = {.good = true};
    for (size_t i = 0; i < space->count; i++) {
        double u = isnan(point[i]) ? 0.3 : space_unit(&space->parameters[i], point[i]);
        result.scores[0] += (u - 0.7) * (u - 0.7) * (1 + (double)i) + 0.1 * cos(9 * u);
    }
    return result;
}

/* ---- asks ---- */

struct bench {
    const struct space *space;
    struct search *search;
    double *point; /* the last point that was asked for */
};

static uint64_t ask(struct bench *bench)
{
    if (search_ask(bench->search, bench->point) != SEARCH_POINT)
        BUG("the search has no point");
    return search_asked(bench->search) - 1;
}

/* Tells the search `count` results of random points. */
static void fill(struct bench *bench, size_t count)
{
    double units[16];
    for (uint64_t k = 0; k < count; k++) {
        struct random random;
        random_seed(&random, 3, k);
        for (size_t i = 0; i < bench->space->count; i++)
            units[i] = random_unit(&random);
        space_point(bench->space, units, bench->point);
        search_add(bench->search, bench->point);
        struct search_result result = score(bench->space, bench->point);
        search_tell(bench->search, k, &result);
    }
}

/* The median time of a tell and `asks` asks. */
static double time_asks(struct bench *bench, size_t asks)
{
    double samples[SAMPLES], begin = processor_seconds();
    size_t count = 0;
    size_t most = bench_size(SAMPLES, 1), least = bench_size(LEAST_SAMPLES, 1);
    while (count < most && (count < least || processor_seconds() - begin < patience)) {
        uint64_t last = ask(bench); /* untimed: it learns what was told since the last sample */
        struct search_result result = score(bench->space, bench->point);
        double start = processor_seconds();
        search_tell(bench->search, last, &result);
        for (size_t i = 0; i < asks; i++)
            ask(bench);
        samples[count++] = processor_seconds() - start;
        for (uint64_t k = last + 1; k < search_asked(bench->search); k++)
            search_tell(bench->search, k, &result);
    }
    qsort(samples, count, sizeof *samples, by_size);
    return samples[count / 2];
}

/* The cost of many asks at once is of interest only if one ask takes some time. */
static void print_asks(const char *algorithm, size_t size, double single, double several)
{
    printf("  %-11s %6zu results: %8.3f ms", algorithm, sizes[size], 1e3 * single);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (strcmp(wanted[i].algorithm, algorithm) == 0)
            printf(" (%.2f of what is wanted)", 1e3 * single / wanted[i].milliseconds[size]);
    if (single > thought)
        printf("; %d at once: %.1f single asks (%.2f of what is wanted)", AT_ONCE, several / single,
               several / single / wanted_at_once);
    printf("\n");
    fflush(stdout);
}

/* A population of pbt must be large enough for this many asks at once; otherwise it waits. */
static void set_population(struct search_settings *settings)
{
    const struct option *options = search_options(settings->algorithm);
    for (size_t i = 0; i < SEARCH_OPTIONS; i++)
        settings->options[i] = NAN;
    settings->has_options = true;
    for (size_t i = 0; options[i].name; i++)
        if (strcmp(options[i].name, "population") == 0)
            settings->options[i] = 2 * AT_ONCE;
}

static void bench_asks(const char *algorithm)
{
    struct study study = {0};
    parse(&study, mixed_space);
    for (size_t i = 0; i < size_count; i++) {
        if (strcmp(algorithm, "gp") == 0 && sizes[i] > MOST_GP)
            continue;
        struct search_settings settings = {
            .algorithm = algorithm, .seed = 1, .trials = 2 * sizes[i], .objectives = 1};
        set_population(&settings);
        struct bench bench = {
            .space = &study.space,
            .search = search_create(&settings, &study.space),
            .point = memory_new(study.space.count, sizeof(double)),
        };
        fill(&bench, sizes[i]);
        double single = time_asks(&bench, 1);
        print_asks(algorithm, i, single, time_asks(&bench, AT_ONCE));
        search_free(bench.search);
        free(bench.point);
    }
    study_free(&study);
}

/* ---- tells ---- */

static double time_block(struct bench *bench)
{
    uint64_t first = search_asked(bench->search);
    for (size_t i = 0; i < block; i++)
        ask(bench);
    struct search_result result = score(bench->space, bench->point);
    double start = processor_seconds();
    for (uint64_t k = first; k < first + block; k++)
        search_tell(bench->search, k, &result);
    return processor_seconds() - start;
}

static void bench_tells(const char *algorithm)
{
    struct study study = {0};
    parse(&study, grid_text);
    struct search_settings settings = {.algorithm = algorithm, .seed = 1, .objectives = 1};
    struct bench bench = {
        .space = &study.space,
        .search = search_create(&settings, &study.space),
        .point = memory_new(study.space.count, sizeof(double)),
    };
    double first = time_block(&bench), last = first;
    for (int i = 1; i < BLOCKS; i++)
        last = time_block(&bench);
    printf("  %-11s %zu tells: %.1f ns each; the last tenth takes %.2f of the first\n", algorithm,
           BLOCKS * block, 1e9 * last / (double)block, last / first);
    search_free(bench.search);
    free(bench.point);
    study_free(&study);
}

/* A block of trials that report the steps of asha's rungs and then end. */
static double time_trials(struct stop *stop, uint64_t first, struct random *random)
{
    double began = processor_seconds();
    for (uint64_t trial = first; trial < first + block; trial++) {
        enum stop_answer answer = STOP_GO_ON;
        for (uint64_t step = 1; step <= 27 && answer == STOP_GO_ON; step *= 3)
            answer = stop_report(stop, trial, step, random_unit(random));
        stop_ended(stop, trial, true);
    }
    return processor_seconds() - began;
}

static void bench_stopper(const char *name)
{
    struct stop_settings settings = {.name = name};
    struct random random;
    for (size_t i = 0; i < STOP_OPTIONS; i++)
        settings.options[i] = NAN;
    struct stop *stop = stop_create(&settings, false);
    random_seed(&random, 1, 1);
    double first = time_trials(stop, 1, &random), last = first;
    for (uint64_t i = 1; i < BLOCKS; i++)
        last = time_trials(stop, i * block + 1, &random);
    printf("  %-11s %zu trials: %.1f ns each; the last tenth takes %.2f of the first\n", name,
           BLOCKS * block, 1e9 * last / (double)block, last / first);
    stop_free(stop);
}

static bool is_wanted(const char *algorithm, char **words)
{
    if (strcmp(algorithm, "grid") == 0 || strcmp(algorithm, "list") == 0)
        return false; /* they end before there are this many results */
    bool found = !*words;
    for (; *words; words++)
        found |= strcmp(*words, algorithm) == 0;
    return found;
}

int main(int argc, char **argv)
{
    size_count = bench_size(SIZES, 1);
    sizes[0] = bench_size(sizes[0], 50);
    block = bench_size(block, 1000);
    for (const char *const *name = search_names(); *name; name++)
        if (is_wanted(*name, argv + 1))
            bench_asks(*name);
    if (argc < 2) {
        bench_tells("random");
        bench_tells("grid");
        for (const char *const *name = stop_names(); *name; name++)
            bench_stopper(*name);
    }
    return 0;
}
