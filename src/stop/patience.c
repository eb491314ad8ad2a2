/*
 * patience.c - stop a trial that no longer gets better.
 *
 * L. Prechelt, "Early stopping - but when?", in: Neural Networks: Tricks of the Trade, 1998. A
 * trial is judged by itself alone: the other stoppers end bad trials, this one ends finished ones.
 */
#include "stop/stopper.h"

enum { STEPS, BY, FROM };

static const struct option options[] = {
    [STEPS] = OPTION_WHOLE("steps", 1, 1e9, 10,
                           "number of steps without improvement after which a trial is stopped"),
    [BY] = OPTION_NUMBER("by", 0, 1e300, 0, "an improvement of this much or less does not count"),
    [FROM] = OPTION_WHOLE("from", 1, 1e9, 1, "no trial is stopped before this step"),
    {0},
};

struct learner {
    struct stop_trial trial;
    uint64_t best_step; /* 0: none yet */
    double best;
};

static bool report_patience(struct stop *stop, struct stop_trial *trial, double value)
{
    struct learner *learner = (struct learner *)trial;
    if (learner->best_step == 0 || value < learner->best - stop->options[BY]) {
        learner->best = value;
        learner->best_step = trial->step;
    }
    return (double)(trial->step - learner->best_step) >= stop->options[STEPS] &&
           (double)trial->step >= stop->options[FROM];
}

const struct stopper patience_stopper = {
    .about = "stops a trial that has not improved for 10 steps",
    .options = options,
    .trial_size = sizeof(struct learner),
    .report = report_patience,
};
