/*
 * search - what to try next.
 *
 * Ask/tell: the driver asks for a point and later tells how it went. Suggestion k is a function of
 * the settings, the space, the seed, the results told before it and whether it is to be quick, and
 * of nothing else; each draws from its own random stream. So the same order of completions gives
 * the same suggestions on any number of workers, and a resumed search needs no saved state: the
 * driver replays the journal through search_replay() and search_tell().
 *
 * With `reproducible`, suggestion k depends only on the results of the trials before k - lag: the
 * search holds results back and uses them in the order of the trials, so that neither the number of
 * workers nor their timing makes a difference. `batch` does the same by rounds: suggestion k
 * depends on the results of the rounds before its own, and waits for all of them.
 *
 * An algorithm is one file with a const table at its end, and one name in algorithm.h. None
 * suggests a forbidden point, except a list that has one. Grid never suggests a point twice, and
 * neither do random and the algorithms that learn in a finite space of at most 100,000
 * combinations. The
 * exception is pbt, which continues training with the same parameters.
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/base.h"
#include "space/space.h"

enum {
    SEARCH_OBJECTIVES = 8, /* most objectives of a study */
    SEARCH_OPTIONS = 16,   /* most options of an algorithm */
    SEARCH_LAG = 16        /* default lag of a reproducible search */
};

struct search_settings {
    const char *algorithm; /* one of search_names(), "list" or "outside" */
    uint64_t seed;
    uint64_t trials;    /* the budget, 0: no limit; some algorithms plan by it (lhs) */
    uint64_t workers;   /* trials at a time; 0: not known */
    uint64_t levels;    /* grid: number of values of a float without a step */
    bool shuffle;       /* grid: in a random order */
    const double *list; /* list: points, one after another */
    size_t list_count;
    size_t objectives;                /* number of scores of a trial; 0 counts as 1 */
    bool maximize[SEARCH_OBJECTIVES]; /* larger scores are better */
    bool reproducible;                /* results count in the order of the trials */
    uint64_t lag;                     /* of a reproducible search; 0: SEARCH_LAG */
    uint64_t
        batch; /* suggestions per round, each of which waits for the previous one; 0: no rounds */
    /* In the order of search_options(); NaN: not given. */
    double options[SEARCH_OPTIONS];
    bool has_options; /* false: none of them is given */
};

enum search_answer {
    SEARCH_POINT, /* a point was given */
    SEARCH_WAIT,  /* ask again after the next result */
    SEARCH_END,   /* there is nothing left to try */
};

/* How a trial went, for the search. */
struct search_result {
    bool good;                        /* false: it failed, and there is no score */
    double scores[SEARCH_OBJECTIVES]; /* one per objective, as the user sees them */
    double violation; /* by how much measured constraints are violated; 0: they hold */
    bool stopped;     /* early: the scores are those of its last step */
};

struct search;

/* Names of the algorithms that a study may name, ended by NULL; not "list" and "outside". */
const char *const *search_names(void);
/* One line for the user about the algorithm of that name. */
const char *search_about(const char *algorithm);
/* The options that this algorithm alone has, ended by one without a name; none: only that one. */
const struct option *search_options(const char *algorithm);

/* True when results make a difference to its suggestions. */
bool search_learns(const char *algorithm);

/*
 * Checks the settings against the space. ERR_USER and a message for the user if they make no sense
 * (a grid over 10^12 points, an empty list, ...).
 */
int search_check(const struct search_settings *settings, const struct space *space, struct err *e);

/*
 * False when `forbid` and constraints leave nothing to try: no point of a small space is allowed,
 * or none of 1000 random points of a large one (100,000 with constraints).
 */
bool search_has_point(const struct space *space);

/* Creates a search for valid settings. Settings and space must outlive it; search_free() it. */
struct search *search_create(const struct search_settings *settings, const struct space *space);
/* Frees the search; NULL is fine. */
void search_free(struct search *search);
/* What `auto` chose and why, in a few words; for most other algorithms their name. */
const char *search_choice(const struct search *search);

/* True when the algorithm thinks for long but can also make quick suggestions: `auto`. */
bool search_can_hurry(const char *algorithm);
/*
 * Makes the suggestions from now on quick: microseconds instead of milliseconds, by a cheaper part.
 * Whoever calls this keeps a record of it, since the suggestions depend on it.
 */
void search_hurry(struct search *search, bool quick);

/*
 * Tells a result of an earlier study, before the first suggestion. It is not a suggestion of this
 * search and has no number; an algorithm that does not learn ignores it.
 */
void search_learn(struct search *search, const double *point, const struct search_result *result);

/*
 * Makes suggestion number `search_asked()`. The first is the default point, if there is one, except
 * for a list. SEARCH_END also if too many draws in a row were forbidden. Asking for several with no
 * result between them costs little more than asking for one: a model is fitted once for all.
 */
enum search_answer search_ask(struct search *search, double *point);
/*
 * Withdraws the last suggestion, because there is no room for it; the next one will be different.
 * False if the algorithm cannot skip it (a grid, a list).
 */
bool search_refuse(struct search *search);
/*
 * The number, from 0, of the suggestion from whose checkpoint the last one continues; -1: it starts
 * from scratch. Only pbt makes such suggestions. After a resume the driver knows it from the
 * journal.
 */
int64_t search_origin(const struct search *search);
/* True when a later suggestion may continue from the checkpoint of suggestion k. */
bool search_needs(struct search *search, uint64_t k);
/* How many points have been asked for, added or replayed so far. */
uint64_t search_asked(const struct search *search);
/* How many results an algorithm that learns knows, with those of earlier studies. */
uint64_t search_known(const struct search *search);
/* Gives the next number to a point of the user's own. */
void search_add(struct search *search, const double *point);
/* Repeats a suggestion that an earlier run was given: like search_ask(), but faster. */
void search_replay(struct search *search, const double *point);
/*
 * Takes the place of such a suggestion whose point is not known any more: suggests another point, a
 * random one if the search cannot decide now. False, with a point of NaN, if the points come from
 * outside.
 */
bool search_replace(struct search *search, double *point);
/* Tells the result of suggestion k, in the order of completion. */
void search_tell(struct search *search, uint64_t k, const struct search_result *result);
/*
 * Withdraws the result of suggestion k: its trial, which was stopped early, goes on. It counts as
 * running until it is told again. Not with `reproducible`; with `batch`, a round that is not over
 * waits for it.
 */
void search_retract(struct search *search, uint64_t k);
/*
 * How many suggestions there are in all; INFINITY if there is no end. The number is exact, except
 * that it is an upper bound in a space of more than about a million combinations with `forbid`,
 * constraints or a `when` of several parents.
 */
double search_total(const struct search *search);

/*
 * ---- suggestions from outside ----
 *
 * The algorithm "outside" suggests what it was offered, in that order, and waits while it has
 * nothing. A study does not name it, but the program that makes the offers.
 */

/* Offers a point, which must lie in the space. */
void search_offer(struct search *search, const double *point);
/* How many offers have not been suggested yet. */
size_t search_offered(struct search *search);
/* Says that there will be no more offers: SEARCH_END follows the last one. */
void search_close(struct search *search);

#endif
