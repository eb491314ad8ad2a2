/*
 * search - what to try next.
 *
 * Ask/tell: the driver asks for a point and later tells how it went. Suggestion k is a function of
 * the settings, the space, the seed and the results told before it, nothing else; each draws from
 * its own random stream. So the same order of completions gives the same suggestions on any number
 * of workers, and a resumed search needs no saved state: the driver replays the journal through
 * search_replay() and search_tell().
 *
 * An algorithm is one file with a const table at its end, and one row in search.c. None suggests a
 * forbidden point, except a list that has one. Grid never suggests a point twice, and neither does
 * random in a finite space of at most 100,000 combinations.
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/base.h"
#include "space/space.h"

struct search_settings {
    const char *algorithm; /* a name of search_names() */
    uint64_t seed;
    uint64_t trials;    /* the budget, 0: no limit; an algorithm may plan by it (lhs) */
    uint64_t levels;    /* grid: points on a float without step */
    bool shuffle;       /* grid: in a random order */
    bool maximize;      /* larger scores are better */
    const double *list; /* list: points, one after another */
    size_t list_count;
};

enum search_answer {
    SEARCH_POINT, /* a point was given */
    SEARCH_WAIT,  /* ask again after the next result */
    SEARCH_END,   /* there is nothing left to try */
};

/* How a trial went, for the search. */
struct search_result {
    bool good; /* false: it failed, and there is no score */
    double score;
};

struct search;

/* Names of all algorithms, ended by NULL. */
const char *const *search_names(void);

/*
 * A mistake in the settings for this space (a grid over 10^12 points, a list with no points...):
 * ERR_USER and a message for the user.
 */
int search_check(const struct search_settings *settings, const struct space *space, struct err *e);

/*
 * False when `forbid` leaves nothing to try: no point of a small space is allowed, or none of 1000
 * random points of a large one.
 */
bool search_has_point(const struct space *space);

/* Settings and space must outlive the search. */
struct search *search_create(const struct search_settings *settings, const struct space *space);
void search_free(struct search *search);

/*
 * Suggestion number `search_asked()`. The default point, where there is one, is the first, except
 * of a list. SEARCH_END also when 1000 draws in a row were forbidden.
 */
enum search_answer search_ask(struct search *search, double *point);
/* How many points were asked for (or replayed) so far. */
uint64_t search_asked(const struct search *search);
/* Takes note of a suggestion that an earlier run was given: as search_ask(), but faster. */
void search_replay(struct search *search, const double *point);
/* Tells the result of suggestion k, in the order of completion. */
void search_tell(struct search *search, uint64_t k, const struct search_result *result);
/*
 * How many suggestions there are in all: INFINITY when there is no end. With `forbid`, or a `when`
 * of several parents, it is an upper bound in a space of more than about a million combinations;
 * else it is exact.
 */
double search_total(const struct search *search);

#endif
