/* load.h - private to the room: what the records of a journal mean. */
#ifndef JOURNAL_LOAD_H
#define JOURNAL_LOAD_H

#include "journal/journal.h"
#include "journal/record.h"

#include <sys/types.h>

/* The state of reading a journal. */
struct journal_loader {
    struct journal *journal; /* during a call */
    size_t capacity, progress_capacity, completion_capacity, score_capacity, earlier_capacity,
        placement_capacity, run_capacity, lost_capacity;
    size_t number;   /* records read so far */
    uint64_t offset; /* offset of the current record */
    double opened;   /* time of the last "open" */
    double spent;    /* seconds of the runs before it */
    bool restarted;  /* a trial that had ended has started again */
    dev_t device;    /* identifies the file */
    ino_t inode;
};

/* Loads the first record; ERR_USER if it is not the head of a journal that this wick reads. */
int load_header(struct journal *journal, const struct record *record, struct err *e);
/* Adds a further record to the journal; NULL, or what is wrong with it. */
const char *load_record(struct journal_loader *l, const struct record *record);
/* Updates what depends on all records together; `changed`: trials have ended. */
void load_conclude(struct journal *journal, bool changed);

#endif
