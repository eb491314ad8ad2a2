/* settings.c - the section `search`: the algorithm and the budget. */
#include "study/read.h"

#include <strings.h>

enum { TRIALS = 1000000000, WORKERS = 1000000 };

static void refuse_with_upf(struct reader *reader, const struct node *value)
{
    mistake(reader->mistakes, value->place,
            "a parameter file is tried line by line: it takes no '%s'", value->key);
}

/* Names that people know from elsewhere. */
static bool is_of_the_future(const char *name)
{
    static const char *const names[] = {
        "tpe",     "gp",        "bayes",     "bayesian",  "bo",     "smac",   "forest",
        "rf",      "mlrmbo",    "mbo",       "cmaes",     "cma-es", "cma_es", "cma",
        "genetic", "evolution", "ga",        "deap",      "pso",    "de",     "nsga2",
        "nsga-ii", "anneal",    "annealing", "asha",      "sha",    "bohb",   "pbt",
        "optuna",  "hyperopt",  "halving",   "hyperband", "skopt",  "botorch"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The algorithms that a study file may name: `list` has its points from a parameter file. */
static void read_algorithm(struct reader *reader, const struct node *value)
{
    const char *names[32], *const *all = search_names();
    size_t count = 0, index;
    if (reader->upf) {
        refuse_with_upf(reader, value);
        return;
    }
    if (value->kind == NODE_SCALAR && is_of_the_future(value->text)) {
        mistake(reader->mistakes, value->place,
                "the algorithm '%s' is not there yet: sobol is the nearest that is", value->text);
        return;
    }
    if (value->kind == NODE_SCALAR && strcmp(value->text, "list") == 0) {
        mistake(reader->mistakes, value->place,
                "the algorithm 'list' is for parameter files: use wick upf");
        return;
    }
    for (size_t i = 0; all[i] && count < 31; i++)
        if (strcmp(all[i], "list") != 0)
            names[count++] = all[i];
    names[count] = NULL;
    if (read_word(reader, value, names, &index))
        reader->study->search.algorithm = names[index];
}

static void read_trials(struct reader *reader, const struct node *value)
{
    read_whole(reader, value, 1, TRIALS, &reader->study->search.trials);
}

static void read_time(struct reader *reader, const struct node *value)
{
    read_seconds(reader, value, &reader->study->time);
}

static void read_target(struct reader *reader, const struct node *value)
{
    reader->study->has_target = read_number(reader, value, &reader->study->target);
}

static void read_seed(struct reader *reader, const struct node *value)
{
    read_whole(reader, value, 0, INT64_MAX, &reader->study->search.seed);
}

static void read_workers(struct reader *reader, const struct node *value)
{
    read_whole(reader, value, 1, WORKERS, &reader->study->workers);
}

static void read_levels(struct reader *reader, const struct node *value)
{
    if (reader->upf)
        refuse_with_upf(reader, value);
    else
        read_whole(reader, value, 1, READ_VALUES, &reader->study->search.levels);
}

static void read_shuffle(struct reader *reader, const struct node *value)
{
    if (reader->upf)
        refuse_with_upf(reader, value);
    else
        read_bool(reader, value, &reader->study->search.shuffle);
}

const struct field search_fields[] = {
    {"algorithm", read_algorithm, NULL}, {"trials", read_trials, NULL},
    {"time", read_time, NULL},           {"target", read_target, NULL},
    {"seed", read_seed, NULL},           {"workers", read_workers, NULL},
    {"levels", read_levels, NULL},       {"shuffle", read_shuffle, NULL},
    {"stop", NULL, "leave it out"},      {0},
};

/* Nobody means to try one and the same point a hundred times. */
static void check_variety(struct reader *reader)
{
    const struct space *space = &reader->study->space;
    size_t constants = 0;
    while (constants < space->count && space->parameters[constants].kind == PARAMETER_CONSTANT)
        constants++;
    if (constants < space->count || reader->study->search.trials == 1 || !reader->space)
        return;
    mistake(reader->mistakes, reader->space->key_place,
            reader->start.source
                ? "there is nothing to search: all parameters are constants; give one a range, as "
                  "in lr: {log: [1e-5, 1e-1]}, or say trials: 1"
                : "there is nothing to search: all parameters are constants; give one a range, as "
                  "in --set lr=log:1e-5..1e-1, or say --trials 1");
}

void read_search(struct reader *reader)
{
    enum { DEFAULT_TRIALS = 100, DEFAULT_LEVELS = 5 };
    struct study *study = reader->study;
    struct search_settings *settings = &study->search;
    settings->algorithm = reader->upf ? "list" : "random";
    settings->seed = 1;
    settings->levels = DEFAULT_LEVELS;
    if (reader->search)
        read_fields(reader, reader->search, search_fields);
    bool ends_itself =
        strcmp(settings->algorithm, "grid") == 0 || strcmp(settings->algorithm, "list") == 0;
    if (settings->trials == 0 && study->time == 0 && !ends_itself)
        settings->trials = DEFAULT_TRIALS;
    if (reader->mistakes->count > 0)
        return;
    struct err e = {0};
    if (!reader->is_restored)
        check_variety(reader);
    if (search_check(settings, &study->space, &e) != 0)
        mistake(reader->mistakes, reader->search ? reader->search->key_place : reader->start, "%s",
                e.message);
}
