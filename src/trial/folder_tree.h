/*
 * folder_tree.h - copy and remove whole folders (private to this room).
 *
 * The content comes from programs and is not trusted: symbolic links are copied and removed as such
 * and never followed, and nothing outside the folder is touched. A folder is open as a descriptor
 * while it is worked on, so nothing can be put in its place meanwhile. Both functions block, and
 * are for threads of their own.
 */
#ifndef TRIAL_FOLDER_TREE_H
#define TRIAL_FOLDER_TREE_H

#include <stdatomic.h>

enum { FOLDER_TREE_DEPTH = 64 }; /* nested folders; deeper ones are an error */

/*
 * Copies folder `name` of the folder `from` to the new folder `as` of `to`. Files share their
 * blocks where the file system supports it, and are on disk at the end; sockets and the like are
 * left out. Returns 0 or an errno: ECANCELED once *cancelled is set.
 */
int folder_tree_copy(int from, const char *name, int to, const char *as,
                     const atomic_bool *cancelled);

/* Removes a folder, or whatever has this name. Returns 0 or an errno; that it does not exist is no
 * error. */
int folder_tree_remove(int in, const char *name);

#endif
