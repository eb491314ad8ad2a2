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

/* Takes the lock, which *fd holds. ERR_USER with the name of the holder if it is taken. */
int lock_take(const char *dir, int *fd, struct err *e);
/* Also removes the name of the holder: the job may continue with something else. */
void lock_release(int fd);

/*
 * Locks an open file; ERR_USER if another process has it. Also 0 if the file system has no locks.
 */
int lock_file(int fd, const char *path, struct err *e);

/* True if a process holds the lock. */
bool lock_taken(const char *dir);

#endif
