/*
 * group.h - a trial of several ranks, on as many workers (private to this room).
 *
 * Balance gives the task to all of them; the one with index 0 is the first, and its process is rank
 * 0. It chooses where the ranks meet, hears how each of them ended, and decides what came of it:
 *
 *   first                             another worker
 *     ◀──────────── GROUP_HELLO ────────  has the task
 *     ── GROUP_MEET: address, port ─────▶  starts its process
 *     ◀──────────── GROUP_ASK ──────────  its process asks whether to stop, for the call-th time
 *     ── GROUP_ANSWER ──────────────────▶
 *     ── GROUP_END or GROUP_STOP ───────▶  ends its process
 *     ◀──────────── GROUP_ENDED ────────  the result of its process; it is free then
 *
 * Tasks come over the servers, and these messages do not, so one may come before its task: it is
 * dropped then. Nothing is lost by that. The first says MEET when it begins and again to each
 * HELLO, and stays with the task until all have said ENDED; so whoever begins last gets an answer.
 *
 * When a worker dies, balance interrupts the others. Then nobody waits for anybody: each ends its
 * own process and says so to balance, which knows when all of them have.
 */
#ifndef WORKER_GROUP_H
#define WORKER_GROUP_H

#include "worker/worker.h"

enum { GROUP_HELLO = 111, GROUP_MEET, GROUP_ASK, GROUP_ANSWER, GROUP_END, GROUP_STOP, GROUP_ENDED };

struct group_setup {
    struct comm *comm;
    const struct study *study;
    struct trial_runner *runner; /* runs this worker's process */
    void *self;
    /* This worker's part is over. The result is that of the trial on the first, else NULL. */
    void (*done)(void *self, const struct outcome *result);
};

struct group;

struct group *group_create(const struct group_setup *setup);
void group_free(struct group *group);

/*
 * True when the program of this task is to find RANK and the like: it has several ranks, or other
 * trials of the study do.
 */
bool group_wanted(const struct group *group, const struct balance_assignment *assignment);
/* Begins a trial; the point and the assignment's ranks must be good until done(). */
void group_begin(struct group *group, const struct balance_assignment *assignment,
                 const struct trial_task *task);
/* True from group_begin() to done(). */
bool group_runs(const struct group *group);
/* True when this worker speaks for the trial: it is the first, or there is no group. */
bool group_speaks(const struct group *group);

/* What the runner tells of this worker's process. */
void group_rank_ended(struct group *group, const struct outcome *result);
void group_asked(struct group *group, uint64_t call);

/* Ends the trial on this worker, because balance says so. */
void group_interrupt(struct group *group);
/* On the first: the trial is not worth its next step. */
void group_stop(struct group *group);
/* On the first: the machine is taken away, and ranks that ask are to leave. */
void group_leave(struct group *group);

/* Takes a message between workers; false when it is none. */
bool group_message(struct group *group, const struct comm_message *message);

#endif
