/*
 * effects - what the hyperparameters of a study do to its scores: which matter, which way, and
 * which only together.
 *
 * A random forest learns from the trials of a loaded journal, and its variance is taken apart
 * (num/importance.h). The journal stays the caller's and must outlive the answer.
 */
#ifndef EFFECTS_EFFECTS_H
#define EFFECTS_EFFECTS_H

#include "base/base.h"
#include "journal/journal.h"

enum {
    EFFECTS_LEAST = 10,     /* trials with a score, to say anything at all */
    EFFECTS_CURVES = 12,    /* parameters that have a curve: the most important */
    EFFECTS_PAIRS = 8,      /* pairs are looked for among so many parameters */
    EFFECTS_ROWS = 20000,   /* trials that the forest learns from, an even choice of more */
    EFFECTS_SURFACE = 1024, /* cells of the surface of a pair, at most about so many */
};

struct effects_settings {
    size_t objective; /* which score; 0: the first */
    double best;      /* only differences among this share of the trials count; 0: among all */
};

/* A place of a curve: a value of the parameter, coded as in a point, and the mean score there. */
struct effect_place {
    double value, mean, spread;
};

enum effect_direction {
    EFFECT_FLAT,    /* it hardly matters */
    EFFECT_UNCLEAR, /* the trees do not agree on that */
    EFFECT_SMALLER,
    EFFECT_LARGER,
    EFFECT_NEAR, /* best at a value, or of a choice: with it */
};

/* What a parameter does. */
struct effect {
    size_t parameter;
    double share, spread;       /* of the variance of the scores that it explains alone */
    struct effect_place *curve; /* mean scores over all else, where it is active; NULL: none */
    size_t curve_count;
    enum effect_direction direction;
    double best; /* the value at which the curve is best */
};

/* What two parameters do only together. */
struct effect_pair {
    size_t first, second; /* parameters */
    double share, spread;
    bool clear; /* it is more than little, and than what the trees disagree by */
};

/* Mean scores at values of two parameters, a row for each of the first. */
struct effect_surface {
    size_t first, second; /* parameters */
    double *firsts, *seconds, *means;
    size_t first_count, second_count; /* 0: there is none */
};

/*
 * What a random forest learned from the trials that have a score. Shares are of the variance of its
 * predictions over the whole space, not over the places where the search happened to look.
 */
struct effects {
    const struct journal *journal;
    size_t objective;
    bool maximize;          /* large scores are good */
    size_t trials;          /* that it learned from */
    size_t wanted;          /* trials that such a space needs for a clear answer */
    double explained;       /* of the variance of scores that it had not seen; NaN: not known */
    double limit;           /* worse scores count as this one; NaN: none does */
    size_t limited;         /* how many are worse */
    struct effect *effects; /* the most important first; what does not vary is left out */
    size_t effect_count;
    struct effect_pair *pairs; /* the most important first */
    size_t pair_count;
    double rest; /* the share that neither parameters alone nor these pairs explain */
    struct effect_surface surface; /* of the first pair, where it matters */
    struct arena arena;
};

/* ERR_USER says why nothing can be told. Free it afterwards when 0. */
int effects_measure(struct effects *importance, const struct journal *journal,
                    const struct effects_settings *settings, struct err *e);
/* Frees what was measured. */
void effects_free(struct effects *importance);

/* Appends what to do with a parameter: "smaller is better", "best near 0.003", "no clear effect".
 */
void effects_add_direction(const struct effects *importance, const struct effect *effect,
                           struct str *s);
/* True when the forest sees nothing in the scores, so that shares of it would mislead. */
bool effects_explain_nothing(const struct effects *importance);
/* Appends why the answer is not to be trusted, in a sentence or two; nothing when it is. */
void effects_add_doubts(const struct effects *importance, struct str *s);
/* Appends it as a JSON object, with curves where `curves` is true. */
void effects_add_json(const struct effects *importance, bool curves, struct str *s);

#endif
