/* settings.c - the section `search`: the algorithm and the budget. */
#include "study/read.h"

#include <math.h>

enum { TRIALS = 1000000000, WORKERS = 1000000 };

static void refuse_with_upf(struct reader *reader, const struct node *value)
{
    mistake(reader->mistakes, value->place,
            "a parameter file is run line by line: '%s' does not apply", value->key);
}

/* Names that people know from other tools, and our equivalents. */
static const char *known_elsewhere(const char *name)
{
    static const struct synonym names[] = {
        {"bayes", "gp"},
        {"bayesian", "gp"},
        {"bo", "gp"},
        {"botorch", "gp"},
        {"skopt", "gp"},
        {"smac", "forest"},
        {"rf", "forest"},
        {"mlrmbo", "forest"},
        {"mbo", "forest"},
        {"cma-es", "cmaes"},
        {"cma_es", "cmaes"},
        {"cma", "cmaes"},
        {"evolution", "genetic"},
        {"ga", "genetic"},
        {"deap", "genetic"},
        {"pso", "cmaes"},
        {"de", "genetic"},
        {"nsga-ii", "nsga2"},
        {"anneal", "random"},
        {"annealing", "random"},
        {"optuna", "tpe"},
        {"hyperopt", "tpe"},
        {"bohb", "tpe"},
        {"default", "auto"},
        {"tpesampler", "tpe"},
        {"hyperoptsearch", "tpe"},
        {"optunasearch", "tpe"},
        {"gpsampler", "gp"},
        {"bayesopt", "gp"},
        {"bayesoptsearch", "gp"},
        {"bayesian_optimization", "gp"},
        {"cmaessampler", "cmaes"},
        {"nsgaiisampler", "nsga2"},
        {"randomsampler", "random"},
        {"randomsearch", "random"},
        {"random_search", "random"},
        {"gridsampler", "grid"},
        {"gridsearch", "grid"},
        {"grid_search", "grid"},
        {"qmcsampler", "sobol"},
        {"halton", "sobol"},
        {"latin_hypercube", "lhs"},
        {0},
    };
    return find_synonym(names, name);
}

static void read_algorithm(struct reader *reader, const struct node *value)
{
    size_t index;
    if (reader->upf) {
        refuse_with_upf(reader, value);
        return;
    }
    const char *here = value->kind == NODE_SCALAR ? known_elsewhere(value->text) : NULL;
    if (here) {
        mistake(reader->mistakes, value->place,
                "unknown algorithm '%s': the closest one here is %s", value->text, here);
        return;
    }
    if (value->kind == NODE_SCALAR && strcmp(value->text, "list") == 0) {
        mistake(reader->mistakes, value->place,
                "the algorithm 'list' is for parameter files: use wick upf");
        return;
    }
    if (read_word(reader, value, search_names(), &index))
        reader->study->search.algorithm = search_names()[index];
}

/* ---- options of an algorithm ---- */

static const struct option *find_option(const struct option *options, const char *name)
{
    while (options->name && strcasecmp(options->name, name) != 0)
        options++;
    return options->name ? options : NULL;
}

/* Reports an option of another algorithm; false if it is not one. */
static bool is_of_another(struct reader *reader, const struct node *item)
{
    struct str owners = {0};
    for (const char *const *name = search_names(); *name; name++)
        if (find_option(search_options(*name), item->key))
            str_printf(&owners, "%s%s", owners.length ? ", " : "", *name);
    bool found = owners.length > 0;
    if (found)
        mistake(reader->mistakes, item->key_place,
                "'%s' is an option of %s, but the algorithm here is %s", shown(item->key).text,
                owners.text, reader->study->search.algorithm);
    str_free(&owners);
    return found;
}

void read_option_number(struct reader *reader, const struct node *item, const struct option *option,
                        double *value)
{
    double number;
    if (!read_number(reader, item, &number))
        return;
    if (option_accepts(option, number))
        *value = number;
    else
        mistake(reader->mistakes, item->place, "'%s' must be a %snumber from %g to %g: %s",
                option->name, option->whole ? "whole " : "", option->low, option->high,
                option->about);
}

bool read_option(struct reader *reader, const struct node *item)
{
    const struct option *option = find_option(reader->options, item->key);
    if (!option)
        return is_of_another(reader, item);
    struct search_settings *settings = &reader->study->search;
    double *value = &settings->options[option - reader->options];
    size_t word;
    if (!option->words)
        read_option_number(reader, item, option, value);
    else if (read_word(reader, item, option->words, &word))
        *value = (double)word;
    return true;
}

