/*
 * hyperband.c - successive halving from several first rungs at once.
 *
 * L. Li, K. Jamieson, G. DeSalvo, A. Rostamizadeh, A. Talwalkar, "Hyperband: a novel bandit-based
 * approach to hyperparameter optimization", JMLR 18 (2018). It is not known how early a trial can
 * be judged, so each bracket starts to judge at a different step, and the last one never does.
 * Bracket s of the paper has (s_max + 1) / (s + 1) * reduction^s trials; here trials are dealt to
 * the brackets in these proportions as they come, and each bracket halves without waiting, as asha
 * does.
 */
#include "stop/halving.h"

#include <math.h>

enum { BRACKETS = HALVING_TO + 1 };

static const struct option options[] = {
    [HALVING_REDUCTION] = HALVING_REDUCTION_OPTION,
    [HALVING_FROM] = OPTION_WHOLE("from", 1, 1e9, 1, "step of the first rung of the first bracket"),
    [HALVING_TO] = OPTION_WHOLE("to", 1, 1e9, 81,
                                "number of steps of a whole trial: none is stopped from there on"),
    [BRACKETS] = OPTION_WHOLE("brackets", 1, 20, NAN,
                              "number of brackets; default: one for each first rung between 'from' "
                              "and 'to', and one that stops nothing"),
    {0},
};

static size_t count_brackets(const double *given)
{
    double ratio = given[HALVING_TO] / given[HALVING_FROM];
    double most = floor(log(ratio) / log(given[HALVING_REDUCTION]) + 1e-9) + 1;
    return (size_t)(isnan(given[BRACKETS]) ? most : fmin(most, given[BRACKETS]));
}

static void create_hyperband(struct stop *stop)
{
    const double *given = stop->options;
    struct halving *h = halving_create(stop, count_brackets(given));
    double reduction = given[HALVING_REDUCTION], sum = 0;
    for (size_t i = 0; i < h->count; i++) {
        double s = (double)(h->count - 1 - i);
        sum += pow(reduction, s) / (s + 1);
        h->shares[i] = sum;
        h->brackets[i] = (struct ladder){.first = given[HALVING_FROM] * pow(reduction, (double)i),
                                         .reduction = reduction,
                                         .last = given[HALVING_TO]};
    }
    for (size_t i = 0; i < h->count; i++)
        h->shares[i] /= sum;
}

const struct stopper hyperband_stopper = {
    .about = "like asha, with several first rungs: for when early steps may mislead",
    .options = options,
    HALVING_FUNCTIONS,
    .create = create_hyperband,
};
