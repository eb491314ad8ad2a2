/* load.h - private to the room: what the records of a journal mean. */
#ifndef JOURNAL_LOAD_H
#define JOURNAL_LOAD_H

#include "journal/journal.h"
#include "journal/record.h"
#include "journal/seal.h"

#include <sys/types.h>

/* The state of reading a journal. */
struct journal_loader {
    struct journal *journal; /* during a call */
    size_t capacity, progress_capacity, completion_capacity, score_capacity, earlier_capacity,
        placement_capacity, run_capacity, lost_capacity;
    uint64_t line;          /* lines read so far */
    uint64_t offset;        /* offset of the current record */
    uint64_t may_miss;      /* trials that damage may have swallowed */
    uint64_t suspect;       /* offset of a damaged line that is read again before it is believed */
    struct seal_count next; /* the number that the next record should have */
    uint64_t lost;          /* trials whose first record was lost, even if they have run again */
    bool tolerant;          /* what cannot be read is damage */
    size_t unread;          /* bytes of it */
    bool headless;          /* the head is not that of the other records */
    bool rebuilt;           /* the text is not that of the file: damage was removed from it */
    bool sealed;            /* all further records have seals */
    char *buffer;           /* the text of the journal */
    size_t buffer_capacity;
    double opened;  /* time of the last "open" */
    double spent;   /* seconds of the runs before it */
    bool restarted; /* a trial that had ended has started again */
    dev_t device;   /* identifies the file */
    ino_t inode;
};

/*
 * Loads the first record; ERR_USER if it is not the head of a journal that this wick reads. The
 * definition of the study is in the record, unless it is given.
 */
int load_head(struct journal *journal, const struct record *record, const struct str *definition,
              struct err *e);
/* Reads a key or a checksum of a record, as written; false if it is none. */
bool load_key(struct slice quoted, uint64_t *key);
/* The number of trials that must have started before this record, and have no start. */
uint64_t load_missing(const struct journal_loader *l, const struct record *record);
/* Adds a further record to the journal; NULL, or what is wrong with it. */
const char *load_record(struct journal_loader *l, const struct record *record);
/* Updates what depends on all records together; `changed`: trials have ended. */
void load_conclude(struct journal *journal, bool changed);

#endif
