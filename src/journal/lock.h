/*
 * lock.h - who may write the journal (private to this room).
 *
 * An open-file-description lock on DIR/lock: the kernel drops it when its holder dies, however it
 * dies, so a crash leaves nothing to clean up. The text of the file says who holds it. Opening and
 * closing the file elsewhere in the same process does not drop it, unlike classic POSIX locks. The
 * journal itself is locked as well, so that removing DIR/lock lets nobody in. Some network file
 * systems have no locks, or have locks that other nodes do not see. There, a run is refused only if
 * the file names a job, and the scheduler says that this job is running or does not answer.
 */
#ifndef JOURNAL_LOCK_H
#define JOURNAL_LOCK_H

#include "journal/journal.h"

/* Takes the lock, which *fd holds. ERR_USER with the name of the holder if it is taken. */
int lock_take(const char *dir, int *fd, struct err *e);
/*
 * Drops the lock and removes the holder's name: its job may go on with something else. What it
 * failed of, if that is not "", is left in its place until the lock is taken again.
 */
void lock_release(int fd, const char *failure);
/* Fills what the last holder failed of; false if it left nothing. */
bool lock_failure(const char *dir, char *failure, size_t size);

/*
 * Locks an open file; ERR_USER if another process has locked it. 0 if the file system has no locks.
 */
int lock_file(int fd, const char *path, struct err *e);

/* True if a process holds the lock. */
bool lock_taken(const char *dir);

#endif
