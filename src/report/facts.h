/* facts.h - what is said of a study as a whole, in every form of report. */
#ifndef REPORT_FACTS_H
#define REPORT_FACTS_H

#include "report/report.h"

struct fact {
    const char *key;
    const char *text; /* of a text; NULL for a number */
    double number;    /* NaN: not known */
};

enum { FACTS_MOST = 32 };

/* Fills the facts; texts are the journal's or the arena's. Returns how many there are. */
size_t facts_collect(const struct journal *journal, struct fact facts[FACTS_MOST],
                     struct arena *arena);

/* The study's state in a word: "running", why it closed, or "crashed" when nothing says. */
const char *facts_state(const struct journal *journal);

/* The study's folder, from the root where that can be told. */
const char *facts_folder(const struct journal *journal, struct arena *arena);

/* Appends a fact's value as JSON. */
void facts_put_value(const struct fact *fact, struct str *s);

#endif
