/* flaw.h - private to the room: what is wrong with the file of a journal. */
#ifndef JOURNAL_FLAW_H
#define JOURNAL_FLAW_H

#include "journal/load.h"

/* The head is damaged. */
void flaw_add_head(struct journal_loader *l);
/* Bytes that are no record; those that follow directly on others belong to the same flaw. */
void flaw_add_bytes(struct journal_loader *l, uint64_t offset, struct slice bytes);
/* A whole record that is left out, or in the wrong place. */
void flaw_add_record(struct journal_loader *l, uint64_t line, uint64_t offset, uint64_t length,
                     const char *why);
/*
 * Records from number `first` on are missing before the one at this place. Without them, there were
 * `known` flaws, in the order of their places.
 */
void flaw_add_gap(struct journal_loader *l, size_t known, uint64_t line, uint64_t offset,
                  uint64_t first, uint64_t missing);
/* The starts of these trials are missing, which had no numbers; unless there can be none. */
void flaw_add_jump(struct journal_loader *l, uint64_t offset, uint64_t first, uint64_t last);
/* Puts the flaws into the order of their places. */
void flaw_sort(struct journal *journal);
/* Notes that the last flaw reaches the end of the file, if it does. */
void flaw_end(struct journal_loader *l);
/* Nothing but newlines is damaged, from this line on. */
void flaw_add_newline(struct journal_loader *l, uint64_t line);
/* Notes a record of an unknown kind. */
void flaw_unknown(struct journal *journal, struct slice kind);

#endif
