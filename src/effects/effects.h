/*
 * effects - what the hyperparameters of a study do to its scores: which matter, which way, and
 * which only together.
 *
 * A random forest learns from the trials of a loaded journal, and its variance is decomposed
 * (num/importance.h). The journal still belongs to the caller and must outlive the answer.
 */
#ifndef EFFECTS_EFFECTS_H
#define EFFECTS_EFFECTS_H

#include "base/base.h"
#include "journal/journal.h"

enum {
    EFFECTS_LEAST = 10,     /* number of trials with a score needed to say anything at all */
    EFFECTS_CURVES = 12,    /* the most important parameters, which get a curve */
    EFFECTS_PAIRS = 8,      /* number of parameters among which pairs are looked for */
    EFFECTS_ROWS = 20000,   /* trials that the forest learns from; of more, an even selection */
    EFFECTS_SURFACE = 1024, /* about the largest number of cells in a surface */
};

/* The question. */
struct effects_settings {
    size_t objective; /* which score; 0: the first */
    double best;      /* count only differences among this best share of the trials; 0: all */
};

/* A point of a curve: a value of the parameter, coded as in a point, and the mean score there. */
struct effect_place {
    double value, mean, spread;
};

/* Which values of a parameter are good. */
enum effect_direction {
    EFFECT_FLAT,    /* it hardly matters */
    EFFECT_UNCLEAR, /* the trees disagree */
    EFFECT_SMALLER,
    EFFECT_LARGER,
    EFFECT_NEAR, /* best near a value, or with one value of a choice */
};

/* The effect of one parameter. */
struct effect {
    size_t parameter;
    double share, spread;       /* share of the variance of the scores that it explains alone */
    struct effect_place *curve; /* mean scores where it is active; NULL: no curve */
    size_t curve_count;
    enum effect_direction direction;
    double best; /* the value at which the curve is best */
};

/* The effect that two parameters have only together. */
struct effect_pair {
    size_t first, second; /* parameters */
    double share, spread;
    bool clear; /* it is not negligible, and larger than the disagreement of the trees */
};

/* Mean scores for pairs of values of two parameters; one row per value of the first. */
struct effect_surface {
    size_t first, second; /* parameters */
    double *firsts, *seconds, *means;
    size_t first_count, second_count; /* 0: no surface */
};

/*
 * What a random forest learned from the trials with a score. Shares refer to the variance of its
 * predictions over the whole space, not over the points where the search happened to look.
 */
struct effects {
    const struct journal *journal;
    size_t objective;
    bool maximize;    /* larger scores are better */
    size_t trials;    /* trials that it learned from */
    size_t wanted;    /* trials that such a space needs for a clear answer */
    double explained; /* share of the variance of unseen scores that it explains; NaN: unknown */
    double limit;     /* worse scores are clipped to this one; NaN: no limit */
    size_t limited;   /* number of scores that are worse */
    struct effect *effects; /* the most important first, without parameters that do not vary */
    size_t effect_count;
    struct effect_pair *pairs; /* the most important first */
    size_t pair_count;
    double rest; /* the share that neither single parameters nor these pairs explain */
    struct effect_surface surface; /* for the first pair, if it matters */
    struct arena arena;
};

/* Fits the forest. ERR_USER says why there is no answer; on 0, call effects_free() afterwards. */
int effects_measure(struct effects *importance, const struct journal *journal,
                    const struct effects_settings *settings, struct err *e);
/* Frees what was measured. */
void effects_free(struct effects *importance);

/* Appends advice on a parameter: "smaller is better", "best near 0.003", "no clear effect". */
void effects_add_direction(const struct effects *importance, const struct effect *effect,
                           struct str *s);
/* True if the forest explains nothing of the scores, so that its shares would be misleading. */
bool effects_explain_nothing(const struct effects *importance);
/* Appends why the answer is uncertain, in a sentence or two; nothing if it is not. */
void effects_add_doubts(const struct effects *importance, struct str *s);
/* Adds the answer as a JSON object; with curves if `curves` is true. */
void effects_add_json(const struct effects *importance, bool curves, struct str *s);

#endif
