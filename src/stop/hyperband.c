/*
 * hyperband.c - successive halving from several first rungs at once.
 *
 * L. Li, K. Jamieson, G. DeSalvo, A. Rostamizadeh, A. Talwalkar, "Hyperband: a novel bandit-based
 * approach to hyperparameter optimization", JMLR 18 (2018). How early a trial may be judged is not
 * known, so brackets judge from different steps on, the last of them never. Bracket s of the paper
 * has (s_max + 1) / (s + 1) * reduction^s trials; here trials are dealt out in these shares as they
 * come, and each bracket halves without waiting, as asha does.
 */
#include "stop/halving.h"

#include <math.h>

enum { BRACKETS = HALVING_TO + 1 };

static const struct stop_option options[] = {
    [HALVING_REDUCTION] = {.name = "reduction",
                           .about = "of so many trials one goes on from a rung to the next, which "
                                    "is so many times the steps away",
                           .low = 1.5,
                           .high = 1000,
                           .fallback = 3},
    [HALVING_FROM] = {.name = "from",
                      .about = "the step of the first rung of the first bracket",
                      .low = 1,
                      .high = 1e9,
                      .fallback = 1,
                      .whole = true},
    [HALVING_TO] = {.name = "to",
                    .about = "the steps of a whole trial, at which none is stopped any more",
                    .low = 1,
                    .high = 1e9,
                    .fallback = 81,
                    .whole = true},
    [BRACKETS] = {.name = "brackets",
                  .about = "how many first rungs there are; not given: one for each between 'from' "
                           "and 'to', and one bracket that stops nothing",
                  .low = 1,
                  .high = 20,
                  .fallback = NAN,
                  .whole = true},
    {0},
};

struct hyperband {
    struct ladder *brackets; /* the first judges earliest */
    double *shares;          /* of the trials, summed up: the last is 1 */
    size_t count;
};

static size_t count_brackets(const double *given)
{
    double ratio = given[HALVING_TO] / given[HALVING_FROM];
    double most = floor(log(ratio) / log(given[HALVING_REDUCTION]) + 1e-9) + 1;
    return (size_t)(isnan(given[BRACKETS]) ? most : fmin(most, given[BRACKETS]));
}

static void create(struct stop *stop)
{
    const double *given = stop->options;
    struct hyperband *h = stop->state = memory_new(1, sizeof *h);
    double reduction = given[HALVING_REDUCTION], sum = 0;
    h->count = count_brackets(given);
    h->brackets = memory_new(h->count, sizeof *h->brackets);
    h->shares = memory_new(h->count, sizeof *h->shares);
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

static void free_state(struct stop *stop)
{
    struct hyperband *h = stop->state;
    for (size_t i = 0; i < h->count; i++)
        ladder_free(&h->brackets[i]);
    free(h->brackets);
    free(h->shares);
    free(h);
}

/* Multiples of the golden ratio deal evenly: any run of trials has nearly the shares. */
static struct ladder *bracket_of(struct hyperband *h, uint64_t trial)
{
    double whole, unit = modf((double)trial * 0.61803398874989485, &whole);
    size_t bracket = 0;
    while (bracket + 1 < h->count && unit >= h->shares[bracket])
        bracket++;
    return &h->brackets[bracket];
}

static bool report(struct stop *stop, struct stop_trial *trial, double value)
{
    return ladder_report(bracket_of(stop->state, trial->id), (struct climber *)trial, value);
}

static void pause(struct stop *stop, struct stop_trial *trial)
{
    ladder_pause(bracket_of(stop->state, trial->id), (struct climber *)trial);
}

static uint64_t next(struct stop *stop)
{
    struct hyperband *h = stop->state;
    uint64_t trial = 0;
    for (size_t i = 0; i < h->count && trial == 0; i++)
        trial = ladder_next(&h->brackets[i], &stop->trials);
    return trial;
}

const struct stopper hyperband_stopper = {
    .name = "hyperband",
    .about = "as asha, with several first rungs: for when early steps may mislead",
    .options = options,
    .trial_size = sizeof(struct climber),
    .check = halving_check,
    .create = create,
    .free = free_state,
    .report = report,
    .pause = pause,
    .next = next,
};
