/* start.h - how the helper starts a program (private to this room). */
#ifndef HELPER_START_H
#define HELPER_START_H

#include "helper/helper.h"

/* Everything that the new process needs, made ready before it exists. */
struct start_plan {
    char **argv, **environment;
    const char *folder;
    int in, out, err;
    bool keeps_orphans;   /* what it starts and loses becomes its own child: see family.h */
    int group;            /* a descriptor by which it joins its control group; -1: it has none */
    volatile bool joined; /* it has, written by the child */
    const struct helper_request *request; /* its limits */
    volatile int number;                  /* errno of what failed, written by the child */
    volatile bool in_folder;              /* chdir() failed, not exec */
};

/* Starts a program and returns its process; -1, and plan->number, when it cannot. */
pid_t start_program(struct start_plan *plan);

/* The parts of a request. All point into it. */
struct start_words {
    const char *folder;
    char **arguments, **variables, **host; /* ended by NULL */
};
/* Splits the strings that follow a request. */
void start_split(struct arena *arena, const struct helper_request *request, char *strings,
                 struct start_words *words);

/*
 * Our own environment with these variables; each replaces one of the same name, and a name alone
 * is unset.
 */
char **start_environment(struct arena *arena, char **variables);

#endif
