/* facts.h - private to the room: facts about a study as a whole, for every form of report. */
#ifndef REPORT_FACTS_H
#define REPORT_FACTS_H

#include "report/report.h"

struct fact {
    const char *key;
    const char *text; /* NULL for a number */
    double number;    /* NaN: unknown */
};

enum { FACTS_MOST = 32 };

/* Fills the facts and returns how many there are; texts belong to the journal or the arena. */
size_t facts_collect(const struct journal *journal, struct fact facts[FACTS_MOST],
                     struct arena *arena);

/* The state of the study in a word: "running", why the last run ended, or "crashed". */
const char *facts_state(const struct journal *journal);

/* The absolute path of the study folder, if that is known. */
const char *facts_folder(const struct journal *journal, struct arena *arena);

/* Adds the value of a fact as JSON. */
void facts_put_value(const struct fact *fact, struct str *s);

#endif
