/* helper.h - how the helper starts a program (private to this room). */
#ifndef TRIAL_HELPER_H
#define TRIAL_HELPER_H

#include "trial/spawner.h"

/* Everything that the new process needs, made ready before it exists. */
struct helper_plan {
    char **argv, **environment;
    const char *folder;
    int in, out, err;
    const struct spawn_request *request; /* its limits */
    volatile int number;                 /* errno of what failed, written by the child */
    volatile bool in_folder;             /* it was chdir() */
};

/* Starts a program; -1 and plan->number when it could not be. */
pid_t helper_start(struct helper_plan *plan);

/* The parts of a request. All point into it. */
struct helper_words {
    const char *folder;
    char **arguments, **variables, **host; /* ended by NULL */
};
void helper_split(struct arena *arena, const struct spawn_request *request, char *strings,
                  struct helper_words *words);

/*
 * Our own environment with the variables set; each replaces one of the same name. A name alone is
 * taken away.
 */
char **helper_environment(struct arena *arena, char **variables);

#endif
