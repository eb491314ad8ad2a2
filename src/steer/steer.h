/*
 * steer - a steering program: a program of the user's in place of a search algorithm.
 *
 * Its suggestions are checked and offered to the search "outside", which hands them out like those
 * of any algorithm, and it is told what came of them. It speaks one of two protocols, each a table
 * of functions: the queues of EMEWS (queues.c), where the program decides when it talks, and lines
 * of JSON (json_lines.c), where it is asked. docs/steer.md shows both to users.
 *
 *   steer_begin() ─▶ running ── DONE, {"end"} ──▶ closed: what it suggested still runs
 *                       │                           │
 *                       │        nothing left to run, time is up, Ctrl-C: dismissed
 *                       │                           │
 *                       └── died, wrong ──▶ failed  └──▶ gone, and the study may end
 *
 * The program is started by the helper, like a trial. All functions are called on the thread of the
 * owner, the driver, and call it back through struct steer_owner.
 */
#ifndef STEER_STEER_H
#define STEER_STEER_H

#include "base/base.h"
#include "comm/comm.h"
#include "helper/helper.h"
#include "journal/journal.h"
#include "outcome/outcome.h"
#include "search/search.h"
#include "study/study.h"

struct steer;

/* How the run stands, as far as it matters to a steering program. */
struct steer_state {
    bool going;      /* trials may be started; false: the run is ending */
    bool failed;     /* something is wrong already, and the program is not the reason */
    bool busy;       /* a trial runs, or waits to run again */
    uint64_t left;   /* how many more trials the search may be asked for */
    const char *end; /* why the run ends, in a word */
};

/* What the steering program needs from whoever runs the study. */
struct steer_owner {
    void *self;
    struct steer_state (*state)(void *self);
    /* Has the next trial run; returns how many workers it takes, 0 when there is none now. */
    unsigned (*put)(void *self);
    /* The program has said something, or ended: the run may be over. */
    void (*changed)(void *self);
    /* True when a trial is under way. */
    bool (*runs)(void *self, uint64_t id);
    /* A trial that is under way is what this suggestion asks for. */
    void (*adopt)(void *self, uint64_t id, uint64_t suggestion);
    /* The program `name` did something wrong: "died: ...". `output`: its last lines. */
    void (*failed)(void *self, const char *name, const char *what, const char *output);
};

/* All that it points to must outlive the steering program. */
struct steer_setup {
    const struct study *study;
    const char *dir;               /* the study folder */
    const struct journal *journal; /* of an earlier run; NULL: a new study */
    struct search *search;         /* of the algorithm "outside" */
    struct helper *helper;
    unsigned channel; /* of the helper, for this program alone */
    uint64_t trials;  /* budget, 0: no limit */
    unsigned workers; /* how many trials run at the same time */
    struct steer_owner owner;
};

/* A trial that has ended. */
struct steer_trial {
    uint64_t id;
    uint64_t
        suggestion; /* as steer_assigned() or adopt() said; 0: it is no suggestion of this run */
    const double *point;
};

/* Makes it; nothing is started yet. */
struct steer *steer_create(const struct steer_setup *setup);
/* Frees it; its program must have ended, or is left to the helper. NULL is allowed. */
void steer_free(struct steer *steer);
/* Starts the program; `past` trials have ended in earlier runs. */
void steer_begin(struct steer *steer, struct comm *comm, uint64_t past);
/* `count` workers are idle: hands out what was suggested, or asks the program for more. */
void steer_wanted(struct steer *steer, size_t count);
/* The search has just given out the oldest offer: returns the number of that suggestion. */
uint64_t steer_assigned(struct steer *steer);
/* A trial has ended for good. */
void steer_told(struct steer *steer, const struct steer_trial *trial, const struct outcome *result);
/* Nothing is left to run: true when the program is gone; otherwise it is told to end. */
bool steer_finish(struct steer *steer);

#endif
