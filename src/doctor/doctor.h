/*
 * doctor - looks at the machine, and says what a study will find here and what to do about it.
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
    const char *text;   /* what was found */
    const char *advice; /* what to do; NULL: nothing */
};

struct doctor_report {
    struct arena arena;
    struct doctor_finding *findings;
    size_t count;
};

struct doctor_question {
    const char *dir;           /* the folder whose file system counts; NULL: the current one */
    const char *image;         /* look into this image; NULL: none */
    const struct study *study; /* what it needs counts as needed; NULL: none */
};

/* Each finding is told as soon as it is known. */
void doctor_look(struct doctor_report *report, const struct doctor_question *question,
                 void (*found)(void *self, const struct doctor_finding *finding), void *self);
void doctor_free(struct doctor_report *report);

#endif
