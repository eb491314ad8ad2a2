/*
 * launch - jobs on a cluster: which scheduler, the script of a job, submitting, querying,
 * cancelling.
 *
 * A scheduler is a row of a table (schedulers.c): how its directives are written, the programs that
 * submit, list and cancel, and the variables that a job finds. Text from a study is checked before
 * it becomes part of a directive, and reaches a shell only in quotes. A job starts in the study
 * folder; the only other folder that a script names is that of the study file, where modules are
 * loaded and the prologue runs.
 *
 * The study folder exists before its first job, so every job runs the same script: DIR/job.sh ends
 * with
 *
 *     exec WICK job . --nodes N --workers W --notice S [--trials N] [--time S] [-- LAUNCHER ...]
 *
 * (W workers on each node, or --cores per worker for as many as fit; no trials start in the last S
 * seconds of the job; a new budget for the study; the program and options that start the ranks). It
 * continues the study, whether it is the first job, one that was started again, or the next of a
 * chain. DIR/jobs lists all jobs of the study. If a line before that fails, the script runs the
 * same command with WICK_JOB_FAILED="CODE LINE": `wick job` then reports it and continues the chain
 * as after any other failed job, but runs no trials.
 *
 * The notice that a job is about to end is SIGUSR1 if the scheduler sends one (Slurm, LSF, Grid
 * Engine, Flux); Grid Engine and LSF also send SIGUSR2 just before they kill the job.
 * launch_here().end is the time of the end.
 */
#ifndef LAUNCH_LAUNCH_H
#define LAUNCH_LAUNCH_H

#include "base/base.h"
#include "study/study.h"

enum {
    LAUNCH_ID = 128,      /* size of a job ID in bytes */
    LAUNCH_NODES = 100000 /* most nodes of a job */
};

/* ---- the job that this process is a part of ---- */

struct launch_here {
    const char *scheduler; /* its name in the table; NULL: this is not a job */
    char id[LAUNCH_ID];
    char task[32];    /* task of a job array whose tasks share one ID; "": not an array */
    double end;       /* clock_wall() at which it ends; 0: unknown, or long past */
    uint64_t restart; /* number of times it was started again */
    uint64_t nodes;   /* 0: unknown */
    uint64_t cores;   /* cores of the node with the fewest; 0: unknown */
};

/* The job of this process, according to its environment. */
struct launch_here launch_here(void);
/*
 * The names of the nodes of this job, ended by NULL, and their number; NULL if they are not known.
 * They live in the arena.
 */
const char *const *launch_here_nodes(struct arena *arena, size_t *count);
/* A launcher that starts ranks on all nodes of this job, for messages; NULL: none is known. */
const char *launch_here_launcher(void);
/* True if this process belongs to that job and, in an array, to that task. */
bool launch_is_here(const char *id, const char *task);
/* "Slurm job 123", or "" if this is not a job: for messages that say who runs a study. */
void launch_here_name(char *text, size_t size);
/* The same for any job. */
void launch_name(const char *scheduler, const char *id, char *text, size_t size);

/* ---- planning a job ---- */

struct launch_plan {
    struct study_job job;   /* complete: filled in from the site and the defaults */
    bool whole_nodes;       /* .job.workers_per_node is 0: as many workers as fit on the nodes */
    struct study_site site; /* .name is NULL: none */
    const char *scheduler;  /* one of study_schedulers() */
    const char *home;       /* where the prologue runs: the folder of the study file */
    const char *time_directive; /* sets a time limit that the job cannot find out; NULL: none */
    char name[64];              /* name of the job: letters, digits, - and _ only */
    uint64_t trials;    /* new budget of the study, as for `wick resume`; set by the caller */
    double time;        /* the same in seconds; 0: as in the journal */
    bool retry_failed;  /* its --retry-failed, for the first job */
    bool hides_secrets; /* values of `environment`, in a script that is only shown */
    struct arena arena;
};

/* The name of the scheduler whose programs are on PATH; "local" if there is none. */
const char *launch_scheduler_found(void);
/* What people call a scheduler: "Slurm"; its name if there is no row for it. */
const char *launch_title(const char *scheduler);

/*
 * Decides on site, scheduler and resources for a study's job. The site is job.site, else WICK_SITE,
 * else the one whose hosts match this machine's name; "none" means none. ERR_USER; `mistakes` holds
 * those in the site file, if there are any. launch_plan_free() it in any case.
 */
