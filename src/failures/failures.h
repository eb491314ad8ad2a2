/*
 * failures - which failures are alike.
 *
 * Trials fail alike when they end in the same state for the same reason, with the same last line of
 * output, where numbers and paths do not matter: "shape mismatch 3 vs 5" and "shape mismatch 7 vs
 * 5" are one kind of failure. A run is halted by the kinds of its failures, and a user sees one
 * line per kind. A struct failures owns its texts.
 */
#ifndef FAILURES_FAILURES_H
#define FAILURES_FAILURES_H

#include "base/base.h"
#include "outcome/outcome.h"

/*
 * Appends the text with numbers, and words of hexadecimal digits, as # and paths as /, so that
 * texts which differ only by a value become equal.
 */
void failures_mask(struct str *s, struct slice text);

enum { FAILURES_KINDS = 100 }; /* the most kinds that are told apart */

/* Failures that are alike. */
struct failures_kind {
    char *mask;
    char *text; /* for the user: set by who shows it, and owned by the kind; NULL: none */
    uint64_t count;
    uint64_t trial; /* the first of them: an example */
    double longest; /* seconds that the longest of them took */
};

/* Start with {0}; failures_free() it. */
struct failures {
    struct failures_kind kinds[FAILURES_KINDS];
    size_t kind_count;
};

/* How a trial failed. */
struct failure {
    uint64_t trial;
    enum outcome_state state;
    const char *reason;
    struct slice last_line; /* of its output; it counts only where the program itself failed */
    double took;            /* seconds */
};

/* The kind of a failure, which is added if it is new; NULL if there are too many. */
struct failures_kind *failures_find(struct failures *failures, const struct failure *failure);
/* The same, and counts it. */
struct failures_kind *failures_add(struct failures *failures, const struct failure *failure);
/* The kind of most failures; NULL if there are none. */
const struct failures_kind *failures_most(const struct failures *failures);
/* Sorts the kinds, most frequent first. */
void failures_sort(struct failures *failures);
/* Frees its texts and forgets everything. */
void failures_free(struct failures *failures);

#endif
