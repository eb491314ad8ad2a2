/* record.h - private to the room: one record, read from its line. */
#ifndef JOURNAL_RECORD_H
#define JOURNAL_RECORD_H

#include "base/base.h"

enum record_kind {
    RECORD_OTHER,
    RECORD_HEADER,
    RECORD_OPEN,
    RECORD_START,
    RECORD_MOVE,
    RECORD_STEP,
    RECORD_LOST,
    RECORD_END,
    RECORD_CLOSE,
    RECORD_EARLIER,
    RECORD_NODES,
    RECORD_TEAM,
    RECORD_PACE,
    RECORD_CHANGE,
    RECORD_REPAIR,
};

/* The fields of all kinds of records; those that are missing stay as record_read() sets them. */
struct record {
    enum record_kind kind;
    double subject; /* the first value: version, id or time */
    double time, took, score, cpu, cost, workers, trials, limit;
    double worker, try, pid, created, violation, queued, n, from, lost;
    bool again, paused, quick, more, has_params;
    /* As written, with quotes. */
    struct slice state, why, host, job, study, folder, home, definition, file, says, key, text;
    struct slice scores, placement, value, keys; /* as written */
};

/*
 * Reads one record; returns NULL, or what is wrong with it. `body`: its length without its seal,
 * which has been checked; 0: it has none.
 */
const char *record_read(struct slice text, size_t body, struct record *record);

/* The first key of a record, which names its kind, even if it is damaged; empty: not to be seen. */
struct slice record_kind_name(struct slice text);
/* True if a record of this kind is known. */
bool record_kind_known(struct slice name);

#endif
