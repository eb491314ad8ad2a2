/*
 * asha.c - asynchronous successive halving, as a stopper.
 *
 * L. Li, K. Jamieson, A. Rostamizadeh, E. Gonina, J. Ben-tzur, M. Hardt, B. Recht, A. Talwalkar, "A
 * system for massively parallel hyperparameter tuning", MLSys 2020. A trial that is among the best
 * when it reaches a rung goes on at once, which the paper leaves to the next idle worker; the
 * others are paused, and promoted as there. A trial that could not go on later, since it has no
 * checkpoint, is stopped for good.
 */
#include "stop/halving.h"

#include <math.h>

static const struct stop_option options[] = {
    [HALVING_REDUCTION] = {.name = "reduction",
                           .about = "of so many trials one goes on from a rung to the next, which "
                                    "is so many times the steps away",
                           .low = 1.5,
                           .high = 1000,
                           .fallback = 3},
    [HALVING_FROM] = {.name = "from",
                      .about = "the step of the first rung: no trial is stopped before it",
                      .low = 1,
                      .high = 1e9,
                      .fallback = 1,
                      .whole = true},
    [HALVING_TO] = {.name = "to",
                    .about = "the steps of a whole trial, at which none is stopped any more; not "
                             "given: rungs as far as trials go",
                    .low = 1,
                    .high = 1e9,
                    .fallback = NAN,
                    .whole = true},
    {0},
};

static void create(struct stop *stop)
{
    struct ladder *ladder = stop->state = memory_new(1, sizeof *ladder);
    double to = stop->options[HALVING_TO];
    ladder->first = stop->options[HALVING_FROM];
    ladder->reduction = stop->options[HALVING_REDUCTION];
    ladder->last = isnan(to) ? INFINITY : to;
}

static void free_state(struct stop *stop)
{
    ladder_free(stop->state);
    free(stop->state);
}

static bool report(struct stop *stop, struct stop_trial *trial, double value)
{
    return ladder_report(stop->state, (struct climber *)trial, value);
}

static void pause(struct stop *stop, struct stop_trial *trial)
{
    ladder_pause(stop->state, (struct climber *)trial);
}

static uint64_t next(struct stop *stop)
{
    return ladder_next(stop->state, &stop->trials);
}

const struct stopper asha_stopper = {
    .name = "asha",
    .about = "successive halving without waiting: at steps 1, 3, 9, ... the best third goes on",
    .options = options,
    .trial_size = sizeof(struct climber),
    .check = halving_check,
    .create = create,
    .free = free_state,
    .report = report,
    .pause = pause,
    .next = next,
};
