/*
 * leftovers.h - processes of trials whose helper is gone (private to this room; helper.h has
 * helper_end_leftovers()).
 */
#ifndef HELPER_LEFTOVERS_H
#define HELPER_LEFTOVERS_H

#include "helper/processes.h"

/*
 * Kills all children of this process that were started after a moment (in clock ticks, as in struct
 * process), and theirs: after the helper was killed these are what its programs have left. This
 * process must be a subreaper, and have no other children of its own.
 */
void leftovers_end_children(uint64_t since);

#endif
