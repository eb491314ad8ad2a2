/*
 * environment.h - the variables of a program, as NAME=value, each ended by zero (private to this
 * room).
 */
#ifndef TRIAL_ENVIRONMENT_H
#define TRIAL_ENVIRONMENT_H

#include "trial/trial.h"

/* Appends a variable and counts it. */
void environment_add(struct str *s, unsigned *count, const char *name, const char *value);
/*
 * Appends how many threads a numeric library may use, unless the user has set it: in the model,
 * where there is one, or in Wick's own environment.
 */
void environment_add_threads(struct str *s, unsigned *count, unsigned cores,
                             const struct study_model *model);
/* Appends all variables of a trial's program; `result` is the path of its result file. */
void environment_of_trial(const struct trial_runner *runner, const char *params, const char *result,
                          struct str *s, unsigned *count);

#endif
