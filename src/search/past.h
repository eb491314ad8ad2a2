/*
 * past.h - private to this room: what an algorithm that learns knows.
 *
 * There is one entry for each result of an earlier study, then one for each suggestion in order.
 * Scores are turned so that smaller is better, whatever the user wants. `told` lists the entries
 * whose result is known, in the order in which it became known (in a reproducible search: in the
 * order of the trials); entries without a result are running, as far as the algorithm may know.
 *
 * An algorithm must be a function of the past and k alone: after a resume it sees the same past,
 * but not the same sequence of ask and tell. A result may be withdrawn and told again later:
 * whatever an algorithm has made of it is then discarded with its state.
 */
#ifndef SEARCH_PAST_H
#define SEARCH_PAST_H

#include "search/search.h"

enum past_state { PAST_RUNNING, PAST_GOOD, PAST_FAILED };

struct past {
    const struct space *space;
    size_t width;       /* how many numbers a point has */
    size_t objectives;  /* how many scores an entry has, 1 or more */
    size_t count;       /* number of entries */
    size_t earlier;     /* those from earlier studies; suggestion k has entry earlier + k */
    double *points;     /* `width` numbers per entry */
    double *scores;     /* `objectives` numbers per entry, to be minimised; NaN: none */
    double *violations; /* 0: all constraints hold */
    uint8_t *states;    /* enum past_state */
    uint32_t *told;     /* entries with a result, GOOD or FAILED */
    size_t told_count;
    size_t good_count; /* how many of these are GOOD */
    uint32_t *running; /* entries without a result, in no order: see past_running() */
    size_t running_count;
    uint32_t *places; /* of the running entries: where they are in `running` */
    size_t capacity;  /* of all arrays */
    /* The points that were suggested or told, for past_has(). */
    uint64_t *hashes;
    size_t hash_count, hash_capacity;
};

/* Starts an empty past; past_free() it. The space must outlive it. */
void past_init(struct past *past, const struct space *space, size_t objectives);
/* Frees what the past holds. */
void past_free(struct past *past);
/* Adds an entry, which runs; returns its index. */
size_t past_add(struct past *past, const double *point);
/* Tells the result of a running entry; `maximize` is that of the settings. */
void past_tell(struct past *past, size_t entry, const struct search_result *result,
               const bool *maximize);
/* Withdraws the result of an entry, which runs again. */
void past_retract(struct past *past, size_t entry);
/* Removes the last entry, which must be running. */
void past_drop(struct past *past);

static inline const double *past_point(const struct past *past, size_t entry)
{
    return past->points + entry * past->width;
}

/* The running entries in the order of the suggestions; free() them. */
uint32_t *past_running(const struct past *past);

/* True when the point has an entry (floats count as the same when all their bits are). */
bool past_has(const struct past *past, const double *point);

/*
 * One target to be minimised for each told entry, in the order of `told`. With several objectives
 * the targets are those of a random direction: an augmented Chebyshev scalarisation of the scores,
 * each scaled to [0, 1], with weights drawn from `random` (J. Knowles, "ParEGO", 2006). With one
 * objective the target is the score and nothing is drawn. An entry that violates constraints is
 * worse than all that do not, by how much it violates them; one that failed counts as the worst
 * known.
 */
void past_targets(const struct past *past, struct random *random, double *targets);

/* The entry of the best result, or with several objectives one that is not dominated; -1: none. */
int64_t past_best(const struct past *past);

#endif