/* The algorithm is read before the rest, since the options depend on it. */
static void read_options(struct reader *reader)
{
    struct search_settings *settings = &reader->study->search;
    const struct node *algorithm = reader->search ? node_find(reader->search, "algorithm") : NULL;
    if (read_steer(reader))
        settings->algorithm = "outside";
    else if (algorithm)
        read_algorithm(reader, algorithm);
    reader->options = search_options(settings->algorithm);
    settings->has_options = true;
    for (size_t i = 0; i < SEARCH_OPTIONS; i++)
        settings->options[i] = NAN;
}

/* ---- keys of all algorithms ---- */

static void known_before(struct reader *reader, const struct node *value)
{
    (void)reader;
    (void)value;
}

static void read_reproducible(struct reader *reader, const struct node *value)
{
    read_bool(reader, value, &reader->study->search.reproducible);
}

static void read_lag(struct reader *reader, const struct node *value)
{
    read_whole(reader, value, 1, WORKERS, &reader->study->search.lag);
}

static void read_batch(struct reader *reader, const struct node *value)
{
    if (reader->upf)
        refuse_with_upf(reader, value);
    else
        read_whole(reader, value, 0, WORKERS, &reader->study->search.batch);
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
    if (study_objectives(reader->study) > 1)
        mistake(reader->mistakes, value->key_place,
                "'target' is for a study with one score, but this one has %zu: leave it out",
                study_objectives(reader->study));
}

/* A number of trials, or off. */
static void read_halt(struct reader *reader, const struct node *value)
{
    const char *text;
    if (read_text(reader, value, &text) && !study_halt(text, &reader->study->halt))
        mistake(reader->mistakes, value->place,
                "'halt' must be a number of trials that fail alike, such as 10, or off, not '%s'",
                shown(text).text);
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
    {"algorithm", known_before, NULL},
    {"python", known_before, NULL},
    {"r", known_before, NULL},
    {"command", known_before, NULL},
    {"settings", known_before, NULL},
    {"interpreter", known_before, NULL},
    {"trials", read_trials, NULL},
    {"time", read_time, NULL},
    {"target", read_target, NULL},
    {"seed", read_seed, NULL},
    {"workers", read_workers, NULL},
    {"levels", read_levels, NULL},
    {"shuffle", read_shuffle, NULL},
    {"reproducible", read_reproducible, NULL},
    {"lag", read_lag, NULL},
    {"batch", read_batch, NULL},
    {"learn", read_learn, NULL},
    {"start", read_start, NULL},
    {"stop", read_stop, NULL},
    {"timeout", NULL,
     "write time: 2h for the whole study, or timeout under 'model' for each trial"},

    {"halt", read_halt, NULL},
    {0},
};

/* Refuses a search that would try the same point a hundred times. */
static void check_variety(struct reader *reader)
{
    const struct space *space = &reader->study->space;
    size_t constants = 0;
    while (constants < space->count && space->parameters[constants].kind == PARAMETER_CONSTANT)
        constants++;
    if (constants < space->count || reader->study->search.trials == 1 || !reader->space)
        return;
    mistake(reader->mistakes, reader->space->key_place,
            reader->start.source ? "there is nothing to search: all parameters are constants; give "
                                   "one a range, as in lr: {log: [1e-5, 1e-1]}, or set trials: 1"
                                 : "there is nothing to search: all parameters are constants; give "
                                   "one a range, as in --set lr=log:1e-5..1e-1, or use --trials 1");
}

/* Both keys determine which results a suggestion knows. */
static void check_rounds(struct reader *reader)
{
    const struct search_settings *settings = &reader->study->search;
    const struct node *lag = reader->search ? node_find(reader->search, "lag") : NULL;
    if (settings->batch > 0 && lag)
        mistake(
            reader->mistakes, lag->key_place,
            "'lag' does not go with 'batch', where a suggestion knows the results of all rounds "
            "before its own: leave one of them out");
}

void read_search(struct reader *reader)
{
    enum { DEFAULT_TRIALS = 100, DEFAULT_LEVELS = 5, DEFAULT_HALT = 10 };
    struct study *study = reader->study;
    struct search_settings *settings = &study->search;
    settings->algorithm = reader->upf ? "list" : "auto";
    settings->seed = 1;
    settings->levels = DEFAULT_LEVELS;
    study->halt = DEFAULT_HALT;
    read_options(reader);
    for (size_t i = 0; i < STOP_OPTIONS; i++)
        study->stop.options[i] = NAN;
    if (reader->search)
        read_fields(reader, reader->search, search_fields);
    check_rounds(reader);
    check_stop(reader);
    bool ends_itself = strcmp(settings->algorithm, "grid") == 0 ||
                       strcmp(settings->algorithm, "list") == 0 || study_steers(study);
    if (settings->trials == 0 && study->time == 0 && !ends_itself && !study->model.asktell)
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
