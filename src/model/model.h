/*
 * model - what a study runs for a trial: the kinds of model, the command of a trial, its seed.
 *
 * The same words start a trial and are shown to a user who wants to run it again by hand.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/base.h"
#include "study/study.h"

/*
 * A kind of model: a built-in function, a command, a command in a language host (`warm`), a
 * function in a language host (`python`, `r`), or none of these when the caller of `wick asktell`
 * evaluates the trials. One row of the table in kinds.c each.
 */
struct model_kind {
    bool starts_programs; /* its trials are processes, which the helper starts */
    bool in_host;         /* a language host forks its trials */
    bool is_called;       /* the user's function gets the parameters and returns the score */
    /* Appends the model in the words of the study file: sphere, train.py:train, ./train --lr {lr}
     */
    void (*put_text)(const struct study_model *model, struct str *s);
    /* Appends what is called for a trial; NULL where there is a command. */
    void (*put_call)(const struct study *study, const double *point, struct str *s);
    /* Appends why there is no command; NULL where there is one. */
    void (*put_no_command)(const struct study_model *model, struct str *s);
    /* The program that is started for it, by name or path; NULL where none is. */
    const char *(*program)(const struct study_model *model);
};

/* The kind of this model; never NULL. */
const struct model_kind *model_kind(const struct study_model *model);

/* The seed that a trial is given as {seed}: the same for all its tries. */
uint64_t model_seed(const struct study *study, uint64_t id);

/* What {params}, {result}, {dir} and {checkpoint} in a command stand for. */
struct model_paths {
    const char *params, *result, *dir, *checkpoint;
};

/* The command of a trial: argv with the hyperparameters in it, ended by NULL, in the arena. */
char **model_command(const struct study *study, const struct model_paths *paths, uint64_t id,
                     const double *point, struct arena *arena);

/*
 * The command that calls the function of a language host once, outside of a study; it finds the
 * hyperparameters in WICK_PARAMS. Ended by NULL, in the arena.
 */
char **model_call(const struct study_model *model, struct arena *arena);

#endif
