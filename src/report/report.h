/*
 * report - a loaded journal as things that people read: a page, tables, a database.
 *
 * The functions only read the journal; it stays the caller's. Files are replaced at once: readers
 * see the old or the new one, and a failure leaves the old one. Nothing here keeps more than a few
 * bytes a trial in memory, except the databases.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/base.h"
#include "journal/journal.h"

/* Where rows go: the file at `path`, or the open descriptor `fd` when path is NULL. */
struct report_target {
    const char *path;
    int fd;
};

/*
 * One page that holds everything it needs and opens offline. Above REPORT_TRIALS trials it has an
 * even choice of them, and the best, the last failures and the records in full; counts are exact.
 */
enum { REPORT_TRIALS = 200000, REPORT_BEST = 1000, REPORT_FAILURES = 200 };
int report_html(const struct journal *journal, const char *path, struct err *e);

/*
 * One page about several studies: their Gantt charts side by side, their convergence, a table.
 * Above REPORT_COMPARED trials in all, each study has an even choice as above.
 */
enum { REPORT_COMPARED = 60000, REPORT_STUDIES = 24 };
int report_compare(const struct journal *journals, size_t count, const char *path, struct err *e);

/*
 * One row a trial (RFC 4180): trial, state, score, times in seconds since the study began, what it
 * used, how it ended, of several objectives each score and whether it is on the front, with
 * measured constraints by how much they are broken, each parameter, each metric. What is not known
 * or not active is empty. A parameter named as an earlier column gets the prefix "param_", a metric
 * "metric_".
 */
int report_csv(const struct journal *journal, struct report_target target, struct err *e);

/* An object with "study" and "trials", a list of one object a trial, each on a line of its own. */
int report_json(const struct journal *journal, struct report_target target, struct err *e);

/*
 * An SQLite database: study(key, value), trials (the columns of the CSV but the metrics),
 * metrics(trial, name, value), logs(trial, log) of the trials that failed.
 */
int report_sqlite(const struct journal *journal, const char *path, struct err *e);

enum report_form {
    REPORT_TABLE, /* aligned columns, for people */
    REPORT_CSV,
    REPORT_LINES, /* a JSON object a line */
};

/*
 * Runs one query on the same database, in memory, and writes its rows. Anything that does more than
 * read is refused; a mistake is ERR_USER, with SQLite's message and the tables that there are.
 */
int report_sql(const struct journal *journal, const char *query, enum report_form form,
               struct report_target target, struct err *e);

/* ---- what matters ---- */

enum {
    REPORT_LEAST = 10,     /* trials with a score, to say anything at all */
    REPORT_CURVES = 12,    /* parameters that have a curve: the most important */
    REPORT_PAIRS = 8,      /* pairs are looked for among so many parameters */
    REPORT_ROWS = 20000,   /* trials that the forest learns from, an even choice of more */
    REPORT_SURFACE = 1024, /* cells of the surface of a pair, at most about so many */
};

struct report_importance_settings {
    size_t objective; /* which score; 0: the first */
    double best;      /* only differences among this share of the trials count; 0: among all */
};

/* A place of a curve: a value of the parameter, coded as in a point, and the mean score there. */
struct report_place {
    double value, mean, spread;
};

enum report_direction {
    REPORT_FLAT,    /* it hardly matters */
    REPORT_UNCLEAR, /* the trees do not agree on that */
    REPORT_SMALLER,
    REPORT_LARGER,
    REPORT_NEAR, /* best at a value, or of a choice: with it */
};

/* What a parameter does. */
struct report_effect {
    size_t parameter;
    double share, spread;       /* of the variance of the scores that it explains alone */
    struct report_place *curve; /* mean scores over all else, where it is active; NULL: none */
    size_t curve_count;
    enum report_direction direction;
    double best; /* the value at which the curve is best */
};

/* What two parameters do only together. */
struct report_pair {
    size_t first, second; /* parameters */
    double share, spread;
    bool clear; /* it is more than little, and than what the trees disagree by */
};

/* Mean scores at values of two parameters, a row for each of the first. */
struct report_surface {
    size_t first, second; /* parameters */
    double *firsts, *seconds, *means;
    size_t first_count, second_count; /* 0: there is none */
};

/*
 * What a random forest learned from the trials that have a score. Shares are of the variance of its
 * predictions over the whole space, not over the places where the search happened to look.
 */
struct report_importance {
    const struct journal *journal;
    size_t objective;
    bool maximize;    /* large scores are good */
    size_t trials;    /* that it learned from */
    size_t wanted;    /* trials that such a space needs for a clear answer */
    double explained; /* of the variance of scores that it had not seen; NaN: not known */
    double limit;     /* worse scores count as this one; NaN: none does */
    size_t limited;   /* how many are worse */
    struct report_effect *effects; /* the most important first; what does not vary is left out */
    size_t effect_count;
    struct report_pair *pairs; /* the most important first */
    size_t pair_count;
    double rest; /* the share that neither parameters alone nor these pairs explain */
    struct report_surface surface; /* of the first pair, where it matters */
    struct arena arena;
};

/* ERR_USER says why nothing can be told. Free it afterwards when 0. */
int report_importance(struct report_importance *importance, const struct journal *journal,
                      const struct report_importance_settings *settings, struct err *e);
void report_importance_free(struct report_importance *importance);

/* Appends what to do with a parameter: "smaller is better", "best near 0.003", "no clear effect".
 */
void report_add_direction(const struct report_importance *importance,
                          const struct report_effect *effect, struct str *s);
/* True when the forest sees nothing in the scores, so that shares of it would mislead. */
bool report_explains_nothing(const struct report_importance *importance);
/* Appends why the answer is not to be trusted, in a sentence or two; nothing when it is. */
void report_add_doubts(const struct report_importance *importance, struct str *s);
/* Appends it as a JSON object, with curves where `curves` is true. */
void report_add_importance_json(const struct report_importance *importance, bool curves,
                                struct str *s);

/*
 * Appends a line for a shell that runs trial `id` again, from any folder: the words that the trial
 * was given, with its environment. Files of its own are made anew below DIR/rerun, so that those of
 * the trial stay. `dir` is the study's folder. A function is written as name(x=1, y=2), one of a
 * file as model.py:run {"x":1,"y":2}.
 */
void report_command(const struct study *study, const char *dir, uint64_t id, const double *point,
                    struct str *s);

#endif
