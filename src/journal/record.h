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
};

/* The fields of all kinds of records; those that are missing stay as record_read() sets them. */
struct record {
    enum record_kind kind;
    double subject; /* the first value: version, id or time */
    double time, took, score, cpu, cost, workers, trials, limit;
    double worker, try, pid, created, violation, queued, n, from;
    bool again, paused, quick, has_params;
    /* As written, with quotes. */
    struct slice state, why, host, job, study, folder, home, definition, file, says;
    struct slice scores, placement, value, keys; /* as written */
};

/* Reads one record; returns NULL, or what is wrong with it. */
const char *record_read(const char *text, size_t length, struct record *record);

#endif
