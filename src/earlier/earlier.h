/*
 * earlier - what a new study learns from earlier studies.
 *
 * study->learn and study->start_of name study folders, or CSV files. Their results are copied into
 * the journal of the new study, and the points to try first into its queue, so that no other file
 * is needed when the study is resumed.
 */
#ifndef EARLIER_EARLIER_H
#define EARLIER_EARLIER_H

#include "base/base.h"
#include "journal/journal.h"
#include "search/search.h"
#include "study/study.h"

struct earlier;

/*
 * Reads everything that the study names; the caller owns it. A file that is wrong is ERR_USER with
 * its place, and *earlier is NULL then.
 */
int earlier_read(struct earlier **earlier, const struct study *study, struct err *e);
/*
 * One line of text for the user per source, which says how much of it fits and why the rest does
 * not; NULL after the last.
 */
const char *earlier_note(const struct earlier *earlier, size_t index);
/* NULL is allowed. */
void earlier_free(struct earlier *earlier);

/*
 * At the start of a study: teaches the search, writes the same into the journal, and queues the
 * points to try first. `before` is the journal of a study whose first run ended before it had done
 * that: what it has is not done again; NULL for a new study. `earlier` may be NULL, and so may the
 * search, which then learns from the journal.
 */
int earlier_begin(const struct earlier *earlier, const struct journal *before,
                  const struct space *space, struct search *search, struct journal_writer *journal,
                  const char *dir, struct err *e);
/* When a study is resumed: teaches the search what its journal has kept of earlier studies. */
int earlier_replay(const struct journal *journal, struct search *search, struct err *e);

#endif
