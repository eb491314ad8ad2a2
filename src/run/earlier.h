/* earlier.h - what a new study takes over from earlier ones (private to this room). */
#ifndef RUN_EARLIER_H
#define RUN_EARLIER_H

#include "run/run.h"
#include "search/search.h"

/*
 * At the begin of a new study: teaches the search, writes the same into the journal, and queues the
 * points that come first. `earlier` may be NULL, and the search, which then learns it from there.
 */
int earlier_begin(const struct earlier *earlier, const struct space *space, struct search *search,
                  struct journal_writer *journal, const char *dir, struct err *e);
/* When a study goes on: teaches the search what the journal has kept. */
int earlier_replay(const struct journal *journal, struct search *search, struct err *e);

#endif
