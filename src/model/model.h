/*
 * model - what a study runs for a trial: the command of one trial, and its seed.
 *
 * The same words start a trial and are shown to a user who wants to run it again by hand.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/base.h"
#include "study/study.h"

/* The seed that a trial is given as {seed}: the same for all its tries. */
uint64_t model_seed(const struct study *study, uint64_t id);

/* What {params}, {result}, {dir} and {checkpoint} in a command stand for. */
struct model_paths {
    const char *params, *result, *dir, *checkpoint;
};

/* The command of a trial: argv with the hyperparameters in it, ended by NULL, in the arena. */
char **model_command(const struct study *study, const struct model_paths *paths, uint64_t id,
                     const double *point, struct arena *arena);

#endif
