/* mend.h - private to the room: replacing a damaged journal by what is whole of it. */
#ifndef JOURNAL_MEND_H
#define JOURNAL_MEND_H

#include "journal/journal.h"

#include <sys/stat.h>

/* What the journal is then. */
struct mend_result {
    off_t size;       /* of the file in bytes */
    uint64_t records; /* number of its last record */
    uint64_t key;     /* see seal.h */
    struct str kept;  /* name of the damaged file in the folder */
};

/*
 * Replaces the file by one with all whole records; the damaged file is kept as DIR/journal.damaged.
 * Whoever calls this holds the lock of the study, and frees the name.
 */
int mend_file(const struct journal *journal, double time, struct mend_result *result,
              struct err *e);

/*
 * Replaces the file, which is whole, by a copy of its records that only its owner can read: whoever
 * has opened it goes on reading the old one, and sees nothing of what is appended. On failure, the
 * old one stays.
 */
int mend_privately(const struct journal *journal, const char *path, const struct stat *before,
                   struct err *e);

#endif
