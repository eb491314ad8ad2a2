/*
 * doctor - looks at the machine, and says what a study will find here and what to do about it.
 *
 * Nothing is believed that can be tried: programs are started, a file is locked and synced, ranks
 * of MPI have to hear each other. All of it has limits of time, leaves nothing behind, and changes
 * nothing. A finding never stops the next one. A section is a file with a look_*() function, and a
 * row of the table in doctor.c.
 */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include "base/base.h"
#include "study/study.h"

enum doctor_verdict {
    DOCTOR_GOOD,
    DOCTOR_NONE,    /* it is not there, and nothing needs it */
    DOCTOR_WARNING, /* it works, but not as well as it could */
    DOCTOR_BAD      /* a study will fail of it */
};

struct doctor_finding {
    const char *section; /* "scheduler", "MPI", "containers", ... */
    const char *subject; /* "Slurm", "bubblewrap", ... */
    enum doctor_verdict verdict;
    bool needed;        /* the study that was asked about needs it */
    const char *text;   /* what was found */
    const char *advice; /* what to do; NULL: nothing */
};

struct doctor_report {
    struct arena arena;
    struct doctor_finding *findings;
    size_t count, capacity;
};

struct doctor_question {
    const char *version;       /* of Wick */
    const char *dir;           /* the folder whose file system counts; NULL: the current one */
    const char *image;         /* look into this image; NULL: that of the study, if it has one */
    const struct study *study; /* what it needs counts as needed; NULL: none */
    const struct err_list
        *missing; /* what the study's file names and is not there; NULL: nothing */
    bool other;   /* one rank of several, not the first: look at this node only */
};

/* Fills the report, which starts with {0}. Each finding is told as soon as it is known. */
void doctor_look(struct doctor_report *report, const struct doctor_question *question,
                 void (*found)(void *self, const struct doctor_finding *finding), void *self);
void doctor_free(struct doctor_report *report);

/* "good", "none", "warning", "bad" */
const char *doctor_verdict_name(enum doctor_verdict verdict);

/*
 * Whether mpiexec works is tried by two ranks of `wick doctor` with this variable set: each of them
 * calls doctor_rank(), which appends "rank 0 of 2: VERSION OF MPI", prints that and ends.
 */
#define DOCTOR_RANK_VARIABLE "WICK_DOCTOR_RANK"
int doctor_rank(struct str *text, struct err *e);

#endif
