/* settings.c - the section `search`: the algorithm and the budget. */
#include "study/read.h"

enum { TRIALS = 1000000000, WORKERS = 1000000 };

/* The algorithms that a study file may name: `list` has its points from a parameter file. */
static void read_algorithm(struct reader *reader, const struct node *value)
{
    const char *names[32], *const *all = search_names();
    size_t count = 0, index;
    if (reader->upf) {
        mistake(reader->mistakes, value->place,
                "a parameter file is tried line by line: it takes no other algorithm");
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
    read_whole(reader, value, 1, READ_VALUES, &reader->study->search.levels);
}

static void read_shuffle(struct reader *reader, const struct node *value)
{
    read_bool(reader, value, &reader->study->search.shuffle);
}

static const struct field fields[] = {
    {"algorithm", read_algorithm, NULL}, {"trials", read_trials, NULL},
    {"time", read_time, NULL},           {"target", read_target, NULL},
    {"seed", read_seed, NULL},           {"workers", read_workers, NULL},
    {"levels", read_levels, NULL},       {"shuffle", read_shuffle, NULL},
    {"stop", NULL, "leave it out"},      {0},
};

void read_search(struct reader *reader)
{
    enum { DEFAULT_TRIALS = 100, DEFAULT_LEVELS = 5 };
    struct study *study = reader->study;
    struct search_settings *settings = &study->search;
    settings->algorithm = reader->upf ? "list" : "random";
    settings->seed = 1;
    settings->levels = DEFAULT_LEVELS;
    if (reader->search)
        read_fields(reader, reader->search, fields);
    bool ends_itself =
        strcmp(settings->algorithm, "grid") == 0 || strcmp(settings->algorithm, "list") == 0;
    if (settings->trials == 0 && study->time == 0 && !ends_itself)
        settings->trials = DEFAULT_TRIALS;
    struct err e = {0};
    if (reader->mistakes->count == 0 && search_check(settings, &study->space, &e) != 0)
        mistake(reader->mistakes, reader->search ? reader->search->key_place : reader->start, "%s",
                e.message);
}