int launch_plan(struct launch_plan *plan, const struct study *study, struct err_list *mistakes,
                struct err *e);
/* Frees what a plan holds. */
void launch_plan_free(struct launch_plan *plan);

/*
 * Asks the scheduler whether its queue can ever run the planned job: nodes, GPUs, time. ERR_USER if
 * it cannot; 0 also if the scheduler does not answer in time or cannot be asked this.
 */
int launch_check(const struct launch_plan *plan, struct err *e);

/* Writes the whole script of a job, which runs this same program. */
void launch_script(const struct launch_plan *plan, struct str *script);

/* ---- submitting, cancelling, asking ---- */

/*
 * Submits DIR/job.sh and sets the job's ID. The job starts once the job `after` has ended, in
 * whatever way; NULL: it waits for none. On failure ERR_USER or ERR_SYSTEM, with what the
 * scheduler's program said; `maybe`: the job may have been submitted nevertheless.
 */
int launch_submit(const char *scheduler, const char *dir, const char *after, char id[LAUNCH_ID],
                  bool *maybe, struct err *e);
/* What a user types to see his jobs: "squeue -u $USER". */
const char *launch_jobs_command(const char *scheduler);
/* Cancels a job. It is not an error if the job has ended already. */
int launch_cancel(const char *scheduler, const char *id, struct err *e);

enum launch_state {
    LAUNCH_UNKNOWN, /* the scheduler could not be asked */
    LAUNCH_WAITING,
    LAUNCH_RUNNING,
    LAUNCH_ENDING, /* it has not ended yet, but is about to */
    LAUNCH_ENDED   /* or the scheduler no longer knows it */
};

struct launch_report {
    enum launch_state state;
    char word[32];    /* the scheduler's own word: PENDING, R, ... */
    char detail[128]; /* why it waits or where it runs, in the scheduler's words; "": unknown */
};

/* Asks the scheduler for the state of a job, and waits a few seconds for the answer. */
void launch_ask(const char *scheduler, const char *id, struct launch_report *report);
/*
 * The state of an earlier job of the study in dir, for a job that is about to run it: a busy
 * scheduler is asked several times. A job that this one had to wait for has ended, so the scheduler
 * is not asked.
 */
enum launch_state launch_ask_earlier(const char *dir, const char *scheduler, const char *id);

/*
 * The line of a job's output that says why the job failed, as far as one can tell; the last line if
 * none does.
 */
struct slice launch_output_cause(struct slice output);

/* ---- DIR/jobs: one JSON object for each event of a job ---- */

struct launch_entry {
    char id[LAUNCH_ID];
    char scheduler[16];
    uint64_t link;         /* its place in the chain, from 1 */
    uint64_t links;        /* the largest number of jobs in the chain */
    char after[LAUNCH_ID]; /* the job it waits for; "": none */
    double submitted;      /* clock_wall() */
    double began, ended;   /* its latest start and end; 0: not yet */
    double until;          /* when that start must end; 0: unknown */
    uint64_t starts;
    char end[32]; /* why its run ended, as in the journal; "": it did not say */
};

struct launch_record {
    struct launch_entry *entries; /* in the order in which they were submitted */
    size_t count;
};

/*
 * Reads DIR/jobs; launch_record_free() it in any case. A missing file is not an error, and lines
 * that cannot be parsed are skipped.
 */
int launch_record_load(struct launch_record *record, const char *dir, struct err *e);
/* Frees the entries. */
void launch_record_free(struct launch_record *record);
/* The entry of a job, or NULL. Either ID may lack the domain of the server. */
const struct launch_entry *launch_record_find(const struct launch_record *record, const char *id);
/* True if, according to DIR/jobs, the job may still be waiting or running. */
bool launch_entry_open(const struct launch_entry *entry);
/* The entry of the job that waits for this one, or NULL. */
const struct launch_entry *launch_record_after(const struct launch_record *record, const char *id);
/* True if a job waits for another one, directly or through others. */
bool launch_record_follows(const struct launch_record *record, const char *id, const char *earlier);
/* Notes that a job was submitted, in one write: several processes may append to DIR/jobs. */
int launch_record_submitted(const char *dir, const struct launch_entry *entry, struct err *e);
/* Notes that this job has started, and when it must end according to launch_here(). */
int launch_record_began(const char *dir, const char *id, struct err *e);
/* Notes that this job's run has ended, and why. */
int launch_record_ended(const char *dir, const char *id, const char *why, struct err *e);

#endif
