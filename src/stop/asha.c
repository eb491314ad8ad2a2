/*
 * asha.c - asynchronous successive halving, as a stopper.
 *
 * L. Li, K. Jamieson, A. Rostamizadeh, E. Gonina, J. Ben-tzur, M. Hardt, B. Recht, A. Talwalkar, "A
 * system for massively parallel hyperparameter tuning", MLSys 2020. A trial that is among the best
 * when it reaches a rung continues at once; in the paper, the next idle worker continues it. The
 * other trials are paused and promoted as in the paper. A trial that could not continue later,
 * because it has no checkpoint, is stopped for good.
 */
#include "stop/halving.h"

#include <math.h>

static const struct option options[] = {
    [HALVING_REDUCTION] = HALVING_REDUCTION_OPTION,
    [HALVING_FROM] =
        OPTION_WHOLE("from", 1, 1e9, 1, "step of the first rung: no trial is stopped before it"),
    [HALVING_TO] = OPTION_WHOLE(
        "to", 1, 1e9, NAN,
        "number of steps of a whole trial: none is stopped from there on; default: no end"),
    {0},
};

static void create_asha(struct stop *stop)
{
    struct halving *h = halving_create(stop, 1);
    double to = stop->options[HALVING_TO];
    h->shares[0] = 1;
    h->brackets[0] = (struct ladder){.first = stop->options[HALVING_FROM],
                                     .reduction = stop->options[HALVING_REDUCTION],
                                     .last = isnan(to) ? INFINITY : to};
}

const struct stopper asha_stopper = {
    .about = "successive halving without waiting: at steps 1, 3, 9, ... the best third goes on",
    .options = options,
    HALVING_FUNCTIONS,
    .create = create_asha,
};
