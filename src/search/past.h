/*
 * past.h - inside the room: what an algorithm that learns knows.
 *
 * One entry for each result of an earlier study, then one for each suggestion in its order. Scores
 * are turned so that smaller is better, whatever the user wants. `told` has the entries whose
 * result is known, in the order in which they became known (a reproducible search: in the order of
 * the trials); entries without a result are running, as far as the algorithm may know.
 *
 * An algorithm must be a function of the past and k alone: after a resume it sees the same
 * past, but not the same calls of ask and tell between each other. A result may be taken back, and
 * told again later: whatever an algorithm has made of it is thrown away with its state then.
 */
#ifndef SEARCH_PAST_H
#define SEARCH_PAST_H

#include "search/search.h"

enum past_state { PAST_RUNNING, PAST_GOOD, PAST_FAILED };

struct past {
    const struct space *space;
    size_t width;      /* numbers of a point */
    size_t objectives; /* of an entry, 1 or more */
    size_t count;      /* of entries */
    size_t earlier; /* of these: results of earlier studies; entry of suggestion k: earlier + k */
    double *points; /* width numbers an entry */
    double *scores; /* objectives numbers an entry, to be minimised; NaN: none */
    double *violations; /* 0: all constraints hold */
    uint8_t *states;    /* enum past_state */
    uint32_t *told;     /* entries with a result, GOOD or FAILED */
    size_t told_count;
    size_t good_count; /* of the told ones: GOOD */
    uint32_t *running; /* entries without a result, in no order: see past_running() */
    size_t running_count;
    uint32_t *places; /* of the entries that run: where they are in `running` */
    size_t capacity;  /* of all arrays */
    /* The points that were suggested or told, for past_has(). */
    uint64_t *hashes;
    size_t hash_count, hash_capacity;
};

void past_init(struct past *past, const struct space *space, size_t objectives);
void past_free(struct past *past);
/* A new entry that runs; returns its index. */
size_t past_add(struct past *past, const double *point);
/* The result of an entry; `maximize` is of the settings. */
void past_tell(struct past *past, size_t entry, const struct search_result *result,
               const bool *maximize);
/* An entry that has a result runs again: as if it had not been told. */
void past_retract(struct past *past, size_t entry);
/* Takes the last entry back, which runs. */
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
 * they are those of a random direction: an augmented Chebyshev scalarisation of the scores, each
 * scaled to [0, 1], with weights drawn from `random` (J. Knowles, "ParEGO", 2006). With one it is
 * the score and nothing is drawn. An entry that breaks constraints is worse than all that do not,
 * by how much it breaks them; one that failed counts as the worst that is known.
 */
void past_targets(const struct past *past, struct random *random, double *targets);

/* The entry of the best result with one objective, or with several any that is not dominated; -1.
 */
int64_t past_best(const struct past *past);

#endif
