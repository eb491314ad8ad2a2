/*
 * cgroups.h - control groups for trials with a memory limit, where the user may make some (private
 * to this room).
 *
 * Only version 2, and only below the group that Wick was started in, which must have been delegated
 * to the user: by systemd (Delegate=yes), by the scheduler, or because Wick runs as root. The
 * kernel then keeps the limit exactly, and a group is ended as a whole. Where it is not delegated,
 * which is the rule on clusters, loop.c adds up what the family of a program uses.
 *
 *   GROUP/                 Wick was started here
 *     wick-RANDOM/         one for each helper, which holds a lock on it as long as it lives
 *       self/              Wick and its helper, where they have to make room (see cgroups.c)
 *       WORKER-NUMBER/     one for each program with a limit
 */
#ifndef HELPER_CGROUPS_H
#define HELPER_CGROUPS_H

#include "base/base.h"

#include <sys/types.h>

struct cgroups;

/*
 * Makes the helper's own group, and ends those that helpers which were killed have left. `group` is
 * the folder that Wick was started in; a test has one of its own, where files do not appear by
 * themselves. NULL: no groups can be made there.
 */
struct cgroups *cgroups_open(const char *group, unsigned workers, bool is_stand_in);
/* Appends the folder of the group that this process is in; false when there is none. */
bool cgroups_find(struct str *group);
/* True when the kernel keeps the limits; otherwise groups are only there to be ended. */
bool cgroups_keep_limits(const struct cgroups *cgroups);

/*
 * Makes the group of a worker's program, with a limit in bytes. Returns a descriptor to which the
 * program writes "0" in order to join, or we write its number; the caller closes it. -1: there is
 * no group.
 */
int cgroups_begin(struct cgroups *cgroups, unsigned worker, uint64_t memory);
/* The most bytes in use, when the kernel has ended the program for them; 0: it has not. */
uint64_t cgroups_over(const struct cgroups *cgroups, unsigned worker);
/* The program has ended: so does everything in its group. */
void cgroups_end(struct cgroups *cgroups, unsigned worker);
/* Removes the helper's group, and frees all. */
void cgroups_close(struct cgroups *cgroups);

#endif
