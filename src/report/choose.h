/* choose.h - private to the room: which trials a page shows if there are too many for it. */
#ifndef REPORT_CHOOSE_H
#define REPORT_CHOOSE_H

#include "report/report.h"

/*
 * Marks the trials to show in keep (journal->count bytes, 1: show) and returns how many there are:
 * all of them up to `limit`; above it, an even selection of `limit`, and all of the best, the last
 * failures, the running ones, and those that were the best so far, by number and by time.
 */
size_t choose_trials(const struct journal *journal, size_t limit, unsigned char *keep);

/* The indexes of the last failures, the latest first; returns how many there are. */
size_t choose_failures(const struct journal *journal, uint32_t indexes[REPORT_FAILURES]);

#endif
