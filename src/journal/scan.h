/*
 * scan.h - finding the records in the text of a journal (private to the room).
 *
 * Usually a record is a line, and its number is the next one: scan_lines() loads such records as
 * they come. From the first line on that is something else, scan_salvage() looks for records
 * wherever they stand, and puts them into the order of their numbers.
 */
#ifndef JOURNAL_SCAN_H
#define JOURNAL_SCAN_H

#include "journal/load.h"

/*
 * Finds the head at the start of the text; 0: it is damaged. Otherwise returns its length, with
 * `body` the length without its seal, which is 0 if it has none.
 */
size_t scan_head(const struct journal *journal, size_t *body);

/*
 * The key of a journal whose head is damaged: the one that most of its records have; 0: they are
 * not sealed.
 */
uint64_t scan_key(const struct journal *journal);

/* The number of records on lines of their own that have this key. */
size_t scan_count(const struct journal *journal, uint64_t key);

/*
 * Loads the records from journal->size on, one on each line; false if it stopped at a line that is
 * not the next record. What follows the last newline may be a record that is still being written.
 */
bool scan_lines(struct journal_loader *l);

/*
 * True if what follows the last newline of a journal that nobody writes is nothing, or the start of
 * a record that a killed process has left.
 */
bool scan_is_torn(const struct journal *journal);

/*
 * Loads all whole records from journal->size on. In memory, they replace the text from there on, in
 * the order of their numbers; everything else becomes a flaw.
 */
void scan_salvage(struct journal_loader *l);

#endif
