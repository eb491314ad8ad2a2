/*
 * head.h - the first record of a journal, and the copy of it in DIR/study.yaml (private to the
 * room).
 *
 * The copy is a comment that has everything but the definition, which is the rest of that file; of
 * that, it has the checksum. So a damaged head is recovered as it was, and readers notice if the
 * file was edited since. A study.yaml without that comment, or the user's study file in its place,
 * will do: then the name and the place of the study folder take the place of the rest.
 */
#ifndef JOURNAL_HEAD_H
#define JOURNAL_HEAD_H

#include "journal/load.h"

/* What the head says apart from the study. */
struct head {
    uint64_t key;
    double created; /* seconds since 1970 */
};

/* Appends the head; `whole`: with the definition of the study, else with its checksum. */
void head_put(struct str *s, const struct head *head, const struct study *study, bool whole);
/* Reads the head at the start of the text; *length is its length, 0: it is damaged. */
int head_load(struct journal *journal, size_t *length, struct err *e);
/* Loads a damaged head from DIR/study.yaml. */
int head_recover(struct journal *journal, struct err *e);
/* The key of the journal as DIR/study.yaml has it; 0: not known. */
uint64_t head_copied_key(const struct journal *journal);
/* Replaces DIR/study.yaml. */
int head_write_copy(const char *dir, const struct head *head, const struct study *study,
                    struct err *e);

#endif
