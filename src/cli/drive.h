/* drive.h - run a study and show how it goes, for run, resume, upf and job (private to cli). */
#ifndef CLI_DRIVE_H
#define CLI_DRIVE_H

#include "cli/cli.h"
#include "cli/display.h"
#include "run/run.h"

#include <signal.h>

/* Options about running a study, for run, resume and upf. */
extern const struct cli_option drive_options[];

/* Runs the study with the display that the options choose; returns the exit code. */
int drive(struct cli_arguments *arguments, const struct study *study, struct run_options *options);
/* Runs a new study in its own folder, after notes about it, and frees it. For run and upf. */
int drive_new(struct cli_arguments *arguments, struct study *study);

/* ---- conclude.c: what came of a run ---- */

/*
 * Writes the report, and prints how the run ended and the best trial, or why it was halted; returns
 * the exit code. After a run that failed it only writes the report, which would be stale otherwise.
 */
int drive_conclude(const struct cli_arguments *arguments, const struct display_state *state,
                   const struct run_progress *progress, bool failed);
/* The exit code of a run that ended in order; prints a message if no trial has a valid score. */
int drive_exit_code(const struct display_state *state, const struct run_progress *progress);

/* Reads what a new study learns from earlier ones, with notes; NULL on an error. earlier_free() it.
 */
struct earlier *drive_earlier(const struct study *study, bool quiet, struct err *e);

/* Adds the signals that warn of the end of a job; SGE has one for each reason. */
void drive_add_notices(sigset_t *signals);
/*
 * Blocks the signals that end a study, and those in `more`, and returns a descriptor that reads
 * them, -1 on an error. *old is the mask to restore.
 */
int drive_signals(sigset_t more, sigset_t *old, struct err *e);
/* Closes the descriptor and restores the mask. Late signals are dropped: the report comes first. */
void drive_signals_end(int descriptor, const sigset_t *old);

/*
 * In a job: waits a while for the lock of an ended job, which a lost node may still hold. False if
 * it is still held after that.
 */
bool drive_await_lock(const char *dir);
/* standing_complete() with the points in the queue of the study folder. */
enum journal_end drive_complete(const struct journal *journal, const struct standing_budget *budget,
                                bool retry);
/*
 * True if a study has nothing left to do within the budget of these options; then prints so, and
 * *code is the exit code: not 0 if the study was halted and its failed trials should run again.
 */
bool drive_is_complete(const struct journal *journal, const struct run_options *options, int *code);

/* Notes, about a halted study that goes on, that its failed trials do not run again unless `retry`.
 */
void drive_note_halted(const struct journal *journal, bool retry);

/* The folder for a new study: --dir, or NAME.wick, NAME-2.wick, ...; free() it. */
char *drive_folder(struct cli_arguments *arguments, const struct study *study);
/* Sets *dir to the default folder with this number, from 1: NAME.wick, NAME-2.wick, ... */
void drive_name_folder(struct str *dir, const struct study *study, int number);

#endif
