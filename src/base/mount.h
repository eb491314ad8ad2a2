/* mount.h - how the file system of a path is mounted, and how far its locks reach. */
#ifndef BASE_MOUNT_H
#define BASE_MOUNT_H

#include <stdbool.h>

struct mount {
    char type[64];      /* "nfs4", "lustre", ... */
    char options[1040]; /* with a comma around each */
};

/* False if nothing is known about it; then *mount is empty. */
bool mount_find(const char *path, struct mount *mount);
/* True if it is mounted with this option. */
bool mount_has(const struct mount *mount, const char *option);
/* True if it is mounted such that locks are visible only to processes of this node. */
bool mount_locks_are_local(const struct mount *mount);

#endif
