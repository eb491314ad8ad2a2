/*
 * lock.h - who may write the journal (private to this room).
 *
 * An open-file-description lock on DIR/lock: the kernel drops it when its holder dies, however it
 * dies, so a crash leaves nothing to clean up. The file's text tells people who holds it. Opening
 * and closing the file elsewhere in the same process does not drop it, unlike classic POSIX locks.
 * The journal itself is locked, too, so that removing DIR/lock lets nobody in. Some network file
 * systems have no locks at all, or some that other nodes do not see: there a run is refused only
 * while the scheduler says that a job, which the file names, is running, or does not answer.
 */
#ifndef JOURNAL_LOCK_H
#define JOURNAL_LOCK_H

#include "journal/journal.h"

/* Takes the lock, which *fd holds. ERR_USER names the holder when it is taken. */
int lock_take(const char *dir, int *fd, struct err *e);
/* Takes the name away, too: the job may go on with something else. */
void lock_release(int fd);

/* Locks an open file; ERR_USER when another has it. 0 also where the file system has no locks. */
int lock_file(int fd, const char *path, struct err *e);

/* True when some process holds the lock. */
bool lock_taken(const char *dir);

#endif
