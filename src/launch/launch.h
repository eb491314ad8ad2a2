/*
 * launch - jobs of a cluster: what the scheduler is, the script of a job, submitting and asking.
 *
 * A scheduler is a row of a table (schedulers.c): how its directives are written, the programs that
 * submit, list and cancel, and the variables that a job finds. No text of a study gets into a
 * directive, and none reaches a shell but in quotes: names of files are not in the script at all,
 * since a job begins in the study's folder.
 *
 * The study's folder exists before its first job, so every job runs the same script: DIR/job.sh
 * ends in
 *
 *     exec WICK job . --nodes N --workers W --notice S [--trials N] [--time S] [-- LAUNCHER ...]
 *
 * (workers of each node, or --cores of a worker for as many as the nodes have room for, seconds
 * before its end at which a job begins no more, a new budget of the study, the program and options
 * that start the ranks), which goes on with the study, be it the first job, one that was started
 * anew, or the next of a chain. DIR/jobs tells which jobs there were.
 *
 * The signal that a job's end is near is SIGUSR1 where the scheduler sends one (Slurm, LSF, Grid
 * Engine, Flux); Grid Engine and LSF also send SIGUSR2 when they are about to kill. What they all
 * know is the time: launch_here().end.
 */
#ifndef LAUNCH_LAUNCH_H
#define LAUNCH_LAUNCH_H

#include "base/base.h"
#include "study/study.h"

enum { LAUNCH_ID = 128 }; /* bytes of the number of a job, as text */

/* ---- the job that this process is a part of ---- */

struct launch_here {
    const char *scheduler; /* its name in the table; NULL: this is no job */
    char id[LAUNCH_ID];
    char task[32];    /* of an array whose tasks share the number; "": it is none */
    double end;       /* clock_wall() at which it ends, 0: not known, or long past */
    uint64_t restart; /* how often it was started anew */
    uint64_t nodes;   /* 0: not known */
    uint64_t cores;   /* of the node that has the fewest; 0: not known */
};

struct launch_here launch_here(void);
/* True when this job is that one: with arrays, also that task. */
bool launch_is_here(const char *id, const char *task);
/* "Slurm job 123", or "" when this is no job: for people who ask who runs a study. */
void launch_here_name(char *text, size_t size);
/* The same of any job. */
void launch_name(const char *scheduler, const char *id, char *text, size_t size);

/* ---- what a study wants ---- */

struct launch_plan {
    struct study_job job;   /* complete: with what the site says and what is usual */
    bool whole_nodes;       /* .job.workers_per_node is 0: as many as the nodes have room for */
    struct study_site site; /* .name is NULL: none */
    const char *scheduler;  /* one of study_schedulers() */
    char name[64];          /* of the job: letters, digits, - and _ only */
    uint64_t trials;        /* budget of the study, as of `wick resume`: for the caller to set */
    double time;            /* the same in seconds; 0: as its journal says */
    struct arena arena;
};

/* The name of the scheduler whose programs are on PATH; "local" when there is none. */
const char *launch_scheduler_found(void);
/* What people call a scheduler: "Slurm"; its name where that is not known. */
const char *launch_title(const char *scheduler);

/*
 * Which site, scheduler and resources a study's job will have. Site: by job.site, else WICK_SITE,
 * else the one whose hosts match this machine's name; "none" is none. ERR_USER, with or without
 * mistakes, which are those of the site's file. launch_plan_free() it in any case.
 */
int launch_plan(struct launch_plan *plan, const struct study *study, struct err_list *mistakes,
                struct err *e);
void launch_plan_free(struct launch_plan *plan);

/* The whole script of a job, whose program is this one. */
void launch_script(const struct launch_plan *plan, struct str *script);

/* ---- doing it ---- */

/*
 * Submits DIR/job.sh. `after`: the job whose end, however it ends, this one waits for; NULL: none.
 * On failure ERR_USER or ERR_SYSTEM with what the scheduler's program said.
 */
int launch_submit(const char *scheduler, const char *dir, const char *after, char id[LAUNCH_ID],
                  struct err *e);
int launch_cancel(const char *scheduler, const char *id, struct err *e);

enum launch_state {
    LAUNCH_UNKNOWN, /* the scheduler could not be asked */
    LAUNCH_WAITING,
    LAUNCH_RUNNING,
    LAUNCH_ENDING, /* it has not ended yet, but will at once */
    LAUNCH_ENDED   /* or nobody knows the job any more */
};

struct launch_report {
    enum launch_state state;
    char word[32];    /* as the scheduler calls it: PENDING, R, ... */
    char detail[128]; /* why it waits, or where it runs: as it says; "": nothing */
};

/* Asks the scheduler; it gets some seconds for its answer. */
void launch_ask(const char *scheduler, const char *id, struct launch_report *report);
/*
 * The state of a job that has run the study in dir, for one that would run it now: a busy scheduler
 * is asked several times. One that this job has waited for has ended, and is not asked about.
 */
enum launch_state launch_ask_earlier(const char *dir, const char *scheduler, const char *id);

/* ---- the record: DIR/jobs, a line of JSON for each thing that happened ---- */

struct launch_entry {
    char id[LAUNCH_ID];
    char scheduler[16];
    uint64_t link;         /* which job of the chain it is, from 1 */
    uint64_t links;        /* the most there may be */
    char after[LAUNCH_ID]; /* the job that it waits for; "": none */
    double submitted;      /* clock_wall() */
    double began, ended;   /* of its latest start; 0: not yet */
    double until;          /* when that start must end, 0: not known */
    uint64_t starts;
    char end[32]; /* why its run ended, as in the journal; "": it did not tell */
};

struct launch_record {
    struct launch_entry *entries; /* in the order in which they were submitted */
    size_t count;
};

/* No file is no error. Lines that do not read are skipped. */
int launch_record_load(struct launch_record *record, const char *dir, struct err *e);
void launch_record_free(struct launch_record *record);
/* The domain of a server may be missing in either name. NULL: there is none. */
const struct launch_entry *launch_record_find(const struct launch_record *record, const char *id);
/* True when the job may still wait or run, by what is written. */
bool launch_entry_open(const struct launch_entry *entry);
/* The entry of the job that waits for this one, or NULL. */
const struct launch_entry *launch_record_after(const struct launch_record *record, const char *id);
/* True when a job waits for the end of another, or for that of one which does. */
bool launch_record_follows(const struct launch_record *record, const char *id, const char *earlier);
/* Each appends a line at once, so that several processes may. */
int launch_record_submitted(const char *dir, const struct launch_entry *entry, struct err *e);
/* By the job itself: with the end that launch_here() knows. */
int launch_record_began(const char *dir, const char *id, struct err *e);
int launch_record_ended(const char *dir, const char *id, const char *why, struct err *e);

#endif
