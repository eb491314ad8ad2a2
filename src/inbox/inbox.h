/*
 * inbox - what users leave in the study folder for the run: points to try, a request to stop, and
 * which running trials they look at.
 *
 * These are files, so that any node that sees the folder can leave them; nothing listens. DIR/queue
 * has one JSON object of parameters per line. Lines are numbered from 1 and used in their order,
 * each once: the journal says which line a trial came from. A line that does not fit the space is
 * left out (`wick enqueue` writes none), and so is one of more than INBOX_LINE bytes; text after
 * the last newline is not read yet. DIR/stop has one word, DIR/look the numbers of trials, one per
 * line. The driver looks once a second, wick asktell at each ask. What is not a regular file is
 * never waited for: a pipe, a device or a link counts as no file, and users are told.
 */
#ifndef INBOX_INBOX_H
#define INBOX_INBOX_H

#include "base/base.h"
#include "space/space.h"

#include <time.h>

/* ---- the queue: for those who add points ---- */

enum {
    INBOX_LINE = 1 << 20,   /* most bytes of a line of the queue */
    INBOX_WAITING = 100000, /* while as many points wait in memory, no more are read */
    INBOX_TROUBLE = 128     /* bytes of a message about it */
};

/*
 * Fills the missing values (NaN) of a point with space_fallback(). ERR_USER when a value is given
 * for a parameter that is not active, or the study forbids the point.
 */
int inbox_complete(const struct space *space, double *point, struct err *e);
/* Appends complete points; they are on disk when it returns. ERR_USER when one is too long. */
int inbox_queue_append(const char *dir, const struct space *space, const double *points,
                       size_t count, struct err *e);
/*
 * How many points wait in the folder of a study that has used the first `used` lines. `trouble` is
 * as in struct inbox_queue; it may be NULL.
 */
size_t inbox_queue_left(const char *dir, const struct space *space, uint64_t used,
                        char trouble[INBOX_TROUBLE]);

/*
 * Finds lines that were skipped: they come before the last of the used lines, which are in
 * ascending order, and are none of them. Fills up to `most` lines and points, and returns their
 * number.
 */
size_t inbox_queue_skipped(const char *dir, const struct space *space, const uint64_t *used,
                           size_t used_count, uint64_t *lines, double *points, size_t most);

/* ---- the queue: for whoever hands out trials ---- */

struct inbox_queue {
    const struct space *space;
    char *path;
    uint64_t read;               /* lines that were read */
    uint64_t used;               /* lines, read or still to come, that earlier runs used */
    uint64_t offset;             /* in the file, of what is in `text` */
    uint64_t passed;             /* bytes there of a line that is too long and has no end yet */
    struct str text;             /* what was read after them and is no whole line yet */
    uint64_t *lines;             /* numbers of the lines that wait, from `next` on */
    double *points;              /* their points */
    char trouble[INBOX_TROUBLE]; /* why nothing comes from the file, for people; "": all is well */
    size_t next, count, line_capacity, point_capacity;
};

/* Reads nothing yet. The space must outlive the queue. */
void inbox_queue_open(struct inbox_queue *queue, const char *dir, const struct space *space);
/* Frees what it holds. */
void inbox_queue_close(struct inbox_queue *queue);
/* Leaves out the lines up to this one, which earlier runs used. Call it before the first look. */
void inbox_queue_skip(struct inbox_queue *queue, uint64_t line);
/* Reads what has come since the last look, a few MiB at most; true when more is there. */
bool inbox_queue_look(struct inbox_queue *queue);
/* How many points wait. */
size_t inbox_queue_waiting(const struct inbox_queue *queue);
/* The next point, which stays in the queue; NULL when none waits. */
const double *inbox_queue_next(const struct inbox_queue *queue);
/* Removes the next point from the queue and returns its line; 0 when none waits. */
uint64_t inbox_queue_pop(struct inbox_queue *queue, double *point);

/* ---- the request to stop ---- */

/* Asks the run to end: now, or once the trials that run have ended. Replaces an earlier request. */
int inbox_stop_request(const char *dir, bool now, struct err *e);
/*
 * When the latest run started, by the file system's clock; 0: never. A request from before that
 * does not count, so whoever asks compares this before and after, and asks again when it has
 * changed.
 */
struct timespec inbox_run_started(const char *dir);
/* True until a run has obeyed the request, or it is withdrawn. */
bool inbox_stop_waits(const char *dir);
/* Withdraws the request. */
void inbox_stop_withdraw(const char *dir);
/* For the driver: removes a request; false when there is none for this run. */
bool inbox_stop_obey(const char *dir, bool *now);

/* ---- looks at running trials ---- */

/* One look of a viewer, until the output of the trial is there. Start with {0}. */
struct inbox_look {
    struct timespec seen; /* when the copy of the output was made that was there before; 0: none */
    uint64_t inode;       /* its file */
};

/*
 * Asks the run for the output of a trial so far: its worker copies it to DIR/tmp/ID.log. Nothing of
 * a running trial is written there unless somebody asks.
 */
int inbox_look_request(const char *dir, uint64_t id, struct inbox_look *look, struct err *e);
/* True once there is a copy that was made after the request. */
bool inbox_look_answered(const char *dir, uint64_t id, const struct inbox_look *look);

enum { INBOX_LOOKS = 64 }; /* requests that are taken at a time; viewers repeat the others */

/* For the driver: removes the requests and fills the trials; returns how many. */
size_t inbox_look_take(const char *dir, uint64_t ids[static INBOX_LOOKS]);

#endif
