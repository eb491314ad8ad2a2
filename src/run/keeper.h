/*
 * keeper.h - removes checkpoints that nobody needs, in a thread of its own (private to this room).
 *
 * A checkpoint may be large and its file system slow, and the driver must not wait for either. A
 * folder is renamed before it is emptied, so a folder under its own name is always whole.
 */
#ifndef RUN_KEEPER_H
#define RUN_KEEPER_H

#include "base/base.h"

struct keeper;

/*
 * Makes DIR/checkpoints; ERR_USER when a new study finds one that is not empty. Removes what
 * earlier runs left half done, and the checkpoints of all trials for which needed() is false.
 */
int keeper_start(struct keeper **keeper, const char *dir, bool is_new,
                 bool (*needed)(void *self, uint64_t id), void *self, struct err *e);
/* Has the checkpoint of a trial removed, if it has one. */
void keeper_remove(struct keeper *keeper, uint64_t id);
/* finish: waits until all are removed; otherwise a resume removes the rest. NULL is allowed. */
void keeper_stop(struct keeper *keeper, bool finish);

#endif
