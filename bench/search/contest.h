/*
 * contest.h - who runs on which problems, and the results.
 *
 * One race is a contender on a problem with a seed, one or several trials at a time. Its outcome
 * depends on nothing else, so several processes run races in any order, and those of an earlier run
 * can be reused.
 */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "bench/search/problem.h"

enum {
    BUDGET = 100,    /* number of evaluations in a race */
    CHECKPOINTS = 3, /* evaluations after which the best is noted: 25, 50, 100 */
    MODES = 2,       /* sequential, parallel */
    PARALLEL = 8,    /* trials at a time in the parallel mode */
};

extern const size_t checkpoints[CHECKPOINTS];

struct contender {
    const char *name;      /* forest, forest:key=value, optuna-tpe */
    const char *algorithm; /* for ours; for a peer, the name that its program uses */
    bool is_peer;
    bool is_absent;                 /* it is left out of all tables */
    double options[SEARCH_OPTIONS]; /* for ours only */
};

struct outcome {
    bool known;
    double best[CHECKPOINTS]; /* the true score of the best so far; INFINITY: none, NaN: refused */
    double seconds;           /* for all asks and tells */
};

struct contest {
    struct arena arena; /* holds the contenders */
    struct contender *contenders;
    size_t contender_count;
    struct problem *problems;
    size_t problem_count;
    size_t seeds;
    bool modes[MODES]; /* which of them are run */
    struct outcome *outcomes;
    size_t races; /* number of outcomes */
};

struct outcome *contest_outcome(const struct contest *contest, size_t mode, size_t problem,
                                size_t contender, size_t seed);

/* ---- race.c ---- */

struct peer;

/*
 * Runs one race. *peer is the program in which the peers run: it is started if it is NULL and
 * needed, and used again for the next race; peer_close() ends it.
 */
void race_run(const struct contender *contender, const struct problem *problem, uint64_t seed,
              size_t parallel, struct peer **peer, struct outcome *outcome);

/* ---- peer.c: the Python program that provides the peers ---- */

/* Returns NULL and a message if it cannot be started or has no Optuna. */
struct peer *peer_open(void);
void peer_close(struct peer *peer);
/* Starts a new search. */
void peer_begin(struct peer *peer, const char *algorithm, const struct problem *problem,
                uint64_t seed, size_t parallel);
void peer_ask(struct peer *peer, const struct problem *problem, uint64_t k, double *point);
/* NaN: the trial failed. */
void peer_tell(struct peer *peer, uint64_t k, double score);

/* ---- summary.c ---- */

void summary_print(const struct contest *contest, size_t mode, bool details);

#endif
