/*
 * retention.h - which checkpoints are kept (private to this room).
 *
 * A trial that runs or waits needs its own checkpoint, and that of its origin. One that is paused
 * may go on, one that failed may be tried again by `wick resume --retry-failed`, and the search may
 * have others go on from one that has ended. For all the rest the study says what is kept: the
 * best, all or none.
 *
 * Checkpoints of ended trials are looked at when all that the driver knows is on disk: otherwise a
 * crash could make a trial the best again whose checkpoint is gone.
 */
#ifndef RUN_RETENTION_H
#define RUN_RETENTION_H

#include "best/best.h"
#include "journal/journal.h"
#include "run/keeper.h"
#include "run/live.h"
#include "search/search.h"
#include "study/study.h"

/* Start with {0}: nothing is kept or removed. */
struct retention {
    const struct study *study;
    const struct journal *journal; /* of earlier runs; NULL: a new study */
    const struct best *best;
    struct live *live;
    struct search *search;
    struct keeper *keeper; /* NULL: trials of this study have no checkpoints */
    bool was_cut;          /* an earlier run left checkpoints of trials that had not ended */
    uint64_t *ended;       /* trials that ended, whose checkpoints are there */
    size_t count, capacity;
};

/*
 * Removes what is not needed, from now on; all but the keeper and the trials are set already.
 * ERR_USER when a new study finds checkpoints in its folder.
 */
int retention_begin(struct retention *retention, const char *dir, struct err *e);
/* A trial is done, or stopped for good. */
void retention_ended(struct retention *retention, uint64_t id);
/* All that has ended is on disk: removes what is not needed any more. */
void retention_settle(struct retention *retention);
/* finish: waits until everything is removed; otherwise a resume removes the rest. */
void retention_end(struct retention *retention, bool finish);

#endif
