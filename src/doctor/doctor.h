/*
 * doctor - examines the machine, and reports what a study will find here and what to do about it.
 *
 * Whatever can be tried is tried: programs are started, a file is locked and synced, MPI ranks have
 * to reach each other. Every test has a time limit, leaves nothing behind and changes nothing. No
 * finding prevents the next one. A section is a file with a look_*() function and a row of the
 * table in doctor.c.
 */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include "base/base.h"
#include "study/study.h"

enum doctor_verdict {
    DOCTOR_GOOD,
    DOCTOR_NONE,    /* it is missing, but nothing needs it */
    DOCTOR_WARNING, /* it works, but not as well as it could */
    DOCTOR_BAD      /* a study will fail because of it */
};

struct doctor_finding {
    const char *section; /* "scheduler", "MPI", "containers", ... */
    const char *subject; /* "Slurm", "bubblewrap", ... */
    enum doctor_verdict verdict;
    bool needed;        /* the study in question needs it */
    const char *text;   /* what was found */
    const char *advice; /* what to do; NULL: nothing */
};

struct doctor_report {
    struct arena arena;
    struct doctor_finding *findings;
    size_t count, capacity;
};

struct doctor_question {
    const char *version;       /* version of Wick */
    const char *dir;           /* the folder whose file system is examined; NULL: the current one */
    const char *image;         /* examine this image; NULL: that of the study, if it has one */
    const struct study *study; /* the study whose needs count; NULL: none */
    const struct err_list
        *missing; /* what the study file names but does not exist; NULL: nothing */
    bool other;   /* one rank of several, not the first: examine this node only */
};

/*
 * Fills the report, which starts as {0}, and calls found() with each finding as soon as it is
 * known. doctor_free() the report.
 */
void doctor_look(struct doctor_report *report, const struct doctor_question *question,
                 void (*found)(void *self, const struct doctor_finding *finding), void *self);
/* Frees the report with all its texts. */
void doctor_free(struct doctor_report *report);

/* The verdict in a word: "good", "none", "warning", "bad". */
const char *doctor_verdict_name(enum doctor_verdict verdict);

/*
 * To test mpiexec, the doctor starts two ranks of `wick doctor` with this variable set. Each calls
 * doctor_rank(), prints its text and exits.
 */
#define DOCTOR_RANK_VARIABLE "WICK_DOCTOR_RANK"
/* Opens MPI, reaches the other rank, and appends "rank 0 of 2: VERSION OF MPI". */
int doctor_rank(struct str *text, struct err *e);

#endif
