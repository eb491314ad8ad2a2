/*
 * stopper.h - private to this room: what a stopper is.
 *
 * To add one: a file with its functions and its const table at the end, and its name in the list
 * below. Inside the room, smaller values are better, whatever the user wants, and NaN is INFINITY.
 */
#ifndef STOP_STOPPER_H
#define STOP_STOPPER_H

#include "stop/numbered.h"
#include "stop/stop.h"

struct stop {
    const char *name;
    const struct stopper *stopper;
    double options[STOP_OPTIONS]; /* with the defaults filled in */
    bool maximize;
    struct numbered trials; /* under way or paused; each starts with a struct stop_trial */
    void *state;            /* the stopper's own; NULL: it has none */
};

/* What all stoppers keep about a trial; their own struct starts with it. New ones are zeros. */
struct stop_trial {
    uint64_t id;
    uint64_t step; /* the last one that counted */
    bool stopped;
    bool paused; /* and may go on */
};

struct stopper {
    const char *about; /* one line for the user */
    const struct option *options;
    size_t trial_size; /* size of its own struct for a trial */
    /* Checks options with the defaults filled in. May be NULL, like create, free and ended. */
    int (*check)(const double *options, struct err *e);
    void (*create)(struct stop *stop);
    void (*free)(struct stop *stop);
    /* True when the trial must stop. trial->step is the step, and larger than any before. */
    bool (*report)(struct stop *stop, struct stop_trial *trial, double value);
    void (*ended)(struct stop *stop, struct stop_trial *trial, bool good);
    /*
     * For a stopper that lets trials go on later; otherwise both are NULL. pause: a stopped trial
     * is paused. next: the trial that must go on next; 0: none.
     */
    void (*pause)(struct stop *stop, struct stop_trial *trial);
    uint64_t (*next)(struct stop *stop);
};

/* All stoppers, in the order in which users see them. NAME stands for a table NAME_stopper. */
#define STOPPERS(EACH)                                                                             \
    EACH(asha)                                                                                     \
    EACH(hyperband)                                                                                \
    EACH(median)                                                                                   \
    EACH(patience)

#define DECLARE_STOPPER(name) extern const struct stopper name##_stopper;
STOPPERS(DECLARE_STOPPER)
#undef DECLARE_STOPPER

#endif
