/* loop.h - the helper's own loop (private to this room). */
#ifndef HELPER_LOOP_H
#define HELPER_LOOP_H

#include "helper/helper.h"

/* What the helper does; returns when all channels are closed and all programs have ended. */
void loop_run(const int *channels, unsigned count);

#endif
