/*
 * algorithm.h - private to this room: what an algorithm is, and what all of them share.
 *
 * To add one: a file with its functions and its const table at the end, and its name in the list
 * below. It keeps its own memory in search->state.
 */
#ifndef SEARCH_ALGORITHM_H
#define SEARCH_ALGORITHM_H

#include "search/past.h"
#include "search/search.h"

enum {
    ALGORITHM_SMALL = 100000
}; /* most combinations of a space in which no point is suggested twice */

struct search {
    const struct search_settings *settings;
    const struct space *space;
    const struct algorithm *algorithm;
    void *state;       /* the algorithm's own; NULL: it has none */
    struct past past;  /* empty if the algorithm does not learn */
    double *first;     /* the default point, if it is the first suggestion; otherwise NULL */
    bool first_given;  /* it has been suggested: what follows is the algorithm's own */
    double *units;     /* scratch, one number per parameter */
    uint64_t asked;    /* suggestions so far, including the default point and the user's own */
    uint64_t own;      /* how many of these are the algorithm's own */
    uint64_t refused;  /* suggestions withdrawn since the last that was not */
    bool last_is_own;  /* the last suggestion is the algorithm's own */
    bool hurried;      /* suggestions are to be quick: see search_hurry() */
    int64_t origin;    /* the suggestion from which the last one continues; -1: none */
    struct held *held; /* results that are held back, by suggestion; not all are known yet */
    size_t held_capacity;
    uint64_t delivered; /* those of suggestions before this one have been passed on */
};

/*
 * Only ask is required. k counts the algorithm's own suggestions from 0, without the default point
 * and the user's own. The randomness of suggestion k comes from algorithm_random(). An algorithm
 * that `learns` has the past and must be a function of it and k alone (and of search->hurried, if
 * it `hurries`); what it keeps in its state only saves time, and is created again when a result is
 * withdrawn. An algorithm whose suggestion continues from an earlier one sets search->origin.
 */
struct algorithm {
    const char *about;            /* one line for the user */
    bool only_listed;             /* the user named the points: the default point is not added */
    bool learns;                  /* results make a difference: it has a past */
    bool redraws;                 /* it can make another suggestion in place of a refused one */
    bool hurries;                 /* it makes quick suggestions while search->hurried */
    const struct option *options; /* its own, ended by one without a name; or NULL */
    int (*check)(const struct search_settings *settings, const struct space *space, struct err *e);
    void (*create)(struct search *search);
    void (*free)(struct search *search);
    enum search_answer (*ask)(struct search *search, uint64_t k, double *point);
    /* Advances the state as the ask that gave the point did; NULL: ask changes nothing. */
    void (*replay)(struct search *search, const double *point);
    /* The number of its own suggestions, or an upper bound; NULL: there is no end. */
    double (*total)(const struct search *search);
    /* True when it may continue from suggestion k of all; NULL: it never does. */
    bool (*needs)(struct search *search, uint64_t k);
    /* What it does, for search_choice(); NULL: its name. */
    const char *(*choice)(const struct search *search);
};

/*
 * The algorithms that a study may name, in the order in which users see them. NAME stands for a
 * const table NAME_algorithm. Two are not among them: `list` has its points from a parameter file,
 * `outside` from a program that the study names instead.
 */
#define ALGORITHMS(EACH)                                                                           \
    EACH(auto)                                                                                     \
    EACH(random)                                                                                   \
    EACH(sobol)                                                                                    \
    EACH(lhs)                                                                                      \
    EACH(grid)                                                                                     \
    EACH(forest)                                                                                   \
    EACH(tpe)                                                                                      \
    EACH(gp)                                                                                       \
    EACH(cmaes)                                                                                    \
    EACH(genetic)                                                                                  \
    EACH(nsga2)                                                                                    \
    EACH(hyperspace)                                                                               \
    EACH(pbt)

#define DECLARE_ALGORITHM(name) extern const struct algorithm name##_algorithm;
ALGORITHMS(DECLARE_ALGORITHM)
DECLARE_ALGORITHM(list)
DECLARE_ALGORITHM(outside)
#undef DECLARE_ALGORITHM

/* True when a parameter has more than one value: there is something to learn about it. */
static inline bool algorithm_varies(const struct parameter *parameter)
{
    return space_levels(parameter) > 1;
}

/*
 * True when the last results are held back until their turn: an algorithm that waits for one of
 * them in its ask would wait for ever.
 */
static inline bool algorithm_holds_back(const struct search_settings *settings)
{
    return settings->reproducible || settings->batch > 0;
}

/* How many parameters vary. */
size_t algorithm_varying(const struct space *space);

/* The random stream of the algorithm's suggestion k: a different one after each refusal. */
void algorithm_random(const struct search *search, uint64_t k, struct random *random);

/* What the user gave for the algorithm's option number `index` in its table; NaN: nothing. */
static inline double algorithm_given(const struct search_settings *settings, size_t index)
{
    return settings->has_options ? settings->options[index] : NAN;
}

/* The same, or else the option's default, which may be NaN. */
double algorithm_option(const struct search *search, size_t index);

/* Draws points until one is allowed: SEARCH_POINT, or SEARCH_END if none of 1000 is. */
enum search_answer algorithm_draw(struct search *search, struct random *random, double *point);

/*
 * Makes the point from search->units if that is allowed; otherwise draws one, so that a suggestion
 * needs nothing from those before it.
 */
enum search_answer algorithm_place(struct search *search, struct random *random, double *point);

/*
 * A point that is not in the past: a few draws, then, in a space of at most 100,000 combinations,
 * the first that is left in a random order. SEARCH_END if none is left.
 */
enum search_answer algorithm_draw_new(struct search *search, struct random *random, double *point);

/*
 * Point k of an even design: of the Sobol sequence over the parameters that vary, if that gives an
 * allowed and new point; otherwise a new one is drawn.
 */
enum search_answer algorithm_even(struct search *search, uint64_t k, struct random *random,
                                  double *point);

#endif
