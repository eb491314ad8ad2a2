/*
 * hosts.h - language hosts, as the helper keeps them (private to this room).
 *
 * A host is an interpreter that has imported what the trials need, and forks a process for each:
 *
 *   helper                                  host
 *     ── "fork" ─────────────────────────────▶   make one more process
 *     ◀── "ready PID" and a socket to it ─────   it waits there for what to run
 *     ◀── "failed TEXT" ──────────────────────   when there cannot be one more
 *
 *   helper                                  the process that waits, a spare
 *     ── what to run, stdout, stderr ────────▶   from here on it is the trial
 *
 * The spare is a child of the helper, which waits for it, signals it and kills it like any other
 * program. There is always one spare more than is needed, so a trial starts without waiting for a
 * fork. A spare is told what to run by strings, each ended by zero: the number of arguments, the
 * cores ("0,1"; none: all), the folder, the arguments, then NAME=value.
 *
 * A host that dies is started again when a trial needs it; its spares and trials live on. One that
 * exits before it has made a spare could not import its modules: the trials that wait for it fail,
 * with its last output. So do those that wait for one that is killed again and again.
 */
#ifndef HELPER_HOSTS_H
#define HELPER_HOSTS_H

#include "helper/helper.h"

#include <poll.h>

struct hosts; /* all hosts of a helper */

/* Who asks for trials; each is answered by one of these, perhaps before hosts_spawn() returns. */
struct hosts_owner {
    void *self;
    void (*started)(void *self, unsigned worker, pid_t pid);
    /* `number` is an errno, 0: the reason is all there is to know. */
    void (*failed)(void *self, unsigned worker, int number, const char *reason);
};

/* Makes room for so many workers; no host is started yet. */
struct hosts *hosts_create(unsigned workers, const struct hosts_owner *owner);

/* Starts a process for this worker, now or when a spare is there; the descriptors are copied. */
void hosts_spawn(struct hosts *hosts, unsigned worker, const struct helper_request *request,
                 const char *strings, size_t length, const int *descriptors);
/* Forgets the request of a worker that still waits; false when there is none. */
bool hosts_forget(struct hosts *hosts, unsigned worker);

enum { HOSTS_MOST = 8, HOSTS_POLLS = 2 * HOSTS_MOST };
/* Fills in what to poll, at most HOSTS_POLLS; returns how many. */
unsigned hosts_polls(const struct hosts *hosts, struct pollfd *polls);
/* Handles what has come, when any of these is ready. */
void hosts_serve(struct hosts *hosts);

/* True when the process is a host or a spare. */
bool hosts_know(const struct hosts *hosts, pid_t pid);
/* True while a host is making a spare, of which it has not told yet. */
bool hosts_expect(const struct hosts *hosts);
/* A process has ended, which may have been a host or a spare. */
void hosts_ended(struct hosts *hosts, pid_t pid, int status);

/* Asks all hosts and spares to end, by closing their sockets. */
void hosts_close(struct hosts *hosts);
/* Kills those that still run. */
void hosts_kill(struct hosts *hosts);
/* Frees all. */
void hosts_free(struct hosts *hosts);

#endif
