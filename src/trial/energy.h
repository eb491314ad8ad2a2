/*
 * energy.h - what a trial's share of the machine's electricity is (private to this room).
 *
 * The kernel tells what each processor package has used (RAPL, at /sys/class/powercap), where the
 * machine can measure it and lets us read it. A trial's share is its processor time over that of
 * the whole machine in the same span. The counters begin again at 0 after some minutes under full
 * load, so somebody must look in between.
 */
#ifndef TRIAL_ENERGY_H
#define TRIAL_ENERGY_H

#include "base/base.h"

enum { ENERGY_PACKAGES = 16 };

struct energy {
    size_t count; /* of packages that can be read; 0: nothing is measured */
    struct str paths[ENERGY_PACKAGES];
    double range[ENERGY_PACKAGES]; /* joules after which a counter begins again */
    double last[ENERGY_PACKAGES];  /* joules, at the last look */
    double joules;                 /* of all packages since energy_begin() */
    double busy;                   /* processor seconds of the whole machine at energy_begin() */
    char stat[256];                /* where these are told */
};

/* root: "" for the machine itself; a test has files of its own there. */
void energy_open(struct energy *energy, const char *root);
void energy_close(struct energy *energy);

void energy_begin(struct energy *energy);
void energy_look(struct energy *energy);
/* Joules of a trial that used so many processor seconds since energy_begin(); 0: not known. */
double energy_end(struct energy *energy, double processor);

#endif
