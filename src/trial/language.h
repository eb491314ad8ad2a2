/* language.h - how a language host is started (private to this room). */
#ifndef TRIAL_LANGUAGE_H
#define TRIAL_LANGUAGE_H

#include "trial/trial.h"

/* Which word of a command with `warm: true` is the script. */
size_t language_script(const struct study_model *model);

/*
 * Appends the command of a host, each word ended by zero; `kind` is call, script or evaluate, the
 * options are for the interpreter. False when Wick's own files are not found.
 */
bool language_host(const struct study_code *code, const char *const *options, size_t option_count,
                   const char *kind, struct str *words, unsigned *count);
/* The same for the code of a model. */
bool language_model_host(const struct study_model *model, struct str *words, unsigned *count);

#endif
