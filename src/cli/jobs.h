/* jobs.h - the job of a study: what status, watch, top and stop share (private to cli). */
#ifndef CLI_JOBS_H
#define CLI_JOBS_H

#include "cli/cli.h"
#include "launch/launch.h"

enum { JOBS_OPEN = 8 }; /* jobs that are asked about, at most */

struct jobs_one {
    struct launch_entry entry; /* .id is "": there is none */
    struct launch_report report;
};

/* The job that serves a study now, or the last that did, and the one that comes after it. */
struct cli_job {
    struct jobs_one current, next;
    double asked; /* clock_now(), 0: never */
};

/*
 * Fills it anew, but not more often than a scheduler should be asked: start with {0} and keep it.
 * It may take some seconds.
 */
void cli_job_look(struct cli_job *job, const char *dir);

/*
 * The jobs that have not ended by the record, and what the scheduler says of them, the latest
 * first. Returns how many.
 */
size_t jobs_open(const struct launch_record *record, struct jobs_one jobs[JOBS_OPEN]);
/* True when the scheduler says so. */
bool jobs_runs(const struct jobs_one *job);
bool jobs_waits(const struct jobs_one *job);
/* True of a job whose run has ended the study, and that is still there for some seconds. */
bool jobs_winds_up(const struct jobs_one *job, const struct journal *journal);
/* Waits some seconds for the end of such a job; false: it is still there. */
bool jobs_await_end(struct jobs_one *job, const struct journal *journal);

/* The command that goes on with a study: one that had jobs belongs to the cluster again. */
const char *cli_resume_command(const struct journal *journal, bool had_jobs);

/* Appends "Slurm job 123". */
void cli_add_job_name(struct str *s, const struct launch_entry *entry);
/*
 * Appends "Slurm job 123, running on n[1-4], 2 of at most 5 jobs, 1 h 9 min left; next: 124 waits
 * for it".
 */
void cli_add_job(struct str *s, const struct cli_job *job);
/*
 * Appends "job 123 ended without a trial: see DIR/job-123.out: " and the last line of that file, or
 * nothing when the study goes on, has ended in order, or has no job.
 */
void cli_add_job_failure(struct str *s, const struct journal *journal,
                         const struct cli_status *status);
/* Appends the job as a JSON object. */
void cli_add_job_json(struct str *s, const struct cli_job *job);

#endif
