/*
 * tree.h - copy and remove whole folders (private to this room).
 *
 * What a program has put there is not trusted: symbolic links are copied and removed as such and
 * never followed, and nothing outside of the folder is touched. A folder is open as a descriptor
 * while it is worked on, so none can be put in its place meanwhile. Both block, and are for threads
 * of their own.
 */
#ifndef TRIAL_TREE_H
#define TRIAL_TREE_H

#include <stdatomic.h>

enum { TREE_DEPTH = 64 }; /* folders in folders; what is deeper is an error */

/*
 * Copies folder `name` of the folder `from` to the new folder `as` of `to`. Files share their
 * blocks where the file system can do that. They are on disk at the end; sockets and the like are
 * left out. Returns 0, or a number of errno: ECANCELED once *cancelled is set.
 */
int tree_copy(int from, const char *name, int to, const char *as, const atomic_bool *cancelled);

/* Removes a folder, or whatever has this name. Returns 0 or a number of errno; ENOENT is none. */
int tree_remove(int in, const char *name);

#endif
