/*
 * replay - bringing a fresh search, stopper and list of the best to where a journal ends.
 *
 * Suggestion k is a function of the study, the seed, k and the results known before it, so a
 * journal is all the state there is: the search is given the recorded suggestions in their order,
 * then the results in the order in which they came, and the stopper the recorded steps. Both wick
 * run and wick asktell resume a study this way.
 */
#ifndef REPLAY_REPLAY_H
#define REPLAY_REPLAY_H

#include "best/best.h"
#include "journal/journal.h"
#include "search/search.h"
#include "stop/stop.h"

struct replay {
    const struct journal *journal;
    struct search *search; /* fresh */
    struct stop *stop;     /* fresh; NULL: nothing is stopped early */
    struct best *best;     /* empty */
    bool retry_failed;     /* failed trials run again, as if they had not ended */

    void *self;
    /*
     * Each trial in the order of the ids; again: it has not ended, and runs again. If its start was
     * lost, it may get a point from `line` of DIR/queue; else the line is 0.
     */
    void (*trial)(void *self, size_t index, const double *point, uint64_t line, bool again);
    /* Each trial that does not run again, in the order of the results; NULL: nobody asks. */
    void (*ended)(void *self, size_t index);
};

/* Fills all of them; on an error (a damaged journal) they are of no use. */
int replay_journal(const struct replay *replay, struct err *e);

#endif
