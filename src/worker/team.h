/*
 * team.h - a trial of several ranks, on as many workers (private to this room).
 *
 * Balance gives the task to all of them; the one with index 0 is the first, and its process is rank
 * 0. It chooses where the ranks meet, hears how each of them ended, and decides what came of it:
 *
 *   first                             another worker
 *     ◀──────────── TEAM_HELLO ────────  has the task
 *     ── TEAM_MEET: address, port ─────▶  starts its process
 *     ◀──────────── TEAM_ASK ──────────  its process asks whether to stop, for the call-th time
 *     ── TEAM_ANSWER ──────────────────▶
 *     ── TEAM_END or TEAM_STOP ───────▶  ends its process
 *     ◀──────────── TEAM_ENDED ────────  the result of its process; it is free then
 *
 * Tasks come over the servers, and these messages do not, so one may come before its task: it is
 * dropped then. Nothing is lost by that. The first says MEET when it begins and again to each
 * HELLO, and stays with the task until all have said ENDED; so whoever begins last gets an answer.
 *
 * When a worker dies, balance interrupts the others. Then nobody waits for anybody: each ends its
 * own process and says so to balance, which knows when all of them have.
 */
#ifndef WORKER_TEAM_H
#define WORKER_TEAM_H

#include "worker/worker.h"

enum { TEAM_HELLO = 111, TEAM_MEET, TEAM_ASK, TEAM_ANSWER, TEAM_END, TEAM_STOP, TEAM_ENDED };

struct team_setup {
    struct comm *comm;
    const struct study *study;
    struct trial_runner *runner; /* runs this worker's process */
    void *self;
    /* This worker's part is over. The result is that of the trial on the first, else NULL. */
    void (*done)(void *self, const struct outcome *result);
};

struct team;

struct team *team_create(const struct team_setup *setup);
void team_free(struct team *team);

/*
 * True when the program of this task is to find RANK and the like: it has several ranks, or other
 * trials of the study do.
 */
bool team_wanted(const struct team *team, const struct balance_assignment *assignment);
/* Begins a trial; the point and the assignment's ranks must be good until done(). */
void team_begin(struct team *team, const struct balance_assignment *assignment,
                const struct trial_task *task);
/* True from team_begin() to done(). */
bool team_runs(const struct team *team);
/* True when this worker speaks for the trial: it is the first, or there is no team. */
bool team_speaks(const struct team *team);

/* What the runner tells of this worker's process. */
void team_rank_ended(struct team *team, const struct outcome *result);
void team_asked(struct team *team, uint64_t call);

/* Ends the trial on this worker, because balance says so. */
void team_interrupt(struct team *team);
/* On the first: the trial is not worth its next step. */
void team_stop(struct team *team);
/* On the first: the machine is taken away, and ranks that ask are to leave. */
void team_leave(struct team *team);

/* Takes a message between workers; false when it is none. */
bool team_message(struct team *team, const struct comm_message *message);

#endif
