/*
 * look.h - what the sections of the doctor share: reporting findings, asking other programs, and
 * what the study needs (private to this room).
 */
#ifndef DOCTOR_LOOK_H
#define DOCTOR_LOOK_H

#include "doctor/doctor.h"

enum { LOOK_ANSWER = 5 }; /* seconds that a program has to answer */

/* What the study needs; without a study, all are false. */
struct look_needs {
    bool scheduler, mpi, gpus, image;
    const char *python, *r; /* the interpreter; NULL: none is needed on this machine */
    const char *inside;     /* the Python that is needed in the image; NULL: none */
};

struct look {
    struct doctor_report *report;
    const struct doctor_question *question;
    void (*found)(void *self, const struct doctor_finding *finding);
    void *self;
    struct look_needs needs;
    const char *section; /* the one being examined */

    const char *image, *runtime; /* an image, and the first runtime that works with it; or NULL */
    uint64_t job_gpus;           /* GPUs per node that the job will have; 0: none, or this is it */
};

/* Formats a text that lives as long as the report. */
const char *look_say(struct look *look, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a finding. `advice`: what to do; NULL: nothing. The texts must live as long as the report.
 */
void look_tell(struct look *look, const char *subject, enum doctor_verdict verdict,
               const char *text, const char *advice);
/* The same for something that the study may need: if it is needed, anything but good is bad. */
void look_tell_needed(struct look *look, const char *subject, bool needed,
                      enum doctor_verdict verdict, const char *text, const char *advice);

/* How a program answered. */
struct look_answer {
    bool good;        /* it ended in time with code 0 */
    int status;       /* as from command_run() */
    struct str text;  /* all its output, stdout first */
    const char *line; /* the first line that is not blank, cut to a reasonable length */
    const char *why;  /* if not good: what went wrong, in one line; lives as long as the report */
};

/*
 * Runs a program for at most `limit` seconds (0: LOOK_ANSWER). If this process is a rank of an MPI
 * job, the variables of that job are removed from the program's environment. look_answer_free() it.
 */
void look_ask(struct look *look, const char *const *argv, double limit, struct look_answer *answer);
/* The same with "NAME=value" set. */
void look_ask_with(struct look *look, const char *const *argv, double limit, const char *variable,
                   struct look_answer *answer);
/* The same in the image of the study, where the program has no further variables of ours. */
void look_ask_inside(struct look *look, const char *const *argv, double limit,
                     struct look_answer *answer);
/* Frees the output. */
void look_answer_free(struct look_answer *answer);

/* "USER=name": Charliecloud does not work without it, and not every job has it. */
const char *look_user(struct look *look);
/* The first line of a file; "" if it cannot be read. */
const char *look_file(struct look *look, const char *path);
/* Bytes as a person reads them: "1.5 GiB". */
const char *look_bytes(struct look *look, double bytes);
/* "1 core", "2 cores" */
const char *look_count(struct look *look, double count, const char *noun);
/* Seconds as a person reads them. */
const char *look_duration(struct look *look, double seconds);

/* ---- the sections ---- */

/* Wick itself: its version and the files that come with it. */
void look_wick(struct look *look);
/* The programs and files that the study names. */
void look_study(struct look *look);
/* Cores, memory, open files, space for temporary files. */
void look_machine(struct look *look);
/* Schedulers: whether one is here and answers. */
void look_scheduler(struct look *look);
/* MPI: plug-ins, launchers, two ranks that must reach each other. */
void look_mpi(struct look *look);
/* Container runtimes, and the image of the study. */
void look_containers(struct look *look);
/* The file system of the study folder: locks, syncs, free space. */
void look_folder(struct look *look);
/* In a job on several nodes: whether all of them see the same folder. */
void look_nodes(struct look *look, const char *dir);
/* GPUs, as their tools list them. */
void look_gpus(struct look *look);
/* Python and the packages a study may use. */
void look_python(struct look *look);
/* R and the packages a study may use. */
void look_r(struct look *look);

#endif
