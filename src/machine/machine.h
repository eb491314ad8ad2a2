/*
 * machine - what this machine has, and how it is shared among the workers.
 *
 * A slot is the part of a machine that one worker may use: cores and GPUs. Energy is a trial's
 * share of the machine's electricity. The kernel tells what each processor package has used (RAPL,
 * at /sys/class/powercap), where the machine can measure it and lets us read it. The share is the
 * trial's processor time over that of the whole machine in the same span.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/base.h"
#include "study/study.h"

#include <sched.h>

struct container;

enum { MACHINE_CORES = 1024, MACHINE_GPUS = 64, MACHINE_DEVICES = 2048, MACHINE_VARIABLES = 4 };

/* The part of the machine that the trials of one worker may use. */
struct machine_slot {
    unsigned worker;                   /* from 1 */
    unsigned channel;                  /* which of the helper's channels is its own, from 1 */
    unsigned cores;                    /* its share, at least 1 */
    cpu_set_t pinned;                  /* the cores; all of them when there are too few to share */
    char devices[MACHINE_DEVICES];     /* its GPUs, as in "0,1"; "": the study asks for none */
    const char *maker;                 /* who made them, as in struct machine_gpus */
    const struct container *container; /* that its trials run in; NULL: none */
};

/* The GPUs that this process may use. */
struct machine_gpus {
    const char *maker;    /* NVIDIA, AMD or Intel */
    const char *variable; /* environment variable that lists them; NULL: they are all there are */
    char names[MACHINE_GPUS][64]; /* numbers, or names such as GPU-4b2c1a9f-... */
    unsigned count;
};

/* Finds them. root: "" for the machine itself; a test has files of its own there. */
void machine_gpus(struct machine_gpus *gpus, const char *root);

/* A variable that shows a program some GPUs. */
struct machine_variable {
    const char *name;
    char value[MACHINE_DEVICES];
};

/* The variables by which a trial sees the GPUs of a slot, and no others; returns their number. */
size_t machine_slot_variables(const struct machine_slot *slot,
                              struct machine_variable variables[MACHINE_VARIABLES]);

/*
 * How many workers this machine has room for: by cores, and by GPUs where the study asks for them.
 * ERR_USER when it asks for GPUs and there are none.
 */
int machine_workers(const struct study *study, unsigned *workers, struct err *e);

/* Shares the machine among so many workers; ERR_USER when there are too few GPUs for them. */
int machine_slots(const struct study *study, unsigned workers, struct machine_slot *slots,
                  struct err *e);

enum { MACHINE_PACKAGES = 16 };

/* The counters of the processor packages. They wrap to 0 after some minutes under full load. */
struct machine_energy {
    size_t count; /* packages that can be read; 0: nothing is measured */
    struct str paths[MACHINE_PACKAGES];
    double range[MACHINE_PACKAGES]; /* joules after which a counter wraps */
    double last[MACHINE_PACKAGES];  /* joules, at the last look */
    double joules;                  /* of all packages since machine_energy_begin() */
    double busy;                    /* processor seconds of the machine at machine_energy_begin() */
    char stat[256];                 /* the file that has these */
};

/* Finds the counters. root: "" for the machine itself; a test has files of its own there. */
void machine_energy_open(struct machine_energy *energy, const char *root);
/* Frees what it holds. */
void machine_energy_close(struct machine_energy *energy);
/* A trial starts. */
void machine_energy_begin(struct machine_energy *energy);
/* Reads the counters; call it every few minutes, since they wrap. */
void machine_energy_look(struct machine_energy *energy);
/* Joules of a trial that used so many processor seconds since the start; 0: not known. */
double machine_energy_end(struct machine_energy *energy, double processor);

#endif
