/* pareto.h - the Pareto front of a journal that was read (private to this room). */
#ifndef JOURNAL_PARETO_H
#define JOURNAL_PARETO_H

#include "journal/journal.h"

/* Fills the front of a journal of several objectives, and marks its trials. */
void pareto_find(struct journal *journal);

#endif
