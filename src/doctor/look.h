/*
 * look.h - what the sections of the doctor share: telling what they found, asking other programs,
 * and what the study needs.
 */
#ifndef DOCTOR_LOOK_H
#define DOCTOR_LOOK_H

#include "doctor/doctor.h"

enum { LOOK_ANSWER = 5 }; /* seconds that a program has for an answer */

/* What the study cannot do without; all false without a study. */
struct look_needs {
    bool scheduler, mpi, gpus, image;
    const char *python, *r; /* the interpreter; NULL: it needs none on this machine */
};

struct look {
    struct doctor_report *report;
    const struct doctor_question *question;
    void (*found)(void *self, const struct doctor_finding *finding);
    void *self;
    struct look_needs needs;
    const char *section; /* that is being looked at */
};

/* Text that lives as long as the report. */
const char *look_say(struct look *look, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void look_tell(struct look *look, const char *subject, enum doctor_verdict verdict,
               const char *text, const char *advice);
/* The same of something that the study needs, or not: what is not good is bad where it is needed.
 */
void look_tell_needed(struct look *look, const char *subject, bool needed,
                      enum doctor_verdict verdict, const char *text, const char *advice);

/* What a program said. */
struct look_answer {
    bool good;        /* it ended in time with code 0 */
    int status;       /* as of command_run() */
    struct str text;  /* all that it wrote, stdout first */
    const char *line; /* the first line that is not blank, cut to a sane length */
    const char
        *why; /* of one that is not good: what went wrong, in a line; lives with the report */
};

/*
 * Runs a program for at most `limit` seconds (0: LOOK_ANSWER); variables of an MPI job that this
 * process is a rank of are taken out of its environment. look_answer_free() it.
 */
void look_ask(struct look *look, const char *const *argv, double limit, struct look_answer *answer);
/* The same with "NAME=value" set. */
void look_ask_with(struct look *look, const char *const *argv, double limit, const char *variable,
                   struct look_answer *answer);
void look_answer_free(struct look_answer *answer);

/* "USER=name": charliecloud does nothing without, and not every job has it. */
const char *look_user(struct look *look);
/* The first line of a file, "" when it cannot be read. */
const char *look_file(struct look *look, const char *path);
/* Bytes as a person reads them: "1.5 GiB". */
const char *look_bytes(struct look *look, double bytes);
/* "1 core", "2 cores" */
const char *look_count(struct look *look, double count, const char *noun);
const char *look_duration(struct look *look, double seconds);

/* ---- the sections ---- */

void look_wick(struct look *look);
void look_study(struct look *look);
void look_machine(struct look *look);
void look_scheduler(struct look *look);
void look_mpi(struct look *look);
void look_containers(struct look *look);
void look_folder(struct look *look);
void look_gpus(struct look *look);
void look_python(struct look *look);
void look_r(struct look *look);

#endif
