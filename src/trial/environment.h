/*
 * environment.h - the variables of a program, as NAME=value, each ended by zero (private to this
 * room).
 */
#ifndef TRIAL_ENVIRONMENT_H
#define TRIAL_ENVIRONMENT_H

#include "trial/trial.h"

void environment_add(struct str *s, unsigned *count, const char *name, const char *value);
/*
 * How many threads a numeric library may use, unless the user has said so: in the model, where
 * there is one, or where Wick was started.
 */
void environment_add_threads(struct str *s, unsigned *count, unsigned cores,
                             const struct study_model *model);
/* All that a program finds that is run as a trial; `result` is the path of its result file. */
void environment_of_trial(const struct trial_runner *runner, const char *params, const char *result,
                          struct str *s, unsigned *count);

#endif
