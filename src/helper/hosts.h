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
 * The spare is a child of the helper: to wait for it, to signal it and to kill it are as with any
 * other program. There is always one spare more than is needed, so a trial starts without waiting
 * for a fork. What a spare is told are strings, each ended by zero: the number of arguments, the
 * cores ("0,1"; none: all), the folder, the arguments, then NAME=value.
 *
 * A host that dies is started again when a trial needs one: its spares and trials go on. One that
 * exits before it has a spare could not import, and fails the trials that wait for it, with its
 * last words; so does one that is killed again and again.
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

struct hosts *hosts_create(unsigned workers, const struct hosts_owner *owner);

/* The process is to be started for this worker; the descriptors are copied. */
void hosts_spawn(struct hosts *hosts, unsigned worker, const struct helper_request *request,
                 const char *strings, size_t length, const int *descriptors);
/* Forgets a request that still waits; false when there is none. */
bool hosts_forget(struct hosts *hosts, unsigned worker);

/* Fills in what to poll, at most HOSTS_POLLS; then hosts_serve() when any of it is ready. */
enum { HOSTS_MOST = 8, HOSTS_POLLS = 2 * HOSTS_MOST };
unsigned hosts_polls(const struct hosts *hosts, struct pollfd *polls);
void hosts_serve(struct hosts *hosts);

/* True when the process is a host or a spare. */
bool hosts_know(const struct hosts *hosts, pid_t pid);
/* The process has ended, which may have been a host or a spare. */
void hosts_ended(struct hosts *hosts, pid_t pid, int status);

/* Lets all hosts and spares end; those that do not can be killed after a while. */
void hosts_close(struct hosts *hosts);
void hosts_kill(struct hosts *hosts);
void hosts_free(struct hosts *hosts);

#endif
