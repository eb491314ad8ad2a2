/*
 * team.h - a trial of several ranks, on as many workers (private to this room).
 *
 * Balance gives the task to all of them. The one with index 0 is the first, and its process is rank
 * 0: it chooses where the ranks meet, hears how each of them ended, and decides on the outcome.
 *
 *   first                             another worker
 *     ◀──────────── TEAM_HELLO ─────────  has the task
 *     ── TEAM_MEET: address, port ──────▶  starts its process
 *     ◀──────────── TEAM_ASK ───────────  its process asks whether to stop, for the call-th time
 *     ── TEAM_ANSWER ───────────────────▶
 *     ── TEAM_END or TEAM_STOP ─────────▶  ends its process
 *     ◀──────────── TEAM_ENDED ─────────  the outcome of its process; the worker is free then
 *
 * Tasks travel through the servers and these messages do not, so a message may arrive before its
 * task: it is dropped then. Nothing is lost by that. The first says MEET when it starts and again
 * to each HELLO, and stays with the task until all have said ENDED; so whoever starts last gets an
 * answer.
 *
 * When a worker dies, balance interrupts the others. Then nobody waits for anybody: each ends its
 * own process and tells balance, which knows when all of them have.
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
    /* This worker's part is over. The outcome is the trial's on the first, NULL on the others. */
    void (*done)(void *self, const struct outcome *outcome);
};

struct team;

/* The setup is copied; what it points to must outlive the team. */
struct team *team_create(const struct team_setup *setup);
/* Frees it in any state; comm may be gone. */
void team_free(struct team *team);

/* True when the program of this task gets RANK and the like: trials of the study have ranks. */
bool team_wanted(const struct team *team, const struct balance_assignment *assignment);
/* Starts a trial; the point and the assignment's ranks must stay valid until done(). */
void team_begin(struct team *team, const struct balance_assignment *assignment,
                const struct trial_task *task);
/* True from team_begin() to done(). */
bool team_runs(const struct team *team);
/* True when this worker speaks for the trial: it is the first, or there is no team. */
bool team_speaks(const struct team *team);

/* The process of this worker has ended. */
void team_rank_ended(struct team *team, const struct outcome *outcome);
/* The process of this worker asks whether to stop. */
void team_asked(struct team *team, uint64_t call);

/* Ends the trial on this worker, because balance says so. */
void team_interrupt(struct team *team);
/* On the first: the trial is not worth its next step. */
void team_stop(struct team *team);
/* On the first: the machine will be taken away, and ranks that ask are told to leave. */
void team_leave(struct team *team);

/* Handles a message between workers; false when it is not one. */
bool team_message(struct team *team, const struct comm_message *message);

#endif
