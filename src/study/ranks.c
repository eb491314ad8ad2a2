/*
 * ranks.c - trials of several ranks: how many, and how they are started.
 *
 * `ranks` in `model` is a number for all trials. A parameter of this name makes it part of the
 * search: a study over ranks: [1, 2, 4] is a scaling sweep.
 */
#include "study/read.h"

#include <math.h>

enum { RANKS = 100000 };

/* ---- the keys ---- */

void read_ranks(struct reader *reader, const struct node *value)
{
    read_whole(reader, value, 1, RANKS, &reader->study->model.ranks);
}

void read_launch(struct reader *reader, const struct node *value)
{
    static const char *const words[] = {"processes", "mpi", NULL};
    size_t index;
    if (read_word(reader, value, words, &index))
        reader->study->model.launch = index == 0 ? LAUNCH_PROCESSES : LAUNCH_MPI;
}

void read_launcher(struct reader *reader, const struct node *value)
{
    const char *const *words = read_plain_words(reader, value);
    if (!words)
        mistake(reader->mistakes, value->place,
                "'launcher' must be the program that starts MPI ranks, with its options, as in "
                "launcher: mpiexec --oversubscribe");
    else
        reader->study->model.launcher = words;
}

void read_horovod(struct reader *reader, const struct node *value)
{
    bool wanted;
    if (read_bool(reader, value, &wanted))
        reader->study->model.without_horovod = !wanted;
}

/* ---- the parameter ---- */

static bool is_rank_count(double number)
{
    return number >= 1 && number <= RANKS && number == floor(number);
}

static bool counts_ranks(const struct parameter *parameter)
{
    if (parameter->kind == PARAMETER_FLOAT)
        return false;
    if (parameter->kind == PARAMETER_INT)
        return is_rank_count(parameter->low) && is_rank_count(parameter->high);
    for (size_t i = 0; i < parameter->value_count; i++)
        if (parameter->values[i].kind != VALUE_NUMBER ||
            !is_rank_count(parameter->values[i].number))
            return false;
    return true;
}

static double ranks_of(const struct parameter *parameter, double value)
{
    return parameter->kind == PARAMETER_INT ? value : parameter->values[(size_t)value].number;
}

static void find_range(const struct parameter *parameter, double *least, double *most)
{
    *least = parameter->low;
    *most = parameter->high;
    if (parameter->kind == PARAMETER_INT)
        return;
    *least = *most = parameter->values[0].number;
    for (size_t i = 1; i < parameter->value_count; i++) {
        *least = fmin(*least, parameter->values[i].number);
        *most = fmax(*most, parameter->values[i].number);
    }
}

static struct place place_of(const struct reader *reader, const char *key)
{
    const struct node *in_space = reader->space ? node_find(reader->space, key) : NULL;
    const struct node *in_model = reader->model ? node_find(reader->model, key) : NULL;
    if (in_space)
        return in_space->key_place;
    return in_model ? in_model->key_place : reader->start;
}

static void take_parameter(struct reader *reader, const struct parameter *parameter)
{
    struct study_model *model = &reader->study->model;
    bool in_model = reader->model && node_find(reader->model, "ranks");
    double least, most;
    if (!counts_ranks(parameter)) {
        mistake(
            reader->mistakes, place_of(reader, "ranks"),
            "the parameter 'ranks' says how many processes a trial has: use whole numbers from 1, "
            "as in ranks: {choice: [1, 2, 4]}; give it another name if it means something else");
        return;
    }
    find_range(parameter, &least, &most);
    if (in_model && (least != most || least != (double)model->ranks)) {
        mistake(reader->mistakes, place_of(reader, "ranks"),
                "'ranks' is both a parameter and a key of 'model': leave one of them out");
        return;
    }
    model->ranks = (uint64_t)least;
    model->ranks_parameter = parameter;
}

/* ---- the checks ---- */

static void check_runnable(struct reader *reader)
{
    const struct study *study = reader->study;
    uint64_t most = study_most_ranks(study);
    struct place place = place_of(reader, "ranks");
    if (most > 1 && study->model.function)
        mistake(reader->mistakes, place,
                "the function '%s' is evaluated directly: only programs can have several ranks",
                study->model.function->name);
    if (study->workers > 0 && most > study->workers && !reader->is_restored)
        mistake(reader->mistakes, place,
                "a trial of %llu ranks needs that many workers, but 'workers' is %llu: raise it, "
                "or lower 'ranks'",
                (unsigned long long)most, (unsigned long long)study->workers);
}

static void check_launch(struct reader *reader)
{
    const struct study_model *model = &reader->study->model;
    if (model->launch == LAUNCH_MPI && !model->command && reader->command == NULL)
        mistake(reader->mistakes, place_of(reader, "launch"),
                "'launch: mpi' starts a program with mpiexec: it needs 'command'");
    if (model->launcher && model->launch != LAUNCH_MPI)
        mistake(reader->mistakes, place_of(reader, "launcher"),
                "'launcher' needs 'launch: mpi': add it, or leave 'launcher' out");
    else if (model->launcher && !reader->is_restored)
        check_program_at(reader, model->launcher[0], node_find(reader->model, "launcher"));
}

void check_ranks(struct reader *reader)
{
    struct study *study = reader->study;
    if (study->model.asktell) /* the caller runs the trials, and decides what `ranks` means */
        return;
    const struct parameter *parameter = space_find(&study->space, "ranks");
    size_t before = reader->mistakes->count;
    if (parameter)
        take_parameter(reader, parameter);
    check_launch(reader);
    if (reader->mistakes->count == before)
        check_runnable(reader);
}

/* ---- what other rooms ask ---- */

unsigned study_ranks(const struct study *study, const double *point)
{
    const struct parameter *parameter = study->model.ranks_parameter;
    if (!parameter)
        return study->model.ranks > 1 ? (unsigned)study->model.ranks : 1;
    double value = point[parameter - study->space.parameters];
    return isnan(value) ? 1 : (unsigned)ranks_of(parameter, value);
}

uint64_t study_most_ranks(const struct study *study)
{
    double least, most;
    if (!study->model.ranks_parameter)
        return study->model.ranks > 1 ? study->model.ranks : 1;
    find_range(study->model.ranks_parameter, &least, &most);
    return (uint64_t)most;
}
