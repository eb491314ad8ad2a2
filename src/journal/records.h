/* records.h - private to the room: between the content of a record and the writer. */
#ifndef JOURNAL_RECORDS_H
#define JOURNAL_RECORDS_H

#include "journal/journal.h"

/* Opens the next record: members are appended to this text until writer_append(). */
struct str *writer_record(struct journal_writer *writer);
/* Closes the record and hands it to the writer's thread, or holds it for journal_flush(). */
void writer_append(struct journal_writer *writer);

/* A text of a record, which has quotes, in the memory of the arena; NULL if it is missing. */
const char *records_text(struct arena *arena, struct slice quoted);
/* Changes the study by a record; "keys" and "says" are as written. NULL, or what is wrong. */
const char *records_load_change(struct journal *journal, struct slice keys, struct slice says);
/* Frees the studies before the last change. */
void records_free_earlier(struct journal *journal);
/* Appends the record of a run that ended normally. */
void records_close(struct journal_writer *writer, double time, const char *why);

#endif
