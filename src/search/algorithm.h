/*
 * algorithm.h - inside the room: what an algorithm is, and what all of them share.
 *
 * To add one: a file with its functions and its const table at the end, a line below, and a row in
 * search.c. It keeps its own memory in search->state.
 */
#ifndef SEARCH_ALGORITHM_H
#define SEARCH_ALGORITHM_H

#include "search/search.h"

struct search {
    const struct search_settings *settings;
    const struct space *space;
    const struct algorithm *algorithm;
    void *state;    /* the algorithm's own; NULL when it has none */
    double *first;  /* the default point, when it is suggestion 0; else NULL */
    double *units;  /* scratch, one number a parameter */
    uint64_t asked; /* suggestions so far, with the default point */
};

/*
 * Of these functions only ask is required. Their k counts the algorithm's own suggestions from 0:
 * the default point is not among them. Any randomness of suggestion k comes from stream k.
 */
struct algorithm {
    const char *name;
    bool only_listed; /* the user said which points: the default point is not added */
    int (*check)(const struct search_settings *settings, const struct space *space, struct err *e);
    void (*create)(struct search *search);
    void (*free)(struct search *search);
    enum search_answer (*ask)(struct search *search, uint64_t k, double *point);
    /* Moves the state on as ask does; none: ask changes nothing. */
    void (*replay)(struct search *search, uint64_t k);
    /* Learns from a result; here k is the number of the suggestion, the default point included. */
    void (*tell)(struct search *search, uint64_t k, const struct search_result *result);
    /* The number of its own suggestions, or an upper bound; none: there is no end. */
    double (*total)(const struct search *search);
};

extern const struct algorithm random_algorithm, sobol_algorithm, lhs_algorithm, grid_algorithm,
    list_algorithm;

/* Draws points until one is allowed: SEARCH_POINT, or SEARCH_END when none of 1000 is. */
enum search_answer algorithm_draw(struct search *search, struct random *random, double *point);

/*
 * Fills the point from search->units where that is allowed; else, so that a suggestion needs
 * nothing from those before it, draws it anew.
 */
enum search_answer algorithm_place(struct search *search, struct random *random, double *point);

#endif
