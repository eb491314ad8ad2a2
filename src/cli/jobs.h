/* jobs.h - the job of a study, for status, watch, top, stop and submit (private to cli). */
#ifndef CLI_JOBS_H
#define CLI_JOBS_H

#include "cli/cli.h"
#include "launch/launch.h"

enum { JOBS_OPEN = 8 }; /* most jobs that are queried */

/* A job: its record, and what the scheduler says about it. */
struct jobs_one {
    struct launch_entry entry; /* .id is "" if there is no job */
    struct launch_report report;
};

/* The job that runs a study now, or the last that did, and the one after it. */
struct cli_job {
    struct jobs_one current, next;
    double asked; /* clock_now(), 0: never */
};

/*
 * Updates the job, but not more often than a scheduler should be queried: start with {0} and keep
 * it. May take some seconds.
 */
void cli_job_look(struct cli_job *job, const char *dir);

/*
 * The jobs that have not ended according to the record, with what the scheduler says about them,
 * latest first. Returns how many.
 */
size_t jobs_open(const struct launch_record *record, struct jobs_one jobs[JOBS_OPEN]);
/* True if the job is running, or ending, according to the scheduler. */
bool jobs_runs(const struct jobs_one *job);
/* True if the job is waiting, according to the scheduler. */
bool jobs_waits(const struct jobs_one *job);
/* True if the run of this job has ended the study, and the job itself is about to end. */
bool jobs_winds_up(const struct jobs_one *job, const struct journal *journal);
/* Waits some seconds for such a job to end; false if it has not. */
bool jobs_await_end(struct jobs_one *job, const struct journal *journal);

/* The command that continues a study: "submit" if it had jobs. */
const char *cli_resume_command(const struct journal *journal, bool had_jobs);

/* Appends "Slurm job 123". */
void cli_add_job_name(struct str *s, const struct launch_entry *entry);
/*
 * Appends "Slurm job 123, running on n[1-4], job 2 of at most 5, 1 h 9 min left; next: 124 waits
 * for it".
 */
void cli_add_job(struct str *s, const struct cli_job *job);
/*
 * Appends "job 123 ended without running a trial: see DIR/job-123.out: " and the line of that file
 * that says why. Appends nothing if the study continues, has ended in order, or has no job.
 */
void cli_add_job_failure(struct str *s, const struct journal *journal,
                         const struct cli_status *status);
/* Appends the job as a JSON object. */
void cli_add_job_json(struct str *s, const struct cli_job *job);

#endif
