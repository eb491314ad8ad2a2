/* recall.h - trials of an earlier run, found again by their points (private to this room). */
#ifndef STEER_RECALL_H
#define STEER_RECALL_H

#include "journal/journal.h"

struct recall {
    size_t width, objectives, count;
    double *points;  /* of all trials; the keys of the map */
    double *scores;  /* of all trials; NaN: it has failed, or not ended yet */
    uint64_t *next;  /* by trial: the next id with the same point, 0: none */
    struct map map;  /* from a point to its number among the different points */
    uint64_t *first; /* by that number: the first id that was not recalled yet, 0: none */
    uint64_t *last;  /* by that number: the last id */
    size_t different;
};

/* Takes note of all trials of the journal. */
int recall_open(struct recall *recall, const struct journal *journal, struct err *e);
/* The oldest trial at this point that was not recalled yet, or 0. */
uint64_t recall_next(struct recall *recall, const double *point);
/* One of them has run again; NULL: it failed. All other ids mean nothing here. */
void recall_note(struct recall *recall, uint64_t id, const double *scores);
/* The scores of one that has ended. */
const double *recall_scores(const struct recall *recall, uint64_t id);
/* Frees what it holds; it may have been {0}. */
void recall_close(struct recall *recall);

#endif
