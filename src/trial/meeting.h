/* meeting.h - the network as the ranks of a trial see it (private to this room). */
#ifndef TRIAL_MEETING_H
#define TRIAL_MEETING_H

#include "trial/trial.h"

#include <net/if.h>

struct meeting_interface {
    char name[IF_NAMESIZE];
    char address[TRIAL_ADDRESS];
};

/* The only interface of this node beside loopback; false when there are none or several. */
bool meeting_only_interface(struct meeting_interface *interface);

#endif
